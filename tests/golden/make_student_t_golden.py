#!/usr/bin/env python3
"""Golden values of Student's t, from mpmath (50 digits) and scipy.stats (made with SciPy 1.17).

    python3 make_student_t_golden.py        # writes student_t_golden.json beside this file

Laid out as family_golden.json, without log-linear pooling, which the family does not have.
"""
import json
import pathlib
import random

import mpmath as mp
from scipy import stats

LAMBDAS = [0.0, 0.25, 0.5, 0.9, 1.0]
PROBABILITIES = [1e-6, 0.025, 0.5, 0.8, 0.999]
mp.mp.dps = 50


class Entry:
    def __init__(self, responses=1, positive="exp", floor=1e-4):
        self.d, self.kind, self.floor = responses, positive, floor
        self.options = {"responses": responses, "classes": 2, "homoscedastic": False, "positive": positive,
                        "floor": floor}

    def laws(self, out):
        """(location, scale, degrees of freedom) of each response."""
        def softplus(x):
            return mp.log(1 + mp.exp(x))
        d = self.d
        return [(out[k], mp.sqrt((mp.exp if self.kind == "exp" else softplus)(out[d + k]) + self.floor),
                 mp.mpf("2.1") + 3 * softplus(out[2 * d + k])) for k in range(d)]

    def log_density(self, out, y):
        total = mp.mpf(0)
        for (mu, scale, nu), v in zip(self.laws(out), y):
            z = (v - mu) / scale
            total += (mp.loggamma((nu + 1) / 2) - mp.loggamma(nu / 2) - mp.log(nu * mp.pi) / 2 - mp.log(scale)
                      - (nu + 1) / 2 * mp.log(1 + z * z / nu))
        return total

    def draw_outputs(self, rng):
        return [mp.mpf(rng.gauss(0, 1.2)) for _ in range(3 * self.d)]

    def scipy_laws(self, out):
        return [stats.t(float(nu), float(mu), float(scale)) for mu, scale, nu in self.laws(out)]

    def draw_response(self, out, rng):
        return [mp.mpf(float(law.ppf(rng.uniform(0.02, 0.98)))) for law in self.scipy_laws(out)]


def gradient(loss, at):
    return [mp.diff(lambda v, k=k: loss(at[:k] + [v] + at[k + 1:]), at[k]) for k in range(len(at))]


def numbers(values):
    return [float(v) for v in values]


def single(entry, rng):
    out = entry.draw_outputs(rng)
    y = entry.draw_response(out, rng)
    def loss(o):
        return -entry.log_density(o, y)
    return {"out": numbers(out), "y": numbers(y), "nll": float(loss(out)), "dout": numbers(gradient(loss, out))}


def linear(entry, lam, rng):
    out_i, out_j = entry.draw_outputs(rng), entry.draw_outputs(rng)
    y = entry.draw_response(out_i if rng.random() < 0.5 else out_j, rng)
    lam = mp.mpf(lam)
    def loss(i, j):
        return -mp.log(lam * mp.exp(entry.log_density(i, y)) + (1 - lam) * mp.exp(entry.log_density(j, y)))
    return {"lambda": float(lam), "out_i": numbers(out_i), "out_j": numbers(out_j), "y": numbers(y),
            "nll": float(loss(out_i, out_j)),
            "dout_i": numbers(gradient(lambda i: loss(i, out_j), out_i)),
            "dout_j": numbers(gradient(lambda j: loss(out_i, j), out_j))}


def distribution(entry, rng):
    out = entry.draw_outputs(rng)
    laws = entry.scipy_laws(out)
    quantiles = [[k, u, float(law.ppf(u))] for k, law in enumerate(laws) for u in PROBABILITIES]
    return {"out": numbers(out), "mean": [float(law.mean()) for law in laws],
            "variance": [float(law.var()) for law in laws],
            "cdf": [[k, y, float(laws[k].cdf(y))] for k, _, y in quantiles], "quantile": quantiles}


def golden(entry, seed):
    rng = random.Random(seed)
    return {"family": "student-t", "options": entry.options,
            "single": [single(entry, rng) for _ in range(8)],
            "linear": [linear(entry, lam, rng) for lam in LAMBDAS],
            "distribution": [distribution(entry, rng) for _ in range(4)]}


def main():
    document = {"student_t": golden(Entry(), 1),
                "student_t_softplus": golden(Entry(positive="softplus", floor=3e-3), 2),
                "student_t_two_responses": golden(Entry(responses=2), 3)}
    path = pathlib.Path(__file__).with_name("student_t_golden.json")
    path.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
