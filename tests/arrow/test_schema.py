"""Schema of rows: order, types and nullability are the same whoever writes them."""

import json
import pickle
import signal
from typing import Any

import pyarrow as pa
import pytest

import chunkwright as cw
from chunkwright.rows import (
    ALL,
    BASE,
    OF_BLOCKS,
    OF_CODE,
    OF_CONTEXTS,
    OF_ELEMENTS,
    OF_ENDINGS,
    RESERVED,
)
from tests.support.scripted_models import silent

MARKDOWN = "# A\n\nOne two. Three four.\n\n| k | v |\n|---|---|\n| 1 | 2 |\n\n## B\n\n- x\n- y\n"
OPTIONS: dict[str, Any] = {
    "by_similarity": {"embedder": "lexical"},
    "llm": {"llm": silent},
}
SOURCES = {"json": json.dumps({"a": [1, 2, 3], "b": "x y z"})}
NAMES = sorted(cw.chunking.ALL_STRATEGIES)


def made(name: str) -> Any:
    return cw.chunking.ALL_STRATEGIES[name](max_tokens=8, **OPTIONS.get(name, {}))


@pytest.mark.parametrize("name", [*NAMES, "contextual"])
def test_every_strategy_has_one_schema(name: str) -> None:
    if name == "contextual":
        strategy: Any = cw.Contextual(cw.Hybrid(max_tokens=8), context="structure")
    else:
        strategy = made(name)
    source = SOURCES.get(name, MARKDOWN)
    kind = None if name == "json" else "markdown"
    batch = pa.record_batch({"text": [source], "n": [7], "by": ["Ada"]})
    table = pa.record_batch(strategy.arrow(batch, kind=kind))
    if kind is None:
        document = cw.Document(text=source)
    else:
        document = cw.read(source.encode(), kind=kind).named(None)
    chunks = strategy(document.with_metadata({"n": 7, "by": "Ada"}))
    assert len(chunks) > 0
    assert table.schema.equals(chunks.to_arrow().schema, check_metadata=True)
    assert table.to_pylist() == chunks.to_arrow().to_pylist() == chunks.to_dicts()
    assert [dict(chunk) for chunk in chunks] == chunks.to_dicts()
    assert chunks.to_polars().to_arrow().schema.names == table.schema.names
    assert [*chunks.to_pandas().columns] == table.schema.names
    more = () if name == "contextual" else strategy.columns
    more = (*OF_ELEMENTS, *OF_CONTEXTS) if name == "contextual" else more
    of_elements = () if name == "json" or OF_ELEMENTS[0] in more else OF_ELEMENTS
    assert table.schema.names == [*BASE, *of_elements, *more, "n", "by"]


@pytest.mark.parametrize("name", NAMES)
def test_no_rows_have_the_same_schema(name: str) -> None:
    strategy = made(name)
    if "text" in strategy.takes:
        text = SOURCES.get(name, "One two. Three.")
        assert strategy.batch([]).to_arrow().schema == strategy(text).to_arrow().schema


def test_what_may_be_null() -> None:
    schema = pa.schema(cw.Kamradt(max_tokens=8)(cw.read(MARKDOWN.encode(), kind="markdown")))
    nullable = {field.name for field in schema if field.nullable}
    assert nullable == {
        *("document", "source_start", "source_end", "source_line_start", "source_line_end"),
        *("first_element", "last_element", "html", "boxes", "confidence"),
        *("score", "threshold", "speaker", "time_start", "time_end"),
    }
    assert {*schema.names} == {*BASE, *OF_ELEMENTS, *OF_ENDINGS}
    blocks = pa.schema(made("structural")(cw.read(MARKDOWN.encode(), kind="markdown")))
    assert {*blocks.names} == {*BASE, *OF_ELEMENTS, *OF_BLOCKS, *OF_ENDINGS}
    assert {name for name in OF_BLOCKS if blocks.field(name).nullable} == {*OF_BLOCKS[1:]}
    collected = cw.Recursive(max_tokens=4).arrow(
        pa.record_batch({"text": ["One."]}), errors="collect"
    )
    fields = pa.record_batch(collected).schema
    assert [field.name for field in fields if not field.nullable] == ["doc_index"]


def test_metadata_are_carried_along() -> None:
    documents = [
        cw.Document(text="One. Two.", id="1", metadata={"year": 1921, "by": "Ada", "ok": True}),
        cw.Document(text="Three.", metadata={"year": 0.5, "x": None}),
        cw.Document(text=""),
    ]
    chunks = cw.Sentence(sentences=1).batch(documents)
    table = chunks.to_arrow()
    assert table.schema.names[len(BASE) :] == ["year", "by", "ok", "x"]
    assert table["year"].to_pylist() == [1921.0, 1921.0, 0.5]
    assert table["by"].to_pylist() == ["Ada", "Ada", None]
    assert table["ok"].to_pylist() == [True, True, None]
    assert table["x"].to_pylist() == [None] * 3
    assert table["document_id"].to_pylist() == ["1", "1", documents[1].id]
    assert (
        [chunk.document_id for chunk in chunks]
        == chunks.document_ids
        == ["1", "1", documents[1].id]
    )
    assert chunks[0].metadata == documents[0].metadata
    assert chunks.documents == documents
    # Whichever rows are asked for, they have the columns of all.
    assert pa.schema(chunks) == chunks[2:].to_arrow().schema == table.schema
    assert [dict(chunk) for chunk in chunks] == chunks.to_dicts() == table.to_pylist()
    odd = cw.Document(text="Four.", metadata={"by": 4})
    with pytest.raises(
        cw.ConfigError, match="metadata 'by' is of type str in one document, int in another"
    ):
        cw.Sentence().batch([documents[0], odd]).to_arrow()


