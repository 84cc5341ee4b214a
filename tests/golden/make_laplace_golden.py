#!/usr/bin/env python3
"""Golden values of the Laplace density in tests/family/added_family_test.cpp.

    python3 make_laplace_golden.py       # writes laplace_golden.json beside this file

Needs SciPy (made with 1.17). Outputs (m, s): location m, scale exp(s) + floor. Per row: the negative
log likelihood "nll" of "y" and its gradient "dout" in the outputs (by mpmath, 30 digits), the CRPS by
numerical integration, moments, "cdf" as [y, value] and "quantile" as [u, value].
"""
import json
import math
import pathlib
import random

import mpmath
from scipy import integrate, stats

FLOOR = 1e-4
PROBABILITIES = [1e-6, 0.025, 0.5, 0.8, 0.999]


def nll(m, s, y):
    scale = mpmath.exp(s) + mpmath.mpf(FLOOR)
    return mpmath.log(2 * scale) + abs(mpmath.mpf(y) - m) / scale


def crps(law, y):
    ends = sorted([y, law.mean()])
    low, high = law.ppf(1e-13), law.ppf(1 - 1e-13)
    cuts = [min(low, y), *ends, max(high, y)]
    return sum(integrate.quad(lambda t: (law.cdf(t) - (t >= y)) ** 2, a, b, epsabs=1e-13, limit=200)[0]
               for a, b in zip(cuts, cuts[1:]))


def row(rng):
    m, s = rng.gauss(0, 1.2), rng.gauss(0, 1.2)
    law = stats.laplace(m, math.exp(s) + FLOOR)
    y = float(law.ppf(rng.uniform(0.02, 0.98)))
    assert abs(float(nll(m, s, y)) + law.logpdf(y)) < 1e-12
    mpmath.mp.dps = 30
    dout = [float(mpmath.diff(lambda x: nll(x, s, y), m)), float(mpmath.diff(lambda x: nll(m, x, y), s))]
    quantiles = [[u, float(law.ppf(u))] for u in PROBABILITIES]
    return {"out": [m, s], "y": y, "nll": -float(law.logpdf(y)), "dout": dout, "crps": crps(law, y),
            "mean": float(law.mean()), "variance": float(law.var()), "quantile": quantiles,
            "cdf": [[q, float(law.cdf(q))] for _, q in quantiles]}


def main():
    rng = random.Random(1)
    rows = ",\n  ".join(json.dumps(row(rng)) for _ in range(12))
    text = f'{{\n "floor": {FLOOR},\n "rows": [\n  {rows}]\n}}\n'
    pathlib.Path(__file__).with_name("laplace_golden.json").write_text(text)


if __name__ == "__main__":
    main()
