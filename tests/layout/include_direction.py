#!/usr/bin/env python3
"""Checks that a folder of src/probmix includes only itself and the folders above it in the list."""

import pathlib
import re
import sys

ORDER = ["base", "math", "family", "kernel", "graph", "nn", "mix", "data", "metric", "train", "options",
         "model", "sweep", "paper", "report"]

root = pathlib.Path(__file__).resolve().parents[2] / "src" / "probmix"
wrong = []
files = sorted(root.rglob("*/*.?pp"))  # not probmix.hpp, for users, which may include anything
for path in files:
    folder = path.relative_to(root).parts[0]
    if folder not in ORDER:
        wrong.append(f"{path.relative_to(root)}: the folder {folder} is not in the list")
        continue
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+"probmix/(\w+)/', line)
        if match and ORDER.index(match[1]) > ORDER.index(folder):
            wrong.append(f"{path.relative_to(root)}:{number}: {folder} must not include {match[1]}")
        if "dnnl" in line and "include" in line:
            wrong.append(f"{path.relative_to(root)}:{number}: oneDNN is for bench alone")

print("\n".join(wrong) or f"{len(files)} files include downwards only")
sys.exit(1 if wrong or not files else 0)
