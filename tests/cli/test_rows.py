"""`chunkwright chunk` on tables: JSON lines, Parquet and Arrow, a document a row."""

import datetime as dt
import decimal
import gzip
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.io.rows import NAMES
from chunkwright.rows import OF_ELEMENTS

from .commandline import Run, peak_of

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402 - it is there now

ROWS: list[dict[str, Any]] = [
    {"key": f"k{i}", "text": f"Row {i} has a sentence. And one more. " * 9, "n": i, "tags": ["a"]}
    for i in range(7)
]
CHUNKED = ("--max-tokens", "20", "--overlap", "4")


def write_jsonl(path: Path, rows: list[Any]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def write_gzip(path: Path, rows: list[Any]) -> None:
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))


def write_parquet(path: Path, rows: list[Any]) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=3)


def write_file(path: Path, rows: list[Any]) -> None:
    table = pa.Table.from_pylist(rows)
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)


def write_stream(path: Path, rows: list[Any]) -> None:
    table = pa.Table.from_pylist(rows)
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)


Writer = Callable[[Path, list[Any]], None]
TABLES: list[tuple[str, Writer]] = [
    ("x.parquet", write_parquet),
    ("x.arrow", write_file),
    ("x.feather", write_stream),
]
JSON_LINES: list[tuple[str, Writer]] = [
    ("x.jsonl", write_jsonl),
    ("x.NDJSON", write_jsonl),
    ("x.jsonl.gz", write_gzip),
]
every_kind = pytest.mark.parametrize(("name", "write"), [*JSON_LINES, *TABLES])
each_table = pytest.mark.parametrize(("name", "write"), TABLES)


@every_kind
def test_each_row_is_a_document_and_keeps_its_columns(here: Run, name: str, write: Writer) -> None:
    write(Path(name), ROWS)
    result = here("chunk", name, *CHUNKED)
    assert (result.code, result.err) == (0, "")
    found = iter(result.rows)
    for number, row in enumerate(ROWS, 1):
        document = f"{name}:{number}"
        chunks = cw.chunk(row["text"], max_tokens=20, overlap=4, name=document)
        assert len(chunks) > 2
        for i, chunk in enumerate(chunks):
            others = {"chunk_id", "document", "doc_index", "index", "oversize"}
            shown = {key: getattr(chunk, key) for key in set(NAMES) - others}
            carried = {key: row[key] for key in ("key", "n", "tags")}
            numbers = {"document": document, "doc_index": number - 1, "index": i}
            assert next(found) == {"chunk_id": chunk.id, **numbers, **shown, **carried}
    assert next(found, None) is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@every_kind
def test_tables_with_names_that_are_no_utf_8_are_read(here: Run, name: str, write: Writer) -> None:
    write(Path(name), ROWS)
    expected = here("chunk", name, *CHUNKED).rows
    odd = os.fsdecode(b"\xff" + name.encode())
    Path(name).rename(odd)
    result = here("chunk", odd, *CHUNKED)
    assert result.code == 0
    assert [row["text"] for row in result.rows] == [row["text"] for row in expected]
    assert result.rows[0]["document"] == f"\\xff{name}:1"


@every_kind
def test_columns_may_be_named(here: Run, name: str, write: Writer) -> None:
    write(Path(name), [{"id": i, "body": f"Text {i}.", "text": 5, "x": None} for i in range(3)])
    flags = ("--text-column", "body", "--id-column", "id", "--drop-column", "text")
    rows = here("chunk", name, *flags).rows
    assert [(row["document"], row["text"], row["x"]) for row in rows] == [
        (str(i), f"Text {i}.", None) for i in range(3)
    ]
    expected = [cw.chunk(f"Text {i}.", max_tokens=9, name=str(i))[0].id for i in range(3)]
    assert [row["chunk_id"] for row in rows] == expected
    Path("chunkwright.toml").write_text(
        "text_column = 'body'\nid_column = 'id'\ndrop_columns = ['text', 'x']\n"
    )
    assert [list(row) for row in here("chunk", name).rows] == [list(NAMES[:-1])] * 3


