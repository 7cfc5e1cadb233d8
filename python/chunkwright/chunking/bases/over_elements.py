"""Base class of the strategies over elements: the documents that they read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from chunkwright.chunking.bases.options import Takes
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.readers.unstructured import read_elements
from chunkwright.rows import OF_ELEMENTS

NO_ELEMENTS = (
    "this strategy cuts elements, got {kind}: give a list of elements, or a document that cw.read "
    "makes of a file or of bytes; for a text take a strategy such as 'recursive' or 'balanced'"
)
"""What is said of a text without elements."""


class OverElements(Strategy):
    """Takes documents with elements, of :func:`chunkwright.read` say, or lists of elements."""

    _singles = (str, bytes, bytearray, dict, Document)
    takes: ClassVar[tuple[Takes, ...]] = ("text", "elements")
    columns = OF_ELEMENTS

    def _read(self, source: object, at: int | None = None) -> Document:
        if isinstance(source, str):
            document = Document(text=source)
        elif isinstance(source, Document):
            document = source
        elif isinstance(source, Iterable) and not isinstance(source, self._singles):
            document = read_elements(source)
        else:
            what = "a document" if at is None else f"texts[{at}]"
            texts = "a str, a Document or " if "text" in self.takes else ""
            message = f"{what} must be {texts}a list of elements, got {type(source).__name__}"
            raise ConfigError(message)
        if document.elements is None and "text" not in self.takes:
            kind = "a str" if isinstance(source, str) else "a text"
            raise ConfigError(NO_ELEMENTS.format(kind=kind))
        return document
