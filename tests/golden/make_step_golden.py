#!/usr/bin/env python3
"""Golden values of the whole training step: loss and gradient of all parameters by autograd.

    /usr/bin/python3 make_step_golden.py        # writes step_golden.json beside this file

Needs PyTorch (made with 1.13). Nothing here knows natural parameters or a backward pass: a network
is a torch.nn.Module, a density is one of torch.distributions, and two of them are pooled by the
classical formula of their family.

"inputs" holds the data and everything random of a step, flat and row by row: B pairs, K draws, A
atoms of a target. A case takes the first numbers of each list that it needs: parameters, "lambda"
and "component" as [B, K], "noise" as [B, K, width of the embedding], and of its family "weight" as
[B, K, A] and "y" as [B, K, A, responses]. Pair b is (rows[b], rows[partner[b]]).
"""
import itertools
import json
import pathlib

import torch
from torch import distributions as td
from torch import nn

FEATURES, HIDDEN = 3, (6, 5)  # the embedding is the first hidden layer
ROWS = [3, 0, 5, 1, 6, 2, 7]  # of 8; those after the first five only serve as partners
PARTNER = [5, 0, 2, 6, 5]  # outside of the batch, within it, itself
COMPONENT = [1, 0, 0, 1, 0, 0, 1, 1, 0, 1]  # linear pooling: z from i (1) or from j (0)
B, MAX_K = len(PARTNER), 2

EMBEDDING = {"erm": "point", "mix": "point", "m-mix": "point", "probmix": "point",
             "m-probmix": "gaussian", "m-probmix-star": "gaussian_separate"}
PROBABILISTIC = ("probmix", "m-probmix", "m-probmix-star")

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)


def rounded(tensor):
    return torch.round(tensor, decimals=6)


# Networks ----------------------------------------------------------------------------------------


class Fork(nn.Module):
    def __init__(self, left, right):
        super().__init__()
        self.left, self.right = left, right

    def forward(self, x):
        return torch.cat([self.left(x), self.right(x)], -1)


