"""ProbMixRegressor as a regressor of skpro, whose predictions are distributions of skpro.

>>> from probmix.skpro import ProbMixRegressor
>>> ProbMixRegressor(preset="fast").fit(X, y).predict_proba(X_new).quantile([0.1, 0.9])   # doctest: +SKIP
"""

import numpy as np
import pandas as pd
from skpro.distributions.base import BaseDistribution
from skpro.regression.base import BaseProbaRegressor

from . import estimators
from ._parameters import TableParameters, with_parameters

__all__ = ["ProbMixDistribution", "ProbMixRegressor"]


class ProbMixDistribution(BaseDistribution):
    """The predictive densities of rows; with several targets, the density of each.

    distribution : probmix.Distribution
    targets : the positions of those of its targets that are columns here; None: all
    index, columns : as in skpro; without both, the distribution of a single number

    >>> from probmix.skpro import ProbMixDistribution
    >>> distribution = ProbMixDistribution.create_test_instance()
    >>> distribution.mean().shape
    (3, 1)
    """

    _tags = {
        "authors": ["probmix"],
        "capabilities:approx": ["energy", "pdfnorm"],
        "capabilities:exact": ["mean", "var", "pdf", "log_pdf", "pmf", "log_pmf", "cdf", "ppf"],
        "distr:measuretype": "continuous",
        "distr:paramtype": "nonparametric",
        "broadcast_init": "off",
    }

    def __init__(self, distribution, targets=None, index=None, columns=None):
        self.distribution = distribution
        self.targets = targets
        self._targets = [*range(self._densities.targets)] if targets is None else [*targets]
        if index is None and columns is not None:
            index = pd.RangeIndex(self._densities.rows)
        if columns is None and index is not None:
            columns = pd.RangeIndex(len(self._targets))
        super().__init__(index=index, columns=columns)
        if self._densities.is_discrete:
            self.set_tags(**{"distr:measuretype": "discrete"})
        elif self._densities.family.startswith("zero-inflated"):
            self.set_tags(**{"distr:measuretype": "mixed"})

    @property
    def _densities(self):
        return self.distribution._densities

    # ---- rows and columns

    def _iloc(self, rowidx=None, colidx=None):
        if isinstance(rowidx, (int, np.integer)) and isinstance(colidx, (int, np.integer)):
            return self._iat(rowidx, colidx)
        rows = np.arange(len(self.index)) if rowidx is None else np.atleast_1d(np.arange(len(self.index))[rowidx])
        columns = np.arange(len(self.columns)) if colidx is None else np.atleast_1d(np.arange(len(self.columns))[colidx])
        return type(self)(self.distribution[rows], [self._targets[k] for k in columns], self.index[rows], self.columns[columns])

    def _iat(self, rowidx=None, colidx=None):
        if rowidx is None or colidx is None:
            raise ValueError("iat needs a row and a column")
        return type(self)(self.distribution[int(rowidx)], [self._targets[int(colidx)]])

    # ---- values

    def _of_each(self, value):
        """value(target), a number for each row, as skpro wants it."""
        values = np.stack([value(k) for k in self._targets], axis=1)
        return values if self.ndim else values[0, 0]

    def _values_at(self, value, x):
        x = np.broadcast_to(np.asarray(x, dtype=np.float64), self.shape or (1, 1))
        places = {target: place for place, target in enumerate(self._targets)}
        return self._of_each(lambda k: value(k, np.ascontiguousarray(x[:, [places[k]]]))[:, 0])

    def _mean(self):
        return self._of_each(self._densities.mean)

    def _var(self):
        return self._of_each(self._densities.std) ** 2

    def _log_pdf(self, x):
        return self._values_at(self._densities.log_density, x)

    def _pdf(self, x):
        return np.exp(self._log_pdf(x))

    def _log_pmf(self, x):
        return self._log_pdf(x)

    def _pmf(self, x):
        return self._pdf(x)

    def _cdf(self, x):
        return self._values_at(self._densities.cdf, x)

    def _ppf(self, p):
        return self._values_at(self._densities.quantile, p)

    @classmethod
    def get_test_params(cls, parameter_set="default"):
        x = np.linspace(0, 1, 40)
        fitted = estimators.ProbMixRegressor(preset="fast", epochs=3, hidden=[4], random_state=1, n_jobs=1)
        fitted.fit(x[:, None], x + x**2)
        density = fitted.predict_dist(x[:3, None])
        return [{"distribution": density, "index": pd.RangeIndex(3), "columns": pd.Index(["y"])},
                {"distribution": density[0]}]


@with_parameters
class ProbMixRegressor(TableParameters, BaseProbaRegressor):
    """Predictive densities of numbers, from networks trained by probabilistic mixup.

    `estimator_` is the fitted probmix.ProbMixRegressor.

    >>> import numpy as np
    >>> from probmix.skpro import ProbMixRegressor
    >>> x = np.linspace(0, 1, 40)
    >>> model = ProbMixRegressor(preset="fast", epochs=3, random_state=1).fit(x[:, None], x + x**2)
    >>> model.predict_proba(x[:5, None]).shape
    (5, 1)

    {parameters}
    """

    _tags = {
        "authors": ["probmix"],
        "capability:multioutput": True,
        "capability:missing": True,
        "X_inner_mtype": "pd_DataFrame_Table",
        "y_inner_mtype": "pd_DataFrame_Table",
    }

    def _fit(self, X, y):
        self._columns = y.columns
        values = y.to_numpy()
        self.estimator_ = estimators.ProbMixRegressor(**self.get_params(deep=False))
        self.estimator_.fit(_named(X), values[:, 0] if values.shape[1] == 1 else values)
        return self

    def _predict_proba(self, X):
        return ProbMixDistribution(self.estimator_.predict_dist(_named(X)), index=X.index, columns=self._columns)

    @classmethod
    def get_test_params(cls, parameter_set="default"):
        quick = {"preset": "fast", "epochs": 5, "hidden": [8], "random_state": 1}
        return [quick, {**quick, "method": "erm", "family": "student-t"}]


def _named(X):
    """With text as the names of all columns, which may be numbers too in skpro."""
    return X.set_axis(X.columns.astype(str), axis=1)
