"""Tables of every kind that Python has, read as what they are."""

import datetime
import decimal

import numpy as np
import pytest

from probmix import _core
from probmix._tables import read_table

CATEGORY, DATE, NUMBER = "category", "date", "number"


def columns(X):
    """{name: (kind, missing, levels)}."""
    return {name: tuple(rest) for name, *rest in read_table(X, "X")[0].columns()}


@pytest.mark.parametrize("dtype", ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g", ">f4", ">i8"])
def test_numbers_of_any_type(dtype):
    X = np.arange(6).reshape(3, 2).astype(dtype)
    assert columns(X) == {"x0": (NUMBER, 0, 0), "x1": (NUMBER, 0, 0)}


def test_arrays_of_any_order_and_stride_and_read_only_ones():
    base = np.arange(48, dtype=np.float32).reshape(6, 8)
    base[2, 3] = np.nan
    frozen = base.copy()
    frozen.flags.writeable = False
    for X in (base, np.asfortranarray(base), base[::-1, ::-1], base[::2, 1::3], base.T, frozen,
              np.broadcast_to(base[:1], (4, 8)), np.lib.stride_tricks.sliding_window_view(base[0], 3)):
        found = columns(X)
        assert [missing for _, missing, _ in found.values()] == np.isnan(X).sum(axis=0).tolist()


def test_a_record_array_keeps_names_and_odd_strides():
    records = np.zeros(3, dtype=[("a", "i1"), ("b", "f8"), ("c", "U3")])
    records["c"] = ["u", "v", "u"]
    assert columns(records) == {"a": (NUMBER, 0, 0), "b": (NUMBER, 0, 0), "c": (CATEGORY, 0, 2)}


def test_masked_entries_are_missing():
    assert columns(np.ma.masked_greater(np.arange(6.0).reshape(3, 2), 3)) == {"x0": (NUMBER, 1, 0), "x1": (NUMBER, 1, 0)}


def test_objects():
    def object_column(*values):
        return next(iter(columns(np.array([*values, None], dtype=object).reshape(-1, 1)).values()))

    day = datetime.date(2024, 2, 29)
    assert object_column(1, 2.5, np.int8(3), decimal.Decimal("1.5"), True) == (NUMBER, 1, 0)
    assert object_column("a", "b", "a", np.nan) == (CATEGORY, 2, 2)
    assert object_column("2024-01-01", "2024-01-02") == (DATE, 1, 0)
    assert object_column("007", "008") == (CATEGORY, 1, 2)
    assert object_column(day, datetime.datetime.now(datetime.timezone.utc), np.datetime64("2024")) == (DATE, 1, 0)
    with pytest.raises(TypeError, match="column 'x0', row 0: argument must be a string or a number, not 'dict'"):
        object_column({})
    with pytest.raises(ValueError, match="column 'x0' mixes number .1. and text .'a' in row 1."):
        object_column(1, "a")


def test_dates():
    found = columns(np.array([["2024-01-01", "NaT"], ["1900-01-01", "9999-12-31"]], dtype="datetime64[s]"))
    assert found == {"x0": (DATE, 0, 0), "x1": (DATE, 1, 0)}


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (np.zeros((0, 2)), ValueError, r"0 sample\(s\)"),
        (np.zeros((2, 0)), ValueError, r"0 feature\(s\)"),
        (np.zeros(3), ValueError, "Reshape your data"),
        (np.zeros((2, 2, 2)), ValueError, "Found array with dim 3"),
        (np.zeros((2, 2), dtype=complex), ValueError, "Complex data not supported"),
        (np.zeros((2, 2), dtype="V4"), TypeError, "must be a string or a number"),
        (np.array([[1.0], [np.inf]]), ValueError, "column 'x0' has an infinite value in row 1"),
        (5, ValueError, "Expected 2D array, got scalar array"),
    ],
)
def test_what_is_not_a_table(X, error, message):
    with pytest.raises(error, match=message):
        read_table(X, "X")


