"""Places in documents of stores, as lines and as JSON."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import typer

from chunkwright.messages.terminal_text import escaped, printable
from chunkwright.readers.pages import named_place

if TYPE_CHECKING:
    from chunkwright.store.citing.places import Place
    from chunkwright.store.searching.found import Found


def place_line(of: "Place | Found") -> str:
    """Return document, pages or lines, and headings, as ``mill.pdf, page 3: Wheels > Water``."""
    where = named_place(of.pages, of.line_start, of.line_end)
    headings = " > ".join(of.headings)
    return printable(f"{of.document}, {where}{': ' if headings else ''}{headings}")


def place_row(of: Any) -> dict[str, Any]:
    """Return a place, or what has one, as JSON knows it."""
    row = asdict(of) if is_dataclass(of) and not isinstance(of, type) else dict(of)
    return row | {"boxes": [box._asdict() for box in of.boxes]}


def write_json(rows: Iterable[dict[str, Any]]) -> None:
    """Write rows to standard output, one a line; no text in them controls a terminal."""
    is_terminal = sys.stdout.isatty()
    for row in rows:
        line = json.dumps(row, ensure_ascii=False)
        typer.echo(escaped(line) if is_terminal else line)
