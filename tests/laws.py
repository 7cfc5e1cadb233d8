"""The laws that hold for the chunks of every strategy, whatever is cut and by which options."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import regex
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.readers.unstructured import UnstructuredElements
from tests.support import scripted_models

# A grapheme of more code points is no character of any language and may be cut (UAX #15).
MAX_CLUSTER = 32
# Pieces of these roles stand next to each other in the text; others are repeated from afar.
NEARBY = ("body", "overlap")


def count_words(text: str) -> int:
    """Count words, as a tokenizer of one's own may."""
    return len(text.split())


def count_as_a_saw(text: str) -> int:
    """Count so that a longer text may be smaller."""
    return len(text) * 37 % 61


def count_bare_ends_more(text: str) -> int:
    """Count so that a text without the whitespace at its end may be larger."""
    return len(text) // (4 if text[-1:].isspace() else 1)


TOKENIZERS = [
    len,
    "cl100k_base",
    "o200k_base",
    "bytes",
    count_words,
    count_as_a_saw,
    count_bare_ends_more,
]

# With a list of abbreviations of its own, and without one.
LANGUAGES = st.sampled_from(["en", "de", "zh"])

# What strategies cannot do without.
NEEDED: dict[str, dict[str, Any]] = {"llm": {"llm": scripted_models.by_words}}


def needed(strategy: str) -> dict[str, Any]:
    """Return options that a strategy cannot be made without."""
    return NEEDED.get(strategy, {})


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """Make the options that all strategies have."""
    limit = draw(st.integers(1, 60))
    soft = draw(st.none() | st.integers(1, limit))
    chosen: dict[str, Any] = {
        draw(st.sampled_from(["max_tokens", "max_chars"])): limit,
        "soft_max": soft,
        "min_size": draw(st.none() | st.integers(0, limit)),
        "overlap": draw(st.integers(0, (soft or limit) - 1)),
        "overlap_at": draw(st.sampled_from(["word", "sentence", "any"])),
        "tokenizer": draw(st.sampled_from(TOKENIZERS)),
    }
    return chosen


@st.composite
def element_options(draw: st.DrawFn) -> dict[str, Any]:
    """Make the options that all strategies over elements have."""
    isolates = draw(st.booleans())
    return {
        **draw(options()),
        "overlap_all": draw(st.booleans()),
        "isolate_tables": isolates,
        "skip_tables": isolates and draw(st.booleans()),
        "repeat_headers": draw(st.booleans()),
        "language": draw(LANGUAGES),
    }


@st.composite
def section_options(draw: st.DrawFn) -> dict[str, Any]:
    """Make the options that all strategies over sections have."""
    flags = ("repeat_headings", "always_emit_headings", "repeat_headers", "omit_header_on_overflow")
    return {
        **draw(options()),
        **{flag: draw(st.booleans()) for flag in flags},
        "language": draw(LANGUAGES),
    }


def by_first_letter(texts: list[str]) -> Any:
    """Embed texts by the letter that they begin with: others are not similar at all."""
    return np.eye(128)[[ord(text.strip()[0]) % 128 if text.strip() else 0 for text in texts]]


def hold(text: str, chunks: cw.Chunks, options: dict[str, Any]) -> None:
    """Assert that the laws hold for the chunks of a text, with elements or without."""
    bodies_cover_the_text(text, chunks)
    offsets_are_exact(text, chunks)
    limits_hold(chunks, options)
    overlaps_belong_to_the_chunk_before(chunks, options)
    names_only_what_it_holds(chunks)
    assert len(set(chunks.ids)) == len(chunks)


# ---------------------------------------------------------------------- any text


def bodies_cover_the_text(text: str, chunks: cw.Chunks) -> None:
    bodies = [body for chunk in chunks for body in _bodies(chunk)]
    assert all(_bodies(chunk) for chunk in chunks)
    assert all(a.end <= b.start for a, b in itertools.pairwise(bodies))
    gaps = zip([0, *(b.end for b in bodies)], [*(b.start for b in bodies), len(text)], strict=True)
    assert all(not text[start:end].strip() for start, end in gaps)
    assert all(text[body.start : body.end].strip() for body in bodies)