def test_bad_lines_are_named_and_the_rest_is_done(here: Run) -> None:
    lines = [
        b"\xef\xbb\xbf" + b'{"text": "first"}\r',
        b'{"text": "cut',
        b"",
        b"[1, 2]",
        b'{"body": "x", "n": 1}',
        b'{"text": 5}',
        b'{"text": null}',
        b'{"text": "caf\xe9"}',
        b'{"text": NaN}',
        b"[" * 100_000,
        b'{"text": "x", "n": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"text": "x", "n": ' + b"9" * 5000 + b"}",
        b'{"text": "x", "start": 4}',
        b'  {"text": "last", "n": 1e999}',
    ]
    Path("x.jsonl").write_bytes(b"\n".join(lines))
    result = here("chunk", "x.jsonl", "docs/deep")
    assert result.code == 1
    assert [row["text"] for row in result.rows[:2]] == ["first", "last"]
    assert result.rows[1]["document"] == "x.jsonl:14"
    assert result.rows[1]["n"] is None
    assert result.rows[2]["document"] == "notes.txt"
    failures = result.err.splitlines()
    starts = [
        "x.jsonl:2: not JSON at column 10: Unterminated string",
        "x.jsonl:4: not a JSON object, but an array",
        "x.jsonl:6: field 'text' is a number, not a string",
        "x.jsonl:7: field 'text' is null, not a string",
        "x.jsonl:8: not valid utf-8 at byte 13",
        "x.jsonl:9: not JSON: NaN is not a JSON value",
        "x.jsonl:10: nested too deeply",
        "x.jsonl:11: nested too deeply",
        "x.jsonl:12: not JSON: Exceeds the limit",
        "x.jsonl:13: field 'start' is a column of chunks too: name it with --id-column, or leave",
        # At the end, where it is known how many rows lack it.
        "x.jsonl:5: no field 'text'; there are 'body', 'n'",
    ]
    assert len(failures) == len(starts)
    for failure, start in zip(failures, starts, strict=True):
        assert failure.startswith(f"Failed: {start}")


@each_table
def test_bad_rows_are_named_and_the_rest_is_done(here: Run, name: str, write: Writer) -> None:
    texts = ["first", None, "", "last"]
    write(Path(name), [{"text": text, "who": 1.5} for text in texts])
    result = here("chunk", name)
    assert result.code == 1
    assert [(row["text"], row["document"]) for row in result.rows] == [
        ("first", f"{name}:1"),
        ("last", f"{name}:4"),
    ]
    assert result.err == f"Failed: {name}:2: the text is null\n"
    result = here("chunk", name, "--id-column", "who")
    message = f"Failed: {name}:1: column 'who' is 1.5, not a string or an integer"
    assert result.err.splitlines()[0] == message


@each_table
def test_a_table_without_the_column_names_those_it_has(here: Run, name: str, write: Writer) -> None:
    write(Path(name), [{"body": "x", "n": 1, "chunk_id": 5}])
    for flags, message in (
        ((), "no column 'text'; there are 'body', 'n', 'chunk_id'"),
        (("--text-column", "n"), "column 'n' is int64, not text"),
        (("--text-column", "body", "--id-column", "no"), "no column 'no'; there are"),
        (("--text-column", "body"), "column 'chunk_id' is a column of chunks too: name it with"),
    ):
        result = here("chunk", name, "docs/deep", *flags)
        assert result.code == 1
        assert {row["document"] for row in result.rows} == {"notes.txt"}
        assert result.err.startswith(f"Failed: {name}: {message}")


@pytest.mark.parametrize("name", ["x.parquet", "x.arrow", "x.feather", "x.jsonl.gz"])
@pytest.mark.parametrize(
    "data", [b"", b"no such thing", b"PAR1\0\0PAR1", b"ARROW1\0\0", b"\x1f\x8b"]
)
def test_what_is_no_table_is_named(here: Run, name: str, data: bytes) -> None:
    Path(name).write_bytes(data)
    result = here("chunk", name, "docs/deep")
    if name.endswith(".gz") and not data:
        assert result.code == 0  # gzip's idea of nothing
        return
    assert result.code == 1
    assert result.err.startswith(f"Failed: {name}: ")
    assert len(result.err.splitlines()) == 1
    assert len(result.rows) == 1


