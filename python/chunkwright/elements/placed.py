"""Elements at places of a text that the caller knows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chunkwright import _core
from chunkwright.checks import MAX_SIZE, checked_int
from chunkwright.elements.box import Box
from chunkwright.elements.elements import Elements
from chunkwright.elements.table import TableCell
from chunkwright.errors import ConfigError

# The core knows no deeper levels, and no table has so many rows.
MAX_LEVEL = 255
MAX_ROWS = 2**31


def elements_at(
    text: str, items: Iterable[Mapping[str, Any]], *, n_body: int | None = None
) -> Elements:
    r"""Return elements at places of a text, which stays as it is: chunks are slices of it.

    Parameters
    ----------
    text
        The text, such as a Markdown file.
    items
        For each element a mapping with ``kind`` (see :attr:`Elements.kinds`), ``start`` and ``end``
        (code points, ascending and disjoint), and optionally:

        - ``level``: its depth among elements of its kind, 1 to 255
        - ``parent``: the number of its parent, which stands before it
        - ``page``, or ``pages`` if it is on several
        - ``boxes``: a :class:`chunkwright.Box` for each place on a page
        - ``cells`` of a table, row by row: a :class:`chunkwright.TableCell` each
        - ``caption_of``: the number of the table or figure of a caption
        - ``language`` of code, ``html`` of a table, ``confidence`` from 0 to 1
    n_body
        The number of elements in the body; by default all. Those after them are page headers and
        footers, which no strategy cuts.

    Raises
    ------
    ConfigError
        If an element lacks a field, a value is invalid, or an element or cell does not follow the
        one before it in the text; names its number and the value.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = "# Rain\n\nIt rained."
    >>> elements = cw.elements_at(text, [
    ...     {"kind": "heading", "start": 0, "end": 6, "level": 1},
    ...     {"kind": "paragraph", "start": 8, "end": 18, "pages": (1, 2)},
    ... ])
    >>> document = cw.Document(elements=elements, name="rain.md")
    >>> chunk = cw.chunk(document, "by_title", max_chars=100)[0]
    >>> chunk.text == text, chunk.pages
    (True, (1, 2))
    """
    given = list(items)
    rows = [
        _row(f"elements[{at}]", at, item, len(text), len(given)) for at, item in enumerate(given)
    ]
    if n_body is not None:
        checked_int("n_body", n_body, least=0, most=len(given))
    return Elements(_core.Elements.of_places(text, rows, n_body), given)


def _row(name: str, at: int, item: Any, n_chars: int, n_items: int) -> dict[str, Any]:
    """Return an element as the core takes it.

    Raises
    ------
    ConfigError
        If a value is none of its field; names both.
    """
    for key in ("kind", "start", "end"):
        if not isinstance(item, Mapping) or key not in item:
            raise ConfigError(f"{name} must be a mapping with {key!r}, got {item!r}")

    def text(key: str) -> str | None:
        value = item.get(key)
        if not isinstance(value, str | None):
            raise ConfigError(f"{name}: {key} must be a str, got {value!r}")
        return value

    def number(key: str, least: int, most: int) -> int | None:
        value = item.get(key)
        return (
            None if value is None else checked_int(f"{name}: {key}", value, least=least, most=most)
        )

    if not isinstance(item["kind"], str):
        raise ConfigError(f"{name}: kind must be a str, got {item['kind']!r}")
    cells = _cells(name, item, n_chars)
    return {
        "kind": item["kind"],
        "start": checked_int(f"{name}: start", item["start"], least=0, most=n_chars),
        "end": checked_int(f"{name}: end", item["end"], least=0, most=n_chars),
        "level": number("level", 0, MAX_LEVEL) or 0,
        "parent": number("parent", 0, at - 1),
        "caption_of": number("caption_of", 0, n_items - 1),
        "language": text("language"),
        "html": text("html"),
        "confidence": _confidence(name, item.get("confidence")),
        "pages": _pages(name, item),
        "boxes": _boxes(name, item.get("boxes")),
        "cells": cells,
    }


def _pages(name: str, item: Mapping[str, Any]) -> list[int]:
    page, pages = item.get("page"), item.get("pages")
    if pages is None:
        return [] if page is None else [checked_int(f"{name}: page", page, least=0, most=MAX_SIZE)]
    if page is not None:
        raise ConfigError(
            f"{name}: page and pages cannot both be given, got {page!r} and {pages!r}"
        )
    numbers = enumerate(_sequence(f"{name}: pages", "page numbers", pages))
    found = [checked_int(f"{name}: pages[{i}]", of, least=0, most=MAX_SIZE) for i, of in numbers]
    return list(dict.fromkeys(found))


def _boxes(name: str, boxes: object) -> list[tuple[Any, ...]]:
    if boxes is None:
        return []
    rows = []
    for i, box in enumerate(_sequence(f"{name}: boxes", "boxes", boxes)):
        place = f"{name}: boxes[{i}]"
        if not isinstance(box, Sequence) or len(box) != len(Box._fields):
            raise ConfigError(f"{place} must be a Box, got {box!r}")
        page, *edges = box
        if page is not None:
            checked_int(f"{place}: page", page, least=0, most=MAX_SIZE)
        for field, edge in zip(Box._fields[1:], edges, strict=True):
            is_left_out = edge is None and field in {"width", "height"}
            if not is_left_out and not _is_number(edge):
                raise ConfigError(f"{place}: {field} must be a number, got {edge!r}")
        rows.append((page, edges[:4], *edges[4:]))
    return rows


def _cells(name: str, item: Mapping[str, Any], n_chars: int) -> list[tuple[object, ...]]:
    cells = item.get("cells")
    if cells is None:
        return []
    if item["kind"] != "table":
        raise ConfigError(f"{name}: cells are those of a table, got kind {item['kind']!r}")
    rows: list[tuple[object, ...]] = []
    for i, cell in enumerate(_sequence(f"{name}: cells", "cells", cells)):
        place = f"{name}: cells[{i}]"
        if not isinstance(cell, TableCell):
            raise ConfigError(f"{place} must be a TableCell, got {cell!r}")
        for field in ("row", "column", "start", "end", "rows", "columns"):
            least = 1 if field in {"rows", "columns"} else 0
            most = n_chars if field in {"start", "end"} else MAX_ROWS
            checked_int(f"{place}: {field}", getattr(cell, field), least=least, most=most)
        if not isinstance(cell.is_header, bool):
            raise ConfigError(f"{place}: is_header must be a bool, got {cell.is_header!r}")
        if cell.text is not None:
            raise ConfigError(f"{place}: text must be None, for a cell says what stands there")
        rows.append(cell[:-1])
    return rows


def _confidence(name: str, value: object) -> float | None:
    if value is None:
        return None
    if not _is_number(value) or not 0 <= value <= 1:  # type: ignore[operator]
        raise ConfigError(f"{name}: confidence must be a number from 0 to 1, got {value!r}")
    return float(value)  # type: ignore[arg-type]


def _sequence(name: str, what: str, value: object) -> Sequence[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise ConfigError(f"{name} must be a sequence of {what}, got {value!r}")
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
