"""Structure of a text that chunks should keep together, and the ranges that chunks have in it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright import _core
from chunkwright.checks import checked_language
from chunkwright.evaluation.data.dataset import Dataset
from chunkwright.readers.kinds import kind_of
from chunkwright.readers.markdown import markdown_elements

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.document import Document
    from chunkwright.elements.elements import Elements


class Spans(NamedTuple):
    """Parts of a text, none of them empty, in code points.

    Attributes
    ----------
    starts, ends
        Where they start, and where they end.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts)


class Ranges:
    """Where chunks stand in a text; they may overlap, and stand in any order.

    Parameters
    ----------
    starts, ends
        In code points. Empty ranges are left out.
    """

    def __init__(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        order = np.argsort(starts, kind="stable")
        order = order[starts[order] < ends[order]]
        self.ends: NDArray[np.int64]
        self.starts: NDArray[np.int64]
        self.starts, self.ends = starts[order], ends[order]
        # How far the ranges reach that start at a place or before; nowhere before the first.
        self._reach = np.concatenate([[-1], np.maximum.accumulate(self.ends)])

    def hold(self, spans: Spans) -> NDArray[np.bool_]:
        """Say of each span whether one range holds all of it."""
        before = np.searchsorted(self.starts, spans.starts, side="right")
        held: NDArray[np.bool_] = self._reach[before] >= spans.ends
        return held

    def touch(self, spans: Spans) -> NDArray[np.bool_]:
        """Say of each span whether some range holds a part of it."""
        before = np.searchsorted(self.starts, spans.ends, side="left")
        touched: NDArray[np.bool_] = self._reach[before] > spans.starts
        return touched

    def depth(self, n: int) -> NDArray[np.int64]:
        """Return how many ranges hold each of the ``n`` code points of the text."""
        steps = np.zeros(n + 1, dtype=np.int64)
        np.add.at(steps, self.starts, 1)
        np.add.at(steps, self.ends, -1)
        return np.cumsum(steps)[:n]


_LEADING = frozenset({"paragraph", "list item", "quote", "caption"})
_LED = frozenset({"list", "list item", "code", "table", "formula"})
_COLONS = (":", "：", "︓", "﹕")
# What ends emphasis, a quote or a bracket behind a colon; a few of them are looked at.
_CLOSERS = "*_`)]}\"'”’»」』）】"
_MAX_CLOSERS = 8
# No code point above is whitespace.
_LAST_BLANK = 0x3000


@dataclass(frozen=True, eq=False)
class Structure:
    """Spans of sentences, tables and headings in a text, without blanks at both ends.

    Parameters
    ----------
    is_filled
        Of each code point, whether it is no whitespace, and no page header or footer.
    sentences
        The sentences.
    tables, headings
        The tables and the headings; None if nothing is known of elements.
    behind
        Of each heading, the first code point behind it that is no whitespace; -1 if none is.
    lead_ins
        The paragraphs and items that end in a colon, above a list, code, a table or a formula; None
        if nothing is known of elements.
    led
        Of each of these, the first code point of what it leads to.
    """

    is_filled: NDArray[np.bool_]
    sentences: Spans
    tables: Spans | None
    headings: Spans | None
    behind: NDArray[np.int64]
    lead_ins: Spans | None
    led: NDArray[np.int64]


def structures_of(dataset: Dataset, *, language: str = "en") -> list[Structure]:
    """Return the structure of each corpus of a dataset.

    Elements are those of documents. A plain text has elements if it begins as Markdown does:
    with front matter, or a heading and a blank line.

    Parameters
    ----------
    dataset
        The corpora.
    language
        That of their sentences; see :func:`chunkwright.split_sentences`.

    Raises
    ------
    ConfigError
        If nothing is known of the language.
    """
    checked_language(language)
    return [
        structure_of(text, _elements(text, dataset.documents.get(name)), language=language)
        for name, text in dataset.corpora.items()
    ]


def structure_of(text: str, elements: Elements | None, *, language: str = "en") -> Structure:
    """Return the structure of a text; O(n) in time, some 20 bytes a code point while it works."""
    is_filled = _are_filled(text)
    if elements is not None:
        is_filled[elements.core.body_end :] = False
    filled = np.flatnonzero(is_filled)
    ends = np.array(_core.sentence_ends(text, language), dtype=np.int64)
    sentences = _trimmed(
        Spans(np.concatenate([[0], ends[:-1]]) if len(ends) else ends, ends), filled
    )
    tables = _of_kind(elements, "table", filled)
    headings = _of_kind(elements, "heading", filled)
    behind = np.empty(0, dtype=np.int64) if headings is None else _next(headings.ends, filled)
    lead_ins = None if elements is None else _trimmed(_lead_ins(elements), filled)
    led = np.empty(0, dtype=np.int64) if lead_ins is None else _next(lead_ins.ends, filled)
    return Structure(is_filled, sentences, tables, headings, behind, lead_ins, led)


def _elements(text: str, document: Document | None) -> Elements | None:
    if document is not None and document.elements is not None:
        found: Elements = document.elements
        return found
    return markdown_elements(text) if kind_of(text, None) == "markdown" else None


def _of_kind(elements: Elements | None, kind: str, filled: NDArray[np.int64]) -> Spans | None:
    if elements is None:
        return None
    is_one = np.array([each == kind for each in elements.kinds], dtype=np.bool_)
    return _trimmed(Spans(elements.starts[is_one], elements.ends[is_one]), filled)


def _lead_ins(elements: Elements) -> Spans:
    """Return the elements that end in a colon, and lead to what the next one with text is."""
    filled = [i for i, text in enumerate(elements.texts()) if text.strip()]
    kinds, text = elements.kinds, elements.text
    starts, ends = elements.starts[filled], elements.ends[filled]
    leads = np.zeros(len(filled), dtype=np.bool_)
    for at, (own, following) in enumerate(itertools.pairwise(filled)):
        if kinds[own] in _LEADING and kinds[following] in _LED:
            last = text[starts[at] : ends[at]].rstrip()[-_MAX_CLOSERS:]
            leads[at] = last.rstrip(_CLOSERS).endswith(_COLONS)
    return Spans(starts[leads], ends[leads])


def _trimmed(spans: Spans, filled: NDArray[np.int64]) -> Spans:
    """Return spans from their first to their last code point that is no whitespace."""
    first = np.searchsorted(filled, spans.starts)
    behind = np.searchsorted(filled, spans.ends)
    has_some = first < behind
    return Spans(filled[first[has_some]], filled[behind[has_some] - 1] + 1)


def _next(places: NDArray[np.int64], filled: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first code point from each place on that is no whitespace, or -1."""
    return np.append(filled, -1)[np.searchsorted(filled, places)]


def _are_filled(text: str) -> NDArray[np.bool_]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    are_filled: NDArray[np.bool_] = _filled_codes()[np.minimum(codes, _LAST_BLANK + 1)]
    return are_filled


@cache
def _filled_codes() -> NDArray[np.bool_]:
    return np.array([not chr(code).isspace() for code in range(_LAST_BLANK + 2)])
