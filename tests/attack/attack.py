#!/usr/bin/env python3
"""Feeds the program damaged and hostile files, and checks that it survives them.

    tests/attack/attack.py build/probmix --models 10000 --results 5000 --checkpoints 2000 --flips 500

Mutants keep the structure of their files: a value of the JSON is replaced by an awkward one, a key is dropped or
doubled, tensors get huge or infinite numbers, and the checksum is then made right, so that they reach the code behind
it. Flips change single bits and leave the checksum alone: each must be noticed.

A finding is a signal, a time-out, an exit code that is not documented, a message of several lines, a NaN or infinity
that is printed with exit code 0, or a flip that was not noticed. The mutant is kept in --keep DIR. Exit code 1 if
there are findings.
"""

import argparse
import concurrent.futures
import copy
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

SECONDS = 5  # of processor time, as the machine may be busy; a program that waits gets a minute
MASK = (1 << 64) - 1
TABLE = "x,town,day,y,p,n,c\n" + "".join(
    f"{(k * 37 % 101) / 10},{'abc'[k % 3]},2024-{1 + k % 12:02}-{1 + k % 28:02},{(k * 53 % 89) / 7 + 1},"
    f"{(k * 29 % 97 + 1) / 99},{k * 31 % 6},{'uvw'[k * 17 % 3]}\n" for k in range(80))
MODELS = {
    "gaussian": ["--target", "y"], "joint": ["--target", "y,x"], "gamma": ["--target", "y", "--family", "gamma"],
    "beta": ["--target", "p", "--family", "beta"], "poisson": ["--target", "n", "--family", "poisson"],
    "classes": ["--target", "c"], "m-probmix": ["--target", "y", "--method", "m-probmix", "--members", "3"],
    "two": ["--target", "c", "--inputs", "x,town", "--method", "loc-m-probmix-star", "--members", "2"],
    # Small enough for the fuzzers, however many networks the default preset trains.
    "lstm": ["--target", "y", "--window", "3", "--horizon", "1", "--arch", "lstm", "--units", "4", "--embedding", "4",
             "--preset", "fast", "--ensemble", "2"],
    "transformer": ["--target", "y", "--window", "3", "--horizon", "1", "--arch", "transformer", "--units", "4",
                    "--embedding", "4", "--preset", "fast"],
}
AWKWARD = [0, -1, 1, 2, 64, 65, 1e308, -1e308, 1e-320, 2**31, 2**53, 2**63, -2**63, 0.5, "", "x", "\u202e\x9b31m", "=1+1",
           "a" * 5000, None, True, False, [], {}, [1], [[]], {"a": 1}, [64], [2], [1e308], [None], [[0, 0]]]
# Chooses the family, variants and trials; the same as in fuzz/targets.cpp.
SEARCH = ["--target", "n", "--hidden", "4", "--ensemble", "3", "--trials", "2", "--epochs", "2"]


