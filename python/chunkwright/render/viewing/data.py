"""Data of a view: chunks, why they end where they do, and what else a page shows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError
from chunkwright.render.comparison import Summary, histogram
from chunkwright.render.viewing.endings import ending_rows
from chunkwright.render.viewing.typeface import has_fixed_width

if TYPE_CHECKING:
    from chunkwright.boundaries import Boundaries
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.elements.elements import Elements
    from chunkwright.elements.table import TableCell

# What a page need not be told twice: it has the text, and where the pieces are.
_TEXTS = ("text", "html")
_OF_DOCUMENT = ("text", "document", "fixed_width", "outline", "elements", "pages")
# Cells of all tables of a document: a page with more of them would be slow.
_MOST_CELLS = 20_000
_LIMITS = {"max_tokens": "tokens", "max_chars": "chars"}


def view_of(  # noqa: PLR0913 - what a page shows, all by name
    chunks: Chunks,
    *,
    strategy: Any = None,
    with_texts: bool = True,
    other: Mapping[str, Any] | None = None,
    questions: Sequence[Mapping[str, Any]] = (),
    changes: Mapping[str, Any] | None = None,
    images: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """Return what a page shows of the chunks of one document.

    Parameters
    ----------
    chunks
        The chunks. With :func:`chunkwright.shadows` of them, shadows are shown too.
    strategy
        The strategy that cut them, which says its name, options and limit.
    with_texts
        Whether the row of each chunk has its text; a page makes it of the document's and the
        pieces.
    other
        What this returned of other chunks of the same document, to be shown beside them; what is
        the document's is left out of it.
    questions
        For each question ``question``, and ``scores``: for each chunk ``words``, a share of 0 to
        1, ``vectors``, a cosine or None, and ``total``.
    changes
        What a re-import changed: ``from`` and ``to``, numbers of versions; ``chunks``, for each
        ``"kept"``, ``"new"`` or ``"moved"``; ``gone``, a ``text`` for each block; ``citations``,
        the numbers of those ``resolved`` and ``moved``, of each of ``broken`` a ``quote`` and what
        ``stands`` in its place, and of each of ``changed`` a ``quote`` and its ``changes``.
    images
        Pictures of pages, by their numbers: URIs of the scheme ``data``, or paths of a service.

    Returns
    -------
    dict
        ``text``, ``chunks``, ``boundaries``, ``threshold``, ``limit``, ``sizes``, ``histogram``,
        ``document``, ``fixed_width``, ``chunking``; where the document has elements ``outline``
        and ``elements``; where it has pages ``pages``; and what else was given. Offsets are code
        points of ``text``.

    Raises
    ------
    ConfigError
        If the chunks are not those of one document.
    """
    documents = chunks.documents
    if len(documents) != 1:
        raise ConfigError(f"a view is of one document, got chunks of {len(documents)}")
    (document,) = documents
    text, spec = chunks.source, spec_row(strategy)
    scored, sizes = chunks.boundaries, chunks.n_tokens.tolist()
    beside = {name: (other or {})[name] for name in other or () if name not in _OF_DOCUMENT}
    given = {"other": beside, "questions": list(questions), "changes": changes}
    return {
        "text": text,
        "chunks": _rows(chunks, text, spec, with_texts=with_texts),
        "boundaries": [] if scored is None else _boundary_rows(scored),
        "threshold": None if scored is None else finite(next(iter(scored.thresholds), None)),
        "limit": _limit(strategy),
        "sizes": asdict(Summary.of(sizes)),
        "histogram": [
            {"first": first, "last": last, "counts": counts}
            for first, last, counts in histogram([sizes])
        ],
        "document": document_row(document),
        "fixed_width": has_fixed_width(document),
        "chunking": spec,
        **_structure(document.elements),
        **_pages(document, images or {}),
        **{name: value for name, value in given.items() if value},
    }


def _rows(
    chunks: Chunks, text: str, spec: Mapping[str, Any], *, with_texts: bool
) -> list[dict[str, Any]]:
    rows = chunks.to_dicts()
    endings = ending_rows(chunks, text, spec["strategy"], spec["options"])
    for row, chunk, ending in zip(rows, chunks, endings, strict=True):
        row["pieces"] = [
            {"role": role, "start": start, "end": end} for role, start, end in chunk.pieces
        ]
        row["ending"] = ending
        for name in () if with_texts else _TEXTS:
            row.pop(name, None)
        for name, value in row.items():
            if isinstance(value, float):
                row[name] = finite(value)
    return rows


def _boundary_rows(scored: Boundaries) -> list[dict[str, Any]]:
    columns = (scored.positions.tolist(), scored.scores.tolist(), scored.verdicts.tolist())
    return [
        {"position": position, "score": finite(score), "verdict": verdict}
        for position, score, verdict in zip(*columns, strict=True)
    ]


def finite(value: float | None) -> float | None:
    """Return a score as JSON can say it: None where there is none."""
    return float(value) if value is not None and isfinite(value) else None


def spec_row(strategy: Any) -> dict[str, Any]:
    """Return a strategy as a request would say it: models by their names alone."""
    spec = {} if strategy is None else dict(strategy.spec)
    name = spec.pop("strategy", None)
    return {"strategy": name, "options": {option: _said(spec[option]) for option in spec}}


def _said(value: Any) -> Any:
    is_plain = isinstance(value, str | int | float | bool | list | tuple | dict | None)
    return value if is_plain else type(value).__name__


def _limit(strategy: Any) -> dict[str, Any] | None:
    """Return the largest size of a chunk, and its unit."""
    for option, unit in _LIMITS.items():
        most = getattr(strategy, option, None)
        if isinstance(most, int):
            return {"unit": unit, "most": most}
    return None


def document_row(document: Document, *, id_: str | None = None) -> dict[str, Any]:
    """Return what is said of a document; of its id, if that is known already."""
    elements = document.elements
    return {
        "id": document.id if id_ is None else id_,
        "name": document.name,
        "n_chars": len(document.text),
        "n_elements": None if elements is None else len(elements),
    }


def _structure(elements: Elements | None) -> dict[str, Any]:
    """Return the headings, and where each element is and what."""
    if elements is None:
        return {}
    drawn = _cells(elements)
    places = list(
        zip(
            elements.kinds,
            elements.levels,
            elements.starts.tolist(),
            elements.ends.tolist(),
            strict=True,
        )
    )
    return {
        "outline": [
            {
                "title": elements.titles.get(i, elements.text_of(i)).strip(),
                "level": level or 1,
                "start": start,
                "end": end,
            }
            for i, (kind, level, start, end) in enumerate(places)
            if kind == "heading" and elements.is_in_body(i)
        ],
        "elements": [
            {"index": i, "kind": kind, "level": level, "start": start, "end": end}
            | ({"cells": cells} if (cells := drawn.get(i)) else {})
            for i, (kind, level, start, end) in enumerate(places)
        ],
    }


def _cells(elements: Elements) -> dict[int, list[list[Any]]]:
    """Return the cells of tables, by their elements, row by row.

    Of each: row, column, start, end, how many rows and columns it takes, 1 in a header, and what
    it says where that does not stand there. Tables with more cells than a page can draw are left
    out.
    """
    found: dict[int, list[list[Any]]] = {}
    room = _MOST_CELLS
    for i, kind in enumerate(elements.kinds):
        table = elements.table_of(i) if kind == "table" else None
        if table is None or len(table.cells) > room:
            continue
        room -= len(table.cells)
        found[i] = list(map(_cell, table.cells))
    return found


def _cell(cell: TableCell) -> list[Any]:
    place = [cell.row, cell.column, cell.start, cell.end, cell.rows, cell.columns]
    said = [] if cell.text is None else [cell.text]
    return [*place, int(cell.is_header), *said]


def _pages(document: Document, images: Mapping[int, str]) -> dict[str, Any]:
    pages = [
        {
            "number": page.number,
            "width": page.width,
            "height": page.height,
            "image": images.get(page.number),
        }
        for page in document.pages
    ]
    return {"pages": pages} if pages else {}
