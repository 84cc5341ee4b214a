"""Whatever is given, there is a result or an exception of Python, and the interpreter lives."""

import numpy as np
import pytest
from conftest import QUICK

import probmix
from probmix import risk

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from hypothesis.extra import numpy as arrays  # noqa: E402

REFUSED = (ValueError, TypeError)
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
TYPES = st.one_of(arrays.scalar_dtypes(), arrays.unicode_string_dtypes(max_len=3), arrays.byte_string_dtypes(max_len=3),
                  st.just(np.dtype(object)))
SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=12)
FLOATS = st.one_of(st.floats(width=64), st.sampled_from([0.0, -0.0, 1e308, -1e308, 5e-324, np.nan, np.inf, -np.inf]))


@st.composite
def strided(draw):
    """An array of any type and shape, perhaps a strided or frozen view."""
    array = draw(arrays.arrays(draw(TYPES.filter(lambda t: t.kind not in "O")), draw(SHAPES)))
    if array.ndim and draw(st.booleans()):
        array = array[::draw(st.sampled_from([-1, 2, -3]))]
    if draw(st.booleans()):
        array = array.T
    array.flags.writeable = draw(st.booleans()) and array.flags.writeable
    return array


@pytest.fixture(scope="module")
def fitted(numbers):
    return probmix.ProbMixRegressor(**QUICK).fit(*numbers)


@FEW
@given(X=strided(), y=strided())
def test_fit_survives_any_arrays(X, y):
    estimator = probmix.ProbMixRegressor(preset="fast", epochs=2, hidden=[4, 4])
    try:
        estimator.fit(X, y)
    except REFUSED:
        return
    assert estimator.predict(X).shape[0] == len(X)


@FEW
@given(X=arrays.arrays(np.float64, st.tuples(st.integers(4, 12), st.integers(1, 3)), elements=FLOATS),
       y=st.lists(FLOATS, min_size=4, max_size=12), weight=st.none() | st.lists(FLOATS, min_size=4, max_size=12))
def test_fit_survives_any_numbers(X, y, weight):
    estimator = probmix.ProbMixRegressor(preset="fast", epochs=2, hidden=[4, 4])
    try:
        estimator.fit(X, y[:len(X)], weight)
    except REFUSED:
        return
    assert np.isfinite(estimator.predict(X)).all()


@FEW
@given(X=strided())
def test_predict_survives_any_arrays(fitted, X):
    try:
        mean = fitted.predict(X)
    except REFUSED:
        return
    assert mean.shape == (len(X),) and np.isfinite(mean).all()


@FEW
@given(X=arrays.arrays(np.float64, (3, 3), elements=st.floats(-1e308, 1e308)), y=FLOATS, u=FLOATS)
def test_densities_survive_any_numbers(fitted, X, y, u):
    dist = fitted.predict_dist(X)
    assert not np.isnan(dist.mean()).any()
    if not np.isnan(y):
        assert ((dist.cdf(y) >= 0) & (dist.cdf(y) <= 1)).all()
        assert not np.isnan(dist.pdf(y)).any()
    assert dist.ppf(u).shape == (3,)


@FEW
@given(outputs=strided(), y=strided(), partner=strided(), lam=strided())
def test_the_risk_survives_any_arrays(outputs, y, partner, lam):
    try:
        loss, gradient = risk(outputs, y, partner, lam)
    except REFUSED:
        return
    assert gradient.shape == outputs.shape


@pytest.mark.parametrize("arguments", [(None, None), ("a", "b"), ([[]], []), ([[1, 2], [3]], [1, 2]), (object(), [1]),
                                       ([[1]], None), ({"a": [1]}, [1]), ([[1]] * 3, [[[1]]] * 3)])
def test_what_is_no_data(arguments):
    with pytest.raises(REFUSED):
        probmix.ProbMixRegressor(**QUICK).fit(*arguments)


def test_an_unfitted_estimator(numbers):
    for estimator in (probmix.ProbMixRegressor(), probmix.ProbMixClassifier()):
        with pytest.raises(ValueError, match="not fitted"):
            estimator.predict(numbers[0])
        with pytest.raises(ValueError, match="not fitted"):
            estimator.save("nowhere")


def test_broken_pickles(fitted):
    from probmix import _core

    good = fitted.model_.to_bytes()
    for bad in (b"", good[:100], good[:-1], b"\xff" * 64, good[:50] + b"\x00" + good[51:]):
        with pytest.raises(ValueError):
            _core.parse_model(bad)


@pytest.mark.parametrize("values", [[1j] * 6, ["1"] * 6, np.zeros(6, "datetime64[ns]"), np.zeros(6, complex)])
def test_what_numpy_would_quietly_make_numbers_of(fitted, numbers, values):
    dist = fitted.predict_dist(numbers[0][:6])
    for function in (dist.pdf, dist.cdf, dist.crps, dist.ppf, dist.quantiles):
        with pytest.raises(TypeError, match="must be real numbers"):
            function(values)
    out = np.zeros((6, 2))
    for arguments in ((out, values), (out, np.zeros(6), np.arange(6), values), (np.zeros((6, 2), complex), np.zeros(6))):
        with pytest.raises(TypeError, match="must be real numbers"):
            risk(*arguments)
    with pytest.raises(TypeError, match="must be real numbers"):
        risk(out, np.zeros(6), weight=values)


