#!/usr/bin/env python3
"""Golden values of log tail probabilities and their slopes, from mpmath (50 digits).

    python3 make_log_tail_golden.py        # writes log_tail_golden.json beside this file

Each entry is [parameters and argument ..., log, slope in the argument]. "exact" is where the probability is a
double, "far" where it underflows.
"""
import json
import pathlib

import mpmath as mp

mp.mp.dps = 50


def normal(z):
    return mp.log(mp.erfc(-z / mp.sqrt(2)) / 2)


def student_t(nu, z):
    tail = mp.betainc(nu / 2, mp.mpf(1) / 2, 0, nu / (nu + z * z), regularized=True) / 2
    return mp.log(tail if z < 0 else 1 - tail)


def gamma_cdf(a, x):
    return mp.log(mp.gammainc(a, 0, x, regularized=True))


def gamma_survival(a, x):
    return mp.log(mp.gammainc(a, x, mp.inf, regularized=True))


CASES = {
    "normal": (normal, [(z,) for z in (-19.9, -20.1, -7, -1.5, -0.2, 0.3, 2, 6)],
               [(z,) for z in (-40, -300, -1e5)]),
    "student-t": (student_t, [(nu, z) for nu in (2.2, 5, 40, 2000) for z in (-9, -2, -0.3, 0.4, 3)],
                  [(500, -400), (3000, -90), (1e5, -45)]),
    "gamma-cdf": (gamma_cdf, [(a, x) for a in (0.3, 1, 4.5, 60) for x in (0.01, 0.8, 5, 70)],
                  [(300, 5), (200, 1.5)]),
    "gamma-survival": (gamma_survival, [(a, x) for a in (0.3, 1, 4.5, 60) for x in (0.4, 0.8, 5, 70) if a < 50 * x],
                       [(0.3, 900), (4.5, 2000), (60, 3000)]),
}


def entry(f, arguments):
    at = [mp.mpf(v) for v in arguments]
    slope = mp.diff(lambda v: f(*at[:-1], v), at[-1], h=mp.mpf(10) ** -15)
    return [float(v) for v in (*at, f(*at), slope)]


def main():
    document = {name: {"exact": [entry(f, at) for at in exact], "far": [entry(f, at) for at in far]}
                for name, (f, exact, far) in CASES.items()}
    lines = [f"{json.dumps(name)}: {{" + ",\n ".join(
        f"{json.dumps(kind)}: [\n  " + ",\n  ".join(json.dumps(row) for row in rows) + "]"
        for kind, rows in kinds.items()) + "}" for name, kinds in document.items()]
    path = pathlib.Path(__file__).with_name("log_tail_golden.json")
    path.write_text("{" + ",\n".join(lines) + "}\n")


if __name__ == "__main__":
    main()
