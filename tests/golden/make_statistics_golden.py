#!/usr/bin/env python3
"""Golden values of the tests between methods, from SciPy (made with SciPy 1.17, NumPy 2.4).

    python3 make_statistics_golden.py        # writes statistics_golden.json beside this file
"""
import collections
import json
import pathlib

import numpy as np
from scipy import stats

rng = np.random.default_rng(1)


def permutation_p(d):
    """Over all choices of signs, where ties share the mean of their ranks."""
    ranks = stats.rankdata(np.abs(d))
    ways = collections.Counter({0: 1})  # of each sum of ranks, twice: an integer
    for step in (2 * ranks).astype(int).tolist():
        for total, count in list(ways.items()):
            ways[total + step] += count
    least = 2 * min(ranks[d > 0].sum(), ranks[d < 0].sum())
    p = min(1, 2 * sum(n for total, n in ways.items() if total <= least) / 2 ** len(d))
    if len(d) <= 12:  # SciPy goes through all of them
        found = stats.permutation_test((d,), lambda x, axis: np.sum((x > 0) * ranks, axis=axis),
                                       permutation_type="samples", n_resamples=np.inf).pvalue
        assert abs(p - found) < 1e-12, (p, found)
    return p


def wilcoxon(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    d = (a - b)[a != b]
    exact, ties = len(d) <= 50, len(set(np.abs(d))) < len(d)
    result = stats.wilcoxon(d, zero_method="wilcox", correction=False,
                            method="exact" if exact and not ties else "approx")
    return {"a": a.tolist(), "b": b.tolist(), "n": len(d), "exact": exact,
            "statistic": float(result.statistic),
            "p": float(permutation_p(d) if exact and ties else result.pvalue)}


def normal_pairs(n, shift, digits):
    a = np.round(rng.normal(size=n), digits)
    return a, np.round(a + shift + rng.normal(size=n), digits)


def friedman(scores):
    scores = np.asarray(scores, float)
    blocks, methods = scores.shape
    if methods > 2:
        chi_square, p = stats.friedmanchisquare(*scores.T)
    else:  # SciPy needs three; for two it is the sign test without continuity correction
        wins, losses = np.sum(scores[:, 0] < scores[:, 1]), np.sum(scores[:, 0] > scores[:, 1])
        chi_square = (wins - losses) ** 2 / (wins + losses)
        p = stats.chi2.sf(chi_square, methods - 1)
    f = (blocks - 1) * chi_square / (blocks * (methods - 1) - chi_square)
    return {"scores": scores.tolist(), "ranks": stats.rankdata(scores, axis=1).mean(0).tolist(),
            "chi_square": float(chi_square), "chi_square_p": float(p), "f": float(f),
            "f_p": float(stats.f.sf(f, methods - 1, (methods - 1) * (blocks - 1)))}


def holm(p):
    """By the definition: the largest of (number of p-values not below p_j) p_j over p_j <= p_i."""
    p = np.asarray(p, float)
    step = np.array([(len(p) - np.sum(p < q)) * q for q in p])
    return {"p": p.tolist(), "adjusted": [float(min(1, step[p <= q].max())) for q in p]}


document = {
    "wilcoxon": [
        wilcoxon([1.5], [1]),
        wilcoxon([1, 2, 3.5, 4], [0.5, 1, 2, 2]),              # the smallest p of four
        wilcoxon([1, 2, 3, 4, 5], [0, 4, 0, 8, 0]),            # exact, one zero less
        wilcoxon([1, 2, 3, 4, 5, 6], [1, 2, 2, 3, 6, 4]),      # zeros and ties
        wilcoxon([1] * 5 + [2] * 5, [1] * 10),                 # five zeros, five equal ones
        wilcoxon([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], [2, 2, 2, 2, 3, 3, 3, 3, 8, 0]),
        *(wilcoxon(*normal_pairs(*plan)) for plan in [
            (10, 0.3, 6), (20, 0.5, 6), (20, -1.5, 6), (20, 0.5, 1), (50, 0.2, 9), (50, 1, 9),
            (51, 0.2, 9), (51, -0.6, 1), (200, 0.1, 2)])],
    "holm": [holm([0.01]), holm([0.01, 0.04, 0.03, 0.005]), holm([0.9, 0.5, 0.2]),
             holm([0.02, 0.02, 0.02, 0.5, 0]), holm(np.round(rng.beta(0.3, 2, size=12), 5))],
    "friedman": [
        friedman(np.round(rng.normal(size=(8, 5)) + [0, 0.3, 0.6, 1, 2], 6)),
        friedman(np.round(rng.normal(size=(8, 11)), 6)),
        friedman(np.round(rng.normal(size=(20, 4)), 0)),       # many ties
        friedman(np.round(rng.normal(size=(6, 3)) + [0, 2, 4], 0)),
        friedman(np.round(rng.normal(size=(9, 2)) + [0, 0.5], 6)),
        friedman(np.round(rng.normal(size=(9, 2)) + [0, 1.5], 0))],
    # [level, methods, quantile of the studentized range over the root of 2]
    "nemenyi": [[alpha, k, float(stats.studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2))]
                for alpha in (0.05, 0.1) for k in range(2, 21)],
}
text = ",\n".join(f"{json.dumps(name)}: [\n  " + ",\n  ".join(map(json.dumps, table)) + "]"
                  for name, table in document.items())
pathlib.Path(__file__).with_name("statistics_golden.json").write_text("{\n" + text + "\n}\n")
