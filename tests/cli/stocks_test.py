#!/usr/bin/env python3
"""probmix reproduce stocks as a user sees it: results, resuming, data that is missing or wrong.

    stocks_test.py build/probmix [unittest arguments]
"""

import datetime
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from support import PROBMIX, CliTest, call

STOCKS = ["reproduce", "stocks"]
SMALL = ["--window", "5", "--horizon", "2", "--units", "6", "--embedding", "4", "--hidden", "5"]
KEYS = ["train_nll", "test_nll", "train_rmse", "test_rmse"]


def prices(rows, seed):
    """A random walk on weekdays."""
    walk, day, price = random.Random(seed), datetime.date(2019, 1, 2), 100.0
    lines = ["Date,Open,High,Low,Close"]
    while len(lines) <= rows:
        if day.weekday() < 5:
            close = price * math.exp(0.02 * walk.gauss(0, 1))
            high, low = 1.01 * max(price, close), 0.99 * min(price, close)
            lines.append(f"{day},{price:.6f},{high:.6f},{low:.6f},{close:.6f}")
            price = close
        day += datetime.timedelta(1)
    return "\n".join(lines) + "\n"


class StocksTest(CliTest):
    def setUp(self):
        self.data = self.folder()
        (self.data / "stocks").mkdir()
        for seed, name in enumerate(("AAA", "BBB")):
            path = self.data / "stocks" / f"{name}.csv"
            path.write_text(prices(120, seed), encoding="utf-8")

    def study(self, *more, stocks="AAA,BBB", epochs="3"):
        small = [*SMALL, "--epochs", epochs]  # only options with an effect: others would be reported
        if "--arch" not in more or "transformer" in more[more.index("--arch") + 1]:
            small += ["--feedforward", "4"]
        if any("m-probmix" in text or text == "all" for text in more):
            small += ["--members", "3"]
        return [*STOCKS, "--data", str(self.data), "--stocks", stocks, *small, *more]


class Results(StocksTest):
    def test_json_has_a_row_for_each_stock_network_and_method(self):
        found = self.result(*self.study("--arch", "lstm,transformer", "--methods",
                                        "erm,loc-m-probmix", "--runs", "2"))
        self.assertEqual([(r["arch"], r["dataset"], r["method"]) for r in found],
                         [(a, d, m) for a in ("lstm", "transformer") for d in ("AAA", "BBB")
                          for m in ("erm", "loc-m-probmix")])
        for row in found:
            self.assertEqual((row["runs"], row["diverged"]), (2, 0))
            for key in KEYS:
                self.assertIsInstance(row[key], float, key)
                self.assertGreater(row[key + "_se"], 0, key)
            self.assertEqual((row["configuration"]["window"], row["configuration"]["epochs"]),
                             (5, 3))

    def test_every_method_runs_on_every_network(self):
        found = self.result(*self.study("--arch", "lstm,transformer", "--methods", "all", "--runs",
                                        "1", stocks="AAA"))
        self.assertEqual(len(found), 22)
        for row in found:
            self.assertIsInstance(row["test_nll"], float)
            self.assertIsNone(row["test_nll_se"])

    def test_threads_do_not_change_a_bit(self):
        args = self.study("--arch", "lstm,transformer", "--methods", "probmix,m-probmix", "--runs",
                          "2", "--json")
        self.assertEqual(self.output(*args, "--threads", "1"),
                         self.output(*args, "--threads", "2"))

    def test_table_and_page(self):
        page = self.data / "page.html"
        done = call(*self.study("--arch", "lstm", "--methods", "erm,probmix", "--runs", "1",
                                "--page", str(page)))
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, r"(?m)^AAA +lstm +erm +– +– +[−\d]")
        self.assertIn("standard error over 1 run, ", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^4 runs in \d+\.\d s on \d+ thread")
        self.assertEqual(done.stdout.count("*"), 1 + 8)  # the heading; two groups of four columns
        text = page.read_text(encoding="utf-8")
        # Over time, and best and worst density of training and test, for each stock and method.
        self.assertGreaterEqual(text.count('role="img"'), 2 * 2 * 5)

    def test_straddling_windows_can_be_kept(self):
        base = self.study("--arch", "lstm", "--methods", "erm", "--runs", "1")
        for dropped, kept in zip(self.result(*base), self.result(*base, "--straddling", "keep")):
            self.assertEqual(dropped["train_nll"], kept["train_nll"])
            self.assertNotEqual(dropped["test_nll"], kept["test_nll"])

    def test_prices_can_be_scaled_by_all_windows(self):
        base = self.study("--arch", "lstm", "--methods", "erm", "--runs", "1")
        for first, every in zip(self.result(*base), self.result(*base, "--scale-by", "all")):
            self.assertNotEqual(first["train_nll"], every["train_nll"])
            self.assertEqual(first["configuration"]["scale-by"], "training")
            self.assertEqual(every["configuration"]["scale-by"], "all")

    def test_without_a_test_period(self):
        page = self.data / "page.html"
        done = call(*self.study("--arch", "lstm", "--methods", "erm", "--runs", "1", "--test", "0",
                                "--page", str(page)))
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, r"(?m)^AAA +lstm +erm +– +– +\S+ +\S+")
        self.assertNotIn("diverged", done.stdout + page.read_text(encoding="utf-8"))

    def test_a_series_out_of_order_can_be_sorted(self):
        path = self.data / "stocks" / "AAA.csv"
        base = self.study("--arch", "lstm", "--methods", "erm", "--runs", "1", stocks="AAA")
        expected = self.result(*base)
        header, *rows = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join([header, *reversed(rows)]) + "\n", encoding="utf-8")
        self.fails(1, base, "--sort")
        self.assertEqual(self.result(*base, "--sort"), expected)

    def test_further_columns_change_nothing(self):
        path = self.data / "stocks" / "AAA.csv"
        base = self.study("--arch", "lstm", "--methods", "erm", "--runs", "1", stocks="AAA")
        expected = self.result(*base)
        header, *rows = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join([header + ",Volume", *(f"{r},{k}" for k, r in enumerate(rows))])
                        + "\n", encoding="utf-8")
        self.assertEqual(self.result(*base), expected)
        found = self.result(*base, "--features", "all")
        self.assertNotEqual(found[0]["test_nll"], expected[0]["test_nll"])