def test_a_damaged_end_keeps_what_came_before(here: Run) -> None:
    rows = [{"text": f"{i} {os.urandom(99).hex()}"} for i in range(500)]
    write_gzip(Path("x.jsonl.gz"), rows)
    data = Path("x.jsonl.gz").read_bytes()
    Path("x.jsonl.gz").write_bytes(data[: len(data) // 2])
    result = here("chunk", "x.jsonl.gz")
    assert result.code == 1
    assert len(result.rows) > 100
    assert "Failed: x.jsonl.gz: Compressed file ended" in result.err


@pytest.mark.parametrize(
    "kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
def test_every_kind_of_text(here: Run, kind: Any) -> None:
    column = pa.array(["one", "two", "one"]).cast(kind)
    with pa.ipc.new_file("x.arrow", pa.schema([("text", kind)])) as writer:
        writer.write_batch(pa.record_batch([column], names=["text"]))
    assert [row["text"] for row in here("chunk", "x.arrow").rows] == ["one", "two", "one"]


def test_a_text_that_is_no_utf8_is_named(here: Run) -> None:
    column = pa.array([b"good", b"caf\xe9"]).view(pa.string())
    with pa.ipc.new_file("x.arrow", pa.schema([("text", pa.string())])) as writer:
        writer.write_batch(pa.record_batch([column], names=["text"]))
    result = here("chunk", "x.arrow")
    assert (result.code, len(result.rows)) == (1, 1)
    assert result.err == "Failed: x.arrow:2: not valid utf-8 at byte 3\n"


@pytest.mark.parametrize("column", ["text", "other"])
def test_damaged_offsets_are_no_crash(here: Run, column: str) -> None:
    offsets = pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in (0, 2**30, 4)))
    broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"good")])
    columns = {"text": pa.array(["one", "two"]), "other": pa.array(["x", "y"]), column: broken}
    batch = pa.record_batch(columns)
    with pa.ipc.new_file("x.arrow", batch.schema) as writer:
        writer.write_batch(batch)
    result = here("chunk", "x.arrow")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("Failed: x.arrow: not readable as arrow: ")


def test_values_that_json_lacks(here: Run) -> None:
    day = dt.datetime(2024, 2, 29, 12, 30, tzinfo=dt.UTC)
    row = {
        "text": "x",
        "when": day,
        "day": day.date(),
        "took": dt.timedelta(seconds=90),
        "data": b"\xff\x00",
        "price": decimal.Decimal("1.50"),
        "nan": float("nan"),
        "deep": {"list": [day, None], "x": 1.5},
    }
    table = pa.Table.from_pylist([row]).append_column(
        "ns", pa.array([[1, None]], pa.list_(pa.timestamp("ns")))
    )
    pq.write_table(table, "x.parquet")
    found = here("chunk", "x.parquet").rows[0]
    assert {key: found[key] for key in row if key != "text"} == {
        "when": "2024-02-29T12:30:00+00:00",
        "day": "2024-02-29",
        "took": 90.0,
        "data": "/wA=",
        "price": "1.50",
        "nan": None,
        "deep": {"list": ["2024-02-29T12:30:00+00:00", None], "x": 1.5},
    }
    assert found["ns"] == ["1970-01-01T00:00:00.000000001", None]
    here("chunk", "x.parquet", "-o", "y.parquet")
    kept = pq.read_table("y.parquet").drop_columns([*NAMES, "nan"])
    assert kept.equals(table.drop_columns(["text", "nan"]))


def read_table(path: str) -> Any:
    return pq.read_table(path) if path.endswith("parquet") else pa.ipc.open_file(path).read_all()


