"""Options: each is declared once, and documented in docs/commands."""

import pathlib
import re
import subprocess
import sys
import unittest

from support import COMMANDS, PROBMIX, CliTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "commands"


class Options(CliTest):
    def names(self, command):
        """The names of all options in a command's help, with aliases."""
        lines = self.output(*command, "--help").splitlines()
        return {name for line in lines if re.match(r"  -", line)
                for name in re.findall(r"--[\w-]+", line.strip().partition("  ")[0])}

    def test_tables_are_what_the_help_says(self):
        done = subprocess.run([sys.executable, str(ROOT / "tools" / "document-options"), "--check",
                               PROBMIX], capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_every_option_of_every_command_is_in_the_pages(self):
        # Training options are on one page for all commands; a command's own options on its page.
        shared = set(re.findall(r"`(--[\w-]+)", (PAGES / "options.md").read_text(encoding="utf-8")))
        for command in COMMANDS:
            page = PAGES / f"{command[0]}.md" if command else PAGES / "README.md"
            page = page if page.exists() else PAGES / "README.md"
            documented = shared | set(re.findall(r"(--[\w-]+)", page.read_text(encoding="utf-8")))
            self.assertEqual(self.names(command) - documented - {"--help", "--version"}, set(),
                             f"{command}: {page.name}")

    def test_options_of_a_training_are_declared_in_their_list_alone(self):
        # "--epochs" in the source of a command would declare it a second time.
        folder = ROOT / "src" / "probmix" / "options"
        source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*_options.cpp"))
        declared = re.findall(r"\.name = \"([\w-]+)\"", source)
        self.assertGreater(len(declared), 40)
        self.assertEqual(len(declared), len(set(declared)))
        self.assertLessEqual({"--" + name for name in declared}, self.names(["train"]))
        again = [(path.name, name) for path in sorted((ROOT / "apps" / "probmix").glob("*.cpp"))
                 for name in re.findall(r"add_\w+\([^;]*?\"--([\w-]+)\"", path.read_text(encoding="utf-8"))
                 if name in declared]
        # A study runs several networks, as it runs several values of alpha.
        self.assertEqual(again, [("stocks.cpp", "arch")])


if __name__ == "__main__":
    unittest.main()
