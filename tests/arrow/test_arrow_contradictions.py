"""Arrow data that are not what their schema says: an error that names the column, and no crash."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import chunkwright as cw
from tests.support.examples import n_examples

STRATEGY = cw.Recursive(max_tokens=6)
REFUSED = (cw.ChunkwrightError, ValueError, pa.ArrowException)


class Lie:
    """A schema with an array or a stream that were made by another one."""

    def __init__(self, schema: Any, data: Any) -> None:
        self.schema, self.data = schema, data

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.schema.__arrow_c_schema__(), self.data.__arrow_c_array__()[1]


class Stream:
    """As a stream only, since a reader of pyarrow is compared with its schema by its batches."""

    def __init__(self, schema: Any, *batches: Any) -> None:
        self.reader = pa.RecordBatchReader.from_batches(schema, iter(batches))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.reader.__arrow_c_stream__()


def sources(schema: Any, batch: Any) -> list[Any]:
    """A batch under another schema, in all the ways that it may come."""
    reader = pa.RecordBatchReader.from_batches(schema, iter([batch]))
    return [Lie(schema, batch), Stream(schema, batch), reader]


def read(source: Any) -> Any:
    return pa.table(STRATEGY.arrow(source))


STRINGS = pa.schema({"text": pa.string()})
MORE = pa.schema({"text": pa.string(), "more": pa.int64()})


@pytest.mark.parametrize(
    ("schema", "columns", "message"),
    [
        (MORE, {"text": ["One."]}, "column .more. is missing"),
        (STRINGS, {"text": [1, 2]}, "column .text.: an array of type|column 'text' is of type"),
        (STRINGS, {"text": [["a"]]}, "column .text.: an array of type|column 'text' is of type"),
        (MORE, {"text": ["a"], "more": [["a"]]}, "column .more.: an array|column 'more' is of"),
        (MORE, {"text": ["a"], "more": ["a"]}, "column .more.: an array|column 'more' is of"),
        (STRINGS, {"text": ["a"], "more": [1]}, "there are 2 columns, 1 by the schema"),
        (
            pa.schema({"text": pa.string(), "more": pa.struct({"a": pa.int64()})}),
            {"text": ["a"], "more": [1]},
            "column .more.: an array of type|column 'more' is of type int64",
        ),
        (
            pa.schema({"text": pa.string(), "more": pa.dictionary(pa.int32(), pa.string())}),
            {"text": ["a"], "more": pa.array([1], pa.int32())},
            "column .more.: its dictionary is missing|column 'more' is of type int32",
        ),
        (
            pa.schema([pa.field("text", pa.string()), pa.field("n", pa.int64(), nullable=False)]),
            {"text": ["a", "b"], "n": pa.array([1, None])},
            "column .n.: it cannot be null, but 1 rows are",
        ),
        (
            STRINGS,
            {"text": pa.array(["One.", "Two.", "Three."], pa.large_string())},
            "column .text.: .*[Oo]ffset|column 'text' is of type large_string",
        ),
        (
            pa.schema({"text": pa.large_string()}),
            {"text": ["One.", "Two.", "Three."]},
            "column .text.: its offsets lead from|column 'text' is of type string",
        ),
        (
            pa.schema({"text": pa.string_view()}),
            {"text": ["One.", "A text that is longer than a view."]},
            "column .text.|column 'text' is of type string",
        ),
    ],
)
def test_the_column_is_named(schema: Any, columns: dict[str, Any], message: str) -> None:
    batch = pa.record_batch(columns)
    for source in sources(schema, batch):
        error = cw.ReadError if isinstance(source, Lie) else pa.ArrowInvalid
        with pytest.raises(error, match=message):
            read(source)


def test_a_reader_is_compared_with_its_schema_batch_by_batch() -> None:
    # As bare buffers the two types are the same, and one row would be an empty text.
    batch = pa.record_batch({"text": pa.array(["One."], pa.large_string())})
    reader = pa.RecordBatchReader.from_batches(STRINGS, [batch])
    with pytest.raises(pa.ArrowInvalid, match="'text' is of type large_string, by the schema of"):
        read(reader)
    good, other = pa.record_batch({"text": ["One."]}), pa.record_batch({"body": ["Two."]})
    chunks = STRATEGY.arrow(pa.RecordBatchReader.from_batches(STRINGS, [good, other]))
    batches = pa.RecordBatchReader.from_stream(chunks)
    assert batches.read_next_batch()["text"].to_pylist() == ["One."]
    with pytest.raises(pa.ArrowInvalid, match="column 'text' is missing, 'body' is in its place"):
        batches.read_next_batch()


def test_columns_left_out_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "documents.parquet"
    pq.write_table(pa.table({"path": ["a"], "text": ["One."]}), path)
    with pq.ParquetFile(path) as file:
        batches = file.iter_batches(4096, columns=["text"])
        reader = pa.RecordBatchReader.from_batches(file.schema_arrow, batches)
        with pytest.raises(pa.ArrowInvalid, match="column 'path' is missing"):
            read(reader)


# ---------------------------------------------------------------------- generated contradictions

COLUMN: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (pa.string(), st.text(max_size=20)),
    (pa.large_string(), st.text(max_size=20)),
    (pa.string_view(), st.text(max_size=20)),
    (pa.binary(), st.binary(max_size=9)),
    (pa.int8(), st.integers(-99, 99)),
    (pa.int64(), st.integers(-99, 99)),
    (pa.float64(), st.floats()),
    (pa.bool_(), st.booleans()),
    (pa.null(), st.none()),
    (pa.binary(3), st.binary(min_size=3, max_size=3)),
    (pa.list_(pa.string()), st.lists(st.text(max_size=3), max_size=3)),
    (pa.large_list(pa.int64()), st.lists(st.integers(0, 9), max_size=3)),
    (pa.list_(pa.int8(), 2), st.lists(st.integers(0, 9), min_size=2, max_size=2)),
    (pa.struct({"a": pa.int64(), "b": pa.string()}), st.just({"a": 1, "b": "b"})),
    (pa.map_(pa.string(), pa.int64()), st.just([("key", 1)])),
    (pa.dictionary(pa.int8(), pa.string()), st.sampled_from("ab")),
]
KINDS = [kind for kind, _ in COLUMN]


def array_of(kind: Any, n: int) -> st.SearchStrategy[Any]:
    values = dict(zip(map(str, KINDS), (values for _, values in COLUMN), strict=True))[str(kind)]
    rows = st.lists(st.none() | values, min_size=n, max_size=n)
    return rows.map(lambda rows: pa.array(rows, kind))


@st.composite
def contradictions(draw: st.DrawFn) -> tuple[Any, Any]:
    """A schema, and a batch whose types, columns or nulls are others."""
    names = ["text", *draw(st.lists(st.sampled_from("abc"), unique=True, max_size=2))]
    n_rows = draw(st.integers(0, 4))
    kinds = [draw(st.sampled_from(KINDS[:3])), *(draw(st.sampled_from(KINDS)) for _ in names[1:])]
    columns = {
        name: draw(array_of(draw(st.just(kind) | st.sampled_from(KINDS)), n_rows))
        for name, kind in zip(names, kinds, strict=True)
    }
    kept = draw(st.lists(st.sampled_from(names), unique=True, min_size=1))
    nullable = [kind == pa.null() or draw(st.booleans()) for kind in kinds]
    schema = pa.schema(list(map(pa.field, names, kinds, nullable)))
    start = draw(st.integers(0, n_rows))
    return schema, pa.record_batch({name: columns[name] for name in kept}).slice(start)


def fits(schema: Any, batch: Any) -> bool:
    nulls = (column.null_count for column in batch.columns)
    return (
        batch.schema.names == schema.names
        and batch.schema.types == schema.types
        and all(field.nullable or not n for field, n in zip(schema, nulls, strict=True))
    )


def outcome(source: Any) -> Any:
    try:
        return read(source)
    except REFUSED as error:
        return error


# Where another type has as many buffers, of a larger kind, there is no telling the two apart: what
# is read then lies behind the buffer. pyarrow's are padded to 64 bytes: room for four rows.
# It runs without pytest, so the profile of the suite does not hold.
@settings(max_examples=n_examples(3), deadline=None, suppress_health_check=list(HealthCheck))
@given(made=contradictions())
def run_generated(made: tuple[Any, Any]) -> None:
    """Check that a contradiction is an error, or is not seen."""
    schema, batch = made
    for source in sources(schema, batch):
        found = outcome(source)
        if isinstance(found, Exception):
            assert not fits(schema, batch), found
        else:
            # All but the texts are carried along, behind the columns of chunks.
            assert (
                found.column_names[len(found.column_names) - len(schema) + 1 :] == schema.names[1:]
            )
    if not fits(schema, batch) and batch.schema.types != schema.types:
        with pytest.raises(pa.ArrowInvalid, match=r"their schema: (column|there are)"):
            read(sources(schema, batch)[-1])


# ---------------------------------------------------------------------- structures made by hand


class Array(ctypes.Structure):
    """``ArrowArray`` of the C data interface."""


Array._fields_ = [
    *[(name, ctypes.c_int64) for name in ("length", "null_count", "offset")],
    *[(name, ctypes.c_int64) for name in ("n_buffers", "n_children")],
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class Schema(ctypes.Structure):
    """``ArrowSchema`` of the C data interface."""


Schema._fields_ = [
    *[(name, ctypes.c_char_p) for name in ("format", "name", "metadata")],
    *[(name, ctypes.c_int64) for name in ("flags", "n_children")],
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
ctypes.pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object
ctypes.pythonapi.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


# Nothing is freed: Python owns it all.
keep = RELEASE(lambda _: None)


def copied(made: Any) -> Any:
    """A structure and its children, which may be spoilt: the producer's own stay whole."""
    copy = type(made).from_buffer_copy(made)
    copy.release = ctypes.cast(keep, ctypes.c_void_p)
    copy.kept = [copied(made.children[i].contents) for i in range(made.n_children)]
    copy.children = (ctypes.POINTER(type(made)) * made.n_children)(*map(ctypes.pointer, copy.kept))
    if isinstance(made, Array):
        copy.buffers = (ctypes.c_void_p * made.n_buffers)(*made.buffers[: made.n_buffers])
    return copy


