"""Chunks as rows of a table: what is written, whatever the format."""

from math import isnan
from typing import TYPE_CHECKING, Any, Protocol

from chunkwright.cli.settings.embedder import takes_embedder

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
# Of chunks that end where their meaning does, behind the others.
SEMANTIC_NAMES = ("score", "reason", "threshold")
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
        Those of `NAMES`, of `ELEMENT_NAMES` where there are elements, and of `SEMANTIC_NAMES`
        where boundaries have scores: ``index`` from 0, ``start`` and ``end`` in code points,
        ``byte_start`` and ``byte_end`` in UTF-8, ``line_start`` and ``line_end`` from 1.
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
    rows = dict(zip(NAMES, values, strict=True))
    if any(document.elements is not None for document in chunks.documents):
        return {**rows, **_of_elements(chunks)}
    return rows if chunks.boundaries is None else {**rows, **_of_meaning(chunks)}


def names_of(strategy: str) -> tuple[str, ...]:
    """Return the names of the columns that a strategy's chunks have."""
    from chunkwright.chunking import ELEMENT_STRATEGIES

    if strategy in ELEMENT_STRATEGIES:
        return (*NAMES, *ELEMENT_NAMES)
    return (*NAMES, *SEMANTIC_NAMES) if takes_embedder(strategy) else NAMES


def clashing(rows: Columns, carried: Carried) -> str | None:
    """Return what is wrong with what is carried, if it has a column that chunks have."""
    known = (*ELEMENT_NAMES, *SEMANTIC_NAMES)
    both = (name for name in known if name in rows and name in carried.values())
    return next((f"{name!r} {CLASH.format(name)}" for name in both), None)


def _of_elements(chunks: "Chunks") -> Columns:
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


def _of_meaning(chunks: "Chunks") -> Columns:
    boundaries = chunks.boundaries
    thresholds = [] if boundaries is None else _known(boundaries.thresholds.tolist())
    values: list[list[Any]] = [
        _known(chunks.scores.tolist()),
        chunks.reasons,
        # A row is of one document, which has one threshold.
        thresholds[:1] * len(chunks),
    ]
    return dict(zip(SEMANTIC_NAMES, values, strict=True))


def _known(numbers: list[float]) -> list[float | None]:
    return [None if isnan(number) else number for number in numbers]
