"""Pictures of predictive densities, with matplotlib.

Every function draws into `ax`, or into a new figure if that is None, and returns the axes.

>>> import probmix.plot
>>> probmix.plot.calibration(model.predict_dist(X_test), y_test)     # doctest: +SKIP
"""

import numpy as np

__all__ = ["bands", "calibration", "coverage", "densities", "fan", "reliability"]

_COLOUR = "#2b6ca3"
_LEVELS = (0.5, 0.8, 0.95)


def calibration(distribution, y, *, bins=10, ax=None):
    """Histogram of the PIT, F(y): flat if the densities are calibrated, with a 95 % band for chance.

    U-shaped: too narrow; a hump: too wide. The PIT of a discrete target is drawn at random between P(Y < y) and P(Y <= y).
    """
    pit = _pit(distribution, y)
    ax = _axes(ax)
    share = np.histogram(pit, bins=bins, range=(0, 1))[0] / len(pit) * bins
    error = 1.96 * np.sqrt((bins - 1) / len(pit))
    ax.axhspan(max(0, 1 - error), 1 + error, color="0.9", zorder=0, label="95 % by chance")
    ax.bar((np.arange(bins) + 0.5) / bins, share, width=0.92 / bins, color=_COLOUR)
    ax.axhline(1, color="0.4", linewidth=1)
    ax.set(xlim=(0, 1), xlabel="probability integral transform", ylabel="density", title="Calibration")
    ax.legend(frameon=False)
    return ax


def reliability(distribution, y, *, ax=None):
    """How often y lies below each predicted quantile: the diagonal if the densities are calibrated."""
    pit = np.sort(_pit(distribution, y))
    ax = _axes(ax)
    levels = np.linspace(0, 1, 101)
    error = 1.96 * np.sqrt(levels * (1 - levels) / len(pit))
    ax.fill_between(levels, levels - error, levels + error, color="0.9", label="95 % by chance")
    ax.plot([0, 1], [0, 1], color="0.4", linewidth=1)
    ax.plot(levels, np.searchsorted(pit, levels, side="right") / len(pit), color=_COLOUR, label="observed")
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="predicted probability", ylabel="observed frequency",
           title="Reliability")
    ax.legend(frameon=False, loc="upper left")
    return ax


def coverage(distribution, y, *, levels=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95), ax=None):
    """The share of rows inside their central intervals, with 95 % error bars."""
    y = _response(distribution, y)
    levels = np.asarray(levels, dtype=np.float64)
    ends = distribution.quantiles(np.concatenate([(1 - levels) / 2, (1 + levels) / 2]))
    low, high = ends[:, : len(levels)], ends[:, len(levels) :]
    inside = ((low <= y[:, None]) & (y[:, None] <= high)).mean(axis=0)
    ax = _axes(ax)
    ax.plot([0, 1], [0, 1], color="0.4", linewidth=1)
    ax.errorbar(levels, inside, yerr=1.96 * np.sqrt(inside * (1 - inside) / len(y)), fmt="o", color=_COLOUR, capsize=3)
    ax.set(xlim=(0, 1), ylim=(0, 1.02), aspect="equal", xlabel="probability of the interval", ylabel="share of rows inside",
           title="Coverage of central intervals")
    return ax


def bands(model, X, column=0, *, y=None, values=None, levels=_LEVELS, ax=None):
    """Intervals over one input, while the others keep the values of a middle row of X.

    column : position or name of a column of numbers
    y : responses, drawn as points
    values : where to predict; None: 200 values over the range of the column
    """
    names = [*X.columns] if hasattr(X, "columns") else None
    if isinstance(column, str):
        if names is None or column not in names:
            raise ValueError(f"X has no column {column!r}")
        place = names.index(column)
    else:
        place = range(len(names) if names is not None else np.shape(X)[1])[column]
    observed = np.asarray(_column(X, place), dtype=np.float64)
    if values is None:
        values = np.linspace(np.nanmin(observed), np.nanmax(observed), 200)
    values = np.asarray(values, dtype=np.float64)
    ax = _axes(ax)
    _draw_bands(ax, values, model.predict_dist(_repeated(X, place, values)), levels)
    if y is not None:
        ax.plot(observed, np.asarray(y), ".", color="0.2", markersize=3, alpha=0.5, zorder=0.5, label="observed")
    ax.set(xlabel=_plain(names[place] if names is not None else f"x{place}"), ylabel="response")
    ax.legend(frameon=False)
    return ax


