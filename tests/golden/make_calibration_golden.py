#!/usr/bin/env python3
"""Golden values of calibration, from NumPy and scipy.stats (made with SciPy 1.10, NumPy 1.24).

    python3 make_calibration_golden.py        # writes calibration_golden.json beside this file

An entry holds a family with its options, the outputs (rows of y times members) and responses.
"""
import json
import pathlib

import numpy as np
from scipy import stats
from scipy.special import expit, softmax

rng = np.random.default_rng(2)
FLOOR = 1e-4
ROWS = 60
SUPPORT = {"gaussian": (-np.inf, np.inf), "poisson": (0, np.inf), "gamma": (1e-4, np.inf),
           "beta": (1e-4, 1 - 1e-4)}
PLAIN = {"responses": 1, "classes": 2, "homoscedastic": False, "positive": "exp", "floor": FLOOR}


def positive(x):
    return np.exp(x) + FLOOR


def laws(family, out):
    """The distributions of the response columns, one member after the other."""
    if family == "gaussian":
        d = out.shape[1] // 2
        return [stats.norm(out[:, k], np.sqrt(positive(out[:, d + k]))) for k in range(d)]
    if family == "poisson":
        return [stats.poisson(np.exp(out[:, 0]))]
    mean, shape = out[:, 0], positive(out[:, 1])
    if family == "gamma":
        return [stats.gamma(shape, scale=positive(mean) / shape)]
    return [stats.beta(expit(mean) * shape, expit(-mean) * shape)]


def mixture_cdf(law, members, y):
    return law.cdf(np.repeat(y, members)).reshape(-1, members).mean(1)


def pit(family, columns, members, scale, shift):
    width = {"gaussian": 2 * columns, "poisson": 1}.get(family, 2)
    out = np.round(rng.normal(size=(ROWS * members, width)), 3)
    # Responses from laws other than the predicted ones, so that the histogram is not flat.
    chosen = out.reshape(ROWS, members, width)[:, 0] * scale + shift
    y = np.stack([law.rvs(random_state=rng) for law in laws(family, chosen)], 1)
    y = np.clip(np.round(y.astype(float), 4), *SUPPORT[family])
    u = np.linspace(0, 1, 21)
    shares = []
    for k, law in enumerate(laws(family, out)):
        high = mixture_cdf(law, members, y[:, k])
        if family == "poisson":  # Czado, Gneiting and Held 2009
            low = mixture_cdf(law, members, y[:, k] - 1)
            distribution = [np.mean([np.interp(v, [a, b], [0, 1]) for a, b in zip(low, high)])
                            for v in u]
            shares.append(np.diff(distribution))
        else:
            shares.append(np.histogram(high, u)[0] / ROWS)
    share = np.mean(shares, 0)
    coverage = [float(sum(share[10 - m:10 + m])) for m in range(1, 11)]
    error = np.mean(np.abs(np.cumsum(share) - u[1:])[:-1])
    return {"family": family, "options": {**PLAIN, "responses": columns}, "members": members,
            "out": out.tolist(), "y": y.tolist(), "share": share.tolist(), "coverage": coverage,
            "error": float(error)}


def reliability(family, classes, members, scale):
    width = classes if family == "categorical" else 1
    out = np.round(scale * rng.normal(size=(ROWS * members, width)), 3)
    single = softmax(out, 1) if width > 1 else np.hstack([expit(-out), expit(out)])
    p = single.reshape(ROWS, members, -1).mean(1)
    y = np.array([rng.choice(len(row), p=row) for row in softmax(np.log(p) / scale, 1)])
    confidence, right = p.max(1), p.argmax(1) == y
    edges = np.linspace(0, 1, 11)
    bins, error = [], 0.0
    for low, high in zip(edges, edges[1:]):
        inside = (confidence > low) & (confidence <= high)
        n = int(inside.sum())
        if n == 0:
            bins.append([0])
            continue
        bins.append([n, float(confidence[inside].mean()), float(right[inside].mean())])
        error += abs(bins[-1][1] - bins[-1][2]) * n / ROWS
    return {"family": family, "options": {**PLAIN, "classes": classes}, "members": members,
            "out": out.tolist(), "y": y[:, None].tolist(), "bins": bins, "error": float(error),
            "accuracy": float(right.mean())}


document = {
    "pit": [pit("gaussian", 1, 1, 1, 0), pit("gaussian", 2, 3, 1.5, 0.3),
            pit("gamma", 1, 2, 1, 0.2), pit("beta", 1, 2, 1.2, 0), pit("poisson", 1, 1, 1, 0),
            pit("poisson", 1, 3, 1.5, 0.5)],
    "reliability": [reliability("categorical", 2, 1, 1), reliability("categorical", 5, 3, 2),
                    reliability("categorical", 12, 1, 0.5), reliability("bernoulli", 2, 1, 2),
                    reliability("bernoulli", 2, 3, 2)],
}
text = ",\n".join(f"{json.dumps(name)}: [\n  " + ",\n  ".join(map(json.dumps, table)) + "]"
                  for name, table in document.items())
pathlib.Path(__file__).with_name("calibration_golden.json").write_text("{\n" + text + "\n}\n")
