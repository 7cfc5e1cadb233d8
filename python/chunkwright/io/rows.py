"""Rows of chunks as they are written: columns of values that JSON knows, and what they carry."""

from typing import TYPE_CHECKING, Any, Protocol

from chunkwright.rows import BASE, OF_BOUNDARIES, OF_CONTEXT, OF_ELEMENTS, OF_MEANING, of_plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.chunks import Chunks
    from chunkwright.contextual import ContextualChunks

Columns = dict[str, list[Any]]
NAMES = BASE
CLASH = "is a column of chunks too: name it with id_column, or leave it out with drop_columns {}"


class Carried(Protocol):
    """What a row of the input has beside its text, which each of its chunks carries."""

    @property
    def size(self) -> int:
        """About as many bytes as it takes."""

    def values(self) -> dict[str, Any]:
        """Return the values by column, as JSON knows them."""


def columns(
    document: str, number: int, chunks: "Chunks | ContextualChunks", names: "Sequence[str]"
) -> Columns:
    """Return the columns of a document's chunks, one value a chunk.

    Parameters
    ----------
    document
        The document's name.
    number
        The document's number, from 0, among those that are written.
    chunks
        Its chunks.
    names
        The columns that are wanted; see :mod:`chunkwright.rows`.
    """
    rows = chunks.to_columns()
    made_by = {name: value for name, value in chunks.provenance.items() if name in OF_BOUNDARIES}
    alike = {"document": document, "doc_index": number, **made_by}
    rows |= {name: [value] * len(chunks) for name, value in alike.items()}
    # JSON says lone surrogates, too.
    rows["text"] = chunks.texts()
    # A strategy may cut texts without elements as well.
    rows = of_plain_text(len(chunks)) | rows
    return {name: rows[name] for name in names if name in rows}


def names_of(strategy: str) -> tuple[str, ...]:
    """Return the names of the columns that a strategy's chunks have."""
    from chunkwright.chunking import ALL_STRATEGIES

    return (*BASE, *ALL_STRATEGIES[strategy].columns)


def clashing(rows: Columns, carried: Carried) -> str | None:
    """Return what is wrong with what is carried, if it has a column that chunks have."""
    known = (*OF_ELEMENTS, *OF_MEANING, *OF_BOUNDARIES, *OF_CONTEXT)
    both = (name for name in known if name in rows and name in carried.values())
    return next((f"{name!r} {CLASH.format(name)}" for name in both), None)
