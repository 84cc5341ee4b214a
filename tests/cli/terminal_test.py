#!/usr/bin/env python3
"""The command line with streams and terminals: help, progress, signals.

    terminal_test.py build/probmix [unittest arguments]
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unittest

from support import COMMANDS, PROBMIX, CliTest, call, shell

TOY = ["reproduce", "toy-regression"]
QUICK = [*TOY, "--runs", "1", "--epochs", "2", "--members", "3"]
ENDLESS = [*TOY, "--runs", "1", "--epochs", "1000000", "--methods", "erm"]


class Streams(CliTest):
    def test_stdout_that_takes_nothing(self):
        for args in [["methods"], ["--help"], ["--version"], ["reproduce", "--help"],
                     ["reproduce", "illustration", "--json"], [*QUICK, "--json"]]:
            with self.subTest(args=args):
                with open("/dev/full", "w", encoding="utf-8") as full:
                    done = call(*args, stdout=full)
                self.assert_one_line(done, 1, "cannot write to standard output", "No space left")
                done = shell('"$0" ' + " ".join(args) + " >&-")
                self.assert_one_line(done, 1, "cannot write to standard output")

    def test_reader_that_goes_away(self):
        done = shell('"$0" methods | head -1')
        self.assertEqual((done.stdout.split()[0], done.stderr), ("method", ""))
        for restore, code, stderr in [(True, -signal.SIGPIPE, r"\Z"),
                                      (False, 1, r"probmix: cannot write .*: Broken pipe\n\Z")]:
            reader, writer = os.pipe()
            os.close(reader)
            done = call("methods", stdout=writer, restore_signals=restore)
            os.close(writer)
            self.assertEqual(done.returncode, code)
            self.assertRegex(done.stderr, r"\A" + stderr)

    def test_stderr_that_takes_nothing_changes_no_result(self):
        page = self.folder() / "page.html"
        for target in ["&-", "/dev/full"]:
            self.assertEqual(shell(f'"$0" nosuch 2>{target}').returncode, 2)
            done = shell(f'"$0" {" ".join(QUICK)} --methods erm --page {page} 2>{target}')
            self.assertEqual(done.returncode, 0)
            self.assertIn("erm", done.stdout)
            self.assertTrue(page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))
            page.unlink()


class Help(CliTest):
    def test_hidden_options_are_not_in_the_help(self):
        for command in [["compare"], ["reproduce", "uci"], ["reproduce", "stocks"]]:
            text = self.output(*command, "--help")
            self.assertNotIn("--check-only", text)
            self.assertNotRegex(text, r"(?m)^:$")

    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                text = self.output(*command, "--help")
                self.assertEqual(self.output(*command, "-h"), text)
                self.assertIn("\nUsage: " + " ".join(["probmix", *command]), text)
                self.assertRegex(text, r"\nExamples?:\n  probmix ")
                for line in text.splitlines():
                    self.assertLessEqual(len(line), 100, line)
                    self.assertEqual(line.rstrip(), line)

    def test_examples_are_accepted(self):
        for command in COMMANDS:
            examples = self.output(*command, "--help").split("Example", 1)[1]
            for line in re.findall(r"^  probmix (.*)$", examples, re.MULTILINE):
                self.output(*line.split(" > ")[0].split(), "--help")

    def test_shows_groups_and_defaults(self):
        text = self.output(*TOY, "--help")
        for heading in ["Options", "Mixing", "Training", "Networks"]:
            self.assertIn(f"\n\n{heading}:\n  -", text)
        joined = " ".join(text.split())
        for option, default in [("--runs N", "10"), ("--alpha X,X,...", "0.1"), ("--hidden N,N,...",
                                "128,64"), ("--pooling NAME,...", "log-linear"), ("--epochs N", "500"),
                                ("--activation NAME", "relu"), ("--variance-floor X", "0.003")]:
            self.assertRegex(joined, f"{re.escape(option)} [^\\[]*\\[default: {default}\\]")

    def test_version(self):
        self.assertRegex(self.output("--version"), r"\Aprobmix \d+\.\d+\.\d+\n\Z")


def rendered(text):
    """What a terminal finally shows: carriage returns go back, ESC [K clears to the right."""
    lines, column = [""], 0
    for token in re.findall(r"\x1b\[K|[^\x1b]", text):
        if token == "\n":
            lines, column = [*lines, ""], 0
        elif token == "\r":
            column = 0
        elif token == "\x1b[K":
            lines[-1] = lines[-1][:column]
        else:
            lines[-1] = lines[-1][:column].ljust(column) + token + lines[-1][column + 1:]
            column += 1
    return "\n".join(line.rstrip() for line in lines)


class Terminal(CliTest):
    """Progress, with the program on its own pseudo-terminal."""

    def start(self, args, columns=100, term="xterm"):
        child, self.master = pty.fork()
        if child == 0:
            os.environ["TERM"] = term
            fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            try:
                os.execv(PROBMIX, [PROBMIX, *args])
            finally:
                os._exit(127)
        self.addCleanup(os.close, self.master)  # hangs up a child that is still running
        self.seen = ""
        return child

    def read(self):
        """More of the terminal's output; empty at its end."""
        if not select.select([self.master], [], [], 20)[0]:
            self.fail(f"nothing happens after {self.seen[-200:]!r}")
        try:
            more = os.read(self.master, 65536).decode(errors="replace")
        except OSError:  # on Linux, when the other side is closed
            more = ""
        self.seen += more
        return more

    def finish(self, child):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_progress_appears_and_is_gone_in_the_end(self):
        args = [*TOY, "--runs", "2", "--epochs", "300", "--methods", "erm,mix"]
        self.assertEqual(self.finish(self.start(args)), 0)
        painted = re.findall(r"\r\x1b\[K(toy-regression, runs  [^\r]*)", self.seen)
        self.assertRegex(painted[0], r"━*─+ 0/4    0 %  elapsed 0:00  left \?")
        shown = rendered(self.seen)
        self.assertTrue(shown.startswith("Toy regression: mean"), shown)
        self.assertNotIn("elapsed", shown)

    def test_no_progress_on_a_dumb_terminal(self):
        self.assertEqual(self.finish(self.start([*QUICK, "--methods", "erm"], term="dumb")), 0)
        self.assertNotIn("\x1b", self.seen)

    def test_progress_fits_a_narrow_terminal(self):
        self.assertEqual(self.finish(self.start(QUICK, columns=40)), 0)
        painted = re.findall(r"\r\x1b\[K(toy-regression[^\r]*)", self.seen)
        self.assertTrue(painted)
        self.assertEqual({len(line) for line in painted}, {39})

    def test_errors_stay_readable(self):
        self.assertEqual(self.finish(self.start([*TOY, "--neighbours", "80"])), 2)
        self.assertRegex(rendered(self.seen), r"\Aprobmix: --neighbours .* 80\n\Z")

    def test_interrupt_leaves_a_clean_line(self):
        for name, press in [("SIGINT", lambda child: os.write(self.master, b"\x03")),
                            ("SIGTERM", lambda child: os.kill(child, signal.SIGTERM))]:
            with self.subTest(signal=name):
                child = self.start(ENDLESS)
                while "elapsed" not in self.seen and self.read():
                    pass
                start = time.monotonic()
                press(child)
                self.assertEqual(self.finish(child), -getattr(signal, name))
                self.assertLess(time.monotonic() - start, 2)
                self.assertEqual(rendered(self.seen), "")


if __name__ == "__main__":
    unittest.main()
