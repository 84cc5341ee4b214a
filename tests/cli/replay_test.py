#!/usr/bin/env python3
"""The inputs that fuzzing kept (fuzz/run.py) are survived.

    replay_test.py build/fuzz_replay [unittest arguments]
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "fuzz"))
from run import TARGETS, unpack  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()


class Replay(unittest.TestCase):
    def test_kept_inputs_are_survived(self):
        for target in TARGETS:
            with self.subTest(target), tempfile.TemporaryDirectory() as folder:
                files = sorted(unpack(target, pathlib.Path(folder)).iterdir())
                self.assertGreater(len(files), 0)
                done = subprocess.run([PROGRAM, target, *files], capture_output=True, text=True, check=False,
                                      errors="replace", timeout=900)
                self.assertEqual(done.returncode, 0, done.stdout[-200:] + done.stderr[-2000:])
                lines = done.stdout.splitlines()
                self.assertEqual(len(lines), 2 * len(files))
                self.assertIn("  accepted", lines)  # others do not reach the code behind the readers


if __name__ == "__main__":
    unittest.main()
