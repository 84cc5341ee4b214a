#!/usr/bin/env python3
"""Golden values of the exponential families, from torch.distributions and scipy.stats.

    python3 make_family_golden.py        # writes family_golden.json beside this file

Needs PyTorch (made with 1.13) and SciPy (made with 1.10). Nothing here knows natural parameters:
a pooled density is written with the classical parameters of its family, and each is compared with
p_i^lambda p_j^(1-lambda) normalised by numerical integration or summation.

Per entry: "family" and "options" for make_family; "single", "log_linear" and "linear" with the
negative log likelihood "nll" and its gradient "dout" by autograd; "distribution" with moments,
"cdf" as [column, y, value] and "quantile" as [column, u, value].
"""
import json
import math
import pathlib
import random

import numpy as np
import torch
from scipy import special, stats
from torch import distributions as td

LAMBDAS = [0.0, 0.25, 0.5, 0.9, 1.0] * 2
PROBABILITIES = [1e-6, 0.025, 0.5, 0.8, 0.999]
torch.set_default_dtype(torch.float64)


class Entry:
    """One family with options; a density is a dict of classical parameters, each a torch vector."""

    def __init__(self, family, scale=1.2, centre=(0, 0), responses=1, classes=2, homoscedastic=False, positive="exp",
                 floor=1e-4):
        self.family, self.d, self.c = family, responses, classes
        self.scale, self.centre = scale, centre  # of the random outputs (first, others)
        self.homoscedastic, self.kind, self.floor = homoscedastic, positive, floor
        self.options = {"responses": responses, "classes": classes, "homoscedastic": homoscedastic,
                        "positive": positive, "floor": floor}

    def positive(self, x):
        return (torch.exp(x) if self.kind == "exp" else torch.nn.functional.softplus(x)) + self.floor

    def outputs(self):
        if self.family == "gaussian":
            return self.d + 1 if self.homoscedastic else 2 * self.d
        return {"categorical": self.c, "gamma": 2, "beta": 2}.get(self.family, 1)

    def density(self, out):
        if self.family == "gaussian":
            return {"mean": out[: self.d],
                    "variance": self.positive(out[self.d:]).expand(self.d)}
        if self.family == "categorical":
            return {"log_p": torch.log_softmax(out, 0)}
        if self.family == "bernoulli":
            return {"log_p": torch.nn.functional.logsigmoid(torch.cat([-out, out]))}
        if self.family == "poisson":
            return {"rate": torch.exp(out)}
        if self.family == "gamma":
            mean, shape = self.positive(out[:1]), self.positive(out[1:])
            return {"shape": shape, "rate": shape / mean}
        mean, concentration = torch.sigmoid(out[:1]), self.positive(out[1:])
        return {"a": mean * concentration, "b": (1 - mean) * concentration}

    def pool(self, lam, i, j):
        """The normalised p_i^lam p_j^(1-lam) in classical parameters."""
        def line(key):
            return lam * i[key] + (1 - lam) * j[key]
        if self.family == "gaussian":  # precision-weighted mean
            wi, wj = lam / i["variance"], (1 - lam) / j["variance"]
            return {"mean": (wi * i["mean"] + wj * j["mean"]) / (wi + wj), "variance": 1 / (wi + wj)}
        if "log_p" in i:
            return {"log_p": torch.log_softmax(line("log_p"), 0)}
        if self.family == "poisson":  # geometric mean of the rates
            return {"rate": i["rate"] ** lam * j["rate"] ** (1 - lam)}
        return {key: line(key) for key in i}  # exponents of y, of e^-y, of 1 - y

    def torch_law(self, p):
        if self.family == "gaussian":
            return td.Independent(td.Normal(p["mean"], p["variance"].sqrt()), 1)
        if "log_p" in p:
            return td.Categorical(logits=p["log_p"])
        if self.family == "poisson":
            return td.Independent(td.Poisson(p["rate"]), 1)
        if self.family == "gamma":
            return td.Independent(td.Gamma(p["shape"], p["rate"]), 1)
        return td.Independent(td.Beta(p["a"], p["b"]), 1)

    def log_density(self, p, y):
        value = torch.tensor(int(y[0])) if "log_p" in p else torch.tensor(y)
        return self.torch_law(p).log_prob(value)

    def scipy_laws(self, p):
        """One law of scipy.stats per response column."""
        p = {key: value.detach().numpy() for key, value in p.items()}
        if self.family == "gaussian":
            return [stats.norm(m, s) for m, s in zip(p["mean"], np.sqrt(p["variance"]))]
        if "log_p" in p:
            return [stats.rv_discrete(values=(range(len(p["log_p"])), np.exp(p["log_p"])))]
        if self.family == "poisson":
            return [stats.poisson(p["rate"][0])]
        if self.family == "gamma":
            return [stats.gamma(p["shape"][0], scale=1 / p["rate"][0])]
        return [stats.beta(p["a"][0], p["b"][0])]

    def draw_outputs(self, rng):
        return torch.tensor([rng.gauss(self.centre[k > 0], self.scale)
                             for k in range(self.outputs())],
                            requires_grad=True)

    def draw_response(self, out, rng):
        laws = self.scipy_laws(self.density(out))
        return [float(law.ppf(rng.uniform(0.02, 0.98))) for law in laws]


def log_mass(law, y):
    return law.logpmf(y) if hasattr(law, "logpmf") else law.logpdf(y)


