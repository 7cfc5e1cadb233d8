"""Document: a text with a name, and the elements that a reader found in it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from chunkwright.elements import Elements


class Document:
    """A text to be cut, and what is known about it.

    Any strategy takes it. Strategies over elements cut between them, all others cut the text.
    Documents are frozen, and equal if text, name and elements are.

    Parameters
    ----------
    text
        The text. Offsets of chunks are code points of it. Left out where there are elements, which
        know it.
    name
        What the document is called, say its path; chunk ids are derived from it.
    elements
        The headings, paragraphs, tables and so on that the text is made of, as a reader found
        them; None for a plain text.

    Raises
    ------
    ConfigError
        If the name is no text, or the text is not that of the elements.

    Examples
    --------
    >>> import chunkwright as cw
    >>> report = cw.Document(text="One two three.", name="report.txt")
    >>> cw.chunk(report, "window", max_chars=7)[0].text
    'One two'
    """

    __slots__ = ("_text", "elements", "name")
    _text: str | None
    name: str | None
    # Elements, or None where the text has none.
    elements: Any

    def __init__(
        self,
        *,
        text: str | None = None,
        name: str | None = None,
        elements: Elements | None = None,
    ) -> None:
        if not isinstance(name, str | None):
            raise ConfigError(f"name must be a str or None, got {name!r}")
        if elements is None and text is None:
            raise ConfigError("text must be given where there are no elements")
        if elements is not None and text is not None and text != elements.text:
            raise ConfigError("text must be that of the elements, and can be left out")
        object.__setattr__(self, "_text", text)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "elements", elements)

    @property
    def text(self) -> str:
        """The text that offsets count in."""
        if self.elements is not None:
            of_elements: str = self.elements.text
            return of_elements
        text: str = self._text  # type: ignore[assignment]
        return text

    def named(self, name: str | None) -> Document:
        """Return the document under another name."""
        return Document(text=self._text, name=name, elements=self.elements)

    def _identity(self) -> tuple[object, ...]:
        return (self.name, self._text if self.elements is None else self.elements)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.name, self.text))

    def __reduce__(self) -> tuple[Any, ...]:
        return _document, (self._text, self.name, self.elements)

    def __repr__(self) -> str:
        held = f"text={self._text!r}" if self.elements is None else f"elements={self.elements!r}"
        return f"Document({held}, name={self.name!r})"


def _document(text: str | None, name: str | None, elements: Elements | None) -> Document:
    return Document(text=text, name=name, elements=elements)
