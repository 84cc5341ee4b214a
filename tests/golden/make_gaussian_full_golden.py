#!/usr/bin/env python3
"""Golden values of the Gaussian with a full covariance, from scipy.stats and mpmath (made with SciPy 1.17).

    python3 make_gaussian_full_golden.py        # writes gaussian_full_golden.json beside this file

Laid out as family_golden.json. Log-densities are those of scipy.stats.multivariate_normal, checked against
mpmath (50 digits), which differentiates them; a log-linear pool of two responses is also checked against
p_i^lambda p_j^(1-lambda), normalised by numerical integration. Covariances are inverted here: nothing knows
Cholesky factors of pooled precisions.
"""
import json
import pathlib
import random

import mpmath as mp
import numpy as np
from scipy import stats

LAMBDAS = [0.0, 0.25, 0.5, 0.9, 1.0]
PROBABILITIES = [1e-6, 0.025, 0.5, 0.8, 0.999]
LARGEST_DEPENDENCE = 32
mp.mp.dps = 50


class Entry:
    def __init__(self, responses, positive="exp", floor=1e-4, homoscedastic=False):
        self.d, self.kind, self.floor = responses, positive, floor
        self.options = {"responses": responses, "classes": 2, "homoscedastic": homoscedastic, "positive": positive,
                        "floor": floor}

    def law(self, out):
        """Mean and precision. Given the later responses, y_j/sigma_j has the mean sum_k c_kj y_k/sigma_k (for
        means of 0) and the variance 1, so (I - C)^T S y is standard normal."""
        d = self.d
        mean = mp.matrix(out[:d])
        def positive(x):
            return (mp.exp(x) if self.kind == "exp" else mp.log(1 + mp.exp(x))) + mp.mpf(self.floor)
        scale = mp.diag([1 / mp.sqrt(positive(s)) for s in out[d:2 * d]])
        dependence = mp.eye(d)
        rest = iter(out[2 * d:])
        for k in range(d):
            for j in range(k):
                o = next(rest)
                dependence[k, j] = -o / mp.sqrt(1 + (o / LARGEST_DEPENDENCE) ** 2)
        whiten = dependence.T * scale
        return mean, whiten.T * whiten

    def log_density(self, law, y):
        mean, precision = law
        residual = mp.matrix(y) - mean
        square = (residual.T * precision * residual)[0]
        return (mp.log(mp.det(precision)) - square - self.d * mp.log(2 * mp.pi)) / 2

    @staticmethod
    def pool(lam, i, j):
        """The normalised p_i^lam p_j^(1-lam): precisions add up, means weigh by them."""
        precision = lam * i[1] + (1 - lam) * j[1]
        return mp.lu_solve(precision, lam * i[1] * i[0] + (1 - lam) * j[1] * j[0]), precision

    def draw_outputs(self, rng):
        return [mp.mpf(rng.gauss(0, 1.2)) for _ in range(2 * self.d + self.d * (self.d - 1) // 2)]

    def draw_response(self, out, rng):
        law = to_scipy(self.law(out))
        draw = np.linalg.cholesky(law.cov) @ [rng.gauss(0, 1) for _ in range(self.d)]
        return [mp.mpf(float(v)) for v in law.mean + draw]


def to_scipy(law):
    mean, precision = (np.array(m.tolist(), dtype=float) for m in law)
    return stats.multivariate_normal(mean[:, 0], np.linalg.inv(precision))


def check_scipy(log_p, law, y):
    assert abs(float(log_p) - to_scipy(law).logpdf(numbers(y))) < 1e-9 * max(1, abs(log_p)), log_p


def check_pooled(lam, i, j, y, log_p):
    """The theorem itself, for two responses."""
    if len(y) != 2:
        return
    laws = [to_scipy(i), to_scipy(j)]
    axes = []
    for k in range(2):
        ends = [law.mean[k] + sign * 9 * np.sqrt(law.cov[k, k]) for law in laws for sign in (-1, 1)]
        axes.append(np.linspace(min(ends), max(ends), 2001))
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
    power = np.exp(lam * laws[0].logpdf(grid) + (1 - lam) * laws[1].logpdf(grid))
    mass = np.trapezoid(np.trapezoid(power, axes[1]), axes[0])
    at = [float(law.logpdf(numbers(y))) for law in laws]
    found = lam * at[0] + (1 - lam) * at[1] - np.log(mass)
    assert abs(found - float(log_p)) < 1e-5 * max(1, abs(found)), (lam, found, log_p)


def gradient(loss, at):
    return [mp.diff(lambda v, k=k: loss(at[:k] + [v] + at[k + 1:]), at[k]) for k in range(len(at))]


def numbers(values):
    return [float(v) for v in values]


def single(entry, rng):
    out = entry.draw_outputs(rng)
    y = entry.draw_response(out, rng)
    def loss(o):
        return -entry.log_density(entry.law(o), y)
    check_scipy(-loss(out), entry.law(out), y)
    return {"out": numbers(out), "y": numbers(y), "nll": float(loss(out)), "dout": numbers(gradient(loss, out))}


def pooled(entry, lam, rng, linear):
    out_i, out_j = entry.draw_outputs(rng), entry.draw_outputs(rng)
    y = entry.draw_response(out_i if rng.random() < 0.5 else out_j, rng)
    lam = mp.mpf(lam)
    def loss(o_i, o_j):
        i, j = entry.law(o_i), entry.law(o_j)
        if linear:
            return -mp.log(lam * mp.exp(entry.log_density(i, y)) + (1 - lam) * mp.exp(entry.log_density(j, y)))
        return -entry.log_density(entry.pool(lam, i, j), y)
    if not linear:
        check_pooled(float(lam), entry.law(out_i), entry.law(out_j), y, -loss(out_i, out_j))
    return {"lambda": float(lam), "out_i": numbers(out_i), "out_j": numbers(out_j), "y": numbers(y),
            "nll": float(loss(out_i, out_j)),
            "dout_i": numbers(gradient(lambda i: loss(i, out_j), out_i)),
            "dout_j": numbers(gradient(lambda j: loss(out_i, j), out_j))}


def distribution(entry, rng):
    out = entry.draw_outputs(rng)
    law = to_scipy(entry.law(out))
    laws = [stats.norm(m, np.sqrt(v)) for m, v in zip(law.mean, np.diag(law.cov))]
    quantiles = [[k, u, float(one.ppf(u))] for k, one in enumerate(laws) for u in PROBABILITIES]
    return {"out": numbers(out), "mean": numbers(law.mean), "variance": numbers(np.diag(law.cov)),
            "cdf": [[k, y, float(laws[k].cdf(y))] for k, _, y in quantiles], "quantile": quantiles}


def golden(entry, seed):
    rng = random.Random(seed)
    return {"family": "gaussian-full", "options": entry.options,
            "single": [single(entry, rng) for _ in range(8)],
            "log_linear": [pooled(entry, lam, rng, linear=False) for lam in LAMBDAS],
            "linear": [pooled(entry, lam, rng, linear=True) for lam in LAMBDAS],
            "distribution": [distribution(entry, rng) for _ in range(4)]}


def main():
    document = {"gaussian_full_one_response": golden(Entry(1), 1),
                "gaussian_full": golden(Entry(2), 2),
                "gaussian_full_softplus": golden(Entry(2, positive="softplus", floor=3e-3), 3),
                "gaussian_full_homoscedastic": golden(Entry(2, homoscedastic=True), 4),
                "gaussian_full_four_responses": golden(Entry(4), 5)}
    entries = []  # one row per line, so that a change shows in a diff
    for name, entry in document.items():
        fields = [f'{json.dumps(key)}: ' + ("[\n  " + ",\n  ".join(json.dumps(row) for row in value) + "]"
                                           if isinstance(value, list) else json.dumps(value))
                  for key, value in entry.items()]
        entries.append(f"{json.dumps(name)}: {{\n " + ",\n ".join(fields) + "}")
    path = pathlib.Path(__file__).with_name("gaussian_full_golden.json")
    path.write_text("{" + ",\n".join(entries) + "}\n")


if __name__ == "__main__":
    main()
