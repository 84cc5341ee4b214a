#!/usr/bin/env python3
"""Installs the library, then builds and runs the example project against it.

    example_test.py BUILD_DIRECTORY SOURCE_DIRECTORY
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, encoding="utf-8",
                          check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


build, source = map(pathlib.Path, sys.argv[1:3])
with tempfile.TemporaryDirectory() as folder:
    prefix, example = pathlib.Path(folder, "installed"), pathlib.Path(folder, "example")
    run("cmake", "--install", build, "--prefix", prefix)
    run("cmake", "-G", "Ninja", "-S", source / "examples" / "cpp", "-B", example,
        f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", example)
    lines = run(example / "table", cwd=folder).splitlines()
    assert len(lines) == 3, lines
    deviations = [float(re.search(r"± (\S+),", line).group(1)) for line in lines]
    assert deviations[0] < deviations[2], lines  # the noise grows with x
    assert pathlib.Path(folder, "rides.safetensors").exists()
    words = run(example / "own_network", cwd=folder)
    mean = re.search(r"mean (\S+) \+ (\S+) x, deviation (\S+)", words)
    assert abs(float(mean[1]) - 1) < 0.1 and abs(float(mean[2]) - 2) < 0.1, words
    assert abs(float(mean[3]) - 0.3) < 0.1, words
    installed = [str(path) for path in prefix.rglob("*.cmake")]
    for path in installed:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        assert str(source) not in text, f"{path} names the source directory"