# Where the trapezoid rule of check_pooled is exact: coordinate v of y, y of v, dy/dv at y, and the
# range of v in which a double holds y.
COORDINATES = {
    "gaussian": (lambda y: y, lambda v: v, lambda y: 1, (-1e3, 1e3)),
    "gamma": (np.log, np.exp, lambda y: y, (-650, 650)),
    "beta": (special.logit, special.expit, lambda y: y * (1 - y), (-650, 36)),
}


def check_pooled(entry, lam, i, j, y, nll):
    """The theorem itself: pooling by numerical normalisation gives the same density."""
    total = 0.0
    for law_i, law_j, y_k in zip(entry.scipy_laws(i), entry.scipy_laws(j), y):
        def log_power(t):
            return lam * log_mass(law_i, t) + (1 - lam) * log_mass(law_j, t)
        if entry.family in ("categorical", "bernoulli", "poisson"):
            top = entry.c if entry.family != "poisson" else 4000
            mass = np.exp(log_power(np.arange(top))).sum()
        else:
            to, back, slope, bounds = COORDINATES[entry.family]
            ends = [to(law.ppf(u)) for law in (law_i, law_j) for u in (1e-15, 1 - 1e-15)]
            v = np.linspace(*np.clip([min(ends), max(ends)], *bounds), 20001)
            mass = np.trapz(np.exp(log_power(back(v))) * slope(back(v)), v)
        total += log_power(y_k) - math.log(mass)
    assert abs(total + nll) < 1e-5 * max(1, abs(nll)), (entry.family, lam, total, -nll)


def numbers(tensor):
    return tensor.detach().numpy().tolist()


def single(entry, rng):
    out = entry.draw_outputs(rng)
    y = entry.draw_response(out, rng)
    nll = -entry.log_density(entry.density(out), y)
    nll.backward()
    return {"out": numbers(out), "y": y, "nll": nll.item(), "dout": numbers(out.grad)}


def pooled(entry, lam, rng, linear):
    out_i, out_j = entry.draw_outputs(rng), entry.draw_outputs(rng)
    y = entry.draw_response(out_i if rng.random() < 0.5 else out_j, rng)
    i, j = entry.density(out_i), entry.density(out_j)
    if linear:
        log_weights = torch.tensor([lam, 1 - lam]).log()
        members = torch.stack([entry.log_density(i, y), entry.log_density(j, y)])
        nll = -torch.logsumexp(log_weights + members, 0)
    else:
        nll = -entry.log_density(entry.pool(lam, i, j), y)
        check_pooled(entry, lam, i, j, y, nll.item())
    nll.backward()
    return {"lambda": lam, "out_i": numbers(out_i), "out_j": numbers(out_j), "y": y,
            "nll": nll.item(), "dout_i": numbers(out_i.grad), "dout_j": numbers(out_j.grad)}


def distribution(entry, rng):
    out = entry.draw_outputs(rng)
    p = entry.density(out)
    laws = entry.scipy_laws(p)
    if entry.family == "categorical":  # of the one-hot vector
        mean = np.exp(p["log_p"].detach().numpy())
        variance = mean * (1 - mean)
    else:
        mean, variance = ([float(m) for m in moment] for moment in
                          zip(*(law.stats(moments="mv") for law in laws)))
    quantiles = [[k, u, float(law.ppf(u))] for k, law in enumerate(laws) for u in PROBABILITIES]
    cdf = [[k, y, float(laws[k].cdf(y))] for k, _, y in quantiles]
    return {"out": numbers(out), "mean": list(mean), "variance": list(variance), "cdf": cdf,
            "quantile": quantiles}


def golden(entry, seed):
    rng = random.Random(seed)
    return {
        "family": entry.family,
        "options": entry.options,
        "single": [single(entry, rng) for _ in range(8)],
        "log_linear": [pooled(entry, lam, rng, linear=False) for lam in LAMBDAS],
        "linear": [pooled(entry, lam, rng, linear=True) for lam in LAMBDAS],
        "distribution": [distribution(entry, rng) for _ in range(4)],
    }


ENTRIES = {
    "gaussian": Entry("gaussian"),
    "gaussian_softplus": Entry("gaussian", positive="softplus", floor=3e-3),
    "gaussian_three_responses": Entry("gaussian", responses=3),
    "gaussian_homoscedastic": Entry("gaussian", responses=2, homoscedastic=True),
    "categorical": Entry("categorical", classes=4, scale=2),
    "bernoulli": Entry("bernoulli", scale=2),
    "poisson": Entry("poisson", scale=2),
    "gamma": Entry("gamma"),
    "gamma_softplus": Entry("gamma", positive="softplus", floor=1e-2),
    "beta": Entry("beta", scale=0.7, centre=(0, 2)),
    "beta_softplus": Entry("beta", scale=0.7, centre=(0, 2), positive="softplus", floor=1e-2),
}


def main():
    document = {name: golden(entry, seed) for seed, (name, entry) in enumerate(ENTRIES.items(), 1)}
    lines = ["{"]  # one row per line, so that a change shows in a diff
    for n, (name, entry) in enumerate(document.items()):
        lines.append(f"{json.dumps(name)}: {{")
        fields = []
        for key, value in entry.items():
            rows = ",\n  ".join(json.dumps(row) for row in value) if isinstance(value, list) else None
            fields.append(f" {json.dumps(key)}: " + (f"[\n  {rows}]" if rows else json.dumps(value)))
        lines.append(",\n".join(fields))
        lines.append("}" + ("," if n + 1 < len(document) else ""))
    lines.append("}")
    pathlib.Path(__file__).with_name("family_golden.json").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