class TestPandas:
    pandas = pytest.importorskip("pandas")

    def test_columns(self):
        pd = self.pandas
        frame = pd.DataFrame({
            "i": [1, 2, 3],
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "flag": pd.array([True, None, False], dtype="boolean"),
            "text": ["a", None, "b"],
            "string": pd.array(["a", None, "b"], dtype="string"),
            "category": pd.Categorical(["u", None, "u"], categories=["u", "v"]),
            "number category": pd.Categorical([7.0, 8.0, 7.0]),
            "date": pd.to_datetime(["2024-01-01", None, "2024-01-03"]),
            "zoned": pd.to_datetime(["2024-01-01", None, "2024-01-03"]).tz_localize("Europe/Berlin"),
            "span": pd.to_timedelta([1, 2, None], unit="h"),
        })
        assert columns(frame) == {
            "i": (NUMBER, 0, 0), "nullable": (NUMBER, 1, 0), "flag": (NUMBER, 1, 0), "text": (CATEGORY, 1, 2),
            "string": (CATEGORY, 1, 2), "category": (CATEGORY, 1, 1), "number category": (CATEGORY, 0, 2),
            "date": (DATE, 1, 0), "zoned": (DATE, 1, 0), "span": (NUMBER, 1, 0)}

    def test_two_columns_of_one_name(self):
        frame = self.pandas.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
        table, _ = read_table(frame, "X")
        with pytest.raises(ValueError, match="two columns are named 'a'"):
            _core.Fit(table, None, {"target": ["a"]})


class TestArrow:
    pyarrow = pytest.importorskip("pyarrow")

    def test_every_type(self):
        pa = self.pyarrow
        half = pa.array(np.array([0.5, -2, 65504], dtype=np.float16))
        day = [datetime.date(2024, 1, 1), None, datetime.date(2024, 1, 3)]
        table = pa.table({
            **{f"n{k}": pa.array([1, None, 3], type=kind) for k, kind in enumerate(
                [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64(),
                 pa.float32(), pa.float64(), pa.decimal128(9, 2), pa.decimal128(30, 5)])},
            "half": half,
            "none": pa.nulls(3),
            "flag": pa.array([True, None, False]),
            **{f"t{k}": pa.array(["a long text that is no view", None, "b"], type=kind) for k, kind in enumerate(
                [pa.string(), pa.large_string(), pa.string_view()])},
            "dictionary": pa.array(["a", None, "b"]).dictionary_encode(),
            "numbers": pa.array([7, None, 8]).dictionary_encode(),
            **{f"d{k}": pa.array(day).cast(kind) for k, kind in enumerate(
                [pa.date32(), pa.date64(), pa.timestamp("s"), pa.timestamp("ms", "Europe/Berlin"), pa.timestamp("us"),
                 pa.timestamp("ns")])},
        })
        for found in (columns(table), columns(table.slice(0, 3)), columns(pa.concat_tables([table.slice(0, 1), table.slice(1)]))):
            assert all(found[f"n{k}"] == (NUMBER, 1, 0) for k in range(12))
            assert found["half"] == (NUMBER, 0, 0)
            assert found["none"] == (NUMBER, 3, 0)
            assert found["flag"] == (NUMBER, 1, 0)
            assert all(found[f"t{k}"] == (CATEGORY, 1, 2) for k in range(3))
            assert found["dictionary"] == found["numbers"] == (CATEGORY, 1, 2)
            assert all(found[f"d{k}"] == (DATE, 1, 0) for k in range(6))

    def test_types_that_are_not_read(self):
        pa = self.pyarrow
        for values in (pa.array([[1]]), pa.array([b"x"]), pa.array([{"a": 1}]), pa.array([1], type=pa.duration("s"))):
            with pytest.raises(ValueError, match="column 'odd' has the Arrow type"):
                read_table(pa.table({"odd": values}), "X")

    def test_what_is_no_stream(self):
        table = _core.Table("X")
        with pytest.raises(TypeError):
            table.add_stream(3)
        stream = self.pyarrow.table({"a": [1]}).__arrow_c_stream__()
        table.add_stream(stream)
        with pytest.raises(ValueError, match="read before"):
            table.add_stream(stream)
        with pytest.raises(ValueError, match="a capsule named"):
            table.add_stream(self.pyarrow.array([1]).__arrow_c_array__()[0])


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [1.5, None], "t": ["x", "y"], "c": polars.Series(["u", None], dtype=polars.Categorical),
                              "d": [datetime.date(2024, 1, 1), None]})
    assert columns(frame) == {"a": (NUMBER, 1, 0), "t": (CATEGORY, 0, 2), "c": (CATEGORY, 1, 1), "d": (DATE, 1, 0)}
