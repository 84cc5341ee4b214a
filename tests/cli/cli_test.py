#!/usr/bin/env python3
"""The command line as seen by a user or a script: results and errors of the basic commands.

    cli_test.py build/probmix [unittest arguments]
"""

import json
import os
import unittest

from support import COMMANDS, CliTest, call

METHODS = ["erm", "mix", "loc-mix", "m-mix", "loc-m-mix", "probmix", "loc-probmix", "m-probmix",
           "loc-m-probmix", "m-probmix-star", "loc-m-probmix-star"]  # of the paper
TOY = ["reproduce", "toy-regression"]
QUICK = [*TOY, "--runs", "1", "--epochs", "2", "--members", "3"]
ENDLESS = [*TOY, "--runs", "1", "--epochs", "1000000", "--methods", "erm"]


class Methods(CliTest):
    def test_json_is_the_list_of_names(self):
        self.assertEqual(self.result("methods"), [*METHODS, "mc-dropout"])

    def test_table_has_a_row_for_each(self):
        header, rule, *rows = self.output("methods").splitlines()
        self.assertEqual(header.split(), ["method", "mixes", "partners"])
        self.assertEqual(set(rule), {"─", " "})
        self.assertEqual([row.split()[0] for row in rows], [*METHODS, "mc-dropout"])


class Illustration(CliTest):
    def test_is_the_papers_example(self):
        found = self.result("reproduce", "illustration")
        for name, mean, variance, nll in [("mix", 27, 30.25, 49.05), ("probmix", 75, 182.25, 3.59)]:
            self.assertAlmostEqual(found[name]["mean"], mean, places=9)
            self.assertAlmostEqual(found[name]["variance"], variance, places=9)
            self.assertAlmostEqual(found[name]["nll"], nll, delta=0.005)
        self.assertEqual(len(found["points"]), 2)
        for point in found["points"]:
            self.assertAlmostEqual(point["nll"], 3.59, delta=0.005)
        self.assertIn("49.05", self.output("reproduce", "illustration"))

    def test_lambda(self):
        for text in ["0", "1", "0.5", "1e-3"]:
            found = self.result("reproduce", "illustration", "--lambda", text)
            self.assertEqual(found["lambda"], float(text))
        for text in ["1.5", "-0.1", "nan", "inf", "abc", "", " 0.5", "0.5x", "0x1p-1", "1e999"]:
            self.fails(2, ["reproduce", "illustration", "--lambda", text], "lambda", text)


