#!/usr/bin/env python3
"""Golden values of the special functions, from mpmath with 40 digits (made with mpmath 1.2).

    python3 make_special_golden.py        # writes special_golden.json beside this file

Each function maps to rows [argument..., value].
"""
import json
import pathlib

import mpmath as mp

mp.mp.dps = 40
POSITIVE = [1e-100, 1e-8, 1e-4, 0.05, 0.3, 0.5, 0.9, 1.0, 1.25, 1.4616321449683623, 1.6, 2.0, 2.5,
            3.7, 7.0, 12.3, 42.0, 171.5, 1000.0, 12345.6, 1e6, 1e10, 1e17]
SHAPES = [1e-3, 0.2, 1.0, 2.5, 10.0, 64.5, 300.0, 5e3, 9.9e4, 1.1e5, 1e6, 1e8, 1e11, 1e13]
RISING = [(x, n) for x in (1e-12, 1e-4, 0.3, 2.5, 9.9, 10.1, 99.0, 101.0, 1e4, 1e10, 1e17, 2e23)
          for n in (0.01, 0.5, 1.0, 3.0, 16.0, 17.0, 40.5, 1e4)]
REAL = [-800.0, -40.0, -3.0, -1e-3, 0.0, 1e-9, 0.7, 5.0, 39.0, 800.0]


def log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def log_rising(x, n):
    return mp.loggamma(x + n) - mp.loggamma(x)


def gamma_survival(a, x):
    """Q(a, x); mpmath's own is fast up to a = 1e3, beyond it Simpson in t = a + s sqrt(a)."""
    if a < 2000:
        return mp.gammainc(a, x, mp.inf, regularized=True)
    root = mp.sqrt(a)
    log_constant = (a - 1) * mp.log(a) - a - mp.loggamma(a)

    def density(s):
        step = s / root
        return mp.exp(log_constant + (a - 1) * mp.log1p(step) - s * root) * root
    start = (x - a) / root
    return mp.quad(density, mp.linspace(start, max(start, mp.mpf(0)) + 20, 41))


def near(a):
    """Arguments where the distribution with shape a lives, and its tails."""
    sd = a ** 0.5
    return [x for x in (a - 6 * sd, a - 2 * sd, a - 0.3 * sd, a, a + sd, a + 5 * sd) if x > 0]


def rows(function, arguments):
    return [[*point, float(function(*(mp.mpf(v) for v in point)))] for point in arguments]


document = {
    "softplus": rows(lambda x: mp.log1p(mp.exp(x)), [(x,) for x in REAL]),
    "sigmoid": rows(lambda x: 1 / (1 + mp.exp(-x)), [(x,) for x in REAL if x > -700]),
    "log_gamma": rows(mp.loggamma, [(x,) for x in POSITIVE]),
    "digamma": rows(mp.digamma, [(x,) for x in POSITIVE]),
    "log_beta": rows(log_beta, [(a, b) for a in POSITIVE[2::4] for b in POSITIVE[1::4]]),
    "log_rising": rows(log_rising, RISING),
    "log_rising_derivative": rows(lambda x, n: mp.digamma(x + n) - mp.digamma(x), RISING),
    "normal_cdf": rows(mp.ncdf, [(z,) for z in (-37.0, -8.0, -1.96, 0.0, 0.3, 2.5, 7.0)]),
    "gamma_survival": rows(gamma_survival, [(a, x) for a in SHAPES for x in near(a)]),
    "beta_cdf": rows(lambda a, b, y: mp.betainc(a, b, 0, y, regularized=True),
                     [(a, b, y) for a in (0.1, 1.0, 4.5, 60.0) for b in (0.2, 2.0, 30.0)
                      for y in (1e-5, 0.1, 0.5, 0.93)]),
    "beta_survival": rows(lambda a, b, y: mp.betainc(a, b, y, 1, regularized=True),
                          [(a, b, y) for a in (1.0, 4.0, 60.0) for b in (0.2, 2.0, 1e4) for y in (1e-5, 0.1, 0.5)
                           if a + b < 1e4 or y < 0.01]),
}
text = ",\n".join(f"{json.dumps(name)}: [\n  " + ",\n  ".join(map(json.dumps, table)) + "]"
                  for name, table in document.items())
pathlib.Path(__file__).with_name("special_golden.json").write_text("{\n" + text + "\n}\n")
