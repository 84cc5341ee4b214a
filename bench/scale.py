#!/usr/bin/env python3
"""How training scales: a sweep of small runs over threads, and one run over rows and threads.

Formats the output of build/bench_train as two tables. Models must have the same fingerprint,
that is the same bits, on any number of threads.
"""
import json
import pathlib
import statistics
import subprocess
import sys

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "build/bench_train"


def train(**options):
    arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    done = subprocess.run([PROGRAM, "--json", *arguments], stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(1)  # the program has said why
    return json.loads(done.stdout)


def agree(runs):
    if len({run["fingerprint"] for run in runs}) != 1:
        sys.exit("bench-scale: models differ between numbers of threads")
    return "same bits"


def sweep(rounds=5):
    found = {1: [], 2: []}
    for _ in range(rounds):  # alternating, so that a disturbance affects both
        for threads, runs in found.items():
            runs.append(train(rows=222, features=6, runs=40, epochs=500, threads=threads))
    one, two = (statistics.median(run["seconds"] for run in found[t]) for t in (1, 2))
    print(f"40 runs of 500 epochs, 222 x 6, probmix: 1 thread {one:.2f} s, 2 threads {two:.2f} s, "
          f"{one / two:.2f} times faster, {agree(found[1] + found[2])}\n")


def scale():
    print("loc-probmix, 20 independent features, 5 neighbours, batches of 1024, 3 epochs")
    print(f"{'rows':>9} {'threads':>7} {'graph s':>9} {'exact':>6} {'epoch s':>9} {'µs / row':>9} {'MB':>7}")
    for rows in (10_000, 100_000, 1_000_000):
        runs = []
        for threads in (1, 2):
            run = train(rows=rows, features=20, batch=1024, method="loc-probmix", epochs=3,
                        threads=threads)
            runs.append(run)
            print(f"{rows:>9} {threads:>7} {run['graph_seconds']:>9.2f} "
                  f"{'yes' if run['graph_exact'] else 'no':>6} "
                  f"{run['seconds_per_epoch']:>9.3f} "
                  f"{1e6 * run['seconds_per_epoch'] / rows:>9.2f} {run['peak_megabytes']:>7.0f}")
        print(f"{'':>9} {agree(runs)}")


if __name__ == "__main__":
    sweep()
    scale()
