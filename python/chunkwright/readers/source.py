"""Documents whose text is a source that the core reads by itself, such as Markdown."""

from __future__ import annotations

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements
from chunkwright.errors import ConfigError


def read_source(kind: str, text: str, name: str | None) -> Document:
    """Read a text of a kind; where no name is given, the document has the one that it states.

    Raises
    ------
    ConfigError
        If ``text`` or ``name`` is no text.
    """
    if not isinstance(text, str):
        raise ConfigError(f"text must be a str, got {type(text).__name__}")
    core = _core.Elements.of_kind(kind, text)
    return Document(elements=Elements(core), name=core.name or None if name is None else name)
