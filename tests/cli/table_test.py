#!/usr/bin/env python3
"""probmix train, predict, evaluate and info on one's own table, as a user meets them.

    table_test.py build/probmix [unittest arguments]
"""

import csv
import gzip
import io
import json
import math
import os
import random
import signal
import subprocess
import time
import unittest

from support import PROBMIX, CliTest, call, shell


def houses(rows, seed=1, separator=","):
    """x, town, day and y = 2 x + something for the town + noise."""
    draw = random.Random(seed)
    lines = [separator.join(["x", "town", "day", "y"])]
    for _ in range(rows):
        x, town = draw.gauss(0, 1), draw.randrange(3)
        day = f"2024-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        y = 50 + 20 * x + 10 * town + draw.gauss(0, 3)
        lines.append(separator.join([f"{x:.4f}", ["Gent", "Brugge", "Aalst"][town], day, f"{y:.3f}"]))
    return "\n".join(lines) + "\n"


class TableTest(CliTest):
    def setUp(self):
        self.home = self.folder()
        self.table = self.home / "houses.csv"
        self.table.write_text(houses(150), encoding="utf-8")
        self.model = self.home / "m.safetensors"

    def train(self, *more, table=None):
        options = {"--target": "y", "--out": str(self.model), "--epochs": "20", "--hidden": "16,8",
                   **dict(zip(more[::2], more[1::2]))}
        return ["train", str(table or self.table), *(text for pair in options.items() for text in pair)]

    def predictions(self, *more):
        text = self.output("predict", str(self.model), str(self.table), *more)
        return list(csv.DictReader(io.StringIO(text)))


class Train(TableTest):
    def test_tells_what_it_made_of_the_columns(self):
        text = self.output(*self.train())
        self.assertRegex(text, r"houses.csv: 150 rows, 4 columns")
        self.assertRegex(text, r"town +category, 3 levels +0 +3 inputs")
        self.assertRegex(text, r"day +date +0 +\d inputs")
        self.assertRegex(text, r"\ny +number +0 +target")
        self.assertIn("family: gaussian, as 'y' has real numbers", text)
        self.assertIn("120 rows for training, 30 for validation; 20 epochs, the best", text)
        self.assertTrue(self.model.exists())

    def test_summary_as_json(self):
        found = self.result(*self.train())
        self.assertEqual((found["target"], found["family"], found["rows"]), (["y"], "gaussian", 120))
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
                   if line.startswith(("erm", "mix", "loc-", "m-", "probmix"))]
        self.assertEqual(len(methods), 11)
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
                            ("x,y\n1,5\n2,5\n3,5\n", ["one value only"]),
                            ("x,y\n1,\"2\n", ["quote"]), ("x,y\n1,2\0\n", ["line 2"]),
                            ("x,y\n1,2\n", ["one value only"])):
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

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_read_only_folder_is_told_before_the_work(self):
        self.home.chmod(0o500)
        self.fails(1, self.train(), "cannot write")
        self.home.chmod(0o700)