@every_kind
@pytest.mark.parametrize("out", ["y.parquet", "y.arrow"])
def test_tables_carry_columns(
    here: Run, name: str, write: Writer, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.io.outputs.BATCH_ROWS", 4)
    Path("a.txt").write_text("No columns here.")
    write(Path(name), ROWS)
    arguments = ("chunk", name, "a.txt", *CHUNKED)
    expected = here(*arguments).rows
    result = here(*arguments, "--out", out)
    assert result.code == 0
    assert result.err == f"{len(expected)} chunks of 8 inputs written to {out}\n"
    table = read_table(out)
    # The text file could have had elements.
    assert table.schema.names == [*NAMES, *OF_ELEMENTS, "key", "n", "tags"]
    assert table.schema.field("n").type == pa.int64()
    assert table.schema.field("tags").type == pa.list_(pa.string())
    for found, row in zip(table.to_pylist(), expected, strict=True):
        absent = {"oversize": False, "key": None, "n": None, "tags": None}
        of_text = {name: found[name] for name in OF_ELEMENTS}
        assert (of_text["kind"], of_text["first_element"]) == ("paragraph", None)
        assert found == {**absent, **of_text, **row}


def test_tables_of_other_columns_go_into_one(here: Run) -> None:
    write_parquet(Path("a.parquet"), [{"text": "one"}, {"text": "two"}])
    write_file(Path("b.arrow"), [{"text": "three", "n": 1}, {"text": "four", "n": 2}])
    write_jsonl(Path("c.jsonl"), [{"text": "five"}, {"text": "six", "m": "x"}])
    assert here("chunk", "a.parquet", "b.arrow", "c.jsonl", "-o", "y.parquet").code == 0
    table = pq.read_table("y.parquet").select(["text", "n", "m"])
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("one", None, None),
        ("two", None, None),
        ("three", 1, None),
        ("four", 2, None),
        ("five", None, None),
        ("six", None, "x"),
    ]


@pytest.mark.parametrize("out", ["y.parquet", "y.arrow"])
def test_dictionaries_are_carried_as_their_values(
    here: Run, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.io.outputs.BATCH_ROWS", 1)
    batches = [
        pa.record_batch({"text": ["one", "two"], "kind": pa.array(kinds).dictionary_encode()})
        for kinds in (["a", "b"], ["c", None])
    ]
    with pa.ipc.new_stream("x.arrow", batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    assert here("chunk", "x.arrow", "-o", out).code == 0
    assert read_table(out).column("kind").to_pylist() == ["a", "b", "c", None]


def test_large_columns_are_written_a_few_rows_at_a_time(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.io.outputs.BATCH_BYTES", 5_000)
    rows = [{"text": "one two three", "body": "x" * 4_000} for _ in range(5)]
    for name, write in (("x.jsonl", write_jsonl), ("x.parquet", write_parquet)):
        write(Path(name), rows)
        here("chunk", name, "--max-chars", "7", "-o", "y.arrow")
        reader = pa.ipc.open_file("y.arrow")
        assert [reader.get_batch(i).num_rows for i in range(reader.num_record_batches)] == [2] * 5


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({"n": 1}, {"n": "x"}, "column 'n' holds string, and int64 before"),
        ({"n": 1}, {"n": 1.5}, "column 'n' holds double, and int64 before: Float value 1.5"),
        ({"n": 1}, {"m": 1}, "column 'm' was not in the first rows"),
        ({"n": [1, "x"]}, {}, "column 'n' is of no type that a table has: "),
        ({"n": 2**70}, {}, "column 'n' is of no type that a table has: "),
        ({"n": "\ud800"}, {}, "column 'n' is of no type that a table has: "),
    ],
)
def test_columns_that_do_not_fit_end_the_run(
    here: Run, monkeypatch: pytest.MonkeyPatch, first: Any, second: Any, message: str
) -> None:
    monkeypatch.setattr("chunkwright.io.outputs.BATCH_ROWS", 1)
    write_jsonl(Path("x.jsonl"), [{"text": "one", **first}, {"text": "two", **second}])
    result = here("chunk", "x.jsonl", "-o", "y.parquet")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"Error: {message}")
    assert "leave it out with --drop-column" in result.err
    assert not Path("y.parquet").exists()
    assert here("chunk", "x.jsonl").code == 0


