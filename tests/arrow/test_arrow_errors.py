"""`arrow` with collected errors: a row that cannot be cut says why, and no other row is lost."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.rows import ALL
from tests.support.texts import TEXTS

BINARY = {
    pa.string(): pa.binary(),
    pa.large_string(): pa.large_binary(),
    pa.string_view(): pa.binary_view(),
}
STRATEGIES: dict[str, Any] = {
    "texts": cw.Window(max_chars=4),
    "elements": cw.Hybrid(max_chars=20),
    "vectors": cw.Cluster(max_chars=20, embedder=lambda texts: [[1.0]] * len(texts)),
    "counter": cw.Window(max_tokens=4, tokenizer=len),
    "contexts": cw.Contextual(cw.Window(max_chars=4), context="structure"),
}
# Of a row that cannot be cut.
OF_DOCUMENTS = {"document", "document_id", "doc_index", "error"}


def rows_of(chunks: Any) -> list[dict[str, Any]]:
    table = pa.table(chunks)
    table.validate(full=True)
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def both(columns: dict[str, Any]) -> list[Any]:
    return [pa.record_batch(columns), pa.table(columns)]


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("kind", BINARY, ids=str)
def test_rows_that_are_no_text_fail_alone(name: str, kind: Any) -> None:
    array = pa.array([b"fine", b"a\xff", None, b"\xe6\xbc", b"good"], BINARY[kind]).view(kind)
    for data in both({"text": array}):
        rows = rows_of(STRATEGIES[name].arrow(data, errors="collect"))
        assert [(row["doc_index"], row["text"], row["error"]) for row in rows] == [
            (0, "fine", None),
            (1, None, "the string in row 1 is not valid UTF-8 from byte 1 on"),
            (2, None, "row 2: the text is null"),
            (3, None, "the string in row 3 is not valid UTF-8 from byte 0 on"),
            (4, "good", None),
        ]
        for row in rows[1:4]:
            assert {key for key in row if key in ALL and row[key] is not None} <= OF_DOCUMENTS


@given(
    texts=st.lists(st.none() | st.just(" \n") | TEXTS, max_size=8),
    max_chunksize=st.integers(1, 9),
)
def test_each_null_and_nothing_else_has_a_row_more(
    texts: list[str | None], max_chunksize: int
) -> None:
    strategy = cw.Window(max_chars=9)
    whole = pa.table({"text": pa.array(texts, pa.string())})
    table = pa.Table.from_batches(whole.to_batches(max_chunksize), whole.schema)
    rows = rows_of(strategy.arrow(table, errors="collect"))
    cut = [row for row in rows if row["error"] is None]
    raised = rows_of(strategy.arrow(table))
    assert [{**row, "error": None} for row in raised] == cut
    nulls = [i for i, text in enumerate(texts) if text is None]
    failed = [(row["doc_index"], row["error"]) for row in rows if row["error"] is not None]
    assert failed == [(i, f"row {i}: the text is null") for i in nulls]
    assert [row["doc_index"] for row in rows] == sorted(row["doc_index"] for row in rows)


def test_a_row_that_cannot_be_cut_keeps_what_is_known_of_it() -> None:
    columns = {
        "path": ["a", None, "c"],
        "key": ["A", "B", None],
        "year": [1, 2, 3],
        "text": pa.array([None, None, None], pa.string()),
    }
    rows = rows_of(
        cw.Window(max_chars=9).arrow(
            pa.table(columns), name_column="path", document_id_column="key", errors="collect"
        )
    )
    assert [(row["document"], row["document_id"], row["year"]) for row in rows] == [
        ("a", "A", 1),
        (None, "B", 2),
        # Nothing tells the id of a document without a text.
        ("c", None, 3),
    ]


def test_null_rows_and_null_lists_say_so() -> None:
    rows = pa.array([{"text": "One."}, None])
    found = rows_of(cw.Window(max_chars=9).arrow(rows, errors="collect"))
    assert [row["error"] for row in found] == [None, "row 1: the text is null"]
    batch = pa.record_batch({"text": [[{"type": "Title", "text": "A"}], None, []]})
    found = rows_of(cw.Hybrid(max_chars=9).arrow(batch, errors="collect"))
    assert [row["error"] for row in found] == [None, "row 1: the text is null"]


def test_an_element_that_is_no_utf8_is_named_with_its_row() -> None:
    damaged = pa.array([b"ok", b"ok", b"b\xff"]).view(pa.string())
    items = pa.StructArray.from_arrays(
        [pa.array(["Title", "Text", "Text"]), damaged], ["type", "text"]
    )
    batch = pa.record_batch({"text": pa.ListArray.from_arrays(pa.array([0, 1, 3]), items)})
    message = r"row 1: elements\[1\]: a string is not valid UTF-8 from byte 1 on"
    with pytest.raises(cw.ReadError, match=message):
        cw.Hybrid(max_chars=9).arrow(batch)
    rows = rows_of(cw.Hybrid(max_chars=9).arrow(batch, errors="collect"))
    assert [row["text"] for row in rows] == ["ok", None]


@pytest.mark.slow
@pytest.mark.parametrize("kind", BINARY, ids=str)
def test_a_row_of_200_megabytes_is_cut(kind: Any) -> None:
    text = "word and more. " * 13_333_334
    columns = {"path": ["a", "b"], "text": pa.array(["first", text], kind)}
    chunks = cw.Window(max_chars=1_000_000).arrow(pa.table(columns))
    n_chars, n_rows = 0, 0
    for batch in pa.RecordBatchReader.from_stream(chunks):
        assert batch.nbytes < 2**27
        n_chars += sum(len(text) for text in batch["text"].to_pylist())
        n_rows += len(batch)
    assert (n_chars, n_rows) == (len("first") + len(text), 202)