class Spoilt:
    """A batch whose structures somebody has changed."""

    def __init__(self, batch: Any, spoil: Callable[[Schema, Array], object]) -> None:
        schema, array = self.producer = batch.__arrow_c_array__()
        at, new = ctypes.pythonapi.PyCapsule_GetPointer, ctypes.pythonapi.PyCapsule_New
        self.schema = copied(Schema.from_address(at(schema, b"arrow_schema")))
        self.array = copied(Array.from_address(at(array, b"arrow_array")))
        self.kept = spoil(self.schema, self.array)
        self.names = b"arrow_schema", b"arrow_array"
        parts = zip((self.schema, self.array), self.names, strict=True)
        self.capsules = tuple(new(ctypes.addressof(part), name, None) for part, name in parts)

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.capsules


def column(array: Array) -> Any:
    return array.children[0].contents


def no_pointers(n: int) -> Any:
    return (ctypes.c_void_p * n)()


def set_all(structure: Any, **values: Any) -> Any:
    for name, value in values.items():
        setattr(structure, name, value)
    return values


def deep(schema: Schema, _: Array) -> Any:
    """A list of itself."""
    inner = schema.children[0].contents
    pointers = (ctypes.POINTER(Schema) * 1)(ctypes.pointer(inner))
    return set_all(inner, format=b"+l", n_children=1, children=pointers), pointers


