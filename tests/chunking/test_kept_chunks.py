"""Pickles and copies of single chunks: all that a chunk says, and nothing of its document."""

import copy
import json
import math
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw

MARKDOWN = (
    "# Rain\n\nIt *rained* for [days](d.html). And it rained on.\n\n## More\n\n- one\n  - two\n\n"
    "| stone | kg |\n|---|---|\n| slate | 7 |\n| chalk | 3 |\n\n```py\nx = 1\n```\n"
)
HTML = (
    "<title>p</title><h1>Rain</h1><p>It <b>rained</b> for days.<ul><li>one<li>two</ul>"
    "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>"
)
ITEMS: list[dict[str, Any]] = [
    {"type": "Title", "text": "Rain \ud800", "element_id": "a"},
    {
        "type": "NarrativeText",
        "text": "It rained, and it rained on and on.",
        "metadata": {
            "page_number": 2,
            "parent_id": "a",
            "coordinates": {"points": [[0, 1], [2, 3]], "layout_width": 9, "layout_height": 9},
        },
    },
    {"type": "NarrativeText", "text": "Bad box.", "metadata": {"coordinates": {"points": 3}}},
    {
        "type": "Table",
        "text": "a b",
        "metadata": {"text_as_html": "<table><tr><td>a\ud800</td><td>b</td></tr></table>"},
    },
]
PROV = [
    {"page_no": 1, "bbox": {"l": 0, "t": 9, "r": 9, "b": 0}, "charspan": [0, 5]},
    {"page_no": 2, "bbox": {"l": 0, "t": 9, "r": 9, "b": 0}, "charspan": [5, 9]},
]
DOCLING = {
    "schema_name": "DoclingDocument",
    "name": "rain",
    "body": {"self_ref": "#/body", "children": [{"$ref": f"#/texts/{i}"} for i in range(2)]},
    "texts": [
        {"self_ref": "#/texts/0", "parent": {"$ref": "#/body"}, "label": "title", "text": "Rain"},
        {
            "self_ref": "#/texts/1",
            "parent": {"$ref": "#/body"},
            "label": "text",
            "text": "It rained for days.",
            "prov": PROV,
        },
    ],
}
DOCUMENTS: dict[str, Any] = {
    "text": cw.Document(text="One sentence. Über \ud83d\ude80 \ud800 more.\n\nAnd.", name="\ud800"),
    "markdown": cw.read(MARKDOWN.encode(), name="a.md"),
    "html": cw.read(HTML.encode(), name="a.html"),
    "transcript": cw.read(
        b"Ada: It rained.\nBo: No, it did not.\n", kind="transcript", name="a.txt"
    ),
    "csv": cw.read(b"stone,kg\nslate,7\nchalk,3\n", name="a.csv"),
    "elements": ITEMS,
    "docling": cw.read(json.dumps(DOCLING).encode()),
}
STRATEGIES = ("recursive", "balanced", "hybrid", "hierarchical", "by_title", "kamradt")
CHUNK = [
    *("index", "text", "start", "end", "byte_start", "byte_end", "line_start", "line_end"),
    *("source_start", "source_end", "source_line_start", "source_line_end"),
    *("n_tokens", "n_chars", "pieces", "reason", "oversize", "doc_index", "lines", "kind"),
    *("headings", "headings_above", "pages", "html", "part", "is_continuation"),
    *("speaker", "speakers", "time_start", "time_end"),
    *("n_header_rows", "table_id", "id"),
]
ELEMENT = [
    *("index", "item", "kind", "level", "text", "language", "start", "end", "lines", "place"),
    *("links", "pages", "parent", "headings", "html", "speaker", "cues"),
]


def boxes(of: Any) -> Any:
    try:
        return of.boxes
    except cw.ReadError as error:
        return str(error)


def same(kept: cw.Chunk, chunk: cw.Chunk) -> None:
    assert kept == chunk
    assert hash(kept) == hash(chunk)
    assert repr(kept) == repr(chunk)
    assert dict(kept) == dict(chunk)
    assert list(kept.keys()) == list(chunk.keys())
    assert kept.piece_texts() == chunk.piece_texts()
    assert kept.score == chunk.score or (math.isnan(kept.score) and math.isnan(chunk.score))
    for name in CHUNK:
        assert getattr(kept, name) == getattr(chunk, name), name
    assert boxes(kept) == boxes(chunk)
    assert kept.elements == chunk.elements
    for mine, original in zip(kept.elements, chunk.elements, strict=True):
        assert repr(mine) == repr(original)
        assert boxes(mine) == boxes(original)
        for name in ELEMENT:
            assert getattr(mine, name) == getattr(original, name), name


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_chunk_says_the_same_after_a_round_trip(kind: str, strategy: str) -> None:
    splitter: Any = cw.chunking.ALL_STRATEGIES[strategy](max_chars=30)
    documents = [DOCUMENTS[kind]] * 2
    if kind == "text" and strategy == "by_title":
        return
    if kind == "elements" and strategy in {"recursive", "balanced", "kamradt"}:
        documents = [cw.read_elements(ITEMS)] * 2
    for chunks in (splitter(documents[0]), splitter.batch(documents, names=["a", None])):
        assert len(chunks) > 0
        for chunk in chunks:
            for kept in (pickle.loads(pickle.dumps(chunk)), copy.copy(chunk)):
                same(kept, chunk)
                same(pickle.loads(pickle.dumps(copy.deepcopy(kept))), chunk)
            for element in chunk.elements:
                one = pickle.loads(pickle.dumps(element))
                assert [getattr(one, name) for name in ELEMENT] == [
                    getattr(element, name) for name in ELEMENT
                ]


