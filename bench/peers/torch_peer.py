#!/usr/bin/env python3
"""The training step in PyTorch: a worker of run.py.

Variants: "eager", with torch.optim.Adam; "by hand", the same with the kernels of Adam called
directly; and, from PyTorch 2.4, "compiled": draw, loss, gradient and Adam in one graph by
torch.compile.
"""
import argparse
import math
import pathlib
import platform
import sysconfig

import numpy as np
import torch
from torch.nn import functional as F

import common

OPTIONS = {"fallback_random": True}  # inductor's own generator of normal numbers is slower
COMPILES = tuple(int(v) for v in torch.__version__.split(".")[:2]) >= (2, 4)

# Models: encode(parameters, x) up to the embedding, decode(parameters, z) from there -----------


def mlp(step):
    encoder, decoder = (common.layers(step.parameters, part) for part in ("encoder", "decoder"))

    def hidden(parameters, names, x):
        for weight, bias in names:
            x = F.relu(F.linear(x, parameters[weight], parameters[bias]))
        return x

    def linear(parameters, names, x):
        x = hidden(parameters, names[:-1], x)
        weight, bias = names[-1]
        return F.linear(x, parameters[weight], parameters[bias])

    def random(parameters, names, x):  # the mean is activated, the log-variance behind it is not
        mean, log_variance = linear(parameters, names, x).chunk(2, -1)
        return torch.cat([F.relu(mean), log_variance], -1)

    return (lambda p, x: (random if step.random_embedding else hidden)(p, encoder, x),
            lambda p, z: linear(p, decoder, z))


def head(step, features):
    """features(parameters, x) at all steps, flattened and compressed to the embedding."""
    decoder = common.layers(step.parameters, "decoder")

    def encode(parameters, x):
        flat = features(parameters, x.view(len(x), step.steps, -1)).flatten(1)
        return F.linear(flat, parameters["encoder.1.weight"], parameters["encoder.1.bias"])

    def decode(parameters, z):
        for weight, bias in decoder[:-1]:
            z = F.relu(F.linear(z, parameters[weight], parameters[bias]))
        weight, bias = decoder[-1]
        return F.linear(z, parameters[weight], parameters[bias])

    return encode, decode


def lstm(step):
    """What torch.nn.LSTM calls. It has two biases: the second is 0, and not trained."""
    names = [f"encoder.0.{k}" for k in ("weight_ih", "weight_hh", "bias")]
    no_bias = torch.zeros(step.parameters[names[2]].shape)
    units = len(no_bias) // 4

    def features(parameters, x):
        start = torch.zeros(1, len(x), units)
        return torch.lstm(x, (start, start), [*(parameters[n] for n in names), no_bias], True, 1,
                          0.0, True, False, True)[0]

    return head(step, features)


def transformer(step):
    """What torch.nn.Transformer calls in training: steps before rows, its default order."""
    positions = torch.from_numpy(step.positions)[:, None]

    def features(parameters, x):
        def linear(name, x):
            return F.linear(x, parameters[name + ".weight"], parameters[name + ".bias"])

        def norm(name, x):
            weight, bias = parameters[name + ".weight"], parameters[name + ".bias"]
            return F.layer_norm(x, weight.shape, weight, bias)

        def attention(name, x, memory):
            return F.multi_head_attention_forward(
                x, memory, memory, x.shape[2], step.heads, parameters[name + ".in_proj_weight"],
                parameters[name + ".in_proj_bias"], None, None, False, 0.0,
                parameters[name + ".out_proj.weight"], parameters[name + ".out_proj.bias"],
                need_weights=False)[0]

        def feedforward(name, x):
            return linear(name + ".linear.1", F.relu(linear(name + ".linear.0", x)))

        source = linear("encoder.0.0", x.transpose(0, 1)) + positions
        h = source
        for name in step.encoder_layers:
            h = norm(name + ".norm1", h + attention(name + ".self_attn", h, h))
            h = norm(name + ".norm2", h + feedforward(name, h))
        memory = h = norm("encoder.0.1.encoder.norm", h)
        h = source
        for name in step.decoder_layers:
            h = norm(name + ".norm1", h + attention(name + ".self_attn", h, h))
            h = norm(name + ".norm2", h + attention(name + ".multihead_attn", h, memory))
            h = norm(name + ".norm3", h + feedforward(name, h))
        return norm("encoder.0.1.decoder.norm", h).transpose(0, 1)

    return head(step, features)


