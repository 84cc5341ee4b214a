#!/usr/bin/env python3
"""The pages as a reader sees them: opened in headless Chromium, every chart drawn, no warnings.

    page_test.py build/probmix build/chart_page [unittest arguments]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import CliTest, call
from stocks_test import StocksTest
from table_support import TableTest
from uci_test import UciTest

# A layer of a chart that shows nothing: no elements, or empty outlines.
EMPTY_LAYER = r'<g class="mark-\w+ role-mark [^"]*"[^>]*>(<path(?![^>]* d=)[^>]*></path>)*</g>'

CHART_PAGE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "build/chart_page"


class PageTest(CliTest):
    def dom(self, page):
        """The page after its scripts have run, and the console output."""
        chromium = shutil.which("chromium")
        self.assertIsNotNone(chromium, "chromium is not there; make test installs it")
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run(
                [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                 "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}",
                 "--virtual-time-budget=60000", "--dump-dom", "--enable-logging=stderr",
                 page.as_uri()],
                capture_output=True, encoding="utf-8", timeout=240, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]

    def charts(self, dom):
        return re.findall(r'<div class="chart".*?</figure>', dom, flags=re.DOTALL)

    def count(self, dom):
        found = re.search(r'<html[^>]*data-charts="(\d+)/(\d+)"', dom)
        self.assertIsNotNone(found, "the page's script did not end")
        return int(found[1]), int(found[2])

    def assert_drawn(self, page, expected):
        dom, console = self.dom(page)
        self.assertEqual(console, [])
        drawn, total = self.count(dom)
        self.assertEqual(drawn, total)
        self.assertEqual(drawn, expected)
        charts = self.charts(dom)
        self.assertEqual(len(charts), expected)
        for chart in charts:
            self.assertRegex(chart, r'role="img" aria-label="[^"]{10}')
            self.assertRegex(chart, r"<svg[^>]*>.*<path")
            if "box plots" not in chart:  # outliers are optional
                self.assertNotRegex(chart, EMPTY_LAYER)
            self.assertNotRegex(chart, r'(d|transform|x|y|width|height)="[^"]*(NaN|Infinity|null)')
        self.assertNotRegex(dom, r'(src|href)="https?:|<link|@import')
        return dom


class Kinds(PageTest):
    def page(self, *args):
        path = self.folder() / "page.html"
        with path.open("wb") as out:
            subprocess.run([CHART_PAGE, *args], stdout=out, check=True, timeout=60)
        return path

    def test_every_kind_of_chart_is_drawn(self):
        self.assert_drawn(self.page(), 19)

    def test_a_broken_chart_says_so_and_others_are_drawn(self):
        dom, console = self.dom(self.page("broken"))
        self.assertEqual(self.count(dom), (19, 20))
        failed = [chart for chart in self.charts(dom) if "could not be drawn" in chart]
        self.assertEqual(len(failed), 1)
        self.assertIn("no such mark", failed[0])
        self.assertNotEqual(console, [])

    def test_texts_cannot_leave_the_data(self):
        dom = self.assert_drawn(self.page("hostile"), 6)
        self.assertIn("<title>Charts</title>", dom)
        self.assertIn("&lt;/script&gt;", dom)


class Pages(PageTest):
    def test_toy_regression(self):
        page = self.folder() / "toy.html"
        done = call("reproduce", "toy-regression", "--epochs", "3", "--runs", "2", "--methods",
                    "erm,probmix,m-probmix", "--page", str(page))
        self.assertEqual(done.returncode, 0, done)
        # Bands; NLL and MSE as boxes, PIT and coverage, in and out of distribution; curves.
        self.assert_drawn(page, 3 + 2 * 2 + 2 * (3 + 1) + 1)

    def test_toy_classification(self):
        page = self.folder() / "rings.html"
        done = call("reproduce", "toy-classification", "--epochs", "3", "--runs", "2", "--methods",
                    "erm,m-probmix", "--alpha", "0.1,1", "--page", str(page))
        self.assertEqual(done.returncode, 0, done)
        # Two scores over α, and as boxes for both; at the usual one regions, curves, reliability.
        self.assert_drawn(page, 2 + 2 * 2 + 2 + 1 + 2)

    def test_illustration(self):
        page = self.folder() / "two.html"
        done = call("reproduce", "illustration", "--page", str(page))
        self.assertEqual((done.returncode, done.stderr), (0, f"report: {page}\n"))
        dom = self.assert_drawn(page, 2)
        self.assertIn("mix, NLL 49.1", dom)
        self.assertIn("target 80", dom)

    def test_demo(self):
        folder = self.folder()
        done = call("demo", "--runs", "1", cwd=folder)
        self.assertEqual(done.returncode, 0, done)
        self.assert_drawn(folder / "probmix-demo.html", 11 + 4 + 2 * (11 + 1) + 1)


class Evaluated(TableTest, PageTest):
    def page(self, *train):
        self.output(*self.train(*train))
        page = self.home / "page.html"
        done = call("evaluate", str(self.model), str(self.table), "--page", str(page))
        self.assertEqual(done.returncode, 0, done)
        return page

    def test_numbers(self):
        # Predictions, PIT and coverage of each target.
        self.assert_drawn(self.page(), 3)
        self.assert_drawn(self.page("--target", "x,y"), 6)

    def test_classes(self):
        dom = self.assert_drawn(self.page("--target", "town"), 1)
        self.assertIn("predicted Gent", dom)
        self.table.write_text("x,y\n" + "".join(f"{k},c{k % 25}\n" for k in range(100)),
                              encoding="utf-8")
        self.assertNotIn("Predictions</h2>", self.assert_drawn(self.page(), 1))


class Stocks(StocksTest, PageTest):
    def test_stocks(self):
        page = self.data / "page.html"
        # Forecasts and four densities of each method; boxes, NLL against RMSE, PIT and coverage,
        # curves. Without test rows there is less to show.
        for more, expected in (([], 10 + 2 + 1 + 3 + 1), (["--test", "0"], 6 + 1)):
            done = call(*self.study("--arch", "lstm", "--methods", "erm,probmix", "--runs", "1",
                                    "--page", str(page), *more, stocks="AAA"))
            self.assertEqual(done.returncode, 0, done)
            self.assert_drawn(page, expected)


class Uci(UciTest, PageTest):
    def test_a_report_of_several_studies(self):
        folder = self.folder()
        toy, uci, page = folder / "toy.jsonl", folder / "uci.jsonl", folder / "report.html"
        self.assertEqual(call("reproduce", "latent", "--epochs", "2", "--runs", "1", "--methods",
                              "erm,mix", "--alpha", "0.1,1", "--out", str(toy)).returncode, 0)
        self.assertEqual(call(*self.study("--out", str(uci))).returncode, 0)
        done = call("report", str(toy), str(uci), "--out", str(page))
        self.assertEqual((done.returncode, done.stderr), (0, f"report: {page}\n"))
        # Two scores over α; four as boxes at two of its values; bands, PIT, coverage, curves at one.
        toy_charts = 2 + 4 * 2 + 2 + 2 * (2 + 1) + 1
        # Ranks by two scores; for two data sets two scores as boxes, NLL against RMSE, coverage and
        # curves; PIT.
        self.assert_drawn(page, toy_charts + 2 + 2 * (2 + 1 + 1 + 1) + 2)


class Tables(UciTest, PageTest):
    """report --fill and --variants."""

    def results(self, name, *options):
        path = self.folder() / name
        done = call(*self.study("--out", str(path), *options))
        self.assertEqual(done.returncode, 0, done)
        return path

    def test_pages_are_filled(self):
        results = self.results("uci.jsonl")
        page = results.parent / "page.md"
        before = ("# Results\n\n<!-- table uci-test-nll -->\nthe former table\n<!-- end -->\n\nText.\n"
                  "<!-- table lstm/stocks-test-nll -->\nother\n<!-- end -->\n")
        page.write_text(before, encoding="utf-8")
        report = ["report", str(results), "--out", str(results.parent / "r.html"), "--fill", str(page)]
        done = call(*report)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(f"1 table filled: {page}\n", done.stderr)
        filled = page.read_text(encoding="utf-8")
        self.assertNotIn("former", filled)
        self.assertRegex(filled, r"\n\| method \| .*\n\|---\|---:\|")
        self.assertIn("\nText.\n<!-- table lstm/stocks-test-nll -->\nother\n<!-- end -->\n", filled)
        # An unknown name: one line that lists the known ones, and nothing is written.
        (results.parent / "r.html").unlink()
        done = call(*report, "--part", "lstm")
        self.assert_one_line(done, 1, "line", "no table 'stocks-test-nll'", "uci-scores")
        self.assertEqual(page.read_text(encoding="utf-8"), filled)
        self.assertFalse((results.parent / "r.html").exists())
        self.fails(2, ["report", str(results), "--part", "lstm"], "--part", "--fill")
        self.fails(2, ["report", str(results), "--fill", str(results)], "--fill")

    def test_variants_are_compared(self):
        baseline, variant = self.results("a.jsonl"), self.results("b.jsonl", "--learning-rate", "0.02")
        tables = baseline.parent / "tables"
        done = call("report", str(baseline), "--variants", str(variant), "--out",
                    str(baseline.parent / "r.html"), "--tables", str(tables))
        self.assertEqual(done.returncode, 0, done)
        changes = (tables / "uci-test-nll-changes.csv").read_text(encoding="utf-8").splitlines()
        self.assertIn("learning rate 0.02", changes[0])
        self.assertRegex(changes[1], r"[+−]\d.* ± \d")


if __name__ == "__main__":
    unittest.main()
