"""Packing and splitting of elements against `unstructured`: kinds, texts and HTML of chunks."""

import itertools
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import _core

os.environ.setdefault("DO_NOT_TRACK", "1")
chunking = pytest.importorskip("unstructured.chunking.basic")
titles = pytest.importorskip("unstructured.chunking.title")
kinds = pytest.importorskip("unstructured.documents.elements")

# More chunks than a text can have for whose overlap there is an end.
ENDLESS = 2_000

words = st.text("abcdefgh", min_size=1, max_size=9)
blanks = st.sampled_from([" ", " ", " ", "  ", "\n", "\t", "\xa0", "\x1c", "\n\n ", ". "])
odd = st.text("ab c\n\t\x1c\xa0é漢🚀\u0301.", max_size=40)
long_words = st.sampled_from(["漢字仮名" * 9, "https://example.com/a/b?c=" + "x1" * 30, "a" * 80])
sentences = st.lists(words, min_size=1, max_size=14).map(" ".join)
spaced = st.lists(st.tuples(words, blanks), max_size=12).map(
    lambda pairs: "".join(word + blank for word, blank in pairs)
)
texts = st.one_of(sentences, sentences, spaced, odd, long_words, st.just(""), st.just(" \n"))
rows = st.lists(st.lists(sentences, min_size=1, max_size=3), min_size=1, max_size=5)


def _html(rows: list[list[str]]) -> str:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


@st.composite
def elements(draw: st.DrawFn) -> list[Any]:
    """A document, some elements without text."""
    names = [
        "Text",
        "NarrativeText",
        "Title",
        "Title",
        "Table",
        "CodeSnippet",
        "PageBreak",
        "Image",
    ]
    made: list[Any] = []
    for name in draw(st.lists(st.sampled_from(names), max_size=14)):
        element = getattr(kinds, name)(text="" if name == "PageBreak" else draw(texts))
        element.metadata.page_number = draw(st.sampled_from([None, 1, 1, 2, 3]))
        if name == "Table" and draw(st.booleans()):
            cells = draw(rows)
            element.metadata.text_as_html = _html(cells)
            element.text = draw(st.sampled_from([" ", "\n"])).join(" ".join(row) for row in cells)
        made.append(element)
    return made


@st.composite
def options(draw: st.DrawFn, most: int) -> dict[str, Any]:
    """Sizes and flags, as the peer takes them once its defaults are filled in."""
    hard_max = draw(st.integers(1, most))
    soft_max = draw(st.one_of(st.just(hard_max), st.integers(0, hard_max)))
    isolate = draw(st.booleans())
    return {
        "hard_max": hard_max,
        "soft_max": soft_max,
        "overlap": draw(st.one_of(st.just(0), st.integers(0, hard_max - 1))),
        "overlap_all": draw(st.booleans()),
        # The peer takes at most the soft limit, as the drop-in does (options.py).
        "combine_under": draw(st.integers(0, soft_max)),
        "isolate_tables": isolate,
        "skip_tables": isolate and draw(st.booleans()),
        "repeat_headers": draw(st.booleans()),
    }


# A table that was passed on as it is, by its number in the core.
UNTOUCHED = 3


def ours(items: list[Any], unit: str, options: dict[str, Any], multipage: bool | None) -> list[Any]:
    """All chunks; `multipage` none stands for the basic strategy."""
    table = _core.UnstructuredElements.of_objects(
        items, _core.ElementKinds(kinds.Title, kinds.Table, kinds.CodeSnippet)
    )
    cutter = _core.UnstructuredCutter(_core.Unit.named(unit), **options)
    cut = cutter.basic(table) if multipage is None else cutter.by_title(table, multipage)
    classes = _core.ElementClasses(
        kinds.CompositeElement, kinds.Table, kinds.TableChunk, kinds.ElementMetadata
    )
    found = []
    numbers = zip(memoryview(cut.kinds()), memoryview(cut.parts()), strict=True)
    for chunk, (kind, part) in zip(cut.objects(classes, originals=False), numbers, strict=True):
        if kind == UNTOUCHED:
            found.append(("untouched", " ".join(chunk.text.split()), None, False))
            continue
        html = chunk.metadata.text_as_html if isinstance(chunk, kinds.Table) else None
        found.append((type(chunk).__name__, chunk.text, html, part > 0))
    return found


def theirs(
    items: list[Any], encoding: str | None, options: dict[str, Any], multipage: bool | None
) -> list[Any]:
    """The same by the peer, or the first of endlessly many."""
    sizes = {"max_characters": options["hard_max"], "new_after_n_chars": options["soft_max"]}
    if encoding:
        sizes = {"max_tokens": options["hard_max"], "new_after_n_tokens": options["soft_max"]}
        sizes["tokenizer"] = encoding
    given = {
        "overlap": options["overlap"],
        "overlap_all": options["overlap_all"],
        "isolate_table": options["isolate_tables"],
        "skip_table_chunking": options["skip_tables"],
        "repeat_table_headers": options["repeat_headers"],
    }
    if multipage is None:
        chunks = chunking.iter_chunk_elements(items, **sizes, **given)
    else:
        given["combine_text_under_n_chars"] = options["combine_under"]
        given["multipage_sections"] = multipage
        chunks = titles.iter_chunks_by_title(items, **sizes, **given)
    found = []
    for chunk in itertools.islice(chunks, ENDLESS):
        if any(chunk is item for item in items):
            found.append(("untouched", " ".join(chunk.text.split()), None, False))
            continue
        html = chunk.metadata.text_as_html if isinstance(chunk, kinds.Table) else None
        is_continuation = bool(chunk.metadata.is_continuation)
        found.append((type(chunk).__name__, chunk.text, html, is_continuation))
    return found


@given(elements(), options(90), st.sampled_from([None, True, False]))
def test_chunks_in_characters(
    items: list[Any], options: dict[str, Any], multipage: bool | None
) -> None:
    found = ours(items, "chars", options, multipage)
    assert found == theirs(items, None, options, multipage)


@pytest.mark.usefixtures("shared")
@given(elements(), options(40), st.sampled_from([None, True, False]))
def test_chunks_in_tokens(
    items: list[Any], options: dict[str, Any], multipage: bool | None
) -> None:
    found = ours(items, "cl100k_base", options, multipage)
    expected = theirs(items, "cl100k_base", options, multipage)
    if len(expected) < ENDLESS:
        assert found == expected
