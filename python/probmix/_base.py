"""What the estimators share: options, training, prediction.

scikit-learn's base classes are used if it is installed; without it the estimators do all but what
scikit-learn itself does with them.
"""

import warnings

import numpy as np

from . import _core, _html
from ._progress import Progress
from ._tables import as_array, numbers_of, read_table
from .distributions import Distribution

try:
    from sklearn.base import BaseEstimator
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    import inspect

    class NotFittedError(ValueError, AttributeError):
        """An estimator is used before it is fitted."""

    class BaseEstimator:
        """The parameters of an estimator, as in scikit-learn."""

        @classmethod
        def _get_param_names(cls):
            return sorted(set(inspect.signature(cls.__init__).parameters) - {"self"})

        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in self._get_param_names()}

        def set_params(self, **params):
            for name, value in params.items():
                if name not in self._get_param_names():
                    raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                                     f"{self._get_param_names()!r}.")
                setattr(self, name, value)
            return self

        def __repr__(self):
            given = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items() if value is not None)
            return f"{type(self).__name__}({given})"

    def check_is_fitted(estimator):
        if not estimator.__sklearn_is_fitted__():
            raise NotFittedError(f"This {type(estimator).__name__} instance is not fitted yet. Call 'fit' first.")

    def validate_data(estimator, X, reset, skip_check_array):
        """The number of columns; the library itself finds columns by name."""
        columns = len(X.columns) if hasattr(X, "columns") else len(X[0])
        if reset:
            estimator.n_features_in_ = columns
        elif columns != estimator.n_features_in_:
            raise ValueError(f"X has {columns} features, but {type(estimator).__name__} is expecting "
                             f"{estimator.n_features_in_} features as input.")


class FitWarning(UserWarning):
    """Training ended, but its result is of little use: it is worse than one density for all rows."""


# Rows that are predicted at a time, so that memory does not grow with the table.
_BLOCK = 1 << 16
_OPTION_OF = {option["parameter"]: option for option in _core.option_list()}
_UNFIT = ("Do not use this model: it is worse than one density for all rows. Try a smaller learning_rate, more rows or "
          "other inputs.")