OBJECTS = st.one_of(st.none(), st.booleans(), FLOATS, st.integers(-2**70, 2**70), st.text(max_size=3), st.binary(max_size=2),
                    st.dates(), st.lists(st.integers(), max_size=2), st.complex_numbers(max_magnitude=1))


@FEW
@given(X=arrays.arrays(object, st.tuples(st.integers(0, 9), st.integers(0, 3)), elements=OBJECTS),
       y=arrays.arrays(object, st.integers(0, 9), elements=OBJECTS))
def test_objects_of_any_kind(X, y):
    for estimator in (probmix.ProbMixRegressor, probmix.ProbMixClassifier):
        model = estimator(preset="fast", epochs=2, hidden=[4, 4])
        try:
            model.fit(X, y)
        except REFUSED:
            continue
        assert len(model.predict(X)) == len(X)


@FEW
@given(X=strided(), y=strided())
def test_a_classifier_survives_any_arrays(X, y):
    model = probmix.ProbMixClassifier(preset="fast", epochs=2, hidden=[4, 4])
    try:
        model.fit(X, y)
    except REFUSED:
        return
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)


@FEW
@given(X=strided())
def test_a_forecaster_survives_any_arrays(X):
    model = probmix.ProbMixForecaster(window=2, horizon=1, preset="fast", epochs=2, hidden=[4, 4])
    try:
        model.fit(X)
        mean = model.predict(X)
    except REFUSED:
        return
    assert np.isfinite(mean).all()


@FEW
@given(y=strided(), q=strided())
def test_densities_survive_any_arrays(fitted, numbers, y, q):
    dist = fitted.predict_dist(numbers[0][:6])
    for function, argument in ((dist.pdf, y), (dist.cdf, y), (dist.crps, y), (dist.ppf, q), (dist.quantiles, q), (dist.interval, q)):
        try:
            function(argument)
        except REFUSED:
            continue


def forms(values):
    """The same numbers in another layout, type of memory or order."""
    wide = np.zeros((2 * values.shape[0], *values.shape[1:]), values.dtype)
    wide[::2] = values
    frozen = values.copy()
    frozen.flags.writeable = False
    shifted = np.frombuffer(b"x" + values.tobytes(), np.uint8)[1:].view(values.dtype).reshape(values.shape)  # not aligned
    return {"columns first": np.asfortranarray(values), "strided": wide[::2], "backwards": values[::-1].copy()[::-1],
            "frozen": frozen, "not aligned": shifted, "other byte order": values.astype(values.dtype.newbyteorder()),
            "a list": values.tolist(), "objects": values.astype(object)}


@pytest.mark.parametrize("form", forms(np.zeros((1, 1))))
def test_the_layout_changes_no_bit(fitted, numbers, form):
    X, y = numbers
    again = probmix.ProbMixRegressor(**QUICK).fit(forms(X)[form], forms(y)[form])
    assert again.model_.to_bytes() == fitted.model_.to_bytes()
    assert np.array_equal(fitted.predict(forms(X)[form]), fitted.predict(X))


def test_inputs_are_not_written_to(numbers):
    X, y = (np.array(values) for values in numbers)
    before = X.tobytes(), y.tobytes()
    model = probmix.ProbMixRegressor(**QUICK).fit(X, y)
    model.predict_dist(X).crps(y)
    assert (X.tobytes(), y.tobytes()) == before


@pytest.mark.parametrize(("X", "kind"), [(np.empty((0, 3)), ValueError), (np.empty((5, 0)), ValueError), (np.zeros((3, 2)), ValueError),
                                         (np.zeros((2, 2, 3)), ValueError), (np.full((2, 3), np.inf), ValueError),
                                         (np.zeros((2, 3), complex), ValueError), (None, REFUSED), (3.0, REFUSED)])
def test_rows_to_predict_that_are_refused(fitted, X, kind):
    with pytest.raises(kind):
        fitted.predict(X)


def test_scikit_learns_own_error_if_nothing_is_fitted(numbers):
    exceptions = pytest.importorskip("sklearn.exceptions")
    for estimator in (probmix.ProbMixRegressor(), probmix.ProbMixClassifier(), probmix.ProbMixForecaster()):
        for method in ("predict", "predict_dist", "sample"):
            with pytest.raises(exceptions.NotFittedError):
                getattr(estimator, method)(numbers[0])
        with pytest.raises(exceptions.NotFittedError):
            estimator.save("nowhere")


def test_threads_that_share_a_fitted_model(fitted, numbers):
    from concurrent.futures import ThreadPoolExecutor

    expected = fitted.predict_dist(numbers[0]).crps(0.5)
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda _: fitted.predict_dist(numbers[0]).crps(0.5), range(16))]
    assert all(np.array_equal(values, expected) for values in found)
