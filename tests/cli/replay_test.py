#!/usr/bin/env python3
"""The inputs that fuzzing kept (fuzz/run.py) are survived, and what it starts from is accepted.

    replay_test.py build/fuzz_replay build/probmix [unittest arguments]
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "fuzz"))
from run import MODELS, TARGETS, make_seeds, unpack  # noqa: E402

REPLAY = pathlib.Path(sys.argv.pop(1)).resolve()
PROBMIX = pathlib.Path(sys.argv.pop(1)).resolve()


class Replay(unittest.TestCase):
    def replay(self, target, files):
        """Which of the files are accepted."""
        self.assertGreater(len(files), 0)
        done = subprocess.run([REPLAY, target, *files], capture_output=True, text=True, check=False, errors="replace",
                              timeout=900)
        self.assertEqual(done.returncode, 0, done.stdout[-200:] + done.stderr[-2000:])
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 2 * len(files))
        return {file.name for file, answer in zip(files, lines[1::2]) if answer == "  accepted"}

    def test_kept_inputs_are_survived(self):
        for target in TARGETS:
            with self.subTest(target), tempfile.TemporaryDirectory() as folder:
                files = sorted(unpack(target, pathlib.Path(folder)).iterdir())
                self.assertTrue(self.replay(target, files))  # others do not reach the code behind the readers

    def test_well_formed_seeds_are_accepted(self):
        with tempfile.TemporaryDirectory() as folder:
            seeds = pathlib.Path(folder)
            make_seeds(PROBMIX, seeds)  # fails if one is too large to fuzz
            well_formed = {"table": ["all"], "model": MODELS, "checkpoint": ["saved"], "search": ["decided"],
                           "results": ["toy-regression", "toy-classification"], "options": ["erm", "series", "classes"]}
            self.assertEqual(set(well_formed), set(TARGETS))
            for target, names in well_formed.items():
                with self.subTest(target):
                    files = [seeds / target / name for name in names]
                    self.assertEqual(self.replay(target, files), set(names))


if __name__ == "__main__":
    unittest.main()
