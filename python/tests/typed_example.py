"""Checked by mypy in test_types.py; never run."""

import numpy as np

import probmix
from probmix import _core, plot
from probmix.distributions import Distribution

X: np.ndarray = np.zeros((10, 2))
y: np.ndarray = np.zeros(10)
model: probmix.ProbMixRegressor = probmix.ProbMixRegressor(preset="fast", epochs=3).fit(X, y)
dist: Distribution = model.predict_dist(X)
row: Distribution = dist[3]
version: str = probmix.__version__
processors: int = _core.processors()
rows: int = _core.Table("name").rows
plot.fan(dist, levels=(0.5, 0.9))