def test_a_column_may_be_empty_at_first_and_integers_fit_floats(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.io.outputs.BATCH_ROWS", 1)
    rows = [{"text": "one", "n": 1.5, "s": None}, {"text": "two", "n": 2, "s": "x"}]
    write_jsonl(Path("x.jsonl"), rows)
    assert here("chunk", "x.jsonl", "-o", "y.parquet").code == 0
    assert pq.read_table("y.parquet").select(["n", "s"]).to_pylist() == [
        {"n": 1.5, "s": None},
        {"n": 2.0, "s": "x"},
    ]


def test_input_format_goes_before_the_suffix(here: Run, spawn: Run) -> None:
    write_jsonl(Path("x.data"), ROWS)
    write_jsonl(Path("x.jsonl"), ROWS)
    write_parquet(Path("x.bin"), ROWS)
    write_stream(Path("y.bin"), ROWS)
    jsonl = here("chunk", "x.data", "--input-format", "jsonl").rows
    assert [row["key"] for row in jsonl] == [row["key"] for row in ROWS]
    as_text = here("chunk", "x.jsonl", "--input-format", "text").rows
    assert as_text[0]["text"].startswith('{"key"')
    inputs = {"jsonl": "x.data", "parquet": "x.bin", "arrow": "y.bin"}
    for format_, name in inputs.items():
        result = spawn("chunk", "-", "--input-format", format_, stdin=Path(name).read_bytes())
        assert [row["document"] for row in result.rows] == [f"-:{i}" for i in range(1, 8)]
    result = here("chunk", "x.data", "--input-format", "json")
    assert result.code == 2
    assert "unknown --input-format 'json': did you mean 'jsonl'?" in result.err


def test_rows_that_are_all_bad_leave_the_old_output(here: Run) -> None:
    Path("x.jsonl").write_text("5\n")
    Path("y.jsonl").write_text("old")
    assert here("chunk", "x.jsonl", "-o", "y.jsonl", "--force").code == 1
    assert Path("y.jsonl").read_text() == "old"


def test_a_table_without_rows_is_done(here: Run) -> None:
    Path("x.jsonl").write_text("\n\n")
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), "x.parquet")
    result = here("chunk", "x.jsonl", "x.parquet", "-o", "y.jsonl")
    assert (result.code, result.err) == (0, "0 chunks of 2 inputs written to y.jsonl\n")
    assert Path("y.jsonl").read_bytes() == b""


def test_fail_fast_ends_at_the_first_bad_row(here: Run) -> None:
    Path("x.jsonl").write_text('{"text": "one"}\n5\n{"text": "two"}\n')
    result = here("chunk", "x.jsonl", "--fail-fast", "-o", "y.jsonl")
    assert result.code == 1
    assert result.err == "Failed: x.jsonl:2: not a JSON object, but a number\n"
    assert not Path("y.jsonl").exists()


@every_kind
def test_the_same_bytes_for_any_number_of_workers(here: Run, name: str, write: Writer) -> None:
    write(Path(name), ROWS * 30)
    expected = here("chunk", name, *CHUNKED, "--workers", "1")
    assert expected.code == 0
    for workers in ("2", "5"):
        assert here("chunk", name, *CHUNKED, "--workers", workers) == expected


def test_pyarrow_is_an_extra(spawn: Run, folder: Path) -> None:
    write_parquet(folder / "x.parquet", ROWS)
    write_jsonl(folder / "x.jsonl", ROWS)
    (folder / "block").mkdir()
    (folder / "block" / "pyarrow.py").write_text("raise ImportError('no pyarrow')\n")
    path = os.pathsep.join([str(folder / "block"), os.environ.get("PYTHONPATH", "")])
    result = spawn("chunk", "x.parquet", PYTHONPATH=path)
    assert (result.code, result.out) == (3, "")
    message = 'Error: reading parquet needs an extra: pip install "chunkwright[arrow]"\n'
    assert result.err == message
    assert spawn("chunk", "x.jsonl", PYTHONPATH=path).code == 0