ARCHITECTURES = {"mlp": mlp, "lstm": lstm, "transformer": transformer}

# Losses ----------------------------------------------------------------------------------------


def make_loss(step):
    """loss(parameters, x, y, partner, lam, noise); lam is a number or a tensor."""
    encode, decode = ARCHITECTURES[step.arch](step)

    def line(lam, v, partner):  # index_select: its backward pass beats that of v[partner]
        return torch.lerp(v.index_select(0, partner), v, lam)

    def density(out):  # mean and precision
        mean, s = out.unbind(1)
        positive = s.exp() if step.positive == "exp" else F.softplus(s)
        return mean, (positive + step.floor).reciprocal()

    def nll(mean, precision, y):
        return 0.5 * (precision * (y - mean).square() - precision.log()).mean() + (
            0.5 * math.log(2 * math.pi))

    def erm(parameters, x, y, partner, lam, noise):
        return nll(*density(decode(parameters, encode(parameters, x))), y)

    def mix(parameters, x, y, partner, lam, noise):
        x, y = line(lam, x, partner), line(lam, y, partner)
        return nll(*density(decode(parameters, encode(parameters, x))), y)

    def probmix(parameters, x, y, partner, lam, noise):
        mean, precision = density(decode(parameters, encode(parameters, x)))
        natural = torch.stack((mean * precision, precision), 1)
        shift, precision = line(lam, natural, partner).unbind(1)
        return nll(shift / precision, precision, line(lam, y, partner))

    def m_probmix(parameters, x, y, partner, lam, noise):
        mean, log_variance = encode(parameters, x).chunk(2, 1)
        precision = log_variance.neg().exp()
        natural = torch.cat((mean * precision, precision), 1)
        shift, precision = line(lam, natural, partner).chunk(2, 1)
        z = shift / precision + precision.rsqrt() * noise
        return nll(*density(decode(parameters, z)), line(lam, y, partner))

    return {"erm": erm, "mix": mix, "probmix": probmix, "m-probmix": m_probmix}[step.method]


# The step --------------------------------------------------------------------------------------


def leaves(step):
    return {k: torch.tensor(v, requires_grad=True) for k, v in step.parameters.items()}


def optim_adam(step, parameters):
    """As published; the faster of its implementations."""
    fast = {"fused": True} if COMPILES else {"foreach": True}
    adam = torch.optim.Adam(parameters, lr=step.rate, betas=(step.beta1, step.beta2),
                            eps=step.epsilon, **fast)

    def update(gradient):
        for p, g in zip(parameters, gradient):
            p.grad = g
        adam.step()

    return update


def fused_adam(step, parameters):
    """The kernel of torch.optim.Adam(fused=True), without the Python around it, which takes a third
    of a step of the smallest shape."""
    first, second = ([torch.zeros_like(p) for p in parameters] for _ in range(2))
    count = torch.zeros(())
    counts = [count] * len(parameters)

    @torch.no_grad()
    def update(gradient):
        count.add_(1)
        torch._fused_adam_(parameters, gradient, first, second, [], counts, lr=step.rate,
                           beta1=step.beta1, beta2=step.beta2, eps=step.epsilon, weight_decay=0,
                           amsgrad=False, maximize=False)

    return update


def flat_adam(step, parameters):
    """Where there is no fused kernel: all parameters become views of one array."""
    flat = torch.cat([p.detach().flatten() for p in parameters])
    for p, part in zip(parameters, flat.split([p.numel() for p in parameters])):
        p.data = part.view_as(p)
    first, second = torch.zeros_like(flat), torch.zeros_like(flat)
    count = 0

    @torch.no_grad()
    def update(gradient):
        nonlocal count
        count += 1
        correction = math.sqrt(1 - step.beta2 ** count)
        gradient = torch.cat([g.view(-1) for g in gradient])
        first.lerp_(gradient, 1 - step.beta1)
        second.mul_(step.beta2).addcmul_(gradient, gradient, value=1 - step.beta2)
        flat.addcdiv_(first, second.sqrt().add_(step.epsilon * correction),
                      value=-step.rate * correction / (1 - step.beta1 ** count))

    return update


