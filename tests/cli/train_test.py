#!/usr/bin/env python3
"""probmix train on a user's table, and info, as a user sees them.

    train_test.py build/probmix [unittest arguments]
"""

import datetime
import gzip
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

from support import PROBMIX, call, shell
from table_support import TableTest, houses


class Train(TableTest):
    def test_tells_what_it_made_of_the_columns(self):
        text = self.output(*self.train())
        self.assertRegex(text, r"houses.csv: 150 rows, 4 columns")
        self.assertRegex(text, r"town +category, 3 levels +0 +3 inputs")
        self.assertRegex(text, r"day +date +0 +\d inputs")
        self.assertRegex(text, r"\ny +number +0 +target")
        self.assertIn("family: student-t, as 'y' has real numbers", text)
        self.assertRegex(text, r"\nencode none, method probmix +-?\d\.\d{3} +\d\.\d\d\n")
        self.assertIn("without: encode ple, method m-probmix; encode none, method m-probmix\n", text)
        self.assertIn("14 networks, each with 120 rows for training, 30 for validation; 280 epochs in all", text)
        self.assertTrue(self.model.exists())

    def test_summary_as_json(self):
        found = self.result(*self.train())
        self.assertEqual((found["target"], found["family"], found["rows"]), (["y"], "student-t", 120))
        self.assertEqual(found["options"]["method"], "probmix")

    def test_same_model_whatever_the_threads_separator_and_packing(self):
        self.output(*self.train("--threads", "1"))
        expected = self.model.read_bytes()
        packed = self.home / "houses.csv.gz"
        packed.write_bytes(gzip.compress(houses(150).encode()))
        other = self.home / "other.csv"
        other.write_text(houses(150, separator=";"), encoding="utf-8")
        for table in (self.table, packed, other):
            self.output(*self.train("--threads", "2", table=table))
            self.assertEqual(self.model.read_bytes(), expected, table)
        done = subprocess.run([PROBMIX, *self.train(table="-")], input=houses(150).encode(),
                              capture_output=True, timeout=60, check=True)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(self.model.read_bytes(), expected)

    def test_every_method_family_and_network(self):
        methods = [line.split()[0] for line in self.output("methods").splitlines()[1:]
                   if line.startswith(("erm", "mix", "loc-", "m-", "probmix", "mc-"))]
        self.assertEqual(len(methods), 12)
        for method in methods:
            self.output(*self.train("--method", method, "--epochs", "2"))
            self.assertEqual(len(self.predictions()), 150)
        self.output(*self.train("--target", "town"))
        self.assertIn(self.predictions()[0]["town_class"], ("Gent", "Brugge", "Aalst"))
        self.output(*self.train("--target", "x,y"))
        self.assertIn("x_mean", self.predictions()[0])
        for arch in ("lstm", "transformer"):
            self.output(*self.train("--arch", arch, "--window", "5", "--horizon", "1", "--epochs",
                                    "1"))
            self.assertEqual(len(self.predictions()), 146)

    def test_dependent_targets(self):
        self.output(*self.train("--target", "x,y", "--family", "gaussian-full"))
        judged = self.result("evaluate", str(self.model), str(self.table))
        self.assertEqual([column["target"] for column in judged["targets"]], ["x", "y"])
        self.assertIn("y_sample1", self.predictions("--samples", "1")[0])

    def test_censored_targets(self):
        self.output(*self.train("--censored-above", "60"))
        def evaluate(table):
            done = call("evaluate", str(self.model), str(table), "--json")
            self.assertRegex(done.stderr, r"^\d+ rows with a censored target: in the NLL, but in no other score\n$")
            return json.loads(done.stdout)
        judged = evaluate(self.table)
        values = [float(line.split(",")[3]) for line in houses(150).splitlines()[1:]]
        self.assertEqual((judged["rows"], judged["censored"]), (150, sum(v >= 60 for v in values)))
        bounds = self.home / "bounds.csv"
        bounds.write_text("\n".join(f"{line},{end}" for line, end in zip(
            houses(150).splitlines(), ["end", *(v if v > 65 else "" for v in values)])) + "\n", encoding="utf-8")
        self.output(*self.train("--censored-above", "end", table=bounds))
        self.assertEqual(len(self.predictions()), 150)  # without the bounds
        self.fails(1, ["evaluate", str(self.model), str(self.table)], "lacks the column 'end'")
        judged = evaluate(bounds)
        self.assertEqual(judged["censored"], sum(v > 65 for v in values))

    def test_censoring_that_cannot_be_is_refused(self):
        for more, words in [
                (("--target", "town", "--censored-above", "60"), "does not take censored targets"),
                (("--target", "x,y", "--censored-above", "60"), "only a single target can be censored"),
                (("--censored-above", "nosuch"), "nosuch"),
                (("--censored-above", "town"), "it has no numbers"),
                (("--censored-above", "x", "--inputs", "x,town"), "cannot also be an input"),
                (("--censored-above", "y"), "cannot also be a bound of the target"),
                (("--censored-above", "1", "--censored-below", "2"),
                 "--censored-below 2 must be less than --censored-above 1"),
                (("--censored-above", "60", "--pooling", "log-linear"), "cannot be pooled log-linearly")]:
            done = call(*self.train(*more))
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(words, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_options_without_effect_are_told(self):
        done = call(*self.train("--method", "erm", "--alpha", "1", "--neighbours", "7", "--heads", "2",
                                "--members", "5", "--epochs", "1"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(sorted(done.stderr.splitlines()),
                         ["--alpha has no effect with method erm", "--heads has no effect with --arch mlp",
                          "--members has no effect with method erm",
                          "--neighbours has no effect with method erm"])
        self.output(*self.train("--method", "loc-m-probmix", "--alpha", "1", "--neighbours", "7",
                                "--members", "5", "--epochs", "1"))
        # One of the variants, or of the trials, may use an option that the first does not.
        done = call(*self.train("--members", "5", "--epochs", "1"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = call(*self.train("--neighbours", "7", "--epochs", "1", "--trials", "1"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = call(*self.train("--method", "erm", "--alpha", "1", "--epochs", "1", "--trials", "1"))
        self.assertEqual(done.stderr, "--alpha has no effect with method erm\n")

    def test_decimal_commas(self):
        self.output(*self.train())
        expected = self.model.read_bytes()
        other = self.home / "comma.csv"
        other.write_text(houses(150, separator=";").replace(".", ","), encoding="utf-8")
        self.assertEqual(call(*self.train(table=other), "--decimal-comma").returncode, 0)
        self.assertEqual(self.model.read_bytes(), expected)
        for more in ([], ["--family", "gaussian"]):
            self.fails(1, [*self.train(table=other), *more], "'y'", "--decimal-comma")
        found = self.result(*self.train("--target", "town", table=other))
        self.assertIn("'x' was read as categories, but has numbers with decimal commas: read "
                      "the table with --decimal-comma", found["remarks"])
        found = json.loads(call(*self.train("--target", "town", table=other), "--categories", "x",
                                "--json").stdout)
        self.assertFalse(any("'x' was read" in remark for remark in found["remarks"]))
        # Not to be guessed: some are whole, or all have three digits after the comma.
        for cells, words in ((["3", "3,5", "4,5"], "decimal commas: read"),
                             (["950", "1,234", "12,500"], "remove them, or")):
            lines = [f"{k};{cells[k % 3]}" for k in range(30)]
            other.write_text("x;y\n" + "\n".join(lines) + "\n", encoding="utf-8")
            self.fails(1, self.train(table=other), "'y'", words, "--categories")
            self.assertEqual(call(*self.train(table=other), "--categories", "y").returncode, 0)
        other.write_text("x;y\n1,5;1.234\n2;950\n", encoding="utf-8")
        self.fails(1, [*self.train(table=other), "--decimal-comma"], "line 2, column 'y'", "'1.234'",
                   "thousands separators")

    def test_names_with_commas(self):
        self.table.write_text(houses(150).replace("x,town", '"size, m2",town', 1), encoding="utf-8")
        text = self.output(*self.train("--inputs", '"size, m2",town'))
        self.assertRegex(text, r"size, m2 +number +0 +1 input")
        self.output(*self.train("--inputs", 'town, "size, m2"'))
        self.fails(2, self.train("--inputs", "size, m2,town"), "'size'")
        for names in ('"size, m2', '"size, m2"x', '"town",town', 'town,', '""'):
            self.fails(2, self.train("--inputs", names), "--inputs", "double quotes")

    def test_errors_name_place_and_remedy(self):
        self.fails(2, ["train", str(self.table)], "--target")
        self.fails(2, self.train("--target", "price"), "houses.csv", "'price'", "'town'")
        self.fails(1, ["train", str(self.home / "no.csv"), "--target", "y"], "no.csv")
        self.fails(2, self.train("--method", "best"), "best", "probmix")
        self.fails(2, self.train("--family", "bernoulli", "--target", "town"), "two classes")
        self.fails(1, self.train("--family", "gamma", "--target", "x"), "positive")
        self.fails(1, self.train("--out", str(self.home / "none" / "m")), "none")
        broken = self.home / "broken.csv"
        for text, words in (("", ["broken.csv"]), ("x,y\n", ["broken.csv"]),
                            ("x,y\n1,2\n3\n", ["line 3"]), ("x,x\n1,2\n", ["'x'"]),
                            ("x,y\n1,5\n2,5\n3,5\n", ["only one value"]),
                            ("x,y\n1,\"2\n", ["quote"]), ("x,y\n1,2\0\n", ["line 2"]),
                            ("x,y\n1,2\n", ["only one value"])):
            broken.write_text(text, encoding="utf-8")
            self.fails(1, self.train(table=broken), *words)

    def test_nothing_is_lost_on_a_full_disk(self):
        self.output(*self.train())
        before = self.model.read_bytes()
        done = shell(f"ulimit -f 2; trap '' XFSZ; exec \"$0\" train {self.table} --target y "
                     f"--epochs 1 --hidden 64,64 --out {self.model} > /dev/null")
        self.assert_one_line(done, 1, "cannot write", str(self.model), "free some space")
        self.assertEqual(self.model.read_bytes(), before)
        self.assertEqual(sorted(p.name for p in self.home.iterdir()), ["houses.csv", "m.safetensors"])

    def test_a_read_only_folder_is_told_before_the_work(self):
        program = shutil.copy(PROBMIX, self.home)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}  # as root may write anywhere
        self.home.chmod(0o555)
        done = subprocess.run([program, *self.train()], capture_output=True, encoding="utf-8",
                              timeout=60, check=False, **(nobody if os.geteuid() == 0 else {}))
        self.home.chmod(0o700)
        self.assertEqual(done.stdout, "")
        self.assert_one_line(done, 1, f"cannot write '{self.model}': Permission denied")


    def test_header_and_no_header_exclude_each_other(self):
        self.fails(2, [*self.train(), "--header", "--no-header"], "--header", "--no-header")

    def test_a_text_in_the_first_row_turns_no_regression_into_classification(self):
        for text in ("oops", "inf"):
            for row in (1, 80):
                lines = houses(150).splitlines()
                fields = lines[row].split(",")
                lines[row] = ",".join([*fields[:3], text])
                self.table.write_text("\n".join(lines) + "\n", encoding="utf-8")
                self.fails(1, self.train(), f"line {row + 1}, column 'y': '{text}'", "--categories")
                lines[row] = ",".join([text, *fields[1:]])
                self.table.write_text("\n".join(lines) + "\n", encoding="utf-8")
                self.assertIn(f"'x' was read as categories, as this is neither a number nor a date: "
                              f"{self.table}: line {row + 1}, column 'x': '{text}'",
                              self.result(*self.train("--epochs", "1"))["remarks"])

    def test_dates_of_other_forms_are_told(self):
        lines = houses(150).splitlines()
        lines[1:] = [re.sub(r"(\d{4})-(\d\d)-(\d\d)", r"\3/\2/\1", line) for line in lines[1:]]
        self.table.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.assertIn("'day' was read as categories, but has what look like dates: write them as "
                      "YYYY-MM-DD", " ".join(self.result(*self.train("--epochs", "1"))["remarks"]))

    def test_gaps_of_a_series_are_told(self):
        first = datetime.date(2024, 1, 1)
        days = [first + datetime.timedelta(days=k) for k in range(300) if k < 100 or k > 160]
        draw = random.Random(2)
        self.table.write_text("t,y\n" + "".join(f"{day},{draw.gauss(0, 1):.3f}\n" for day in days),
                              encoding="utf-8")
        series = ["--time", "t", "--window", "10", "--horizon", "5", "--epochs", "1"]
        found = self.result(*self.train(*series))
        self.assertIn("'t' has a gap between 2024-04-09 and 2024-06-10 (line 102); no window "
                      "reaches across; if rows are missing, fill them in",
                      found["remarks"])


class Checkpoints(TableTest):
    def start(self, *more):
        return subprocess.Popen([PROBMIX, *self.train("--epochs", "40", "--checkpoint",
                                                      str(self.home / "run"),
                                                      "--checkpoint-seconds", "0", *more)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_killed_at_twenty_moments_it_ends_as_if_nothing_had_been(self):
        self.check_kills()

    def test_so_does_a_search(self):
        self.check_kills("--trials", "4", "--method", "probmix", "--encode", "none")

    def test_killed_at_twenty_moments_a_budget_still_gives_a_model(self):
        draw = random.Random(1)
        for _ in range(20):
            process = self.start("--budget", "3s")
            time.sleep(draw.uniform(0.02, 0.3))
            process.kill()
            process.communicate()
            self.assertIn(process.returncode, (0, -signal.SIGKILL))
        out, err = self.start("--budget", "3s").communicate(timeout=60)
        self.assertIn(b"validation NLL", out, err)
        search = json.loads((self.home / "run" / "search.json").read_text())
        self.assertGreater(search["seconds"], 0)
        self.assertEqual(search["spent"], 3)
        self.assertEqual(len(self.predictions()), 150)
        # Again: it has ended, however much faster the machine may be now. A larger budget goes on.
        model = self.model.read_bytes()
        self.start("--budget", "3s").communicate(timeout=60)
        self.assertEqual(self.model.read_bytes(), model)
        again = json.loads((self.home / "run" / "search.json").read_text())
        self.assertEqual(again["brackets"], search["brackets"])
        self.start("--budget", "5s").communicate(timeout=60)
        more = json.loads((self.home / "run" / "search.json").read_text())
        self.assertGreater(more["seconds"], search["seconds"])
        self.assertEqual(more["spent"], 5)

    def check_kills(self, *more):
        self.output(*self.train("--epochs", "40", *more))
        expected = self.model.read_bytes()
        self.model.unlink()
        draw = random.Random(1)
        kills = 0
        while kills < 20:
            process = self.start(*more)
            time.sleep(draw.uniform(0.005, 0.06))
            process.kill()
            process.communicate()
            kills += 1
            self.assertIn(process.returncode, (0, -signal.SIGKILL))
            if process.returncode == 0:  # it finished: again from the start
                self.assertEqual(self.model.read_bytes(), expected)
                self.model.unlink()
                self.remove_checkpoints()
        out, err = self.start(*more).communicate(timeout=60)
        self.assertIn(b"validation NLL", out, err)
        self.assertEqual(self.model.read_bytes(), expected)
        # Again: nothing is left to do.
        self.start(*more).communicate(timeout=60)
        self.assertEqual(self.model.read_bytes(), expected)

    def wait_until_caught(self, process, number):
        """Until the process handles the signal, which would end it before."""
        status = pathlib.Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            caught = int(re.search(r"SigCgt:\s*(\w+)", status.read_text()).group(1), 16)
            if caught >> (number - 1) & 1:
                return
            time.sleep(0.01)
        self.fail(f"ended with exit code {process.returncode}")

    def test_an_interrupt_saves_and_says_how_to_go_on(self):
        for with_checkpoint in (True, False):
            more = ["--checkpoint", str(self.home / "stop")] if with_checkpoint else []
            process = subprocess.Popen([PROBMIX, *self.train("--epochs", "1000000", "--patience",
                                                             "0", *more)],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.wait_until_caught(process, signal.SIGINT)  # an instrumented program starts slowly
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            self.assertRegex(err.decode(), r"\Aprobmix: stopped after \d+ epochs of 20 networks; .+\n\Z")
            self.assertIn("run the same command again" if with_checkpoint else "with --checkpoint DIR",
                          err.decode())
            self.assertEqual(len(self.predictions()), 150)  # the model so far works

    def test_have_one_writer(self):
        first = self.start("--epochs", "1000000", "--patience", "0")
        while not (self.home / "run" / "checkpoint.safetensors").exists():
            time.sleep(0.01)
        done = call(*self.train("--checkpoint", str(self.home / "run")))
        first.kill()
        first.communicate()
        self.assert_one_line(done, 1, "another process is writing it")

    def remove_checkpoints(self):
        for file in [*(self.home / "run").glob("*.safetensors"), self.home / "run" / "search.json"]:
            file.unlink()

    def test_of_another_training_are_refused(self):
        self.start().communicate(timeout=60)
        args = self.train("--epochs", "40", "--checkpoint", str(self.home / "run"))
        done = call(*args, "--seed", "2")
        self.assert_one_line(done, 1, "'seed' is 1 there and 2 here", "another directory")
        done = call(*args, "--embed-categories", "2")
        self.assert_one_line(done, 1, "'embed-categories' is null there and 2 here")
        self.remove_checkpoints()
        self.assertEqual(call(*args, "--embed-categories", "2").returncode, 0)
        self.assert_one_line(call(*args), 1, "'embed-categories' is 2 there and null here")
        self.remove_checkpoints()
        self.assertEqual(call(*args).returncode, 0)
        self.table.write_text(houses(150, seed=2), encoding="utf-8")
        self.assert_one_line(call(*args), 1, "the fingerprint of the data")
        self.remove_checkpoints()
        (self.home / "run" / "checkpoint.safetensors").write_bytes(b"junk")
        self.assert_one_line(call(*args), 1, "checkpoint.safetensors")


class Info(TableTest):
    def test_text_and_json(self):
        self.output(*self.train())
        text = self.output("info", str(self.model))
        for words in (r"family +student-t", r"method +probmix", r"best-epoch +\d+", r"town +category",
                      r"'Aalst', 'Brugge', 'Gent'", r"validation-nll +\d"):
            self.assertRegex(text, words)
        found = json.loads(self.output("info", str(self.model), "--json"))
        self.assertEqual((found["format"], found["version"]), ("probmix model", 7))
        self.fails(1, ["info", str(self.table)], "not a readable model")


if __name__ == "__main__":
    unittest.main()