class Resuming(StocksTest):
    def run_of(self, *more, **options):
        return self.study("--arch", "lstm", "--methods", "erm,probmix,m-probmix", "--runs", "2",
                          *more, **options)

    def test_killed_and_resumed_gives_the_same_table(self):
        more = ["--json", "--threads", "2"]
        args = self.run_of(epochs="40")  # long enough that the kill falls between two runs
        undisturbed = self.output(*args, *more)
        results = self.data / "results.jsonl"
        killed = subprocess.Popen([PROBMIX, *args, *more, "--out", str(results)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 50
        while not (results.exists() and results.read_bytes().count(b"\n") >= 2):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        kept = results.read_bytes().count(b"\n")
        done = call(*args, *more, "--out", str(results))
        self.assertEqual((done.returncode, done.stdout), (0, undisturbed))
        if kept < 12:
            self.assertIn(f"holds {kept} of 12 runs", done.stderr)
        self.assertEqual(results.read_bytes().count(b"\n"), 12)

    def test_finished_runs_are_not_repeated(self):
        results = self.data / "results.jsonl"
        first = call(*self.run_of("--out", str(results), "--json"))
        content = results.read_bytes()
        again = call(*self.run_of("--out", str(results), "--json"))
        self.assertEqual((again.returncode, again.stdout), (0, first.stdout))
        self.assertIn("holds 12 of 12 runs", again.stderr)
        self.assertEqual(results.read_bytes(), content)
        more = call(*self.study("--arch", "lstm,transformer", "--methods", "erm,mix", "--runs", "3",
                                "--alpha", "1", "--out", str(results), "--json"))
        self.assertEqual(more.returncode, 0, more)  # a study may be extended
        self.assertEqual(results.read_bytes().count(b"\n"), 12 + 2 + 6 + 12)

    def test_runs_that_no_report_could_compare_are_not_added(self):
        results = self.data / "results.jsonl"
        args = self.run_of("--out", str(results))
        self.assertEqual(call(*args).returncode, 0)
        content = results.read_bytes()
        self.fails(2, [*args, "--seed", "2"], "results.jsonl', line 1", "seed 1, but the new runs have 2")
        self.fails(2, self.run_of("--out", str(results), epochs="4"), "epochs 3, but the new runs have 4", "--out")
        (self.data / "stocks" / "AAA.csv").write_text(prices(120, 7), encoding="utf-8")
        self.fails(2, args, "fingerprint")
        self.assertEqual(results.read_bytes(), content)

    def test_page_and_results_cannot_be_one_file(self):
        name = str(self.data / "both")
        self.fails(2, self.run_of("--out", name, "--page", name), "same file")

    def test_a_file_of_something_else_is_refused(self):
        other = self.data / "other.jsonl"
        other.write_text("not results\n", encoding="utf-8")
        self.assert_one_line(call(*self.run_of("--out", str(other))), 1, "other.jsonl", "line 1")
        self.assertEqual(other.read_text(encoding="utf-8"), "not results\n")

    def test_lines_are_json_with_what_determines_the_run(self):
        results = self.data / "results.jsonl"
        self.output(*self.run_of("--out", str(results), "--json"))
        for line in results.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            self.assertEqual((record["study"], record["status"]), ("stocks", "done"))
            self.assertLessEqual({"dataset", "arch", "method", "run", "seed", "epochs"},
                                 set(record["configuration"]))
            self.assertEqual("pictures" in record["result"], record["configuration"]["run"] == 0)


class Unused(StocksTest):
    def told(self, *more):
        done = call(*self.study("--methods", "erm", "--runs", "1", *more, stocks="AAA", epochs="1"))
        self.assertEqual(done.returncode, 0, done)
        return done.stderr

    def test_options_without_effect_are_told(self):
        self.assertEqual(self.told("--arch", "lstm,transformer", "--dropout", "0.1",
                                   "--lstm-layers", "2"), "")
        self.assertEqual(self.told("--arch", "lstm", "--encoder-layers", "1", "--dropout", "0.1",
                                   "--alpha", "1"),
                         "--alpha has no effect with method erm\n"
                         "--encoder-layers has no effect with --arch lstm\n"
                         "--dropout has no effect with --arch lstm\n")


class Data(StocksTest):
    def test_environment_stands_for_the_option(self):
        args = [*STOCKS, "--stocks", "AAA", *SMALL, "--epochs", "2", "--arch", "lstm", "--methods",
                "erm", "--runs", "1", "--json"]
        environment = {**os.environ, "PROBMIX_DATA": str(self.data)}
        self.assertEqual(json.loads(self.output(*args, env=environment))[0]["dataset"], "AAA")
        # Files may also lie in the directory itself.
        environment["PROBMIX_DATA"] = str(self.data / "stocks")
        self.assertEqual(json.loads(self.output(*args, env=environment))[0]["dataset"], "AAA")

    def test_missing_or_wrong_data_is_one_line_that_helps(self):
        without = {k: v for k, v in os.environ.items() if k != "PROBMIX_DATA"}
        help_words = ["Date,Open,High,Low,Close", "stocks/GOOG.csv", "2019-01-02 to 2020-12-31"]
        self.fails(1, STOCKS, "--data", "PROBMIX_DATA", *help_words, env=without)
        self.fails(1, [*STOCKS, "--data", "/nosuch"], "/nosuch", *help_words)
        self.fails(1, [*STOCKS, "--data", str(self.data)], "GOOG.csv", *help_words)

    def test_wrong_files_are_one_line_with_the_place(self):
        path = self.data / "stocks" / "AAA.csv"
        lines = path.read_text(encoding="utf-8").splitlines()

        def broken(change, *fragments):
            changed = list(lines)
            change(changed)
            path.write_text("\n".join(changed) + "\n", encoding="utf-8")
            self.fails(1, [*STOCKS, "--data", str(self.data), "--stocks", "AAA", *SMALL], "AAA.csv",
                       *fragments)

        def set_line(number, text):
            def change(changed):
                changed[number] = text
            return change

        broken(set_line(7, "2019-01-10,1,2,x,4"), "line 8", "Low", "'x'")
        broken(set_line(7, lines[6]), "2019-01-0")
        broken(set_line(7, "10.01.2019,1,2,3,4"), "line 8", "10.01.2019")
        broken(lambda changed: changed.reverse() or changed.insert(0, changed.pop()), "sort")
        broken(lambda changed: changed.__delitem__(slice(30, 60)), "2019-")
        broken(lambda changed: changed.__delitem__(slice(30, 37)), "a gap of")
        broken(set_line(7, "2019-01-10 00:00:00-0x:00,1,2,3,4"), "line 8", "has no dates")
        constant = [lines[0], *(f"{line.rsplit(',', 1)[0]},7" for line in lines[1:])]
        broken(lambda changed: changed.__setitem__(slice(None), constant), "is 7 in all")
        broken(lambda changed: changed.__delitem__(slice(5, None)), "rows")

    def test_columns_that_are_not_there(self):
        for option, value in (("--target", "Volume"), ("--features", "Close,Volume"),
                              ("--date-column", "Day")):
            self.fails(2, self.study(option, value), "AAA.csv", value.split(",")[-1], "'Close'")

    def test_wrong_options(self):
        path = self.data / "stocks" / "AAA.csv"
        path.write_text(prices(400, 1), encoding="utf-8")  # long enough for the usual window
        base = [*STOCKS, "--data", str(self.data), "--stocks", "AAA"]
        for args, *fragments in [
                (["--arch", "mlp"], "unknown architecture 'mlp'"), (["--data", "--json"], "--data"),
                (["--arch", "gru"], "unknown architecture 'gru'", "lstm"),
                (["--methods", "nosuch"], "unknown method 'nosuch'"),
                (["--window", "0"], "window"), (["--horizon", "0"], "horizon"),
                (["--test", "1.5"], "test"), (["--validation", "-1"], "validation"),
                (["--straddling", "maybe"], "maybe", "drop"),
                (["--arch", "transformer", "--heads", "3"], "heads"),
                (["--arch", "transformer", "--dropout", "1"], "dropout"),
                (["--arch", "lstm", "--units", "0"], "0"), (["--runs", "0"], "runs"),
                (["--stocks", "AAA,AAA"], "AAA,AAA"), (["--stocks", "../AAA"], "../AAA"),
                (["--stocks", ""], "--stocks needs names"), (["--arch", ""], "--arch needs names"),
                (["--tune-runs", "0"], "--tune-runs"),
                (["--validation", "0", "--alpha", "100,0.1"], "--validation above 0"),
                (["--validation", "0", "--patience", "3"], "patience", "--validation"),
                (["--threads", "0"], "threads"), (["--out", "--json"], "--out needs a file")]:
            base_args = base[:-2] if args[0] == "--stocks" else base
            self.fails(2, [*base_args, *args], *fragments)


if __name__ == "__main__":
    unittest.main()
