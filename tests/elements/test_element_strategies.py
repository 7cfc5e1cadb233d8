"""What holds for every strategy over elements, every option and every list of elements."""

from __future__ import annotations

import itertools
import json
import pickle
import re
from functools import partial
from typing import Any

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ELEMENT_STRATEGIES
from tests import laws
from tests.support.element_lists import Item, element, element_lists, options, table_html

STRATEGIES = sorted(ELEMENT_STRATEGIES)
WORDS = ["Alpha one.", "Beta two.", "Gamma three.", "Delta four."]
PARAGRAPHS = [element("NarrativeText", text) for text in WORDS]


def by_first_letter(texts: list[str]) -> Any:
    """Embed texts by the letter that they begin with: others are not similar at all."""
    return np.eye(128)[[ord(text.strip()[0]) % 128 if text.strip() else 0 for text in texts]]


def make(strategy: Any, **chosen: Any) -> Any:
    if strategy == "by_similarity":
        chosen.setdefault("embedder", by_first_letter)
    return ELEMENT_STRATEGIES[strategy](**chosen)


# ---------------------------------------------------------------------- laws


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(items=element_lists(), options=options())
def test_laws(strategy: Any, items: list[Item], options: dict[str, Any]) -> None:
    splitter = make(strategy, **options)
    chunks = splitter(items)
    _elements_are_in_order(chunks)
    _offsets_are_exact(chunks)
    _nothing_is_lost(items, chunks, options)
    _sizes_are_exact(chunks, options)
    if options["fix"]:
        _limits_hold(chunks, options)
        # No chunk only repeats what another says; a table that is passed on may say nothing.
        assert all(_body(chunk) for chunk in chunks if chunk.text)
        untouched = options["skip_tables"]
        assert all(c.text.strip() for c in chunks if not (untouched and c.kind == "Table"))
        texts = [chunk for chunk in chunks if chunk.kind == "CompositeElement"]
        assert all(chunk.text == chunks.source[chunk.start : chunk.end] for chunk in texts)
    assert chunks == splitter(items)
    assert chunks.ids == splitter(items).ids
    assert len(set(chunks.ids)) == len(chunks)


def _elements_are_in_order(chunks: cw.ElementChunks) -> None:
    spans = list(zip(chunks.first_elements, chunks.last_elements, strict=True))
    assert all(first <= last for first, last in spans)
    for span, next_span in itertools.pairwise(spans):
        # The parts of a split element share it; otherwise each element is in one chunk.
        assert span == next_span or span[1] < next_span[0]
    bodies = [(chunk.table_id, *_body(chunk)) for chunk in chunks if _body(chunk)]
    for (table, _, end), (next_table, start, _) in itertools.pairwise(bodies):
        assert end <= start or (table is not None and table == next_table)


def _body(chunk: cw.ElementChunk) -> tuple[int, int] | tuple[()]:
    """Return where a chunk's own text is; nowhere, where it only repeats."""
    bodies = [(start, end) for role, start, end in chunk.pieces if role == "body"]
    return bodies[0] if bodies else ()


def _offsets_are_exact(chunks: cw.ElementChunks) -> None:
    source = chunks.source
    utf8 = source.encode("utf-8", "surrogatepass")
    for chunk, text in zip(chunks, chunks.texts(), strict=True):
        assert chunk.text == text
        slice_ = source[chunk.start : chunk.end]
        in_bytes = utf8[chunk.byte_start : chunk.byte_end]
        assert in_bytes.decode("utf-8", "surrogatepass") == slice_
        assert chunk.line_start == 1 + source.count("\n", 0, chunk.start)
        if chunk.kind == "CompositeElement":
            # What is not one slice, an overlap joined to it, still ends with its own text.
            assert slice_ in text
            assert text.endswith(source[slice(*_body(chunk) or (0, 0))])


def _nothing_is_lost(items: list[Item], chunks: cw.ElementChunks, options: dict[str, Any]) -> None:
    at = 0
    for chunk in chunks:
        start, end = _body(chunk) or (at, at)
        assert not chunks.source[at:start].strip()
        at = max(at, end)
    assert not chunks.source[at:].strip()
    if options["isolate_tables"]:
        for at, item in enumerate(items):
            if item["type"] == "Table":
                _no_cell_is_lost(item["text"], [chunk.text for chunk in _of(chunks, at)])


def _of(chunks: cw.ElementChunks, at: int) -> list[cw.ElementChunk]:
    """Return the chunks that begin with an element."""
    return [chunk for chunk, i in zip(chunks, chunks.first_elements, strict=True) if i == at]