def densities(distribution, y=None, *, labels=None, points=400, ax=None):
    """The densities of a few rows; y marks what was observed. For counts, their probabilities."""
    one = distribution.shape == ()
    rows = [distribution] if one else [*_single(distribution)]
    if not 0 < len(rows) <= 20:
        raise ValueError(f"up to 20 densities can be told apart, not {len(rows)}; choose rows, as in distribution[:5]")
    observed = None if y is None else np.atleast_1d(np.asarray(y, dtype=np.float64))
    if observed is not None and len(observed) != len(rows):
        raise ValueError(f"y has {len(observed)} values, but there are {len(rows)} densities")
    if labels is not None and len(labels) != len(rows):
        raise ValueError(f"there are {len(labels)} labels for {len(rows)} densities")
    ax = _axes(ax)
    ends = np.array([row.quantiles([0.001, 0.999]) for row in rows])
    low, high = ends.min(), ends.max()
    discrete = distribution._densities.is_discrete
    grid = np.arange(np.floor(low), np.ceil(high) + 1) if discrete else np.linspace(low, high, points)
    for k, row in enumerate(rows):
        label = _plain(f"row {k}" if labels is None else labels[k])
        (line,) = ax.plot(grid, row.pdf(grid), marker="." if discrete else None, label=label)
        if not discrete:
            ax.fill_between(grid, row.pdf(grid), alpha=0.15, color=line.get_color())
        if observed is not None:
            ax.axvline(observed[k], color=line.get_color(), linestyle="--", linewidth=1)
    ax.set(xlabel="response", ylabel="probability" if discrete else "density", ylim=(0, None))
    if len(rows) > 1 or labels is not None:
        ax.legend(frameon=False)
    return ax


def fan(distribution, y=None, *, x=None, history=None, levels=_LEVELS, ax=None):
    """A fan of forecasts: the median and intervals of successive rows.

    x : times of the rows; None: 0, 1, ...
    y : what was observed at these times
    history : (times, values) before, or values alone, which then end before time 0
    """
    rows = len(_single(distribution))
    x = np.arange(rows) if x is None else np.asarray(x)
    if len(x) != rows:
        raise ValueError(f"x has {len(x)} times, but there are {rows} forecasts")
    ax = _axes(ax)
    if history is not None:
        before, values = history if isinstance(history, tuple) else (np.arange(-len(history), 0), history)
        ax.plot(before, values, color="0.2", linewidth=1.2, label="history")
    _draw_bands(ax, x, distribution, levels)
    if y is not None:
        ax.plot(x, _response(distribution, y), color="0.2", linewidth=1, marker=".", markersize=3, label="observed")
    ax.set(xlabel="time", ylabel="response")
    ax.legend(frameon=False)
    return ax


# ---- shared


def _axes(ax):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("probmix.plot draws with matplotlib: pip install matplotlib") from None
    return plt.subplots(figsize=(6, 4.2), layout="constrained")[1]


def _plain(text):
    """Text without matplotlib's mathematics, which a $ in a name would begin."""
    return str(text).replace("$", r"\$")


def _single(distribution):
    """Of rows with one number each."""
    if not hasattr(distribution, "quantiles") or hasattr(distribution, "classes") or len(distribution.shape) != 1:
        raise ValueError("this picture needs the densities of rows with one number as target, from predict_dist")
    return distribution


def _response(distribution, y):
    y = np.asarray(y, dtype=np.float64)
    if y.shape != _single(distribution).shape:
        raise ValueError(f"y has the shape {y.shape}, but the densities have {distribution.shape}")
    if not np.isfinite(y).all():
        raise ValueError("y contains NaN or infinity")
    return y


def _pit(distribution, y):
    y = _response(distribution, y)
    above = distribution.cdf(y)
    # Jumps of the distribution function: at all counts, and at zero of what is inflated there.
    below = distribution.cdf(np.nextafter(y, -np.inf))
    return below + (above - below) * np.random.default_rng(0).uniform(size=len(y))


def _column(X, place):
    if hasattr(X, "iloc"):
        return X.iloc[:, place]
    return X[X.columns[place]] if hasattr(X, "columns") else np.asarray(X)[:, place]


def _repeated(X, place, values):
    """A middle row of X for each value, which replaces that of one column."""
    observed = np.asarray(_column(X, place), dtype=np.float64)
    middle = int(np.argmin(np.abs(observed - np.nanmedian(observed))))
    if hasattr(X, "iloc"):
        row = X.iloc[[middle] * len(values)].reset_index(drop=True)
        row[row.columns[place]] = values
        return row
    if hasattr(X, "with_columns"):  # polars
        row = X[[middle] * len(values)]
        return row.with_columns(type(row)({X.columns[place]: values})[X.columns[place]])
    table = np.repeat(np.asarray(X, dtype=np.float64)[[middle]], len(values), axis=0)
    table[:, place] = values
    return table


def _draw_bands(ax, x, distribution, levels):
    levels = sorted(levels, reverse=True)
    if not levels or not all(0 < level < 1 for level in levels):
        raise ValueError(f"levels must be between 0 and 1, not {levels}")
    _single(distribution)
    for k, level in enumerate(levels):
        low, high = distribution.interval(level)
        ax.fill_between(x, low, high, color=_COLOUR, alpha=0.16 + 0.14 * k, linewidth=0, label=f"{100 * level:g} %")
    ax.plot(x, distribution.median(), color=_COLOUR, linewidth=1.6, label="median")
