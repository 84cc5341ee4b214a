"""The pictures: what is drawn has the numbers of the densities."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import probmix

from conftest import QUICK

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from probmix import plot  # noqa: E402


@pytest.fixture(scope="module")
def model(numbers):
    return probmix.ProbMixRegressor(**QUICK).fit(*numbers)


@pytest.fixture(scope="module")
def counts(numbers):
    X, _ = numbers
    y = np.random.default_rng(4).poisson(np.exp(0.5 * X[:, 0]))
    return X, y, probmix.ProbMixRegressor(**QUICK, family="poisson").fit(X, y)


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_calibration_is_a_histogram_of_the_pit(model, numbers):
    X, y = numbers
    dist = model.predict_dist(X)
    ax = plot.calibration(dist, y, bins=8)
    heights = [bar.get_height() for bar in ax.containers[0]]
    assert heights == pytest.approx(np.histogram(dist.cdf(y), bins=8, range=(0, 1))[0] / len(y) * 8, abs=1e-6)


def test_the_pit_of_counts_is_uniform(counts):
    X, _, model = counts
    dist = model.predict_dist(np.tile(X, (20, 1)))
    drawn = plot._pit(dist, dist.sample(1, random_state=1)[:, 0])
    # 4000 independent draws: the largest gap exceeds 0.031 in one of a thousand seeds.
    assert np.abs(np.sort(drawn) - np.linspace(0, 1, len(drawn))).max() < 0.031


def test_reliability_and_coverage(model, numbers):
    X, y = numbers
    dist = model.predict_dist(X)
    observed = plot.reliability(dist, y).lines[-1]
    assert np.interp(0.5, *observed.get_data()) == pytest.approx((dist.cdf(y) <= 0.5).mean())
    points = plot.coverage(dist, y, levels=[0.5, 0.9]).containers[0][0]
    low, high = dist.interval(0.9)
    assert points.get_ydata()[1] == pytest.approx(((low <= y) & (y <= high)).mean())


def test_bands_run_over_one_input(model, numbers):
    X, y = numbers
    ax = plot.bands(model, X, 1, y=y, values=[-1, 0, 1], levels=[0.9])
    median = next(line for line in ax.lines if line.get_label() == "median")
    middle = X[np.argmin(np.abs(X[:, 1] - np.median(X[:, 1])))]
    rows = np.repeat(middle[None], 3, axis=0)
    rows[:, 1] = [-1, 0, 1]
    assert median.get_ydata() == pytest.approx(model.predict_dist(rows).median())


def test_bands_of_data_frames(numbers):
    X, y = numbers
    frame = pd.DataFrame(X, columns=[r"$\nonsense$", "b", "c"]).assign(g=np.where(X[:, 1] > 0, "u", "v"))
    model = probmix.ProbMixRegressor(**QUICK).fit(frame, y)
    drawn = [plot.bands(model, frame, r"$\nonsense$")]
    polars = pytest.importorskip("polars")
    drawn.append(plot.bands(model, polars.from_pandas(frame), r"$\nonsense$"))
    first, second = (ax.lines[0].get_ydata() for ax in drawn)
    assert first == pytest.approx(second)
    drawn[0].figure.canvas.draw()  # as mathematics, the name would be an error


def test_densities(model, counts, numbers):
    dist = model.predict_dist(numbers[0][:3])
    ax = plot.densities(dist, [0.0, 1.0, 2.0], labels=[r"$\nonsense$", "b", "c"])
    x, height = ax.lines[0].get_data()
    assert height == pytest.approx(dist[0].pdf(x))
    assert np.trapezoid(height, x) == pytest.approx(1, abs=0.02)
    x, height = plot.densities(counts[2].predict_dist(counts[0][:1])).lines[0].get_data()
    assert np.all(x == np.round(x)) and height.sum() == pytest.approx(1, abs=0.01)
    plot.densities(dist[0])
    ax.figure.canvas.draw()


def test_fan(model, numbers):
    X, y = numbers
    dist = model.predict_dist(X[:10])
    ax = plot.fan(dist, y[:10], history=y[10:30], levels=(0.5, 0.9))
    history, observed_or_median = ax.lines[0], ax.lines[1]
    assert history.get_xdata().tolist() == list(range(-20, 0))
    assert observed_or_median.get_ydata() == pytest.approx(dist.median())
    assert len(ax.collections) == 2
    days = np.datetime64("2024-01-01") + np.arange(10).astype("timedelta64[D]")
    plot.fan(dist, x=days).figure.canvas.draw()


def test_what_does_not_fit_is_refused(model, numbers, classes):
    X, y = numbers
    dist = model.predict_dist(X)
    with pytest.raises(ValueError, match="shape"):
        plot.calibration(dist, y[:5])
    with pytest.raises(ValueError, match="choose rows"):
        plot.densities(dist)
    with pytest.raises(ValueError, match="no column"):
        plot.bands(model, X, "x9")
    with pytest.raises(ValueError, match="levels"):
        plot.fan(dist, levels=[50])
    with pytest.raises(ValueError, match="one number"):
        plot.calibration(probmix.ProbMixClassifier(**QUICK).fit(*classes).predict_dist(classes[0]), y)


def test_it_draws_into_given_axes(model, numbers):
    _, ax = plt.subplots()
    assert plot.fan(model.predict_dist(numbers[0][:5]), ax=ax) is ax


def test_without_matplotlib_it_says_what_to_install():
    code = ("import sys; sys.modules['matplotlib'] = None\nimport probmix.plot\n"
            "try: probmix.plot._axes(None)\nexcept ImportError as error: print(error)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install matplotlib" in done.stdout