def _no_cell_is_lost(text: str, parts: list[str]) -> None:
    """Words may be split, and headers repeated: every word's letters come in order all the same."""
    letters = iter("".join("".join(parts).split()))
    assert all(letter in letters for letter in "".join(text.split()))


def _sizes_are_exact(chunks: cw.ElementChunks, options: dict[str, Any]) -> None:
    limit = options.get("max_chars") or options["max_tokens"]
    for chunk in chunks:
        # While a document is cut, a counter is given texts whose surrogates are repaired.
        text = laws.repaired(chunk.text) if "max_tokens" in options else chunk.text
        n_tokens = cw.count_tokens(text, options["tokenizer"])
        assert chunk.n_tokens == n_tokens
        assert chunk.n_chars == len(chunk.text)
        size = n_tokens if "max_tokens" in options else chunk.n_chars
        assert chunk.oversize == (size > limit)


def _limits_hold(chunks: cw.ElementChunks, options: dict[str, Any]) -> None:
    for chunk in chunks:
        is_untouched = options["skip_tables"] and chunk.kind == "Table"
        if chunk.oversize and not is_untouched:
            assert len(regex.findall(r"\X", laws.repaired(chunk.text))) == 1


@pytest.mark.parametrize("strategy", ["by_title", "by_similarity"])
@given(documents=st.lists(element_lists(), max_size=3), options=options())
def test_a_batch_is_its_documents(
    strategy: Any, documents: list[list[Item]], options: dict[str, Any]
) -> None:
    splitter = make(strategy, **options)
    names = [f"{i}.json" for i in range(len(documents))]
    batch = splitter.batch(documents, names=names, workers=2)
    alone = [splitter(items, name=name) for items, name in zip(documents, names, strict=True)]
    assert batch.texts() == [text for chunks in alone for text in chunks.texts()]
    assert batch.ids == [id_ for chunks in alone for id_ in chunks.ids]
    assert batch.doc_index.tolist() == [i for i, some in enumerate(alone) for _ in some]
    assert batch.to_dicts() == [row for chunks in alone for row in chunks.to_dicts()]
    assert (batch.names, batch.sources) == (names, [chunks.source for chunks in alone])
    assert batch == splitter.batch(documents, names=names, workers=1)
    streamed = list(splitter.stream(documents, workers=2))
    assert [chunks.texts() for chunks in streamed] == [chunks.texts() for chunks in alone]


# ---------------------------------------------------------------------- boundaries


@given(
    letters=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30), st.booleans())),
    options=options(),
)
def test_no_chunk_has_text_of_two_pages(
    letters: list[tuple[str, int, bool]], options: dict[str, Any]
) -> None:
    items: list[Item] = []
    page = "a"
    for letter, n_words, says_page in letters:
        # Who says no page is on that of the one before.
        page = letter if says_page or not items else page
        metadata = {"page_number": ord(page)} if says_page or not items else {}
        items.append(element("NarrativeText", " ".join([page] * n_words), **metadata))
    for chunk in cw.ByPage(**options)(items):
        assert len(set(chunk.text.split())) == 1
        assert len(chunk.pages) <= 1


def test_pages_may_count_from_zero() -> None:
    items = [element("NarrativeText", "x", page_number=page) for page in (0, 0, 1)]
    assert [chunk.pages for chunk in cw.ByPage(max_chars=9)(items)] == [(0,), (1,)]


@given(topics=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30))), options=options())
def test_no_chunk_has_dissimilar_neighbours(
    topics: list[tuple[str, int]], options: dict[str, Any]
) -> None:
    items = [element("NarrativeText", " ".join([topic] * n)) for topic, n in topics]
    chunks = cw.BySimilarity(**options, embedder=by_first_letter)(items)
    for chunk in chunks:
        assert len(set(chunk.text.split())) == 1


def test_the_threshold_is_a_least_cosine() -> None:
    angles = np.radians([0, 30, 90, 100])
    vectors = 7.5 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    cut = partial(cw.BySimilarity, max_chars=100, embedder=lambda _texts: vectors)
    assert [len(cut(similarity_threshold=t)(PARAGRAPHS)) for t in (0.4, 0.6, 0.9, 0.99)] == [
        1,
        2,
        3,
        4,
    ]
    assert cut(similarity_threshold=0.6)(PARAGRAPHS).texts() == [
        "Alpha one.\n\nBeta two.",
        "Gamma three.\n\nDelta four.",
    ]


