"""Forms of one text in a mail, of which one is read: the one that keeps most of its structure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunkwright.readers.mail.message import Body, Message

# A page with fewer of the words than this says that there is another form.
_MIN_SHARE = 0.5
# Plain text writes out where the links of a page lead: no words that the page lacks.
_ADDRESS = re.compile(r"(?:https?://|www\.|mailto:)\S+", re.IGNORECASE)


def fullest(forms: Sequence[list[Body | Message]]) -> list[Body | Message]:
    """Return the form that keeps most of a text: a page, unless it lacks most words of the rest."""
    if not any(forms):
        return []
    sizes = [_n_letters(form) for form in forms]
    enough = [
        form for form, size in zip(forms, sizes, strict=True) if size >= _MIN_SHARE * max(sizes)
    ]
    return max(enough, key=_rank)


def _rank(form: list[Body | Message]) -> int:
    kinds = {part.kind for part in form if isinstance(part, Body)}
    return next(
        (rank for rank, kind in ((3, "html"), (2, "markdown")) if kind in kinds), int(bool(form))
    )


def _n_letters(form: list[Body | Message]) -> int:
    return sum(_letters(part) for part in form)


def _letters(part: Body | Message) -> int:
    if isinstance(part, Message):
        return _n_letters(part.parts)
    text = part.text
    if part.kind == "html":
        from chunkwright.readers.html import read_html

        text = read_html(text).text
    return sum(map(len, _ADDRESS.sub("", text).split()))
