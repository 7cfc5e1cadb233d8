"""Places in documents of stores, as lines and as JSON."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import typer

from chunkwright.messages.terminal_text import escaped, printable
from chunkwright.readers.pages import shown_pages

if TYPE_CHECKING:
    from chunkwright.store.citing.places import Place
    from chunkwright.store.searching.found import Found


def place_line(of: "Place | Found") -> str:
    """Return document, pages or lines, and headings, as ``mill.pdf, page 3: Wheels > Water``."""
    if of.pages:
        many = "s" if len(of.pages) > 1 else ""
        where = f"page{many} {shown_pages(of.pages)}"
    elif of.line_end > of.line_start:
        where = f"lines {of.line_start}-{of.line_end}"
    else:
        where = f"line {of.line_start}"
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