class ToyRegression(CliTest):
    def test_json_has_one_object_for_each_method_in_the_order_asked(self):
        found = self.result(*QUICK, "--methods", "m-probmix,erm,loc-mix")
        self.assertEqual([row["method"] for row in found], ["m-probmix", "erm", "loc-mix"])
        for row in found:
            self.assertEqual((row["alpha"], row["beta"], row["pooling"]), (0.1, 0, "log-linear"))
            for key in ["id_nll", "ood_nll", "train_nll", "id_mse", "ood_mse"]:
                self.assertIsInstance(row[key], float)
                self.assertIsNone(row[key + "_se"])  # there is a single run
        found = self.result(*TOY, "--runs", "2", "--epochs", "2", "--methods", "probmix",
                            "--alpha", "inf", "--pooling", "linear")[0]
        self.assertEqual((found["alpha"], found["pooling"]), ("inf", "linear"))
        self.assertGreater(found["id_nll_se"], 0)

    def test_all_is_every_method(self):
        found = self.result(*QUICK)
        self.assertEqual([row["method"] for row in found], METHODS)

    def test_same_bytes_for_any_number_of_threads(self):
        args = [*TOY, "--runs", "2", "--epochs", "10", "--members", "5", "--json"]
        expected = self.output(*args, "--threads", "1")
        self.assertEqual(self.output(*args, "--threads", "2"), expected)
        self.assertEqual(self.output(*args, "--threads", "7"), expected)
        for count in "1", "4":
            environment = dict(os.environ, OMP_NUM_THREADS=count, OMP_DYNAMIC="false")
            self.assertEqual(self.output(*args, env=environment), expected)
        self.assertEqual(self.output(*args, "--seed", "1"), expected)
        other = json.loads(self.output(*args, "--seed", "2"))
        for row, before in zip(other, json.loads(expected)):
            self.assertNotEqual(row["ood_nll"], before["ood_nll"])

    def test_options_reach_the_training(self):
        base = [*TOY, "--runs=1", "--epochs=9", "--members=3", "--methods=loc-m-probmix"]
        default = self.result(*base)[0]["ood_nll"]
        for option in ["--alpha=5", "--beta=1", "--pooling=linear", "--target-pooling=linear",
                       "--draws=3", "--lambda-per=pair", "--neighbours=20", "--propagate-mean",
                       "--batch=16", "--optimiser=gradient-descent", "--learning-rate=0.02",
                       "--clip=0.01", "--hidden=16,8", "--embedding-layer=2", "--activation=tanh",
                       "--variance-link=softplus", "--variance-floor=0.1"]:
            with self.subTest(option=option):
                self.assertNotEqual(self.result(*base, option)[0]["ood_nll"], default)
        # A learning rate at which the last epoch is not the best.
        base += ["--learning-rate=0.3"]
        default = self.result(*base)[0]["ood_nll"]
        self.assertNotEqual(self.result(*base, "--last")[0]["ood_nll"], default)

    def test_a_grid_has_a_row_for_each_point(self):
        found = self.result(*TOY, "--runs", "1", "--epochs", "2", "--methods", "erm,probmix",
                            "--alpha", "0.1,1", "--beta", "0,0.01", "--pooling",
                            "linear,log-linear")
        self.assertEqual([(r["pooling"], r["beta"], r["alpha"], r["method"]) for r in found],
                         [(p, b, a, m) for p in ("linear", "log-linear") for b in (0, 0.01)
                          for a in (0.1, 1) for m in ("erm", "probmix")])
        self.assertEqual(len({r["ood_nll"] for r in found if r["method"] == "erm"}), 1)
        self.assertEqual(len({r["ood_nll"] for r in found if r["method"] == "probmix"}), 8)

    def test_table(self):
        text = self.output(*TOY, "--runs", "1", "--epochs", "2", "--methods", "probmix,mix")
        self.assertRegex(text, r"over 1 run,[^\n]*\n\nmethod +ID NLL")
        self.assertRegex(text, r"\nprobmix .*\nmix .*\n\n2 runs in \d+\.\d s on \d threads?\n\Z")

    def test_page_is_self_contained(self):
        folder = self.folder()
        for name, args in [("probmix-demo.html", ["demo", "--runs", "1"]),
                           ("a page.html", [*QUICK, "--page", "a page.html"])]:
            done = call(*args, "--json", cwd=folder)
            self.assertEqual((done.returncode, done.stderr), (0, f"report: {name}\n"))
            self.assertEqual(len(json.loads(done.stdout)), len(METHODS))
            self.assertEqual(os.listdir(folder), [name])  # and no temporary file
            html = (folder / name).read_text(encoding="utf-8")
            self.assertTrue(html.startswith("<!DOCTYPE html>") and html.endswith("</html>\n"))
            self.assertGreaterEqual(html.count('role="img"'), len(METHODS))
            # Addresses occur only in the chart library, as names and in licences.
            self.assertNotRegex(html[:html.index("<script>")], r"https?://")
            self.assertNotRegex(html, r"<link|<script[^>]*src|<img[^>]*src=.(?!data:)|@import")
            (folder / name).unlink()