# The checksums of models, checkpoints and results, as the program computes them (base/fingerprint.hpp).
class Fingerprint:
    def __init__(self):
        self.hash = 0xCBF29CE484222325

    def word(self, word):
        h = ((self.hash ^ word) + 0x9E3779B97F4A7C15) & MASK
        h = ((h ^ (h >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        h = ((h ^ (h >> 27)) * 0x94D049BB133111EB) & MASK
        self.hash = h ^ (h >> 31)

    def text(self, data):
        self.word(len(data))
        for byte in data:
            self.word(byte)

    def words(self, data):
        self.word(len(data))
        whole = len(data) // 8 * 8
        for (word,) in struct.iter_unpack("<Q", data[:whole]):
            self.word(word)
        for byte in data[whole:]:
            self.word(byte)

    def __str__(self):
        return f"{self.hash:016x}"


def read_tensors(data):
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    body = data[8 + length:]
    metadata = header.pop("__metadata__")
    tensors = {name: (entry["dtype"], entry["shape"], body[slice(*entry["data_offsets"])])
               for name, entry in header.items()}
    return metadata, tensors


def write_tensors(metadata, tensors):
    metadata = {key: text for key, text in metadata.items() if key != "digest"}
    print_ = Fingerprint()
    for key in sorted(metadata, key=lambda k: k.encode()):
        print_.text(key.encode())
        print_.text(metadata[key].encode())
    for name in sorted(tensors, key=lambda k: k.encode()):
        kind, shape, values = tensors[name]
        print_.text(name.encode())
        print_.text(kind.encode())
        for extent in shape:
            print_.word(extent & MASK)
        print_.words(values)
    header = {"__metadata__": {**metadata, "digest": str(print_)}}
    body = b""
    for name, (kind, shape, values) in tensors.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(body), len(body) + len(values)]}
        body += values
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def with_checksum(line):
    text = line.rstrip("\n")[:-1]
    text = re.sub(r',"check":"[^"]*"$', "", text)
    print_ = Fingerprint()
    print_.words(text.encode())
    return f'{text},"check":"{print_}"}}\n'


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def place_in(value, chance):
    """A place; each entry of the outermost object is as likely as any other, however much is nested in it."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = chance.choice(keys)
    return chance.choice(list(places(value[key], (key,))))


def mutate_json(value, chance):
    value = copy.deepcopy(value)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        if not value:
            break
        path = place_in(value, chance)
        holder = value
        for key in path[:-1]:
            holder = holder[key]
        key = path[-1]
        action = chance.random()
        if action < 0.12:
            del holder[key]
        elif action < 0.2 and isinstance(holder, list):
            holder.extend(holder[key:key + 1] * chance.choice([1, 3, 100]))
        elif action < 0.3 and isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool):
            holder[key] = holder[key] * chance.choice([-1, 2, 1000, 1e30, 1e300])
        else:
            holder[key] = copy.deepcopy(chance.choice(AWKWARD))
    return value


def mutate_bytes(data, chance):
    """With whatever checksum."""
    data = bytearray(data)
    for _ in range(chance.choice([1, 2, 10])):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data[:chance.choice([len(data), len(data), chance.randrange(len(data))])])


def mutate_search(data, chance):
    if chance.random() < 0.1:
        return mutate_bytes(data, chance)
    decisions = json.loads(data)
    del decisions["check"]
    return with_checksum(json.dumps(mutate_json(decisions, chance), separators=(",", ":"), ensure_ascii=False)).encode()


def mutate_model(data, chance, key="probmix"):
    if chance.random() < 0.1:
        return mutate_bytes(data, chance)
    metadata, tensors = read_tensors(data)
    if chance.random() < 0.7:
        description = mutate_json(json.loads(metadata[key]), chance)
        metadata[key] = json.dumps(description)
    else:
        name = chance.choice(sorted(tensors))
        kind, shape, values = tensors[name]
        if kind == "F32" and values and chance.random() < 0.8:
            numbers = list(struct.unpack(f"<{len(values) // 4}f", values))
            for _ in range(chance.choice([1, 5, len(numbers)])):
                numbers[chance.randrange(len(numbers))] = chance.choice(
                    [3e38, -3e38, 1e30, -1e30, 1e10, 1e5, -1e5, 0.0, 1e-38, float("inf"), float("nan")])
            values = struct.pack(f"<{len(numbers)}f", *numbers)
        elif chance.random() < 0.5:
            shape = chance.choice([[], [0], shape[::-1], [2**40], shape + [1]])
        else:
            tensors[name + "'"] = tensors[name]
        tensors[name] = (kind, shape, values)
    return write_tensors(metadata, tensors)


class Attack:
    def __init__(self, program, folder, keep):
        self.program = os.path.abspath(program)
        self.folder = folder
        self.keep = keep
        self.findings = []
        self.runs = 0

    def call(self, *arguments, seconds=SECONDS):
        self.runs += 1
        command = ["sh", "-c", f'ulimit -S -t {seconds}; exec "$@"', "sh", self.program, *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=12 * seconds, stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            return None, "", f"no end after {12 * seconds} s"
        if done.returncode == -signal.SIGXCPU:
            return None, "", f"no end after {seconds} s of processor time"
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def judge(self, mutant, number, arguments, may_pass=True, is_error=True):
        code, out, err = self.call(*arguments)
        fault = None
        if code is None:
            fault = err
        elif code < 0 or code not in (0, 1, 2):
            fault = f"exit code {code}"
        elif code == 0 and arguments[0] != "info" and re.search(r"(?<![\w.])-?(nan|inf)(?![\w])|null", out, re.IGNORECASE):
            fault = "NaN or infinity with exit code 0"
        elif code == 0 and not may_pass:
            fault = "not noticed"
        elif code != 0 and is_error and len(err.strip().splitlines()) != 1:
            fault = "not one line"
        if fault is None:
            return
        kept = self.keep / f"{arguments[0]}-{number}{mutant.suffix}"
        kept.write_bytes(mutant.read_bytes())
        self.findings.append(f"{fault}: {' '.join(map(str, arguments))}: {err.strip()[:200]} ({kept})")

    def make(self, *arguments):
        code, _, err = self.call(*arguments, seconds=600)  # nothing is judged: a busy machine may be slow
        if code != 0:
            raise SystemExit(f"{arguments}: {err}")

    def prepare(self):
        self.table = self.folder / "table.csv"
        self.table.write_text(TABLE, encoding="utf-8")
        self.models = {}
        for name, options in MODELS.items():
            out = self.folder / f"{name}.safetensors"
            self.make("train", self.table, *options, "--hidden", "4,4", "--epochs", "2", "--out", out, "--seed", "3")
            self.models[name] = out.read_bytes()
        self.check_marginals()
        self.results = {}
        for study in ("toy-regression", "toy-classification"):
            out = self.folder / f"{study}.jsonl"
            self.make("reproduce", study, "--runs", "2", "--epochs", "2", "--methods", "erm,m-probmix", "--out", out)
            self.results[study] = out.read_text(encoding="utf-8").splitlines(keepends=True)
        self.training = ["train", self.table, "--target", "y", "--preset", "fast", "--hidden", "4", "--epochs", "3",
                         "--checkpoint-seconds", "0"]
        self.make(*self.training, "--checkpoint", self.folder / "saved", "--out", self.folder / "s.safetensors")
        self.checkpoint = (self.folder / "saved" / "checkpoint.safetensors").read_bytes()
        self.searching = ["train", self.table, *SEARCH, "--checkpoint-seconds", "0"]
        self.searched = self.folder / "searched"
        self.make(*self.searching, "--checkpoint", self.searched, "--out", self.folder / "s.safetensors")
        self.search = (self.searched / "search.json").read_bytes()

    def check_marginals(self):
        """What the default preset trains has a marginal density, so that mutants change it."""
        for name, options in MODELS.items():
            description = json.loads(read_tensors(self.models[name])[0]["probmix"])
            if ("marginal" in description) != ("--preset" not in options):
                raise SystemExit(f"the model '{name}' has {'a' if 'marginal' in description else 'no'} marginal density")

    def attack_model(self, number):
        chance = random.Random(f"model {number}")
        mutant = self.folder / f"m{number}.safetensors"
        mutant.write_bytes(mutate_model(self.models[chance.choice(sorted(self.models))], chance))
        for arguments in (["predict", mutant, self.table, "--samples", "2"], ["evaluate", mutant, self.table, "--json"],
                          ["info", mutant]):
            self.judge(mutant, number, arguments, is_error=arguments[0] != "evaluate")
        mutant.unlink()

    def attack_results(self, number):
        chance = random.Random(f"results {number}")
        lines = list(self.results[chance.choice(sorted(self.results))])
        for place in (range(len(lines)) if chance.random() < 0.3 else [chance.randrange(len(lines))]):
            line = mutate_json(json.loads(lines[place]), random.Random(f"{number}"))
            lines[place] = with_checksum(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n") \
                if isinstance(line, dict) and line else json.dumps(line) + "\n"
        mutant = self.folder / f"r{number}.jsonl"
        mutant.write_text("".join(lines), encoding="utf-8", errors="replace")
        self.judge(mutant, number, ["report", mutant, "--out", self.folder / f"r{number}.html"], is_error=False)
        mutant.unlink()

    def attack_checkpoint(self, number, data=None):
        chance = random.Random(f"checkpoint {number}")
        folder = self.folder / f"c{number}{'f' if data else ''}"
        folder.mkdir()
        mutant = folder / "checkpoint.safetensors"
        mutant.write_bytes(data or mutate_model(self.checkpoint, chance, "probmix checkpoint"))
        self.judge(mutant, number, [*self.training, "--checkpoint", folder, "--out", folder / "m.safetensors"],
                   may_pass=data is None, is_error=False)

    def attack_search(self, number, data=None):
        """The decisions of a search, beside the networks that they were made with."""
        chance = random.Random(f"search {number}")
        folder = self.folder / f"s{number}{'f' if data else ''}"
        shutil.copytree(self.searched, folder)
        mutant = folder / "search.json"
        mutant.write_bytes(data or mutate_search(self.search, chance))
        self.judge(mutant, number, [*self.searching, "--checkpoint", folder, "--out", folder / "m.safetensors"],
                   may_pass=data is None, is_error=False)
        shutil.rmtree(folder)

    def attack_saved(self, number):
        """A file of a checkpoint's directory."""
        if number % 2:
            self.attack_search(number)
        else:
            self.attack_checkpoint(number)

    def flip(self, number):
        """A single bit of a model, a results file, a checkpoint and the decisions of a search."""
        chance = random.Random(f"flip {number}")

        def flipped(data):
            data = bytearray(data)
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            return bytes(data)

        model = self.folder / f"f{number}.safetensors"
        model.write_bytes(flipped(self.models[chance.choice(sorted(self.models))]))
        self.judge(model, number, ["info", model], may_pass=False)
        results = self.folder / f"f{number}.jsonl"
        whole = "".join(self.results["toy-regression"]).encode()
        results.write_bytes(flipped(whole[:-1]) + b"\n")  # an end of line more or less is another file
        self.judge(results, number, ["report", results, "--out", self.folder / f"f{number}.html"], may_pass=False)
        self.attack_checkpoint(number, flipped(self.checkpoint))
        self.attack_search(number, flipped(self.search))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    for what in ("models", "results", "checkpoints", "flips"):
        parser.add_argument(f"--{what}", type=int, default=20, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first mutant")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("attack-findings"), metavar="DIR")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(options.program, pathlib.Path(folder), options.keep)
        attack.prepare()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = []
            for what, count in ((attack.attack_model, options.models), (attack.attack_results, options.results),
                                (attack.attack_saved, options.checkpoints), (attack.flip, options.flips)):
                jobs += [pool.submit(what, options.first + k) for k in range(count)]
            for job in jobs:
                job.result()
    print(f"{attack.runs} runs, {len(attack.findings)} findings")
    for finding in attack.findings:
        print(finding)
    if not attack.findings and not any(options.keep.iterdir()):
        options.keep.rmdir()
    return 1 if attack.findings else 0


if __name__ == "__main__":
    sys.exit(main())
