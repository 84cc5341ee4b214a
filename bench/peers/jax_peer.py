#!/usr/bin/env python3
"""The training step in JAX: a worker of run.py.

Variants: "step", one jit call for each step; "loop", many steps within one jit call; "vmap", the
latter for several models at once (the time is that of one step of one model).
"""
import argparse
import functools
import os
import platform

import numpy as np

import common

MODELS = 8  # of vmap


def start():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    threads = parser.parse_args().threads
    os.environ["JAX_PLATFORMS"] = "cpu"
    if threads == 1:
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + (
            " --xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.environ["NPROC"] = str(threads)  # the size of XLA's pool


start()
import jax  # noqa: E402
from jax import lax  # noqa: E402
from jax import numpy as jnp  # noqa: E402

jax.config.update("jax_threefry_partitionable", False)  # twice as fast on one device

# Models: encode(parameters, x) up to the embedding, decode(parameters, z) from there -----------


def linear(parameters, name, x):
    weight, bias = name
    return x @ parameters[weight] + parameters[bias]


def mlp(step):
    encoder, decoder = (common.layers(step.parameters, part) for part in ("encoder", "decoder"))

    def encode(parameters, x):
        for name in encoder[:-1]:
            x = jax.nn.relu(linear(parameters, name, x))
        x = linear(parameters, encoder[-1], x)
        if not step.random_embedding:
            return jax.nn.relu(x)
        mean, log_variance = jnp.split(x, 2, -1)  # the mean is activated, the variance is not
        return jnp.concatenate([jax.nn.relu(mean), log_variance], -1)

    def decode(parameters, z):
        for name in decoder[:-1]:
            z = jax.nn.relu(linear(parameters, name, z))
        return linear(parameters, decoder[-1], z)

    return encode, decode


def head(step, features):
    """features(parameters, x) at all steps, flattened and compressed to the embedding."""
    decoder = common.layers(step.parameters, "decoder")

    def encode(parameters, x):
        h = features(parameters, x.reshape(len(x), step.steps, -1))
        return linear(parameters, ("encoder.1.weight", "encoder.1.bias"), h.reshape(len(x), -1))

    def decode(parameters, z):
        for name in decoder[:-1]:
            z = jax.nn.relu(linear(parameters, name, z))
        return linear(parameters, decoder[-1], z)

    return encode, decode


def lstm(step):
    def features(parameters, x):
        inputs = x @ parameters["encoder.0.weight_ih"] + parameters["encoder.0.bias"]
        weight = parameters["encoder.0.weight_hh"]

        def cell(state, inputs):
            h, c = state
            i, f, g, o = jnp.split(inputs + h @ weight, 4, 1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        start = jnp.zeros((len(x), len(weight)))
        return lax.scan(cell, (start, start), inputs.swapaxes(0, 1))[1].swapaxes(0, 1)

    return head(step, features)


def transformer(step):
    def features(parameters, x):
        def at(name, x):
            return linear(parameters, (name + ".weight", name + ".bias"), x)

        def norm(name, x):
            mean = x.mean(-1, keepdims=True)
            centred = x - mean
            scale = lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
            return centred * scale * parameters[name + ".weight"] + parameters[name + ".bias"]

        def attention(name, x, memory):
            weight, bias = parameters[name + ".in_proj_weight"], parameters[name + ".in_proj_bias"]
            width = x.shape[2]

            def heads(v):
                return v.reshape(*v.shape[:2], step.heads, -1)

            if memory is x:
                q, k, v = jnp.split(x @ weight + bias, 3, 2)
            else:
                q = x @ weight[:, :width] + bias[:width]
                k, v = jnp.split(memory @ weight[:, width:] + bias[width:], 2, 2)
            scores = jnp.einsum("nqhd,nkhd->nhqk", heads(q), heads(k))
            weights = jax.nn.softmax(scores / np.sqrt(width / step.heads), -1)
            out = jnp.einsum("nhqk,nkhd->nqhd", weights, heads(v)).reshape(x.shape)
            return at(name + ".out_proj", out)

        def feedforward(name, x):
            return at(name + ".linear.1", jax.nn.relu(at(name + ".linear.0", x)))

        source = at("encoder.0.0", x) + step.positions
        h = source
        for name in step.encoder_layers:
            h = norm(name + ".norm1", h + attention(name + ".self_attn", h, h))
            h = norm(name + ".norm2", h + feedforward(name, h))
        memory = norm("encoder.0.1.encoder.norm", h)
        h = source
        for name in step.decoder_layers:
            h = norm(name + ".norm1", h + attention(name + ".self_attn", h, h))
            h = norm(name + ".norm2", h + attention(name + ".multihead_attn", h, memory))
            h = norm(name + ".norm3", h + feedforward(name, h))
        return norm("encoder.0.1.decoder.norm", h)

    return head(step, features)


ARCHITECTURES = {"mlp": mlp, "lstm": lstm, "transformer": transformer}

# Losses ----------------------------------------------------------------------------------------


@jax.custom_vjp
def permute(v, partner, inverse):
    """The rows v[partner]. Its backward pass is a gather too, where autodiff would scatter."""
    return v.at[partner].get(mode="promise_in_bounds", unique_indices=True)


permute.defvjp(lambda v, partner, inverse: (permute(v, partner, inverse), inverse),
               lambda inverse, dv: (permute(dv, inverse, None), None, None))


def make_loss(step):
    """loss(parameters, x, y, draw)"""
    encode, decode = ARCHITECTURES[step.arch](step)

    def line(lam, a, b):
        return b + lam * (a - b)

    def density(out):  # mean and precision
        positive = jnp.exp if step.positive == "exp" else jax.nn.softplus
        return out[:, 0], 1 / (positive(out[:, 1]) + step.floor)

    def nll(mean, precision, y):
        residual = y - mean
        return 0.5 * jnp.mean(precision * residual * residual - jnp.log(precision)
                              + np.log(2 * np.pi))

    def erm(parameters, x, y, draw):
        return nll(*density(decode(parameters, encode(parameters, x))), y)

    def mix(parameters, x, y, draw):
        x, y = (line(draw["lam"], v, v[draw["partner"]]) for v in (x, y))
        return nll(*density(decode(parameters, encode(parameters, x))), y)

    def probmix(parameters, x, y, draw):
        mean, precision = density(decode(parameters, encode(parameters, x)))
        natural = jnp.stack([mean * precision, precision], 1)
        natural = line(draw["lam"], natural,
                       permute(natural, draw["partner"], draw["inverse"]))
        return nll(natural[:, 0] / natural[:, 1], natural[:, 1],
                   line(draw["lam"], y, y[draw["partner"]]))

    def m_probmix(parameters, x, y, draw):
        v = encode(parameters, x)
        v_j = permute(v, draw["partner"], draw["inverse"])
        (mean_i, log_i), (mean_j, log_j) = (jnp.split(u, 2, 1) for u in (v, v_j))
        w_i, w_j = draw["lam"] * jnp.exp(-log_i), (1 - draw["lam"]) * jnp.exp(-log_j)
        variance = 1 / (w_i + w_j)
        z = variance * (w_i * mean_i + w_j * mean_j) + jnp.sqrt(variance) * draw["noise"]
        return nll(*density(decode(parameters, z)), line(draw["lam"], y, y[draw["partner"]]))

    return {"erm": erm, "mix": mix, "probmix": probmix, "m-probmix": m_probmix}[step.method]


# The step --------------------------------------------------------------------------------------


def permutation(key, n):
    """The order of random numbers. Several times as fast as jax.random.permutation, as it sorts
    once, and one array: a number's low bits are replaced by its position."""
    low = jnp.uint32(2 ** (n - 1).bit_length() - 1)
    position = jnp.arange(n, dtype=jnp.uint32)
    return (lax.sort(jax.random.bits(key, (n,)) & ~low | position, is_stable=False) & low).astype(
        jnp.int32)


def make_draw(step):
    def draw(key):
        key_partner, key_lam, key_noise = jax.random.split(key, 3)
        drawn = {}
        if step.method != "erm":
            drawn["partner"] = permutation(key_partner, step.rows)
            # Beta(alpha, alpha) in one line (Devroye, 1996), as in ours; jax.random.beta loops.
            u, v = jax.random.uniform(key_lam, (2,), minval=1e-30)
            c = jnp.cos(2 * np.pi * v)
            w2 = c * c * jnp.expm1(jnp.minimum(-jnp.log(u) / common.ALPHA, 80))
            drawn["lam"] = 0.5 * (1 + jnp.sign(c) * lax.rsqrt(1 + 1 / w2))
        if step.method in ("probmix", "m-probmix"):
            rows = jnp.arange(step.rows)
            drawn["inverse"] = jnp.zeros_like(rows).at[drawn["partner"]].set(
                rows, unique_indices=True, mode="promise_in_bounds")
        if step.random_embedding:
            # Materialised: XLA would recompute it in each loop that reads it.
            drawn["noise"] = lax.optimization_barrier(
                jax.random.normal(key_noise, step.noise.shape))
        return drawn
    return draw


def make_update(step, loss):
    """One step: state -> state."""
    draw = make_draw(step)

    def adam(t, p, m, v, g):
        m = step.beta1 * m + (1 - step.beta1) * g
        v = step.beta2 * v + (1 - step.beta2) * g * g
        correction = jnp.sqrt(-jnp.expm1(t * np.log(step.beta2)))  # sqrt(1 - beta2^t)
        rate = step.rate * correction / -jnp.expm1(t * np.log(step.beta1))
        return p - rate * m / (jnp.sqrt(v) + step.epsilon * correction), m, v

    def update(state, x, y):
        key, now = jax.random.split(state["key"])
        gradient = jax.grad(loss)(state["p"], x, y, draw(now))
        t = state["t"] + 1
        new = jax.tree.map(functools.partial(adam, t.astype(jnp.float32)), state["p"], state["m"],
                           state["v"], gradient)
        p, m, v = ({k: n[i] for k, n in new.items()} for i in range(3))
        return {"p": p, "m": m, "v": v, "t": t, "key": key}

    return update


def transposed(parameters):
    """Weights as [in, out] and back: XLA multiplies faster in this layout."""
    return {k: jnp.array(v.T) for k, v in parameters.items()}


def first_state(parameters, seed):
    p, m, v = (jax.tree.map(make, parameters)
               for make in (jnp.array, jnp.zeros_like, jnp.zeros_like))
    return {"p": p, "m": m, "v": v, "t": jnp.int32(0), "key": jax.random.key(seed)}


def prepare(step):
    x, y = jnp.asarray(step.x), jnp.asarray(step.y)
    loss = make_loss(step)
    draw = {"partner": jnp.asarray(step.partner), "inverse": jnp.argsort(step.partner),
            "lam": jnp.float32(step.lam), "noise": jnp.asarray(step.noise)}
    parameters = transposed(step.parameters)
    found, gradient = jax.jit(jax.value_and_grad(loss))(parameters, x, y, draw)
    gradient = transposed(gradient)
    common.check_step("JAX", step, found, [gradient[k] for k in step.parameters])

    update = make_update(step, loss)

    def looped(update):
        return lambda state, x, y, steps: lax.fori_loop(
            0, steps, lambda _, s: update(s, x, y), state)

    one = jax.jit(update, donate_argnums=0)
    loop = jax.jit(looped(update), donate_argnums=0)
    many = jax.jit(looped(jax.vmap(update, (0, None, None))), donate_argnums=0)
    states = {
        "step": first_state(parameters, 1),
        "loop": first_state(parameters, 1),
        "vmap": jax.tree.map(lambda *s: jnp.stack(s),
                             *[first_state(parameters, k) for k in range(MODELS)]),
    }

    def run_step(steps):
        state = states["step"]
        for _ in range(steps):
            state = one(state, x, y)
        states["step"] = jax.block_until_ready(state)
        return steps

    def run_loop(steps):
        states["loop"] = jax.block_until_ready(loop(states["loop"], x, y, steps))
        return steps

    def run_vmap(steps):
        rounds = -(-steps // MODELS)
        states["vmap"] = jax.block_until_ready(many(states["vmap"], x, y, rounds))
        return rounds * MODELS

    if step.arch != "mlp":  # several models at once take minutes, and are no faster
        return {"step": run_step, "loop": run_loop}
    return {"step": run_step, "loop": run_loop, "vmap": run_vmap}


if __name__ == "__main__":
    common.serve({"jax": jax.__version__, "jaxlib": jax.lib.__version__,
                  "python": platform.python_version()},
                 {"step": "JAX jit", "loop": "JAX jit loop", "vmap": f"JAX vmap {MODELS}"}, prepare)