class Errors(CliTest):
    def test_commands(self):
        self.fails(2, [], "demo, train, predict, evaluate, compare, info, methods, reproduce, report", "probmix --help")
        self.fails(2, ["reproduce"], "illustration, toy-regression", "probmix reproduce --help")
        self.fails(2, ["nosuch"], "unknown command 'nosuch'", "demo, train, predict, evaluate, compare, info, methods, reproduce, report")
        self.fails(2, ["reproduce", "nosuch"], "unknown command 'nosuch'", "toy-regression")
        self.fails(2, ["methods", "demo"], "demo")
        self.fails(2, ["methods", "extra"], "unexpected argument 'extra'", "probmix methods --help")

    def test_options(self):
        for command in COMMANDS:
            see = " ".join(["probmix", *command, "--help"])
            self.fails(2, [*command, "--nosuch"], "unknown option '--nosuch'", see)
            self.fails(2, [*command, "-x"], "unknown option '-x'", see)
        self.fails(2, ["--json", "methods"], "unknown option '--json'")
        self.fails(2, ["methods", "--json=no"], "--json takes no value")
        self.fails(2, [*TOY, "--runs"], "--runs needs a value")
        self.fails(2, [*TOY, "--runs", "1", "--runs", "2"], "--runs is given more than once")
        self.fails(2, [*TOY, "--runs", "--json"], "--runs", "--json")
        self.fails(2, [*TOY, "--pooling", "two\nlines\x1b[31m"], "two lines")

    def test_responses_outside_of_the_support(self):
        self.fails(1, [*TOY, "--family", "gamma"], "has a mean of -", "positive numbers")
        self.fails(2, [*TOY, "--family", "poisson", "--homoscedastic"], "homoscedastic")

    def test_names(self):
        for option, *accepted in [
                ("--methods", "all", *METHODS, "mc-dropout"),
                ("--pooling", "log-linear", "linear"),
                ("--target-pooling", "log-linear", "linear"),
                ("--criterion", "mean-log", "log-mean"),
                ("--expectation", "sampled", "exact"),
                ("--lambda-per", "step", "pair"),
                ("--pairing", "permutation", "replacement"),
                ("--activation", "identity", "relu", "leaky-relu", "elu", "tanh", "sigmoid",
                 "softplus", "silu", "gelu"),
                ("--optimiser", "adam", "gradient-descent"),
                ("--family", "gaussian", "categorical", "bernoulli", "poisson", "gamma", "beta", "student-t",
                 "lognormal", "negative-binomial", "zero-inflated-poisson", "zero-inflated-negative-binomial",
                 "zero-inflated-gamma", "zero-inflated-lognormal", "gaussian-mixture",
                 "gaussian-full"),
                ("--variance-link", "exp", "softplus")]:
            what = "method" if option == "--methods" else option
            for text in ["nosuch", "", accepted[0] + "x", accepted[-1].upper()]:
                self.fails(2, [*QUICK, option, text],
                           f"unknown {what} '{text}'; accepted: {', '.join(accepted)}\n")

    def test_lists_of_methods(self):
        self.fails(2, [*QUICK, "--methods", "erm,nosuch"], "unknown method 'nosuch'")
        for text in [",", "erm,", ",erm", "erm,,mix"]:
            self.fails(2, [*QUICK, "--methods", text], "unknown method ''")
        # The same method twice is a slip: refused.
        for text in ["erm,mix,erm", "all,mix", "all,all"]:
            self.fails(2, [*QUICK, "--methods", text], "is given twice", text)
        self.fails(2, [*QUICK, "--methods", "erm", "mix"], "unexpected argument 'mix'")

    def test_numbers_that_are_none(self):
        whole = ["--runs", "--seed", "--members", "--threads", "--draws", "--neighbours",
                 "--epochs", "--batch", "--patience", "--hidden", "--embedding-layer"]
        real = ["--alpha", "--beta", "--learning-rate", "--clip", "--variance-floor"]
        for option in whole + real:
            for text in ["abc", "", "1x", " 1", "--json"]:
                self.fails(2, [*TOY, option, text], f"{option} must be a", f"not '{text}'")
        for option in whole:
            self.fails(2, [*TOY, option, "1.5"], f"{option} must be a whole number", "'1.5'")
            self.fails(2, [*TOY, option, "99999999999999999999"], f"{option} is out of range",
                       "99999999999999999999")
        for option in real:
            self.fails(2, [*TOY, option, "1e999"], f"{option} is out of range: 1e999")
        self.fails(2, [*TOY, "--seed", "-1"], "--seed", "not -1")

    def test_numbers_out_of_range(self):
        # Each must be refused at once, before any training: the calls would take hours.
        for option, what, *texts in [
                ("--alpha", "alpha", "0", "-1", "nan", "-inf"),
                ("--beta", "beta", "-1", "inf", "nan"),
                ("--draws", "draws", "0", "-1", "1000000"),
                ("--neighbours", "neighbours", "0", "-1", "80", "1000000"),
                ("--runs", "runs", "0", "-1", "9223372036854775807"),
                ("--threads", "threads", "0", "-1", "1000000"),
                ("--epochs", "epochs", "0", "-1"),
                ("--members", "members", "-1", "1000000000000"),
                ("--batch", "batch", "-1"),
                ("--patience", "patience", "-1"),
                ("--hidden", "hidden", "0", "-5", "1000000000", "9223372036854775807"),
                ("--embedding-layer", "embedding", "0", "-1", "3"),
                ("--learning-rate", "--learning-rate", "0", "-1", "nan", "inf"),
                ("--clip", "clip", "-1", "nan", "inf"),
                ("--variance-floor", "floor", "0", "-1", "nan", "inf", "1e-13")]:
            base = [*TOY, "--runs=1000", "--epochs=1000000", "--threads=1"]
            base = [arg for arg in base if not arg.startswith(option)]
            for text in texts:
                self.fails(2, [*base, option, text], what, f" {text}")

    def test_networks_too_large_are_refused(self):
        for hidden in ["8,0", "8,-1", "1000000000,1000000000", "4294967296,4294967296",
                       "65536,65536,65536"]:
            self.fails(2, [*QUICK, "--hidden", hidden], "hidden")
        for hidden in ["8,,8", "8,", ","]:
            self.fails(2, [*QUICK, "--hidden", hidden], "--hidden", "''")

    def test_pages_that_cannot_be_written_fail_before_the_training(self):
        folder = self.folder()
        (folder / "file").touch()
        for path in [folder / "none" / "x.html", folder, folder / "file" / "x.html"]:
            self.fails(1, [*ENDLESS, "--page", str(path)], f"cannot write '{path}'")
            self.fails(1, ["demo", "--page", str(path)], f"cannot write '{path}'")
        self.fails(2, [*ENDLESS, "--page", ""], "--page needs a file")
        self.fails(2, [*ENDLESS, "--out", "--json"], "--out needs a file", "--json")
        self.assertEqual(os.listdir(folder), ["file"])

    def test_divergence_is_told(self):
        done = call(*TOY, "--runs", "2", "--methods", "probmix", "--learning-rate", "1e30",
                    "--optimiser", "gradient-descent")
        self.assertEqual(done.returncode, 0)
        self.assertIn("2 runs diverged, the first: probmix, training diverged", done.stderr)
        self.assertRegex(done.stdout, r"(?m)^probmix +diverged")


if __name__ == "__main__":
    unittest.main()