def make_eager(step, loss, x, y, make_adam):
    named = leaves(step)
    parameters = list(named.values())
    adam = make_adam(step, parameters)
    beta = np.random.default_rng(1).beta  # a number at once, where torch.distributions takes 40 µs
    noise = torch.empty(step.noise.shape)

    def run(steps):
        for _ in range(steps):
            partner, lam = None, None
            if step.method != "erm":
                partner, lam = torch.randperm(step.rows), beta(common.ALPHA, common.ALPHA)
            if step.random_embedding:
                noise.normal_()
            adam(torch.autograd.grad(loss(named, x, y, partner, lam, noise), parameters))
        return steps

    return run


def make_compiled(step, loss, x, y):
    """One graph for the whole step: torch.func.grad, as a graph cannot hold a backward()."""
    parameters = {k: torch.tensor(v) for k, v in step.parameters.items()}
    first, second = ({k: torch.zeros_like(v) for k, v in parameters.items()} for _ in range(2))
    count, lam = torch.zeros(()), torch.zeros(())
    beta = np.random.default_rng(1).beta
    gradient_of = torch.func.grad(loss)

    @torch.compile(fullgraph=True, dynamic=False, options=OPTIONS)
    def update(parameters, first, second, count, lam):
        partner = torch.randperm(step.rows) if step.method != "erm" else None
        noise = torch.randn(step.noise.shape) if step.random_embedding else None
        gradient = gradient_of(parameters, x, y, partner, lam, noise)
        count += 1
        correction = (-torch.expm1(count * math.log(step.beta2))).sqrt()  # sqrt(1 - beta2^count)
        rate = step.rate * correction / -torch.expm1(count * math.log(step.beta1))
        for name, p in parameters.items():
            m = first[name].lerp_(gradient[name], 1 - step.beta1)
            v = second[name].mul_(step.beta2).add_((1 - step.beta2) * gradient[name].square())
            p.sub_(rate * m / (v.sqrt() + step.epsilon * correction))

    def run(steps):
        with torch.no_grad():
            for _ in range(steps):
                lam.fill_(beta(common.ALPHA, common.ALPHA))
                update(parameters, first, second, count, lam)
        return steps

    return run


def prepare(step):
    x, y = torch.from_numpy(step.x), torch.from_numpy(step.y)
    loss = make_loss(step)
    drawn = (torch.from_numpy(step.partner), step.lam, torch.from_numpy(step.noise))
    parameters = leaves(step)
    found = loss(parameters, x, y, *drawn)
    gradient = torch.autograd.grad(found, list(parameters.values()))
    common.check_step(f"PyTorch {torch.__version__}", step, found.detach(), gradient)
    variants = {"eager": make_eager(step, loss, x, y, optim_adam),
                "by hand": make_eager(step, loss, x, y, fused_adam if COMPILES else flat_adam)}
    if COMPILES and step.arch == "mlp":  # a graph of a sequence takes minutes to compile
        torch.compiler.reset()
        variants["compiled"] = make_compiled(step, loss, x, y)
    return variants


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    torch.set_num_threads(parser.parse_args().threads)
    torch.manual_seed(1)
    # Inductor searches LIBDIR first, where Debian may have a libtorch of its own.
    sysconfig.get_config_vars()["LIBDIR"] = str(pathlib.Path(torch.__file__).parent / "lib")
    variants = ("eager", "by hand", "compiled") if COMPILES else ("eager", "by hand")
    name = "PyTorch " + ".".join(torch.__version__.split(".")[:2])
    common.serve({"torch": torch.__version__, "python": platform.python_version()},
                 {v: f"{name} {v}" for v in variants}, prepare)


if __name__ == "__main__":
    main()
