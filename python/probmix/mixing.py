"""The heart of probabilistic mixup for networks of one's own: pairs, λ, fused targets and the risk.

A step of ProbMix with any network and any autograd:

    partner = draw_pairs(len(y), seed=1, step=step)
    lam = draw_lambda(len(y), alpha=0.1, seed=1, step=step)
    loss, gradient = risk(outputs, y, partner, lam, family="gaussian", pooling="linear")

`gradient` is that of the loss in the outputs, to be propagated back through the network.
"""

import numpy as np

from . import _core
from ._base import _plain

__all__ = ["draw_embedding", "draw_lambda", "draw_pairs", "fuse_embeddings", "fuse_targets", "outputs_of", "risk"]


def draw_pairs(rows, *, pairing="permutation", seed=1, step=0):
    """The partner of each row of a batch, as training draws them: an array of row numbers.

    A pure function of (seed, step).
    """
    partner, _ = _core.draw(int(rows), 1, {"pairing": pairing, "seed": int(seed)}, int(step))
    return partner


def draw_lambda(rows, *, alpha=0.1, draws=1, per="step", seed=1, step=0):
    """λ ~ Beta(alpha, alpha) for each pair, of shape (rows, draws); per="step": the same for all pairs."""
    options = {"alpha": float(alpha), "lambda-per": per, "seed": int(seed)}
    _, lam = _core.draw(int(rows), int(draws), options, int(step))
    return lam


def fuse_targets(y, partner, lam, *, classes=0, seed=1, step=0, **options):
    """The fused targets of pairs as weighted atoms: (y, weight).

    For n pairs with K draws and A atoms y has the shape (n, K, A, responses) and weight (n, K, A). `classes` is their
    number if the family is categorical; `options` are those of `risk`.
    """
    y, partner, lam = _pairs(y, partner, lam)
    given = _options(options)
    given["seed"] = int(seed)
    atoms, weight = _core.fuse_targets(y, partner, lam, given, int(classes) or int(y.max()) + 1, int(step))
    shape = (*lam.shape, weight.shape[1])
    return atoms.reshape(*shape, atoms.shape[1]), weight.reshape(shape)


def risk(outputs, y, partner=None, lam=None, *, weight=None, embedding=False, seed=1, step=0, **options):
    """The risk of fused densities for fused targets, and its gradient in the outputs: (loss, gradient).

    outputs : (rows, outputs) of a network, float32 or float64, as the family wants them (`outputs_of`)
    y : responses (rows,) or (rows, responses); classes as their numbers
    partner, lam : pairs and weights (`draw_pairs`, `draw_lambda`); without them the plain negative log-likelihood
    weight : weights of the rows
    embedding : whether the embeddings were fused (`fuse_embeddings`), so that outputs has a row for each draw of each
        pair, (rows · draws, outputs), and only the targets are fused here
    options : family="gaussian", pooling="linear" or "log-linear", criterion="mean-log" or "log-mean", beta=0,
        target_pooling, expectation, and those of the family (variance_floor, components, homoscedastic, ...), as in
        the estimators

    The loss is a mean over the rows.
    """
    outputs = np.asarray(outputs)
    if outputs.dtype != np.float64:
        outputs = outputs.astype(np.float32)
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
        weight = np.ascontiguousarray(weight, dtype=np.float64)
    given = _options(options)
    given["seed"] = int(seed)
    return _core.risk(np.ascontiguousarray(outputs), y, partner, lam, weight, not embedding, given, int(step))


def draw_embedding(lam, width, *, pooling="linear", seed=1, step=0):
    """What a step draws where embeddings are fused: λ there, 0 or 1 for linear pooling, and standard normals.

    Of shapes (rows, draws) and (rows · draws, width).
    """
    if pooling not in ("linear", "log-linear"):
        raise ValueError(f"pooling must be linear or log-linear, not {pooling!r}")
    return _core.draw_embedding(np.ascontiguousarray(lam, dtype=np.float64), pooling == "linear", int(width), int(seed), int(step))


def fuse_embeddings(embedding, partner, lam, noise):
    """Draws from the fused Gaussians of pairs: (z, backward).

    embedding : (rows, 2 · width), means and then log-variances
    partner, lam, noise : of `draw_pairs` and `draw_embedding`

    z has the shape (rows · draws, width). `backward(dz)` is the gradient in the embedding.
    """
    values = np.ascontiguousarray(embedding, dtype=np.float32)
    partner = np.ascontiguousarray(partner, dtype=np.int64)
    lam = np.ascontiguousarray(lam, dtype=np.float64)
    z, weight, spread = _core.fuse_embeddings(values, partner, lam, np.ascontiguousarray(noise, dtype=np.float32))

    def backward(dz):
        return _core.fuse_embeddings_backward(values, partner, lam, weight, spread, np.ascontiguousarray(dz, dtype=np.float32))

    return z, backward


def outputs_of(family="gaussian", *, responses=1, classes=2, **options):
    """How many outputs a network needs for a family."""
    return _core.outputs(_options({"family": family, **options}), int(responses), int(classes))


def _options(options):
    return {name.replace("_", "-"): _plain(name, value) for name, value in options.items() if value is not None}


def _responses(y):
    y = np.asarray(y, dtype=np.float64)
    if y.ndim not in (1, 2):
        raise ValueError(f"y must have the shape (rows,) or (rows, responses), not {y.shape}")
    if not np.isfinite(y).all():
        raise ValueError("y contains NaN or infinity")
    return np.ascontiguousarray(y.reshape(len(y), -1))


def _pairs(y, partner, lam):
    lam = np.asarray(lam, dtype=np.float64)
    y = _responses(y)
    if lam.ndim == 0:
        lam = np.full(len(y), lam)
    if lam.ndim not in (1, 2):
        raise ValueError(f"lam must have the shape (rows,) or (rows, draws), not {lam.shape}")
    partner = np.asarray(partner)
    if partner.ndim != 1 or partner.dtype.kind not in "iu":
        raise ValueError("partner must be an array of row numbers")
    return y, np.ascontiguousarray(partner, dtype=np.int64), np.ascontiguousarray(lam.reshape(len(lam), -1))
