"""Strategies over elements: batches, where chunks begin, what they know, what is taken."""

from __future__ import annotations

import pickle
import re
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ELEMENT_STRATEGIES
from chunkwright.chunking import STRATEGIES as TEXT_STRATEGIES
from tests import laws
from tests.support.element_lists import Item, element, element_lists, table_html

STRATEGIES = sorted(ELEMENT_STRATEGIES)
OVER_ELEMENTS = sorted({*ELEMENT_STRATEGIES} - {*TEXT_STRATEGIES})
WORDS = ["Alpha one.", "Beta two.", "Gamma three.", "Delta four."]
PARAGRAPHS = [element("NarrativeText", text) for text in WORDS]


def make(strategy: Any, **chosen: Any) -> Any:
    if strategy == "by_similarity":
        chosen.setdefault("embedder", laws.by_first_letter)
    return ELEMENT_STRATEGIES[strategy](**chosen)


@pytest.mark.parametrize("strategy", ["by_title", "by_similarity"])
@given(documents=st.lists(element_lists(), max_size=3), options=laws.element_options())
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
    assert list(batch) == [chunk for chunks in alone for chunk in chunks]
    assert (batch.names, batch.sources) == (names, [chunks.source for chunks in alone])
    assert batch == splitter.batch(documents, names=names, workers=1)
    streamed = list(splitter.stream(documents, workers=2))
    assert [chunks.texts() for chunks in streamed] == [chunks.texts() for chunks in alone]


# ---------------------------------------------------------------------- boundaries


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_element_is_split_between_sentences_of_its_language(strategy: Any) -> None:
    text = "Es regnete stark. Am 3. Mai schneite es."
    document = [element("NarrativeText", text)]
    assert make(strategy, max_chars=26)(document).texts() == [text[:23], text[24:]]
    german = make(strategy, max_chars=26, language="de")
    assert german(document).texts() == [text[:17], text[18:]]
    assert german.batch([document, document]).texts() == [text[:17], text[18:]] * 2


@pytest.mark.parametrize("strategy", ["basic", "hybrid"])
def test_an_overlap_begins_at_a_sentence_of_the_language(strategy: Any) -> None:
    text = "Es regnete. Herr bzw. Frau Vogt kam. Es taute auf."
    document = [element("NarrativeText", text)]
    sizes = {"max_chars": 44, "overlap": 20, "overlap_at": "sentence"}
    assert make(strategy, **sizes)(document).texts()[1] == text[22:]
    assert make(strategy, **sizes, language="de")(document).texts()[1] == text[37:]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_language_that_nobody_knows_is_refused(strategy: Any) -> None:
    with pytest.raises(cw.ConfigError, match="unknown language") as caught:
        make(strategy, max_chars=26, language="xx")
    assert caught.value.option == "language"


@given(
    letters=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30), st.booleans())),
    options=laws.element_options(),
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


@given(
    topics=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30))),
    options=laws.element_options(),
)
def test_no_chunk_has_dissimilar_neighbours(
    topics: list[tuple[str, int]], options: dict[str, Any]
) -> None:
    items = [element("NarrativeText", " ".join([topic] * n)) for topic, n in topics]
    chunks = cw.BySimilarity(**options, embedder=laws.by_first_letter)(items)
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


def test_reasons_of_similarity() -> None:
    texts = ["cat one", "cat two", "dog one", "cat six", "cat ten", "cat is"]
    items = [element("NarrativeText", text) for text in texts]
    items.insert(4, element("Table", "cat table"))
    chunks = cw.BySimilarity(max_chars=18, embedder=laws.by_first_letter)(items)
    assert chunks.texts() == [
        "cat one\n\ncat two",
        "dog one",
        "cat six",
        "cat table",
        "cat ten\n\ncat is",
    ]
    assert chunks.reasons == ["score", "score", "structure", "structure", "end"]
    assert chunks.scores.tolist()[:-1] == [1.0, 1.0, 0.0, 0.0]
    assert chunks.boundaries is not None
    assert chunks.boundaries.verdicts.tolist() == [
        "whole",
        "score",
        "score",
        "structure",
        "structure",
        "whole",
    ]
    assert chunks.boundaries.thresholds.tolist() == [0.5]
    small = cw.BySimilarity(max_chars=9, embedder=laws.by_first_letter)(items)
    assert small.reasons == ["limit", "score", "score", "structure", "structure", "limit", "end"]
    joined = cw.BySimilarity(max_chars=18, soft_max=1, min_size=9, embedder=laws.by_first_letter)
    assert joined(items).texts() == chunks.texts()
    assert joined(items).reasons == chunks.reasons


