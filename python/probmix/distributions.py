"""The predictive distributions of many rows as one object, computed in C++ on several threads."""

import numpy as np

from ._tables import real_array


class Distribution:
    """The predictive densities of rows, in the units of the target: what `predict_dist` returns.

    An argument `y` may be a number, one value for each row (rows,), or several for each row: (rows, values), or
    (1, values) for the same in all rows. What is returned has one value for each row, or the shape (rows, values).
    With several targets, all of this has a further axis for these: (rows, targets), (rows, targets, values).
    `distribution[i]` is that of row i, whose values are numbers; slices and masks select rows.

    Examples
    --------
    >>> density = model.predict_dist(X)
    >>> density
    <Distribution of 200 rows>
    >>> density.pdf(0.5).shape, density.pdf(np.zeros((1, 50))).shape
    ((200,), (200, 50))
    >>> bool(density[3].mean() == density.mean()[3])
    True
    >>> len(density[density.std() > density.std().mean()]) < len(density)
    True
    """

    def __init__(self, densities, single=False):
        self._densities = densities
        self._single = single

    def __len__(self):
        if self._single:
            raise TypeError("the distribution of one row has no length")
        return self._densities.rows

    @property
    def shape(self):
        """() for one row, else (rows,), and a further axis if there are several targets."""
        rows = () if self._single else (self._densities.rows,)
        return rows if self._densities.targets == 1 else (*rows, self._densities.targets)

    def __deepcopy__(self, _):
        return self  # nothing changes it

    def __repr__(self):
        rows = "one row" if self._single else f"{self._densities.rows} rows"
        return f"<{type(self).__name__} of {rows}>"

    def __getitem__(self, rows):
        if self._single:
            raise TypeError("this is the distribution of one row")
        single = isinstance(rows, (int, np.integer))
        if single and not -len(self) <= rows < len(self):
            raise IndexError(f"there are {len(self)} rows, but no row {rows}")
        chosen = np.atleast_1d(np.arange(len(self))[rows])
        return self._of(self._densities.part(chosen.tolist()), single)

    def _of(self, densities, single):
        return type(self)(densities, single)

    def __iter__(self):
        return (self[row] for row in range(len(self)))

    # ---- one value for each row

    def mean(self):
        """The means.

        Returns
        -------
        numpy.ndarray
            Of shape (rows,), or (rows, targets) if there are several.
        """
        return self._each(self._densities.mean)

    def std(self):
        """The standard deviations.

        Returns
        -------
        numpy.ndarray
            Of the shape of `mean`.

        Examples
        --------
        >>> np.allclose(density.std() ** 2, density.std_data() ** 2 + density.std_model() ** 2)
        True
        """
        return self._each(self._densities.std)

    def var(self):
        """The variances.

        Returns
        -------
        numpy.ndarray
            Of the shape of `mean`.
        """
        return self.std() ** 2

    def std_data(self):
        """The part of the standard deviation that the data leave open: it stays however many rows there are.

        Returns
        -------
        numpy.ndarray
            Of the shape of `mean`.
        """
        return self._each(self._densities.data_std)

    def std_model(self):
        """The part of the standard deviation on which the networks disagree; zero for a single one.

        Its square and that of `std_data` add up to the variance.

        Returns
        -------
        numpy.ndarray
            Of the shape of `mean`.
        """
        return self._each(self._densities.model_std)

    def entropy(self):
        """Differential entropy in nats; for counts, that of their probabilities.

        Returns
        -------
        numpy.ndarray
            Of the shape of `mean`.
        """
        return self._each(self._densities.entropy)

    def median(self):
        """The medians.

        Returns
        -------
        numpy.ndarray
            Of the shape of `mean`.
        """
        return self.ppf(0.5)

    # ---- functions of y

    def logpdf(self, y):
        """Log-density; for counts, the log-probability. Of several targets: the joint one.

        Parameters
        ----------
        y : float or array_like
            A number, one value for each row, or several: (rows, values) or (1, values). Of several targets: (rows, targets).

        Returns
        -------
        numpy.ndarray
            One value for each row, or (rows, values).

        Examples
        --------
        >>> bool(density.logpdf(y).mean() == model.log_likelihood(X, y))
        True
        """
        if self._densities.targets > 1:
            y = np.ascontiguousarray(np.broadcast_to(real_array(y, "y"),
                                                     (self._densities.rows, self._densities.targets)))
            return self._shaped(self._densities.log_joint(y))
        return self._at(self._densities.log_density, y)

    def pdf(self, y):
        """Density; for counts, the probability. Of several targets: the joint one.

        Parameters
        ----------
        y : float or array_like
            A number, one value for each row, or several: (rows, values) or (1, values).

        Returns
        -------
        numpy.ndarray
            One value for each row, or (rows, values).
        """
        return np.exp(self.logpdf(y))

    def cdf(self, y):
        """The distribution function, P(Y <= y).

        Parameters
        ----------
        y : float or array_like
            A number, one value for each row, or several: (rows, values) or (1, values).

        Returns
        -------
        numpy.ndarray
            One value for each row, or (rows, values).

        Examples
        --------
        >>> bool(((density.cdf(0) > 0) & (density.cdf(0) < 1)).all())
        True
        """
        return self._at(self._densities.cdf, y)

    def sf(self, y):
        """The survival function, P(Y > y).

        Parameters
        ----------
        y : float or array_like
            A number, one value for each row, or several: (rows, values) or (1, values).

        Returns
        -------
        numpy.ndarray
            One value for each row, or (rows, values).
        """
        return 1 - self.cdf(y)

    def ppf(self, q):
        """Quantiles, the inverse of `cdf`.

        Parameters
        ----------
        q : float or array_like
            Probabilities, of the shapes that `cdf` takes.

        Returns
        -------
        numpy.ndarray
            Of the shape of `cdf`; the ends of the support at 0 and 1, NaN outside.

        Examples
        --------
        >>> np.allclose(density.cdf(density.ppf(0.3)), 0.3)
        True
        """
        return self._at(self._densities.quantile, q)

    def crps(self, y):
        """The continuous ranked probability score: lower is better.

        Parameters
        ----------
        y : float or array_like
            A number, one value for each row, or several: (rows, values) or (1, values).

        Returns
        -------
        numpy.ndarray
            One value for each row, or (rows, values).
        """
        return self._at(self._densities.crps, y)

    def quantiles(self, levels):
        """The same quantiles of all rows.

        Parameters
        ----------
        levels : array_like
            Probabilities, of shape (levels,).

        Returns
        -------
        numpy.ndarray
            Of shape (rows, levels), or (rows, targets, levels).

        Examples
        --------
        >>> density.quantiles([0.1, 0.5, 0.9]).shape
        (200, 3)
        """
        levels = np.atleast_1d(real_array(levels, "levels"))
        if levels.ndim != 1:
            raise ValueError(f"levels must be a list of numbers, not of shape {levels.shape}")
        found = np.stack([self._densities.quantile(k, levels[np.newaxis]) for k in range(self._densities.targets)], axis=1)
        if self._densities.targets == 1:
            found = found[:, 0]
        return found[0] if self._single else found

    def interval(self, coverage=0.9):
        """Central intervals.

        Parameters
        ----------
        coverage : float, default 0.9
            The probability of each interval, between 0 and 1.

        Returns
        -------
        low, high : numpy.ndarray
            The ends, each of the shape of `mean`.

        Examples
        --------
        >>> low, high = density.interval(0.9)
        >>> bool(np.mean((y > low) & (y < high)) > 0.7)
        True
        """
        if not 0 < coverage < 1:
            raise ValueError(f"coverage must be between 0 and 1, not {coverage!r}")
        both = self.quantiles([(1 - coverage) / 2, (1 + coverage) / 2])
        return both[..., 0], both[..., 1]

    def sample(self, n=1, *, random_state=None):
        """Draws for each row.

        Parameters
        ----------
        n : int, default 1
            Draws of each row.
        random_state : int, numpy.random.Generator, numpy.random.RandomState or None
            The same rows, model and number give the same draws; None takes the seed of the model.

        Returns
        -------
        numpy.ndarray
            Of shape (rows, n), or (rows, n, targets).

        Examples
        --------
        >>> density.sample(5).shape
        (200, 5)
        """
        drawn = self._densities.sample(int(n), _seed_of(self._densities, random_state))
        drawn = drawn.reshape(self._densities.rows, int(n), self._densities.targets)
        if self._densities.targets == 1:
            drawn = drawn[..., 0]
        return drawn[0] if self._single else drawn

    # ---- shapes

    def _each(self, value):
        values = np.stack([value(k) for k in range(self._densities.targets)], axis=1)
        if self._densities.targets == 1:
            values = values[:, 0]
        return self._shaped(values)

    def _shaped(self, values):
        if not self._single:
            return values
        return values[0] if np.ndim(values[0]) else float(values[0])

    def _at(self, value, y):
        y = real_array(y, "an argument")
        rows, targets = self._densities.rows, self._densities.targets
        if self._single:
            flat = np.ascontiguousarray(y.reshape(1, -1))
            found = np.stack([value(k, flat) for k in range(targets)], axis=1)[0]
            found = found[0] if targets == 1 else found
            return float(found[0]) if y.ndim == 0 and targets == 1 else found.reshape(found.shape[:-1] + y.shape)
        if targets == 1:
            if y.ndim > 2 or (y.ndim == 1 and len(y) != rows) or (y.ndim == 2 and len(y) not in (1, rows)):
                raise ValueError(f"values of shape {y.shape} do not fit {rows} rows; give ({rows},), ({rows}, values) or "
                                 "(1, values)")
            found = value(0, np.ascontiguousarray(y.reshape(-1, 1) if y.ndim < 2 else y))
            return found[:, 0] if y.ndim < 2 else found
        if y.ndim not in (0, 2, 3) or (y.ndim and (y.shape[0] not in (1, rows) or y.shape[1] != targets)):
            raise ValueError(f"values of shape {y.shape} do not fit {rows} rows and {targets} targets; give ({rows}, {targets}) "
                             f"or ({rows}, {targets}, values)")
        wide = np.broadcast_to(y, (1, targets)) if y.ndim == 0 else y
        parts = [value(k, np.ascontiguousarray(wide[:, k].reshape(len(wide), -1))) for k in range(targets)]
        found = np.stack(parts, axis=1)
        return found if y.ndim == 3 else found[..., 0]


