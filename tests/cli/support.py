"""Shared by the tests of the command line: calling the program, which is the first argument."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


def _program():
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        return os.path.abspath(sys.argv.pop(1))
    return os.path.abspath("build/probmix")


PROBMIX = _program()
COMMANDS = [[], ["demo"], ["train"], ["predict"], ["evaluate"], ["compare"], ["info"],
            ["methods"], ["report"], ["reproduce"],
            *(["reproduce", study] for study in
              ("illustration", "toy-regression", "pooling", "latent", "toy-classification", "uci",
               "stocks", "all"))]


def call(*args, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 240, **options}
    return subprocess.run([PROBMIX, *args], stdin=subprocess.DEVNULL, encoding="utf-8",
                          check=False, **options)


def shell(script):
    """Runs a shell script in which "$0" is the program."""
    return subprocess.run(["sh", "-c", script, PROBMIX], capture_output=True, encoding="utf-8",
                          timeout=60, check=False)


class CliTest(unittest.TestCase):
    def output(self, *args, **options):
        """The output of a call that must succeed and print nothing on stderr."""
        done = call(*args, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return done.stdout

    def result(self, *args):
        return json.loads(self.output(*args, "--json"))

    def assert_one_line(self, done, code, *fragments):
        self.assertEqual(done.returncode, code, done)
        self.assertRegex(done.stderr, r"\Aprobmix: [^\n]+\n\Z")
        for fragment in fragments:
            self.assertIn(fragment, done.stderr)

    def fails(self, code, args, *fragments, **options):
        with self.subTest(args=args):
            done = call(*args, timeout=10, **options)
            self.assertEqual(done.stdout, "")
            self.assert_one_line(done, code, *fragments)

    def folder(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        return pathlib.Path(holder.name)
