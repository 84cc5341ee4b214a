#!/usr/bin/env python3
"""Our training step against the same step in PyTorch and JAX, side by side.

For each shape of data and each method all contenders take turns, in rounds of short blocks, one of
them at a time; the median over the rounds counts. A peer must first compute our loss and gradient.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
VENV_PYTHON = ROOT / "build/peers/venv/bin/python"
HIDDEN = "128,32"


def mlp(rows, features):
    return ["--rows", str(rows), "--features", str(features), "--hidden", HIDDEN]


def windows(arch):
    return ["--arch", arch, "--rows", "283", "--steps", "42", "--features", "4"]


SEQUENCES = {"lstm": windows("lstm"), "transformer": windows("transformer")}
SHAPES = {"222x6": mlp(222, 6), "1151x11": mlp(1151, 11), "8592x16": mlp(8592, 16), **SEQUENCES}
METHODS = ("probmix", "m-probmix", "mix", "erm")

# Targets for peer time / our time: for probmix; 0.8 of it for the other methods of an MLP.
TARGETS = {"PyTorch eager": {"222x6": 15, "1151x11": 8, "8592x16": 4.5, "lstm": 5,
                             "transformer": 4},
           "JAX jit": {"222x6": 4, "1151x11": 2.5, "8592x16": 1.5}}
OTHER_METHODS = 0.8


class Failure(Exception):
    """One line for the user."""


class Worker:
    """A long-lived process of a peer, which keeps its compiled code."""

    def __init__(self, python, script, options):
        self.name = f"{script} of {python}"
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [python, HERE / script, "--threads", str(options.threads)], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            env=environment(options))
        greeting = self.answer()
        self.versions, self.contenders = greeting["versions"], greeting["contenders"]

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            self.log.seek(0)
            last = self.log.read().strip().split("\n")[-1]
            raise Failure(f"{self.name} ended: {last or 'it said nothing'}")
        value = json.loads(line)
        if "error" in value:
            raise Failure(value["error"])
        return value

    def ask(self, **request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
        except OSError:
            pass  # it has ended; its last output is read below
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def environment(options):
    threads = str(options.threads)
    return {**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
            # Keep large arrays in the process: page faults would slow PyTorch and JAX down.
            "GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=1073741824:"
                              "glibc.malloc.trim_threshold=8589934592:glibc.malloc.hugetlb=1",
            "TORCHINDUCTOR_CACHE_DIR": str(ROOT / "build/peers/inductor"),
            "TORCHINDUCTOR_COMPILE_THREADS": "1"}


def start_peers(options):
    workers, left_out = [], []
    for python, script in (("/usr/bin/python3", "torch_peer.py"), (VENV_PYTHON, "torch_peer.py"),
                           (VENV_PYTHON, "jax_peer.py")):
        try:
            workers.append(Worker(str(python), script, options))
        except (OSError, Failure) as error:
            left_out.append(str(error))
    return workers, left_out


def ours(options, method, shape, *more):
    command = [options.ours, *SHAPES[shape], "--method", method, "--threads", str(options.threads),
               *more]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment(options))
    except OSError as error:
        raise Failure(f"cannot run {options.ours}: {error.strerror}; build it with make") from None
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"{options.ours} failed")
    return done.stdout


def measure_case(options, workers, method, shape, folder):
    """{contender: {clock: median µs over the rounds}}, and the µs that oneDNN's sgemm takes for the
    products of a step alone."""
    dump = str(pathlib.Path(folder) / "step.json")
    # A lambda in the middle, so that both rows of a pair count in the check.
    ours(options, method, shape, "--alpha", "5", "--dump", dump)
    variants = {}
    for worker in workers:
        progress(f"{shape} {method}: preparing {worker.name}")
        variants[worker] = worker.ask(prepare=dump)["variants"]
    found = {}

    def note(contender, wall, cpu):
        found.setdefault(contender, {"wall": [], "cpu": []})
        found[contender]["wall"].append(wall)
        found[contender]["cpu"].append(cpu)

    products = []
    for k in range(options.rounds):
        progress(f"{shape} {method}: round {k + 1} of {options.rounds}")
        block = json.loads(ours(options, method, shape, "--blocks", "1", "--seconds",
                                str(options.seconds), "--json"))
        note("ours", block["us_per_step"], block["cpu_us_per_step"])
        products.append(1e-3 * block["flops_per_step"] / block["sgemm_gflops"])
        for worker in workers:
            for variant in variants[worker]:
                block = worker.ask(measure=variant, seconds=options.seconds)
                note(worker.contenders[variant], block["us"], block["cpu_us"])
    return {c: {"us": statistics.median(f["wall"]), "cpu_us": statistics.median(f["cpu"]),
                "rounds": f} for c, f in found.items()}, statistics.median(products)


# Report ----------------------------------------------------------------------------------------


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def best(times, prefix, suffixes):
    found = [t for c, t in times.items() if c.startswith(prefix) and c.endswith(suffixes)]
    return min(found) if found else None


def with_ratios(case, key):
    times = {c: f[key] for c, f in case["contenders"].items()}
    peers = {c: t for c, t in times.items() if c != "ours"}
    case["ratios"] = {c: t / times["ours"] for c, t in peers.items()}
    eager = best(times, "PyTorch", "eager")  # the faster version
    for name, time in (("PyTorch eager", eager), ("JAX jit", times.get("JAX jit"))):
        target = TARGETS[name].get(case["shape"])
        if time is None or target is None or case["method"] == "erm":
            continue
        if case["method"] != "probmix" and case["shape"] not in SEQUENCES:
            target *= OTHER_METHODS
        ratio = time / times["ours"]
        case["targets"][name] = {"target": target, "ratio": ratio, "met": ratio >= target,
                                 "products_alone": time / case["products_us"]}
    return {"ours": times["ours"], **peers}


def table(cases, key):
    rows = []
    for case in cases:
        times = with_ratios(case, key)
        cells = {c: f"{t:.0f} ({case['ratios'][c]:.2f})" for c, t in times.items() if c != "ours"}
        rows.append({"shape": case["shape"], "method": case["method"],
                     "sgemm": f"{case['products_us']:.0f}", "ours": f"{times['ours']:.0f}",
                     **cells})
    columns = list(dict.fromkeys(c for r in rows for c in r))
    lines = [{c: c for c in columns}, *({c: r.get(c, "") for c in columns} for r in rows)]
    widths = {c: max(len(r[c]) for r in lines) for c in columns}
    return "\n".join("  ".join(r[c].rjust(w) if c not in ("shape", "method") else r[c].ljust(w)
                               for c, w in widths.items()) for r in lines)


def targets(cases):
    return "\n".join(
        f"{case['shape']:<11} {case['method']:<9} {name:<13} {t['ratio']:6.2f} of "
        f"{t['target']:<5.3g} {'met    ' if t['met'] else 'not met'} {t['products_alone']:6.2f}"
        for case in cases for name, t in case["targets"].items())


def processor():
    fields = {}
    first = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0]
    for line in first.split("\n"):
        name, _, value = line.partition(":")
        fields[name.strip()] = value.strip()
    return {"model": fields.get("model name", platform.processor()), "count": os.cpu_count(),
            "flags": [f for f in fields.get("flags", "").split()
                      if f.startswith(("avx", "fma", "amx", "sse4"))]}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", default=str(ROOT / "build/bench_step"), metavar="PROGRAM")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS[:3]))
    parser.add_argument("--threads", type=int, default=1, help="of each contender (%(default)s)")
    parser.add_argument("--rounds", type=int, default=7, help="(%(default)s)")
    parser.add_argument("--seconds", type=float, default=0.1, help="of a block (%(default)s)")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall",
                        help="cpu: for a machine that others use too (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="3 rounds of blocks of 0.05 s")
    parser.add_argument("--json", metavar="FILE", help="write all that was measured")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds = 3, 0.05
    if min(options.rounds, options.threads) < 1 or not options.seconds > 0:
        parser.error("rounds, threads and seconds must be greater than 0")
    return options


def main():
    options = arguments()
    if options.threads == 1:  # the same core for all
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    key = "us" if options.clock == "wall" else "cpu_us"
    (workers, left_out), cases = start_peers(options), []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for shape in options.shapes:
                for method in options.methods:
                    contenders, products = measure_case(options, workers, method, shape, folder)
                    cases.append({"shape": shape, "method": method, "targets": {},
                                  "products_us": products, "contenders": contenders})
    finally:
        progress("")
        for worker in workers:
            worker.close()

    versions = [w.versions for w in workers]
    cpu = processor()
    print(f"µs of a step, {options.clock} clock, {options.threads} thread(s); in brackets: "
          f"times ours\n{cpu['model']}, {' '.join(cpu['flags'])}")
    print("; ".join(" ".join(f"{k} {v}" for k, v in version.items()) for version in versions))
    print("\n" + table(cases, key))
    print("\nTargets (times ours, for information), and what the ratio would be if our step took no\n"
          "more time than oneDNN's sgemm takes for its matrix products alone (column sgemm)\n"
          + targets(cases))
    for error in left_out:
        print(f"\nleft out: {error}")
    if options.json:
        report = {"left_out": left_out, "cpu": cpu, "versions": versions, "clock": options.clock,
                  "threads": options.threads, "rounds": options.rounds, "seconds": options.seconds,
                  "hidden": HIDDEN, "cases": cases}
        text = json.dumps(report, indent=1) + "\n"
        pathlib.Path(options.json).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"bench-peers: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
