"""The estimators as scikit-learn and people use them."""

import pickle
import signal
import threading
import warnings

import numpy as np
import pytest
from conftest import QUICK

import probmix
from probmix._progress import Progress

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

WEIGHTS = "A row of weight 2 is not two rows: batches, λ and partners are drawn by row."
EXPECTED = {"check_sample_weight_equivalence_on_dense_data": WEIGHTS, "check_sample_weight_equivalence_on_sparse_data": WEIGHTS}
CHECKED = [probmix.ProbMixRegressor(preset="fast", epochs=40, batch=32, learning_rate=0.02),
           probmix.ProbMixClassifier(preset="fast", epochs=40, batch=32, learning_rate=0.02)]


@parametrize_with_checks(CHECKED, expected_failed_checks=lambda estimator: EXPECTED)
def test_scikit_learns_own_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", probmix.FitWarning)
        check(estimator)


def test_predictions_agree_with_each_other(numbers):
    X, y = numbers
    fitted = probmix.ProbMixRegressor(**QUICK).fit(X, y)
    dist = fitted.predict_dist(X)
    mean, std = fitted.predict(X, return_std=True)
    assert np.array_equal(mean, dist.mean()) and np.array_equal(std, dist.std())
    assert np.array_equal(fitted.predict(X), mean)
    assert np.allclose(fitted.predict_quantiles(X, [0.05, 0.95]), fitted.predict_interval(X, 0.9))
    assert fitted.log_likelihood(X, y) == pytest.approx(dist.logpdf(y).mean())
    assert fitted.score(X, y) > 0.5
    assert np.array_equal(fitted.sample(X, 3), dist.sample(3))


def test_clone_and_pickle(numbers):
    X, y = numbers
    fitted = probmix.ProbMixRegressor(**QUICK, alpha=0.2).fit(X, y)
    copy = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(copy.predict_dist(X).logpdf(y), fitted.predict_dist(X).logpdf(y))
    again = clone(fitted).fit(X, y)
    assert again.model_.to_bytes() == fitted.model_.to_bytes()


def test_search_pipeline_and_cross_validation(numbers):
    X, y = numbers
    search = GridSearchCV(probmix.ProbMixRegressor(**QUICK), {"alpha": [0.1, 1.0]}, cv=2).fit(X, y)
    assert search.best_params_["alpha"] in (0.1, 1.0)
    pipeline = make_pipeline(StandardScaler(), probmix.ProbMixRegressor(**QUICK))
    assert cross_val_score(pipeline, X, y, cv=2).mean() > 0.3


def test_a_pipeline_that_hands_on_data_frames(numbers):
    pandas = pytest.importorskip("pandas")
    X, y = numbers
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    pipeline = make_pipeline(StandardScaler(), probmix.ProbMixRegressor(**QUICK)).set_output(transform="pandas").fit(frame, y)
    assert pipeline[-1].feature_names_in_.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        pipeline.predict(frame.rename(columns={"a": "z"}))


def test_processes_and_threads_give_the_same_bits(numbers):
    joblib = pytest.importorskip("joblib")
    X, y = numbers
    alone = [_fit(X, y, seed) for seed in (1, 2)]
    assert alone[0] != alone[1]
    assert joblib.Parallel(n_jobs=2)(joblib.delayed(_fit)(X, y, seed) for seed in (1, 2)) == alone
    found = [None, None]

    def fit(k):
        found[k] = _fit(X, y, k + 1)

    threads = [threading.Thread(target=fit, args=(k,)) for k in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def _fit(X, y, seed):
    return probmix.ProbMixRegressor(**QUICK, random_state=seed, n_jobs=2).fit(X, y).model_.to_bytes()


def test_metadata_routing(numbers):
    X, y = numbers
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = probmix.ProbMixRegressor(**QUICK).set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        search = GridSearchCV(estimator, {"alpha": [0.1]}, cv=2).fit(X, y, sample_weight=np.ones(len(y)))
    assert hasattr(search, "best_estimator_")


def test_weights_groups_and_rows_for_validation(numbers):
    X, y = numbers
    plain = probmix.ProbMixRegressor(**QUICK).fit(X, y).predict(X)
    weighted = probmix.ProbMixRegressor(**QUICK).fit(X, y, np.where(y > 0, 5, 1)).predict(X)
    assert weighted.mean() > plain.mean()
    grouped = probmix.ProbMixRegressor(**QUICK).fit(X, y, groups=np.repeat(["a", "b", "c", "d"], 50))
    assert not np.array_equal(grouped.predict(X), plain)
    held = probmix.ProbMixRegressor(**QUICK).fit(X[:150], y[:150], eval_set=(X[150:], y[150:]))
    assert not np.array_equal(held.predict(X), plain)
    with pytest.raises(ValueError, match="eval_set must be a pair"):
        probmix.ProbMixRegressor(**QUICK).fit(X, y, eval_set=X)
    with pytest.raises(ValueError, match="the weight is -1"):
        probmix.ProbMixRegressor(**QUICK).fit(X, y, np.full(200, -1))


def test_columns_of_every_kind():
    pandas = pytest.importorskip("pandas")
    generator = np.random.default_rng(5)
    frame = pandas.DataFrame({
        "town": generator.choice(["Gent", "Lier", None], 150), "rooms": generator.integers(1, 6, 150).astype(float),
        "kind": pandas.Categorical(generator.choice(["flat", "house"], 150)),
        "sold": pandas.Timestamp("2024-01-01") + pandas.to_timedelta(generator.integers(0, 300, 150), unit="D")})
    frame.loc[::7, "rooms"] = np.nan
    y = pandas.Series(50 * frame["rooms"].fillna(2) + 100 * (frame["kind"] == "house") + generator.normal(size=150), name="price")
    fitted = probmix.ProbMixRegressor(**QUICK).fit(frame, y)
    by_name = probmix.ProbMixRegressor(**QUICK).fit(frame.assign(y=y), "y")
    assert np.array_equal(fitted.predict(frame), by_name.predict(frame.assign(y=0)))
    assert fitted.score(frame, y) > 0.5
    polars = pytest.importorskip("polars")
    same = polars.DataFrame({"town": [town if isinstance(town, str) else None for town in frame["town"]], "rooms": polars.Series(frame["rooms"].to_list(), nan_to_null=True),
                             "kind": polars.Series(frame["kind"].to_list(), dtype=polars.Categorical),
                             "sold": frame["sold"].to_list()})
    assert np.array_equal(probmix.ProbMixRegressor(**QUICK).fit(same, y.to_numpy()).predict(same), fitted.predict(frame))


def test_class_labels_of_any_type(classes):
    X, y = classes
    numbered = np.searchsorted(["no", "perhaps", "yes"], y)
    for labels in (np.array([10, 9, 100]), np.array([-1.0, 0.0, 2.5])[[0, 1, 1]] * 2, np.array(["b", "a", "ü"], dtype=object)):
        fitted = probmix.ProbMixClassifier(**QUICK).fit(X, labels[numbered])
        assert fitted.classes_.tolist() == sorted(set(labels.tolist()))
        assert np.mean(fitted.predict(X) == labels[numbered]) > 0.7
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        probmix.ProbMixClassifier(**QUICK).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="greater than one"):
        probmix.ProbMixClassifier(**QUICK).fit(X, np.ones(200))


