#!/usr/bin/env python3
"""Golden values of the evaluation of predictions, from NumPy, scipy.stats and scipy.integrate (made
with SciPy 1.10, NumPy 1.24).

    python3 make_evaluation_golden.py        # writes evaluation_golden.json beside this file

The predictive density of a row is a mixture of members. An entry holds a family with its options,
the outputs (rows of y times members), scaled responses, and shift and scale of the response.
"""
import json
import pathlib

import numpy as np
from scipy import integrate, optimize, stats
from scipy.special import expit, softmax

rng = np.random.default_rng(5)
FLOOR = 1e-4
ROWS = 12
LEVELS = [0.5, 0.8, 0.9, 0.95]
PLAIN = {"responses": 1, "classes": 2, "homoscedastic": False, "positive": "exp", "floor": FLOOR}


def positive(x):
    return np.exp(x) + FLOOR


def laws(family, out):
    """The distributions of the response columns of the members of a row."""
    if family == "gaussian":
        d = out.shape[1] // 2
        return [[stats.norm(m, np.sqrt(positive(s))) for m, s in zip(out[:, k], out[:, d + k])]
                for k in range(d)]
    if family == "poisson":
        return [[stats.poisson(np.exp(o[0])) for o in out]]
    if family == "gamma":
        return [[stats.gamma(positive(o[1]), scale=positive(o[0]) / positive(o[1])) for o in out]]
    return [[stats.beta(expit(o[0]) * positive(o[1]), expit(-o[0]) * positive(o[1])) for o in out]]


def cdf(members, t):
    return np.mean([law.cdf(t) for law in members])


def quantile(members, u, discrete):
    ends = [law.ppf(u) for law in members]
    low, high = min(ends), max(ends)
    if discrete:
        return next(float(t) for t in range(int(low), int(high) + 1) if cdf(members, t) >= u)
    if low == high:
        return low
    return optimize.brentq(lambda t: cdf(members, t) - u, low - 1e-9, high + 1e-9, xtol=1e-13)


def crps(members, y, discrete):
    if discrete:
        last = int(max(y, max(law.ppf(1 - 1e-14) for law in members))) + 1
        return sum((cdf(members, t) - (t >= y)) ** 2 for t in range(last))
    low = min(law.ppf(1e-13) for law in members)
    high = max(law.isf(1e-13) for law in members)
    peaks = sorted({quantile(members, u, False) for u in (0.01, 0.25, 0.5, 0.75, 0.99)})
    cuts = [min(low, y)] + [p for p in peaks] + [y, max(high, y)]
    cuts = sorted(cuts)
    total = 0
    for a, b in zip(cuts, cuts[1:]):
        if b > a:
            total += integrate.quad(lambda t: (cdf(members, t) - (a >= y)) ** 2, a, b, limit=200,
                                    epsabs=1e-13, epsrel=1e-12)[0]
    return total


def on_grid(x):
    """Numbers that a float represents exactly."""
    return np.round(x * 1024) / 1024


def numbers(family, columns, members, shift, scale, far=0.0):
    width = {"gaussian": 2 * columns, "poisson": 1}.get(family, 2)
    out = on_grid(rng.normal(size=(ROWS * members, width)))
    discrete = family == "poisson"
    y = np.zeros((ROWS, columns))
    rows = [laws(family, out[r * members:(r + 1) * members]) for r in range(ROWS)]
    for r, row in enumerate(rows):
        for k, column in enumerate(row):
            y[r, k] = column[rng.integers(members)].rvs(random_state=rng) + (far if r == 0 else 0)
    if family == "beta":
        y = np.clip(y, 1e-3, 1 - 1e-3)
    if family == "gamma":
        y = np.maximum(y, 1e-3)
    nll = 0
    for r, row in enumerate(rows):
        density = np.ones(members)
        for k, column in enumerate(row):
            density *= [(law.pmf if discrete else law.pdf)(y[r, k]) for law in column]
        nll -= np.log(np.mean(density)) / ROWS
    result = []
    for k in range(columns):
        column = [row[k] for row in rows]
        mean = np.array([np.mean([law.mean() for law in c]) for c in column])
        median = np.array([quantile(c, 0.5, discrete) for c in column])
        ends = [[(quantile(c, (1 - p) / 2, discrete), quantile(c, (1 + p) / 2, discrete))
                 for c in column] for p in LEVELS]
        result.append({
            "rmse": scale[k] * float(np.sqrt(np.mean((mean - y[:, k]) ** 2))),
            "mae": scale[k] * float(np.mean(np.abs(median - y[:, k]))),
            "crps": scale[k] * float(np.mean([crps(c, v, discrete) for c, v in zip(column, y[:, k])])),
            "coverage": [float(np.mean([a <= v <= b for (a, b), v in zip(e, y[:, k])])) for e in ends],
            "width": [scale[k] * float(np.mean([b - a for a, b in e])) for e in ends]})
    return {"family": family, "options": {**PLAIN, "responses": columns}, "members": members,
            "out": out.tolist(), "y": y.tolist(), "shift": shift, "scale": scale,
            "nll": float(nll + np.sum(np.log(scale))), "columns": result}


def classes(family, count, members):
    width = count if family == "categorical" else 1
    out = on_grid(2 * rng.normal(size=(ROWS * members, width)))
    single = softmax(out, 1) if width > 1 else np.hstack([expit(-out), expit(out)])
    p = single.reshape(ROWS, members, -1).mean(1)
    y = np.array([rng.choice(count, p=row) for row in p])
    one_hot = np.eye(count)[y]
    brier = np.mean(np.sum((p - one_hot) ** 2, 1)) if width > 1 else np.mean((p[:, 1] - y) ** 2)
    return {"family": family, "options": {**PLAIN, "classes": count}, "members": members,
            "out": out.tolist(), "y": y[:, None].tolist(), "shift": [0.0], "scale": [1.0],
            "nll": float(-np.mean(np.log(p[np.arange(ROWS), y]))), "brier": float(brier),
            "accuracy": float(np.mean(p.argmax(1) == y))}


document = {
    "numbers": [numbers("gaussian", 1, 1, [2.0], [3.0]), numbers("gaussian", 1, 4, [0.0], [0.5], 40),
                numbers("gaussian", 2, 3, [1.0, -2.0], [2.0, 10.0]),
                numbers("gamma", 1, 1, [0.0], [7.0]), numbers("gamma", 1, 3, [0.0], [1.0], 30),
                numbers("beta", 1, 1, [0.0], [1.0]), numbers("beta", 1, 3, [0.0], [1.0]),
                numbers("poisson", 1, 1, [0.0], [1.0]), numbers("poisson", 1, 3, [0.0], [1.0], 60)],
    "classes": [classes("categorical", 4, 1), classes("categorical", 3, 3),
                classes("bernoulli", 2, 1), classes("bernoulli", 2, 3)],
}
text = ",\n".join(f"{json.dumps(name)}: [\n  " + ",\n  ".join(map(json.dumps, table)) + "]"
                  for name, table in document.items())
pathlib.Path(__file__).with_name("evaluation_golden.json").write_text("{\n" + text + "\n}\n")
