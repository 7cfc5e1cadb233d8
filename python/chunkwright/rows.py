"""Row schema of chunks: the columns that rows have in tables, JSON lines and Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.columns import Columns
    from chunkwright.frames import PlainColumns

BASE, OF_SOURCE, OF_ELEMENTS, OF_MEANING = map(tuple, _core.row_columns())
"""Columns of every row, of places in what was read among these, of elements, and by meaning."""

OF_BOUNDARIES = ("boundaries_model", "boundaries_prompt")
OF_CONTEXT = (
    "original_text",
    "contextual_snippet",
    "token_count",
    "chunking_strategy",
    "section",
    "context",
    "snippet_outcome",
    "snippet_why",
    "snippet_model",
    "snippet_prompt",
)
"""Names of the columns of contextual chunks, behind the others; ``text`` is then with context."""

# What Arrow is told of the columns: all others hold integers.
KINDS = {
    "chunk_id": "str",
    "document": "str?",
    "text": "str",
    **dict.fromkeys(OF_SOURCE, "int?"),
    "oversize": "bool",
    "kind": "str",
    "first_element": "int?",
    "last_element": "int?",
    "html": "str?",
    "pages": "ints",
    "headings": "strs",
    "headings_above": "strs",
    "score": "float",
    "reason": "str",
    "threshold": "float",
    "boundaries_model": "str",
    "boundaries_prompt": "str",
    **{name: "int" if name == "token_count" else "str" for name in OF_CONTEXT},
}


def plain_columns(columns: Columns, rows: Sequence[int]) -> PlainColumns:
    """Return rows as columns of plain values: those of every row, then what else is known."""
    at = list(rows)
    oversize = columns.oversize
    base = (
        [columns.ids[row] for row in at],
        [_said(columns.origin.names[doc]) for doc in columns.doc_index[at].tolist()],
        columns.doc_index[at],
        columns.index[at],
        [without_surrogates(columns.text(row)) for row in at],
        columns.starts[at],
        columns.ends[at],
        columns.byte_starts[at],
        columns.byte_ends[at],
        columns.lines[0][at],
        columns.lines[1][at],
        *(_known(places[at]) for places in columns.source_places),
        columns.n_tokens[at],
        [row in oversize for row in at],
    )
    found: PlainColumns = dict(zip(BASE, base, strict=True))
    if columns.has_elements:
        found.update(zip(OF_ELEMENTS, _of_elements(columns, at), strict=True))
    if columns.boundaries is not None:
        found.update(zip(OF_MEANING, _of_meaning(columns, at), strict=True))
    return found


def arrow_columns(columns: Columns, rows: Sequence[int]) -> list[tuple[str, str, Any]]:
    """Return rows as the core makes Arrow arrays of them: names, kinds and values."""
    plain = plain_columns(columns, rows)
    return [(name, KINDS.get(name, "int"), values) for name, values in plain.items()]


def arrow_metadata(provenance: Mapping[str, str]) -> dict[str, str]:
    """Return what tables of chunks say of themselves: what models and prompts they depend on."""
    return {f"chunkwright.{name}": fingerprint for name, fingerprint in provenance.items()}


def _of_elements(columns: Columns, at: list[int]) -> tuple[Any, ...]:
    elements = [columns.elements(row) for row in at]
    return (
        [columns.contents[row] for row in at],
        columns.parts[at],
        _numbered(columns, columns.first_elements, at),
        _numbered(columns, columns.end_elements - 1, at),
        [_said(columns.html(row)) for row in at],
        [list(dict.fromkeys(page for each in of for page in each.pages)) for of in elements],
        [list(map(without_surrogates, columns.headings(row))) for row in at],
        [list(map(without_surrogates, columns.headings_above(row))) for row in at],
    )


def _known(places: NDArray[np.int64]) -> list[int | None] | NDArray[np.int64]:
    """Return places; None for those that are not known."""
    if not (places < 0).any():
        return places
    return [None if place < 0 else place for place in places.tolist()]


def _numbered(columns: Columns, values: NDArray[np.int64], at: list[int]) -> Any:
    """Return numbers of elements; None for chunks of a document that has no elements."""
    if all(elements is not None for elements in columns.origin.elements):
        return values[at]
    has = [columns.origin.elements[doc] is not None for doc in columns.doc_index[at].tolist()]
    return [each if known else None for each, known in zip(values[at].tolist(), has, strict=True)]


def of_plain_text(n_chunks: int) -> dict[str, list[Any]]:
    """Return the columns of elements of the chunks of a document that has none."""
    values: tuple[Any, ...] = ("text", 0, None, None, None, [], [], [])
    return {name: [value] * n_chunks for name, value in zip(OF_ELEMENTS, values, strict=True)}


def _of_meaning(columns: Columns, at: list[int]) -> tuple[Any, ...]:
    import numpy as np

    thresholds = np.array([] if columns.boundaries is None else columns.boundaries.thresholds)
    return (
        columns.endings.scores[at],
        [columns.endings.reasons[row] for row in at],
        thresholds[columns.doc_index[at]],
    )


def _said(text: str | None) -> str | None:
    return None if text is None else without_surrogates(text)
