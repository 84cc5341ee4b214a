# %% [markdown]
# # An entry for ScoringBench
#
# [ScoringBench](https://github.com/jonaslandsgesell/ScoringBench) judges tabular regression by proper scoring rules. An
# entry is a class with `fit`, `predict` and `predict_distribution`. This one follows
# `scoringbench/univariate/wrappers/base.py` as of autumn 2026: it inherits `ProbabilisticWrapper`, notes the range of
# the training targets, and returns a `DistributionPrediction` made from quantiles. To enter, copy it into that folder
# and add it to `scoringbench/univariate/models.py`. If ScoringBench is not installed, stand-ins with the same fields
# take its place here.

# %%
import pathlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

import probmix

try:
    from scoringbench.univariate.wrappers.base import DistributionPrediction, ProbabilisticWrapper
except ImportError:

    @dataclass
    class DistributionPrediction:
        """Histograms: probas (rows, bins), bin_edges (rows, bins + 1), bin_midpoints (rows, bins), mean (rows,)."""

        probas: np.ndarray
        bin_edges: np.ndarray
        bin_midpoints: np.ndarray
        mean: np.ndarray
        train_range: tuple[float, float]

        @classmethod
        def from_multi_quantile(cls, q, alphas, mean=None, *, train_range):
            probas = np.broadcast_to(np.diff(alphas) / (alphas[-1] - alphas[0]), (len(q), len(alphas) - 1))
            return cls(probas, q, (q[:, :-1] + q[:, 1:]) / 2, mean, train_range)

    class ProbabilisticWrapper:
        def _set_train_range(self, y):
            self._y_train_range = float(np.min(y)), float(np.max(y))


# %% [markdown]
# The tails get levels of their own: scores that look there need more than percentiles.

# %%
TAIL = np.array([1e-5, 1e-4, 1e-3, 2e-3])
LEVELS = np.concatenate([TAIL, np.linspace(0.005, 0.995, 199), 1 - TAIL[::-1]])


class ProbMixWrapper(ProbabilisticWrapper):
    """ProbMix for ScoringBench; the parameters are those of `probmix.ProbMixRegressor`."""

    def __init__(self, **parameters):
        self.parameters = parameters

    def fit(self, X, y):
        y = np.asarray(y, dtype=np.float64).reshape(-1)
        known = np.isfinite(y)
        X, y = self._table(X)[known], y[known]
        self._set_train_range(y)
        self.model_ = probmix.ProbMixRegressor(**self.parameters).fit(X, y)
        return self

    def predict(self, X):
        return self.model_.predict(self._table(X))

    def predict_distribution(self, X):
        densities = self.model_.predict_dist(self._table(X))
        return DistributionPrediction.from_multi_quantile(densities.quantiles(LEVELS), LEVELS, densities.mean(),
                                                          train_range=self._y_train_range)

    @staticmethod
    def _table(X):
        """Numbers, text and missing values as they are; infinite numbers, which probmix refuses, become missing."""
        return pd.DataFrame(X).rename(columns=str).replace([np.inf, -np.inf], np.nan)


# %%
if __name__ == "__main__":
    TABLES = pathlib.Path(globals().get("__file__", "notebook")).parent / ".."
    rides = pd.read_csv(TABLES / "rides.csv").drop(columns=["ride", "city"])
    train, test = rides[:600], rides[600:]
    model = ProbMixWrapper(preset="fast", random_state=1).fit(train.drop(columns="minutes"), train["minutes"])
    predicted = model.predict_distribution(test.drop(columns="minutes"))
    below = predicted.bin_edges[:, 1:] <= test["minutes"].to_numpy()[:, None]
    u = (predicted.probas * below).sum(axis=1)
    print(f"{len(u)} histograms of {predicted.probas.shape[1]} bins; cdf(y) has the mean {u.mean():.2f} and the deviation "
          f"{u.std():.2f}, 0.50 and 0.29 if calibrated")
