"""The distribution object: identities of densities, shapes, and what the model predicts by itself."""

import numpy as np
import pytest
from conftest import QUICK

import probmix


@pytest.fixture(scope="module")
def fitted(numbers):
    return probmix.ProbMixRegressor(**{**QUICK, "ensemble": 2, "method": "m-probmix", "family": "gaussian"}).fit(*numbers)


@pytest.fixture(scope="module")
def dist(fitted, numbers):
    return fitted.predict_dist(numbers[0][:7])


def test_shapes(dist):
    assert len(dist) == 7 and dist.shape == (7,)
    for values in (dist.mean(), dist.std(), dist.var(), dist.entropy(), dist.median(), dist.pdf(0.5), dist.cdf(np.zeros(7)),
                   dist.ppf(0.5), dist.crps(1)):
        assert values.shape == (7,)
    assert dist.pdf(np.zeros((1, 4))).shape == dist.cdf(np.zeros((7, 4))).shape == (7, 4)
    assert dist.quantiles([0.1, 0.5, 0.9]).shape == (7, 3)
    assert dist.sample(5).shape == (7, 5)
    low, high = dist.interval(0.9)
    assert (low < high).all()
    with pytest.raises(ValueError, match="do not fit 7 rows"):
        dist.pdf(np.zeros(3))


def test_one_row(dist):
    one = dist[2]
    assert isinstance(one.mean(), float) and one.mean() == dist.mean()[2]
    assert one.pdf(0.3) == dist.pdf(0.3)[2]
    assert np.array_equal(one.cdf([0, 1, 2]), dist.cdf([[0, 1, 2]])[2])
    assert one.quantiles([0.1, 0.9]).shape == (2,)
    assert np.array_equal(one.sample(4), dist.sample(4)[2])
    assert dist[-1].mean() == dist.mean()[6]
    with pytest.raises(IndexError):
        dist[7]
    with pytest.raises(TypeError):
        one[0]


def test_some_rows(dist):
    assert np.array_equal(dist[2:5].mean(), dist.mean()[2:5])
    assert np.array_equal(dist[dist.mean() > 0].std(), dist.std()[dist.mean() > 0])
    assert [one.mean() for one in dist] == dist.mean().tolist()


def test_a_density_integrates_to_its_distribution_function_and_moments(dist):
    grid = np.linspace(-12, 12, 20001)[None]
    pdf = dist.pdf(grid)
    step = grid[0, 1] - grid[0, 0]
    assert np.allclose(pdf.sum(axis=1) * step, 1, atol=1e-6)
    mean = (pdf * grid).sum(axis=1) * step
    assert np.allclose(mean, dist.mean(), atol=1e-6)
    assert np.allclose((pdf * (grid - mean[:, None]) ** 2).sum(axis=1) * step, dist.var(), atol=1e-5)
    assert np.allclose(np.cumsum(pdf, axis=1)[:, 10000] * step, dist.cdf(0), atol=1e-3)
    with np.errstate(divide="ignore", invalid="ignore"):
        plogp = np.where(pdf > 0, pdf * np.log(pdf), 0)
    assert np.allclose(-plogp.sum(axis=1) * step, dist.entropy(), atol=1e-4)
    below = (np.cumsum(pdf, axis=1) * step - (grid >= 0.4)) ** 2
    assert np.allclose(below.sum(axis=1) * step, dist.crps(0.4), atol=1e-3)


def test_quantiles_invert_the_distribution_function(dist):
    u = np.array([[1e-6, 0.01, 0.3, 0.5, 0.99]])
    assert np.allclose(dist.cdf(dist.ppf(np.repeat(u, 7, axis=0))), u, atol=1e-9)
    assert np.allclose(dist.sf(0.2), 1 - dist.cdf(0.2))
    assert dist[0].ppf(0) == -np.inf and dist[0].ppf(1) == np.inf and np.isnan(dist[0].ppf(1.5))
    assert dist[0].pdf(np.inf) == 0 and dist[0].cdf(np.inf) == 1 and np.isnan(dist[0].pdf(np.nan))