def test_a_regressor_takes_two_numbers_as_numbers(numbers):
    X, y = numbers
    assert probmix.ProbMixRegressor(**QUICK).fit(X, y > 0).model_.family == "gaussian"


def test_messages_name_parameters(numbers):
    with pytest.raises(probmix.UsageError, match="learning_rate must be a number greater than 0, not -1"):
        probmix.ProbMixRegressor(learning_rate=-1).fit(*numbers)
    with pytest.raises(probmix.UsageError, match="random_state must be a whole number"):
        probmix.ProbMixRegressor(random_state="a").fit(*numbers)
    with pytest.raises(ValueError, match="accepted: erm"):
        probmix.ProbMixRegressor(method="mixup").fit(*numbers)
    with pytest.raises(TypeError, match="epochs must be a number"):
        probmix.ProbMixRegressor(epochs={}).fit(*numbers)


def test_an_interrupt_leaves_a_fitted_estimator(numbers, monkeypatch):
    X, y = numbers

    # From within the training: a signal of a timer could arrive after it, in another test.
    def interrupt(self, done, of):
        if done < of:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "show", interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored in the background
    try:
        estimator = probmix.ProbMixRegressor(**{**QUICK, "epochs": 100_000, "patience": 0})
        with pytest.raises(KeyboardInterrupt):
            estimator.fit(X, y)
    finally:
        signal.signal(signal.SIGINT, before)
    assert 0 < estimator.n_epochs_ < 100_000
    assert np.isfinite(estimator.predict(X)).all()


def test_the_interpreter_is_free_while_training(numbers):
    ticks = 0
    done = threading.Event()

    def count():
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    try:
        probmix.ProbMixRegressor(**{**QUICK, "epochs": 10000, "patience": 0}).fit(*numbers)
    finally:
        done.set()
    thread.join()
    assert ticks > 5


def test_series():
    pandas = pytest.importorskip("pandas")
    t = np.arange(300)
    wave = np.sin(t / 5) + 0.1 * np.random.default_rng(6).normal(size=300)
    settings = {"preset": "fast", "epochs": 60, "hidden": [16], "window": 10, "horizon": 2}
    alone = probmix.ProbMixForecaster(**settings).fit(wave)
    assert np.array_equal(alone.origins(wave), t[9:])
    mean = alone.predict(wave)
    assert np.corrcoef(mean[:-2], wave[11:])[0, 1] > 0.8
    assert alone.predict_interval(wave[-10:]).shape == (1, 2)
    table = pandas.DataFrame({"day": pandas.date_range("2024-01-01", periods=300), "y": wave})
    dated = probmix.ProbMixForecaster(**settings, time="day").fit(table, "y")
    assert np.corrcoef(dated.predict(table)[:-2], wave[11:])[0, 1] > 0.8
    with pytest.raises(ValueError, match="give horizon"):
        probmix.ProbMixForecaster().fit(wave)
    with pytest.raises(ValueError, match="consecutive rows|no group|window"):
        alone.predict(wave[:5])


def test_files(numbers, classes, tmp_path):
    X, y = numbers
    fitted = probmix.ProbMixRegressor(**QUICK).fit(X, y)
    fitted.save(tmp_path / "m.safetensors")
    loaded = probmix.load(tmp_path / "m.safetensors")
    assert isinstance(loaded, probmix.ProbMixRegressor)
    assert np.array_equal(loaded.predict(X), fitted.predict(X))
    X, y = classes
    fitted = probmix.ProbMixClassifier(**QUICK).fit(X, y)
    fitted.save(tmp_path / "c.safetensors")
    assert np.array_equal(probmix.load(tmp_path / "c.safetensors").predict_proba(X), fitted.predict_proba(X))
    (tmp_path / "broken").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="broken"):
        probmix.load(tmp_path / "broken")
    with pytest.raises(ValueError, match="nowhere"):
        probmix.load(tmp_path / "nowhere")
