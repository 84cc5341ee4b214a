"""The loss in JAX gives what `probmix.risk` gives, under jit and grad too."""

import numpy as np
import pytest

from probmix import draw_lambda, draw_pairs, mixing

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

from probmix.jax import ProbMixLoss  # noqa: E402

GENERATOR = np.random.default_rng(1)
OUT, Y = GENERATOR.normal(size=(12, 2)).astype(np.float32), GENERATOR.normal(size=12).astype(np.float32)


@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit])
def test_the_loss_and_its_gradient(wrap):
    loss = ProbMixLoss("gaussian", alpha=1, lambda_per="pair", draws=2, seed=3)
    for step in (0, 7):
        at = {"seed": 3, "step": step}
        expected, gradient = mixing.risk(OUT, Y, draw_pairs(12, **at), draw_lambda(12, alpha=1, draws=2, per="pair", **at),
                                         pooling="linear", **at)
        value, found = wrap(jax.value_and_grad(lambda out, step: 3 * loss(out, Y, step)))(OUT, step)
        assert value == pytest.approx(3 * expected, rel=1e-6)
        assert np.allclose(found, 3 * gradient, rtol=1e-6)


def test_the_plain_loss_is_that_of_formulas_in_jax():
    def formula(out):
        variance = jnp.exp(out[:, 1]) + 1e-4
        return 0.5 * jnp.mean((Y - out[:, 0]) ** 2 / variance + jnp.log(2 * jnp.pi * variance))

    loss = ProbMixLoss("gaussian")
    value, gradient = jax.value_and_grad(loss.plain)(OUT, Y)
    expected, wanted = jax.value_and_grad(formula)(OUT)
    assert value == pytest.approx(float(expected), rel=1e-5)
    assert np.allclose(gradient, wanted, rtol=1e-4, atol=1e-6)


def test_a_gradient_through_a_network():
    loss, weights = ProbMixLoss("gaussian", alpha=0.5), jnp.ones((3, 2)) / 3
    x = GENERATOR.normal(size=(12, 3)).astype(np.float32)
    slope = jax.jit(jax.grad(lambda w: loss(x @ w, Y, 4)))(weights)
    for at in ((0, 0), (2, 1)):
        moved = [float(loss(x @ weights.at[at].add(h), Y, 4)) for h in (0.01, -0.01)]
        assert (moved[0] - moved[1]) / 0.02 == pytest.approx(float(slope[at]), rel=1e-2, abs=1e-3)


def test_half_precision():
    out = jnp.asarray(OUT, jnp.bfloat16)
    loss = ProbMixLoss("gaussian")
    value, gradient = jax.value_and_grad(loss.plain)(out, Y)
    assert value.dtype == gradient.dtype == jnp.bfloat16
    assert np.allclose(gradient.astype(np.float32), jax.grad(loss.plain)(out.astype(np.float32), Y), rtol=0.02, atol=0.01)


def test_errors_name_what_is_wrong():
    with pytest.raises(Exception, match="needs 2 outputs, not 3"):
        jax.block_until_ready(ProbMixLoss("gaussian")(np.zeros((12, 3)), Y, 0))
