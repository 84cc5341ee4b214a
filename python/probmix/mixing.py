"""The heart of probabilistic mixup for networks of one's own: pairs, λ, fused targets and the risk.

A step of ProbMix with any network and any autograd:

>>> outputs = np.zeros((len(y), probmix.mixing.outputs_of("gaussian")))
>>> partner = probmix.draw_pairs(len(y), seed=1, step=0)
>>> lam = probmix.draw_lambda(len(y), alpha=0.1, seed=1, step=0)
>>> loss, gradient = probmix.risk(outputs, y, partner, lam, family="gaussian", pooling="linear")
>>> gradient.shape
(200, 2)

`gradient` is that of the loss in the outputs, to be propagated back through the network.
"""

import numpy as np

from . import _core
from ._base import _OPTION_OF, _plain
from ._tables import real_array

__all__ = ["draw_embedding", "draw_lambda", "draw_pairs", "fuse_embeddings", "fuse_targets", "outputs_of", "risk"]


def draw_pairs(rows, *, pairing="permutation", seed=1, step=0):
    """The partner of each row of a batch, as training draws them.

    Parameters
    ----------
    rows : int
        Rows of the batch.
    pairing : {"permutation", "replacement"}
        Every row is the partner of one other, or partners are drawn with replacement.
    seed, step : int
        What is drawn is a function of these alone.

    Returns
    -------
    numpy.ndarray
        Row numbers, of shape (rows,).

    Examples
    --------
    >>> sorted(probmix.draw_pairs(5).tolist())
    [0, 1, 2, 3, 4]
    """
    partner, _ = _core.draw(int(rows), 1, {"pairing": pairing, "seed": int(seed)}, int(step))
    return partner


def draw_lambda(rows, *, alpha=0.1, draws=1, per="step", seed=1, step=0):
    """λ ~ Beta(alpha, alpha) for each pair.

    Parameters
    ----------
    rows : int
        Pairs of the batch.
    alpha : float, default 0.1
        Small: λ is near 0 or 1; infinite: it is 0.5.
    draws : int, default 1
        Draws of each pair.
    per : {"step", "pair"}
        The same λ for all pairs, or one for each.
    seed, step : int
        What is drawn is a function of these alone.

    Returns
    -------
    numpy.ndarray
        Of shape (rows, draws).

    Examples
    --------
    >>> probmix.draw_lambda(4, alpha=float("inf"), draws=2).tolist()
    [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
    """
    options = {"alpha": float(alpha), "lambda-per": per, "seed": int(seed)}
    _, lam = _core.draw(int(rows), int(draws), options, int(step))
    return lam


def fuse_targets(y, partner, lam, *, classes=0, seed=1, step=0, **options):
    """The fused targets of pairs as weighted atoms.

    Parameters
    ----------
    y : array_like
        Responses, of shape (rows,) or (rows, responses); classes as their numbers.
    partner : array of int
        The partner of each row (`draw_pairs`).
    lam : array_like
        λ, of shape (rows,) or (rows, draws) (`draw_lambda`).
    classes : int
        Their number, if the family is categorical; 0: one more than the largest in y.
    seed, step : int
        What is drawn is a function of these alone.
    **options
        Those of `risk`.

    Returns
    -------
    y : numpy.ndarray
        Atoms, of shape (rows, draws, atoms, responses).
    weight : numpy.ndarray
        Their weights, of shape (rows, draws, atoms), which add up to 1.

    Examples
    --------
    >>> atoms, weight = probmix.fuse_targets([0.0, 10.0], np.array([1, 0]), [0.25, 0.25], pooling="log-linear")
    >>> atoms.ravel().tolist(), weight.ravel().tolist()
    ([7.5, 2.5], [1.0, 1.0])
    """
    y, partner, lam = _pairs(y, partner, lam)
    given = _options(options)
    given["seed"] = int(seed)
    atoms, weight = _core.fuse_targets(y, partner, lam, given, int(classes) or int(y.max()) + 1, int(step))
    shape = (*lam.shape, weight.shape[1])
    return atoms.reshape(*shape, atoms.shape[1]), weight.reshape(shape)


def risk(outputs, y, partner=None, lam=None, *, weight=None, embedding=False, seed=1, step=0, **options):
    """The risk of fused densities for fused targets, and its gradient in the outputs.

    Parameters
    ----------
    outputs : array_like
        Of a network, (rows, outputs), float32 or float64, as the family wants them (`outputs_of`).
    y : array_like
        Responses, of shape (rows,) or (rows, responses); classes as their numbers.
    partner : array of int
        The partner of each row (`draw_pairs`); without pairs the plain negative log-likelihood.
    lam : array_like
        λ, of shape (rows,) or (rows, draws) (`draw_lambda`).
    weight : array_like, optional
        Weights of the rows.
    embedding : bool
        Whether embeddings were fused (`fuse_embeddings`), so that outputs has a row for each draw of each pair,
        (rows · draws, outputs), and only the targets are fused here.
    seed, step : int
        What is drawn is a function of these alone.
    **options
        family="gaussian", pooling="linear" or "log-linear", criterion="mean-log" or "log-mean", beta=0,
        target_pooling, expectation, and those of the family (variance_floor, components, homoscedastic, ...), as in
        the estimators.

    Returns
    -------
    loss : float
        A mean over the rows.
    gradient : numpy.ndarray
        In the outputs, of their shape and type.

    Examples
    --------
    >>> loss, gradient = probmix.risk(np.zeros((3, 2)), [0.0, 1.0, 2.0])
    >>> round(loss, 3), gradient.shape
    (1.752, (3, 2))
    """
    is_double = np.asarray(outputs).dtype == np.float64
    outputs = real_array(outputs, "outputs").astype(np.float64 if is_double else np.float32, copy=False)
    if outputs.ndim != 2:
        raise ValueError(f"outputs must have the shape (rows, outputs), not {outputs.shape}")
    if not np.isfinite(outputs).all():
        raise ValueError("outputs contain NaN or infinity")
    if (partner is None) != (lam is None):
        raise ValueError("give partner and lam, or neither")
    if partner is None:
        y = _responses(y)
    else:
        y, partner, lam = _pairs(y, partner, lam)
    if weight is not None:
        weight = np.ascontiguousarray(real_array(weight, "weight"))
    given = _options(options)
    given["seed"] = int(seed)
    return _core.risk(np.ascontiguousarray(outputs), y, partner, lam, weight, not embedding, given, int(step))


