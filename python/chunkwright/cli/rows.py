"""Chunks as rows of a table: what is written, whatever the format."""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

Columns = dict[str, list[Any]]
NAMES = (
    "id",
    "document",
    "index",
    "text",
    "start",
    "end",
    "byte_start",
    "byte_end",
    "line_start",
    "line_end",
    "n_tokens",
    "oversize",
)
CLASH = "is a column of chunks too: name it with --id-column, or leave it out with --drop-column {}"


class Carried(Protocol):
    """What a row of the input has beside its text, which each of its chunks carries."""

    @property
    def size(self) -> int:
        """About as many bytes as it takes."""

    def values(self) -> dict[str, Any]:
        """Return the values by column, as JSON knows them."""


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
        Those of `NAMES`: ``index`` from 0, ``start`` and ``end`` in code points, ``byte_start`` and
        ``byte_end`` in UTF-8, ``line_start`` and ``line_end`` from 1.
    """
    values = [
        chunks.ids,
        [document] * len(chunks),
        list(range(len(chunks))),
        chunks.texts(),
        chunks.starts.tolist(),
        chunks.ends.tolist(),
        chunks.byte_starts.tolist(),
        chunks.byte_ends.tolist(),
        chunks.line_starts.tolist(),
        chunks.line_ends.tolist(),
        chunks.n_tokens.tolist(),
        [chunk.oversize for chunk in chunks],
    ]
    return dict(zip(NAMES, values, strict=True))
