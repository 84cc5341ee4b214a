#!/usr/bin/env python3
"""The tutorial's table of choices: how they do where there are data, and beyond.

    python3 examples/beyond.py build/probmix        takes a minute

Each choice is one network, whose inputs are clipped far beyond the training range. It is trained on rides.csv with
seeds 1 to 5 and judged on the rides of rides-test.csv below 9 km, which are like those of the training, and from 9 km
on, of which training had none.
"""

import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GAMMA = "--family gamma --variance-link softplus"
LINEAR = "--pooling linear --alpha 0.5"
BASE = ["--preset", "fast", "--limit-inputs", "wide"]
CHOICES = ["--method erm", "--method probmix", "--method m-probmix", f"--method m-probmix {LINEAR}",
           f"--method erm {GAMMA}", f"--method m-probmix {GAMMA}",
           f"--method m-probmix {GAMMA} {LINEAR}", "--method m-probmix --family gamma"]
SEEDS = range(1, 6)


def part(is_far):
    """The text of the rides that are far, or of the others."""
    with open(HERE / "rides-test.csv", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        out = io.StringIO()
        writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\n")
        writer.writeheader()
        writer.writerows(r for r in rows if (float(r["distance_km"]) >= 9) == is_far)
    return out.getvalue()


def judge(probmix, model, text):
    done = subprocess.run([probmix, "evaluate", model, "-", "--json"], input=text, check=True,
                          capture_output=True, encoding="utf-8")
    return json.loads(done.stdout)


def main():
    probmix = sys.argv[1]
    near, far = part(False), part(True)
    print("| options of `train` | NLL below 9 km | NLL from 9 km | 90 % holds, from 9 km | its width |")
    print("|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/m.safetensors"
        for choice in CHOICES:
            nll_near, nll_far, holds, width = [], [], [], []
            for seed in SEEDS:
                subprocess.run([probmix, "train", HERE / "rides.csv", "--target", "minutes", "--seed",
                                str(seed), "--out", model, *BASE, *choice.split(),
                                *([] if LINEAR in choice else ["--pooling", "log-linear"])], check=True,
                               stdout=subprocess.DEVNULL)
                nll_near.append(judge(probmix, model, near)["nll"])
                found = judge(probmix, model, far)
                nll_far.append(found["nll"])
                interval = found["targets"][0]["intervals"][2]
                holds.append(100 * interval["coverage"])
                width.append(interval["width"])
            mean = [sum(v) / len(v) for v in (nll_near, nll_far, holds, width)]
            print(f"| `{choice}` | {mean[0]:.2f} | {mean[1]:.1f} | {mean[2]:.0f} % "
                  f"({min(holds):.0f}–{max(holds):.0f}) | {mean[3]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
