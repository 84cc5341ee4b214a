#!/usr/bin/env python3
"""probmix reproduce uci and report as a user sees them: results, tuning, shards, broken files.

    uci_test.py build/probmix [unittest arguments]
"""

import json
import random
import re
import unittest

from support import CliTest, call

UCI = ["reproduce", "uci"]
KEYS = ["test_nll", "test_rmse", "train_nll", "train_rmse"]


def write_uci_set(data, name, seed):
    """A small data set with three splits."""
    folder = data / "uci" / name
    folder.mkdir(parents=True)
    draw = random.Random(seed)
    rows = [[draw.gauss(0, 1) for _ in range(3)] for _ in range(60)]
    lines = [" ".join(f"{v:.6f}" for v in [*x, x[0] + 0.3 * draw.gauss(0, 1)]) for x in rows]
    (folder / "data.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "index_features.txt").write_text("0\n1\n2\n", encoding="utf-8")
    (folder / "index_target.txt").write_text("3\n", encoding="utf-8")
    (folder / "n_splits.txt").write_text("3\n", encoding="utf-8")
    for split in range(3):
        for part, keep in (("test", True), ("train", False)):
            index = [r for r in range(60) if (r % 10 == split) == keep]
            (folder / f"index_{part}_{split}.txt").write_text("\n".join(map(str, index)) + "\n",
                                                              encoding="utf-8")


class UciTest(CliTest):
    """Two small data sets."""

    def setUp(self):
        self.data = self.folder()
        for seed, name in enumerate(("aaa", "bbb")):
            write_uci_set(self.data, name, seed)

    def study(self, *more, methods="erm,probmix"):
        splits = [] if "--splits" in more else ["--splits", "0-2"]
        members = ["--members", "3"] if "m-probmix" in methods or methods == "all" else []
        return [*UCI, "--data", str(self.data), "--sets", "aaa,bbb", *splits, "--methods", methods,
                "--epochs", "3", "--hidden", "6,5", *members, *more]


class Results(UciTest):
    def test_json_has_a_row_for_each_data_set_and_method(self):
        found = self.result(*self.study(methods="all"))
        self.assertEqual(len(found), 22)
        for row in found:
            self.assertEqual((row["runs"], row["diverged"]), (3, 0))
            for key in KEYS:
                self.assertIsInstance(row[key], float, key)
                self.assertGreater(row[key + "_se"], 0, key)

    def test_threads_do_not_change_a_bit(self):
        args = self.study("--json", methods="probmix,loc-m-probmix")
        self.assertEqual(self.output(*args, "--threads", "1"),
                         self.output(*args, "--threads", "2"))

    def test_settings_are_chosen_on_validation_rows(self):
        results = self.folder() / "r.jsonl"
        done = call(*self.study("--alpha", "0.1,1,10", "--tune-splits", "0", "--out",
                                str(results), "--json"))
        self.assertEqual(done.returncode, 0, done)
        rows = json.loads(done.stdout)
        lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(len(lines), 2 * (3 + (3 + 2)))  # erm has one setting, probmix three
        for row in rows:
            self.assertEqual(row["runs"], 3)
            if row["method"] == "erm":
                continue
            tuned = [line for line in lines
                     if line["configuration"]["dataset"] == row["dataset"]
                     and line["configuration"]["method"] == row["method"]
                     and line["configuration"]["split"] == 0]
            best = min(tuned, key=lambda line: line["result"]["validation"]["nll"])
            self.assertEqual(row["alpha"], best["configuration"]["alpha"])
        again = call(*self.study("--alpha", "0.1,1,10", "--tune-splits", "0", "--out",
                                 str(results), "--json"))
        self.assertEqual(again.stdout, done.stdout)

    def test_a_report_chooses_as_the_study_did(self):
        folder = self.folder()
        results, tables = folder / "r.jsonl", folder / "tables"
        for alpha in ("0.1", "10"):  # both settings on all splits
            self.assertEqual(call(*self.study("--alpha", alpha, "--out", str(results))).returncode, 0)
        report = call("report", str(results), "--out", str(folder / "r.html"), "--tables",
                      str(tables))
        self.assertEqual(report.returncode, 0, report)
        text = (tables / "uci-cells.csv").read_text(encoding="utf-8")
        header, *rows = [line.split(",") for line in text.splitlines()]
        chosen = {(row[header.index("dataset")], row[header.index("method")]):
                  row[header.index("alpha")] for row in rows}
        for split in "012":
            done = call(*self.study("--alpha", "0.1,10", "--tune-splits", split, "--out",
                                    str(results), "--json"))
            self.assertEqual(done.returncode, 0, done)
            for row in json.loads(done.stdout):
                if row["method"] != "erm":
                    self.assertEqual(float(chosen[row["dataset"], row["method"]]), row["alpha"])

    def test_a_choice_that_was_killed_is_reported_with_a_remark(self):
        folder = self.folder()
        results, half = folder / "r.jsonl", folder / "half.jsonl"
        self.assertEqual(call(*self.study("--alpha", "0.1,10", "--tune-splits", "0-1", "--threads",
                                          "1", "--out", str(results))).returncode, 0)
        lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
        for count in (3, 4, 5):  # erm has two runs for tuning, probmix four
            half.write_text("".join(lines[:count]), encoding="utf-8")
            done = call("report", str(half), "--out", str(folder / "r.html"))
            self.assertEqual(done.returncode, 0, done)
            self.assertIn("the choice of settings for aaa probmix is unfinished", done.stderr)
        done = call("report", str(results), "--out", str(folder / "r.html"))
        self.assertNotIn("not finished", done.stderr)

    def test_runs_that_no_report_could_compare_are_not_added(self):
        results = self.folder() / "r.jsonl"
        self.assertEqual(call(*self.study("--out", str(results))).returncode, 0)
        content = results.read_bytes()
        self.fails(2, self.study("--batch", "9", "--out", str(results)), "r.jsonl', line 1",
                   "batch 128, but the new runs have 9")
        self.assertEqual(results.read_bytes(), content)
        self.assertEqual(call(*self.study("--alpha", "1", "--out", str(results),
                                          methods="mix")).returncode, 0)

    def test_tuning_splits_have_no_part_in_the_results(self):
        alone = self.result(*self.study("--alpha", "0.1,1", "--tune-splits", "1-2", "--splits", "0"))
        for row in alone:
            self.assertEqual(row["runs"], 1)
        text = self.output(*self.study("--alpha", "0.1,1", "--tune-splits", "0"))
        self.assertRegex(text, r"(?m)^14 runs in \S+ s on")  # none repeated: 2 · (3 + 2 + 2)

    def test_shards_together_are_the_study(self):
        folder = self.folder()
        whole, page = folder / "whole.jsonl", folder / "page.html"
        self.assertEqual(call(*self.study("--out", str(whole))).returncode, 0)
        parts = []
        for k in (1, 2, 3):
            parts.append(folder / f"{k}.jsonl")
            self.assertEqual(call(*self.study("--out", str(parts[-1]), "--shard",
                                              f"{k}/3")).returncode, 0)

        def runs(*files):
            records = [json.loads(line) for file in files
                       for line in file.read_text(encoding="utf-8").splitlines()]
            return sorted(json.dumps([r["configuration"], r["result"]]) for r in records)

        self.assertEqual(runs(*parts), runs(whole))
        tables = []
        for files in ([whole], parts):
            done = call("report", *map(str, files), "--out", str(page), "--tables",
                        str(folder / "tables"))
            self.assertEqual(done.returncode, 0, done)
            tables.append((folder / "tables" / "uci-scores.csv").read_text(encoding="utf-8"))
        self.assertEqual(tables[0], tables[1])


class Errors(UciTest):
    def test_wrong_options(self):
        for args, *fragments in [
                (["--splits", "0-3"], "split", "3"), (["--splits", "2-1"], "--splits", "2-1"),
                (["--splits", "x"], "--splits", "x"), (["--splits", "0,0-1"], "twice"),
                (["--shard", "3/2"], "3/2"), (["--shard", "0/2"], "0/2"),
                (["--shard", "2"], "--shard", "1/4"), (["--alpha", "0.1,x"], "--alpha", "x"),
                (["--pooling", "linear,linear"], "twice"), (["--alpha", "none"], "--alpha"),
                (["--shard", "5/5"], "5/5", "nothing to do"), (["--tune-splits", "9"], "split"),
                (["--validation", "0", "--patience", "3"], "patience", "--validation"),
                (["--validation", "0", "--beta", "0,1"], "--validation above 0")]:
            base = [a for a in self.study() if a not in ("--splits", "0-2")] + [
                *([] if args[0] == "--splits" else ["--splits", "0-2"])]
            more = ["--alpha", "0.1,1"] if args[0] == "--tune-splits" else []
            self.fails(2, [*base, *args, *more], *fragments)

    def test_data_that_are_missing_or_wrong(self):
        self.fails(1, [*UCI, "--data", str(self.data), "--sets", "nosuch"], "nosuch", "yacht")
        self.fails(1, [*UCI, "--data", "/nosuch"], "/nosuch")
        # Before any of the studies that need no data.
        self.fails(1, ["reproduce", "all", "--data", str(self.data)], "bostonHousing")
        (self.data / "uci" / "aaa" / "data.txt").write_text("1 2 3 4\n1 2 x 4\n")
        self.fails(1, self.study(), "data.txt", "line 2", "x")

    def test_reports_of_broken_results(self):
        folder = self.folder()
        good, bad, page = folder / "good.jsonl", folder / "bad.jsonl", folder / "page.html"
        self.assertEqual(call(*self.study("--out", str(good))).returncode, 0)
        text = good.read_text(encoding="utf-8")
        changed = text.replace('"test":{"rows"', '"test":{"rwos"', 1)
        # Format 2 has no checksums, so that what is changed reaches the checks behind them.
        plain = re.sub(r',"check":"\w+"', "", text).replace('"probmix":3', '"probmix":2')
        first = plain.splitlines()[0]
        for content, *fragments in [
                (changed, "line 1", "damaged"),
                ("", "no finished run"), ("hello\n", "line 1", "not a results file"),
                (text + "{}\n", "line 13", "damaged"),
                (text.replace('"probmix":3', '"probmix":9'), "format"),
                (plain.replace('"study":"uci"', '"study":"mine"'), "mine"),
                (plain + first.replace('"epochs":3', '"epochs":4') + "\n", "epochs"),
                (plain + first.replace('"method":"erm"', '"method":"mine"') + "\n", "mine"),
                (plain.replace('"rmse"', '"rmes"'), "rmse")]:
            bad.write_text(content, encoding="utf-8")
            self.fails(1, ["report", str(bad), "--out", str(page)], *fragments)
            self.assertFalse(page.exists())
        self.fails(2, ["report", str(good), "--out", str(good)], "good.jsonl")
        self.fails(1, ["report", str(folder / "none.jsonl"), "--out", str(page)], "none.jsonl")
        self.fails(2, ["report"], "RESULTS")
        self.assertEqual(good.read_text(encoding="utf-8"), text)
        bad.write_text(text[:-20], encoding="utf-8")  # killed while it wrote the last line
        done = call("report", str(bad), "--out", str(page))
        self.assertEqual(done.returncode, 0)
        self.assertIn("the last line is incomplete", done.stderr)
        self.assertIn("cells lack splits that other methods have", done.stderr)


if __name__ == "__main__":
    unittest.main()
