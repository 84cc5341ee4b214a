"""Tables and responses that users hold, checked and read as the library wants them.

Numbers are read where they lie, whatever their type and stride; nothing is turned into text.
"""

import datetime
import decimal
import numbers

import numpy as np

from . import _core


def read_table(X, name, *, owner="the estimator"):
    """(table, feature names or None) of an array, a data frame or anything that exports Arrow.

    `name` is what messages call the table, `owner` who asks for it.
    """
    if hasattr(X, "tocoo") or hasattr(X, "tocsr"):
        raise TypeError(f"Sparse data was passed for {name}, but dense data is required. Use '.toarray()' to "
                        "convert to a dense numpy array.")
    table = _core.Table(name)
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        names = [*X.columns]
        _check_shape(X.shape, name, owner)
        for k, column in enumerate(names):
            _add_series(table, str(column), X.iloc[:, k])
        return table, _texts(names)
    if hasattr(X, "__arrow_c_stream__") and not isinstance(X, np.ndarray):
        table.add_stream(X.__arrow_c_stream__())
        names = [column[0] for column in table.columns()]
        _check_shape((table.rows, len(names)), name, owner)
        return table, _texts(names)
    array = as_array(X)
    if array.dtype.names is not None and array.ndim == 1:
        _check_shape((len(array), len(array.dtype.names)), name, owner)
        for field in array.dtype.names:
            add_column(table, field, array[field])
        return table, _texts(array.dtype.names)
    if array.ndim < 2:
        kind = "scalar" if array.ndim == 0 else "1D"
        raise ValueError(f"Expected 2D array, got {kind} array instead. Reshape your data either using "
                         "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it "
                         "contains a single sample.")
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}. {owner} expected <= 2.")
    _check_shape(array.shape, name, owner)
    for k in range(array.shape[1]):
        add_column(table, f"x{k}", array[:, k])
    return table, None


def as_array(values):
    """A numpy array; masked entries become NaN. Complex numbers are refused."""
    if np.ma.isMaskedArray(values):
        values = values.astype(np.float64).filled(np.nan)
    array = np.asarray(values)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    return array


def read_response(y, *, owner="the estimator"):
    """A response as an array of one or two dimensions, without missing values."""
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    array = as_array(y)
    if array.ndim == 0 or array.ndim > 2:
        raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("Input y contains NaN or infinity.")
    if array.dtype.kind == "O" and any(map(is_missing, array.ravel())):
        raise ValueError("Input y contains NaN.")
    return array


def real_array(values, name):
    """Float64, from all that are numbers: numpy would drop imaginary parts, parse text and count nanoseconds."""
    kind = np.asarray(values).dtype
    if kind.kind not in "biufO":
        raise TypeError(f"{name} must be real numbers, not {kind}")
    return np.asarray(values, dtype=np.float64)


def numbers_of(y):
    """A response as float64 or as it is, if it is of a type that the library reads."""
    if y.dtype.kind in "biuf" and y.dtype.isnative and y.dtype.itemsize <= 8 and y.dtype != np.float16:
        return y
    try:
        return y.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must have numbers: {error}") from None


def add_column(table, name, values):
    """Adds an array of one dimension to a table."""
    kind = values.dtype.kind
    if kind in "biuf":
        if values.dtype == np.float16:
            values = values.astype(np.float32)
        elif values.dtype.itemsize > 8:
            values = values.astype(np.float64)
        elif not values.dtype.isnative:
            values = values.astype(values.dtype.newbyteorder("="))
        table.add_numbers(name, values)
    elif kind == "M":
        table.add_dates(name, _seconds(values))
    elif kind == "m":
        seconds = values / np.timedelta64(1, "s")
        table.add_numbers(name, seconds)
    elif kind in "UT":
        levels, codes = np.unique(values.astype(object), return_inverse=True)
        table.add_text(name, codes.reshape(-1).astype(np.int32), [str(level) for level in levels])
    elif kind == "O":
        _add_objects(table, name, values)
    elif kind == "c":
        raise ValueError("Complex data not supported")
    else:
        raise TypeError(f"column '{name}': argument must be a string or a number, not of dtype {values.dtype}")


def level_text(value):
    """A category as text, whole numbers without a decimal point."""
    if isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, numbers.Real) and value == int(value):
        return str(int(value))
    return str(value)


def is_missing(value):
    """None, NaN, NaT, or pandas' NA."""
    return value is None or type(value).__name__ == "NAType" or (not isinstance(value, str) and _is_not_itself(value))


def _is_not_itself(value):
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # an array, or something without an order
        return False


def _texts(names):
    return np.asarray(names, dtype=object) if all(isinstance(name, str) for name in names) else None


def _check_shape(shape, name, owner):
    rows, columns = shape
    if columns == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required by {owner}.")
    if rows == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape=(0, {columns})) while a minimum of 1 is required by {owner}.")


def _seconds(dates):
    """Seconds since 1970 as float64; NaT becomes NaN."""
    microseconds = dates.astype("datetime64[us]")
    seconds = microseconds.astype(np.int64) / 1e6
    seconds[np.isnat(microseconds)] = np.nan
    return seconds


def _add_series(table, name, series):
    """A column of a pandas data frame."""
    dtype = series.dtype
    if hasattr(dtype, "categories"):  # CategoricalDtype
        table.add_categories(name, series.cat.codes.to_numpy().astype(np.int32),
                             [level_text(level) for level in dtype.categories])
    elif getattr(dtype, "tz", None) is not None:
        add_column(table, name, series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    elif isinstance(dtype, np.dtype):
        add_column(table, name, series.to_numpy())
    elif hasattr(series, "sparse"):
        add_column(table, name, series.sparse.to_dense().to_numpy())
    elif getattr(dtype, "kind", "O") in "biuf":  # nullable numbers
        add_column(table, name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    elif getattr(dtype, "kind", "O") == "M":
        add_column(table, name, series.to_numpy(dtype="datetime64[us]"))
    else:
        _add_objects(table, name, series.to_numpy(dtype=object))


_DATES = (datetime.date, np.datetime64)


def _add_objects(table, name, values):
    """A column of Python objects: all numbers, all text or all dates, apart from missing ones."""
    present = [(row, value) for row, value in enumerate(values) if not is_missing(value)]
    kinds = {}
    for row, value in present:
        kind = ("number" if isinstance(value, (numbers.Real, np.bool_, decimal.Decimal)) else "text" if isinstance(value, str)
                else "date" if isinstance(value, _DATES) else None)
        if kind is None:
            raise TypeError(f"column '{name}', row {row}: argument must be a string or a number, not "
                            f"'{type(value).__name__}'")
        kinds.setdefault(kind, (row, value))
    if len(kinds) > 1:
        (one, (_, first)), (other, (row, second)) = [*kinds.items()][:2]
        raise ValueError(f"column '{name}' mixes {one} ({first!r}) and {other} ({second!r} in row {row}); convert it to "
                         "one type")
    kind = next(iter(kinds), "number")
    if kind == "text":
        codes = np.full(len(values), -1, dtype=np.int32)
        places = {}
        for row, value in present:
            codes[row] = places.setdefault(value, len(places))
        table.add_text(name, codes, [*places])
    elif kind == "date":
        dates = np.full(len(values), np.datetime64("NaT"), dtype="datetime64[us]")
        for row, value in present:
            dates[row] = _in_utc(value)
        table.add_dates(name, _seconds(dates))
    else:
        floats = np.full(len(values), np.nan)
        for row, value in present:
            floats[row] = float(value)
        table.add_numbers(name, floats)


def _in_utc(value):
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return np.datetime64(value)
