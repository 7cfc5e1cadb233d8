"""A text with a name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text to be cut, and what is known about it.

    Parameters
    ----------
    text
        The text. Offsets of chunks are code points of it.
    name
        What the document is called, say its path; chunk ids are derived from it.

    Examples
    --------
    >>> import chunkwright as cw
    >>> report = cw.Document(text="One two three.", name="report.txt")
    >>> cw.chunk(report, "window", max_chars=7)[0].text
    'One two'
    """

    text: str
    name: str | None = None
