"""A text with a name."""

from __future__ import annotations

from dataclasses import dataclass

from chunkwright.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text to be cut, and what is known about it.

    Parameters
    ----------
    text
        The text. Offsets of chunks are code points of it.
    name
        What the document is called, say its path; chunk ids are derived from it.

    Raises
    ------
    ConfigError
        If the name is no text.

    Examples
    --------
    >>> import chunkwright as cw
    >>> report = cw.Document(text="One two three.", name="report.txt")
    >>> cw.chunk(report, "window", max_chars=7)[0].text
    'One two'
    """

    text: str
    name: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str | None):
            raise ConfigError(f"name must be a str or None, got {self.name!r}")
