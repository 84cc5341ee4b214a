"""Regression and classification by predictive densities, in the manner of scikit-learn."""

import numpy as np

from . import _core
from ._base import DensityEstimator, FitWarning, free_name
from ._parameters import TableParameters, with_parameters
from ._tables import add_column, level_text, numbers_of, read_response
from .distributions import ClassDistribution

try:
    from sklearn.base import ClassifierMixin, RegressorMixin
except ImportError:

    class RegressorMixin:
        """score() as in scikit-learn."""

        _estimator_type = "regressor"

        def score(self, X, y, sample_weight=None):
            """R² of the predictive mean."""
            y = np.asarray(y, dtype=np.float64)
            mean = np.average(y, axis=0, weights=sample_weight)
            left, all_ = (np.average((y - to) ** 2, axis=0, weights=sample_weight) for to in (self.predict(X), mean))
            return float(np.mean(1 - left / all_))

    class ClassifierMixin:
        """score() as in scikit-learn."""

        _estimator_type = "classifier"

        def score(self, X, y, sample_weight=None):
            """The share of rows whose most probable class is the right one."""
            return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))


__all__ = ["FitWarning", "ProbMixClassifier", "ProbMixRegressor", "load"]


class NumberPredictions:
    """What can be predicted of numbers."""

    def predict(self, X, return_std=False):
        """The means of the predictive densities.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.
        return_std : bool, default False
            Also give the standard deviations.

        Returns
        -------
        mean : numpy.ndarray
            Of shape (rows,), or (rows, targets).
        std : numpy.ndarray
            Only with return_std; of the same shape.

        Examples
        --------
        >>> mean, deviation = model.predict(X, return_std=True)
        >>> mean.shape, deviation.shape
        ((200,), (200,))
        """
        if not return_std:
            return self._by_blocks(X, lambda dist: dist.mean())
        both = self._by_blocks(X, lambda dist: np.stack([dist.mean(), dist.std()], axis=-1))
        return both[..., 0], both[..., 1]

    def predict_quantiles(self, X, quantiles=(0.05, 0.5, 0.95)):
        """Quantiles of the predictive densities.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.
        quantiles : array_like, default (0.05, 0.5, 0.95)
            Probabilities between 0 and 1.

        Returns
        -------
        numpy.ndarray
            Of shape (rows, quantiles), or (rows, targets, quantiles) for several targets.

        Examples
        --------
        >>> model.predict_quantiles(X, [0.1, 0.9]).shape
        (200, 2)
        """
        levels = np.asarray(quantiles, dtype=np.float64)
        if levels.ndim != 1 or not np.all((levels > 0) & (levels < 1)):
            raise ValueError(f"quantiles must be numbers between 0 and 1, not {quantiles!r}")
        return self._by_blocks(X, lambda dist: dist.quantiles(levels))

    def predict_interval(self, X, coverage=0.9):
        """Central intervals of the predictive densities.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.
        coverage : float, default 0.9
            The probability of each interval, between 0 and 1.

        Returns
        -------
        numpy.ndarray
            The lower and the upper ends, of shape (rows, 2), or (rows, targets, 2).

        Examples
        --------
        >>> low, high = model.predict_interval(X, 0.9).T
        >>> bool((low < high).all())
        True
        """
        if not 0 < coverage < 1:
            raise ValueError(f"coverage must be between 0 and 1, not {coverage!r}")
        return self.predict_quantiles(X, ((1 - coverage) / 2, (1 + coverage) / 2))

    def log_likelihood(self, X, y, sample_weight=None):
        """The mean log-density of observed responses, in their units: higher is better.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.
        y : array_like
            Their responses, of shape (rows,) or (rows, targets).
        sample_weight : array_like, optional
            Weights of the rows.

        Returns
        -------
        float
        """
        y = np.asarray(numbers_of(read_response(y)), dtype=np.float64)
        return float(np.average(self.predict_dist(X).logpdf(y), weights=sample_weight))


@with_parameters
class ProbMixRegressor(RegressorMixin, NumberPredictions, TableParameters, DensityEstimator):
    """Predictive densities of numbers, from networks trained by probabilistic mixup.

    Without any parameters the density family, the method and the ensemble are chosen by rows that are held out
    (preset "default"); preset="fast" trains a single network. Missing values, text, categories and dates may be among
    the inputs of a data frame.

    {parameters}

    Examples
    --------
    >>> model = probmix.ProbMixRegressor(preset="fast").fit(X, y)
    >>> model.predict(X).shape
    (200,)
    >>> model.predict_dist(X)
    <Distribution of 200 rows>
    """

    def fit(self, X, y, sample_weight=None, *, eval_set=None, groups=None):
        """Trains on the rows of X.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Inputs, of shape (rows, columns).
        y : array_like, str or list of str
            Numbers, of shape (rows,) or (rows, targets), or the names of columns of X.
        sample_weight : array_like, optional
            Weights of the rows.
        eval_set : tuple (X, y), optional
            Rows that choose the best epoch, instead of a share of X.
        groups : array_like, optional
            Rows of a group are all for training or all for validation.

        Returns
        -------
        self
        """
        return self._fit_table(X, y, sample_weight, eval_set, groups)

    def _add_response(self, table, y, taken, given, names=None):
        y = numbers_of(read_response(y, owner=type(self).__name__))
        if len(y) != table.rows:
            raise ValueError(f"X and y have inconsistent numbers of rows: {table.rows} and {len(y)}")
        columns = y.reshape(len(y), -1)
        names = names or [free_name("y" if y.ndim == 1 else f"y{k}", taken) for k in range(columns.shape[1])]
        if len(names) != columns.shape[1]:
            raise ValueError(f"y has {columns.shape[1]} columns, not {len(names)}")
        for k, name in enumerate(names):
            add_column(table, name, columns[:, k])
        if "family" not in given and len(names) == 1:
            values = np.unique(columns[:, 0])
            if len(values) == 2 and np.all(values == np.floor(values)):
                given["family"] = "gaussian"  # numbers, though the library would take them for classes
        return list(names)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags


@with_parameters
class ProbMixClassifier(ClassifierMixin, TableParameters, DensityEstimator):
    """Calibrated class probabilities, from networks trained by probabilistic mixup.

    {parameters}

    Examples
    --------
    >>> classifier = probmix.ProbMixClassifier(preset="fast").fit(X, np.where(y > 0, "up", "down"))
    >>> classifier.classes_.tolist()
    ['down', 'up']
    >>> classifier.predict_proba(X).shape
    (200, 2)
    """

    _target_kind = "category"

    def fit(self, X, y, sample_weight=None, *, eval_set=None, groups=None):
        """Trains on the rows of X.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Inputs, of shape (rows, columns).
        y : array_like or str
            Classes as numbers or text, of shape (rows,), or the name of a column of X.
        sample_weight : array_like, optional
            Weights of the rows.
        eval_set : tuple (X, y), optional
            Rows that choose the best epoch, instead of a share of X.
        groups : array_like, optional
            Rows of a group are all for training or all for validation.

        Returns
        -------
        self
        """
        vars(self).pop("classes_", None)  # of an earlier fit
        return self._fit_table(X, y, sample_weight, eval_set, groups)

    def _add_response(self, table, y, taken, given, names=None):
        y = read_response(y, owner=type(self).__name__)
        if y.ndim == 2 and y.shape[1] == 1:
            import warnings

            warnings.warn("A column-vector y was passed when a 1d array was expected.", _conversion_warning(), stacklevel=4)
            y = y.reshape(-1)
        if y.ndim != 1:
            raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
        if len(y) != table.rows:
            raise ValueError(f"X and y have inconsistent numbers of rows: {table.rows} and {len(y)}")
        if y.dtype.kind == "f" and np.any(y != np.floor(y)):
            raise ValueError("Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects "
                             "discrete classes on a regression target with continuous values.")
        if names is None:
            self.classes_, codes = np.unique(y, return_inverse=True)
            if len(self.classes_) < 2:
                raise ValueError(f"The number of classes has to be greater than one; got {len(self.classes_)} class")
        else:
            codes = np.searchsorted(self.classes_, y)
            if np.any(codes >= len(self.classes_)) or np.any(self.classes_[codes] != y):
                raise ValueError("eval_set has classes that y has not")
        names = names or [free_name("y", taken)]
        table.add_categories(names[0], codes.reshape(-1).astype(np.int32), [level_text(label) for label in self.classes_])
        return list(names)

    def _set_classes(self):
        """The model's classes are in the order of their text, those of scikit-learn in that of their values."""
        if not hasattr(self, "classes_"):
            self.classes_ = np.asarray(self.model_.classes)
        places = {text: place for place, text in enumerate(self.model_.classes)}
        self._order = [places[level_text(label)] for label in self.classes_]

    def _distribution(self, densities):
        return ClassDistribution(densities, self.classes_, self._order)

    def predict(self, X):
        """The most probable class of each row.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.

        Returns
        -------
        numpy.ndarray
            Classes, of shape (rows,).
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def predict_proba(self, X):
        """The probabilities of `classes_`.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.

        Returns
        -------
        numpy.ndarray
            Of shape (rows, classes).
        """
        return self._by_blocks(X, lambda dist: dist.probs)

    def predict_log_proba(self, X):
        """The logarithms of the probabilities of `classes_`.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.

        Returns
        -------
        numpy.ndarray
            Of shape (rows, classes).
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def log_likelihood(self, X, y, sample_weight=None):
        """The mean log-probability of observed classes: higher is better.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.
        y : array_like
            Their classes, of shape (rows,).
        sample_weight : array_like, optional
            Weights of the rows.

        Returns
        -------
        float
        """
        return float(np.average(self.predict_dist(X).logpmf(y), weights=sample_weight))


def load(path):
    """A fitted estimator from a model file, whichever program trained it.

    Parameters
    ----------
    path : str or path
        A .safetensors file of `save` or of `probmix train`.

    Returns
    -------
    ProbMixRegressor, ProbMixClassifier or ProbMixForecaster
        Without the parameters of its training.
    """
    from .forecaster import ProbMixForecaster

    model = _core.load_model(str(path))
    kind = ProbMixForecaster if model.is_series else ProbMixClassifier if model.classes else ProbMixRegressor
    estimator = kind()
    estimator.model_ = model
    estimator._set_classes()
    return estimator


def _conversion_warning():
    try:
        from sklearn.exceptions import DataConversionWarning

        return DataConversionWarning
    except ImportError:
        return UserWarning
