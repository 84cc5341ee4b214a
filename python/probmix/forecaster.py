"""Forecasts of series by predictive densities."""

import numpy as np

from . import _core
from ._base import DensityEstimator
from ._parameters import SeriesParameters, with_parameters
from ._tables import add_column, as_array
from .estimators import NumberPredictions


@with_parameters
class ProbMixForecaster(NumberPredictions, SeriesParameters, DensityEstimator):
    """Predictive densities of a later row of a series, from a window of rows.

    The rows are in order of time. A prediction is made for every row that ends a window, of the target `horizon` rows
    later; `origins` says which rows these are, so the last prediction is the forecast. `time` names a column of dates or
    numbers, by which gaps are found and the latest rows are held out; `group` one of several series in one table.

    {parameters}

    Examples
    --------
    >>> series = np.sin(np.arange(300) / 5)
    >>> forecaster = probmix.ProbMixForecaster(window=10, horizon=2, preset="fast").fit(series)
    >>> density = forecaster.predict_dist(series)
    >>> len(density), forecaster.origins(series)[:3].tolist()
    (291, [9, 10, 11])
    >>> density[-1]
    <Distribution of one row>
    """

    def fit(self, X, y=None, sample_weight=None):
        """Trains on a series.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows in order of time, or a single series of numbers of shape (rows,).
        y : str or list of str, optional
            The column to forecast, or several; not for a single series.
        sample_weight : array_like, optional
            Weights of the rows.

        Returns
        -------
        self
        """
        table = self._read_inputs(X, reset=True)
        names = [column[0] for column in table.columns()]
        if y is None:
            if len(names) != 1:
                raise ValueError("y must name the column to forecast, as X has several")
            y = names[0]
        targets = [y] if isinstance(y, str) else list(y)
        if not all(isinstance(name, str) for name in targets):
            raise TypeError("y must name the column to forecast: its earlier values are read from X, later too")
        given = self._options()
        given["target"] = targets
        if given.get("horizon", 0) < 1:
            raise ValueError("give horizon, the rows from the end of a window to the one that is forecast, of at least 1")
        given.setdefault("window", 1)
        self._add_row_columns(table, sample_weight, None, names, given)
        return self._train(table, None, given)

    def _read_inputs(self, X, *, reset, name="X"):
        if not hasattr(X, "columns") and not hasattr(X, "__arrow_c_stream__"):
            array = as_array(X)
            if array.ndim == 1 and array.dtype.names is None:
                table = _core.Table(name)
                add_column(table, "y", array)
                if reset:
                    self.n_features_in_ = 1
                elif self.n_features_in_ != 1:
                    raise ValueError(f"X has 1 features, but ProbMixForecaster is expecting {self.n_features_in_} features")
                return table
        return super()._read_inputs(X, reset=reset, name=name)

    def origins(self, X):
        """The rows at which predictions are made: those that end a window.

        Parameters
        ----------
        X : array, data frame or table that exports Arrow
            Rows in order of time.

        Returns
        -------
        numpy.ndarray
            Row numbers from 0, one for each prediction.
        """
        return np.asarray(self._rows(X).last)