class ClassDistribution(Distribution):
    """The predicted probabilities of classes, for many rows: what `ProbMixClassifier.predict_dist` returns.

    Attributes
    ----------
    classes : numpy.ndarray
        The classes, in the order of the columns of `probs`.

    Examples
    --------
    >>> classifier = probmix.ProbMixClassifier(preset="fast").fit(X, np.where(y > 0, "up", "down"))
    >>> probabilities = classifier.predict_dist(X)
    >>> probabilities.probs.shape
    (200, 2)
    >>> np.allclose(probabilities.pmf("up"), probabilities.probs[:, 1])
    True
    """

    def __init__(self, densities, classes, order, single=False):
        super().__init__(densities, single)
        self.classes = classes
        self._order = order

    def _of(self, densities, single):
        return ClassDistribution(densities, self.classes, self._order, single)

    @property
    def probs(self):
        """The probabilities of `classes`, of shape (rows, classes)."""
        probabilities = self._densities.probabilities()[:, self._order]
        return probabilities[0] if self._single else probabilities

    def pmf(self, y):
        """The probability of a class in each row.

        Parameters
        ----------
        y : object or array_like
            One class for all rows, or one for each.

        Returns
        -------
        numpy.ndarray
            Of shape (rows,).
        """
        y = np.broadcast_to(np.asarray(y), (self._densities.rows,))
        at = np.searchsorted(self.classes, y)
        known = (at < len(self.classes)) & (self.classes[np.minimum(at, len(self.classes) - 1)] == y)
        if not known.all():
            raise ValueError(f"{y[~known][0].tolist()!r} is not one of the classes {self.classes.tolist()}")
        return self._shaped(np.atleast_2d(self.probs)[np.arange(self._densities.rows), at])

    def logpmf(self, y):
        """The log-probability of a class in each row.

        Parameters
        ----------
        y : object or array_like
            One class for all rows, or one for each.

        Returns
        -------
        numpy.ndarray
            Of shape (rows,).
        """
        with np.errstate(divide="ignore"):
            return np.log(self.pmf(y))

    def mode(self):
        """The most probable class.

        Returns
        -------
        numpy.ndarray
            Of shape (rows,).
        """
        return self.classes[self.probs.argmax(axis=-1)]

    def entropy(self):
        """The entropy of the probabilities, in nats.

        Returns
        -------
        numpy.ndarray
            Of shape (rows,).
        """
        return self._shaped(self._densities.entropy(0))

    def sample(self, n=1, *, random_state=None):
        """Draws of classes.

        Parameters
        ----------
        n : int, default 1
            Draws of each row.
        random_state : int, numpy.random.Generator, numpy.random.RandomState or None
            As in `Distribution.sample`.

        Returns
        -------
        numpy.ndarray
            Classes, of shape (rows, n).
        """
        numbers = self._densities.sample(int(n), _seed_of(self._densities, random_state)).astype(np.int64)
        place = np.empty(len(self._order), dtype=np.int64)
        place[self._order] = np.arange(len(self._order))
        drawn = self.classes[place[numbers.reshape(self._densities.rows, int(n))]]
        return drawn[0] if self._single else drawn


def _seed_of(densities, random_state):
    if random_state is None:
        return densities.seed
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 62))
    return int(random_state)