def test_titles_begin_chunks() -> None:
    items = [
        element("Title", "A"),
        element("NarrativeText", "a one", page_number=1),
        element("NarrativeText", "a two", page_number=2),
        element("Title", "B"),
        element("NarrativeText", "b"),
    ]
    cut = partial(cw.ByTitle, max_chars=50, combine_under=0)
    assert cut()(items).texts() == ["A\n\na one\n\na two", "B\n\nb"]
    pages = cut(multipage_sections=False)(items)
    assert pages.texts() == ["A\n\na one", "a two", "B\n\nb"]
    assert [chunk.headings for chunk in pages] == [(), ("A",), ()]
    assert [chunk.pages for chunk in pages] == [(1,), (2,), ()]
    assert cw.ByTitle(max_chars=50)(items).texts() == ["A\n\na one\n\na two\n\nB\n\nb"]
    assert cut(combine_under=3)(items).texts() == ["A\n\na one\n\na two", "B\n\nb"]


# ---------------------------------------------------------------------- what a chunk knows


def test_parts_of_a_table() -> None:
    rows = [["Name", "Weight"], *([f"stone {i}", str(i)] for i in range(20))]
    text = " ".join(" ".join(row) for row in rows)
    table = element("Table", text, text_as_html=table_html(rows, 1), page_number=4)
    chunks = cw.Basic(max_chars=120)([element("Title", "Stones"), table])
    title, *parts = list(chunks)
    assert (title.kind, title.table_id, title.html) == ("CompositeElement", None, None)
    assert len(parts) > 2
    assert {part.kind for part in parts} == {"TableChunk"}
    assert len({part.table_id for part in parts}) == 1
    assert [part.part for part in parts] == list(range(len(parts)))
    assert [part.is_continuation for part in parts] == [False] + [True] * (len(parts) - 1)
    assert [part.n_header_rows for part in parts] == [0] + [1] * (len(parts) - 1)
    assert all(part.text.startswith("Name Weight ") for part in parts)
    assert all(part.html and part.html.startswith("<table>") for part in parts)
    assert all(part.pages == (4,) and part.headings == ("Stones",) for part in parts)
    assert [one.type for part in parts for one in part.elements] == ["Table"] * len(parts)
    whole = cw.Basic(max_chars=120, skip_tables=True)([table])
    assert (whole.texts(), whole.kinds) == ([text], ["Table"])


def test_slices_pickles_and_other_forms() -> None:
    chunks = cw.Basic(max_chars=12)(PARAGRAPHS, name="words")
    assert chunks.texts() == WORDS
    assert chunks[1:3].texts() == chunks.texts()[1:3]
    assert chunks[::-1].starts.tolist() == chunks.starts.tolist()[::-1]
    assert isinstance(chunks[1:3], cw.ElementChunks)
    assert chunks[1:3].to_dicts() == chunks.to_dicts()[1:3]
    again = pickle.loads(pickle.dumps(chunks))
    assert again == chunks
    assert again.ids == chunks.ids
    assert again[1].elements == chunks[1].elements
    assert repr(chunks).startswith("<4 chunks of 'words'>\n  0: ElementChunk('CompositeElement', ")
    assert "Alpha one." in chunks._repr_html_()
    assert isinstance(chunks, cw.Chunks)
    assert chunks[0] != chunks[1]
    assert len({*chunks, *again}) == 4


def test_arrow() -> None:
    pa = pytest.importorskip("pyarrow")
    chunks = cw.Basic(max_chars=12)(PARAGRAPHS)
    batch = pa.record_batch(chunks)
    assert batch["text"].to_pylist() == WORDS
    assert batch["kind"].to_pylist() == ["CompositeElement"] * 4
    assert batch["first_element"].to_pylist() == [0, 1, 2, 3]
    assert pa.record_batch(chunks[2:])["id"].to_pylist() == chunks.ids[2:]
    assert pa.table(chunks).num_rows == 4
    both = cw.Basic(max_chars=12).batch([PARAGRAPHS, PARAGRAPHS])
    assert pa.record_batch(both)["doc_index"].to_pylist() == [0] * 4 + [1] * 4


