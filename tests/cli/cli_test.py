#!/usr/bin/env python3
"""The command line as a user or a script meets it: results, errors, help, progress, signals.

    cli_test.py build/probmix [unittest arguments]
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unittest

from support import PROBMIX, CliTest, call, shell

METHODS = ["erm", "mix", "loc-mix", "m-mix", "loc-m-mix", "probmix", "loc-probmix", "m-probmix",
           "loc-m-probmix", "m-probmix-star", "loc-m-probmix-star"]
TOY = ["reproduce", "toy-regression"]
QUICK = [*TOY, "--runs", "1", "--epochs", "2", "--members", "3"]
ENDLESS = [*TOY, "--runs", "1", "--epochs", "1000000", "--methods", "erm"]
COMMANDS = [[], ["demo"], ["methods"], ["report"], ["reproduce"],
            *(["reproduce", study] for study in
              ("illustration", "toy-regression", "pooling", "latent", "toy-classification", "uci",
               "stocks", "all"))]


class Methods(CliTest):
    def test_json_is_the_list_of_names(self):
        self.assertEqual(self.result("methods"), METHODS)

    def test_table_has_a_row_for_each(self):
        header, rule, *rows = self.output("methods").splitlines()
        self.assertEqual(header.split(), ["method", "mixes", "partners"])
        self.assertEqual(set(rule), {"─", " "})
        self.assertEqual([row.split()[0] for row in rows], METHODS)


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
                self.assertIsNone(row[key + "_se"])  # of a single run
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
        # A learning rate at which the last epoch is not the best one.
        base += ["--learning-rate=0.3"]
        default = self.result(*base)[0]["ood_nll"]
        self.assertNotEqual(self.result(*base, "--last")[0]["ood_nll"], default)

    def test_a_grid_has_a_row_for_each_point(self):
        found = self.result(*QUICK, "--methods", "erm,probmix", "--alpha", "0.1,1", "--beta",
                            "0,0.01", "--pooling", "linear,log-linear")
        self.assertEqual([(r["pooling"], r["beta"], r["alpha"], r["method"]) for r in found],
                         [(p, b, a, m) for p in ("linear", "log-linear") for b in (0, 0.01)
                          for a in (0.1, 1) for m in ("erm", "probmix")])
        self.assertEqual(len({r["ood_nll"] for r in found if r["method"] == "erm"}), 1)
        self.assertEqual(len({r["ood_nll"] for r in found if r["method"] == "probmix"}), 8)

    def test_table(self):
        text = self.output(*QUICK, "--methods", "probmix,mix")
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
            # Addresses are in what draws the charts, as names and in licences, and nowhere else.
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
        self.fails(1, [*TOY, "--family", "gamma"], "row 1, response -", "numbers greater than 0")
        self.fails(2, [*TOY, "--family", "poisson", "--homoscedastic"], "homoscedastic")

    def test_names(self):
        for option, *accepted in [
                ("--methods", "all", *METHODS),
                ("--pooling", "log-linear", "linear"),
                ("--target-pooling", "log-linear", "linear"),
                ("--criterion", "mean-log", "log-mean"),
                ("--expectation", "sampled", "exact"),
                ("--lambda-per", "step", "pair"),
                ("--pairing", "permutation", "replacement"),
                ("--activation", "identity", "relu", "leaky-relu", "elu", "tanh", "sigmoid",
                 "softplus", "silu", "gelu"),
                ("--optimiser", "adam", "gradient-descent"),
                ("--family", "gaussian", "categorical", "bernoulli", "poisson", "gamma", "beta"),
                ("--variance-link", "exp", "softplus")]:
            what = option[2:].removesuffix("s")
            for text in ["nosuch", "", accepted[0] + "x", accepted[-1].upper()]:
                self.fails(2, [*QUICK, option, text],
                           f"unknown {what} '{text}'; accepted: {', '.join(accepted)}\n")

    def test_lists_of_methods(self):
        self.fails(2, [*QUICK, "--methods", "erm,nosuch"], "unknown method 'nosuch'")
        for text in [",", "erm,", ",erm", "erm,,mix"]:
            self.fails(2, [*QUICK, "--methods", text], "unknown method ''")
        # Twice the same method is a slip: refused, not run twice or once.
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
        self.fails(2, [*TOY, "--seed", "-1"], "--seed", "'-1'")

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
                ("--hidden", "hidden layer", "0", "-5", "1000000000", "9223372036854775807"),
                ("--embedding-layer", "embedding layer", "0", "-1", "3"),
                ("--learning-rate", "learning rate", "0", "-1", "nan", "inf"),
                ("--clip", "clip", "-1", "nan", "inf"),
                ("--variance-floor", "floor", "0", "-1", "nan", "inf", "1e-13")]:
            base = [*TOY, "--runs=1000", "--epochs=1000000", "--threads=1"]
            base = [arg for arg in base if not arg.startswith(option)]
            for text in texts:
                self.fails(2, [*base, option, text], what, f" {text}")

    def test_networks_too_large_are_refused(self):
        for hidden in ["8,0", "8,-1", "1000000000,1000000000", "4294967296,4294967296",
                       "65536,65536,65536"]:
            self.fails(2, [*QUICK, "--hidden", hidden], "hidden layer")
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


class Streams(CliTest):
    def test_stdout_that_takes_nothing(self):
        for args in [["methods"], ["--help"], ["--version"], ["reproduce", "--help"],
                     ["reproduce", "illustration", "--json"], [*QUICK, "--json"]]:
            with self.subTest(args=args):
                with open("/dev/full", "w", encoding="utf-8") as full:
                    done = call(*args, stdout=full)
                self.assert_one_line(done, 1, "cannot write to standard output", "No space left")
                done = shell('"$0" ' + " ".join(args) + " >&-")
                self.assert_one_line(done, 1, "cannot write to standard output")

    def test_reader_that_goes_away(self):
        done = shell('"$0" methods | head -1')
        self.assertEqual((done.stdout.split()[0], done.stderr), ("method", ""))
        for restore, code, stderr in [(True, -signal.SIGPIPE, r"\Z"),
                                      (False, 1, r"probmix: cannot write .*: Broken pipe\n\Z")]:
            reader, writer = os.pipe()
            os.close(reader)
            done = call("methods", stdout=writer, restore_signals=restore)
            os.close(writer)
            self.assertEqual(done.returncode, code)
            self.assertRegex(done.stderr, r"\A" + stderr)

    def test_stderr_that_takes_nothing_changes_no_result(self):
        page = self.folder() / "page.html"
        for target in ["&-", "/dev/full"]:
            self.assertEqual(shell(f'"$0" nosuch 2>{target}').returncode, 2)
            done = shell(f'"$0" {" ".join(QUICK)} --methods erm --page {page} 2>{target}')
            self.assertEqual(done.returncode, 0)
            self.assertIn("erm", done.stdout)
            self.assertTrue(page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))
            page.unlink()


class Help(CliTest):
    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                text = self.output(*command, "--help")
                self.assertEqual(self.output(*command, "-h"), text)
                self.assertIn("\nUsage: " + " ".join(["probmix", *command]), text)
                self.assertRegex(text, r"\nExamples?:\n  probmix ")
                for line in text.splitlines():
                    self.assertLessEqual(len(line), 100, line)
                    self.assertEqual(line.rstrip(), line)

    def test_examples_are_accepted(self):
        for command in COMMANDS:
            examples = self.output(*command, "--help").split("Example", 1)[1]
            for line in re.findall(r"^  probmix (.*)$", examples, re.MULTILINE):
                self.output(*line.split(" > ")[0].split(), "--help")

    def test_shows_groups_and_defaults(self):
        text = self.output(*TOY, "--help")
        for heading in ["Options", "Mixing", "Training", "Network"]:
            self.assertIn(f"\n\n{heading}:\n  -", text)
        joined = " ".join(text.split())
        for option, default in [("--runs N", "10"), ("--alpha X,X,...", "0.1"), ("--hidden N,N,...",
                                "128,64"), ("--pooling NAME,...", "log-linear"), ("--epochs N", "500"),
                                ("--activation NAME", "relu"), ("--variance-floor X", "0.003")]:
            self.assertRegex(joined, f"{re.escape(option)} [^\\[]*\\[default: {default}\\]")

    def test_version(self):
        self.assertRegex(self.output("--version"), r"\Aprobmix \d+\.\d+\.\d+\n\Z")


def rendered(text):
    """What a terminal shows in the end: carriage returns go back, ESC [K clears to the right."""
    lines, column = [""], 0
    for token in re.findall(r"\x1b\[K|[^\x1b]", text):
        if token == "\n":
            lines, column = [*lines, ""], 0
        elif token == "\r":
            column = 0
        elif token == "\x1b[K":
            lines[-1] = lines[-1][:column]
        else:
            lines[-1] = lines[-1][:column].ljust(column) + token + lines[-1][column + 1:]
            column += 1
    return "\n".join(line.rstrip() for line in lines)


class Terminal(CliTest):
    """Progress, with the program on a pseudo-terminal of its own."""

    def start(self, args, columns=100, term="xterm"):
        child, self.master = pty.fork()
        if child == 0:
            os.environ["TERM"] = term
            fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            try:
                os.execv(PROBMIX, [PROBMIX, *args])
            finally:
                os._exit(127)
        self.addCleanup(os.close, self.master)  # a child that is still there is hung up
        self.seen = ""
        return child

    def read(self):
        """More of what the terminal was sent; nothing at its end."""
        if not select.select([self.master], [], [], 20)[0]:
            self.fail(f"nothing happens after {self.seen[-200:]!r}")
        try:
            more = os.read(self.master, 65536).decode(errors="replace")
        except OSError:  # Linux says so when the other side is closed
            more = ""
        self.seen += more
        return more

    def finish(self, child):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_progress_appears_and_is_gone_in_the_end(self):
        args = [*TOY, "--runs", "2", "--epochs", "300", "--methods", "erm,mix"]
        self.assertEqual(self.finish(self.start(args)), 0)
        painted = re.findall(r"\r\x1b\[K(toy-regression, runs  [^\r]*)", self.seen)
        self.assertRegex(painted[0], r"━*─+ 0/4    0 %  elapsed 0:00  left \?")
        shown = rendered(self.seen)
        self.assertTrue(shown.startswith("Toy regression: mean"), shown)
        self.assertNotIn("elapsed", shown)

    def test_no_progress_on_a_dumb_terminal(self):
        self.assertEqual(self.finish(self.start([*QUICK, "--methods", "erm"], term="dumb")), 0)
        self.assertNotIn("\x1b", self.seen)

    def test_progress_fits_a_narrow_terminal(self):
        self.assertEqual(self.finish(self.start(QUICK, columns=40)), 0)
        painted = re.findall(r"\r\x1b\[K(toy-regression[^\r]*)", self.seen)
        self.assertTrue(painted)
        self.assertEqual({len(line) for line in painted}, {39})

    def test_errors_stay_readable(self):
        self.assertEqual(self.finish(self.start([*TOY, "--neighbours", "80"])), 2)
        self.assertRegex(rendered(self.seen), r"\Aprobmix: neighbours .* 80\n\Z")

    def test_interrupt_leaves_a_clean_line(self):
        for name, press in [("SIGINT", lambda child: os.write(self.master, b"\x03")),
                            ("SIGTERM", lambda child: os.kill(child, signal.SIGTERM))]:
            with self.subTest(signal=name):
                child = self.start(ENDLESS)
                while "elapsed" not in self.seen and self.read():
                    pass
                start = time.monotonic()
                press(child)
                self.assertEqual(self.finish(child), -getattr(signal, name))
                self.assertLess(time.monotonic() - start, 2)
                self.assertEqual(rendered(self.seen), "")


if __name__ == "__main__":
    unittest.main()
