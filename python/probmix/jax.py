"""Probabilistic mixup for networks in JAX.

The loss of a step, also under `jit` and `grad`; the risk itself is computed on the host::

    loss = ProbMixLoss("gaussian", alpha=0.1)

    @jax.jit
    def step(parameters, x, y, number):
        return jax.value_and_grad(lambda p: loss(network(p, x), y, step=number))(parameters)

`loss.plain(outputs, y)` is the negative log-likelihood without mixing, for validation.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from . import mixing

__all__ = ["ProbMixLoss"]


class ProbMixLoss:
    """The risk of ProbMix for a batch of outputs, as a function that JAX can differentiate once.

    The responses should be on a scale of about 1; a Gaussian's second output is the logarithm of its variance.

    Parameters
    ----------
    family : str
        "gaussian", "categorical", "student-t", "gamma", ... (`probmix.mixing.outputs_of` says how many outputs).
    alpha : float
        Of λ ~ Beta(alpha, alpha).
    pooling : {"linear", "log-linear"}
        How densities are fused.
    lambda_per, draws, seed
        What a step draws, as in `probmix.draw_lambda`.
    **options
        Those of `probmix.risk`.

    Examples
    --------
    >>> import jax
    >>> from probmix.jax import ProbMixLoss
    >>> loss = ProbMixLoss("gaussian", alpha=0.1)
    >>> slope = jax.grad(lambda outputs: loss(outputs, np.ones(8), step=0))(np.zeros((8, 2), np.float32))
    >>> slope.shape
    (8, 2)
    """

    def __init__(self, family="gaussian", *, alpha=0.1, pooling="linear", lambda_per="step", draws=1, seed=1, **options):
        self._draw = {"alpha": alpha, "per": lambda_per, "draws": draws}
        self._options = {"family": family, "pooling": pooling, **options}
        self._seed = int(seed)
        self._mixed = _differentiable(self._mixed_risk)
        self._plain = _differentiable(lambda outputs, y, step: mixing.risk(outputs, y, **self._options))

    def __call__(self, outputs, y, step):
        """The loss of fused densities; `step` is a whole number that determines pairs and λ: give each step its own."""
        return self._mixed(outputs, y, step)

    def plain(self, outputs, y):
        """The mean negative log-likelihood.

        Parameters
        ----------
        outputs : array
            (rows, outputs) of a network.
        y : array
            Responses, of shape (rows,) or (rows, responses).

        Returns
        -------
        array
            A scalar.
        """
        return self._plain(outputs, y, 0)

    def _mixed_risk(self, outputs, y, step):
        at = {"seed": self._seed, "step": int(step)}
        partner = mixing.draw_pairs(len(y), **at)
        lam = mixing.draw_lambda(len(y), **self._draw, **at)
        return mixing.risk(outputs, y, partner, lam, **self._options, **at)


def _differentiable(risk):
    """A function of JAX from one of numpy that gives (loss, gradient in the outputs)."""

    def on_host(outputs, y, step):
        outputs = np.asarray(outputs)
        loss, gradient = risk(outputs.astype(np.promote_types(outputs.dtype, np.float32)), np.asarray(y), step)
        return np.asarray(loss, outputs.dtype), np.asarray(gradient, outputs.dtype)

    def both(outputs, y, step):
        outputs = jnp.asarray(outputs)
        shapes = jax.ShapeDtypeStruct((), outputs.dtype), jax.ShapeDtypeStruct(outputs.shape, outputs.dtype)
        return jax.pure_callback(on_host, shapes, outputs, y, step, vmap_method="sequential")

    @functools.partial(jax.custom_vjp)
    def loss(outputs, y, step):
        return both(outputs, y, step)[0]

    loss.defvjp(both, lambda gradient, dloss: (gradient * dloss, None, None))
    return loss
