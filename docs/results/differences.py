#!/usr/bin/env python3
"""How much worse the same runs are with other options, in Markdown, paired over the splits.

    build/probmix reproduce uci --data DIR --methods probmix --out all.jsonl
    build/probmix reproduce uci --data DIR --methods probmix --patience 300 --out p300.jsonl
    python3 docs/results/differences.py all.jsonl p300.jsonl

The first file is what the others are compared with: its mean test NLL for each data set, and for each
other file the mean of the differences ± their standard error. Only methods that all files have.
"""

import argparse
import json
import statistics


def read(path):
    """{(data set, method): {split: test NLL}}, and the same of the best epochs."""
    nll, best = {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            run = json.loads(line)
            if run["status"] != "done":
                continue
            key = (run["configuration"]["dataset"], run["configuration"]["method"])
            split = run["configuration"]["split"]
            nll.setdefault(key, {})[split] = run["result"]["test"]["nll"]
            best.setdefault(key, {})[split] = run["result"]["best_epoch"]
    return nll, best


def difference(values, first):
    """Mean ± standard error of values - first."""
    apart = [values[split] - first[split] for split in first if split in values]
    mean = statistics.fmean(apart)
    error = statistics.stdev(apart) / len(apart) ** 0.5 if len(apart) > 1 else float("nan")
    return f"{mean:+.3f} ± {error:.3f}".replace("-", "−")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    files = parser.parse_args().files
    (first, best), *others = [read(path) for path in files]
    print("| table | method | " + " | ".join(files) + " | best epoch of the first, mean |")
    print("|---|---|" + "---:|" * (len(files) + 1))
    for key, values in sorted(first.items()):
        if not all(key in nll for nll, _ in others):
            continue
        cells = [f"{statistics.fmean(values.values()):.3f}".replace("-", "−")]
        cells += [difference(nll[key], values) for nll, _ in others]
        cells.append(f"{statistics.fmean(best[key].values()):.0f}")
        print(f"| {' | '.join([*key, *cells])} |")


if __name__ == "__main__":
    main()
