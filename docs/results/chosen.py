#!/usr/bin/env python3
"""Which α and β validation chose, and what they change, in Markdown.

    build/probmix reproduce uci --data DIR --out uci.jsonl --json > fixed.json
    build/probmix reproduce uci --data DIR --alpha 0.1,1 --beta 0,0.01 --out tuned.jsonl --json > tuned.json
    python3 docs/results/chosen.py tuned.json fixed.json

Both are what the tool prints, of UCI or stocks. A cell is "α, β: the test NLL with the fixed setting → with the
chosen one", in bold if that is smaller by more than its standard error and struck out if it is larger by more;
"=" if the fixed setting was chosen.
"""

import argparse
import json
import math
import pathlib


def read(path):
    cells = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    return {(c["dataset"], c.get("arch"), c["method"]): c for c in cells}


def setting(cell):
    return tuple(cell.get(key) for key in ("alpha", "beta"))


def number(value):
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.3g}".replace("-", "−") if abs(value) >= 10 else f"{value:.2f}".replace("-", "−")


def text(chosen, fixed):
    if setting(chosen) == setting(fixed):
        return "="
    alpha, beta = setting(chosen)
    name = f"{alpha:g}" if beta is None else f"{alpha:g}, {beta:g}"
    change = f"{number(fixed['test_nll'])} → {number(chosen['test_nll'])}"
    error = chosen["test_nll_se"] or 0
    if chosen["test_nll"] < fixed["test_nll"] - error:
        change = f"**{change}**"
    elif chosen["test_nll"] > fixed["test_nll"] + error:
        change = f"~~{change}~~"
    return f"{name}: {change}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tuned")
    parser.add_argument("fixed")
    arguments = parser.parse_args()
    tuned, fixed = read(arguments.tuned), read(arguments.fixed)
    sets = list(dict.fromkeys(key[:2] for key in tuned))
    methods = list(dict.fromkeys(key[2] for key in tuned))
    print("| method |" + "".join(f" {' '.join(filter(None, s))} |" for s in sets))
    print("|---|" + "---:|" * len(sets))
    for method in methods:
        cells = [text(tuned[(*s, method)], fixed[(*s, method)]) for s in sets]
        if any(cell != "=" for cell in cells):
            print(f"| `{method}` |" + "".join(f" {cell} |" for cell in cells))


if __name__ == "__main__":
    main()
