#!/usr/bin/env python3
"""The tables of stocks.md, in Markdown, from what the tool printed.

    build/probmix reproduce stocks --data DIR --out stocks.jsonl --json > stocks.json
    python3 docs/results/stocks.py stocks.json

The paper's figures (docs/results/paper) stand in brackets. Its NLLs are rescaled for each stock, so
what can be compared is the order of the methods (ranks, and their correlation) and ratios.
"""
import argparse
import csv
import json
import math
import pathlib

PAPER = pathlib.Path(__file__).resolve().parent / "paper"
STOCKS = ["GOOG", "GME", "NVDA", "RCL"]
NAMES = {"test_nll": "Test NLL", "test_rmse": "Test RMSE", "train_nll": "Training NLL",
         "train_rmse": "Training RMSE"}
PROBMIX = ["probmix", "loc-probmix", "m-probmix", "loc-m-probmix"]


def paper(score):
    with open(PAPER / f"stocks-{score.replace('_', '-')}.csv", encoding="utf-8") as file:
        return {(r["architecture"], r["dataset"], r["method"]): float(r["mean"])
                for r in csv.DictReader(file)}


def ranks(values):
    """{key: rank}, 1 the smallest; ties share their mean rank."""
    order = sorted(values.values())
    return {k: (order.index(v) + 1 + len(order) - order[::-1].index(v)) / 2
            for k, v in values.items()}


def spearman(a, b):
    a, b = ranks(a), ranks(b)
    mean = (len(a) + 1) / 2
    cov = sum((a[k] - mean) * (b[k] - mean) for k in a)
    scale = sum((v - mean) ** 2 for v in a.values()) * sum((v - mean) ** 2 for v in b.values())
    return cov / scale ** 0.5 if scale > 0 else float("nan")


def digits(value):
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else (
        f"{value:.2f}")


def rank_text(rank):
    return f"{rank:.1f}".removesuffix(".0")


def table(title, header, rows):
    print(f"\n{title}\n")
    print("| " + " | ".join(header) + " |")
    print("|---" + "|---:" * (len(header) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def score_table(found, arch, score):
    published = paper(score)
    methods = list(dict.fromkeys(m for a, _, m in found if a == arch))
    stocks = [s for s in STOCKS if all((arch, s, m) in found for m in methods)]
    ours, theirs = {}, {}
    for s in stocks:
        ours[s] = ranks({m: found[arch, s, m][score] for m in methods
                         if found[arch, s, m][score] is not None})
        theirs[s] = ranks({m: published[arch, s, m] for m in methods if (arch, s, m) in published})

    def cell(s, m):
        row = found[arch, s, m]
        text = digits(row[score])
        if row[score + "_se"] is not None:
            text += f" ± {digits(row[score + '_se'])}"
        if m in ours[s] and ours[s][m] == min(ours[s].values()):
            text = f"**{text}**"
        if m in ours[s] and m in theirs[s]:
            text += (f" ({rank_text(ours[s][m])}) "
                     f"[{digits(published[arch, s, m])} ({rank_text(theirs[s][m])})]")
        return text

    table(f"{NAMES[score]}, {arch}: mean ± standard error (rank) [the paper's (rank)]",
          ["method", *stocks], [[f"`{m}`", *(cell(s, m) for s in stocks)] for m in methods])

    def correlation(s):
        both = [m for m in methods if m in ours[s] and m in theirs[s]]
        return spearman({m: ours[s][m] for m in both}, {m: theirs[s][m] for m in both})

    print("\nRank correlation with the paper: "
          + ", ".join(f"{s} {correlation(s):.2f}" for s in stocks))


def ratio_table(found, arch):
    """Test NLL over that of erm: a scale for each stock drops out. Negative ones have no ratio."""
    published = paper("test_nll")
    methods = list(dict.fromkeys(m for a, _, m in found if a == arch))
    stocks = [s for s in STOCKS if all((arch, s, m) in found for m in methods)]
    if "erm" not in methods:
        return

    def ratio(value, base):
        return value / base if None not in (value, base) and min(value, base) > 0 else None

    def cell(s, m):
        ours = ratio(found[arch, s, m]["test_nll"], found[arch, s, "erm"]["test_nll"])
        theirs = ratio(published.get((arch, s, m)), published.get((arch, s, "erm")))
        return f"{digits(ours)} [{digits(theirs)}]"

    table(f"Test NLL over that of `erm`, {arch} [the paper's]", ["method", *stocks],
          [[f"`{m}`", *(cell(s, m) for s in stocks)] for m in methods if m != "erm"])


def summary(found, arch):
    """For each stock the best of the ProbMix methods against the best of the others."""
    published = paper("test_nll")
    rows = []
    for s in STOCKS:
        methods = [m for a, d, m in found if (a, d) == (arch, s)]
        line = [s]
        for values in ({m: found[arch, s, m]["test_nll"] for m in methods},
                       {m: published.get((arch, s, m)) for m in methods}):
            for inside in (True, False):
                group = {m: v for m, v in values.items()
                         if v is not None and (m in PROBMIX) == inside}
                best = min(group, key=group.get, default=None)
                line.append("–" if best is None else f"`{best}` {digits(group[best])}")
        if methods:
            rows.append(line)
    table(f"Best test NLL, {arch}", ["stock", "best ProbMix method", "best other",
                                     "the paper's best ProbMix", "its best other"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="what --json printed")
    found = {}
    for path in parser.parse_args().results:
        for row in json.loads(pathlib.Path(path).read_text(encoding="utf-8")):
            found[row["arch"], row["dataset"], row["method"]] = row
    for arch in dict.fromkeys(a for a, _, _ in found):
        summary(found, arch)
        ratio_table(found, arch)
        for score in ("test_nll", "test_rmse", "train_nll", "train_rmse"):
            score_table(found, arch, score)


if __name__ == "__main__":
    main()
