"""Typeface of a document's text: fixed width for source code, data and logs."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkwright.document import Document

# Lines that are looked at, and so many characters of the text at most.
_LOOKED_AT = 200
_MOST_CHARS = 20_000
# Data in brackets, whatever file it is in: JSON, XML.
_NESTED = re.compile(r"\s*[\[{<]")
# A line of a log, of a listing or of a table of plain text: it begins with a date, a time or a
# number of seconds, or has a gap between two words.
_LAID_OUT = re.compile(r"\W?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d{9,}\b)|.*\S(?: {3,}|\t)\S")


def has_fixed_width(document: Document) -> bool:
    r"""Return whether the characters of a document are to be shown equally wide.

    Its layout says something then: it is source code, data, or lines with columns. A document with
    elements says by itself which of them are code.

    Examples
    --------
    >>> import chunkwright as cw
    >>> has_fixed_width(cw.Document(text="x = 1\n", name="a.py"))
    True
    >>> has_fixed_width(cw.Document(text="It rained."))
    False
    """
    from chunkwright.readers.kinds import is_yaml, kind_of, language_of

    text, name = document.text, document.name
    if document.elements is not None or kind_of(text[:_MOST_CHARS], name) != "text":
        return False
    is_nested = _NESTED.match(text) and text.rstrip()[-1] in "]}>"
    if language_of(name, text) is not None or is_yaml(name) or is_nested:
        return True
    lines = (line for line in text[:_MOST_CHARS].splitlines() if line.strip())
    looked_at = list(islice(lines, _LOOKED_AT))
    return sum(_LAID_OUT.match(line) is not None for line in looked_at) * 2 > len(looked_at)
