#!/usr/bin/env python3
"""The default recipe of `probmix train` beside other programs, on the tables of the development
collection: the same splits, one thread each, one after another.

Each finished run is a line of JSON in --out; a run that was stopped goes on where it was.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import warnings

THREADS = 1
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # before NumPy is loaded
    os.environ[variable] = str(THREADS)
warnings.filterwarnings("ignore")

from peers import PEERS  # noqa: E402
from scores import read_task, scores  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ["probmix", *PEERS]
SHOWN = (("nll", "NLL"), ("crps", "CRPS"), ("rmse", "RMSE"), ("accuracy", "accuracy"),
         ("coverage_90", "coverage of the 90 % interval"), ("seconds", "seconds for one split"), ("cpu_seconds", "processor seconds"))


FILLED = ("verdict", "nll", "cpu_seconds")  # the parts of a page


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("PROBMIX_DATA"),
                        help="directory with tables/autompg.csv.gz and so on (PROBMIX_DATA)")
    parser.add_argument("--probmix", type=pathlib.Path, default=ROOT / "build/probmix")
    parser.add_argument("--study", choices=["tables", "best"], default="tables",
                        help="the development collection, or the UCI sets")
    parser.add_argument("--sets", help="tables, separated by commas; all by default")
    parser.add_argument("--splits", default="0-2")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/quality/quality.jsonl")
    parser.add_argument("--fill", type=pathlib.Path, metavar="PAGE",
                        help="put the verdict and the tables of NLL and processor seconds into this page")
    parser.add_argument("--again", default="", help="programs whose runs are repeated, such as probmix")
    options = parser.parse_args()
    if not options.data:
        parser.error("where are the data? Give their directory with --data or PROBMIX_DATA")
    for name in [*options.programs.split(","), *filter(None, options.again.split(","))]:
        if name not in PROGRAMS:
            parser.error(f"unknown program {name}; accepted: {', '.join(PROGRAMS)}")
    return options


def say(text):
    print(text, file=sys.stderr, flush=True)


def call_probmix(options, *more):
    subprocess.run([options.probmix, "reproduce", options.study, "--data", options.data, "--splits",
                    options.splits, *more], check=True, stdout=subprocess.DEVNULL)


class Results:
    """The lines of the file: {"table", "split", "program", "seconds", scores}, or an "error"."""

    def __init__(self, path, again):
        self.path, self.lines = path, {}
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for line in text[:text.rfind("\n") + 1].splitlines():  # the last may be cut short
            run = json.loads(line)
            if run["program"] not in again:
                self.lines[run["table"], run["split"], run["program"]] = run
        temporary = path.with_suffix(".tmp")
        temporary.write_text("".join(json.dumps(r) + "\n" for r in self.lines.values()),
                             encoding="utf-8")
        temporary.replace(path)

    def has(self, table, split, program):
        return (table, split, program) in self.lines

    def add(self, table, split, program, found):
        run = {"table": table, "split": split, "program": program, **found}
        self.lines[table, split, program] = run
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(run) + "\n")

    def mean(self, table, program, score):
        """None unless all splits that the program was run on have the score."""
        runs = [r for (t, _, p), r in self.lines.items() if t == table and p == program]
        values = [r[score] for r in runs if score in r]
        return sum(values) / len(values) if values and len(values) == len(runs) else None


def run_probmix(options, table, splits, results):
    if all(results.has(table, split, "probmix") for split in splits):
        return
    file = options.out.with_suffix("") / f"{table}.jsonl"  # the program itself resumes from it
    file.parent.mkdir(exist_ok=True)
    call_probmix(options, "--sets", table, "--threads", str(THREADS), "--out", str(file))
    runs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for run in runs:
        split = run["configuration"]["split"]
        if results.has(table, split, "probmix"):
            continue
        if run["status"] != "done":
            results.add(table, split, "probmix", {"error": run["message"]})
            continue
        test = run["result"]["test"]
        found = {name: test[name] for name, _ in SHOWN if name in test}
        results.add(table, split, "probmix", {
            "seconds": run["seconds"], "cpu_seconds": run["result"].get("cpu_seconds"), **found, "family": run["result"]["family"],
            "marginal_nll": run["result"]["marginal_nll"]})


def run_peer(program, folder, table, split, results):
    if results.has(table, split, program):
        return
    task = read_task(folder, table, split, THREADS)
    start, cpu = time.perf_counter(), time.process_time()
    try:
        found = PEERS[program](task)
    except Exception as error:  # one table that a program cannot do is no reason to stop
        say(f"{program} failed on {table}, split {split}: {error}")
        results.add(table, split, program, {"error": str(error)})
        return
    if found is None:
        return
    times = {"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu}
    judged = {name: float(value) for name, value in scores(task, found).items()}
    results.add(table, split, program, {**times, **judged})


def measured(results, table, program):
    """The NLL to compare. A discrete density of ours gives probabilities of whole numbers, so the
    others are judged by their probability of the unit interval around them."""
    families = {r.get("family", "") for r in results.lines.values()
                if r["table"] == table and r["program"] == "probmix"}
    discrete = any("poisson" in f or "binomial" in f for f in families)
    score = "nll_unit" if discrete and program != "probmix" else "nll"
    return results.mean(table, program, score)


def verdict(results, tables):
    compared, lost, exploded, coverage = 0, [], [], []
    spent = {"seconds": {}, "cpu_seconds": {}}
    for table in tables:
        ours = measured(results, table, "probmix")
        peers = [v for p in PEERS if (v := measured(results, table, p)) is not None]
        if ours is None:
            continue
        if peers:
            compared += 1
            if not ours <= min(peers):
                lost.append(f"{table} (by {ours - min(peers):.3f})")
        if not ours <= results.mean(table, "probmix", "marginal_nll"):
            exploded.append(table)
        coverage.append(results.mean(table, "probmix", "coverage_90"))
        for kind, sums in spent.items():
            for program in PROGRAMS:
                sums[program] = sums.get(program, 0) + (results.mean(table, program, kind) or 0)
    coverage = [c for c in coverage if c is not None]
    lines = [f"probmix is at or below the best peer's NLL on {compared - len(lost)} of {compared} "
             f"tables" + (f"; not on {', '.join(lost)}" if lost else "")]
    if coverage:
        lines.append(f"its 90 % intervals hold {100 * sum(coverage) / len(coverage):.1f} % on "
                     f"average, from {100 * min(coverage):.0f} to {100 * max(coverage):.0f} %")
    lines.append("NLL above that of the marginal density: " + (", ".join(exploded) or "on no table"))
    for kind, what in (("seconds", "seconds"), ("cpu_seconds", "processor seconds")):
        lines.append(f"{what} for one split of each table: "
                     + ", ".join(f"{p} {s:.1f}" for p, s in spent[kind].items()))
    return lines


def table_of(results, tables, score, title):
    """The head and a row for each table that has the score."""
    columns = [*PROGRAMS, *(["marginal"] if score == "nll" else [])]
    rows = []
    for table in tables:
        def value(column):
            if column == "marginal":
                return results.mean(table, "probmix", "marginal_nll")
            return measured(results, table, column) if score == "nll" else results.mean(
                table, column, score)
        values = [value(c) for c in columns]
        if any(v is not None for v in values):
            rows.append([table, *("–" if v is None else f"{v:.4g}" for v in values)])
    return [title, *columns], rows


def aligned(head, rows):
    rows = [head, *rows]
    widths = [max(len(row[c]) for row in rows) for c in range(len(head))]
    return "\n".join("  ".join(cell.ljust(w) if c == 0 else cell.rjust(w)
                               for c, (cell, w) in enumerate(zip(row, widths)))
                     for row in rows) + "\n"


def markdown(head, rows):
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def fill(path, parts):
    """Replaces what stands between <!-- table peers/NAME --> and <!-- end --> in a page; the other
    tables of the page are those of `probmix report --fill`."""
    text = path.read_text(encoding="utf-8")
    for name, part in parts.items():
        marked = re.compile(rf"(<!-- table peers/{name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = marked.subn(lambda m: f"{m[1]}\n{part}\n\n{m[2]}", text)
        if not found:
            sys.exit(f"'{path}' has no line <!-- table peers/{name} --> to fill")
    path.write_text(text, encoding="utf-8")


def main():
    options = arguments()
    programs, again = options.programs.split(","), options.again.split(",")
    folder = options.out.with_suffix("") / "splits"
    if "probmix" in again:
        for file in options.out.with_suffix("").glob("*.jsonl"):
            file.unlink()
    shutil.rmtree(folder, ignore_errors=True)
    call_probmix(options, "--export-splits", str(folder),
                 *(["--sets", options.sets] if options.sets else []))
    about = {f.stem: json.loads(f.read_text(encoding="utf-8")) for f in folder.glob("*.json")}
    # The quick ones first: in the order of their size.
    tables = sorted(about, key=lambda t: (folder / f"{t}.csv").stat().st_size * about[t]["window"])
    if options.sets:
        tables = options.sets.split(",")
    results = Results(options.out, again)
    for table in tables:
        splits = [s["split"] for s in about[table]["splits"]]
        say(f"{table}: {', '.join(programs)}")
        if "probmix" in programs:
            run_probmix(options, table, splits, results)
        for program in programs:
            for split in splits if program != "probmix" else ():
                run_peer(program, folder, table, split, results)
    judged = verdict(results, tables)
    print("\n".join(judged) + "\n")
    parts = {"verdict": "\n".join(f"- {line}" for line in judged)}
    for score, title in SHOWN:
        head, rows = table_of(results, tables, score, title)
        if rows:
            print(aligned(head, rows))
            parts[score] = markdown(head, rows)
    if options.fill:
        fill(options.fill, {name: parts[name] for name in FILLED})


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
