#!/usr/bin/env python3
"""bench_step: its keys, the arithmetic it counts, its errors, and the step that --dump writes.

    bench_step_test.py build/bench_step [unittest arguments]

It never tests how long something takes.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH_STEP = os.environ.get("BENCH_STEP", "build/bench_step")

SMALL = ["--rows", "7", "--features", "3", "--hidden", "5,4"]
QUICK = ["--blocks", "2", "--seconds", "0.001"]
TEXT = ["arch", "method", "family"]
COUNTS = ["rows", "steps", "features", "bins", "batch", "threads", "sgemm_threads", "flops_per_step"]
NUMBERS = ["us_per_step", "us_per_step_best", "cpu_us_per_step", "gflops", "sgemm_gflops",
           "fraction_of_sgemm", "cpu_fraction_of_sgemm", "allocations_per_step",
           "rows_in_play"]


def call(*args):
    return subprocess.run([BENCH_STEP, *args], stdin=subprocess.DEVNULL, capture_output=True,
                          encoding="utf-8", timeout=60, check=False)


class BenchTest(unittest.TestCase):
    def output(self, *args):
        """The output of a call that must succeed and print nothing on stderr."""
        done = call(*args)
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return done.stdout

    def result(self, *args):
        return json.loads(self.output(*QUICK, *args, "--json"))

    def dump(self, *args):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "step.json"
            self.assertEqual(self.output(*args, "--dump", str(path)), "")
            return json.loads(path.read_text(encoding="utf-8"))


class Measurement(BenchTest):
    def test_keys_and_types(self):
        found = self.result()
        self.assertEqual(set(found), {*TEXT, *COUNTS, *NUMBERS, "hidden"})
        self.assertEqual((found["arch"], found["method"], found["rows"], found["features"],
                          found["hidden"], found["threads"]),
                         ("mlp", "probmix", 1151, 11, [128, 32], 1))
        for key in COUNTS:
            self.assertIsInstance(found[key], int)
        for key in NUMBERS:
            self.assertIsInstance(found[key], float)
            self.assertGreaterEqual(found[key], 0)
        self.assertLessEqual(found["us_per_step_best"], found["us_per_step"])

    def test_a_step_allocates_nothing(self):
        for method in ("erm", "mix", "probmix", "loc-probmix", "m-probmix", "loc-m-probmix-star"):
            for threads in ("1", "2"):
                found = self.result("--rows", "600", "--method", method, "--threads", threads)
                self.assertEqual(found["allocations_per_step"], 0, (method, threads))
        for arch in ("lstm", "transformer"):
            found = self.result("--arch", arch, "--rows", "300", "--steps", "5", "--features", "2",
                                "--method", "m-probmix", "--threads", "2")
            self.assertEqual(found["allocations_per_step"], 0, arch)

    def test_rates_follow_from_times(self):
        found = self.result(*SMALL)
        rate = found["flops_per_step"] / found["us_per_step"] * 1e-3
        self.assertAlmostEqual(found["gflops"] / rate, 1, places=9)
        fraction = found["gflops"] / found["sgemm_gflops"]
        self.assertAlmostEqual(found["fraction_of_sgemm"] / fraction, 1, places=9)

    def test_text_has_the_same_keys(self):
        lines = self.output(*QUICK, *SMALL).splitlines()
        self.assertEqual([line.split()[0] for line in lines], list(self.result(*SMALL)))
        self.assertEqual({line.index(line.split()[1]) for line in lines}, {23})

    def test_flops_of_known_shapes(self):
        # Multiplications of a row: the first layer has two products (forward, dW), others three.
        for method, layers in [
                ("probmix", [(3, 5, 2), (5, 4, 3), (4, 2, 3)]),
                ("mix", [(3, 5, 2), (5, 4, 3), (4, 2, 3)]),
                ("m-probmix", [(3, 10, 2), (5, 4, 3), (4, 2, 3)]),
                # The mean, and its variance network with one more layer; an embedding half as wide.
                ("m-probmix-star", [(3, 2, 2), (3, 2, 2), (2, 2, 3), (2, 4, 3), (4, 2, 3)])]:
            with self.subTest(method=method):
                expected = 2 * 7 * sum(i * o * products for i, o, products in layers)
                found = self.result(*SMALL, "--method", method)
                self.assertEqual(found["flops_per_step"], expected)
        found = self.result(*SMALL, "--family", "categorical", "--classes", "6")
        self.assertEqual(found["flops_per_step"], 2 * 7 * (3 * 5 * 2 + 5 * 4 * 3 + 4 * 6 * 3))

    def test_flops_of_sequences(self):
        sequences = ["--rows", "7", "--steps", "3", "--features", "2"]
        # Flattened to 3 · 64 numbers, embedding and hidden layer of 64, two outputs.
        head = 3 * 64 * 64 * 3 + 64 * 64 * 3 + 64 * 2 * 3
        lstm = 3 * 2 * 256 * 2 + 2 * 64 * 256 * 3  # the state before the first step is 0
        found = self.result(*sequences, "--arch", "lstm")
        self.assertEqual((found["arch"], found["steps"], found["hidden"]), ("lstm", 3, [64]))
        self.assertEqual(found["flops_per_step"], 2 * 7 * (lstm + head))
        attention = 4 * 64 * 64 * 3 + 2 * 3 * 64 * 3  # queries with keys, weights with values
        feedforward = 2 * 64 * 64 * 3
        transformer = 2 * 64 * 2 + 2 * (attention + feedforward) + 2 * (2 * attention + feedforward)
        found = self.result(*sequences, "--arch", "transformer")
        self.assertEqual(found["flops_per_step"], 2 * 7 * (3 * transformer + head))

    def test_flops_of_sequences_with_as_many_features_as_units(self):
        sequences = ["--rows", "7", "--steps", "3", "--features", "64"]
        head = 3 * 64 * 64 * 3 + 64 * 64 * 3 + 64 * 2 * 3
        lstm = 3 * 64 * 256 * 2 + 2 * 64 * 256 * 3
        found = self.result(*sequences, "--arch", "lstm")
        self.assertEqual(found["flops_per_step"], 2 * 7 * (lstm + head))
        # An embedding half as wide; mean and variance network, the latter with one more layer.
        star = 2 * (lstm + 3 * 64 * 32 * 3) + 32 * 32 * 3 + 32 * 64 * 3 + 64 * 2 * 3
        found = self.result(*sequences, "--arch", "lstm", "--method", "m-probmix-star")
        self.assertEqual(found["flops_per_step"], 2 * 7 * star)
        attention = 4 * 64 * 64 * 3 + 2 * 3 * 64 * 3
        feedforward = 2 * 64 * 64 * 3
        layers = 64 * 64 * 2 + 2 * (attention + feedforward) + 2 * (2 * attention + feedforward)
        found = self.result(*sequences, "--arch", "transformer")
        self.assertEqual(found["flops_per_step"], 2 * 7 * (3 * layers + head))
        star = 2 * (3 * layers + 3 * 64 * 32 * 3) + 32 * 32 * 3 + 32 * 64 * 3 + 64 * 2 * 3
        found = self.result(*sequences, "--arch", "transformer", "--method", "m-probmix-star")
        self.assertEqual(found["flops_per_step"], 2 * 7 * star)

    def test_flops_of_one_step(self):
        found = self.result("--rows", "7", "--features", "2", "--arch", "lstm")
        head = 64 * 64 * 3 + 64 * 64 * 3 + 64 * 2 * 3
        self.assertEqual(found["flops_per_step"], 2 * 7 * (2 * 256 * 2 + head))

    def test_partners_outside_of_the_batch_are_counted_before_the_site(self):
        args = [*SMALL, "--rows", "400", "--batch", "8"][2:]
        found = self.result(*args, "--method", "loc-m-probmix")
        self.assertEqual(found["batch"], 8)
        self.assertGreater(found["rows_in_play"], 12)
        self.assertLessEqual(found["rows_in_play"], 16)
        front = round(found["rows_in_play"]) * 3 * 10 * 2
        self.assertEqual(found["flops_per_step"], 2 * (front + 8 * (5 * 4 * 3 + 4 * 2 * 3)))

    def test_draws_multiply_what_is_after_the_site(self):
        found = self.result(*SMALL, "--method", "m-mix", "--draws", "3")
        self.assertEqual(found["flops_per_step"],
                         2 * (7 * 3 * 5 * 2 + 21 * (5 * 4 * 3 + 4 * 2 * 3)))


class Dump(BenchTest):
    def test_shapes(self):
        found = self.dump(*SMALL, "--method", "m-probmix", "--beta", "0.1")
        self.assertEqual((found["rows"], found["features"], found["hidden"], found["family"],
                          found["embedding_layer"]), (7, 3, [5, 4], "gaussian", 1))
        self.assertEqual(found["positive"], {"kind": "exp", "floor": 1e-4})
        self.assertEqual(found["adam"], {"learning_rate": 0.005, "beta1": 0.9, "beta2": 0.999,
                                         "epsilon": 1e-8})
        for key, size in [("x", 21), ("y", 7), ("rows_in_play", 7), ("partner", 7), ("lambda", 7),
                          ("noise", 35), ("target", 7), ("weight", 7)]:
            self.assertEqual(len(found[key]), size, key)
        self.assertEqual([(p["name"], p["shape"]) for p in found["parameters"]],
                         [("encoder.0.weight", [10, 3]), ("encoder.0.bias", [10]),
                          ("decoder.0.weight", [4, 5]), ("decoder.0.bias", [4]),
                          ("decoder.1.weight", [2, 4]), ("decoder.1.bias", [2])])
        for parameter in found["parameters"]:
            self.assertEqual(len(parameter["values"]), math.prod(parameter["shape"]))
        self.assertEqual(len(found["gradient"]),
                         sum(len(p["values"]) for p in found["parameters"]))
        self.assertEqual(self.dump(*SMALL, "--method", "erm")["noise"], [])

    def test_options_of_the_network_in_use(self):
        sequences = ["--rows", "5", "--steps", "3", "--features", "2"]
        found = self.dump(*sequences, "--arch", "lstm")
        self.assertEqual({k: found.get(k) for k in ("hidden", "activation", "units", "layers",
                                                    "embedding", "heads", "embedding_layer")},
                         {"hidden": [64], "activation": "relu", "units": 64, "layers": 1,
                          "embedding": 64, "heads": None, "embedding_layer": None})
        found = self.dump(*sequences, "--arch", "transformer", "--hidden", "7,6", "--activation",
                          "tanh")
        self.assertEqual((found["hidden"], found["activation"], found["units"], found["heads"],
                          found["decoder_layers"], found["feedforward_activation"]),
                         ([7, 6], "tanh", 64, 2, 2, "relu"))
        shapes = {p["name"]: p["shape"] for p in found["parameters"]}
        self.assertEqual([shapes[f"decoder.{k}.weight"] for k in range(3)],
                         [[7, 64], [6, 7], [2, 6]])

    def test_classes_have_weighted_targets(self):
        found = self.dump(*SMALL, "--family", "categorical", "--classes", "4")
        atoms = found["atoms"]
        self.assertGreater(atoms, 1)
        self.assertEqual((len(found["target"]), len(found["target_weight"])), (7 * atoms, 7 * atoms))
        for b in range(7):
            self.assertAlmostEqual(sum(found["target_weight"][b * atoms:(b + 1) * atoms]), 1)

    def test_loss_and_gradient_can_be_recomputed(self):
        for method in ["erm", "mix", "m-mix", "probmix", "loc-probmix", "m-probmix"]:
            with self.subTest(method=method):
                step = self.dump(*SMALL, "--method", method, "--seed", "3", "--alpha", "2",
                                 "--lambda-per", "pair")
                self.assertAlmostEqual(recomputed_loss(step, 0), step["loss"], places=5)
                slope = (recomputed_loss(step, 1e-5) - recomputed_loss(step, -1e-5)) / 2e-5
                square = sum(g * g for g in step["gradient"])
                self.assertAlmostEqual(slope / square, 1, places=3)


def recomputed_loss(step, move):
    """The loss of a dumped Gaussian step, its parameters moved along the gradient."""
    values, layers = list(step["gradient"]), {"encoder": [], "decoder": []}
    for weight, bias in zip(step["parameters"][::2], step["parameters"][1::2]):
        numbers = weight["values"] + bias["values"]
        numbers = [v + move * values.pop(0) for v in numbers]
        outputs, inputs = weight["shape"]
        rows = [numbers[o * inputs:(o + 1) * inputs] for o in range(outputs)]
        layers[weight["name"].split(".")[0]].append((rows, numbers[outputs * inputs:]))

    def run(part, x):
        for depth, (rows, bias) in enumerate(layers[part]):
            x = [sum(w * v for w, v in zip(row, x)) + b for row, b in zip(rows, bias)]
            linear = 0  # this many of the last numbers are not activated
            if depth + 1 == len(layers[part]):
                random = step["method"] == "m-probmix"  # a mean, followed by a log-variance
                linear = len(x) if part == "decoder" else len(x) // 2 if random else 0
            x = [max(v, 0) if k < len(x) - linear else v for k, v in enumerate(x)]
        return x

    def lerp(lam, a, b):
        return [lam * v + (1 - lam) * w for v, w in zip(a, b)]

    def fuse(lam, a, b):  # of (mean, variance): log-linear
        precision = lam / a[1] + (1 - lam) / b[1]
        return (lam * a[0] / a[1] + (1 - lam) * b[0] / b[1]) / precision, 1 / precision

    def density(z):
        mean, s = run("decoder", z)
        return mean, math.exp(s) + step["positive"]["floor"]

    total, d = 0, step["features"]
    for b, j in enumerate(step["partner"]):
        lam = step["lambda"][b]
        x_i, x_j = ([step["x"][d * r + c] for c in range(d)]
                    for r in (step["rows_in_play"][b], step["rows_in_play"][j]))
        if step["method"] in ("erm", "mix"):
            mean, variance = density(run("encoder", lerp(lam, x_i, x_j)))
        elif step["method"] == "m-mix":
            mean, variance = density(lerp(lam, run("encoder", x_i), run("encoder", x_j)))
        elif step["method"] == "m-probmix":
            q_i, q_j, width, z = run("encoder", x_i), run("encoder", x_j), step["hidden"][0], []
            for k in range(width):
                fused = fuse(lam, *((q[k], math.exp(q[width + k])) for q in (q_i, q_j)))
                z.append(fused[0] + math.sqrt(fused[1]) * step["noise"][b * width + k])
            mean, variance = density(z)
        else:
            mean, variance = fuse(lam, density(run("encoder", x_i)), density(run("encoder", x_j)))
        nll = 0.5 * (math.log(2 * math.pi * variance) + (step["target"][b] - mean) ** 2 / variance)
        total += step["weight"][b] * nll
    return total / len(step["partner"])


class Errors(BenchTest):
    def fails(self, code, args, *fragments):
        with self.subTest(args=args):
            done = call(*args)
            self.assertEqual((done.returncode, done.stdout), (code, ""))
            self.assertRegex(done.stderr, r"\Abench_step: [^\n]+\n\Z")
            for fragment in fragments:
                self.assertIn(fragment, done.stderr)

    def test_wrong_usage_is_one_line(self):
        self.fails(2, ["--nosuch"], "unknown option '--nosuch'", "--help")
        self.fails(2, ["more"], "unexpected argument 'more'", "--help")
        self.fails(2, ["--rows", "5", "--rows", "6"], "--rows is given more than once")
        self.fails(2, ["--arch", "nosuch"], "unknown --arch 'nosuch'", "mlp", "lstm")
        self.fails(2, ["--method", "nosuch"], "unknown --method 'nosuch'", "loc-m-probmix")
        self.fails(2, ["--dump", ""], "--dump needs a file")
        self.fails(2, ["--arch", "lstm", "--embedding-layer", "1"], "--embedding-layer")
        for option, value in [("--rows", "1"), ("--rows", "x"), ("--features", "0"),
                              ("--batch", "1152"), ("--threads", "0"), ("--blocks", "0"),
                              ("--seconds", "-1"), ("--seconds", "nan"), ("--hidden", "8,0"),
                              ("--alpha", "0")]:
            self.fails(2, [option, value], value.split(",")[-1])

    def test_files_that_cannot_be_written(self):
        self.fails(1, ["--dump", "/nosuch/step.json"], "cannot write '/nosuch/step.json'")

    def test_help_has_an_example(self):
        self.assertRegex(self.output("--help"), r"\nExamples:\n  bench_step ")


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        BENCH_STEP = sys.argv.pop(1)
    BENCH_STEP = os.path.abspath(BENCH_STEP)
    unittest.main()