class Constant(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.value = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return self.value.expand(*x.shape[:-1], -1)


class FirstTanh(nn.Module):
    """Of the first numbers alone: the mean of an embedding, whose log-variance follows."""

    def __init__(self, count):
        super().__init__()
        self.count = count

    def forward(self, x):
        return torch.cat([x[..., :self.count].tanh(), x[..., self.count:]], -1)


class Network(nn.Module):
    def __init__(self, embedding, outputs, constants, mean="activated"):
        super().__init__()
        z, width = HIDDEN
        if embedding == "gaussian_separate":
            z //= 2
        activation = FirstTanh(z) if mean == "activated" else nn.Identity()
        if embedding == "point":
            self.encoder = nn.Sequential(nn.Linear(FEATURES, z), activation)
        elif embedding == "gaussian":
            self.encoder = nn.Sequential(nn.Linear(FEATURES, 2 * z), activation)
        else:
            variance = nn.Sequential(nn.Linear(FEATURES, z), nn.Tanh(), nn.Linear(z, z))
            self.encoder = Fork(nn.Sequential(nn.Linear(FEATURES, z), activation), variance)
        last = nn.Linear(width, outputs - constants)
        if constants:
            last = Fork(last, Constant(constants))
        self.decoder = nn.Sequential(nn.Linear(z, width), nn.Tanh(), last)

    def forward(self, x):
        return self.decoder(self.encoder(x))


# Densities ---------------------------------------------------------------------------------------


def pool(lam, p, q):
    """The normalised p^lam q^(1-lam)."""
    def line(a, b):
        return lam * a + (1 - lam) * b

    def power(a, b):
        return a ** lam * b ** (1 - lam)

    if isinstance(p, td.LogNormal):
        pooled = pool(lam, p.base_dist, q.base_dist)
        return td.LogNormal(pooled.mean, pooled.stddev)
    if isinstance(p, td.Normal):  # precisions add up, and weigh the means
        w_p, w_q = lam / p.variance, (1 - lam) / q.variance
        return td.Normal((w_p * p.mean + w_q * q.mean) / (w_p + w_q), (w_p + w_q) ** -0.5)
    if isinstance(p, td.MultivariateNormal):
        share = lam.unsqueeze(-1)
        w_p, w_q = share * p.precision_matrix, (1 - share) * q.precision_matrix
        pulls = w_p @ p.mean.unsqueeze(-1) + w_q @ q.mean.unsqueeze(-1)
        return td.MultivariateNormal(torch.linalg.solve(w_p + w_q, pulls).squeeze(-1),
                                     precision_matrix=w_p + w_q)
    if isinstance(p, td.Categorical):
        return td.Categorical(power(p.probs, q.probs))
    if isinstance(p, td.Bernoulli):
        one, zero = power(p.probs, q.probs), power(1 - p.probs, 1 - q.probs)
        return td.Bernoulli(one / (one + zero))
    if isinstance(p, td.Poisson):
        return td.Poisson(power(p.rate, q.rate))
    if isinstance(p, td.Gamma):
        return td.Gamma(line(p.concentration, q.concentration), line(p.rate, q.rate))
    return td.Beta(line(p.concentration1, q.concentration1),
                   line(p.concentration0, q.concentration0))


def log_density(p, y):
    if isinstance(p, td.Categorical):
        return p.log_prob(y.squeeze(-1))
    if isinstance(p, td.MultivariateNormal):
        return p.log_prob(y)
    return p.log_prob(y).sum(-1)


class Family:
    """A family with its options, and targets of A weighted atoms, shapes [B, K, A(, responses)]."""

    def __init__(self, family, responses=1, classes=2, homoscedastic=False, positive="exp",
                 floor=1e-4, atoms=1):
        self.family, self.d = family, responses
        self.kind, self.floor = positive, floor
        self.options = {"responses": responses, "classes": classes, "homoscedastic": homoscedastic,
                        "positive": positive, "floor": floor}
        self.constants = int(homoscedastic)
        self.outputs = {"gaussian": responses + 1 if homoscedastic else 2 * responses,
                        "gaussian-full": 2 * responses + responses * (responses - 1) // 2,
                        "categorical": classes, "gamma": 2, "beta": 2, "lognormal": 2}.get(family, 1)
        finite = family in ("categorical", "bernoulli")
        shape = (B, MAX_K, classes if finite else atoms)
        if finite:  # soft labels: an atom for each class
            self.y = torch.arange(float(classes)).expand(shape).unsqueeze(-1)
        else:
            into = {"poisson": torch.exp, "gamma": torch.exp, "lognormal": torch.exp, "beta": torch.sigmoid}
            self.y = rounded(into.get(family, lambda v: v)(torch.randn(*shape, responses)))
        self.weight = rounded(td.Dirichlet(torch.ones(shape)).sample())
        self.weight[0, 0] = torch.eye(shape[2])[0]  # a hard label
        self.weight[..., -1] = rounded(1 - self.weight[..., :-1].sum(-1))

    def positive(self, x):
        return (x.exp() if self.kind == "exp" else nn.functional.softplus(x)) + self.floor

    def density(self, out):
        if self.family == "gaussian":
            return td.Normal(out[..., :self.d], self.positive(out[..., self.d:]).sqrt())
        if self.family == "gaussian-full":  # two responses; the first given the second
            mean, dependence = out[..., :2], out[..., 4]
            root_1, root_2 = self.positive(out[..., 2:4]).rsqrt().unbind(-1)
            dependence = dependence / (1 + (dependence / 32) ** 2).sqrt()
            whiten = torch.stack([torch.stack([root_1, -dependence * root_2], -1),
                                  torch.stack([torch.zeros_like(root_2), root_2], -1)], -2)
            return td.MultivariateNormal(mean, precision_matrix=whiten.mT @ whiten)
        if self.family == "categorical":
            return td.Categorical(logits=out)
        if self.family == "bernoulli":
            return td.Bernoulli(logits=out)
        if self.family == "poisson":
            return td.Poisson(out.exp())
        if self.family == "lognormal":
            return td.LogNormal(out[..., :1], self.positive(out[..., 1:]).sqrt())
        first, second = out[..., :1], self.positive(out[..., 1:])
        if self.family == "gamma":
            return td.Gamma(second, second / self.positive(first))
        mean = first.sigmoid()
        return td.Beta(mean * second, (1 - mean) * second)


# The step ----------------------------------------------------------------------------------------


def embedding_density(v):
    mean, log_variance = v.chunk(2, -1)
    return td.Normal(mean, (log_variance / 2).exp())


def outputs(network, inputs, method, pooling, draws):
    """Of the mixed inputs or embeddings, [B, K, outputs]."""
    def line(v):
        return lam * v[:B, None] + (1 - lam) * v[PARTNER][:, None]

    x = inputs["x"][ROWS]
    lam = inputs["lambda"][:B * draws].view(B, draws, 1)
    if method == "erm":
        return network(x[:B, None].expand(-1, draws, -1))
    if method == "mix":
        return network(line(x))
    v = network.encoder(x)
    if method == "m-mix":
        return network.decoder(line(v))
    v_i, v_j = v[:B, None], v[PARTNER][:, None]
    if pooling == "log-linear":
        q = pool(lam, embedding_density(v_i), embedding_density(v_j))
    else:
        from_i = inputs["component"][:B * draws].view(B, draws, 1) == 1
        q = embedding_density(torch.where(from_i, v_i, v_j))
    width = q.mean.shape[-1]
    noise = inputs["noise"][:B * draws * width].view(B, draws, width)
    return network.decoder(q.mean + q.stddev * noise)


def log_likelihoods(network, inputs, family, method, pooling, draws, y):
    """Of all atoms, [B, K, A]."""
    if method != "probmix":
        out = outputs(network, inputs, method, pooling, draws)
        return log_density(family.density(out.unsqueeze(2)), y)
    out = network(inputs["x"][ROWS])
    p_i, p_j = (family.density(o[:, None, None]) for o in (out[:B], out[PARTNER]))
    lam = inputs["lambda"][:B * draws].view(B, draws, 1)
    if pooling == "log-linear":
        return log_density(pool(lam.unsqueeze(-1), p_i, p_j), y)
    return torch.logaddexp(lam.log() + log_density(p_i, y), (1 - lam).log() + log_density(p_j, y))


def step(inputs, family, method, pooling, criterion, draws, mean):
    network = Network(EMBEDDING[method], family.outputs, family.constants, mean)
    count = sum(p.numel() for p in network.parameters())
    nn.utils.vector_to_parameters(inputs["parameters"][:count].clone(), network.parameters())
    y, weight = (t.flatten(0, 1)[:B * draws].unflatten(0, (B, draws))
                 for t in (family.y, family.weight))
    log_p = log_likelihoods(network, inputs, family, method, pooling, draws, y)
    if criterion == "mean-log":
        loss = -(weight * log_p).sum(2).mean(1).mean()
    else:
        loss = -(weight * log_p.exp()).sum(2).mean(1).log().mean()
    gradient = torch.autograd.grad(loss, network.parameters())
    return {"loss": loss.item(), "gradient": nn.utils.parameters_to_vector(gradient).tolist()}


# The cases ---------------------------------------------------------------------------------------

def added(*args, **options):
    """A family that came later: the random numbers of all others stay as they were."""
    with torch.random.fork_rng():
        return Family(*args, **options)


FAMILIES = {
    "gaussian": Family("gaussian"),
    "gaussian_softplus": Family("gaussian", positive="softplus", floor=3e-3),
    "gaussian_two_responses": Family("gaussian", responses=2, atoms=2),
    "gaussian_two_responses_softplus": Family("gaussian", responses=2, positive="softplus",
                                              floor=1e-2),
    "gaussian_homoscedastic": Family("gaussian", responses=2, homoscedastic=True),
    "categorical": Family("categorical", classes=3),
    "bernoulli": Family("bernoulli"),
    "poisson": Family("poisson"),
    "gamma": Family("gamma"),
    "beta": Family("beta", positive="softplus", floor=1e-2),
    "gaussian_full": added("gaussian-full", responses=2, atoms=2),
}
with torch.random.fork_rng():  # added later: the random numbers of the others stay as they were
    FAMILIES["lognormal"] = Family("lognormal", positive="softplus", floor=1e-2)
FULL = ("gaussian", "categorical")  # every criterion with every K; the other families with two combinations


def settings():
    for name, method in itertools.product(FAMILIES, EMBEDDING):
        poolings = ["log-linear", "linear"] if method in PROBABILISTIC else ["log-linear"]
        for pooling, criterion, draws in itertools.product(poolings, ["mean-log", "log-mean"],
                                                           range(1, MAX_K + 1)):
            if name in FULL or (criterion == "log-mean") == (draws > 1):
                means = ["activated", "linear"] if name in FULL else ["activated"]
                for mean in means:
                    yield {"family": name, "method": method, "pooling": pooling,
                           "criterion": criterion, "draws": draws}, mean


def main():
    td.Distribution.set_default_validate_args(False)  # soft counts of the Poisson
    lam = rounded(torch.rand(B * MAX_K))
    lam[[2, 7]] = torch.tensor([1.0, 0.0])
    widest = Network("gaussian", 4, 0)
    inputs = {
        "x": rounded(torch.randn(8, FEATURES)),
        "lambda": lam,
        "component": torch.tensor(COMPONENT),
        "noise": rounded(torch.randn(B * MAX_K * HIDDEN[0])),
        "parameters": rounded(0.5 * torch.randn(sum(p.numel() for p in widest.parameters()))),
    }
    more = HIDDEN[1] + 1  # for a fifth output; at the end, so that the others stay as they were
    inputs["parameters"] = torch.cat([inputs["parameters"], rounded(0.5 * torch.randn(more))])
    cases = [{**s, "embedding-mean": mean,
              **step(inputs, mean=mean, **{**s, "family": FAMILIES[s["family"]]})}
             for s, mean in settings()]
    families = {name: {"family": f.family, "options": f.options,
                       "atoms": f.weight.shape[-1], "weight": f.weight.flatten().tolist(),
                       "y": f.y.flatten().tolist()} for name, f in FAMILIES.items()}
    flat = {key: value.flatten().tolist() for key, value in inputs.items()}

    def lines(items):  # one each, so that a change shows in a diff
        return ",\n  ".join(items)
    text = '{{"inputs": {{\n  {}}},\n "families": {{\n  {}}},\n "cases": [\n  {}]}}\n'.format(
        lines(f'"{k}": {json.dumps(v)}' for k, v in
              {**flat, "rows": ROWS, "partner": PARTNER}.items()),
        lines(f'"{k}": {json.dumps(v)}' for k, v in families.items()),
        lines(json.dumps(case) for case in cases))
    pathlib.Path(__file__).with_name("step_golden.json").write_text(text)


if __name__ == "__main__":
    main()