class Careful(TableTest):
    """What must not happen."""

    def test_no_input_is_overwritten(self):
        before = self.table.read_bytes()
        self.fails(2, self.train("--out", str(self.table)), "--out", "which is read")
        self.output(*self.train())
        model = self.model.read_bytes()
        for out in (self.table, self.model):
            self.fails(2, ["predict", str(self.model), str(self.table), "--out", str(out)], "--out")
            self.fails(2, ["evaluate", str(self.model), str(self.table), "--page", str(out)],
                       "--page")
        self.fails(2, ["compare", str(self.table), "--target", "y", "--out", str(self.table)], "--out")
        self.assertEqual((self.table.read_bytes(), self.model.read_bytes()), (before, model))

    def test_a_target_is_no_input_of_itself(self):
        walk, draw = ["t,v"], random.Random(3)
        walk += [f"{t},{draw.gauss(0, 1):.4f}" for t in range(300)]
        self.table.write_text("\n".join(walk) + "\n", encoding="utf-8")
        series = ["--target", "v", "--time", "t", "--window", "3"]
        self.fails(2, self.train(*series, "--inputs", "v"), "'v' is a target")
        found = self.result(*self.train(*series, "--horizon", "1", "--epochs", "100"))
        self.assertGreater(found["validation-nll"], 1.2)  # of noise, 1.42

    def test_rows_of_weight_zero_are_as_if_not_there(self):
        rows = [line.split(",") for line in houses(100).splitlines()[1:]]
        good = ["x,w,y"] + [f"{row[0]},2,{row[3]}" for row in rows]
        plain = self.home / "plain.csv"
        plain.write_text("\n".join(good) + "\n", encoding="utf-8")
        self.table.write_text("\n".join(good + ["1,0,1e6", "2,0,-1e6"]) + "\n", encoding="utf-8")
        self.output(*self.train("--weights", "w", table=plain))
        expected = self.predictions("--keep", "w")
        self.output(*self.train("--weights", "w"))
        self.assertEqual(self.predictions("--keep", "w"), expected)

    def test_kept_fields_may_be_empty(self):
        self.output(*self.train())
        self.table.write_text("id,x,town,day\n,1,Gent,2024-01-01\n", encoding="utf-8")
        row = self.predictions("--keep", "id")[0]
        self.assertEqual(row["id"], "")
        self.assertIsNotNone(row["y_q0.95"])

    def test_rare_classes(self):
        self.table.write_text("x,y\n" + "".join(f"{k},{'ab'[k % 2]}\n" for k in range(60)) + "9,c\n",
                              encoding="utf-8")
        for seed in range(1, 9):
            self.output(*self.train("--seed", str(seed), "--epochs", "1"))
        done = call("compare", str(self.table), "--target", "y", "--methods", "erm,probmix", "--epochs",
                    "1", "--folds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_densities_are_zero_where_nothing_can_be(self):
        draw = random.Random(1)
        lines = [f"{k % 5},{draw.choice([0, 0, 1, 1, 2, 3])}" for k in range(100)]
        self.table.write_text("x,y\n" + "\n".join(lines) + "\n", encoding="utf-8")
        for family in ("poisson", "gamma"):
            if family == "gamma":
                self.table.write_text("x,y\n" + "".join(f"{k % 5},{k % 7 + 0.5}\n" for k in range(100)),
                                      encoding="utf-8")
            self.output(*self.train("--family", family))
            row = self.predictions("--density", "-1,0.25,2")[0]
            self.assertEqual(float(row["y_density_at_-1"]), 0)
            self.assertEqual(float(row["y_density_at_0.25"]) == 0, family == "poisson")
            self.assertGreater(float(row["y_density_at_2"]), 0)

    def test_an_interrupt_replaces_no_model(self):
        self.output(*self.train())
        before = self.model.read_bytes()
        process = subprocess.Popen([PROBMIX, *self.train("--epochs", "1000000", "--patience", "0")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertIn("is left as it was", err.decode())
        self.assertEqual(self.model.read_bytes(), before)

    def test_changed_data_are_noticed(self):
        """Two changes that a weak fingerprint would take for none."""
        args = ["compare", str(self.table), "--target", "y", "--methods", "erm", "--epochs", "1",
                "--folds", "2", "--repeats", "1", "--out", str(self.home / "r.jsonl")]
        self.assertIn("2 runs in", call(*args).stdout)
        self.assertIn("all were there before", call(*args).stdout)
        text = self.table.read_text(encoding="utf-8").splitlines()
        for line in (5, 9):
            fields = text[line].split(",")
            text[line] = ",".join([*fields[:3], f"-{fields[3]}"])
        self.table.write_text("\n".join(text) + "\n", encoding="utf-8")
        self.assertNotIn("all were there before", call(*args).stdout)


class Compare(TableTest):
    def test_table_json_and_page(self):
        page = self.home / "c.html"
        args = ["compare", str(self.table), "--target", "y", "--methods", "erm,probmix", "--epochs", "3",
                "--folds", "3", "--hidden", "8"]
        done = call(*args, "--page", str(page))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"Take (erm|probmix): its test NLL is the lowest")
        self.assertIn("Comparison by cross-validation", page.read_text(encoding="utf-8"))
        found = json.loads(call(*args, "--json").stdout)
        self.assertEqual([row["method"] for row in found], ["erm", "probmix"])
        self.assertEqual([row["runs"] for row in found], [6, 6])
        self.assertEqual(call(*args, "--json", "--threads", "1").stdout,
                         call(*args, "--json", "--threads", "2").stdout)

    def test_classes_groups_and_time(self):
        for more in (["--target", "town"], ["--target", "y", "--time", "day"],
                     ["--target", "y", "--group", "town", "--folds", "3"],
                     ["--target", "y", "--window", "3", "--horizon", "2"]):
            done = call("compare", str(self.table), *more, "--methods", "erm", "--epochs", "1")
            self.assertEqual(done.returncode, 0, (more, done.stderr))
        self.fails(2, ["compare", str(self.table), "--target", "y", "--time", "day", "--group", "town"],
                   "by time or by group")


class Checkpoints(TableTest):
    def start(self, *more):
        return subprocess.Popen([PROBMIX, *self.train("--epochs", "400", "--checkpoint",
                                                      str(self.home / "run"),
                                                      "--checkpoint-seconds", "0", *more)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_killed_at_twenty_moments_it_ends_as_if_nothing_had_been(self):
        self.output(*self.train("--epochs", "400"))
        expected = self.model.read_bytes()
        self.model.unlink()
        draw = random.Random(1)
        kills = 0
        while kills < 20:
            process = self.start()
            time.sleep(draw.uniform(0.005, 0.06))
            process.kill()
            process.communicate()
            kills += 1
            self.assertIn(process.returncode, (0, -signal.SIGKILL))
            if process.returncode == 0:  # came to the end: once more from the start
                self.assertEqual(self.model.read_bytes(), expected)
                self.model.unlink()
                (self.home / "run" / "checkpoint.safetensors").unlink()
        out, err = self.start().communicate(timeout=60)
        self.assertIn(b"validation NLL", out, err)
        self.assertEqual(self.model.read_bytes(), expected)
        # Once more: there is nothing left to do.
        self.start().communicate(timeout=60)
        self.assertEqual(self.model.read_bytes(), expected)

    def test_an_interrupt_saves_and_says_how_to_go_on(self):
        for with_checkpoint in (True, False):
            more = ["--checkpoint", str(self.home / "stop")] if with_checkpoint else []
            process = subprocess.Popen([PROBMIX, *self.train("--epochs", "1000000", "--patience",
                                                             "0", *more)],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            self.assertRegex(err.decode(), r"\Aprobmix: stopped after epoch \d+ of 1000000; .+\n\Z")
            self.assertIn("the same command goes on" if with_checkpoint else "with --checkpoint DIR",
                          err.decode())
            self.assertEqual(len(self.predictions()), 150)  # the model so far works

    def test_of_another_training_are_refused(self):
        self.start().communicate(timeout=60)
        args = self.train("--epochs", "400", "--checkpoint", str(self.home / "run"))
        done = call(*args, "--seed", "2")
        self.assert_one_line(done, 1, "'seed' is 1 there and 2 here", "another directory")
        self.table.write_text(houses(150, seed=2), encoding="utf-8")
        self.assert_one_line(call(*args), 1, "the fingerprint of the data")
        (self.home / "run" / "checkpoint.safetensors").write_bytes(b"junk")
        self.assert_one_line(call(*args), 1, "checkpoint.safetensors")


class Predict(TableTest):
    def setUp(self):
        super().setUp()
        self.output(*self.train())

    def test_columns_and_order(self):
        rows = self.predictions("--keep", "x,town", "--quantiles", "0.1,0.9", "--intervals", "0.5",
                                "--samples", "2", "--density", "40:60:3")
        self.assertEqual(list(rows[0]),
                         ["x", "town", "y_mean", "y_sd", "y_q0.1", "y_q0.9", "y_low50", "y_high50",
                          "y_density_at_40", "y_density_at_50", "y_density_at_60", "y_sample1",
                          "y_sample2"])
        given = list(csv.DictReader(io.StringIO(houses(150))))
        self.assertEqual([row["x"] for row in rows], [row["x"] for row in given])
        for row in rows:
            self.assertLess(float(row["y_q0.1"]), float(row["y_low50"]))
            self.assertLess(float(row["y_low50"]), float(row["y_mean"]))
            self.assertGreater(float(row["y_density_at_50"]), 0)

    def test_files_pipes_threads_and_blocks_agree(self):
        expected = self.output("predict", str(self.model), str(self.table), "--threads", "1")
        self.assertEqual(self.output("predict", str(self.model), str(self.table), "--threads", "2"),
                         expected)
        out = self.home / "p.csv"
        done = call("predict", str(self.model), str(self.table), "--out", str(out))
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, f"150 predictions: {out}\n")
        self.assertEqual(out.read_text(encoding="utf-8"), expected)
        piped = subprocess.run([PROBMIX, "predict", str(self.model), "-"],
                               input=houses(150).encode(), capture_output=True, check=True)
        self.assertEqual(piped.stdout.decode(), expected)

    def test_other_columns_and_strange_values_are_told_once(self):
        new = self.home / "new.csv"
        new.write_text("id,day,x,town\n1,2024-05-05,NA,Gent\n2,2024-05-05,1e300,Gent\n"
                       "3,2024-05-05,1,Paris\n", encoding="utf-8")
        done = call("predict", str(self.model), str(new))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stdout.splitlines()), 4)
        self.assertEqual(done.stderr.splitlines(), [
            "not used: 'id'",
            "1 missing value where training had none: a number is taken as the mean, a category as "
            f"none of the known; the first: {new}: line 2, column 'x': 'NA'",
            "1 value of categories that training had not seen: taken as none of the known; the "
            f"first: {new}: line 4, column 'town': 'Paris'",
            "1 number a million deviations from the mean or more: cut there; the first: "
            f"{new}: line 3, column 'x': '1e300'"])
        new.write_text("x,town\n1,Gent\n", encoding="utf-8")
        self.fails(1, ["predict", str(self.model), str(new)], "lacks the column 'day'")
        self.assertEqual(call("predict", str(self.model), str(new), "--fill-columns").returncode, 0)
        new.write_text("x,town,day\none,Gent,2024-05-05\n", encoding="utf-8")
        done = call("predict", str(self.model), str(new), "--out", str(self.home / "p.csv"))
        self.assert_one_line(done, 1, "new.csv: line 2, column 'x': 'one'")
        self.assertFalse((self.home / "p.csv").exists())

    def test_errors(self):
        self.fails(1, ["predict", str(self.table), str(self.table)], "no model that can be read")
        self.fails(1, ["predict", str(self.home / "no"), str(self.table)], "cannot read")
        self.fails(2, ["predict", str(self.model), str(self.table), "--quantiles", "5"], "quantiles")
        self.fails(2, ["predict", str(self.model), str(self.table), "--density", "1:2"], "--density")
        self.fails(2, ["predict", str(self.model), str(self.table), "--keep", "id"], "'id'")


class Evaluate(TableTest):
    def setUp(self):
        super().setUp()
        self.output(*self.train("--epochs", "150"))
        self.test = self.home / "test.csv"
        self.test.write_text(houses(300, seed=9), encoding="utf-8")

    def test_scores_are_those_of_the_predictions(self):
        found = self.result("evaluate", str(self.model), str(self.test))
        self.assertEqual(found["rows"], 300)
        text = self.output("predict", str(self.model), str(self.test), "--keep", "y", "--intervals",
                           "0.9")
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]
        rmse = math.sqrt(sum((r["y_mean"] - r["y"]) ** 2 for r in rows) / 300)
        self.assertAlmostEqual(found["targets"][0]["rmse"], rmse, places=4)
        nll = sum(0.5 * math.log(2 * math.pi * r["y_sd"] ** 2)
                  + 0.5 * ((r["y"] - r["y_mean"]) / r["y_sd"]) ** 2 for r in rows) / 300
        self.assertAlmostEqual(found["nll"], nll, places=4)
        inside = sum(r["y_low90"] <= r["y"] <= r["y_high90"] for r in rows) / 300
        interval = found["targets"][0]["intervals"][2]
        self.assertEqual(interval["level"], 0.9)
        self.assertAlmostEqual(interval["coverage"], inside)
        self.assertLess(found["nll"], 3.2)  # a constant has 4.5, the noise itself 2.5

    def test_table_and_page(self):
        page = self.home / "page.html"
        done = call("evaluate", str(self.model), str(self.test), "--page", str(page))
        self.assertEqual(done.stderr, f"report: {page}\n")
        self.assertRegex(done.stdout, r"90 % interval, holds +\d+\.\d %")
        text = page.read_text(encoding="utf-8")
        self.assertIn("PIT of y", text)
        self.assertIn("Coverage of y", text)

    def test_classes(self):
        self.output(*self.train("--target", "town", "--epochs", "150"))
        found = self.result("evaluate", str(self.model), str(self.test))
        self.assertGreater(found["accuracy"], 1 / 3)
        self.assertEqual(sum(b["count"] for b in found["reliability"]), 300)
        self.test.write_text("x,town,day,y\n1,Paris,2024-05-05,3\n", encoding="utf-8")
        self.fails(1, ["evaluate", str(self.model), str(self.test)],
                   "line 2, column 'town': the class 'Paris' is not one of")

    def test_rows_without_target(self):
        self.test.write_text(houses(10) + "1,Gent,2024-05-05,\n", encoding="utf-8")
        done = call("evaluate", str(self.model), str(self.test), "--json")
        self.assertEqual(done.stderr, "1 row without a target, left out\n")
        self.test.write_text("x,town,day\n1,Gent,2024-05-05\n", encoding="utf-8")
        self.fails(1, ["evaluate", str(self.model), str(self.test)], "lacks the column 'y'")


class Info(TableTest):
    def test_text_and_json(self):
        self.output(*self.train())
        text = self.output("info", str(self.model))
        for words in (r"family +gaussian", r"method +probmix", r"best-epoch +\d+", r"town +category",
                      r"'Aalst', 'Brugge', 'Gent'", r"validation-nll +\d"):
            self.assertRegex(text, words)
        found = json.loads(self.output("info", str(self.model), "--json"))
        self.assertEqual((found["format"], found["version"]), ("probmix model", 1))
        self.fails(1, ["info", str(self.table)], "no model that can be read")


if __name__ == "__main__":
    unittest.main()