def test_titles_begin_chunks() -> None:
    items = [
        element("Title", "A"),
        element("NarrativeText", "a one", page_number=1),
        element("NarrativeText", "a two", page_number=2),
        element("Title", "B"),
        element("NarrativeText", "b"),
    ]
    cut = partial(cw.ByTitle, max_chars=50, min_size=0)
    assert cut()(items).texts() == ["A\n\na one\n\na two", "B\n\nb"]
    pages = cut(multipage_sections=False)(items)
    assert pages.texts() == ["A\n\na one", "a two", "B\n\nb"]
    assert [chunk.headings for chunk in pages] == [("A",), ("A",), ("B",)]
    assert [chunk.headings_above for chunk in pages] == [(), ("A",), ()]
    assert [chunk.pages for chunk in pages] == [(1,), (2,), ()]
    assert cw.ByTitle(max_chars=50)(items).texts() == ["A\n\na one\n\na two\n\nB\n\nb"]
    assert cut(min_size=3)(items).texts() == ["A\n\na one\n\na two", "B\n\nb"]


# ---------------------------------------------------------------------- what a chunk knows


def test_parts_of_a_table() -> None:
    rows = [["Name", "Weight"], *([f"stone {i}", str(i)] for i in range(20))]
    text = " ".join(" ".join(row) for row in rows)
    table = element("Table", text, text_as_html=table_html(rows, 1), page_number=4)
    chunks = cw.Basic(max_chars=120)([element("Title", "Stones"), table])
    parts = list(chunks)
    assert len(parts) > 2
    assert {part.kind for part in parts} == {"table"}
    assert [[piece.role for piece in part.pieces] for part in parts[1:]] == [["header", "body"]] * (
        len(parts) - 1
    )
    own = [chunks.source[part.start : part.end] for part in parts]
    assert " ".join(own) == f"Stones\n\n{text}"
    assert len({part.table_id for part in parts}) == 1
    assert [part.part for part in parts] == list(range(len(parts)))
    assert [part.is_continuation for part in parts] == [False] + [True] * (len(parts) - 1)
    assert [part.n_header_rows for part in parts] == [0] + [1] * (len(parts) - 1)
    assert all(part.text.removeprefix("Stones\n\n").startswith("Name Weight ") for part in parts)
    assert all(part.html and part.html.startswith("<table>") for part in parts)
    assert all(part.pages == (4,) for part in parts)
    kinds = [one.kind for part in parts for one in part.elements]
    assert kinds == ["heading"] + ["table"] * len(parts)
    whole = cw.Basic(max_chars=120, skip_tables=True)([table])
    assert (whole.texts(), whole.kinds, whole[0].oversize) == ([text], ["table"], True)


def test_slices_pickles_and_other_forms() -> None:
    chunks = cw.Basic(max_chars=12)(PARAGRAPHS, name="words")
    assert chunks.texts() == WORDS
    assert chunks[1:3].texts() == chunks.texts()[1:3]
    assert chunks[::-1].starts.tolist() == chunks.starts.tolist()[::-1]
    assert isinstance(chunks[1:3], cw.Chunks)
    assert chunks[1:3].to_dicts() == chunks.to_dicts()[1:3]
    again = pickle.loads(pickle.dumps(chunks))
    assert again == chunks
    assert again.ids == chunks.ids
    assert again[1].elements == chunks[1].elements
    assert repr(chunks).startswith("<4 chunks of 'words'>\n  0: Chunk('Alpha one.', ")
    assert "Alpha one." in chunks._repr_html_()
    assert chunks[0] != chunks[1]
    assert len({*chunks, *again}) == 4


def test_arrow() -> None:
    pa = pytest.importorskip("pyarrow")
    chunks = cw.Basic(max_chars=12)(PARAGRAPHS)
    batch = pa.record_batch(chunks)
    assert batch["text"].to_pylist() == WORDS
    assert batch["kind"].to_pylist() == ["paragraph"] * 4
    assert batch["first_element"].to_pylist() == [0, 1, 2, 3]
    assert pa.record_batch(chunks[2:])["chunk_id"].to_pylist() == chunks.ids[2:]
    assert pa.table(chunks).num_rows == 4
    both = cw.Basic(max_chars=12).batch([PARAGRAPHS, PARAGRAPHS])
    assert pa.record_batch(both)["doc_index"].to_pylist() == [0] * 4 + [1] * 4


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


