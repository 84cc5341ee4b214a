#!/usr/bin/env python3
"""probmix predict and evaluate, as a user sees them.

    predict_test.py build/probmix [unittest arguments]
"""

import csv
import io
import json
import math
import pathlib
import struct
import subprocess
import sys
import unittest

from support import PROBMIX, call
from table_support import TableTest, houses

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "attack"))
from attack import read_tensors, write_tensors  # noqa: E402


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

    def test_parts_of_the_deviation(self):
        rows = self.predictions("--quantiles", "none", "--split-sd")
        self.assertEqual(list(rows[0]), ["y_mean", "y_sd", "y_sd_data", "y_sd_model"])
        for row in rows:
            whole, data, model = (float(row[name]) for name in ("y_sd", "y_sd_data", "y_sd_model"))
            self.assertAlmostEqual(math.hypot(data, model) / whole, 1, 6)
            self.assertGreater(model, 0)  # several networks never agree

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
            f"no known level; the first: {new}: line 2, column 'x'",
            "1 value of categories not seen in training: taken as no known level; the "
            f"first: {new}: line 4, column 'town': 'Paris'",
            "1 number beyond the training range, by a standard deviation (a date: by the length of the "
            "training period) or more: such predictions are guesses; the "
            f"first: {new}: line 3, column 'x': '1e+300'"])
        new.write_text("x,town\n1,Gent\n", encoding="utf-8")
        self.fails(1, ["predict", str(self.model), str(new)], "lacks the column 'day'")
        self.assertEqual(call("predict", str(self.model), str(new), "--fill-columns").returncode, 0)
        new.write_text("x,town,day\none,Gent,2024-05-05\n", encoding="utf-8")
        done = call("predict", str(self.model), str(new), "--out", str(self.home / "p.csv"))
        self.assert_one_line(done, 1, "new.csv: line 2, column 'x': 'one'")
        self.assertFalse((self.home / "p.csv").exists())

    def test_rows_outside_the_training_rows(self):
        new = self.home / "new.csv"
        new.write_text("day,x,town\n2024-05-05,0,Gent\n2024-05-05,500,Gent\n2024-05-05,1,Paris\n",
                       encoding="utf-8")
        done = call("predict", str(self.model), str(new), "--outside", "flag")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual([float(row["outside"]) for row in rows][0::2], [0, 0.5])
        self.assertGreater(float(rows[1]["outside"]), 0.99)
        out = self.home / "p.csv"
        self.fails(1, ["predict", str(self.model), str(new), "--outside", "refuse", "--out", str(out)],
                   "row 2 is unlike all training rows (outside 1 of 1)")
        self.assertFalse(out.exists())
        self.fails(2, ["predict", str(self.model), str(new), "--outside", "no"],
                   "--outside accepts flag or refuse, not 'no'")
        self.fails(2, ["predict", str(self.model), str(self.with_column("outside")), "--outside", "flag",
                       "--keep", "outside"], "the column 'outside' would appear twice")

    def with_column(self, name):
        path = self.home / "kept.csv"
        path.write_text(f"day,x,town,{name}\n2024-05-05,0,Gent,1\n", encoding="utf-8")
        return path

    def test_decimal_commas(self):
        new = self.home / "comma.csv"
        new.write_text(houses(150, separator=";").replace(".", ","), encoding="utf-8")
        for command in ("predict", "evaluate"):
            self.assertEqual(self.output(command, str(self.model), str(new), "--decimal-comma")
                             .replace("comma.csv", "houses.csv"),
                             self.output(command, str(self.model), str(self.table)))
            self.assert_one_line(call(command, str(self.model), str(new)), 1, "line 2, column 'x'",
                                 "--decimal-comma")

    def test_formulas_become_text(self):
        labels = ["=1+1", "+cmd|calc", "-2"]
        lines = [f"{k},{labels[k % 3]},@{k}" for k in range(60)]
        self.table.write_text("\n".join(["x,y,id", *lines]) + "\n", encoding="utf-8")
        self.output(*self.train("--inputs", "x"))
        command = ["predict", str(self.model), str(self.table), "--keep", "id", "--samples", "3"]
        plain, safe = call(*command), call(*command, "--safe-csv")
        self.assertIn("see --safe-csv", plain.stderr)
        self.assertNotIn("--safe-csv", safe.stderr)
        rows = list(csv.DictReader(io.StringIO(safe.stdout)))
        self.assertEqual(rows[3]["id"], "'@3")
        drawn = {row["y_class"] for row in rows} | {row[f"y_sample{s}"] for row in rows for s in (1, 2, 3)}
        self.assertEqual(drawn, {"'=1+1", "'+cmd|calc", "-2"})
        self.assertEqual(safe.stdout.replace('"\'', "").replace('"', ""), plain.stdout.replace('"', ""))

    def test_no_finite_density_is_an_error(self):
        """A network whose outputs overflow: no row has a density, and no file is written."""
        self.output(*self.train("--limit-inputs", "wide"))  # without limits of the outputs
        data = self.model.read_bytes()
        metadata, tensors = read_tensors(data)
        for name, (kind, shape, values) in tensors.items():
            if kind == "F32":
                tensors[name] = (kind, shape, struct.pack("<f", 3e38) * (len(values) // 4))
        self.model.write_bytes(write_tensors(metadata, tensors))
        out = self.home / "p.csv"
        self.fails(1, ["predict", str(self.model), str(self.table), "--out", str(out)],
                   "no finite density for 150 of 150 rows, first for row 1", "no file was written")
        self.assertFalse(out.exists())
        done = call("predict", str(self.model), str(self.table))
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("nan", done.stdout)
        self.fails(1, ["evaluate", str(self.model), str(self.table)], "finite")

    def test_errors(self):
        self.fails(1, ["predict", str(self.table), str(self.table)], "not a readable model")
        self.fails(1, ["predict", str(self.home / "no"), str(self.table)], "cannot read")
        self.fails(2, ["predict", str(self.model), str(self.table), "--quantiles", "5"], "quantiles")
        self.fails(2, ["predict", str(self.model), str(self.table), "--density", "1:2"], "--density")
        self.fails(2, ["predict", str(self.model), str(self.table), "--keep", "id"], "'id'")


class Evaluate(TableTest):
    def setUp(self):
        super().setUp()
        self.output(*self.train("--preset", "fast", "--epochs", "150"))
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
        self.assertRegex(done.stdout, r"\nThe 90 % intervals contain \d+\.\d % of 300 rows: ")
        self.assertRegex(done.stdout, r"\nNLL \d\.\d+: \d[.\d]* ± [.\d]+ (below|above) that of a linear model, "
                                      r"\d[.\d]* ± [.\d]+ below that of one density for all rows\n")
        self.assertRegex(done.stdout, r"\nscore +y +linear model +one density\n")
        self.assertRegex(done.stdout, r"coverage of the 90 % interval +\d+\.\d %")
        text = page.read_text(encoding="utf-8")
        self.assertIn("below that of one density for all rows.", text)
        self.assertIn("PIT of y", text)
        self.assertIn("Coverage of y", text)
        self.assertIn("Predicted and observed y", text)

    def test_worst_rows(self):
        lines = self.test.read_text(encoding="utf-8").splitlines()
        fields = lines[0].split(",")
        odd = lines[17].split(",")
        odd[fields.index("y")] = "900"
        self.test.write_text("\n".join([*lines[:17], ",".join(odd), *lines[18:]]) + "\n", encoding="utf-8")
        found = self.result("evaluate", str(self.model), str(self.test), "--worst", "3")["worst"]
        self.assertEqual((found[0]["row"], found[0]["observed"]), (17, 900))
        self.assertGreater(found[0]["nll"], found[1]["nll"])
        self.assertGreater(found[1]["nll"], found[2]["nll"])
        self.assertRegex(self.output("evaluate", str(self.model), str(self.test), "--worst", "1"),
                         r"\n 17 +\d+.* +900 ")
        self.fails(2, ["evaluate", str(self.model), str(self.test), "--worst", "-1"], "--worst must lie in")

    def test_by_column(self):
        args = ["evaluate", str(self.model), str(self.test), "--by"]
        text = self.output(*args, "town")
        for town in ("Aalst", "Brugge", "Gent"):
            self.assertRegex(text, rf"\n{town} +\d+ +\d\.\d+ +\d\.\d+ +\d+\.\d %")
        self.assertRegex(self.output(*args, "x"), r"\n1: below -0\.\d+ +\d+ ")
        found = self.result(*args, "town")["by"]
        self.assertEqual(found["column"], "town")
        self.assertEqual(sum(part["rows"] for part in found["parts"]), 300)
        self.fails(2, [*args, "city"], "has no column 'city'")
        other = self.home / "other.csv"
        other.write_bytes(self.test.read_bytes().replace(b"Gent", b"G\xe9nt"))
        found = json.loads(call("evaluate", str(self.model), str(other), "--by", "town", "--json").stdout)
        self.assertEqual(len(found["by"]["parts"]), 3)

    def test_by_column_and_worst_rows_of_a_censored_target(self):
        rows = [f"{k % 7},{'c' if k % 5 == 0 else 'a'},{30 if k % 5 == 0 else 10 + k % 7 + k % 3}"
                for k in range(200)]
        self.test.write_text("\n".join(["x,g,y", *rows]) + "\n", encoding="utf-8")
        self.output(*self.train("--preset", "fast", "--epochs", "20", "--censored-above", "30", "--inputs", "x",
                                table=self.test))
        found = json.loads(call("evaluate", str(self.model), str(self.test), "--by", "g", "--worst", "200",
                                "--json").stdout)
        self.assertEqual([part["part"] for part in found["by"]["parts"]], ["a"])  # none of c is known
        self.assertEqual(len(found["worst"]), 200)
        self.assertAlmostEqual(sum(row["nll"] for row in found["worst"]) / 200, found["nll"], places=9)
        self.assertEqual(sum(row["observed"] is None for row in found["worst"]), 40)

    def test_classes(self):
        self.output(*self.train("--target", "town", "--epochs", "150"))
        found = self.result("evaluate", str(self.model), str(self.test))
        self.assertGreater(found["accuracy"], 1 / 3)
        self.assertEqual(sum(b["count"] for b in found["reliability"]), 300)
        self.assertGreater(found["balanced_accuracy"], 1 / 3)
        self.assertAlmostEqual(found["marginal"]["nll"], math.log(3), places=1)
        self.assertRegex(found["verdict"][0], r"^Accuracy \d+\.\d %: .* of always saying '")
        page = self.home / "page.html"
        call("evaluate", str(self.model), str(self.test), "--page", str(page))
        self.assertNotIn("RMSE", page.read_text(encoding="utf-8"))  # nor intervals: they are classes
        confusion = found["confusion"]
        self.assertEqual(confusion["classes"], ["Aalst", "Brugge", "Gent"])
        right = sum(confusion["rows"][k][k] for k in range(3))
        self.assertAlmostEqual(right / 300, found["accuracy"])
        for name, row in zip(confusion["classes"], confusion["rows"]):
            self.assertEqual(sum(row), self.test.read_text(encoding="utf-8").count(name))
        self.test.write_text("x,town,day,y\n1,Paris,2024-05-05,3\n", encoding="utf-8")
        self.fails(1, ["evaluate", str(self.model), str(self.test)],
                   "line 2, column 'town': the class 'Paris' is not one of")

    def test_rows_with_an_unknown_target(self):
        self.output(*self.train("--target", "town", "--epochs", "5"))
        self.test.write_text(houses(10) + "1,Paris,2024-05-05,3\n", encoding="utf-8")
        done = call("evaluate", str(self.model), str(self.test), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr,
                         "1 row with a target unknown to the model, left out; the first: "
                         f"{self.test}: line 12, column 'town': the class 'Paris' is not one of "
                         "'Aalst', 'Brugge', 'Gent'\n")
        found = json.loads(done.stdout)
        self.assertEqual(found["rows"], 10)
        self.assertEqual(found["left_out"], {"missing_target": 0, "unknown_target": 1})

    def test_rows_without_target(self):
        self.test.write_text(houses(10) + "1,Gent,2024-05-05,\n", encoding="utf-8")
        done = call("evaluate", str(self.model), str(self.test), "--json")
        self.assertEqual(done.stderr, "1 row without a target, left out\n")
        self.test.write_text("x,town,day\n1,Gent,2024-05-05\n", encoding="utf-8")
        self.fails(1, ["evaluate", str(self.model), str(self.test)], "lacks the column 'y'")


if __name__ == "__main__":
    unittest.main()
