#!/usr/bin/env python3
"""probmix reproduce best and reproduce tables as a user sees them, on small made-up data.

    benchmark_test.py build/probmix [unittest arguments]
"""

import gzip
import json
import random
import unittest

from support import CliTest, call
from uci_test import write_uci_set

QUICK = ["--epochs", "3", "--hidden", "6,5", "--ensemble", "2"]
KEYS = ["test_nll", "test_crps", "test_rmse", "coverage_90", "seconds"]


class BenchmarkTest(CliTest):
    def done(self, *args):
        """As output(), for commands with something to say on standard error."""
        done = call(*args)
        self.assertEqual(done.returncode, 0, done)
        return done


class Best(BenchmarkTest):
    def setUp(self):
        self.data = self.folder()
        for seed, name in enumerate(("yacht", "mine")):
            write_uci_set(self.data, name, seed)

    def study(self, *more):
        return ["reproduce", "best", "--data", str(self.data), "--sets", "yacht,mine", "--splits",
                "0-2", *QUICK, *more]

    def test_json_is_an_array_of_sets_with_their_scores(self):
        found = self.result(*self.study())
        self.assertEqual([row["dataset"] for row in found], ["yacht", "mine"])
        for row in found:
            self.assertEqual((row["runs"], row["diverged"]), (3, 0))
            for key in KEYS:
                self.assertIsInstance(row[key], float, key)
                self.assertGreaterEqual(row[key + "_se"], 0, key)
            self.assertTrue(0 <= row["coverage_90"] <= 1, row)

    def test_recipe_is_that_of_train(self):
        found = self.result("reproduce", "best", "--data", str(self.data), "--sets", "mine",
                            "--splits", "0", "--epochs", "2")[0]["configuration"]
        csv, model = self.data / "t.csv", self.data / "m.safetensors"
        rows = (self.data / "uci" / "mine" / "data.txt").read_text(encoding="utf-8").split("\n")
        csv.write_text("a,b,c,y\n" + "\n".join(r.replace(" ", ",") for r in rows), encoding="utf-8")
        self.output("train", str(csv), "--target", "y", "--epochs", "2", "--out", str(model))
        options = json.loads(self.output("info", str(model), "--json"))["training"]["options"]
        for name in ("preset", "ensemble", "pooling", "alpha", "method", "learning-rate"):
            self.assertEqual(found[name], options[name], name)

    def test_published_figures_stand_beside_ours(self):
        text = self.output(*self.study())
        for fragment in ("NGBoost", "1.18", "probmix, default", "The test NLL is below",
                         "of 1 data sets"):  # nothing is published for the other
            self.assertIn(fragment, text)

    def test_stopped_study_goes_on(self):
        results = self.folder() / "r.jsonl"
        whole = self.result(*self.study("--out", str(results)))
        lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
        self.assertEqual(len(lines), 6)
        results.write_text("".join(lines[:2]) + lines[2][:50], encoding="utf-8")
        again = self.done(*self.study("--out", str(results), "--json"))
        self.assertIn("holds 2 of 6 runs", again.stderr)
        for before, after in zip(whole, json.loads(again.stdout)):
            for key in KEYS[:-1]:
                self.assertEqual(before[key], after[key])
        self.assertIn("0 runs", self.done(*self.study("--out", str(results))).stdout)
        self.fails(2, self.study("--out", str(results), "--preset", "fast"), "r.jsonl', line 1")

    def test_seconds_are_no_part_of_the_result(self):
        results = self.folder() / "r.jsonl"
        self.output(*self.study("--out", str(results)))
        for line in results.read_text(encoding="utf-8").splitlines():
            run = json.loads(line)
            self.assertNotIn("seconds", run["result"])
            self.assertGreater(run["seconds"], 0)

    def test_pages_are_filled(self):
        folder = self.folder()
        results, page = folder / "r.jsonl", folder / "page.md"
        names = ["scores", "test-nll-published", "seconds"]
        page.write_text("".join(f"<!-- table best-{n} -->\n<!-- end -->\n" for n in names),
                        encoding="utf-8")
        self.output(*self.study("--out", str(results)))
        self.done("report", str(results), "--out", str(folder / "r.html"), "--fill", str(page))
        filled = page.read_text(encoding="utf-8")
        for fragment in ("| NGBoost |", "| 0.20 |", "| yacht | probmix |", "test CRPS"):
            self.assertIn(fragment, filled)


def write_table(data, name, lines):
    folder = data / "tables"
    folder.mkdir(exist_ok=True)
    text = "".join(line + "\n" for line in lines)
    (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode("utf-8")))