@pytest.mark.parametrize("strategy", OVER_ELEMENTS)
@pytest.mark.parametrize("text", ["", "# One\n\nTwo.", '[{"type": "Title", "text": "One"}]'])
def test_a_text_is_refused(strategy: Any, text: str) -> None:
    splitter = make(strategy, max_chars=12)
    remedy = "give a list of elements, or a document that cw.read makes of a file or of bytes"
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
        ("basic", {"max_chars": 9, "soft_max": 10}, "soft_max must be between 1 and 9, got 10"),
        ("basic", {"max_chars": 9, "soft_max": 0}, "soft_max must be between 1 and 9, got 0"),
        ("basic", {"max_chars": 9, "overlap": 9}, "overlap must be less than max_chars=9, got 9"),
        ("basic", {"max_chars": 9, "overlap": -1}, "overlap must be at least 0, got -1"),
        (
            "by_title",
            {"combine_under": 10},
            "'combine_under' of 'by_title': here it is min_size",
        ),
        ("basic", {"max_chars": 9, "fix": True}, "unknown option 'fix' of 'basic'"),
        ("basic", {"max_chars": 9, "overlap_all": "no"}, "overlap_all must be True or False"),
        (
            "basic",
            {"max_chars": 9, "skip_tables": True, "isolate_tables": False},
            "skip_tables=True needs isolate_tables=True",
        ),
        ("basic", {"max_chars": 9, "overlap_at": "letter"}, "overlap_at"),
        (
            "by_title",
            {"max_chars": 9, "min_size": 10},
            "min_size must be between 0 and 9",
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
    splitter = cw.ByTitle(max_chars=30, min_size=5, overlap_all=True)
    copy = pickle.loads(pickle.dumps(splitter))
    assert copy == splitter
    assert copy(PARAGRAPHS) == splitter(PARAGRAPHS)
    assert "min_size=5" in repr(splitter)
    assert cw.ByTitle(max_chars=30) != splitter
    with pytest.raises(AttributeError):
        splitter.overlap_all = False  # type: ignore[misc]


# ---------------------------------------------------------------------- headings above tables


@pytest.mark.parametrize("strategy", ["basic", "by_title", "by_page"])
@pytest.mark.parametrize("isolate_tables", [True, False])
def test_no_heading_is_left_above_a_table(strategy: str, *, isolate_tables: bool) -> None:
    rows = [["Name", "Weight"], *([f"stone {i}", str(i)] for i in range(9))]
    text = " ".join(" ".join(row) for row in rows)
    table = element("Table", text, text_as_html=table_html(rows, 1))
    items = [element("NarrativeText", "Words."), element("Title", "Stones"), table]
    for limit in (60, 120, 10_000):
        options: dict[str, Any] = {"max_chars": limit, "isolate_tables": isolate_tables}
        chunks = cw.chunk(items, strategy, **options)  # type: ignore[call-overload]
        assert not any(chunk.text.endswith("Stones") for chunk in chunks), limit
        (led,) = [chunk for chunk in chunks if "Stones" in chunk.text]
        assert "Stones\n\nName Weight" in led.text
        laws.bodies_cover_the_text(chunks.source, chunks)
        assert all(len(chunk.text) <= limit for chunk in chunks)
    if strategy != "by_title":  # which joins small sections
        bare = cw.chunk(items, strategy, max_chars=120, soft_max=1)  # type: ignore[call-overload]
        assert "Stones" in bare.texts()


def test_a_row_around_a_merged_cell_has_one_place() -> None:
    rows = "".join(f"<tr><td>left {i}</td><td>right {i}</td></tr>" for i in range(4))
    html = (
        "<table><tr><td>first</td><td rowspan='5'>a merged cell</td><td>one</td></tr>"
        f"{rows}</table>"
    )
    text = "first a merged cell one " + " ".join(f"left {i} right {i}" for i in range(4))
    chunks = cw.Basic(max_chars=40)([element("Table", text, text_as_html=html)])
    laws.offsets_are_exact(text, chunks)
    laws.bodies_cover_the_text(text, chunks)
    parted = [chunk for chunk in chunks if "left" in chunk.text and "merged" in chunk.text]
    assert parted
    for chunk in parted:
        bodies = [piece for piece in chunk.pieces if piece.role == "body"]
        assert (chunk.start, chunk.end) == (bodies[0].start, bodies[-1].end)
