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
