"""The laws that hold for the chunks of every strategy, whatever the text and the options."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import strategies as st

import chunkwright as cw

# A grapheme of more code points is no character of any language and may be cut (UAX #15).
MAX_CLUSTER = 32


def count_as_a_saw(text: str) -> int:
    """Count so that a longer text may be smaller."""
    return len(text) * 37 % 61


def count_bare_ends_more(text: str) -> int:
    """Count so that a text without the whitespace at its end may be larger."""
    return len(text) // (4 if text[-1:].isspace() else 1)


TOKENIZERS = [
    "cl100k_base",
    "o200k_base",
    "bytes",
    lambda text: len(text.split()),
    count_as_a_saw,
    count_bare_ends_more,
]


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """Make the options that all strategies over text have."""
    limit = draw(st.integers(1, 60))
    soft = draw(st.none() | st.integers(1, limit))
    chosen: dict[str, Any] = {
        draw(st.sampled_from(["max_tokens", "max_chars"])): limit,
        "soft_max": soft,
        "overlap": draw(st.integers(0, (soft or limit) - 1)),
        "overlap_at": draw(st.sampled_from(["word", "sentence", "any"])),
        "tokenizer": draw(st.sampled_from(TOKENIZERS)),
    }
    return chosen


def hold(text: str, chunks: cw.Chunks, options: dict[str, Any]) -> None:
    """Assert that the laws hold for the chunks of a text."""
    bodies_cover_the_text(text, chunks)
    offsets_are_exact(text, chunks)
    limits_hold(chunks, options)
    overlaps_belong_to_the_chunk_before(chunks, options)


def bodies_cover_the_text(text: str, chunks: cw.Chunks) -> None:
    bodies = [piece for chunk in chunks for piece in chunk.pieces if piece.role == "body"]
    assert len(bodies) == len(chunks)
    assert all(a.end <= b.start for a, b in itertools.pairwise(bodies))
    gaps = zip([0, *(b.end for b in bodies)], [*(b.start for b in bodies), len(text)], strict=True)
    assert all(not text[start:end].strip() for start, end in gaps)
    assert all(text[body.start : body.end].strip() for body in bodies)


def offsets_are_exact(text: str, chunks: cw.Chunks) -> None:
    texts = chunks.texts()
    utf8 = repaired(text).encode()
    for i, chunk in enumerate(chunks):
        assert chunk.text == texts[i] == text[chunk.start : chunk.end]
        assert (chunk.start, chunk.end) == (chunks.starts[i], chunks.ends[i])
        slice_ = utf8[chunk.byte_start : chunk.byte_end]
        assert slice_.decode() == repaired(chunk.text)
        assert chunk.line_start == 1 + text[: chunk.start].count("\n")
        assert chunk.pieces[0].start == chunk.start
        assert chunk.pieces[-1].end == chunk.end
        assert all(a.end == b.start for a, b in itertools.pairwise(chunk.pieces))


def repaired(text: str) -> str:
    """Join surrogates that make a character, and replace others, as tokenizers see the text."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def limits_hold(chunks: cw.Chunks, options: dict[str, Any]) -> None:
    limit = options.get("max_chars") or options["max_tokens"]
    for chunk in chunks:
        size = _size(chunk.text, options)
        assert (size > limit) == chunk.oversize
        if chunk.oversize:
            assert len(chunk.text) <= MAX_CLUSTER
        if "max_tokens" in options and not callable(options["tokenizer"]):
            assert chunk.n_tokens == size


def overlaps_belong_to_the_chunk_before(chunks: cw.Chunks, options: dict[str, Any]) -> None:
    for before, chunk in itertools.pairwise(chunks):
        overlaps = [piece for piece in chunk.pieces if piece.role == "overlap"]
        assert len(overlaps) <= (1 if options["overlap"] else 0)
        for overlap in overlaps:
            body = next(piece for piece in before.pieces if piece.role == "body")
            assert body.start <= overlap.start < body.end


def _size(text: str, options: dict[str, Any]) -> int:
    if "max_chars" in options:
        return len(text)
    return cw.count_tokens(text, options["tokenizer"])
