"""Chunks of the native strategies in Unstructured's dict form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.unstructured import UnstructuredElements, kinds_of

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks
    from chunkwright.columns import Columns
    from chunkwright.document import Document


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
    columns = chunks._columns  # noqa: SLF001 - parts are put together from all, be only some asked for
    row_ends = columns.core.row_ends()
    dicts: list[dict[str, Any]] = []
    for doc, document in enumerate(chunks.documents):
        if len(dicts) < row_ends[doc]:
            dicts += _dicts(columns, doc, document, originals=originals)
    rows = chunks._rows  # noqa: SLF001
    return dicts if rows == range(len(dicts)) else [dicts[row] for row in rows]


def _dicts(
    columns: Columns, doc: int, document: Document, *, originals: bool
) -> list[dict[str, Any]]:
    elements = document.elements
    if not isinstance(elements, UnstructuredElements):
        raise ConfigError("chunks must be made of Unstructured's elements")
    items, name = elements.items, document.name or ""
    try:
        kinds = None if isinstance(items[0], Mapping) else kinds_of(items[0])
        first, end = [0, *columns.core.row_ends()][doc : doc + 2]
        ids = columns.ids[first:end]
        return _core.native_dicts(columns.core, doc, items, kinds, ids, originals=originals)
    except (AttributeError, TypeError, ValueError) as error:
        reason = f"the metadata of elements is not what Unstructured's is: {error}"
        raise ReadError(f"{name}: {reason}" if name else reason) from error