class DensityEstimator(BaseEstimator):
    """Trains and holds a model; subclasses say what the response is."""

    _target_kind = "number"

    # ---- parameters

    def _options(self):
        """The options that were given, by the library's names."""
        given = {}
        for parameter, value in self.get_params(deep=False).items():
            if value is None:
                continue
            if parameter == "random_state":
                given["seed"] = _seed(value)
            elif parameter == "n_jobs":
                given["threads"] = _threads(value)
            elif parameter == "budget":
                given["budget"] = float(value)
            elif parameter in _OPTION_OF:
                given[_OPTION_OF[parameter]["name"]] = _plain(parameter, value)
        given.setdefault("threads", _core.processors())
        return given

    @property
    def _jobs(self):
        return _threads(self.n_jobs)

    # ---- training

    def _train(self, table, validation, given):
        """Trains to the end; an interrupt leaves the model of the epochs so far."""
        fit = _core.Fit(table, validation, given)
        interrupt = None
        with Progress(self.verbose) as progress:
            progress.say(fit.remarks())
            try:
                while not fit.done:
                    fit.run(0.1)
                    progress.show(*fit.progress())
            except KeyboardInterrupt as stopped:
                if fit.epochs == 0:
                    raise
                interrupt = stopped
        self.model_, is_worse = fit.model()
        self.remarks_ = fit.remarks()
        self.histories_ = fit.histories()
        self.n_epochs_ = fit.epochs
        self._set_classes()
        if interrupt is not None:
            raise interrupt
        if is_worse:
            warnings.warn(_UNFIT, FitWarning, stacklevel=3)
        return self

    def _set_classes(self):
        """What follows from the classes of the model."""

    def _read_inputs(self, X, *, reset, name="X"):
        table, names = read_table(X, name, owner=type(self).__name__)
        validate_data(self, X if names is not None or hasattr(X, "shape") else as_array(X), reset=reset,
                      skip_check_array=True)
        return table

    def _fit_table(self, X, y, sample_weight, eval_set, groups):
        table = self._read_inputs(X, reset=True)
        if table.rows == 1:
            raise ValueError("a density cannot be learned from 1 sample")
        given = self._options()
        kinds = {column[0]: column[1] for column in table.columns()}
        if _names_columns(y, kinds, table.rows):
            given["target"] = [y] if isinstance(y, str) else list(y)
            self._check_kinds([kinds.get(name, self._target_kind) for name in given["target"]])
        else:
            given["target"] = self._add_response(table, y, [*kinds], given)
        self._add_row_columns(table, sample_weight, groups, [*kinds, *given["target"]], given)
        validation = None
        if eval_set is not None:
            validation = self._read_validation(eval_set, given, sample_weight, groups)
        return self._train(table, validation, given)

    def _check_kinds(self, kinds):
        for kind in kinds:
            if kind != self._target_kind:
                raise ValueError(f"a {type(self).__name__} predicts {self._target_kind} columns, but y names a {kind} column; "
                                 "give y as an array")

    def _add_row_columns(self, table, sample_weight, groups, names, given):
        if sample_weight is not None:
            weights = _row_values(sample_weight, table.rows, "sample_weight")
            if not weights.any():
                raise ValueError("sample_weight is zero in all rows")
            given["weights"] = free_name("sample_weight", names)
            table.add_numbers(given["weights"], weights)
        if groups is not None:
            _, codes = np.unique(as_array(groups), return_inverse=True)
            if codes.size != table.rows:
                raise ValueError(f"groups has {codes.size} rows, but X has {table.rows}")
            given["group"] = free_name("groups", names)
            table.add_numbers(given["group"], codes.reshape(-1).astype(np.int64))

    def _read_validation(self, eval_set, given, sample_weight, groups):
        if groups is not None:
            raise ValueError("give eval_set or groups: both choose the rows for validation")
        if isinstance(eval_set, list) and len(eval_set) == 1:
            eval_set = eval_set[0]
        try:
            X, y = eval_set
        except (TypeError, ValueError):
            raise ValueError("eval_set must be a pair (X, y)") from None
        table = self._read_inputs(X, reset=False, name="eval_set")
        if isinstance(y, str):
            raise ValueError("eval_set needs its y as an array")
        self._add_response(table, y, None, given, names=given["target"])
        if sample_weight is not None:
            table.add_numbers(given["weights"], np.ones(table.rows))
        return table

    # ---- prediction

    def _rows(self, X):
        check_is_fitted(self)
        has_shape = hasattr(self, "n_features_in_")
        table = (self._read_inputs(X, reset=False) if has_shape
                 else read_table(X, "X", owner=type(self).__name__)[0])
        return _core.Rows(self.model_, table, self._jobs)

    def _by_blocks(self, X, value):
        """The values of all rows, computed for some rows at a time."""
        rows = self._rows(X)
        parts = [value(self._distribution(rows.densities(first, min(first + _BLOCK, rows.count))))
                 for first in range(0, rows.count, _BLOCK)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _distribution(self, densities):
        return Distribution(densities)

    def predict_dist(self, X):
        """The predictive distributions of all rows, as one object.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.

        Returns
        -------
        Distribution
            A `ClassDistribution` of a classifier.

        Examples
        --------
        >>> density = model.predict_dist(X)
        >>> density.mean().shape, density.cdf(0.5).shape
        ((200,), (200,))
        """
        rows = self._rows(X)
        return self._distribution(rows.densities(0, rows.count))

    def sample(self, X, n=1, *, random_state=None):
        """Draws from the density of each row.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows to predict, with the columns of the training.
        n : int, default 1
            Draws of each row.
        random_state : int, numpy.random.Generator, numpy.random.RandomState or None
            The same rows, model and number give the same draws; None takes the seed of the model.

        Returns
        -------
        numpy.ndarray
            Of shape (rows, n), or (rows, n, targets).
        """
        return self.predict_dist(X).sample(n, random_state=random_state)

    # ---- files

    def save(self, path):
        """Writes the model to a .safetensors file, which `probmix.load`, the command line and C++ read.

        Parameters
        ----------
        path : str or path
            The file to write.
        """
        check_is_fitted(self)
        self.model_.save(str(path))

    # ---- notebooks

    def _repr_html_(self):
        """A fitted estimator's columns, training and scores; before, what scikit-learn shows, if anything."""
        if self.__sklearn_is_fitted__():
            return _html.estimator_html(self)
        theirs = getattr(super(), "_repr_html_", None)
        return theirs() if theirs is not None else None

    def _repr_mimebundle_(self, **_):
        shown = self._repr_html_()
        return {"text/plain": repr(self), **({} if shown is None else {"text/html": shown})}

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _names_columns(y, columns, rows):
    """Whether y is the name of a column, or a few of them, rather than a response."""
    if isinstance(y, str):
        return True
    return isinstance(y, (list, tuple)) and 0 < len(y) < rows and all(isinstance(name, str) and name in columns for name in y)


def free_name(wanted, names):
    """A name for a column that none of the others has."""
    while wanted in names:
        wanted += "_"
    return wanted


def _row_values(values, rows, name):
    array = as_array(values)
    if array.ndim == 0:
        array = np.full(rows, array)
    if array.ndim != 1:
        raise ValueError(f"{name} must be 1D: Sample weights must be 1D array or scalar, got {array.ndim}D array")
    if array.size != rows:
        raise ValueError(f"{name}.shape == {array.shape}, expected {(rows,)}!")
    return numbers_of(array)


def _seed(random_state):
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 62))
    return _plain("random_state", random_state)


def _threads(n_jobs):
    if n_jobs is None or n_jobs == -1:
        return _core.processors()
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)):
        raise TypeError(f"n_jobs must be a whole number or None, not {n_jobs!r}")
    return max(1, _core.processors() + 1 + int(n_jobs)) if n_jobs < 0 else int(n_jobs)


def _plain(parameter, value):
    """A value of Python or numpy as the library takes it."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(parameter, item) for item in value]
    raise TypeError(f"{parameter} must be a number, text or a list of them, not {type(value).__name__}")
