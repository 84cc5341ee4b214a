#!/usr/bin/env python3
"""probmix compare, as a user sees it.

    compare_test.py build/probmix [unittest arguments]
"""

import json
import unittest

from support import call
from table_support import TableTest


class Compare(TableTest):
    def test_table_json_and_page(self):
        page = self.home / "c.html"
        args = ["compare", str(self.table), "--target", "y", "--methods", "erm,probmix", "--epochs", "3",
                "--folds", "3", "--hidden", "8"]
        done = call(*args, "--page", str(page))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(Use (erm|probmix)|(erm|probmix) leads): its test NLL is the lowest")
        self.assertIn("Comparison by cross-validation", page.read_text(encoding="utf-8"))
        found = json.loads(call(*args, "--json").stdout)
        self.assertEqual([row["method"] for row in found["results"]], ["erm", "probmix"])
        self.assertEqual([row["runs"] for row in found["results"]], [6, 6])
        best = min(found["results"], key=lambda row: row["test_nll"])["method"]
        self.assertEqual(found["recommendation"]["method"], best)
        self.assertIn(found["recommendation"]["text"], done.stdout)
        self.assertEqual(call(*args, "--json", "--threads", "1").stdout,
                         call(*args, "--json", "--threads", "2").stdout)

    def test_ensembles_beside_mc_dropout(self):
        args = ["compare", str(self.table), "--target", "y", "--methods", "erm,probmix,mc-dropout",
                "--epochs", "3", "--folds", "3", "--repeats", "1", "--hidden", "8", "--members", "7",
                "--json"]
        found = {count: json.loads(call(*args, "--ensemble", count).stdout)["results"]
                 for count in ("1", "3")}
        for results in found.values():
            self.assertEqual([row["method"] for row in results], ["erm", "probmix", "mc-dropout"])
            nll = [row["test_nll"] for row in results]
            self.assertEqual(len(set(nll)), 3)
        self.assertNotEqual(found["1"], found["3"])

    def test_classes_groups_and_time(self):
        for more in (["--target", "town"], ["--target", "y", "--time", "day"],
                     ["--target", "y", "--group", "town", "--folds", "3"],
                     ["--target", "y", "--window", "3", "--horizon", "2"]):
            done = call("compare", str(self.table), *more, "--methods", "erm", "--epochs", "1")
            self.assertEqual(done.returncode, 0, (more, done.stderr))
        self.fails(2, ["compare", str(self.table), "--target", "y", "--time", "day", "--group", "town"],
                   "by time or by group")


if __name__ == "__main__":
    unittest.main()
