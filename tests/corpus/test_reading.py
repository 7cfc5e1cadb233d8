"""Reading of inputs: what is a document, what is a failure, and what rows carry."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import chunkwright as cw
from chunkwright import _core
from chunkwright.corpus import Corpus
from chunkwright.corpus.reading import tables
from chunkwright.corpus.reading.tables import sliced
from chunkwright.errors import ConfigError
from chunkwright.io.batches import ROWS
from chunkwright.io.rows import RowNames
from tests.corpus.folders import rows, text, write_json, write_parquet
from tests.corpus.runs import written


def test_lines_that_are_no_rows_are_failures_with_their_places(folder: Path) -> None:
    lines = [
        b'{"text": "Good."}',
        b"not JSON",
        b"",
        b'["a list"]',
        b'{"other": "no text"}',
        b'{"text": 5}',
        b'{"text": null}',
        b'{"text": "Not \xff UTF-8."}',
        b'{"text": ["a", "list"]}',
        b'{"text": "Good, too."}',
    ]
    (folder / "rows.jsonl").write_bytes(b"\n".join(lines))
    chunks, failures, counts = written(folder)
    assert [chunk["text"] for chunk in chunks] == ["Good.", "Good, too."]
    said = {failure["place"].rpartition(":")[2]: failure["message"] for failure in failures}
    assert {number: said[number].partition(": ")[2] for number in said if number != "7"} == {
        "2": "not JSON at column 1: Expecting value",
        "4": "not a JSON object, but an array",
        "5": "no field 'text'; there are 'other'",
        "6": "field 'text' is a number, not a string",
        "8": said["8"].partition(": ")[2],
        "9": "field 'text' is an array, not a string",
    }
    assert "utf-8" in said["8"].lower()
    assert said["7"] == "the text is null"
    assert {failure["unit"] for failure in failures} == {"rows.jsonl"}
    assert {failure["stage"] for failure in failures} == {"read", "cut"}
    assert (counts.documents, counts.failed) == (2, 7)


def test_fields_that_came_late_are_failures_which_dropping_them_mends(folder: Path) -> None:
    first = [{"text": text(n), "year": n} for n in range(1000)]
    late: list[dict[str, Any]] = [
        {"text": "late", "colour": "red"},
        {"text": "odd", "year": "x"},
        {"text": "good", "year": None},
        {"text": "without"},
    ]
    write_json(folder / "rows.jsonl", [*first, *late])
    chunks, failures, _ = written(folder)
    assert [chunk["text"] for chunk in chunks[-2:]] == ["good", "without"]
    assert [failure["place"] for failure in failures] == ["rows.jsonl:1001", "rows.jsonl:1002"]
    assert "'colour'" in failures[0]["message"]
    assert "'year' is not int64" in failures[1]["message"]
    assert all("drop_columns" in failure["message"] for failure in failures)
    chunks, failures, _ = written(folder, drop_columns=["colour", "year"])
    assert not failures
    assert [chunk["text"] for chunk in chunks[-4:]] == ["late", "odd", "good", "without"]


def test_values_of_all_types_of_json_are_carried(folder: Path) -> None:
    carried: list[dict[str, Any]] = [
        {"a": 1, "b": "x", "c": [1, 2], "d": {"x": True}, "f": None, "g": 0.5, "h": {"a": 1}},
        {"a": None, "b": "", "c": [], "d": {"x": None}, "f": None, "g": 1, "h": 2},
    ]
    write_json(folder / "rows.jsonl", ({"text": f"{n}.", **row} for n, row in enumerate(carried)))
    chunks, failures, _ = written(folder)
    assert not failures
    assert [{name: chunk[name] for name in "abcdfg"} for chunk in chunks] == [
        {name: row[name] for name in "abcdfg"} for row in carried
    ]
    # Of no one type: as JSON.
    assert [chunk["h"] for chunk in chunks] == ['{"a": 1}', "2"]


def test_lone_surrogates_of_json_are_replaced(folder: Path) -> None:
    rows_ = [{"text": "a \ud800 b", "c": "\udfff"}, {"text": "pair \ud83d\ude80", "c": "\u6f22"}]
    write_json(folder / "rows.jsonl", rows_)
    chunks, failures, _ = written(folder)
    assert not failures
    assert [(chunk["text"], chunk["c"]) for chunk in chunks] == [
        ("a \ufffd b", "\ufffd"),
        ("pair \U0001f680", "漢"),
    ]


def test_ids_are_strings_or_integers(folder: Path) -> None:
    ids: list[Any] = ["a", 7, None, True, 1.5, [1]]
    write_json(folder / "rows.jsonl", ({"text": text(n), "id": id_} for n, id_ in enumerate(ids)))
    chunks, failures, counts = written(folder, id_column="id")
    assert {chunk["document_id"] for chunk in chunks} == {"a", "7"}
    assert "id" not in chunks[0]
    assert [failure["place"] for failure in failures] == [f"rows.jsonl:{n}" for n in (3, 4, 5, 6)]
    assert all("'id'" in failure["message"] for failure in failures)
    assert counts.failed == 4


def invalid_column(*values: bytes | None) -> pa.Array:
    """Return strings that are not UTF-8, as other writers leave them in files."""
    return pa.array(values, pa.binary()).view(pa.string())


def test_texts_of_tables_that_are_not_utf_8_or_null_are_failures(folder: Path) -> None:
    texts = invalid_column(b"Good.", b"Not \xff.", None, b"", b"Good, too.")
    for name in ("a.parquet", "b.arrow"):
        whole = pa.table({"text": texts, "n": range(5)})
        if name.endswith("parquet"):
            pq.write_table(whole, folder / name)
        else:
            with pa.ipc.new_file(folder / name, whole.schema) as writer:
                writer.write_table(whole)
    chunks, failures, counts = written(folder)
    assert [(chunk["text"], chunk["n"]) for chunk in chunks] == [
        ("Good.", 0),
        ("Good, too.", 4),
    ] * 2
    assert [(failure["place"], failure["stage"], failure["kind"]) for failure in failures] == [
        (f"{name}:{row}", "cut", "ReadError") for name in ("a.parquet", "b.arrow") for row in (2, 3)
    ]
    assert (counts.documents, counts.empty, counts.failed) == (6, 2, 4)


@pytest.mark.parametrize(
    "column", [pa.array([1, 2]), pa.array([b"a", b"b"]), pa.array([["a"], ["b"]])]
)
def test_each_row_of_a_table_without_texts_is_a_failure(folder: Path, column: pa.Array) -> None:
    write_parquet(folder / "a.parquet", {"text": ["Good."]})
    write_parquet(folder / "b.parquet", {"text": column})
    write_parquet(folder / "c.parquet", {"other": ["x"]})
    chunks, failures, counts = written(folder, drop_columns=["other"])
    assert [chunk["text"] for chunk in chunks] == ["Good."]
    places = [failure["place"] for failure in failures]
    assert places == ["b.parquet:1", "b.parquet:2", "c.parquet:1"]
    assert {failure["kind"] for failure in failures} == {"ReadError"}
    assert (counts.documents, counts.failed) == (1, 3)


@pytest.mark.parametrize("options", [{"text_column": "body"}, {"id_column": "key"}])
def test_a_column_that_no_table_has_is_an_error_before_the_run(
    folder: Path, options: Mapping[str, Any]
) -> None:
    write_parquet(folder / "a.parquet", {"text": ["Good."]})
    [(option, name)] = options.items()
    with pytest.raises(ConfigError, match=f"no table has a column '{name}'") as told:
        Corpus(folder, **options).plan()
    assert told.value.option == option


def test_strings_of_all_types_are_texts(folder: Path) -> None:
    kinds = [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.string()),
    ]
    for n, kind in enumerate(kinds):
        table = pa.table({"text": pa.array([f"One {n}.", f"Two {n}."]).cast(kind)})
        with pa.ipc.new_file(folder / f"{n}.arrow", table.schema) as writer:
            writer.write_table(table)
    chunks, failures, _ = written(folder)
    assert not failures
    assert [chunk["text"] for chunk in chunks] == [
        f"{word_} {n}." for n in range(len(kinds)) for word_ in ("One", "Two")
    ]


def test_columns_of_several_files_are_joined(folder: Path) -> None:
    write_parquet(folder / "a.parquet", {"text": ["A."], "n": pa.array([1], pa.int32())})
    write_parquet(
        folder / "b.parquet",
        {"text": ["B."], "n": pa.array([2**40]), "c": pa.array(["x"]).dictionary_encode()},
    )
    write_json(folder / "c.jsonl", [{"text": "C.", "n": 3, "more": "y"}])
    (folder / "d.txt").write_text("D.")
    chunks, failures, _ = written(folder)
    assert not failures
    assert [(chunk["text"], chunk["n"], chunk["c"], chunk["more"]) for chunk in chunks] == [
        ("A.", 1, None, None),
        ("B.", 2**40, "x", None),
        ("C.", 3, None, "y"),
        ("D.", None, None, None),
    ]


def test_columns_that_no_type_holds_are_named(folder: Path) -> None:
    write_parquet(folder / "a.parquet", {"text": ["A."], "n": [1]})
    write_parquet(folder / "b.parquet", {"text": ["B."], "n": [["x"]]})
    with pytest.raises(ConfigError, match=r"'n' is int64 in a\.parquet and list.* b\.parquet"):
        written(folder)
    chunks, _, _ = written(folder, drop_columns=["n"])
    assert [chunk["text"] for chunk in chunks] == ["A.", "B."]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_tables_with_names_that_are_no_utf_8_are_read(folder: Path, suffix: str) -> None:
    table = pa.table({"text": ["A.", "B."], "n": [1, 2]})
    path = folder / f"a.{suffix}"
    if suffix == "parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    path.rename(path.with_name(os.fsdecode(b"\xff.") + suffix))
    chunks, failures, _ = written(folder)
    assert not failures
    assert [(chunk["text"], chunk["n"]) for chunk in chunks] == [("A.", 1), ("B.", 2)]


@pytest.mark.parametrize("name", ["index", "error", "vector", "duplicate_of"])
def test_columns_called_as_those_of_chunks_are_refused(folder: Path, name: str) -> None:
    write_json(folder / "a.jsonl", [{"text": "A.", name: 1}])
    options: dict[str, Any] = {
        "duplicates": "mark",
        "embedder": lambda texts: np.ones((len(texts), 2)),
        "fingerprint": "1",
    }
    with pytest.raises(ConfigError, match=f"'{name}'"):
        written(folder, **options)
    chunks, _, _ = written(folder, drop_columns=[name], **options)
    assert [chunk["text"] for chunk in chunks] == ["A."]


def test_batches_of_rows_are_bounded_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROWS", ROWS._replace(n_bytes=1000))
    texts = [text(n, n % 50) if n % 9 else "x" * 5000 for n in range(100)]
    whole = pa.record_batch({"text": texts, "n": range(100)})
    parts = sliced(whole, RowNames("rows", 1), "text")
    assert pa.Table.from_batches([rows_ for rows_, _ in parts]).to_pylist() == whole.to_pylist()
    start = 1
    for rows_, places in parts:
        assert places[0] == f"rows:{start}"
        start += rows_.num_rows
        assert rows_.num_rows == 1 or sum(map(len, rows_["text"].to_pylist())) <= 1000


def test_ids_of_documents_are_derived_from_texts_wherever_they_stand(folder: Path) -> None:
    write_json(folder / "a.jsonl", ({"text": text(n)} for n in range(5)))
    write_parquet(folder / "b.parquet", {"text": [text(n) for n in range(5)]})
    chunks, _, _ = written(folder)
    half = len(chunks) // 2
    assert [chunk["chunk_id"] for chunk in chunks[:half]] == [
        chunk["chunk_id"] for chunk in chunks[half:]
    ]
    assert chunks[0]["document_id"] == _core.document_id(text(0))


def test_failures_of_rows_say_what_kind_of_error_it_was(folder: Path) -> None:
    write_json(folder / "a.jsonl", ({"text": text(n)} for n in range(3)))

    def count(piece: str) -> int:
        if "Document 2." in piece:
            raise LookupError("it cannot be counted")
        return len(piece.split())

    strategy = cw.Sentence(max_tokens=9, tokenizer=count)
    _, failures, _ = written(folder, strategy, fingerprint="words")
    [failure] = failures
    assert (failure["kind"], failure["message"]) == ("LookupError", "it cannot be counted")
    assert (failure["place"], failure["stage"]) == ("a.jsonl:3", "cut")
    assert failure["document_id"] == _core.document_id(text(2))


def test_fields_are_told_by_rows_of_all_files(tmp_path: Path) -> None:
    write_json(tmp_path / "a.jsonl", [{"text": None}, {"text": "One."}])
    write_json(tmp_path / "b.jsonl", [{"text": "Two.", "year": 2026, "tag": 1}])
    write_json(tmp_path / "c.jsonl", [{"text": "Three.", "year": 2.5, "tag": "x"}])
    result = Corpus(tmp_path, cw.Window(max_chars=50)).write(tmp_path / "out")
    found = [(row["text"], row["year"], row["tag"]) for row in rows(tmp_path / "out")]
    assert found == [("One.", None, None), ("Two.", 2026.0, "1"), ("Three.", 2.5, "x")]
    assert result.counts.failed == 1