class Tables(BenchmarkTest):
    """Small tables of three kinds under the names of real ones."""

    names = ["autompg", "glass", "airline-passengers"]

    def setUp(self):
        self.data = self.folder()
        draw = random.Random(1)

        def numbers(count):
            return [draw.gauss(0, 1) for _ in range(count)]

        rows = [numbers(7) for _ in range(60)]
        write_table(self.data, "autompg", [
            ",".join(f"{v:.4f}" for v in [*x, x[0] + 0.3 * draw.gauss(0, 1)]) for x in rows])
        rows = [(k % 3, numbers(9)) for k in range(60)]
        write_table(self.data, "glass", [
            ",".join(f"{v + c:.4f}" for v in x) + f",{c + 1}" for c, x in rows])
        write_table(self.data, "airline-passengers", ['"Month","Passengers"'] + [
            f'"{1949 + k // 12}-{1 + k % 12:02}",{100 + 10 * (k % 12) + draw.randrange(9)}'
            for k in range(72)])

    def study(self, *more, sets=None):
        return ["reproduce", "tables", "--data", str(self.data), "--sets",
                sets or ",".join(self.names), *QUICK, *more]

    def export(self, name, *more):
        folder = self.folder()
        self.done(*self.study("--export-splits", str(folder), *more, sets=name))
        return json.loads((folder / f"{name}.json").read_text(encoding="utf-8")), folder

    def test_scores_depend_on_the_kind_of_target(self):
        found = {row["dataset"]: row for row in self.result(*self.study())}
        self.assertEqual(list(found), self.names)
        for name, row in found.items():
            is_class = name == "glass"
            self.assertEqual(row["runs"], 3)
            for key in ("test_nll", "marginal_nll", "seconds"):
                self.assertIsInstance(row[key], float, key)
            for key in ("test_crps", "test_rmse", "coverage_90"):
                self.assertEqual(row[key] is None, is_class, key)
            self.assertEqual(row["test_accuracy"] is None, not is_class)

    def test_marginal_density_is_the_bar(self):
        # Three classes of equal size, in equal shares of each split.
        found = self.result(*self.study(sets="glass"))[0]
        self.assertAlmostEqual(found["marginal_nll"], 1.0986, places=4)
        text = self.output(*self.study("--preset", "fast", "--learning-rate", "3", sets="glass"))
        self.assertIn("above that of the marginal density on 1 of 1 tables: glass", text)

    def test_page_and_report_of_all_kinds(self):
        folder = self.folder()
        results = folder / "r.jsonl"
        self.done(*self.study("--out", str(results), "--page", str(folder / "p.html")))
        self.done("report", str(results), "--out", str(folder / "r.html"), "--tables",
                  str(folder / "tables"))
        self.assertIn("marginal", (folder / "p.html").read_text(encoding="utf-8"))
        self.assertIn("glass", (folder / "tables" / "tables-scores.csv").read_text(encoding="utf-8"))

    def test_splits_are_fixed_and_take_a_fifth_for_testing(self):
        found, _ = self.export("glass", "--splits", "0-5")
        self.assertEqual(found, self.export("glass", "--splits", "0-5", "--seed", "7")[0])
        tested = [set(s["test"]["target"]) for s in found["splits"]]
        self.assertEqual(set().union(*tested[:5]), set(range(60)))  # a cross-validation
        self.assertNotIn(tested[5], tested[:5])
        for split in found["splits"]:
            self.assertEqual(sorted(split["train"]["target"] + split["test"]["target"]),
                             list(range(60)))
            classes = [row % 3 for row in split["test"]["target"]]
            self.assertEqual([classes.count(c) for c in range(3)], [4, 4, 4])

    def test_series_are_split_in_time(self):
        found, _ = self.export("airline-passengers", "--splits", "0-3")
        self.assertEqual((found["window"], found["inputs"]), (12, ["Passengers"]))
        last = 71
        for split in found["splits"]:
            self.assertLess(max(split["train"]["target"]), min(split["test"]["target"]))
            self.assertEqual(max(split["test"]["target"]), last)  # the one before tested what follows
            last = min(split["test"]["target"]) - 1
            self.assertEqual([t - 1 for t in split["test"]["target"]], split["test"]["last"])
        self.fails(2, self.study("--splits", "4", sets="airline-passengers"), "no split 4")
        self.fails(2, self.study("--splits", "4", "--export-splits", str(self.folder()),
                                 sets="airline-passengers"), "no split 4")

    def test_exported_table_is_the_one_that_was_read(self):
        _, folder = self.export("autompg")
        lines = (folder / "autompg.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "c1,c2,c3,c4,c5,c6,c7,c8")
        packed = (self.data / "tables" / "autompg.csv.gz").read_bytes()
        first = gzip.decompress(packed).decode("utf-8").splitlines()[0]
        self.assertEqual([float(v) for v in lines[1].split(",")],
                         [float(v) for v in first.split(",")])

    def test_test_file_of_adult_is_its_test_part(self):
        def people(count, end):
            return [f"{20 + k % 40}, Private, {k}, HS-grad, 9, Single, Sales, Other, White, "
                    f"{('Male', '?')[k % 2]}, 0, 0, 40, Here, {('<=50K', '>50K')[k % 2]}{end}"
                    for k in range(count)]

        write_table(self.data, "adult-train", people(40, "") + [""])
        write_table(self.data, "adult-test", people(12, ".") + [""])
        found, folder = self.export("adult", "--splits", "0-1")
        for split in found["splits"]:
            self.assertEqual(split["train"]["target"], list(range(40)))
            self.assertEqual(split["test"]["target"], list(range(40, 52)))
        rows = (folder / "adult.csv").read_text(encoding="utf-8").splitlines()[1:]
        self.assertEqual({row.rsplit(",", 1)[1] for row in rows}, {"<=50K", ">50K"})
        self.assertEqual(rows[1].split(",")[9], "")  # missing
        self.assertEqual(self.result(*self.study(sets="adult"))[0]["runs"], 3)

    def test_what_is_missing_is_named(self):
        self.fails(1, self.study(sets="kin40k"), "kin40k.csv.gz", "autompg.csv.gz",
                   "github.com/treforevans")
        self.fails(2, self.study(sets="nosuch"), "nosuch", "autompg", "pollution")
        self.fails(1, ["reproduce", "tables", "--data", "/nosuch"], "/nosuch")
        write_table(self.data, "autompg", ["1,2", "3,4"])
        self.fails(2, self.study(sets="autompg"), "autompg.csv.gz", "'c8'")


if __name__ == "__main__":
    unittest.main()
