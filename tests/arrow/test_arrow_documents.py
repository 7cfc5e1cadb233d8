"""`arrow` of strategies over elements and headings: each row is cut as its document by itself."""

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw

pa = pytest.importorskip("pyarrow")

MARKDOWN = "# Rain\n\nIt *rained* for days.\n\n## More\n\n- one\n- two\n\n```py\nx = 1\n```\n\nÄnd."
FRONT = "---\ntitle: x\n---\n\n# A  # \n\nb\n\n| k | v |\n|---|---|\n| 1 | 2 |\n"
HTML = "\ufeff<!doctype html><h1>Rain</h1><p>It rained.<h2>More</h2><ul><li>a<li>b</ul><p>漢字"
ITEMS: list[dict[str, Any]] = [
    {"type": "Title", "text": "A", "element_id": "a", "metadata": {"category_depth": 0}},
    {"type": "Title", "text": "B", "element_id": "b", "metadata": {"category_depth": 1}},
    {"type": "NarrativeText", "text": "under  B", "metadata": {"page_number": 2}},
    {"type": "NarrativeText", "text": "under A", "metadata": {"parent_id": "a", "page_number": 3}},
    {
        "type": "Table",
        "text": "a b",
        "metadata": {"text_as_html": "<table><tr><td>a</td><td>b</td></tr></table>"},
    },
]
TEXTS = [MARKDOWN, FRONT, HTML, json.dumps(ITEMS), "[]", "\ufeff\n# BOM\n\nx"]
STRATEGIES: dict[str, Any] = {
    "hybrid": {"max_chars": 30},
    "hierarchical": {"max_chars": 30},
    "basic": {"max_chars": 30},
    "by_title": {"max_chars": 30},
    "by_page": {"max_chars": 30},
    "by_similarity": {"max_chars": 60, "embedder": "lexical"},
}


def make(name: str, **options: Any) -> Any:
    return cw.chunking.ALL_STRATEGIES[name](**{**STRATEGIES[name], **options})


