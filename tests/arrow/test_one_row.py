"""Rows of chunks: headings, pages and places in the source are the same whoever writes them."""

import json
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.readers.delimited import read_csv
from tests.support.boxes import boxes_of

pa = pytest.importorskip("pyarrow")

MARKDOWN = "Front.\n\n# A\n\nx\n\n## B\n\n### C\n\ny y y\n\nz z\n\n## D\n\n# E\n"
HTML = (
    "<!doctype html>\n<p>Front.\n<h1>A</h1>\n<p>x\n<h2>B</h2>\n\n<h3>C</h3>\n"
    "<ul>\n<li>y y\n<li>y\n</ul><p>ä\nz\n<table>\n<tr><td>1<td>2\n</table><h2>D</h2>"
)
CSV = 'stone,kg\nslate,7\n\n"chalk,\nwhite",3\r\n\u00e4,"5"'


def provenance(*pages: int) -> list[dict[str, Any]]:
    box = {"l": 0, "t": 9, "r": 9, "b": 0}
    return [{"page_no": page, "bbox": box, "charspan": [0, 1]} for page in pages]


def docling() -> dict[str, Any]:
    said: list[tuple[Any, ...]] = [
        *(("title", "A", 1), ("text", "x", 1), ("section_header", "B", 1), ("text", "y", 1, 2)),
        *(("text", "z", 2), ("text", "two", 2, 3), ("section_header", "C", 3), ("text", "w", 3)),
    ]
    texts = [
        {
            "self_ref": f"#/texts/{i}",
            "parent": {"$ref": "#/body"},
            "label": label,
            "text": text,
            "prov": provenance(*pages),
        }
        for i, (label, text, *pages) in enumerate(said)
    ]
    body = {"self_ref": "#/body", "children": [{"$ref": each["self_ref"]} for each in texts]}
    # Without a name, which its documents would have in Python only.
    return {"schema_name": "DoclingDocument", "name": "", "body": body, "texts": texts}


SOURCES = {
    "markdown": MARKDOWN,
    "html": HTML,
    "csv": CSV,
    "docling": json.dumps(docling()),
    "elements": json.dumps([{"type": "Title", "text": "A"}, {"type": "Text", "text": "b c d e"}]),
    "text": "One two. Three four.\nFive.",
}
OPTIONS: dict[str, Any] = {"by_similarity": {"embedder": "lexical"}, "sentence": {}}
STRATEGIES = sorted({*cw.chunking.ALL_STRATEGIES} - {"llm", "json"})
ELEMENTS_ONLY = {"basic", "by_title", "by_page", "by_similarity", "structural"}
LIMITS = (6, 14, 60)


def splitter(name: str, max_chars: int) -> Any:
    return cw.chunking.ALL_STRATEGIES[name](max_chars=max_chars, **OPTIONS.get(name, {}))


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("name", STRATEGIES)
def test_all_writers_write_one_row(name: str, kind: str) -> None:
    if kind == "text" and name in ELEMENTS_ONLY:
        pytest.skip("it has no elements")
    document = cw.read(SOURCES[kind].encode(), kind=kind).named(None)
    for max_chars in LIMITS:
        cut = splitter(name, max_chars)
        chunks = cut(document)
        rows = chunks.to_dicts()
        assert chunks.to_arrow().to_pylist() == rows
        assert [dict(chunk) for chunk in chunks] == rows
        table = pa.record_batch(cut.arrow(pa.record_batch({"text": [SOURCES[kind]]}), kind=kind))
        written = table.to_pylist()
        assert len(written) == len(rows)
        for own, row in zip(written, rows, strict=True):
            shared = own.keys() & row.keys()
            assert {"source_start", "start", "text", "chunk_id"} <= shared
            assert {key: own[key] for key in shared} == {key: row[key] for key in shared}
            assert own.keys() - row.keys() <= {"kind", "part", "html", *ELEMENT_COLUMNS}
        for chunk, row in zip(chunks, rows, strict=True):
            assert chunk.source_start == row["source_start"]
            assert chunk.source_end == row["source_end"]
            assert chunk.source_line_start == row["source_line_start"]
            assert chunk.source_line_end == row["source_line_end"]
            if document.elements is not None:
                assert list(chunk.headings) == row["headings"] == section(chunk)
                assert list(chunk.headings_above) == row["headings_above"] == above(chunk)
                assert list(chunk.pages) == row["pages"]
                assert boxes_of(chunk) == row["boxes"]


