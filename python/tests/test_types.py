"""Type information: the stub of the extension is up to date, and mypy understands the package."""

import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
STUB = HERE.parent / "probmix" / "_core.pyi"


def made_stub(path):
    pytest.importorskip("nanobind.stubgen")
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-P", "-m", "probmix._core", "-p", HERE.parent / "stub.pat",
                    "-o", path], check=True)
    return path.read_text(encoding="utf-8")


def test_the_stub_is_up_to_date(tmp_path):
    remedy = f"write it with: python -m nanobind.stubgen -P -m probmix._core -p python/stub.pat -o python/probmix/{STUB.name}"
    assert made_stub(tmp_path / "_core.pyi") == STUB.read_text(encoding="utf-8"), remedy


def mypy(*arguments):
    pytest.importorskip("mypy")
    return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", "/dev/null", "--follow-imports", "silent", *arguments], capture_output=True,
                          text=True, env={"MYPYPATH": str(HERE.parent), "PATH": ""}, cwd=HERE)


def test_mypy_accepts_correct_use():
    done = mypy("typed_example.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_wrong_use(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import probmix\nfrom probmix import _core\nprobmix.ProbMixRegressor(epochs='many')\n_core.processors(1)\n")
    done = mypy(str(wrong))
    assert done.stdout.count("error:") == 2, done.stdout
