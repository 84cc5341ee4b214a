"""The program is built with what stops memory errors from being exploited."""

import re
import subprocess
import unittest

from support import PROBMIX


def readelf(*options):
    done = subprocess.run(["readelf", "--wide", *options, PROBMIX], capture_output=True, encoding="utf-8",
                          check=True)
    return done.stdout


class Hardening(unittest.TestCase):
    def test_addresses_can_be_randomised_and_tables_are_read_only(self):
        self.assertRegex(readelf("--file-header"), r"Type:\s+DYN")
        dynamic = readelf("--dynamic")
        self.assertRegex(dynamic, r"FLAGS_1.*NOW.*PIE")
        segments = readelf("--program-headers")
        self.assertIn("GNU_RELRO", segments)
        self.assertRegex(segments, r"GNU_STACK.*RW ")
        self.assertNotRegex(segments, r"GNU_STACK.*RWE")

    def test_stack_copies_and_containers_are_checked(self):
        symbols = readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertTrue(re.search(r"__(memcpy|read|snprintf|fread|vsnprintf|memmove)_chk", symbols), "FORTIFY")
        self.assertTrue(re.search(r"glibcxx_assert_fail|__replacement_assert", readelf("--symbols")),
                        "library assertions")


if __name__ == "__main__":
    unittest.main()
