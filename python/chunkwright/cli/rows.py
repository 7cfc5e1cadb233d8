"""Chunks as rows of a table: what is written, whatever the format."""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks
    from chunkwright.element_chunks import ElementChunks

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
# Of chunks of elements, behind the others.
ELEMENT_NAMES = (
    "kind",
    "html",
    "pages",
    "headings",
    "is_continuation",
    "first_element",
    "last_element",
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
        Those of `NAMES`, and of `ELEMENT_NAMES` where there are elements: ``index`` from 0,
        ``start`` and ``end`` in code points, ``byte_start`` and ``byte_end`` in UTF-8,
        ``line_start`` and ``line_end`` from 1.
    """
    from chunkwright.element_chunks import ElementChunks

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
    rows = dict(zip(NAMES, values, strict=True))
    return {**rows, **_of_elements(chunks)} if isinstance(chunks, ElementChunks) else rows


def names_of(strategy: str) -> tuple[str, ...]:
    """Return the names of the columns that a strategy's chunks have."""
    from chunkwright.chunking import ELEMENT_STRATEGIES

    return (*NAMES, *ELEMENT_NAMES) if strategy in ELEMENT_STRATEGIES else NAMES


def clashing(rows: Columns, carried: Carried) -> str | None:
    """Return what is wrong with what is carried, if it has a column that chunks have."""
    both = (name for name in ELEMENT_NAMES if name in rows and name in carried.values())
    return next((f"{name!r} {CLASH.format(name)}" for name in both), None)


def _of_elements(chunks: "ElementChunks") -> Columns:
    values: list[list[Any]] = [
        chunks.kinds,
        [chunk.html for chunk in chunks],
        [list(chunk.pages) for chunk in chunks],
        [list(chunk.headings) for chunk in chunks],
        [chunk.is_continuation for chunk in chunks],
        chunks.first_elements.tolist(),
        chunks.last_elements.tolist(),
    ]
    return dict(zip(ELEMENT_NAMES, values, strict=True))
