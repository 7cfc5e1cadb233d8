"""Numbers of items of lists, which say nothing of what the items say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chunkwright.store.citing.places import element_at
from chunkwright.store.citing.sentences import paragraph_of

if TYPE_CHECKING:
    from chunkwright.elements.elements import Elements
    from chunkwright.store.citing.views import Span, View

_NUMBER = re.compile(r"^[ \t>]*(\d{1,9}[.)])(?=[ \t])", re.MULTILINE)
# Of a text whose elements are not known, where years are at the starts of lines, too.
_SHORT_NUMBER = re.compile(r"\d{1,3}[.)]\Z")


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
