#!/usr/bin/env python3
"""Golden values of the lognormal, negative binomial, zero-inflated and Gaussian-mixture densities.

    python3 make_density_golden.py        # writes density_golden.json beside this file

From mpmath (50 digits) and scipy.stats (made with SciPy 1.17), laid out as family_golden.json. A pooled
lognormal density is p_i^lambda p_j^(1-lambda), normalised by numerical integration.
"""
import json
import pathlib
import random

import mpmath as mp
import numpy as np
from scipy import optimize, stats

from make_student_t_golden import LAMBDAS, distribution, gradient, linear, numbers, single


class Entry:
    """Outputs of the network to a density; subclasses say which."""
    outputs, scale, extra = 2, 1.0, {}

    def __init__(self, positive="exp", floor=1e-4):
        self.kind, self.floor = positive, floor
        self.options = {"responses": 1, "classes": 2, "homoscedastic": False, "positive": positive, "floor": floor,
                        **self.extra}

    def positive(self, x):
        return (mp.exp(x) if self.kind == "exp" else mp.log(1 + mp.exp(x))) + self.floor

    def draw_outputs(self, rng):
        return [mp.mpf(rng.gauss(0, self.scale)) for _ in range(self.outputs)]

    def scipy_laws(self, out):
        return [self.law(out)]

    def draw_response(self, out, rng):
        return [mp.mpf(float(self.law(out).ppf(rng.uniform(0.02, 0.98))))]


class Lognormal(Entry):
    family = "lognormal"

    def log_density(self, out, y):
        variance, v = self.positive(out[1]), mp.log(y[0])
        return -v - mp.log(2 * mp.pi * variance) / 2 - (v - out[0]) ** 2 / (2 * variance)

    def law(self, out):
        return stats.lognorm(float(mp.sqrt(self.positive(out[1]))), scale=float(mp.exp(out[0])))


class NegativeBinomial(Entry):
    family = "negative-binomial"

    def log_density(self, out, y):
        m, r, y = mp.exp(out[0]), self.positive(out[1]), y[0]
        return (mp.loggamma(y + r) - mp.loggamma(r) - mp.loggamma(y + 1) + r * mp.log(r / (r + m))
                + y * mp.log(m / (r + m)))

    def law(self, out):
        m, r = mp.exp(out[0]), self.positive(out[1])
        return stats.nbinom(float(r), float(r / (r + m)))


class Poisson(Entry):
    outputs = 1

    def log_density(self, out, y):
        return y[0] * out[0] - mp.exp(out[0]) - mp.loggamma(y[0] + 1)

    def law(self, out):
        return stats.poisson(float(mp.exp(out[0])))


class Gamma(Entry):
    def log_density(self, out, y):
        m, a = self.positive(out[0]), self.positive(out[1])
        return a * mp.log(a / m) - mp.loggamma(a) + (a - 1) * mp.log(y[0]) - a / m * y[0]

    def law(self, out):
        m, a = self.positive(out[0]), self.positive(out[1])
        return stats.gamma(float(a), scale=float(m / a))


class ZeroInflatedLaw:
    """The law of scipy.stats with an extra share of zeros."""
    def __init__(self, base, extra):
        self.base, self.extra = base, extra

    def mean(self):
        return (1 - self.extra) * self.base.mean()

    def var(self):
        return (1 - self.extra) * (self.base.var() + self.extra * self.base.mean() ** 2)

    def cdf(self, y):
        return self.extra + (1 - self.extra) * self.base.cdf(y)

    def ppf(self, u):
        return 0.0 if u <= self.extra else max(self.base.ppf((u - self.extra) / (1 - self.extra)), 0.0)


class ZeroInflated(Entry):
    def __init__(self, base, family, **options):
        self.base, self.family, self.outputs = base(**options), family, base.outputs + 1
        super().__init__(**options)

    def log_density(self, out, y):
        extra = 1 / (1 + mp.exp(-out[-1]))
        is_count = isinstance(self.base, (Poisson, NegativeBinomial))
        of_base = mp.exp(self.base.log_density(out[:-1], y)) if y[0] > 0 or is_count else 0
        return mp.log((1 - extra) * of_base + (extra if y[0] == 0 else 0))

    def law(self, out):
        return ZeroInflatedLaw(self.base.law(out[:-1]), float(1 / (1 + mp.exp(-out[-1]))))


