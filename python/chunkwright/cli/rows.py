"""Chunks as rows of a table: what is written, whatever the format."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

Columns = dict[str, list[Any]]


def columns(document: str, chunks: "Chunks") -> Columns:
    """Return the columns of a document's chunks, one value a chunk.

    Parameters
    ----------
    document
        The document's name.
    chunks
        Its chunks.

    Returns
    -------
    dict
        ``id``, ``document``, ``index`` (from 0), ``text``, ``start`` and ``end`` (code points),
        ``byte_start`` and ``byte_end`` (UTF-8), ``line_start`` and ``line_end`` (from 1),
        ``n_tokens``, ``oversize``.
    """
    return {
        "id": chunks.ids,
        "document": [document] * len(chunks),
        "index": list(range(len(chunks))),
        "text": chunks.texts(),
        "start": chunks.starts.tolist(),
        "end": chunks.ends.tolist(),
        "byte_start": chunks.byte_starts.tolist(),
        "byte_end": chunks.byte_ends.tolist(),
        "line_start": chunks.line_starts.tolist(),
        "line_end": chunks.line_ends.tolist(),
        "n_tokens": chunks.n_tokens.tolist(),
        "oversize": [chunk.oversize for chunk in chunks],
    }
