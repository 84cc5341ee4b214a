"""python -m probmix is the command line, and reads tables of more formats."""

import gzip
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from probmix import _core

# Absolute, since the commands run in other folders.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(pathlib.Path(_core.__file__).absolute().parents[1])}
QUICK = ["--preset", "fast", "--epochs", "3", "--hidden", "8", "--threads", "1"]


def run(*arguments, folder=None, without=()):
    """`without` names libraries whose import fails."""
    code = "import sys, runpy\n" + "".join(f"sys.modules[{name!r}] = None\n" for name in without)
    code += "runpy.run_module('probmix', run_name='__main__', alter_sys=True)"
    return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, cwd=folder,
                          timeout=120, env=ENVIRONMENT)


@pytest.fixture(scope="module")
def columns():
    generator = np.random.default_rng(3)
    x = generator.normal(size=120)
    return {"x": x, "n": generator.integers(0, 5, size=120), "g": np.array(["far", "near", "on top"])[generator.integers(0, 3, 120)],
            "y": x + generator.normal(size=120)}


@pytest.fixture(scope="module")
def home(tmp_path_factory, columns):
    """Holds the same table in all formats."""
    polars = pytest.importorskip("polars")
    home = tmp_path_factory.mktemp("tables")
    frame = polars.DataFrame(columns)
    frame.write_csv(home / "t.csv")
    frame.write_parquet(home / "t.parquet")
    frame.write_ipc(home / "t.arrow")
    frame.write_ndjson(home / "t.jsonl")
    return home


@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"], ["--version"], ["methods"], [], ["trian"],
                                       ["train", "none.csv", "--target", "y", "--out", "m.safetensors"],
                                       ["train", "none.csv", "--tarqet", "y"]])
def test_it_says_what_the_program_says(program, tmp_path, arguments):
    theirs = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=tmp_path)
    ours = run(*arguments, folder=tmp_path)
    assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)


@pytest.mark.parametrize("file", ["t.parquet", "t.arrow", "t.jsonl"])
def test_a_format_does_not_change_the_result(home, tmp_path, file):
    results = []
    for table in (home / "t.csv", home / file):
        model = tmp_path / f"{table.name}.safetensors"
        done = run("train", table, "--target", "y", "--categories", "n", *QUICK, "--out", model)
        assert done.returncode == 0, done.stderr
        predicted = run("predict", model, table, "--keep", "g,n")
        assert predicted.returncode == 0, predicted.stderr
        scores = run("evaluate", model, table, "--json")
        results.append((predicted.stdout, scores.stdout))
    assert results[0][0].count("\n") == 121
    assert results[0] == results[1]


@pytest.mark.parametrize(("file", "libraries"), [("t.parquet", ["pyarrow", "duckdb"]), ("t.arrow", ["pyarrow"]),
                                                 ("t.jsonl", ["pyarrow", "duckdb"])])
def test_any_of_the_libraries_will_do(home, tmp_path, file, libraries):
    for library in libraries:
        pytest.importorskip(library)
        others = [name for name in ("polars", "pyarrow", "duckdb") if name != library]
        done = run("train", home / file, "--target", "y", *QUICK, "--out", tmp_path / "m.safetensors", without=others)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", ["t.parquet", "t.arrow", "t.jsonl"])
def test_without_a_library_it_names_them(home, file):
    done = run("train", home / file, "--target", "y", "--out", "/dev/null", without=["polars", "pyarrow", "duckdb"])
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert file in done.stderr and "pip install polars" in done.stderr and "pyarrow" in done.stderr


def test_damaged_files_are_named_in_one_line(home, tmp_path):
    for name, content in (("cut.parquet", (home / "t.parquet").read_bytes()[:-100]), ("junk.parquet", b"PAR1junk"),
                          ("junk.arrow", b"ARROW1junk"), ("junk.jsonl", b'{"x": 1\n{]')):
        (tmp_path / name).write_bytes(content)
        done = run("train", name, "--target", "y", "--out", "/dev/null", folder=tmp_path)
        assert done.returncode == 1
        assert done.stderr.startswith(f"probmix: {name}: ") and done.stderr.count("\n") == 1, done.stderr


def test_places_are_rows_from_1(home, tmp_path):
    import polars

    model = tmp_path / "m.safetensors"
    assert run("train", home / "t.csv", "--target", "y", *QUICK, "--out", model).returncode == 0
    polars.DataFrame({"x": ["1", "far"], "n": [1, 2], "g": ["on top", "far"]}).write_parquet(tmp_path / "new.parquet")
    done = run("predict", model, "new.parquet", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("probmix: new.parquet: row 2, column 'x': 'far' is not a number"), done.stderr
    done = run("train", home / "t.parquet", "--target", "y", "--categories", "z", "--out", model)
    assert done.returncode == 2 and "there is no column 'z'; columns: " in done.stderr


def test_packed_tables_are_refused_with_a_remedy(home, tmp_path):
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress((home / "t.jsonl").read_bytes()))
    done = run("train", "t.jsonl.gz", "--target", "y", "--out", "/dev/null", folder=tmp_path)
    assert done.returncode == 1 and "unpacked" in done.stderr


def test_an_interrupt_ends_it_and_keeps_the_model_so_far(home, tmp_path):
    model = tmp_path / "m.safetensors"
    process = subprocess.Popen([sys.executable, "-m", "probmix", "train", home / "t.csv", "--target", "y", "--preset", "fast",
                                "--epochs", "10000000", "--patience", "10000000", "--out", model],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert model.exists()


def test_a_closed_pipe_is_no_error():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "probmix", "train", "--help"], stdout=write, stderr=subprocess.PIPE, text=True,
                          env=ENVIRONMENT)
    os.close(write)
    assert done.returncode == -signal.SIGPIPE and done.stderr == ""