def test_dicts_are_those_of_the_peer() -> None:
    chunks = cw.Basic(max_chars=30)([*PARAGRAPHS, element("PageBreak", "")])
    rows = chunks.to_dicts()
    assert json.loads(json.dumps(rows)) == rows
    assert [row["text"] for row in rows] == chunks.texts()
    assert [row["element_id"] for row in rows] == chunks.ids
    again = cw.read_elements(rows)
    assert again.elements[0].originals == PARAGRAPHS[:2]
    assert "orig_elements" not in chunks.to_dicts(originals=False)[0]["metadata"]
    assert again.text.split() == chunks.source.split()


@pytest.mark.parametrize(
    "metadata", [{"coordinates": 3}, {"languages": 3}, {"link_urls": 3}, {"filename": 3}]
)
def test_metadata_that_dicts_cannot_be_made_of(metadata: Item) -> None:
    chunks = cw.Basic(max_chars=9)([element("Text", text, **metadata) for text in "ab"], name="n")
    assert chunks.texts() == ["a\n\nb"]
    with pytest.raises(cw.ReadError, match=r"^n: the metadata of elements is not what"):
        chunks.to_dicts()


def test_boxes() -> None:
    points = [[0, 0], [0, 2], [3, 2], [3, 0]]
    items = [
        element("NarrativeText", "x", coordinates={"points": points}, page_number=1),
        element("NarrativeText", "y"),
    ]
    assert cw.Basic(max_chars=30)(items)[0].boxes == (cw.Box(1, 0, 0, 3, 2, None, None),)


# ---------------------------------------------------------------------- what is taken


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_form_of_a_document_is_taken(strategy: Any) -> None:
    splitter = make(strategy, max_chars=12)
    document = cw.read_elements(PARAGRAPHS, name="own")
    assert splitter(document) == splitter(PARAGRAPHS, name="own")
    assert splitter(document, name="given").name == "given"
    assert splitter(iter(PARAGRAPHS)).texts() == WORDS
    assert cw.chunk(document, strategy, **_options_of(splitter)).texts() == WORDS
    nothing = splitter([])
    assert (len(nothing), nothing.source, nothing.starts.tolist()) == (0, "", [])


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("text", ["", "# One\n\nTwo.", '[{"type": "Title", "text": "One"}]'])
def test_a_text_is_refused(strategy: Any, text: str) -> None:
    splitter = make(strategy, max_chars=12)
    remedy = "give a list of elements, or what read_elements makes of element JSON"
    with pytest.raises(cw.ConfigError, match=f"got a str: {remedy}"):
        splitter(text)
    with pytest.raises(cw.ConfigError, match=f"got a text: {remedy}"):
        splitter(cw.Document(text=text))
    with pytest.raises(cw.ConfigError, match="'recursive' or 'balanced'"):
        cw.chunk(text, strategy, **_options_of(splitter))
    assert list(splitter.batch([text, PARAGRAPHS], errors="collect").errors) == [0]


def _options_of(splitter: Any) -> dict[str, Any]:
    options = {"max_chars": splitter.max_chars}
    embedder = getattr(splitter, "embedder", None)
    return options if embedder is None else {**options, "embedder": embedder}


def test_objects_are_cut_as_their_dicts() -> None:
    peer = pytest.importorskip("unstructured.documents.elements")
    objects = [peer.NarrativeText(text) for text in WORDS]
    chunks = cw.Basic(max_chars=30)(objects)
    assert chunks.texts() == cw.Basic(max_chars=30)(PARAGRAPHS).texts()
    assert chunks[0].elements[0].item is objects[0]


def test_one_bad_document_need_not_lose_the_others() -> None:
    splitter = cw.Basic(max_chars=30)
    fine, too = ([{"type": "Text", "text": text}] for text in ("fine", "fine, too"))
    documents: list[Any] = [fine, [{"type": "Text", "text": None}], 7, too]
    chunks = splitter.batch(documents, errors="collect", workers=2)
    assert chunks.texts() == ["fine", "fine, too"]
    assert sorted(chunks.errors) == [1, 2]
    assert isinstance(chunks.errors[1], cw.ReadError)
    streamed = list(splitter.stream(documents, errors="collect", workers=2))
    assert [chunks.texts() for chunks in streamed] == [["fine"], [], [], ["fine, too"]]
    assert list(streamed[1].errors) == [0]
    with pytest.raises(cw.ReadError):
        splitter.batch(documents)
    with pytest.raises(cw.ConfigError, match="got dict"):
        splitter.batch(PARAGRAPHS)
    with pytest.raises(cw.ConfigError, match="got str"):
        splitter.batch("text")