def test_nanoseconds_are_said_the_same_without_pandas(spawn: Run, folder: Path) -> None:
    zoned, took = pa.timestamp("ns", "Europe/Berlin"), pa.duration("ns")
    times: dict[str, Any] = {
        "text": ["One."],
        "when": pa.array([1_600_000_000_123_456_789], pa.timestamp("ns")),
        "zoned": pa.array([1_000_000_001], zoned),
        "whole": pa.array([2_000_000_000], zoned),
        "took": pa.array([1_234_567_891], took),
        "time": pa.array([1], pa.time64("ns")),
        "nothing": pa.array([None], took),
        "deep": pa.array([{"map": [("k", 1)]}], pa.struct({"map": pa.map_(pa.string(), zoned)})),
        "word": pa.array([1], took).dictionary_encode(),
        "list": pa.array([[1, None]], pa.list_(took)),
    }
    with pa.ipc.new_file(folder / "x.arrow", pa.table(times).schema) as writer:
        writer.write_table(pa.table(times))
    (folder / "block").mkdir()
    (folder / "block" / "pandas.py").write_text("raise ImportError('no pandas')\n")
    path = os.pathsep.join([str(folder / "block"), os.environ.get("PYTHONPATH", "")])
    result = spawn("chunk", "x.arrow", PYTHONPATH=path)
    assert spawn("chunk", "x.arrow") == result
    found = {key: value for key, value in result.rows[0].items() if key not in NAMES}
    assert found == {
        "when": "2020-09-13T12:26:40.123456789",
        "zoned": "1970-01-01T01:00:01.000000001+01:00",
        "whole": "1970-01-01T01:00:02+01:00",
        "took": 1.234567891,
        "time": "00:00:00.000000001",
        "nothing": None,
        "deep": {"map": [["k", "1970-01-01T01:00:00.000000001+01:00"]]},
        "word": 1e-9,
        "list": [1e-9, None],
    }


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(folder: Path) -> None:
    text = "Some words in a line, and others. " * 30
    for name, n in (("few", 5_000), ("many", 20_000)):
        write_jsonl(folder / f"{name}.jsonl", [{"text": f"{i} {text}"} for i in range(n)])
    assert (folder / "many.jsonl").stat().st_size > 20_000_000
    assert peak_of(folder, "many.jsonl") < peak_of(folder, "few.jsonl") + 8


@pytest.mark.parametrize("flag", ["--text-column", "--id-column"])
def test_a_wrong_column_is_told_once_with_a_count(here: Run, flag: str) -> None:
    write_jsonl(Path("x.jsonl"), [{"text": "words", "id_": i} for i in range(1234)])
    result = here("chunk", "x.jsonl", "docs/deep", flag, "body")
    assert result.code == 1
    assert {row["document"] for row in result.rows} == {"notes.txt"}
    assert result.err == (
        "Failed: x.jsonl: no field 'body' in 1,234 rows, the first of them x.jsonl:1: there are "
        "'text', 'id_'\n"
    )
    result = here("chunk", "x.jsonl", flag, "body", "--fail-fast")
    assert (result.code, result.out) == (1, "")
    assert result.err == "Failed: x.jsonl:1: no field 'body'; there are 'text', 'id_'\n"


def test_rows_without_a_field_are_counted_where_the_file_is_damaged(here: Run) -> None:
    Path("x.jsonl").write_bytes(b'{"body": 1}\n' * 3 + b"\xff\n" + b'{"text": "words"}\n')
    write_gzip(Path("y.jsonl.gz"), [{"body": os.urandom(99).hex()} for _ in range(99)])
    Path("y.jsonl.gz").write_bytes(Path("y.jsonl.gz").read_bytes()[:5000])
    result = here("chunk", "x.jsonl", "y.jsonl.gz")
    assert [row["text"] for row in result.rows] == ["words"]
    starts = [
        "x.jsonl:4: not valid utf-8",
        "x.jsonl: no field 'text' in 3 rows, the first of them x.jsonl:1: there are 'body'",
        "y.jsonl.gz: no field 'text' in ",
        "y.jsonl.gz: Compressed file ended",
    ]
    for failure, start in zip(result.err.splitlines(), starts, strict=True):
        assert failure.startswith(f"Failed: {start}")
