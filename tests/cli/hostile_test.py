#!/usr/bin/env python3
"""Files and circumstances that once crashed, hung or silently fooled the program: one line and an exit code.

    hostile_test.py build/probmix [unittest arguments]
"""

import gzip
import json
import os
import pathlib
import struct
import subprocess
import sys
import unittest

from support import PROBMIX, CliTest, call

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "attack"))
from attack import TABLE, read_tensors, with_checksum, write_tensors  # noqa: E402


class Hostile(CliTest):
    def setUp(self):
        self.home = self.folder()
        self.table = self.home / "table.csv"
        self.table.write_text(TABLE, encoding="utf-8")
        self.model = self.home / "m.safetensors"

    def train(self, *options, epochs="2"):
        return ["train", str(self.table), "--hidden", "4", "--epochs", epochs, "--out", str(self.model), *options]

    def changed_model(self, change):
        """Rewrites the model with change(description, tensors) and the right checksum."""
        metadata, tensors = read_tensors(self.model.read_bytes())
        description = json.loads(metadata["probmix"])
        change(description, tensors)
        self.model.write_bytes(write_tensors({**metadata, "probmix": json.dumps(description)}, tensors))

    def info(self):
        """Exit code, message and memory in kilobytes of 'probmix info'."""
        process = subprocess.Popen([PROBMIX, "info", str(self.model)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        message = process.stderr.read().decode()
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, message, usage.ru_maxrss

    def test_classes_are_not_shifted(self):
        for key, value in (("shift", [64]), ("shift", [5]), ("scale", [2])):
            self.output(*self.train("--target", "c"))
            self.changed_model(lambda description, _: description["target"].update({key: value}))
            self.fails(1, ["predict", str(self.model), str(self.table), "--samples", "2"], "shift of 0 and a scale of 1")

    def test_results_without_their_curves(self):
        results = self.home / "r.jsonl"
        self.output("reproduce", "toy-regression", "--runs", "1", "--epochs", "2", "--methods", "erm", "--out", str(results))
        lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            line.pop("check")
            line["result"]["pictures"]["bands"]["x"] = []
        results.write_text("".join(with_checksum(json.dumps(line) + "\n") for line in lines), encoding="utf-8")
        self.fails(1, ["report", str(results), "--out", str(self.home / "r.html")], "line 1", "differ in length")

    def test_a_training_that_diverges_leaves_no_bad_numbers(self):
        for more in (["--optimiser", "gradient-descent"], []):
            done = call(*self.train("--target", "y", "--preset", "fast", "--method", "m-probmix",
                                    "--learning-rate", "10", *more, epochs="50"))
            if done.returncode != 0:
                self.assert_one_line(done, 1, "diverged")
                continue
            found = call("predict", str(self.model), str(self.table), "--samples", "1")
            self.assertTrue(found.returncode == 1 or "nan" not in found.stdout)
            self.assertTrue("Do not use this model" in done.stdout or found.returncode == 0, done.stdout)

    def test_what_readers_refuse_is_not_trained(self):
        self.fails(2, self.train("--target", "y", "--arch", "transformer", "--window", "3", "--horizon", "1",
                                 "--encoder-layers", "65"), "--encoder-layers")
        self.fails(2, ["train", str(self.table), "--target", "y", "--hidden", ",".join(["2"] * 65)], "at most 64")
        self.table.write_text("x,y\n" + "".join(f"{k % 7},{k}e-305\n" for k in range(60)), encoding="utf-8")
        self.fails(1, self.train("--target", "y"), "too much or too little to compute with")
        self.assertFalse(self.model.exists())

    def test_headers_of_many_keys(self):
        for header in ({"__metadata__": {"probmix": "{}"},
                        **{f"t{k}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for k in range(90000)}},
                       {"__metadata__": {f"k{k}": "" for k in range(120000)}}):
            text = json.dumps(header).encode()
            self.model.write_bytes(struct.pack("<Q", len(text)) + text)
            self.fails(1, ["info", str(self.model)], "more than 4096 tensors")

    def test_huge_weights(self):
        for family, target in (("gamma", "y"), ("beta", "p"), ("lognormal", "y"), ("zero-inflated-gamma", "y"),
                               ("zero-inflated-lognormal", "y"), ("gaussian-mixture", "y"),
                               ("negative-binomial", "n"), ("zero-inflated-poisson", "n"),
                               ("zero-inflated-negative-binomial", "n")):
            for size in (1e4, 1e10, 1e30):
                self.output(*self.train("--target", target, "--family", family))
                self.changed_model(lambda _, tensors: tensors.update(
                    {name: (kind, shape, struct.pack("<f", size) * (len(values) // 4))
                     for name, (kind, shape, values) in tensors.items()}))
                done = call("predict", str(self.model), str(self.table), "--samples", "1", timeout=60)
                self.assertIn(done.returncode, (0, 1))
                self.assertNotIn("nan", done.stdout)

    def test_more_densities_than_anyone_waits_for(self):
        draws = ["--target", "y", "--method", "m-probmix", "--ensemble", "2"]
        self.output(*self.train(*draws))
        self.changed_model(lambda description, _: description.update(members=10000))
        for command in ("predict", "evaluate"):
            self.fails(1, [command, str(self.model), str(self.table)], "densities for each row, over the limit of 10000")
        self.model.unlink()
        self.fails(2, self.train(*draws, "--members", "10000"), "--ensemble and --members make up to 40000 densities")
        self.assertFalse(self.model.exists())

    def test_a_closed_stderr_is_no_results_file(self):
        results = self.home / "r.jsonl"
        command = ["reproduce", "toy-regression", "--epochs", "2", "--methods", "erm", "--out", str(results)]
        self.output(*command, "--runs", "1")
        subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", PROBMIX, *command, "--runs", "2"], check=True, stdout=subprocess.DEVNULL)
        lines = results.read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(lines), 2)
        for line in lines:
            json.loads(line)

    def test_a_limit_on_the_size_of_files(self):
        done = subprocess.run(["sh", "-c", 'ulimit -f 1; "$@"', "sh", PROBMIX, *self.train("--target", "y")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual([path.name for path in self.home.iterdir()], ["table.csv"])

    def test_a_link_to_nowhere_is_told_before_the_training(self):
        self.model.symlink_to(self.home / "no" / "where")
        self.fails(1, self.train("--target", "y"), "cannot write", "there is no directory")
        self.model.unlink()
        self.model.symlink_to(self.model.name)
        self.fails(1, self.train("--target", "y"), "cannot write", "in a circle")

    def test_small_files_that_promise_gigabytes(self):
        header = json.dumps({"__metadata__": {"probmix": "{}"},
                             "a": {"dtype": "F32", "shape": [2**28], "data_offsets": [0, 2**30]}}).encode()
        self.output(*self.train("--target", "y"))
        _, _, usual = self.info()
        metadata, _ = read_tensors(self.model.read_bytes())
        real = json.dumps({"__metadata__": metadata,
                           "a": {"dtype": "F32", "shape": [2**28], "data_offsets": [0, 2**30]}}).encode()
        for start, says in ((b"", "size of its header"), (struct.pack("<Q", 2**32 - 100) + b"{", "size of its header"),
                            (struct.pack("<Q", len(header)) + header, "'format' is missing"),
                            (struct.pack("<Q", len(real)) + real, "but its description names")):
            with gzip.open(self.model, "wb", compresslevel=1) as out:
                out.write(start)
                for _ in range(128):
                    out.write(bytes(2**20))
            code, message, memory = self.info()
            self.assertEqual(code, 1)
            self.assertIn(says, message)
            self.assertLess(memory, usual + 50 * 1024)  # not the 128 MB that are there
        self.fails(1, ["info", "/dev/zero"], "size of its header")
        self.fails(1, ["train", "/dev/zero", "--target", "y"], "NUL byte")


if __name__ == "__main__":
    unittest.main()