def test_whatever_a_counter_raises_is_collected() -> None:
    def count(text: str) -> int:
        if "bad" in text:
            raise OSError(text)
        return len(text)

    splitter = cw.Basic(max_tokens=30, tokenizer=count)
    documents = [[{"type": "Text", "text": text}] for text in ("good", "bad")]
    chunks = splitter.batch(documents, errors="collect", workers=2)
    assert (chunks.texts(), list(chunks.errors)) == (["good"], [1])
    with pytest.raises(OSError, match="bad"):
        splitter.batch(documents, workers=2)


def test_an_iterator_that_fails_loses_nothing_before() -> None:
    def documents() -> Any:
        yield [{"type": "Text", "text": "one"}]
        yield [{"type": "Text", "text": "two"}]
        raise OSError("no more")

    chunked = cw.Basic(max_chars=9).stream(documents(), workers=2)
    assert [next(chunked).texts(), next(chunked).texts()] == [["one"], ["two"]]
    with pytest.raises(OSError, match="no more"):
        next(chunked)


@pytest.mark.parametrize("embedder", ["lexical", cw.Lexical(dimensions=256)])
def test_similarity_by_words(embedder: Any) -> None:
    texts = [
        "The cat naps here.",
        "The cat purrs here.",
        "Rust compiles code.",
        "Rust checks code.",
    ]
    splitter = cw.BySimilarity(max_chars=100, embedder=embedder, similarity_threshold=0.1)
    chunks = splitter([element("NarrativeText", text) for text in texts])
    assert chunks.texts() == ["\n\n".join(texts[:2]), "\n\n".join(texts[2:])]
    assert pickle.loads(pickle.dumps(splitter)) == splitter


# ---------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("strategy", "options", "message"),
    [
        ("basic", {"max_tokens": 5, "max_chars": 5}, "got max_tokens=5 and max_chars=5"),
        ("basic", {"max_chars": 0}, "max_chars must be at least 1, got 0"),
        ("basic", {"max_chars": 9, "soft_max": 10}, "soft_max must be between 0 and 9, got 10"),
        ("basic", {"max_chars": 9, "soft_max": -1}, "soft_max must be between 0 and 9, got -1"),
        ("basic", {"max_chars": 9, "overlap": 9}, "overlap must be less than max_chars=9, got 9"),
        ("basic", {"max_chars": 9, "overlap": -1}, "overlap must be at least 0, got -1"),
        ("basic", {"max_chars": 9, "fix": 1}, "fix must be True or False, got 1"),
        ("basic", {"max_chars": 9, "overlap_all": "no"}, "overlap_all must be True or False"),
        (
            "basic",
            {"max_chars": 9, "skip_tables": True, "isolate_tables": False},
            "skip_tables=True needs isolate_tables=True",
        ),
        ("basic", {"max_chars": 9, "overlap_at": "word"}, "unknown option 'overlap_at' of 'basic'"),
        (
            "by_title",
            {"max_chars": 9, "combine_under": 10},
            "combine_under must be between 0 and 9",
        ),
        ("by_title", {"max_chars": 9, "multipage_sections": None}, "multipage_sections must be"),
        ("by_similarity", {"max_chars": 9}, "embedder or a callable, got None"),
        ("by_similarity", {"max_chars": 9, "embedder": "mini"}, "unknown embedder 'mini'"),
        *(
            (
                "by_similarity",
                {"max_chars": 9, "embedder": len, "similarity_threshold": threshold},
                f"similarity_threshold must be between 0 and 1, both excluded, got {threshold!r}",
            )
            for threshold in (0, 1, 1.5, -0.1, float("nan"), True, "0.5", None)
        ),
        ("by_titel", {"max_chars": 9}, "unknown strategy 'by_titel': did you mean 'by_title'?"),
    ],
)
def test_refused(strategy: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=re.escape(message)):
        cw.chunk("text", strategy, **options)


@pytest.mark.parametrize("source", [7, None, b"x", {"type": "Text"}])
def test_no_document(source: Any) -> None:
    with pytest.raises(cw.ConfigError, match=type(source).__name__):
        cw.Basic(max_chars=9)(source)


def test_a_strategy_is_its_options() -> None:
    splitter = cw.ByTitle(max_chars=30, combine_under=5, fix=True)
    copy = pickle.loads(pickle.dumps(splitter))
    assert copy == splitter
    assert copy(PARAGRAPHS) == splitter(PARAGRAPHS)
    assert "combine_under=5" in repr(splitter)
    assert cw.ByTitle(max_chars=30) != splitter
    with pytest.raises(AttributeError):
        splitter.fix = False  # type: ignore[misc]
