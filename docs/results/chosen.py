#!/usr/bin/env python3
"""Which α and β validation chose, and what they change, in Markdown.

    build/probmix reproduce uci --data DIR --out uci.jsonl
    build/probmix reproduce uci --data DIR --alpha 0.1,1 --beta 0,0.01 --out tuned.jsonl --json > tuned.json
    python3 docs/results/chosen.py tuned.json tuned.jsonl uci.jsonl

The choice is that which the tool printed (tuned.json, of UCI or stocks), the runs are those of all results files.
A cell is "α, β: the test NLL with the preset → with the choice", over the repeats that both have: in bold if it fell
by more than two standard errors of the paired differences, struck out if it rose by more; "=" if the preset (α = 0.1,
β = 0) was chosen, and "–" if there are no runs to compare.
"""

import argparse
import json
import pathlib
import statistics

SETTINGS = ("alpha", "beta", "pooling")
PRESET = (0.1, 0.0, "log-linear")


def cell_of(values):
    return values["dataset"], values.get("arch"), values["method"]


def setting_of(values):
    return tuple(values.get(key) for key in SETTINGS)


def read_runs(paths):
    """{(cell, setting): {repeat: test NLL}}"""
    runs = {}
    for path in paths:
        for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            run = json.loads(line)
            values = run["configuration"]
            if run["status"] == "done":
                repeat = values.get("split", values.get("run"))
                runs.setdefault((cell_of(values), setting_of(values)), {})[repeat] = run["result"]["test"]["nll"]
    return runs


def number(value):
    return (f"{value:.3g}" if abs(value) >= 10 else f"{value:.2f}").replace("-", "−")


def text(cell, runs):
    chosen = setting_of(cell)
    preset = tuple(p if c is not None else None for p, c in zip(PRESET, chosen))
    if chosen == preset:
        return "="
    name = ", ".join(f"{c:g}" for c in chosen[:2] if c is not None)
    before, after = (runs.get((cell_of(cell), setting), {}) for setting in (preset, chosen))
    both = sorted(before.keys() & after.keys())
    if not both:
        return f"{name}: –"
    change = f"{number(statistics.fmean(before[k] for k in both))} → {number(statistics.fmean(after[k] for k in both))}"
    differences = [after[k] - before[k] for k in both]
    if len(both) > 1:
        error = statistics.stdev(differences) / len(both) ** 0.5
        if statistics.fmean(differences) < -2 * error:
            change = f"**{change}**"
        elif statistics.fmean(differences) > 2 * error:
            change = f"~~{change}~~"
    return f"{name}: {change}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tuned")
    parser.add_argument("results", nargs="+")
    arguments = parser.parse_args()
    cells = {cell_of(c): c for c in json.loads(pathlib.Path(arguments.tuned).read_text(encoding="utf-8"))}
    runs = read_runs(arguments.results)
    sets = list(dict.fromkeys(cell[:2] for cell in cells))
    methods = list(dict.fromkeys(cell[2] for cell in cells))
    print("| method |" + "".join(f" {' '.join(filter(None, s))} |" for s in sets))
    print("|---|" + "---:|" * len(sets))
    for method in methods:
        row = [text(cells[(*s, method)], runs) if (*s, method) in cells else "–" for s in sets]
        if any(entry != "=" for entry in row):
            print(f"| `{method}` |" + "".join(f" {entry} |" for entry in row))


if __name__ == "__main__":
    main()