def draw_embedding(lam, width, *, pooling="linear", seed=1, step=0):
    """What a step draws where embeddings are fused.

    Parameters
    ----------
    lam : array_like
        λ, of shape (rows, draws).
    width : int
        Of the embedding.
    pooling : {"linear", "log-linear"}
        Linear: one of the two embeddings is picked with probability λ.
    seed, step : int
        What is drawn is a function of these alone.

    Returns
    -------
    lam : numpy.ndarray
        λ there, (rows, draws); 0 or 1 for linear pooling.
    noise : numpy.ndarray
        Standard normals, (rows · draws, width).
    """
    if pooling not in ("linear", "log-linear"):
        raise ValueError(f"pooling must be linear or log-linear, not {pooling!r}")
    return _core.draw_embedding(np.ascontiguousarray(lam, dtype=np.float64), pooling == "linear", int(width), int(seed), int(step))


def fuse_embeddings(embedding, partner, lam, noise):
    """Draws from the fused Gaussians of pairs.

    Parameters
    ----------
    embedding : array_like
        (rows, 2 · width), means and then log-variances.
    partner : array of int
        The partner of each row (`draw_pairs`).
    lam, noise : array_like
        Of `draw_embedding`.

    Returns
    -------
    z : numpy.ndarray
        Of shape (rows · draws, width).
    backward : callable
        backward(dz) is the gradient in the embedding.

    Examples
    --------
    >>> lam, noise = probmix.mixing.draw_embedding([[0.5], [0.5]], 3, pooling="log-linear")
    >>> z, backward = probmix.mixing.fuse_embeddings(np.zeros((2, 6)), np.array([1, 0]), lam, noise)
    >>> z.shape, backward(np.ones((2, 3))).shape
    ((2, 3), (2, 6))
    """
    values = np.ascontiguousarray(embedding, dtype=np.float32)
    partner = np.ascontiguousarray(partner, dtype=np.int64)
    lam = np.ascontiguousarray(lam, dtype=np.float64)
    z, weight, spread = _core.fuse_embeddings(values, partner, lam, np.ascontiguousarray(noise, dtype=np.float32))

    def backward(dz):
        return _core.fuse_embeddings_backward(values, partner, lam, weight, spread, np.ascontiguousarray(dz, dtype=np.float32))

    return z, backward


def outputs_of(family="gaussian", *, responses=1, classes=2, **options):
    """How many outputs a network needs for a family.

    Parameters
    ----------
    family : str
        "gaussian", "categorical", "student-t", ...
    responses : int
        Columns of y.
    classes : int
        Their number, if the family is categorical.
    **options
        Of the family, as in `risk`.

    Returns
    -------
    int

    Examples
    --------
    >>> probmix.mixing.outputs_of("student-t"), probmix.mixing.outputs_of("categorical", classes=5)
    (3, 5)
    """
    return _core.outputs(_options({"family": family, **options}), int(responses), int(classes))


# What changes the density of a network's outputs, or how it is fused.
_USED = ("family", "pooling", "target_pooling", "criterion", "expectation", "beta", "homoscedastic", "components",
         "variance_link", "variance_floor")


def _options(options):
    for name, value in options.items():
        if name in _OPTION_OF and name not in _USED and value is not None:
            raise ValueError(f"{name} is an option of the estimators, which the risk does not have; it has {', '.join(_USED)}")
    return {name.replace("_", "-"): _plain(name, value) for name, value in options.items() if value is not None}


def _responses(y):
    y = real_array(y, "y")
    if y.ndim not in (1, 2):
        raise ValueError(f"y must have the shape (rows,) or (rows, responses), not {y.shape}")
    if not np.isfinite(y).all():
        raise ValueError("y contains NaN or infinity")
    return np.ascontiguousarray(y.reshape(len(y), -1))


def _pairs(y, partner, lam):
    lam = real_array(lam, "lam")
    y = _responses(y)
    if lam.ndim == 0:
        lam = np.full(len(y), lam)
    if lam.ndim not in (1, 2):
        raise ValueError(f"lam must have the shape (rows,) or (rows, draws), not {lam.shape}")
    partner = np.asarray(partner)
    if partner.ndim != 1 or partner.dtype.kind not in "iu":
        raise ValueError("partner must be an array of row numbers")
    return y, np.ascontiguousarray(partner, dtype=np.int64), np.ascontiguousarray(lam.reshape(len(lam), -1))