SPOILT: list[tuple[Callable[[Schema, Array], object], str]] = [
    (lambda _, a: set_all(a, length=-1), "it has the length -1"),
    (lambda _, a: set_all(a, offset=-1), "the offset -1"),
    (lambda _, a: set_all(a, n_children=0), 'there are 0 columns, 1 by the schema: column "text"'),
    (lambda _, a: set_all(a, n_children=-1), "it has -1 children"),
    (lambda _, a: set_all(a, children=None), "it has 1 children, but no pointer to them"),
    (lambda _, a: set_all(a, length=9), 'column "text": it has 3 rows of 9'),
    (lambda _, a: set_all(a, offset=1), 'column "text": it has 3 rows of 4'),
    (lambda _, a: set_all(column(a), length=-3), 'column "text": it has the length -3'),
    (lambda _, a: set_all(column(a), length=2**62), 'column "text": buffer 1 would have'),
    (lambda _, a: set_all(column(a), offset=2**63 - 1), 'column "text": buffer 1 would have'),
    (lambda _, a: set_all(column(a), n_buffers=2), 'column "text": an array of type Utf8 has 3'),
    (lambda _, a: set_all(column(a), n_buffers=-1), "has 3 buffers, got -1"),
    (lambda _, a: set_all(column(a), n_buffers=99), "has 3 buffers, got 99"),
    (lambda _, a: set_all(column(a), buffers=None), "it has 3 buffers, but no pointer to them"),
    (lambda _, a: set_all(column(a), buffers=no_pointers(3)), "buffer 1 of 16 bytes is null"),
    (lambda _, a: set_all(column(a), null_count=4), "it has 4 nulls in 3 rows"),
    (lambda _, a: set_all(column(a), null_count=-2), "it has -2 nulls in 3 rows"),
    (lambda _, a: set_all(column(a), null_count=1), "it has 1 nulls, but no validity bitmap"),
    (
        lambda _, a: set_all(column(a), n_children=1, children=None),
        "it has 1 children, but no pointer to them",
    ),
    (lambda _, a: set_all(column(a), dictionary=ctypes.pointer(a)), "has no dictionary"),
    (lambda s, _: set_all(s, format=None), "a type has no format"),
    (lambda s, _: set_all(s, n_children=-1), "it has -1 child types"),
    (lambda s, _: set_all(s, children=None), "it has 1 child types, but no pointer to them"),
    (lambda s, _: set_all(s.children[0].contents, format=b"\xff"), "is not UTF-8"),
    (lambda s, _: set_all(s.children[0].contents, name=b"\xff"), "is not UTF-8"),
    (lambda s, _: set_all(s.children[0].contents, format=b"+l"), r'"\+l" has 1 child types, got 0'),
    (lambda s, _: set_all(s.children[0].contents, format=b"w:-1"), "cannot have the size -1"),
    (deep, "nested more than 64 deep"),
]


