"""Calibrated conditional densities for tables and time series, by probabilistic mixup.

>>> import numpy as np
>>> import probmix
>>> generator = np.random.default_rng(1)
>>> X = generator.uniform(-3, 3, size=(200, 2))
>>> y = np.sin(X[:, 0]) + 0.1 * (1 + np.abs(X[:, 1])) * generator.normal(size=200)
>>> model = probmix.ProbMixRegressor(preset="fast").fit(X, y)
>>> density = model.predict_dist(X)
>>> low, high = density.interval(0.9)

The import needs numpy alone; everything else is loaded when it is first used.
"""

import importlib
from typing import TYPE_CHECKING

from ._core import Diverged, Error, UsageError
from ._core import version as _version

if TYPE_CHECKING:
    from .distributions import ClassDistribution, Distribution
    from .estimators import FitWarning, ProbMixClassifier, ProbMixRegressor, load
    from .forecaster import ProbMixForecaster
    from .mixing import draw_lambda, draw_pairs, fuse_targets, risk

__version__ = _version()

# Where each name is, so that `import probmix` loads none of them.
_HOME = {
    "ProbMixRegressor": "estimators",
    "ProbMixClassifier": "estimators",
    "ProbMixForecaster": "forecaster",
    "FitWarning": "estimators",
    "load": "estimators",
    "Distribution": "distributions",
    "ClassDistribution": "distributions",
    "draw_pairs": "mixing",
    "draw_lambda": "mixing",
    "fuse_targets": "mixing",
    "risk": "mixing",
}
_MODULES = ("jax", "mixing", "plot", "skpro", "torch")

__all__ = ["Diverged", "Error", "UsageError", "__version__", *_HOME]


def __getattr__(name):
    if name in _HOME:
        value = getattr(importlib.import_module(f"probmix.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module(f"probmix.{name}")
    raise AttributeError(f"module 'probmix' has no attribute '{name}'")


def __dir__():
    return sorted({*globals(), *__all__})
