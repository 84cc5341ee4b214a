"""Tables in files of other formats than CSV, through whichever library is installed."""

import importlib

from . import _core


def open_table(path, what):
    """What exports a file's table as an Arrow stream; `what` is "a Parquet file", "an Arrow file" or JSON."""
    for library, read in _READERS.items():
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        kind = next(kind for kind in ("Parquet", "Arrow", "JSON") if kind in what)
        if library == "duckdb" and kind == "Arrow":
            continue
        try:
            return read(module, path, kind)
        except Exception as error:
            first = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise _core.Error(f"{path}: {library} cannot read it: {first}") from None
    libraries = "polars or pyarrow" if "Arrow" in what else "polars, pyarrow or duckdb"
    raise _core.Error(f"{path}: this is {what}; to read it, install {libraries}: pip install polars")


def _polars(polars, path, kind):
    read = {"Parquet": polars.read_parquet, "Arrow": polars.read_ipc, "JSON": polars.read_ndjson}[kind]
    # As an open file: of a path, polars would expand * and [.
    with open(path, "rb") as file:
        return read(file, infer_schema_length=None) if kind == "JSON" else read(file)


def _pyarrow(pyarrow, path, kind):
    if kind == "Parquet":
        return importlib.import_module("pyarrow.parquet").ParquetFile(path).read()
    if kind == "Arrow":
        return importlib.import_module("pyarrow.feather").read_table(path)
    return importlib.import_module("pyarrow.json").read_json(path)


def _duckdb(duckdb, path, kind):
    function = {"Parquet": "read_parquet", "JSON": "read_ndjson"}[kind]
    return duckdb.connect().sql(f"SELECT * FROM {function}(?)", params=[path])


_READERS = {"polars": _polars, "pyarrow": _pyarrow, "duckdb": _duckdb}
