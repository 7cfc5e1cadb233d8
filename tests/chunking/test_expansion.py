"""Expansion of chunks to what stands around them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ELEMENT_STRATEGIES, STRATEGIES
from tests import laws
from tests.chunking.test_laws import make
from tests.support.element_lists import element, element_lists, table_html
from tests.support.markdown_texts import MARKDOWN
from tests.support.memory import forget, peak

SCOPES = ("element", "section", "page", "neighbours")
NOTES = """# Rain

It rained.

* on Monday
* on Tuesday

## More

For days.

# Sun

It shone.
"""


def notes(**options: Any) -> cw.Chunks:
    document = cw.read(NOTES.encode(), name="notes.md")
    return cw.chunk(document, "hierarchical", merge_list_items=False, **{"max_chars": 60} | options)


def chunk_of(chunks: cw.Chunks, text: str) -> cw.Chunk:
    (found,) = [chunk for chunk in chunks if text in chunk.text]
    return found


def test_a_section_is_all_below_its_heading() -> None:
    chunks = notes()
    rain, sun = NOTES[: NOTES.index("# Sun")].rstrip(), NOTES[NOTES.index("# Sun") :].rstrip()
    wide = cw.expand(chunks)
    assert isinstance(wide, cw.Chunks)
    assert len(wide) == len(chunks)
    assert wide.texts()[0] == wide.texts()[1] == rain
    assert wide.texts()[-1] == sun
    days = cw.expand(chunk_of(chunks, "For days"))
    assert isinstance(days, cw.Chunk)
    assert days.text == "# Rain\n\n## More\n\nFor days."
    assert days.piece_texts() == [("heading", "# Rain\n\n"), ("body", "## More\n\nFor days.")]
    assert days.index == chunk_of(chunks, "For days").index


def test_an_element_is_the_whole_list() -> None:
    chunks = notes()
    one = chunk_of(chunks, "on Tuesday")
    wide = cw.expand(one, to="element")
    assert wide.text == "# Rain\n\n* on Monday\n* on Tuesday"
    assert [text for role, text in wide.piece_texts() if role == "body"] == ["* on Tuesday"]
    assert wide.headings == one.headings == ("Rain",)
    assert len(wide.elements) > len(one.elements)


def test_pages_are_whole() -> None:
    items = [
        element("NarrativeText", text, page_number=page)
        for text, page in [("One.", 1), ("Two.", 1), ("Three.", 2), ("Four.", 3)]
    ]
    chunks = cw.Basic(max_chars=6)(items)
    wide = cw.expand(chunks, to="page")
    assert wide.texts() == ["One.\n\nTwo.", "One.\n\nTwo.", "Three.", "Four."]
    assert [chunk.pages for chunk in wide] == [(1,), (1,), (2,), (3,)]
    over = cw.expand(cw.Basic(max_chars=14)(items)[1], to="page")
    assert (over.text, over.pages) == ("Three.\n\nFour.", (2, 3))


def test_rows_become_their_table() -> None:
    rows = [["Land", "Town"], *([f"land {i}", f"town {i}"] for i in range(9))]
    text = " ".join(" ".join(row) for row in rows)
    items = [element("Title", "Lands"), element("Table", text, text_as_html=table_html(rows, 1))]
    chunks = cw.Hybrid(max_chars=60)(items)
    wide = cw.expand(chunks[2], to="element")
    assert wide.text.startswith("Lands\n\nLand Town land 0")
    assert wide.text.endswith("town 8")
    assert chunks[2].n_header_rows == 1
    assert (wide.n_header_rows, wide.table_id, wide.part) == (0, None, 0)
    alone = cw.expand(cw.Basic(max_chars=60)(items[1:])[1], to="element")
    whole = cw.Basic(max_chars=600)(items[1:])[0]
    assert (alone.kind, alone.text, alone.html) == ("table", whole.text, whole.html)


def test_a_limit_takes_the_nearest() -> None:
    chunks = notes()
    monday = chunk_of(chunks, "Monday")
    sizes = []
    for limit in (1, 24, 40, 60, 200):
        wide = cw.expand(monday, max_chars=limit)
        assert len(wide.text) <= max(limit, len(monday.text))
        sizes.append(len(wide.text))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2] < sizes[-1]
    assert cw.expand(monday, max_chars=1) == monday
    by_tokens = cw.expand(monday, max_tokens=15)
    assert by_tokens.n_tokens == cw.count_tokens(by_tokens.text) <= 15


def test_hits_of_a_search_are_expanded() -> None:
    chunks = notes()
    hits = cw.Retriever().index(chunks).search("on Tuesday", k=1)
    best = chunks[hits[0][0].index]
    assert "Tuesday" in best.text
    assert cw.expand(best).text.startswith("# Rain\n\nIt rained.")


@pytest.mark.parametrize("strategy", sorted({*STRATEGIES, *ELEMENT_STRATEGIES}))
@given(
    document=st.one_of(MARKDOWN.map(cw.read_markdown), element_lists().map(cw.read_elements)),
    scope=st.sampled_from(SCOPES),
    limit=st.none() | st.tuples(st.sampled_from(["max_chars", "max_tokens"]), st.integers(1, 90)),
)
def test_a_chunk_stays_what_it_is_and_gets_its_surroundings(
    strategy: str, document: cw.Document, scope: Any, limit: tuple[str, int] | None
) -> None:
    chunks = make(strategy, {"max_tokens": 12})(document)
    limits: dict[str, Any] = dict([limit] if limit else [])
    wide = cw.expand(chunks, to=scope, **limits)
    laws.offsets_are_exact(document.text, wide)
    assert pickle.loads(pickle.dumps(wide)) == wide
    for before, chunk in zip(chunks, wide, strict=True):
        bodies = [
            [piece for piece in one.pieces if piece.role == "body"] for one in (before, chunk)
        ]
        assert (bodies[0][0].start, bodies[0][-1].end) == (bodies[1][0].start, bodies[1][-1].end)
        assert chunk.start <= bodies[0][0].start
        assert bodies[0][-1].end <= chunk.end
        assert chunk.index == before.index
        if limit and chunk.text != before.text:
            size = len(chunk.text) if limit[0] == "max_chars" else chunk.n_tokens
            assert size <= limit[1]
        assert chunk.n_tokens == cw.count_tokens(chunk.text)
        one = cw.expand(before, to=scope, **limits)
        assert one == chunk
        numbers = [{of.index for of in each.elements} for each in (before, chunk)]
        assert numbers[0] <= numbers[1]
    if not limit:
        # All that is added belongs to the chunk's own scope: it gets no more from there.
        again = cw.expand(wide, to=scope)
        assert [(one.start, one.end) for one in again] == [(one.start, one.end) for one in wide]


def test_real_documents(shared: Path) -> None:
    for file in sorted((shared / "data" / "unstructured-elements").rglob("*.json"))[:8]:
        document = cw.read_elements(file)
        chunks = cw.chunk(document, "hybrid", max_tokens=64)
        for scope in SCOPES:
            wide = cw.expand(chunks, to=scope, max_tokens=256)  # type: ignore[call-overload]
            laws.offsets_are_exact(document.text, wide)
            assert all(chunk.n_tokens <= 256 for chunk in wide)
            assert sum(wide.n_tokens) >= sum(chunks.n_tokens)


def test_views_and_batches() -> None:
    document = cw.read(NOTES.encode(), name="notes.md")
    chunks = cw.Hierarchical(max_chars=60).batch([document, document])
    some = chunks[::-2]
    wide = cw.expand(some)
    assert [chunk.index for chunk in wide] == [chunk.index for chunk in some]
    assert wide.doc_index.tolist() == some.doc_index.tolist()
    assert wide.names == ["notes.md", "notes.md"]
    assert wide[0].text == cw.expand(some[0]).text


def test_neighbours_are_the_chunks_beside_it() -> None:
    text = "One. Two. Three. Four. Five."
    chunks = cw.chunk(text, "sentence", max_chars=6)
    assert [one.text for one in cw.expand(chunks, to="neighbours")] == [
        "One. Two.", "One. Two. Three.", "Two. Three. Four.", "Three. Four. Five.", "Four. Five.",
    ]  # fmt: skip
    wide = cw.expand(chunks[1], to="neighbours")
    assert wide.piece_texts() == [("overlap", "One. "), ("body", "Two."), ("overlap", " Three.")]
    # Within a limit as many as fit, those behind first.
    widths = {7: "Two.", 9: "One. Two.", 11: "Two. Three.", 16: "One. Two. Three.", 99: text}
    for most, expected in widths.items():
        assert cw.expand(chunks[1], to="neighbours", max_chars=most).text == expected
    batch = cw.Sentence(max_chars=6).batch([text, "Six. Seven."])
    assert cw.expand(batch, to="neighbours").texts()[5:] == ["Six. Seven.", "Six. Seven."]


@given(text=st.text("ab. \n", min_size=1, max_size=60), limit=st.none() | st.integers(1, 40))
def test_neighbours_of_plain_texts(text: str, limit: int | None) -> None:
    chunks = cw.chunk(text, "recursive", max_chars=8, overlap=2)
    wide = cw.expand(chunks, to="neighbours", max_chars=limit)
    laws.offsets_are_exact(text, wide)
    for i, (before, chunk) in enumerate(zip(chunks, wide, strict=True)):
        body = next(piece for piece in before.pieces if piece.role == "body")
        assert next(piece for piece in chunk.pieces if piece.role == "body") == body
        if limit is None and len(chunks) > 1:
            beside = [max(i - 1, 0), min(i + 1, len(chunks) - 1)]
            first, last = ([p for p in chunks[at].pieces if p.role == "body"] for at in beside)
            assert (chunk.start, chunk.end) == (first[0].start, last[-1].end)
        if limit is not None and chunk != before:
            assert len(chunk.text) <= limit


def test_what_cannot_grow_is_counted_in_the_unit_of_the_limit() -> None:
    document = cw.read(b"# Tea\n\nGreen tea, black tea.\n\nMilk.\n", name="tea.md")
    chunks = cw.chunk(document, "hierarchical", max_chars=30)
    for scope in SCOPES:
        narrow = cw.expand(chunks, to=scope, max_tokens=1)  # type: ignore[call-overload]
        assert narrow.texts() == chunks.texts()
        assert narrow.n_tokens.tolist() == [cw.count_tokens(text) for text in chunks.texts()]


def test_chunks_of_one_table_share_its_html() -> None:
    rows = "".join(f"<tr><td>key {i}<td>{'value ' * 20}</tr>" for i in range(2_000))
    document = cw.read(f"<table><tr><th>a<th>b</tr>{rows}</table>".encode(), name="a.html")
    chunks = cw.chunk(document, "hybrid", max_tokens=100)
    assert len(chunks) > 400
    forget()
    before = peak()
    wide = cw.expand(chunks, to="element")
    # One copy for each chunk would be more than 100 MB.
    assert peak() - before < 95
    assert wide[-1].html == wide[0].html


def test_surrogates_stay() -> None:
    text = "# \ud800 a\n\nfirst \ud83d\ude00\n\nsecond"
    chunks = cw.Hierarchical(max_chars=30)(cw.read_markdown(text))
    wide = cw.expand(chunks[1])
    assert wide.text == text[wide.start : wide.end] == text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"to": "chapter"}, "unknown to 'chapter': known are 'element', 'section', 'page', 'turns"),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        ({"max_tokens": 5, "max_chars": 9}, "got max_tokens=5 and max_chars=9"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=message):
        cw.expand(notes(), **options)


def test_a_text_without_elements_is_refused() -> None:
    with pytest.raises(cw.ConfigError, match="a text without elements, which says where no"):
        cw.expand(cw.chunk("One two.", max_chars=4))
    with pytest.raises(cw.ConfigError, match="chunks must be Chunks or a Chunk, got list"):
        cw.expand([cw.chunk("One two.", max_chars=4)[0]])  # type: ignore[call-overload]
