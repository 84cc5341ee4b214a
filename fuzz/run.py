#!/usr/bin/env python3
"""Fuzzes all targets, one on each processor, from fresh seeds and the kept corpora.

    fuzz/run.py build/fuzz --seconds 600
    fuzz/run.py build/fuzz --seconds 600 --keep     # and keeps the inputs that reach new code

The kept corpora are tests/corpus/fuzz/TARGET.tar.gz; tests/cli/replay_test.py runs them. An input that makes a target
fail is left in BUILD/findings. Exit code 1 if there is one.
"""

import argparse
import concurrent.futures
import gzip
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests" / "corpus" / "fuzz"
TARGETS = ("table", "model", "results", "checkpoint", "search", "options")
MOST_BYTES = {"table": 4096, "model": 40000, "results": 40000, "checkpoint": 40000, "search": 8192, "options": 1000}
MOST_KEPT = {**MOST_BYTES, "model": 16384, "checkpoint": 16384}  # of an input
ENVIRONMENT = {**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1", "ASAN_OPTIONS": "detect_leaks=0"}

sys.path.insert(0, str(ROOT / "tests" / "attack"))
from attack import Attack, MODELS, TABLE  # noqa: E402


def unpack(target, folder):
    """The kept inputs of a target, as files."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = KEPT / f"{target}.tar.gz"
    if archive.exists():
        with tarfile.open(archive) as inputs:
            for member in inputs.getmembers():
                (folder / pathlib.Path(member.name).name).write_bytes(inputs.extractfile(member).read())
    return folder


def pack(target, folder):
    """Keeps the files of a folder; the same files give the same archive."""
    KEPT.mkdir(exist_ok=True)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(folder.iterdir()):
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            archive.addfile(member, io.BytesIO(path.read_bytes()))
    (KEPT / f"{target}.tar.gz").write_bytes(gzip.compress(buffer.getvalue(), mtime=0))


def first_lines(lines):
    """As many as fuzzing takes."""
    text = b""
    for line in lines:
        if text and len(text) + len(line.encode()) > MOST_BYTES["results"]:
            break
        text += line.encode()
    return text


def make_seeds(program, seeds):
    """Small well-formed inputs of every target."""
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(program, pathlib.Path(folder), None)
        attack.prepare()
    contents = {
        "table": {"all": TABLE.encode(), **{path.name: path.read_bytes()
                                            for path in (ROOT / "tests/corpus/csv").iterdir()}},
        "model": {**attack.models, **{path.name: path.read_bytes()
                                      for path in (ROOT / "tests/corpus/model").iterdir()}},
        "results": {**{name: first_lines(lines) for name, lines in attack.results.items()},
                    **{path.name: path.read_bytes() for path in (ROOT / "tests/corpus/json").iterdir()}},
        "checkpoint": {"saved": attack.checkpoint},
        "search": {"decided": attack.search},
        "options": {"erm": b"method erm\n", "series": b"window 3\nhorizon 1\narch lstm\nunits 4\n",
                    "classes": b"target c\nmethod m-probmix\ndraws 2\n"},
    }
    for target, files in contents.items():
        (seeds / target).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            if len(content) > MOST_BYTES[target] and target != "table":
                raise SystemExit(f"the seed '{name}' of {target} has {len(content)} bytes, more than MOST_BYTES allows")
            (seeds / target / name).write_bytes(content)


def fuzz(build, target, seconds):
    """Fuzzes a target; returns a line about it and whether all went well."""
    corpus, findings = build / "corpus" / target, build / "findings"
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(exist_ok=True)
    folders = [corpus, build / "seeds" / target, unpack(target, build / "kept" / target)]
    log = build / f"{target}.log"
    with log.open("wb") as out:
        code = subprocess.run(
            [build / "probmix_fuzz", f"--target={target}", *folders, f"-max_total_time={seconds}",
             f"-max_len={MOST_BYTES[target]}", "-rss_limit_mb=4096", "-timeout=20", "-print_final_stats=1",
             "-close_fd_mask=3", "-reload=0", f"-artifact_prefix={findings}/{target}-"],
            stdout=out, stderr=subprocess.STDOUT, check=False, env=ENVIRONMENT).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
    covered = re.findall(r"cov: (\d+)", text)
    line = f"{target:<11} {runs.group(1) if runs else '?':>8} runs, {covered[-1] if covered else '?':>6} edges covered"
    return line + ("" if code == 0 else f", FAILED: see {log} and {findings}"), code == 0


def keep(build, target):
    """Keeps the fewest inputs that reach the same code as all that there are, but for large ones."""
    smallest = build / "smallest" / target
    shutil.rmtree(smallest, ignore_errors=True)
    smallest.mkdir(parents=True)
    subprocess.run([build / "probmix_fuzz", f"--target={target}", "-merge=1", "-close_fd_mask=3", smallest,
                    *[build / part / target for part in ("corpus", "seeds", "kept")]],
                   check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for path in smallest.iterdir():
        if path.stat().st_size > MOST_KEPT[target]:
            path.unlink()
    pack(target, smallest)
    return len(list(smallest.iterdir()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    targets = options.targets.split(",")
    make_seeds(build / "probmix", build / "seeds")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(fuzz, build, target, options.seconds) for target in targets]
        done = [job.result() for job in jobs]
    for line, _ in done:
        print(line)
    if options.keep:
        for target in targets:
            print(f"{target:<11} {keep(build, target)} inputs kept")
    return 0 if all(well for _, well in done) else 1


if __name__ == "__main__":
    sys.exit(main())