def test_the_parts_of_the_deviation(dist):
    assert np.allclose(dist.std_data() ** 2 + dist.std_model() ** 2, dist.var())


def test_samples_follow_the_density(dist):
    # 7 · 40,000 draws: the empirical distribution function is within 0.01 but once in 10⁶.
    drawn = dist.sample(40_000)
    assert np.abs((drawn < 0.3).mean(axis=1) - dist.cdf(0.3)).max() < 0.01
    assert np.array_equal(drawn, dist.sample(40_000))
    assert not np.array_equal(drawn, dist.sample(40_000, random_state=3))


def test_a_gaussian_has_the_properties_that_scipy_says(numbers):
    stats = pytest.importorskip("scipy.stats")
    # One network without a marginal share is a single Gaussian.
    dist = probmix.ProbMixRegressor(**QUICK, family="gaussian").fit(*numbers).predict_dist(numbers[0][:20])
    assert dist._densities.members == 1
    same = stats.norm(dist.mean(), dist.std())
    for name in ("pdf", "logpdf", "cdf", "sf"):
        assert np.allclose(getattr(dist, name)(0.7), getattr(same, name)(0.7), rtol=1e-10)
    assert np.allclose(dist.ppf(0.83), same.ppf(0.83))
    assert np.allclose(dist.entropy(), same.entropy(), atol=1e-7)


@pytest.mark.filterwarnings("ignore:Do not use this model")
def test_the_entropy_of_many_counts(numbers):
    X, _ = numbers
    y = np.random.default_rng(4).poisson(3e6, len(X))
    settings = {**QUICK, "epochs": 2000, "learning_rate": 0.05, "validation": 0, "family": "poisson"}
    dist = probmix.ProbMixRegressor(**settings).fit(X, y).predict_dist(X[:3])
    assert (dist.mean() > 1e6).all()  # a sum over all counts would have more than 10,000 terms
    assert np.allclose(dist.entropy(), 0.5 * np.log(2 * np.pi * np.e * dist.mean()), atol=1e-4)


def test_several_targets(numbers):
    X, y = numbers
    both = np.stack([y, -y + X[:, 1]], axis=1)
    dist = probmix.ProbMixRegressor(**QUICK, family="gaussian-full").fit(X, both).predict_dist(X[:6])
    assert dist.shape == dist.mean().shape == dist.std().shape == (6, 2)
    assert dist.cdf(both[:6]).shape == (6, 2)
    assert dist.quantiles([0.1, 0.5, 0.9]).shape == (6, 2, 3)
    assert dist.sample(4).shape == (6, 4, 2)
    assert dist.logpdf(both[:6]).shape == (6,)
    assert dist[1].mean().shape == (2,)


def test_counts(numbers):
    X, _ = numbers
    y = np.random.default_rng(3).poisson(np.exp(0.5 * X[:, 0]))
    dist = probmix.ProbMixRegressor(**QUICK, family="poisson").fit(X, y).predict_dist(X[:5])
    p = dist.pdf(np.arange(60)[None])
    assert np.allclose(p.sum(axis=1), 1)
    assert np.allclose(-(p * np.log(p)).sum(axis=1), dist.entropy(), atol=1e-7)
    assert np.array_equal(dist.pdf(0.5), np.zeros(5))


def test_classes(classes):
    X, y = classes
    fitted = probmix.ProbMixClassifier(**QUICK).fit(X, y)
    dist = fitted.predict_dist(X)
    assert np.allclose(dist.probs.sum(axis=1), 1)
    assert np.array_equal(dist.mode(), fitted.predict(X))
    assert np.array_equal(dist.pmf("yes"), dist.probs[:, 2])
    assert np.allclose(dist.entropy(), -(dist.probs * np.log(dist.probs)).sum(axis=1))
    assert set(np.unique(dist.sample(20))) == set(fitted.classes_)
    assert dist[0].probs.shape == (3,)
    with pytest.raises(ValueError, match="'no way' is not one of the classes"):
        dist.pmf("no way")
    with pytest.raises(ValueError, match="classes have probabilities"):
        dist.mean()
