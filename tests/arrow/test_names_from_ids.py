"""Tables whose documents are called by their ids: equal texts of two documents stay apart."""

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking.arrow_tables import TableOptions

NAMES = st.none() | st.sampled_from(["a", "b", "c"])


OPTIONS = TableOptions(
    text_column="text",
    name_column=None,
    document_id_column="id",
    id_column="chunk_id",
    n_tokens=None,
    kind=None,
    workers=2,
    collects=False,
    name_from_id=True,
)


def rows_of(strategy: Any, data: Any, **options: Any) -> list[dict[str, Any]]:
    table = pa.table(strategy.cut_table(data, replace(OPTIONS, **options)))
    table.validate(full=True)
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


@given(
    documents=st.lists(
        st.tuples(NAMES, NAMES, st.sampled_from(["One two. Three.", "Four.", ""])), max_size=6
    )
)
def test_chunks_are_those_of_documents_called_so(
    documents: list[tuple[str | None, str | None, str]],
) -> None:
    strategy = cw.Window(max_chars=5)
    rows = [dict(zip(("name", "id", "text"), document, strict=True)) for document in documents]
    schema = pa.schema({"name": pa.string(), "id": pa.string(), "text": pa.string()})
    table = pa.Table.from_pylist(rows, schema)
    expected = []
    for name, id_, text in documents:
        of = id_ or cw.Document(text=text).id
        called = of if name is None else name
        expected += [(called, of, id_) for id_ in strategy(text, name=called).ids]
    keys = ("document", "document_id", "chunk_id")
    found = rows_of(strategy, table, name_column="name")
    assert [tuple(row[key] for key in keys) for row in found] == expected


def test_equal_texts_of_two_documents_have_chunks_of_their_own() -> None:
    table = pa.table({"id": ["1", "2"], "text": ["Same text."] * 2})
    strategy = cw.Recursive(max_chars=40)
    one, two = rows_of(strategy, table)
    assert (one["document"], two["document"]) == ("1", "2")
    assert one["chunk_id"] != two["chunk_id"]
    one, two = rows_of(strategy, table, name_from_id=False)
    assert (one["document"], two["document"]) == (None, None)
    assert one["chunk_id"] == two["chunk_id"]


def test_names_are_ids_where_no_column_holds_ids() -> None:
    table = pa.table({"text": ["One.", "Two."]})
    rows = rows_of(cw.Window(max_chars=9), table, document_id_column=None, id_column=None)
    assert "document_id" not in rows[0]
    assert [row["document"] for row in rows] == [cw.Document(text=t).id for t in ("One.", "Two.")]


def test_the_id_of_elements_is_that_of_their_text() -> None:
    markdown = "# A\n\nb"
    table = pa.table({"text": [markdown]})
    (row,) = rows_of(cw.Hybrid(max_chars=9), table, document_id_column=None)
    assert row["document"] == row["document_id"] == cw.read_markdown(markdown).id


def test_a_document_that_cannot_be_cut_is_called_by_the_id_that_is_known() -> None:
    damaged = pa.array([b"a\xff", None, None]).view(pa.string())
    table = pa.table({"id": [None, "2", None], "text": damaged})
    rows = rows_of(cw.Window(max_chars=9), table, collects=True)
    assert [row["document"] for row in rows] == [row["document_id"] for row in rows]
    assert [row["document"] for row in rows][1:] == ["2", None]


def test_a_model_is_not_shown_an_id_that_is_derived_from_the_text() -> None:
    strategy = cw.Contextual(cw.Window(max_chars=9), context="structure")
    table = pa.table({"id": ["report", None], "text": ["One two. Three.", "Four. Five."]})
    rows = rows_of(strategy, table)
    contexts = {row["document"]: row["context"] for row in rows}
    assert contexts["report"].startswith("report | ")
    assert [key in (value or "") for key, value in contexts.items()] == [True, False]


@pytest.mark.parametrize("column", [pa.array([1]), pa.array([b"1"]), pa.array([1.5])])
def test_ids_are_strings(column: Any) -> None:
    table = pa.table({"id": column, "text": ["One."]})
    with pytest.raises(cw.ConfigError, match='column "id" must hold strings, but is of type'):
        cw.Window(max_chars=9).arrow(table, document_id_column="id")
