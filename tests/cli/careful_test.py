#!/usr/bin/env python3
"""What must not happen to a user's tables and models.

    careful_test.py build/probmix [unittest arguments]
"""

import random
import signal
import subprocess
import time
import unittest

from support import PROBMIX, call
from table_support import TableTest, houses


class Careful(TableTest):
    """What must not happen."""

    def test_no_input_is_overwritten(self):
        before = self.table.read_bytes()
        self.fails(2, self.train("--out", str(self.table)), "--out", "which is also an input")
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
        self.assertGreater(found["validation-nll"], 1.2)  # pure noise has 1.42

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
        self.assertIn("is unchanged", err.decode())
        self.assertEqual(self.model.read_bytes(), before)

    def test_changed_data_are_noticed(self):
        """Two changes that a weak fingerprint would miss."""
        args = ["compare", str(self.table), "--target", "y", "--methods", "erm", "--epochs", "1",
                "--folds", "2", "--repeats", "1", "--out", str(self.home / "r.jsonl")]
        self.assertIn("2 runs in", call(*args).stdout)
        self.assertIn("all were done before", call(*args).stdout)
        text = self.table.read_text(encoding="utf-8").splitlines()
        for line in (5, 9):
            fields = text[line].split(",")
            text[line] = ",".join([*fields[:3], f"-{fields[3]}"])
        self.table.write_text("\n".join(text) + "\n", encoding="utf-8")
        self.assertNotIn("all were done before", call(*args).stdout)


if __name__ == "__main__":
    unittest.main()
