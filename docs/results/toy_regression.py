#!/usr/bin/env python3
"""The tables of toy-regression.md, in Markdown, from the tool.

    python3 docs/results/toy_regression.py [build/probmix] [--threads 2]

29 commands of some seconds each; which one runs is told on standard error. The paper's figures, in
brackets, are those of El-Laham et al., UAI 2025 (arXiv 2502.13825), means of its tables.
"""
import argparse
import functools
import json
import subprocess
import sys

ALPHAS = ["1e-32", "0.01", "0.05", "0.1", "0.25", "0.5", "1"]

PAPER_LOG_LINEAR_OOD = {  # one figure an α, as in ALPHAS
    "mix": [87.1, 98.6, 176.3, 258.92, 270.3, 306.0, 310.3],
    "loc-mix": [143.2, 110.7, 167.1, 202.1, 207.5, 219.1, 256.7],
    "m-mix": [87.1, 162.5, 136.2, 148.5, 140.3, 136.4, 134.1],
    "loc-m-mix": [143.2, 152.3, 147.1, 177.8, 204.3, 202.4, 186.3],
    "probmix": [92.6, 78.1, 117.8, 173.1, 302.0, 313.6, 370.1],
    "loc-probmix": [229.4, 132.7, 157.2, 258.4, 120.2, 176.2, 117.4],
    "m-probmix": [29.5, 27.5, 31.0, 25.9, 22.9, 47.7, 37.1],
    "loc-m-probmix": [78.6, 18.6, 16.9, 32.8, 19.1, 16.9, 23.8],
}
PAPER_LINEAR_OOD = {  # not printed for α = 0.25
    "probmix": [94.9, 103.5, 90.2, 85.3, None, 83.4, 91.8],
    "loc-probmix": [157.1, 171.1, 180.7, 206.9, None, 149.2, 104.5],
    "m-probmix": [21.3, 28.4, 6.6, 12.3, None, 6.1, 7.8],
    "loc-m-probmix": [16.0, 22.7, 17.4, 24.4, None, 22.0, 14.8],
}
PAPER_ID = {
    ("log-linear", "probmix"): [-0.78, -0.72, -0.71, -0.66, None, -0.65, -0.51],
    ("log-linear", "m-probmix"): [-0.38, -0.39, -0.36, -0.35, None, -0.28, -0.25],
    ("linear", "probmix"): [-0.76, -0.77, -0.76, -0.74, None, -0.76, -0.74],
    ("linear", "m-probmix"): [-0.38, -0.33, -0.01, 0.11, None, 0.43, 0.36],
    ("linear", "loc-m-probmix"): [-0.30, -0.30, -0.30, -0.31, None, -0.29, -0.25],
}
CHOICES = [  # the open choices: options, what changes
    ("", "the preset"),
    ("--activation tanh", "tanh instead of ReLU"),
    ("--optimiser gradient-descent", "plain gradient descent"),
    ("--last", "last epoch instead of selection"),
    ("--lambda-per pair", "one λ a pair"),
    ("--variance-link softplus", "softplus instead of exp"),
    ("--pairing replacement", "partners with replacement"),
    ("--beta 0.01", "the wider response kernel of the ablation"),
]


class Study:
    """Runs the tool, each command once."""

    def __init__(self, tool, threads):
        self.command = [tool, "reproduce", "toy-regression", "--threads", str(threads), "--json"]

    @functools.lru_cache(maxsize=None)
    def results(self, alpha, pooling, options):
        arguments = ["--alpha", alpha, "--pooling", pooling, *options.split()]
        print(*arguments, file=sys.stderr)
        done = subprocess.run(self.command + arguments, stdout=subprocess.PIPE, check=True)
        return {entry["method"]: entry for entry in json.loads(done.stdout)}

    def figure(self, name, method, alpha="0.1", pooling="log-linear", options=""):
        return self.results(alpha, pooling, options)[method][name]


def ood(value):
    """One decimal below 20, else none: the standard errors allow no more."""
    return f"{value:.1f}" if value < 19.95 else f"{value:.0f}"


def signed(value):
    return f"{value:.2f}".replace("-", "−")


def beside(own, paper, show):
    return own if paper is None else f"{own} ({show(paper)})"


def table(title, columns, rows, left=1):
    print(f"## {title}\n")
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * left + "---:|" * (len(columns) - left))
    for row in rows:
        print(("| " + " | ".join(row) + " |").replace("|  |", "| |"))
    print()


def quoted(methods):
    return [f"`{method}`" for method in methods]


def single_draws(study, pooling, paper):
    rows = []
    for i, alpha in enumerate(ALPHAS):
        own = {m: ood(study.figure("ood_draws_nll", m, alpha, pooling)) for m in paper}
        rows.append([alpha, *(beside(own[m], paper[m][i], ood) for m in paper)])
    table(f"Out of distribution, {pooling} pooling", ["α", *quoted(paper)], rows)


def in_distribution(study):
    rows = []
    for i, alpha in enumerate(ALPHAS):
        if alpha == "0.25":  # not in the paper's table
            continue
        row = [alpha]
        for (pooling, method), paper in PAPER_ID.items():
            test, train = (signed(study.figure(name, method, alpha, pooling))
                           for name in ("id_draws_nll", "train_draws_nll"))
            row.append(beside(f"{test}, {train}", paper[i], signed))
        rows.append(row)
    columns = [f"{pooling} `{method}`" for pooling, method in PAPER_ID]
    table("In distribution", ["α", *columns], rows)


def predictive_mixture(study):
    methods = ["m-probmix", "loc-m-probmix", "m-probmix-star", "loc-m-probmix-star"]
    rows = [[alpha, ood(study.figure("ood_nll", "erm", alpha)),
             *(ood(study.figure("ood_nll", method, alpha, pooling))
               for pooling in ("log-linear", "linear") for method in methods)]
            for alpha in ALPHAS]
    names = quoted(methods)
    table("The predictive mixture", ["α", "erm", *names, *(f"{name}, linear" for name in names)],
          rows)


def data_sets(study):
    methods = ["erm", "mix", "probmix", "m-probmix", "loc-m-probmix"]
    rows = []
    for seed in range(1, 6):
        options = f"--seed {seed}" if seed != 1 else ""  # 1 is the preset's
        rows.append([str(seed), *(ood(study.figure("ood_nll", m, options=options)) for m in methods),
                     *(ood(study.figure("ood_nll", m, pooling="linear", options=options))
                       for m in methods[-2:])])
    table("How much depends on the data set",
          ["seed (data set)", *methods, *(f"{m}, linear" for m in methods[-2:])], rows)


def open_choices(study):
    methods = ["erm", "mix", "m-mix", "probmix", "loc-probmix", "m-probmix", "loc-m-probmix"]
    rows = [[f"`{options}`" if options else "", what,
             *(ood(study.figure("ood_nll", method, options=options)) for method in methods)]
            for options, what in CHOICES]
    table("How much depends on the open choices", ["option", "what changes", *methods], rows, left=2)


def main():
    parser = argparse.ArgumentParser(description="Print the tables of toy-regression.md.")
    parser.add_argument("tool", nargs="?", default="build/probmix", help="default: build/probmix")
    parser.add_argument("--threads", type=int, default=2, help="default: 2")
    arguments = parser.parse_args()
    study = Study(arguments.tool, arguments.threads)
    single_draws(study, "log-linear", PAPER_LOG_LINEAR_OOD)
    single_draws(study, "linear", PAPER_LINEAR_OOD)
    in_distribution(study)
    predictive_mixture(study)
    data_sets(study)
    open_choices(study)


if __name__ == "__main__":
    main()
