"""The program is built with what stops memory errors from being exploited."""

import json
import pathlib
import platform
import re
import subprocess
import unittest

from support import PROBMIX


FOLDER = pathlib.Path(PROBMIX).resolve().parent


def readelf(*options, file=PROBMIX):
    done = subprocess.run(["readelf", "--wide", *options, file], capture_output=True, encoding="utf-8",
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

    @unittest.skipUnless(platform.machine() == "x86_64", "control-flow protection is of x86")
    def test_jumps_and_returns_are_marked(self):
        # The linker marks a program only if the C library's start-up code is marked too, and Debian's is not.
        notes = readelf("--notes", file=FOLDER / "src/libprobmix.a")
        objects = re.findall(r"^File: .*", notes, re.MULTILINE)
        self.assertGreater(len(objects), 30)
        self.assertEqual(len(re.findall("x86 feature: IBT, SHSTK", notes)), len(objects))

    def test_the_bill_of_materials_has_all_that_is_linked_and_embedded(self):
        bill = json.loads((FOLDER / "sbom.cdx.json").read_text(encoding="utf-8"))
        self.assertEqual((bill["bomFormat"], bill["specVersion"]), ("CycloneDX", "1.5"))
        libraries = [p["value"] for c in bill["components"] for p in c["properties"] if p["name"] == "probmix:library"]
        needed = re.findall(r"NEEDED.*\[(.*?)\.so", readelf("--dynamic"))
        self.assertGreater(len(needed), 5)
        for library in needed:
            self.assertTrue(any(re.fullmatch(pattern.replace("+", r"\+"), library) for pattern in libraries), library)
        names = {component["name"] for component in bill["components"]}
        for script in (FOLDER / "vega/node_modules").glob("[vd][e3]*"):
            self.assertIn(script.name, names)
        notices = (FOLDER / "licences.txt").read_text(encoding="utf-8")
        for name in ("CLI11", "Random123", "University of Washington", "Mike Bostock"):
            self.assertIn(name, notices)


if __name__ == "__main__":
    unittest.main()