def rows_of(chunks: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pa.table(chunks).to_pylist()
    return rows


def expected(splitter: Any, documents: list[Any]) -> list[dict[str, Any]]:
    """Return the rows of single calls, as those of a table."""
    rows: list[dict[str, Any]] = []
    for number, document in enumerate(documents):
        rows += [{**row, "doc_index": number} for row in splitter(document).to_dicts()]
    return rows


def check(splitter: Any, got: list[dict[str, Any]], documents: list[Any]) -> None:
    assert got
    singles = expected(splitter, documents)
    lacking = {"n_tokens"} if splitter.max_tokens is None else set()
    assert got == [{key: row[key] for key in row if key not in lacking} for row in singles]


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("workers", [1, 4])
def test_texts_are_told_as_bytes_are(name: str, workers: int) -> None:
    splitter = make(name)
    documents = [cw.Document(elements=cw.read(text.encode()).elements) for text in TEXTS]
    batch = pa.record_batch({"text": TEXTS})
    check(splitter, rows_of(splitter.arrow(batch, workers=workers)), documents)
    table = pa.Table.from_batches([batch.slice(0, 2), batch.slice(2)])
    check(splitter, rows_of(splitter.arrow(table, workers=workers)), documents)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("kind", ["markdown", "html", "csv"])
def test_a_kind_can_be_named(name: str, kind: str) -> None:
    texts = ["# A\n\n<p>b, c</p>\nd,e\n", "<!doctype html><h1>A</h1>,<p>b", "k,v\n1,2\n3,4"]
    splitter = make(name)
    documents = [cw.read(text.encode(), kind=kind) for text in texts]
    documents = [cw.Document(elements=document.elements) for document in documents]
    batch = pa.record_batch({"body": texts})
    chunks = splitter.arrow(batch, text_column="body", kind=kind)
    check(splitter, rows_of(chunks), documents)


@pytest.mark.parametrize("name", ["hybrid", "hierarchical"])
def test_plain_texts_are_cut_under_no_heading(name: str) -> None:
    splitter = make(name)
    texts = ["One sentence of a text. Another one, and no heading.", MARKDOWN]
    documents = [texts[0], cw.Document(elements=cw.read_markdown(texts[1]).elements)]
    check(splitter, rows_of(splitter.arrow(pa.record_batch({"text": texts}))), documents)
    batch = pa.record_batch({"text": [MARKDOWN]})
    check(splitter, rows_of(splitter.arrow(batch, kind="text")), [MARKDOWN])


@pytest.mark.parametrize("name", ["basic", "by_title", "by_page", "by_similarity"])
def test_plain_texts_have_no_elements(name: str) -> None:
    splitter = make(name)
    batch = pa.record_batch({"text": ["", "# A\n\nb", None, "plain"]})
    with pytest.raises(cw.ConfigError, match=r"row 3: this strategy cuts elements, got a text"):
        splitter.arrow(batch)
    rows = rows_of(splitter.arrow(batch, errors="collect"))
    assert [row["error"] for row in rows[:-2]] == [None] * (len(rows) - 2)
    assert {row["doc_index"] for row in rows[:-2]} == {1}
    assert (rows[-2]["doc_index"], rows[-2]["error"]) == (2, "row 2: the text is null")
    assert (rows[-1]["doc_index"], rows[-1]["text"]) == (3, None)
    assert "row 3: this strategy cuts elements" in rows[-1]["error"]
    assert rows_of(splitter.arrow(batch, kind="markdown"))[-1]["text"] == "plain"


def test_what_cannot_be_read_is_named() -> None:
    splitter = make("hybrid")
    texts = ["# A\n\nb", "%PDF-1.7 ...", "a\0b", '[{"type": "Text", "text": null}]']
    batch = pa.record_batch({"text": texts})
    with pytest.raises(cw.ReadError, match=r"^row 1: this is a PDF document, not text: read"):
        splitter.arrow(batch)
    errors = [row["error"] for row in rows_of(splitter.arrow(batch, errors="collect"))]
    assert errors[0] is None
    assert errors[1].startswith("row 1: this is a PDF document, not text")
    assert errors[2].startswith("row 2: this is binary data, not text (a NUL at byte 1)")
    assert errors[3] == "row 3: elements[0]: text must be a str"
    stream = pa.RecordBatchReader.from_stream(splitter.arrow(pa.Table.from_batches([batch])))
    with pytest.raises(pa.ArrowInvalid, match="row 1: this is a PDF document"):
        stream.read_all()
    unclosed = pa.record_batch({"text": ["k\n1", 'a,"' + "b" * 140_000]})
    with pytest.raises(cw.ReadError, match=r"^row 1: "):
        splitter.arrow(unclosed, kind="csv")
    with pytest.raises(cw.ConfigError, match="kind"):
        splitter.arrow(batch, kind="markdwon")
    with pytest.raises(cw.ReadError, match="row 0: no elements"):
        splitter.arrow(pa.record_batch({"text": ["[1]"]}), kind="elements")


def test_packed_elements_are_read() -> None:
    items = [{"type": "Title", "text": "A"}, {"type": "Text", "text": "b"}]
    packed = base64.b64encode(zlib.compress(json.dumps(items).encode())).decode()
    splitter = make("hybrid")
    rows = rows_of(splitter.arrow(pa.record_batch({"text": [packed]}), kind="elements"))
    check(splitter, rows, [items])


def test_texts_of_other_strategies_stay_texts() -> None:
    batch = pa.record_batch({"text": [MARKDOWN]})
    splitter = cw.Recursive(max_chars=40)
    plain = rows_of(splitter.arrow(batch))
    assert [row["text"] for row in plain] == splitter(MARKDOWN).texts()
    assert "headings" not in plain[0]
    check(
        splitter,
        rows_of(splitter.arrow(batch, kind="markdown")),
        [cw.Document(elements=cw.read_markdown(MARKDOWN).elements)],
    )
    page = rows_of(splitter.arrow(pa.record_batch({"text": [HTML]}), kind="html"))
    assert [row["text"] for row in page] == splitter(cw.read(HTML.encode())).texts()


def test_a_counter_of_the_callers_own() -> None:
    splitter = cw.Hybrid(max_tokens=6, tokenizer=lambda text: len(text.split()))
    documents = [cw.Document(elements=cw.read(text.encode()).elements) for text in TEXTS]
    check(splitter, rows_of(splitter.arrow(pa.record_batch({"text": TEXTS}))), documents)


def test_names_make_ids() -> None:
    splitter = make("hybrid")
    batch = pa.record_batch({"path": ["a.md"], "text": [MARKDOWN]})
    rows = rows_of(splitter.arrow(batch, name_column="path"))
    ids = splitter(cw.read_markdown(MARKDOWN, name="a.md")).ids
    assert [row["chunk_id"] for row in rows] == ids


# ---------------------------------------------------------------------- lists of structs


@pytest.mark.parametrize("name", STRATEGIES)
def test_lists_of_structs_have_levels_and_parents(name: str) -> None:
    splitter = make(name)
    lists = [ITEMS, None, [], [{"type": "Text", "text": "x"}]]
    batch = pa.record_batch({"text": lists})
    documents = [items or [] for items in lists]
    check(splitter, rows_of(splitter.arrow(batch)), documents)
    large = pa.large_list(batch.schema.field("text").type.value_type)
    cast = pa.table({"text": batch["text"].cast(large)})
    check(splitter, rows_of(splitter.arrow(cast)), documents)


def test_fields_without_any_value_are_none() -> None:
    metadata = {"page_number": None, "text_as_html": None, "category_depth": None}
    items = [
        {"type": None, "text": "One", "element_id": None, "metadata": metadata},
        {"type": None, "text": "Two", "element_id": None, "metadata": None},
    ]
    batch = pa.record_batch({"text": [items]})
    splitter = make("hybrid")
    check(splitter, rows_of(splitter.arrow(batch)), [[{"text": "One"}, {"text": "Two"}]])


@pytest.mark.parametrize("page", ["iv", 3.0, True, 1.5, "1"])
def test_pages_of_any_type(page: Any) -> None:
    items = [
        {"type": "Text", "text": "a", "metadata": {"page_number": page}},
        {"type": "Text", "text": "b", "metadata": {"page_number": page}},
        {"type": "Text", "text": "c", "metadata": {"page_number": 1}},
        {"type": "Text", "text": "d", "metadata": {"page_number": 3}},
    ]
    for splitter in (cw.ByPage(max_chars=100), cw.Hybrid(max_chars=100)):
        batch = pa.record_batch({"text": [json.dumps(items)]})
        check(splitter, rows_of(splitter.arrow(batch)), [items])


def test_lone_surrogates_are_replaced() -> None:
    items = [{"type": "Title", "text": "A\ud800"}, {"type": "Text", "text": "b\ud83d\ude00\udc00"}]
    splitter = make("hybrid", max_chars=8)
    batch = pa.record_batch({"text": [json.dumps(items)]})
    rows = rows_of(splitter.arrow(batch, id_column=None))
    singles = splitter(items).to_dicts()
    for key in ("text", "start", "end", "headings"):
        assert [row[key] for row in rows] == [row[key] for row in singles]


# ---------------------------------------------------------------------- real documents


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("form", ["json", "lists"])
def test_real_elements(shared: Path, name: str, form: str) -> None:
    files = sorted((shared / "data" / "unstructured-elements").glob("*.json"))
    documents = [json.loads(file.read_text("utf-8")) for file in files]
    if form == "json":
        column = pa.array([json.dumps(document) for document in documents])
    else:
        # What all have in common, so that it has one type.
        documents = [[_slim(item) for item in document] for document in documents]
        column = pa.array(documents)
    splitter = make(name, max_chars=400)
    # Without the names that some state.
    read = [cw.Document(elements=cw.read_elements(items).elements) for items in documents]
    check(splitter, rows_of(splitter.arrow(pa.record_batch({"text": column}))), read)


def _slim(item: dict[str, Any]) -> dict[str, Any]:
    kept = ("page_number", "text_as_html", "category_depth", "parent_id")
    given = item.get("metadata", {})
    metadata = {key: given[key] for key in kept if key in given}
    names = ("type", "text", "element_id")
    own: dict[str, Any] = {key: item[key] for key in names if key in item}
    return {**own, "metadata": metadata}


def test_real_markdown(shared: Path) -> None:
    files = sorted((shared / "data" / "chroma-report" / "corpora").glob("*.md"))
    texts = [file.read_text("utf-8")[:200_000] for file in files]
    documents = [cw.Document(elements=cw.read_markdown(text).elements) for text in texts]
    for splitter in (cw.Hybrid(max_tokens=100), cw.ByTitle(max_tokens=100)):
        batch = pa.record_batch({"text": texts})
        check(splitter, rows_of(splitter.arrow(batch, kind="markdown")), documents)
