"""The estimator of skpro, under skpro's own checks."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("skpro")

from skpro.metrics import CRPS  # noqa: E402
from skpro.utils import check_estimator  # noqa: E402

from probmix.skpro import ProbMixDistribution, ProbMixRegressor  # noqa: E402

QUICK = {"preset": "fast", "epochs": 20, "hidden": [8], "random_state": 1}


@pytest.mark.parametrize("kind", [ProbMixRegressor, ProbMixDistribution])
def test_it_passes_the_checks_of_skpro(kind):
    results = check_estimator(kind, raise_exceptions=False, verbose=False)
    failed = {name: repr(result) for name, result in results.items() if result != "PASSED"}
    assert results and not failed


@pytest.fixture(scope="module")
def tables(numbers):
    X, y = numbers
    index = pd.Index([f"r{k}" for k in range(len(y))])
    return (pd.DataFrame(X, columns=["a", "b", "c"], index=index),
            pd.DataFrame({"u": y, "v": y**2 + X[:, 2]}, index=index))


def test_it_predicts_what_the_estimator_predicts(tables):
    X, y = tables
    model = ProbMixRegressor(**QUICK).fit(X, y[["u"]])
    found, expected = model.predict_proba(X), model.estimator_.predict_dist(X)
    assert found.mean()["u"].to_numpy() == pytest.approx(expected.mean())
    assert found.var()["u"].to_numpy() == pytest.approx(expected.var())
    assert found.log_pdf(y[["u"]])["u"].to_numpy() == pytest.approx(expected.logpdf(y["u"]))
    assert found.cdf(y[["u"]])["u"].to_numpy() == pytest.approx(expected.cdf(y["u"]))
    quantiles = model.predict_quantiles(X, alpha=[0.1, 0.9]).to_numpy()
    assert quantiles == pytest.approx(expected.quantiles([0.1, 0.9]))
    assert found.index.equals(X.index) and list(found.columns) == ["u"]


def test_rows_and_columns_are_chosen(tables):
    X, y = tables
    model = ProbMixRegressor(**QUICK).fit(X, y)
    dist, expected = model.predict_proba(X), model.estimator_.predict_dist(X)
    some = dist.loc[["r5", "r2"], ["v"]]
    assert some.shape == (2, 1)
    assert some.mean().to_numpy() == pytest.approx(expected.mean()[[5, 2]][:, [1]])
    assert dist.iloc[3:5, 0].mean().to_numpy() == pytest.approx(expected.mean()[3:5, [0]])
    assert dist.iat[7, 1].mean() == pytest.approx(expected.mean()[7, 1])
    assert dist.at["r7", "v"].ppf(0.25) == pytest.approx(expected.ppf(0.25)[7, 1])
    turned = y.iloc[::-1, ::-1]
    assert np.array_equal(dist.cdf(turned).loc[y.index, y.columns], dist.cdf(y))


def test_scores_of_skpro_take_it(tables):
    X, y = tables
    model = ProbMixRegressor(**QUICK).fit(X, y[["u"]])
    dist = model.predict_proba(X)
    ours = model.estimator_.predict_dist(X).crps(y["u"]).mean()
    assert CRPS()(y[["u"]], dist) == pytest.approx(ours, rel=0.1)  # skpro draws samples


def test_counts_are_discrete(tables):
    X, _ = tables
    y = pd.DataFrame({"n": np.random.default_rng(5).poisson(2, size=len(X))}, index=X.index)
    dist = ProbMixRegressor(**QUICK, family="poisson").fit(X, y).predict_proba(X)
    assert dist.get_tag("distr:measuretype") == "discrete"
    assert (dist.pdf(y) == 0).all(axis=None) and (dist.pmf(y) > 0).all(axis=None)
