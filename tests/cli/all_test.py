#!/usr/bin/env python3
"""probmix reproduce all --quick on small made-up data: every study, the report and its tables.

    all_test.py build/probmix [unittest arguments]
"""

import json
import unittest

from stocks_test import prices
from support import CliTest, call
from uci_test import write_uci_set

SETS = ["bostonHousing", "concrete", "energy", "kin8nm", "naval-propulsion-plant", "power-plant",
        "wine-quality-red", "yacht"]
STUDIES = ["toy-regression", "pooling", "latent", "toy-classification", "uci", "stocks"]


class All(CliTest):
    def test_quick(self):
        data, out = self.folder(), self.folder() / "results"
        for seed, name in enumerate(SETS):
            write_uci_set(data, name, seed)
        (data / "stocks").mkdir()
        for seed, name in enumerate(("GOOG", "GME", "NVDA", "RCL")):
            (data / "stocks" / f"{name}.csv").write_text(prices(400, seed), encoding="utf-8")
        args = ["reproduce", "all", "--quick", "--data", str(data), "--out", str(out)]
        done = call(*args, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr)
        for study in STUDIES:
            lines = (out / f"{study}.jsonl").read_text(encoding="utf-8").splitlines()
            self.assertTrue(lines)
            self.assertEqual({json.loads(line)["study"] for line in lines}, {study})
            self.assertTrue(list((out / "tables").glob(f"{study}*.csv")), study)
        self.assertIn("Stock forecasts", (out / "report.html").read_text(encoding="utf-8"))
        # Again: all runs are there.
        before = (out / "uci.jsonl").read_bytes()
        again = call(*args, timeout=900)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((out / "uci.jsonl").read_bytes(), before)
        self.assertEqual(again.stdout.count("all were done before"), len(STUDIES))
        # At full scale no report could compare them: refused at once, for the last study too.
        full = [a for a in args if a != "--quick"]
        self.fails(2, full, "toy-regression.jsonl', line 1", "epochs 20, but the new runs have 500", "--out")
        for study in STUDIES[:-1]:
            (out / f"{study}.jsonl").unlink()
        self.fails(2, full, "stocks.jsonl', line 1", "epochs 2, but the new runs have 2000")
        self.assertFalse((out / "uci.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
