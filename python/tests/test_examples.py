"""The examples run as scripts, without a warning, and say what they should."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

pytest.importorskip("pandas")
pytest.importorskip("sklearn")
EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))
NEEDS = {"optuna_search": "optuna", "own_network": "torch"}


def test_there_are_examples():
    assert {path.stem for path in EXAMPLES} >= {"own_data", "series", "comparing", "calibration", "scoringbench_wrapper", *NEEDS}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path, tmp_path):
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem])
    package = pathlib.Path(importlib.util.find_spec("probmix").origin).parents[1]
    # torch and optuna warn of their own accord.
    strict = [] if path.stem in NEEDS else ["-W", "error"]
    ran = subprocess.run([sys.executable, *strict, path], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(package)},
                         capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
    assert not list(tmp_path.iterdir())  # nothing is left behind


def test_the_entry_for_scoringbench(numbers):
    spec = importlib.util.spec_from_file_location("entry", ROOT / "examples" / "python" / "scoringbench_wrapper.py")
    entry = importlib.util.module_from_spec(spec)
    sys.modules["entry"] = entry
    spec.loader.exec_module(entry)
    X, y = np.array(numbers[0]), np.array(numbers[1])
    X[3, 0], y[5] = np.inf, np.nan
    model = entry.ProbMixWrapper(preset="fast", epochs=30, random_state=1)
    assert model.fit(X, y) is model
    assert np.isfinite(model.predict(X)).all()
    predicted = model.predict_distribution(X)
    assert predicted.train_range == (np.nanmin(y), np.nanmax(y))
    assert np.allclose(predicted.probas.sum(axis=1), 1)
    assert (np.diff(predicted.bin_edges, axis=1) > 0).all()
    assert np.allclose(predicted.mean, model.predict(X))
    # CRPS of the histograms, as the integral of (F(t) − 1[t >= y])² along their edges, beside that of the densities.
    dist = model.model_.predict_dist(model._table(X))
    at = np.linspace(-15, 15, 6001)
    for row in (0, 3, 50):
        cdf = np.interp(at, predicted.bin_edges[row], np.append(0, predicted.probas[row].cumsum()))
        crps = ((cdf - (at >= 0.5)) ** 2).sum() * (at[1] - at[0])
        assert crps == pytest.approx(dist[row].crps(0.5), rel=0.01)