def offsets_are_exact(text: str, chunks: cw.Chunks) -> None:
    texts = chunks.texts()
    utf8 = repaired(text).encode()
    for i, chunk in enumerate(chunks):
        assert chunk.text == texts[i]
        assert chunk.text == "".join(text[piece.start : piece.end] for piece in chunk.pieces)
        assert (chunk.start, chunk.end) == (chunks.starts[i], chunks.ends[i])
        place = text[chunk.start : chunk.end]
        assert utf8[chunk.byte_start : chunk.byte_end].decode() == repaired(place)
        assert chunk.line_start == 1 + text[: chunk.start].count("\n")
        near = [piece for piece in chunk.pieces if piece.role in NEARBY]
        assert (near[0].start, near[-1].end) == (chunk.start, chunk.end)
        assert all(a.end == b.start for a, b in itertools.pairwise(near))
        if len(near) == len(chunk.pieces):
            assert chunk.text == place


def repaired(text: str) -> str:
    """Join surrogates that make a character, and replace others, as tokenizers see the text."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def limits_hold(chunks: cw.Chunks, options: dict[str, Any]) -> None:
    limit = options.get("max_chars") or options["max_tokens"]
    for chunk in chunks:
        size = _size(chunk.text, options)
        assert (size > limit) == chunk.oversize
        if chunk.oversize and not (options.get("skip_tables") and chunk.kind == "table"):
            assert len(chunk.text) <= MAX_CLUSTER
            assert len(regex.findall(r"\X", repaired(chunk.text))) == 1
        if "max_tokens" in options and not callable(options["tokenizer"]):
            assert chunk.n_tokens == size


def overlaps_belong_to_the_chunk_before(chunks: cw.Chunks, options: dict[str, Any]) -> None:
    for before, chunk in itertools.pairwise(chunks):
        overlaps = [piece for piece in chunk.pieces if piece.role == "overlap"]
        assert len(overlaps) <= (1 if options["overlap"] else 0)
        for overlap in overlaps:
            body = _bodies(before)[0]
            assert body.start <= overlap.start < body.end


def _bodies(chunk: cw.Chunk) -> list[cw.Piece]:
    return [piece for piece in chunk.pieces if piece.role == "body"]


def _size(text: str, options: dict[str, Any]) -> int:
    if "max_chars" in options:
        return len(text)
    return cw.count_tokens(text, options["tokenizer"])


# ---------------------------------------------------------------------- elements


def hold_for_elements(chunks: cw.Chunks) -> None:
    """Assert what holds beside the laws for what strategies over elements make of a document."""
    elements_go_on(chunks)
    parts_of_tables_have_places(chunks)
    for table_id, group in itertools.groupby(chunks, lambda chunk: chunk.table_id):
        if table_id is not None:
            # The lead may be a part by itself, and so may what stands behind the rows.
            parts = [one for chunk in group for one in chunk.elements if one.text.strip()]
            assert len({one.index for one in parts if one.kind == "table"}) <= 1


def hold_for_sections(chunks: cw.Chunks, options: dict[str, Any]) -> None:
    """Assert what holds beside the laws for strategies that know headings."""
    (document,) = chunks.documents
    if document.elements is None:
        return
    parts_of_tables_have_places(chunks, sections=True)
    elements_go_on(chunks)
    headings = {one.start: one for one in document.elements if one.kind == "heading"}
    for chunk in chunks:
        roles = [piece.role for piece in chunk.pieces]
        assert roles == sorted(roles, key=["heading", "header", "overlap", "body"].index)
        assert (roles[-1], roles.count("body")) == ("body", 1)
        assert options["repeat_headings"] or "heading" not in roles
        assert options["repeat_headers"] or chunk.n_header_rows == 0
        for piece in chunk.pieces:
            if piece.role == "heading":
                heading = headings[piece.start]
                assert heading.end <= piece.end <= chunk.start
                behind = document.text[heading.end : piece.end]
                assert not any(letter.isalnum() for letter in behind)


def elements_go_on(chunks: cw.Chunks) -> None:
    """Each element is in one chunk, or in neighbours as its parts; none with text is left out."""
    (document,) = chunks.documents
    assert document.elements is not None
    spans = list(zip(chunks.first_elements.tolist(), chunks.last_elements.tolist(), strict=True))
    assert all(first <= last for first, last in spans) or document.elements.n_body == 0
    for i, ((_, before), (first, _)) in enumerate(itertools.pairwise(spans), 1):
        part = chunks[i].part
        assert part in {0, chunks[i - 1].part + 1}
        assert before <= first if part else before < first
    numbers = {number for first, last in spans for number in range(first, last + 1)}
    left_out = set(range(document.elements.n_body)) - numbers
    assert not any(document.elements[number].text.strip() for number in left_out)


def names_only_what_it_holds(chunks: cw.Chunks) -> None:
    """Every element, page and box of a chunk meets its own text, and all that meet it are there."""
    for chunk, row in zip(chunks, chunks.to_dicts(), strict=True):
        document = chunks.documents[chunk.doc_index]
        if document.elements is None:
            return
        bodies = _bodies(chunk)
        own = [one for one in document.elements if one.in_body and _is_met(one, bodies)]
        # What stands in no element is with the one before it.
        assert [one for one in chunk.elements if one.text.strip()] == own or not own
        # Then the places are those of all that it says, an overlap included.
        start, end = (bodies[0].start, bodies[-1].end) if own else (chunk.start, chunk.end)
        met = [one for one in chunk.elements if max(one.start, start) < min(one.end, end)]
        pages = [page for one in met for page in one.pages_in(start, end)]
        boxes = [box for one in met for box in one.boxes_in(start, end)]
        assert chunk.pages == tuple(dict.fromkeys(pages))
        assert list(chunk.boxes) == boxes
        assert (row.get("pages") or []) == list(chunk.pages)
        # Rows have none of Unstructured's elements, whose boxes the reader's objects say.
        edges = [(box.page, *box[1:5]) for box in boxes]
        row_edges = [tuple(box.values())[:5] for box in row.get("boxes") or []]
        assert row_edges == ([] if isinstance(document.elements, UnstructuredElements) else edges)


def _is_met(element: cw.Element, bodies: list[cw.Piece]) -> bool:
    """Whether a chunk has some of an element; one that is blank holds nothing to have."""
    is_near = any(max(element.start, of.start) < min(element.end, of.end) for of in bodies)
    return is_near and bool(element.text.strip())


def parts_of_tables_have_places(chunks: cw.Chunks, *, sections: bool = False) -> None:
    """A part of a table stands where its own rows stand, which no other part says.

    In sections, a whole table may repeat the end of the chunk before, as any chunk.
    """
    tables = [chunk for chunk in chunks if chunk.kind == "table"]
    for before, chunk in itertools.pairwise(tables):
        roles = [piece.role for piece in chunk.pieces]
        # Parts without rows are those of a text, which may overlap.
        is_whole = sections and chunk.part == 0
        is_overlapped = roles[-2:] == ["overlap", "body"] and (chunk.html is None or is_whole)
        assert before.end <= chunk.start or is_overlapped
    for chunk in tables:
        roles = [piece.role for piece in chunk.pieces]
        assert set(roles) <= {"heading", "header", "body", "overlap"}
        assert ("header" in roles) <= (chunk.table_id is not None)


def units_are_kept(chunks: cw.Chunks, units: list[int]) -> None:
    """No chunk has elements of two units, nor an overlap of another than its own."""
    (document,) = chunks.documents
    assert document.elements is not None
    with_text = [one for one in document.elements if one.text.strip()]
    for chunk in chunks:
        said = [one for one in chunk.elements if one.text.strip()]
        assert len({units[one.index] for one in said}) <= 1
        own = {units[one.index] for one in said}
        # What stands before the first element goes with it.
        of_own = [one.start for one in with_text if units[one.index] in own]
        is_first = of_own[:1] == [one.start for one in with_text[:1]]
        first = 0 if is_first else min(of_own, default=0)
        assert all(piece.start >= first for piece in chunk.pieces if piece.role == "overlap")


def no_word_is_lost(document: cw.Document, given: list[str]) -> None:
    """The text has every word that elements were given with, as far as none is said twice."""
    assert document.elements is not None
    for text, words in zip(document.elements.texts(), given, strict=True):
        letters = "".join(repaired(text).split())
        assert all(word in letters for word in repaired(words).split())
