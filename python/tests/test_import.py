"""What an import loads, and how long that takes."""

import subprocess
import sys


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_it_loads_numpy_alone():
    heavy = "{'sklearn', 'pandas', 'torch', 'jax', 'polars', 'pyarrow', 'scipy', 'tqdm', 'matplotlib'}"
    assert run(f"import sys, probmix; print({heavy} & set(sys.modules))") == "set()\n"


def test_it_is_quick():
    def cpu_seconds():
        return float(run("import time, numpy; t = time.process_time(); import probmix; print(time.process_time() - t)"))

    assert min(cpu_seconds() for _ in range(5)) < 0.1


def test_the_estimators_do_without_scikit_learn():
    run("""
import sys
sys.modules["sklearn"] = None  # an import of it fails
import numpy as np, probmix
X = np.linspace(0, 1, 60).reshape(-1, 1)
model = probmix.ProbMixRegressor(preset="fast", epochs=3)
try:
    model.predict(X)
except ValueError as error:
    assert "not fitted" in str(error)
model.fit(X, X[:, 0] + 1.5)
assert model.predict(X).shape == (60,)
assert model.get_params()["epochs"] == 3
assert model.score(X, X[:, 0]) < 1
""")


def test_version():
    import probmix

    assert probmix.__version__.count(".") == 2
    assert "ProbMixRegressor" in dir(probmix)
