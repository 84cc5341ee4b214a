#!/usr/bin/env python3
"""The library and the command line give the same model for the same options, bit for bit."""

import os
import pathlib
import subprocess
import sys
import unittest

from support import CliTest

LIBRARY_FIT = os.path.abspath(sys.argv.pop(1))
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


class LibraryTest(CliTest):
    def test_same_model(self):
        folder = self.folder()
        table = str(EXAMPLES / "days.csv")
        series = ["--time", "date", "--window", "5", "--horizon", "1"]
        for architecture in ("table", "mlp", "lstm", "transformer"):
            for method in ("probmix", "loc-m-probmix"):
                with self.subTest(architecture=architecture, method=method):
                    by_library = folder / "library.safetensors"
                    by_command = folder / "command.safetensors"
                    subprocess.run([LIBRARY_FIT, table, by_library, architecture, method],
                                   check=True, timeout=120)
                    more = [] if architecture == "table" else [*series, "--arch", architecture]
                    self.output("train", table, "--target", "rides", "--epochs", "1", "--ensemble", "2",
                                "--method", method, "--out", str(by_command), *more)
                    self.assertEqual(by_library.read_bytes(), by_command.read_bytes())


if __name__ == "__main__":
    unittest.main()
