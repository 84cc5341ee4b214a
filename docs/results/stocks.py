#!/usr/bin/env python3
"""The tables of stocks.md, in Markdown, from what the tool printed.

    build/probmix reproduce stocks --data DIR --out stocks.jsonl --json > stocks.json
    python3 docs/results/stocks.py stocks.json

The paper's figures (docs/results/paper) stand in brackets. Its NLLs are rescaled for each stock, so
what can be compared is the order of the methods: ranks, and their correlation.
"""
import argparse
import csv
import json
import pathlib

PAPER = pathlib.Path(__file__).resolve().parent / "paper"
STOCKS = ["GOOG", "GME", "NVDA", "RCL"]
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
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else (
        f"{value:.2f}")


def table(title, header, rows):
    print(f"\n{title}\n")
    print("| " + " | ".join(header) + " |")
    print("|---" + "|---:" * (len(header) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def score_table(found, arch, score):
    published = paper(score)
    methods = list(dict.fromkeys(m for a, _, m in found if a == arch))
    stocks = [s for s in STOCKS if any((arch, s, m) in found for m in methods)]
    ours, theirs = {}, {}
    for s in stocks:
        ours[s] = ranks({m: found[arch, s, m][score] for m in methods})
        theirs[s] = ranks({m: published[arch, s, m] for m in methods if (arch, s, m) in published})

    def cell(s, m):
        row = found[arch, s, m]
        text = digits(row[score])
        if row[score + "_se"] is not None:
            text += f" ± {digits(row[score + '_se'])}"
        text = f"**{text}**" if ours[s][m] == 1 else text
        if (arch, s, m) in published:
            text += f" ({ours[s][m]:.0f}) [{digits(published[arch, s, m])} ({theirs[s][m]:.0f})]"
        return text

    name = {"test_nll": "Test NLL", "test_rmse": "test RMSE", "train_nll": "training NLL",
            "train_rmse": "training RMSE"}[score]
    table(f"{name}, {arch}: mean ± standard error (rank) [the paper's (rank)]",
          ["method", *stocks], [[f"`{m}`", *(cell(s, m) for s in stocks)] for m in methods])
    both = {s: [m for m in methods if m in theirs[s]] for s in stocks}
    print("\nRank correlation with the paper: " + ", ".join(
        f"{s} {spearman({m: found[arch, s, m][score] for m in both[s]}, {m: published[arch, s, m] for m in both[s]}):.2f}"
        for s in stocks))


def summary(found, arch):
    """For each stock the best of the ProbMix methods against the best of the others."""
    published = paper("test_nll")
    rows = []
    for s in STOCKS:
        methods = [m for a, d, m in found if (a, d) == (arch, s)]
        if not methods:
            continue

        def best(of, values):
            return min((m for m in methods if (m in PROBMIX) == of), key=lambda m: values(m))

        line = [s]
        for values in (lambda m: found[arch, s, m]["test_nll"],
                       lambda m: published.get((arch, s, m), float("inf"))):
            inside, outside = best(True, values), best(False, values)
            line += [f"`{inside}` {digits(values(inside))}", f"`{outside}` {digits(values(outside))}"]
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
        for score in ("test_nll", "test_rmse", "train_nll", "train_rmse"):
            score_table(found, arch, score)


if __name__ == "__main__":
    main()
