"""Sentences, paragraphs and numbers of items that a quote stands in, in a text of any language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.store.citing.places import element_at
from chunkwright.store.negations import languages_of

if TYPE_CHECKING:
    from chunkwright.elements.elements import Elements
    from chunkwright.store.citing.views import Span, View

# Code points on both sides in which a sentence is looked for.
_FAR = 2000
# So much of the next sentence says whether one ends.
_OPENING = 80
# Before a number a short word with a dot names what is counted, in any language: `Abs. 3`.
_NUMBERED = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,4}\.\s*\Z")
# The sign of questions in Greek looks like a semicolon, which is another one there.
_GREEK_QUESTION = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff][^\w\s;]*;[^\w\s;]*\s*\Z")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
# Numbers of items of lists say nothing of what the items say.
_NUMBER = re.compile(r"^[ \t>]*(\d{1,9}[.)])(?=[ \t])", re.MULTILINE)
# Of a text whose elements are not known, where years are at the starts of lines, too.
_SHORT_NUMBER = re.compile(r"\d{1,3}[.)]\Z")


def around_of(text: str, start: int, end: int) -> str:
    """Return a quote with so much of the text on both sides as says what language it is in."""
    return text[max(0, start - _FAR) : end + _FAR]


def paragraph_of(text: str, start: int, end: int) -> Span:
    """Return the part of a text from the paragraph of a quote to the end of its last one."""
    low, high = max(0, start - _FAR), min(len(text), end + _FAR)
    for match in _PARAGRAPH.finditer(text, low, start):
        low = match.end()
    after = _PARAGRAPH.search(text, end, high)
    return low, after.start() if after is not None else high


def sentence_of(text: str, start: int, end: int) -> Span:
    """Return the part of a text from the first sentence of a quote to the end of its last one."""
    low, high = paragraph_of(text, start, end)
    line = text.rfind("\n", 0, start) + 1
    if text.startswith("|", line):
        # Each row of a table says something by itself.
        stop = text.find("\n", max(start, end - 1))
        low, high = max(low, line), min(high, stop) if stop >= 0 else high
    part = text[low:high].replace("\u037e", ";")
    found = (each for code in ("en", "el") for each in _core.sentence_ends(part, code))
    is_asked = {each for each in found if _GREEK_QUESTION.search(part, max(0, each - 24), each)}
    known = is_asked.union(_core.sentence_ends(part, "en"))
    ends = [low, *(low + each for each in sorted(known))]
    # `Nr.` may end an English sentence, and none of the others.
    is_english = languages_of(around_of(text, start, end)) == {"en"}
    languages = () if is_english else _core.sentence_languages()

    def is_end(number: int) -> bool:
        """Return whether a sentence ends there in every language that the text may have."""
        before, at = ends[number - 1 : number + 1]
        if at - low in is_asked:
            return True
        if _NUMBERED.search(text[before:at]) and text[at : at + 1].isdigit():
            return False
        part = text[before : at + _OPENING]
        return all(at - before in _core.sentence_ends(part, each) for each in languages)

    numbers = range(1, len(ends))
    first = (ends[n] for n in reversed(numbers) if ends[n] <= start and is_end(n))
    last = (ends[n] for n in numbers if ends[n] >= end and is_end(n))
    return next(first, low), max(next(last, high), end)


def numbers_of_items(view: View, start: int, end: int) -> list[Span]:
    """Return where the numbers of items of lists stand in a part of a version."""
    text, elements = view.text, view.document.elements
    line = text.rfind("\n", 0, start) + 1
    spans = [match.span(1) for match in _NUMBER.finditer(text, line, end)]
    if elements is None:
        return [span for span in spans if _is_in_list(text, span)]
    return [span for span in spans if _begins_item(elements, view.source(*span)[0])]


def _begins_item(elements: Elements, at: int) -> bool:
    number = element_at(elements, at)
    if number is None or elements[number].kind != "list item":
        return False
    own = elements[number]
    return not own.text[: at - own.start].strip(" \t>")


def _is_in_list(text: str, span: Span) -> bool:
    """Return whether the paragraph of a number begins with one."""
    first = _NUMBER.match(text, paragraph_of(text, *span)[0])
    return first is not None and _SHORT_NUMBER.search(text[slice(*span)]) is not None