@pytest.mark.parametrize("large", [2**53 + 1, -(2**63) + 1, 2**63 - 1])
@pytest.mark.parametrize("is_first", [True, False])
def test_an_integer_that_no_float_is_stands_beside_no_floats(large: int, *, is_first: bool) -> None:
    values = [large, 0.5] if is_first else [0.5, large]
    documents = [cw.Document(text="One.", metadata={"a": value}) for value in values]
    with pytest.raises(cw.ConfigError, match=f"metadata 'a' has floats, and the int {large}, "):
        cw.Sentence().batch(documents).to_arrow()
    beside = [cw.Document(text="One.", metadata={"a": value}) for value in (large, None, 2**53)]
    assert cw.Sentence().batch(beside).to_arrow()["a"].to_pylist() == [large, None, 2**53]
    exact = [cw.Document(text="One.", metadata={"a": value}) for value in (2**60, 0.5)]
    assert cw.Sentence().batch(exact).to_arrow()["a"].to_pylist() == [2.0**60, 0.5]


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"text": 1}, "metadata 'text' is a column of chunks too: take another name"),
        ({"context": "x"}, "metadata 'context' is a column of chunks too"),
        ({1: 1}, "names of metadata must be str, got 1"),
        ({"a": {1}}, "metadata 'a' must be a str, int, float, bool or None, or a list, got set"),
        ({"a": 10**5000}, "metadata 'a' must be an int of 64 bits, got one of 16610 bits"),
        ([("a", 1)], r"metadata must be a dict, got \[\('a', 1\)\]"),
    ],
)
def test_metadata_that_are_none(metadata: Any, message: str) -> None:
    with pytest.raises(cw.ConfigError, match=message) as caught:
        cw.Document(text="x", metadata=metadata)
    assert caught.value.option == "metadata"


def test_ids_of_documents() -> None:
    one = cw.Document(text="One.")
    assert len(one.id) == 32
    assert one.id == cw.Document(text="One.", name="other.md").id == cw.chunk("One.")[0].document_id
    assert one.id != cw.Document(text="One. ").id
    assert one.with_id("mine").id == "mine"
    assert one.with_id("mine").with_id(None) == one
    assert cw.Document(text="\ud800").id == cw.Document(text="\ufffd").id
    with pytest.raises(cw.ConfigError, match="id must be a str or None, got 7"):
        cw.Document(text="x", id=7)  # type: ignore[arg-type]


def test_metadata_may_be_of_subclasses() -> None:
    class Team(str):
        __slots__ = ()

    documents = [
        cw.Document(text="One.", metadata={"by": Team("x"), "n": signal.SIGINT}),
        cw.Document(text="Two.", metadata={"by": "y", "n": 7}),
    ]
    rows = cw.Sentence().batch(documents).to_dicts()
    assert [(row["by"], row["n"]) for row in rows] == [("x", 2), ("y", 7)]


def test_metadata_that_json_cannot_say() -> None:
    metadata = {"a": float("nan"), "b": float("inf"), "c": -(2**63)}
    chunks = cw.Sentence()(cw.Document(text="One.", metadata=metadata))
    (row,) = json.loads(json.dumps(chunks.to_dicts(), allow_nan=False))
    assert (row["a"], row["b"], row["c"]) == (None, None, -(2**63))
    assert chunks.to_arrow()["b"].to_pylist() == [float("inf")]


def test_a_chunk_by_itself_keeps_what_its_document_is() -> None:
    document = cw.Document(text="One. Two.", id="k-\ud800", metadata={"by": "\ud83d\ude00"})
    (chunk,) = cw.Sentence()(document)
    again = pickle.loads(pickle.dumps(chunk))
    assert (again.document_id, again.metadata) == ("k-\ud800", {"by": "\ud83d\ude00"})
    assert dict(again) == dict(chunk)
    assert (dict(chunk)["document_id"], dict(chunk)["by"]) == ("k-\ufffd", "\U0001f600")


def test_all_names_are_reserved() -> None:
    assert len({*ALL}) == len(ALL)
    for name in RESERVED:
        with pytest.raises(cw.ConfigError, match="is a column of chunks too"):
            cw.Document(text="x", metadata={name: 1})
    # Metadata of these names are common, and take the place of the columns.
    assert {*ALL} - RESERVED == {*OF_CODE}
