"""Elements at places that the caller knows: pages, boxes, cells, and values that are none."""

from __future__ import annotations

import math
import pickle
import re
from typing import Any

import pytest

import chunkwright as cw

TEXT = "# Rain\n\nDay | mm\nMon | 3\nTue | 4\nWed | 5\n\nTable 1\n"
TABLE = TEXT[8:40].rstrip("\n")


def cells() -> list[cw.TableCell]:
    found = [(match.start(), match.end()) for match in re.finditer(r"\w+", TABLE)]
    return [
        cw.TableCell(i // 2, i % 2, 8 + start, 8 + end, is_header=i < 2)
        for i, (start, end) in enumerate(found)
    ]


def items(**table: Any) -> list[dict[str, Any]]:
    start = TEXT.index("Table 1")
    return [
        {"kind": "heading", "start": 0, "end": 6, "level": 1},
        {"kind": "table", "start": 8, "end": 8 + len(TABLE)} | table,
        {"kind": "caption", "start": start, "end": start + 7, "caption_of": 1},
    ]


def test_all_that_a_caller_may_know() -> None:
    box = cw.Box(2, 1.0, 2.0, 3.0, 4.5, 100.0, None)
    known = items(
        pages=(2, 3), boxes=[box, (3, 0, 0, 1, 1, None, None)], cells=cells(), confidence=0.5
    )
    elements = cw.elements_at(TEXT, known)
    _, table, caption = elements
    assert (table.pages, table.confidence, elements.pages) == ((2, 3), 0.5, [None, 2, None])
    assert table.boxes == (box, cw.Box(3, 0, 0, 1, 1, None, None))
    assert table.table == cw.Table(4, 2, tuple(cells()))
    assert (caption.caption_of, table.captions, table.caption_of) == (table, (caption,), None)
    assert table.item is known[1]
    again = pickle.loads(pickle.dumps(elements))
    assert again == elements
    assert [each.pages for each in again] == [(), (2, 3), ()]
    assert (again[1].boxes, again[1].table) == (table.boxes, table.table)


@pytest.mark.parametrize("name", ["hybrid", "basic", "by_title"])
def test_a_table_of_cells_is_cut_between_its_rows(name: str) -> None:
    document = cw.Document(elements=cw.elements_at(TEXT, items(cells=cells(), pages=(2, 3))))
    chunks = cw.strategy(name, max_chars=18)(document)
    parts = [chunk for chunk in chunks if chunk.kind == "table"]
    assert len(parts) > 2
    lines = {line for part in parts for line in part.text.splitlines()}
    assert {*TABLE.splitlines()} <= lines <= {*TEXT.splitlines()}
    assert {chunk.pages for chunk in parts} == {(2, 3)}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"pages": 7}, "elements[1]: pages must be a sequence of page numbers, got 7"),
        ({"pages": "12"}, "elements[1]: pages must be a sequence of page numbers, got '12'"),
        ({"pages": (1, "b")}, "elements[1]: pages[1] must be an int"),
        ({"pages": (1,), "page": 1}, "elements[1]: page and pages cannot both be given"),
        ({"boxes": 7}, "elements[1]: boxes must be a sequence of boxes, got 7"),
        ({"boxes": [(1, 2)]}, "elements[1]: boxes[0] must be a Box, got (1, 2)"),
        ({"boxes": [(1, 2, "x", 3, 4, None, None)]}, "boxes[0]: top must be a number, got 'x'"),
        ({"boxes": [(1, 2, math.nan, 3, 4, 5, 6)]}, "boxes[0]: top must be a number, got nan"),
        ({"boxes": [("i", 2, 2, 3, 4, 5, 6)]}, "boxes[0]: page must be an int"),
        (
            {"cells": [(0, 0, 8, 11)]},
            "elements[1]: cells[0] must be a TableCell, got (0, 0, 8, 11)",
        ),
        ({"cells": [cw.TableCell(0, 0, 3, 4)]}, "elements[1]: cells[0] stands at 3..4"),
        ({"cells": [cw.TableCell(0, 0, 8, 45)]}, "cells[0] ends at 45, after the end of its table"),
        ({"cells": [cw.TableCell(0, 0, 8, 9, rows=0)]}, "cells[0]: rows must be between 1"),
        ({"cells": [cw.TableCell(0, 0, 8, 9, 1, 1, 2)]}, "is_header must be a bool, got 2"),  # type: ignore[arg-type]
        (
            {"cells": [cw.TableCell(1, 0, 8, 9), cw.TableCell(0, 0, 9, 10)]},
            "elements[1]: cells[1] must start after the cell before it",
        ),
        ({"kind": "code", "cells": cells()}, "cells are those of a table, got kind 'code'"),
        ({"confidence": 2}, "confidence must be a number from 0 to 1, got 2"),
        ({"level": 256}, "elements[1]: level must be between 0 and 255, got 256"),
        ({"caption_of": 3}, "elements[1]: caption_of must be between 0 and 2, got 3"),
        ({"language": 1}, "elements[1]: language must be a str, got 1"),
        ({"html": b"x"}, "elements[1]: html must be a str, got b'x'"),
    ],
)
def test_what_is_no_value_of_its_field(table: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=re.escape(message)):
        cw.elements_at(TEXT, items(**table))