# What a chunk by itself does not know, and what is compared in another way.
NOT_KEPT = {"columns", "document_text", "elements", "boxes", "score"}
ALL_OF_CHUNK = {name for name in dir(cw.Chunk) if name[0] != "_"} - NOT_KEPT
BLOCKS = [
    "# Rain",
    "## On *and* on",
    "It rained for [days](d.html). And it rained on: \u00fcber \U0001f680.",
    "- one\n  - two\n- three",
    "| stone | kg |\n|---|---|\n| slate | 7 |\n| chalk | 3 |",
    "```py\nx = 1\n```",
    "> Said so.",
]
PAGES = [
    "<h1>Rain</h1>",
    "<h3>On <b>and</b> on</h3>",
    "<p>It rained for <a href=d>days</a>. And on, \U0001f680.",
    "<ul><li>one<ul><li>two</ul><li>three</ul>",
    "<table><caption>c</caption><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>",
    "<pre><code class=language-py>x = 1</code></pre>",
]


def all_of(one: Any, names: Any) -> dict[str, Any]:
    values = {name: getattr(one, name) for name in names if name != "boxes"}
    return {name: value for name, value in values.items() if not callable(value)}


@pytest.mark.parametrize(
    ("strategy", "options"),
    [
        ("recursive", {"overlap": 6}),
        ("window", {"overlap": 6}),
        ("hybrid", {}),
        ("hierarchical", {}),
        ("by_title", {}),
        ("kamradt", {"embedder": "lexical"}),
    ],
)
@given(data=st.data())
def test_all_that_generated_chunks_say_is_kept(
    strategy: str, options: dict[str, Any], data: st.DataObject
) -> None:
    is_page = data.draw(st.booleans())
    blocks = data.draw(st.lists(st.sampled_from(PAGES if is_page else BLOCKS), min_size=1))
    source = ("" if is_page else "\n\n").join(blocks).encode()
    document = cw.read(source, name="a.html" if is_page else "a.md")
    splitter: Any = cw.chunking.ALL_STRATEGIES[strategy](max_chars=24, **options)
    chunks = cw.Contextual(splitter, context="structure").batch([document] * 2)
    for chunk in data.draw(st.sampled_from([chunks[:3], chunks[-3:]])):
        kept = pickle.loads(pickle.dumps(chunk))
        same(kept, chunk)
        assert all_of(kept, ALL_OF_CHUNK) == all_of(chunk, ALL_OF_CHUNK)
        names = {name for name in dir(cw.Element) if name[0] != "_"}
        for mine, whole in zip(kept.elements, chunk.elements, strict=True):
            assert all_of(mine, names) == all_of(whole, names)


def long_text() -> Any:
    return "It rained for days. " * 20_000


def long_table() -> Any:
    rows = "".join(f"| stone {i} | {i} |\n" for i in range(20_000))
    return cw.read(f"# Stones\n\n| a | b |\n|---|---|\n{rows}".encode(), name="a.md")


def long_paragraph() -> Any:
    return cw.read(f"# Rain\n\n{long_text()}".encode(), name="a.md")


def many_sections() -> Any:
    sections = "".join(f"## Section {i}\n\nIt rained.\n\n" for i in range(10_000))
    return cw.read(f"# Rain\n\n{sections}".encode(), name="a.md")


@pytest.mark.parametrize("make", [long_text, long_table, long_paragraph, many_sections])
@pytest.mark.parametrize("strategy", ["hybrid", "recursive"])
def test_a_pickled_chunk_is_as_large_as_the_chunk(make: Any, strategy: str) -> None:
    splitter: Any = cw.chunking.ALL_STRATEGIES[strategy](max_tokens=200)
    chunks = splitter(make())
    assert len(chunks) > 100
    for chunk in (chunks[0], chunks[50], chunks[-1]):
        assert len(pickle.dumps(chunk)) < 10 * len(chunk.text) + 4_000
    assert pickle.loads(pickle.dumps(chunks)) == chunks


def test_of_a_long_element_the_part_is_kept() -> None:
    chunks = cw.chunk(long_table(), "hybrid", max_tokens=200)
    kept = pickle.loads(pickle.dumps(chunks[9]))
    (mine,), (whole,) = kept.elements, chunks[9].elements
    assert mine.text == "".join(t for role, t in chunks[9].piece_texts() if role == "body")
    assert mine.text in whole.text
    for name in ("index", "kind", "start", "end", "lines", "headings", "parent"):
        assert getattr(mine, name) == getattr(whole, name)


@pytest.mark.parametrize(
    "name",
    ["chunk_view\n_restored", "columns\n_restore", "elements.elements\n_restored"],
)
def test_pickles_of_old_versions_are_refused(name: str) -> None:
    with pytest.raises(cw.ReadError, match=r"0\.2\.0 or an earlier .*: cut the documents again"):
        pickle.loads(f"cchunkwright.{name}\n.".encode())


def test_a_chunk_by_itself_has_no_document_to_expand_to() -> None:
    chunk = cw.chunk(DOCUMENTS["markdown"], "hierarchical", max_chars=30)[1]
    with pytest.raises(cw.ConfigError, match="chunk 1 was pickled or copied by itself"):
        cw.expand(copy.copy(chunk), to="section")


def test_a_number_that_no_chunk_has() -> None:
    chunks = cw.chunk("One two.", max_chars=9)
    for index in (999, -2):
        with pytest.raises(IndexError, match=f"there is no chunk {index} among 1"):
            chunks[index]
    with pytest.raises(TypeError, match="a chunk has a number, an int or a slice of them: got str"):
        chunks["a"]  # type: ignore[call-overload]
    elements = DOCUMENTS["markdown"].elements
    with pytest.raises(IndexError, match="there is no element 99 among"):
        elements[99]