class MixtureLaw:
    def __init__(self, weights, laws):
        self.weights, self.laws = np.array(weights), laws

    def mean(self):
        return float(self.weights @ [law.mean() for law in self.laws])

    def var(self):
        return float(self.weights @ [law.var() + (law.mean() - self.mean()) ** 2 for law in self.laws])

    def cdf(self, y):
        return float(self.weights @ [law.cdf(y) for law in self.laws])

    def ppf(self, u):
        ends = [law.ppf(u) for law in self.laws]
        return optimize.brentq(lambda y: self.cdf(y) / u - 1, min(ends) - 1e-9, max(ends) + 1e-9, xtol=1e-14, rtol=1e-15)


class GaussianMixture(Entry):
    family = "gaussian-mixture"

    def __init__(self, components=3, **options):
        self.k, self.outputs, self.extra = components, 3 * components, {"components": components}
        super().__init__(**options)

    def parts(self, out):
        """(weight, mean, variance) of each component."""
        k = self.k
        total = mp.fsum(mp.exp(a) for a in out[2 * k:])
        return [(mp.exp(out[2 * k + c]) / total, out[c] + mp.mpf(2 * c + 1 - k) / k, self.positive(out[k + c]))
                for c in range(k)]

    def log_density(self, out, y):
        return mp.log(mp.fsum(w * mp.npdf(y[0], m, mp.sqrt(v)) for w, m, v in self.parts(out)))

    def law(self, out):
        parts = self.parts(out)
        return MixtureLaw([float(w) for w, _, _ in parts],
                          [stats.norm(float(m), float(mp.sqrt(v))) for _, m, v in parts])


def log_linear(entry, lam, rng):
    out_i, out_j = entry.draw_outputs(rng), entry.draw_outputs(rng)
    y = entry.draw_response(out_i if rng.random() < 0.5 else out_j, rng)
    lam = mp.mpf(lam)

    def loss(i, j):
        def log_power(t):
            return lam * entry.log_density(i, [t]) + (1 - lam) * entry.log_density(j, [t])
        ends = [float(mp.log(q)) for out in (i, j) for q in map(entry.law(out).ppf, (1e-9, 1 - 1e-9))]
        low, high = min(ends), max(ends)
        nodes = mp.linspace(3 * low - 2 * high, 3 * high - 2 * low, 41)  # of log y
        mass = mp.quad(lambda v: mp.exp(log_power(mp.exp(v)) + v), nodes)
        return mp.log(mass) - log_power(y[0])

    with mp.workdps(25):
        return {"lambda": float(lam), "out_i": numbers(out_i), "out_j": numbers(out_j), "y": numbers(y),
                "nll": float(loss(out_i, out_j)),
                "dout_i": numbers(gradient(lambda i: loss(i, out_j), out_i)),
                "dout_j": numbers(gradient(lambda j: loss(out_i, j), out_j))}


def golden(entry, seed):
    rng = random.Random(seed)
    tables = {"single": [single(entry, rng) for _ in range(8)]}
    if isinstance(entry, Lognormal):
        tables["log_linear"] = [log_linear(entry, lam, rng) for lam in LAMBDAS]
    return {"family": entry.family, "options": entry.options, **tables,
            "linear": [linear(entry, lam, rng) for lam in LAMBDAS],
            "distribution": [distribution(entry, rng) for _ in range(4)]}


SOFTPLUS = {"positive": "softplus", "floor": 1e-2}
BASES = {"poisson": Poisson, "negative-binomial": NegativeBinomial, "gamma": Gamma, "lognormal": Lognormal}
ENTRIES = {
    "lognormal": Lognormal(), "lognormal_softplus": Lognormal(**SOFTPLUS),
    "negative_binomial": NegativeBinomial(), "negative_binomial_softplus": NegativeBinomial(**SOFTPLUS),
    **{f"zero_inflated_{name}": ZeroInflated(base, f"zero-inflated-{name}") for name, base in BASES.items()},
    "zero_inflated_gamma_softplus": ZeroInflated(Gamma, "zero-inflated-gamma", **SOFTPLUS),
    "gaussian_mixture": GaussianMixture(), "gaussian_mixture_of_two": GaussianMixture(2, **SOFTPLUS),
}


def main():
    document = {name: golden(entry, seed) for seed, (name, entry) in enumerate(ENTRIES.items(), 1)}
    path = pathlib.Path(__file__).with_name("density_golden.json")
    path.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