def offsets(*values: int) -> Callable[[Schema, Array], object]:
    def spoil(_: Schema, array: Array) -> object:
        numbers = (ctypes.c_int32 * len(values))(*values)
        column(array).buffers[1] = ctypes.addressof(numbers)
        return numbers

    return spoil


SPOILT += [
    (offsets(0, 4, 2, 8), 'column "text".*[Oo]ffset'),
    (offsets(0, -4, 2, 8), 'column "text".*[Oo]ffset'),
    (offsets(9, 9, 9, 8), "its offsets lead from 9 to 8"),
    (offsets(0, 1, 2, -1), "its offsets lead from 0 to -1"),
]


def run_spoilt() -> None:
    """Check all of `SPOILT`."""
    for spoil, message in SPOILT:
        source = Spoilt(pa.record_batch({"text": ["one", "two", "hi"]}), spoil)
        with pytest.raises(cw.ReadError, match=message):
            STRATEGY.arrow(source)


def run_streams() -> None:
    """Check what ended Python once: a column left out, and one of another type."""
    batches = pa.record_batch({"text": ["One."]}), pa.record_batch({"text": [1]})
    for schema, batch in zip((MORE, STRINGS), batches, strict=True):
        for source in sources(schema, batch):
            assert isinstance(outcome(source), Exception)


@pytest.mark.slow
@pytest.mark.parametrize("check", [run_streams, run_generated, run_spoilt])
def test_nothing_ends_python(check: Callable[[], None]) -> None:
    code = f"from tests.arrow.test_arrow_contradictions import {check.__name__} as run; run()"
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *filter(None, sys.path)])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == 0, done.stderr


def test_an_index_outside_of_its_dictionary() -> None:
    damaged = pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int8()), ["a", "b"], safe=False)
    batch = pa.record_batch({"text": ["One.", "Two."], "kind": damaged})
    with pytest.raises(cw.ReadError, match=r'column "kind": .*7'):
        STRATEGY.arrow(batch)
