"""Chunks of the native strategies in Unstructured's dict form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkwright import _core
from chunkwright.chunk_view import Chunk
from chunkwright.chunks import Chunks
from chunkwright.document import Document
from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.unstructured import UnstructuredItems, kinds_of

# Whole elements, a table, a part of one: the numbers that the core knows them by.
_TEXT, _TABLE, _TABLE_PART = range(3)


def chunks_to_dicts(chunks: Chunks, *, originals: bool = True) -> list[dict[str, Any]]:
    """Return chunks as the dicts that Unstructured's own chunks have, which its tools read.

    Texts are of the type ``CompositeElement``, tables of ``Table``, rows of one of ``TableChunk``.
    Metadata are put together as Unstructured does.

    Parameters
    ----------
    chunks
        What strategies made of Unstructured's elements, be it of several documents.
    originals
        Whether ``metadata.orig_elements`` holds what a chunk was made of, compressed.

    Returns
    -------
    list[dict]
        A ``dict`` for each chunk; ``element_id`` is the chunk's id.

    Raises
    ------
    ConfigError
        If the chunks are not made of Unstructured's elements.
    ReadError
        If the elements' metadata cannot be put together, or said in JSON.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.compat.unstructured import chunks_to_dicts
    >>> chunks = cw.chunk([{"type": "Title", "text": "Rain"}], "basic", max_chars=50)
    >>> [(row["type"], row["text"]) for row in chunks_to_dicts(chunks)]
    [('CompositeElement', 'Rain')]
    """
    # Parts of a table are put together from all of them, be only some asked for.
    whole = Chunks(chunks._columns)  # noqa: SLF001 - what a slice is a view of
    of_document: list[list[Chunk]] = [[] for _ in chunks.names]
    for chunk in whole:
        of_document[chunk.doc_index].append(chunk)
    dicts: list[dict[str, Any]] = []
    for document, own in zip(chunks.documents, of_document, strict=True):
        if own:
            dicts += _dicts(document, own, originals=originals)
    return [dicts[chunk.index] for chunk in chunks]


def _dicts(document: Document, chunks: list[Chunk], *, originals: bool) -> list[dict[str, Any]]:
    elements = document.elements
    if elements is None or not isinstance(elements.source, UnstructuredItems):
        raise ConfigError("chunks must be made of Unstructured's elements")
    items, name, rows = elements.items, document.name or "", [_row(chunk) for chunk in chunks]
    try:
        if isinstance(items[0], Mapping):
            table = _core.UnstructuredElements.of_dicts(items)
        else:
            table = _core.UnstructuredElements.of_objects(items, kinds_of(items[0]))
        made = _core.UnstructuredChunks.restore(table, rows)
        return made.dicts([chunk.id for chunk in chunks], originals=originals)
    except (AttributeError, TypeError, ValueError) as error:
        reason = f"the metadata of elements is not what Unstructured's is: {error}"
        raise ReadError(f"{name}: {reason}" if name else reason) from error


def _row(chunk: Chunk) -> tuple[Any, ...]:
    elements = chunk.elements
    kind = _TEXT
    if chunk.kind == "table":
        kind = _TABLE if chunk.table_id is None else _TABLE_PART
        # Elements without text that go with a table are not what it was made of.
        elements = tuple(one for one in elements if one.kind == "table" and one.text.strip())
    span = (elements[0].index, elements[-1].index + 1)
    return kind, span, chunk.text, chunk.html, chunk.part, chunk.n_header_rows
