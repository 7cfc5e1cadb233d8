"""Content of versions: documents as bytes, their elements included."""

from __future__ import annotations

import json
import struct
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements
from chunkwright.errors import ChunkwrightError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwright.document import Scalar

# Of the content of a version.
_LAYOUT = 1
_START = struct.Struct("<II")
# Texts become three times smaller by it; more takes longer than it saves.
_LEVEL = 1


class Content(NamedTuple):
    """A document as bytes.

    Attributes
    ----------
    data
        What is stored.
    hash
        SHA-256 of the text and its elements: equal only for documents that are the same.
    """

    data: bytes
    hash: bytes


def content_of(document: Document) -> Content:
    """Return a document as bytes, without its name, id and metadata."""
    elements = document.elements
    header: dict[str, Any] = {"text": document.text}
    state = b""
    if elements is not None:
        state, _, is_made, htmls, stand_ins = elements.core.state()
        header |= {"is_made": is_made, "htmls": sorted(htmls.items()), "stand_ins": stand_ins}
    # Escaped, so that lone surrogates come back.
    head = json.dumps(header).encode("ascii")
    data = b"".join((_START.pack(_LAYOUT, len(head)), head, state))
    return Content(zlib.compress(data, _LEVEL), sha256(data).digest())


def document_of(
    data: bytes, uri: str, metadata: Mapping[str, Scalar] | None = None
) -> Document | None:
    """Return the document that :func:`content_of` wrote.

    Parameters
    ----------
    data
        What was stored.
    uri
        Its name.
    metadata
        Its metadata.

    Returns
    -------
    Document or None
        With its text alone where another version of chunkwright wrote its elements, in a layout
        that this one does not know; None if nothing can be read of it.
    """
    try:
        unpacked = zlib.decompress(data)
        layout, n_head = _START.unpack_from(unpacked)
        if layout != _LAYOUT:
            return None
        header = json.loads(unpacked[_START.size : _START.size + n_head])
        text = header["text"]
    except (zlib.error, struct.error, ValueError, LookupError, TypeError, RecursionError):
        return None
    elements = None
    if "is_made" in header:
        elements = _elements_of(header, unpacked[_START.size + n_head :])
    if elements is not None:
        return Document(elements=elements, name=uri, metadata=metadata)
    return Document(text=text, name=uri, metadata=metadata)


def _elements_of(header: dict[str, Any], state: bytes) -> Elements | None:
    """Return stored elements; None if their layout is not known."""
    try:
        core = _core.Elements.of_state(
            state,
            header["text"],
            header["is_made"],
            dict(header["htmls"]),
            [(number, char) for number, char in header["stand_ins"]],
        )
    except (ChunkwrightError, KeyError, TypeError, ValueError):
        return None
    return Elements(core)