ELEMENT_COLUMNS = ("first_element", "last_element", "pages", "boxes", "headings", "headings_above")


def above(chunk: cw.Chunk) -> list[str]:
    """The headings above a chunk, from its first element."""
    return list(chunk.elements[0].headings) if chunk.elements else []


def section(chunk: cw.Chunk) -> list[str]:
    """The path of the first element that is no heading, else of the last heading."""
    first = next((each for each in chunk.elements if each.kind != "heading"), None)
    if first is not None:
        return list(first.headings)
    last = chunk.elements[-1:]
    return [*last[0].headings, last[0].text.lstrip("# ")] if last else []


def test_a_chunk_is_of_its_own_section() -> None:
    chunks = cw.ByTitle(max_chars=60, min_size=0)(cw.read(MARKDOWN.encode(), kind="markdown"))
    assert [(chunk.text, chunk.headings, chunk.headings_above) for chunk in chunks] == [
        ("Front.", (), ()),
        ("# A\n\nx", ("A",), ()),
        ("## B", ("A", "B"), ("A",)),
        ("### C\n\ny y y\n\nz z", ("A", "B", "C"), ("A", "B")),
        ("## D", ("A", "D"), ("A",)),
        ("# E", ("E",), ()),
    ]


def test_places_in_html() -> None:
    chunks = cw.chunk(cw.read(HTML.encode(), kind="html"), "hierarchical", max_chars=14)
    found = [
        (chunk.text, HTML[chunk.source_start : chunk.source_end], chunk.source_line_start)
        for chunk in chunks
    ]
    assert ("A\n\nx", "<h1>A</h1>\n<p>x", 3) in found
    for chunk in chunks:
        assert chunk.source_start is not None
        assert chunk.source_end is not None
        assert chunk.source_line_start == 1 + HTML.count("\n", 0, chunk.source_start)
        assert chunk.source_line_end == 1 + HTML.count("\n", 0, chunk.source_end - 1)
        own = HTML[chunk.source_start : chunk.source_end]
        body = [text for role, text in chunk.piece_texts() if role == "body"]
        assert all(word in own for text in body for word in text.split())


@pytest.mark.parametrize("mark", ["", "\ufeff", "\ud83d\ude80,rocket\n"])
def test_places_in_csv_are_those_of_rows(mark: str) -> None:
    source = mark + CSV
    document = read_csv(source)
    chunks = cw.chunk(document, "hybrid", max_chars=24, repeat_headers=False)
    assert len(chunks) > 1
    for chunk in chunks:
        own = source[chunk.source_start : chunk.source_end]
        assert own.replace('"', "").split() == chunk.text.replace("\t", ",").split() or mark
        assert chunk.source_end is not None
        assert chunk.source_line_start == 1 + source.count("\n", 0, chunk.source_start)
        assert chunk.source_line_end == 1 + source.count("\n", 0, chunk.source_end - 1)
    last = chunks[-1]
    assert source[last.source_start : last.source_end].endswith('\u00e4,"5"')


def test_what_tells_no_place_has_none() -> None:
    for kind in ("docling", "elements"):
        for chunk in cw.chunk(cw.read(SOURCES[kind].encode(), kind=kind), "hybrid", max_chars=9):
            assert (chunk.source_start, chunk.source_end) == (None, None)
            assert (chunk.source_line_start, chunk.source_line_end) == (None, None)


def test_an_item_may_be_on_several_pages() -> None:
    document = cw.read(json.dumps(docling()).encode())
    assert document.elements is not None
    assert [each.pages for each in document.elements][2:6] == [(1,), (1, 2), (2,), (2, 3)]
    batch = pa.record_batch({"text": [json.dumps(docling())]})
    for max_chars in LIMITS:
        for name in ("hybrid", "basic", "by_title"):
            cut = splitter(name, max_chars)
            chunks = cut(document)
            pages = [list(chunk.pages) for chunk in chunks]
            assert chunks.to_arrow()["pages"].to_pylist() == pages
            assert pa.record_batch(cut.arrow(batch, kind="docling"))["pages"].to_pylist() == pages
