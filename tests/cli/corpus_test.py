#!/usr/bin/env python3
"""Every broken file of tests/corpus is refused with its line in messages.json.

    corpus_test.py build/probmix [unittest arguments]
    corpus_test.py build/probmix --write        # rewrites messages.json; read the changes
"""

import json
import pathlib
import sys
import unittest

from support import CliTest, call

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
COMMANDS = {"csv": ["train", "FILE", "--target", "y", "--epochs", "1", "--out", "/dev/null"],
            "json": ["report", "FILE", "--out", "/dev/null"],
            "model": ["info", "FILE"]}


def answer(path):
    """The program's answer to a file: its exit code and the line on stderr."""
    name = path.relative_to(CORPUS).as_posix()
    command = [name if part == "FILE" else part for part in COMMANDS[path.parent.name]]
    done = call(*command, cwd=CORPUS, timeout=60)
    return name, {"code": done.returncode, "says": done.stderr.strip()}


def answers():
    return dict(answer(path) for kind in sorted(COMMANDS) for path in sorted((CORPUS / kind).iterdir()))


class Corpus(CliTest):
    def test_every_file_has_its_message(self):
        expected = json.loads((CORPUS / "messages.json").read_text(encoding="utf-8"))
        self.maxDiff = None
        self.assertEqual(answers(), expected)
        for name, said in expected.items():
            self.assertLess(said["code"], 3, name)
            self.assertNotIn("\n", said["says"], name)


if __name__ == "__main__":
    if "--write" in sys.argv:
        (CORPUS / "messages.json").write_text(
            json.dumps(answers(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    else:
        unittest.main()
