"""Table of the elements of a document, as a terminal shows them."""

from typing import TYPE_CHECKING, Literal

from rich import box
from rich.table import Table
from rich.text import Text

from chunkwright.io.sources import Entry
from chunkwright.messages.terminal_text import counted, printable
from chunkwright.readers.pages import shown_pages, unread_pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.document import Document
    from chunkwright.elements.box import Box
    from chunkwright.elements.element import Element

# So many code points of a text are looked at, and so many cells are shown at least.
_MAX_CHARS, _LEAST = 400, 10
# Cells between two columns, and beside all of them.
_BETWEEN, _BESIDE = 3, 6


def table_of(entry: Entry, width: int) -> Table:
    """Return a table with a row for each element, in lines so wide.

    Pages, boxes and confidence have columns where some are known.
    """
    document = entry.document
    elements: Sequence[Element] = document.elements or ()
    columns = {
        "": [str(i) for i in range(len(elements))],
        "kind": [_kind(each) for each in elements],
        "page": [_numbers(each.pages) for each in elements],
        "box": [_boxes(each) for each in elements],
        "confidence": [_share(each.confidence) for each in elements],
    }
    known = {name: column for name, column in columns.items() if any(column)}
    about = f"{printable(entry.place)}: {counted(len(elements), 'element')}"
    title = f"{about}, {counted(len(document.text), 'character')}{_pages(document)}"
    table = Table(box=box.SIMPLE_HEAD, title=Text(title, "bold"), title_justify="left")
    room = width - _BESIDE
    for name, column in known.items():
        wide = max(map(len, [name, *column]))
        justify: Literal["left", "right"] = "left" if name == "kind" else "right"
        table.add_column(name, justify=justify, no_wrap=True, min_width=wide)
        room -= wide + _BETWEEN
    table.add_column("text", no_wrap=True)
    for element, *cells in zip(elements, *known.values(), strict=True):
        style = "bold" if element.kind == "heading" else "" if element.in_body else "dim"
        table.add_row(*cells, _text(element.text, room), style=style)
    if not elements and document.text.strip():
        table.add_row(_text(document.text, room))
    return table


def _pages(document: "Document") -> str:
    """Return how many pages were read, how sure that is, and which are pictures of text."""
    if not document.pages:
        return ""
    said = f", {counted(len(document.pages), 'page')}, confidence {_share(document.confidence)}"
    pictures = unread_pages(document)
    return f"{said}; to be recognised (OCR): page {shown_pages(pictures)}" if pictures else said


def _kind(element: "Element") -> str:
    return element.kind if element.level is None else f"{element.kind} {element.level}"


def _text(text: str, room: int) -> Text:
    shown = Text(printable(" ".join(text[:_MAX_CHARS].split())))
    shown.truncate(max(room, _LEAST), overflow="ellipsis")
    return shown


def _numbers(pages: "Sequence[int]") -> str:
    return ", ".join(map(str, pages))


def _boxes(element: "Element") -> str:
    boxes = element.boxes
    more = f" +{len(boxes) - 1}" if len(boxes) > 1 else ""
    return f"{_edges(boxes[0])}{more}" if boxes else ""


def _edges(of: "Box") -> str:
    return f"{of.left:.0f},{of.top:.0f} {of.right:.0f},{of.bottom:.0f}"


def _share(confidence: float | None) -> str:
    return "" if confidence is None else f"{confidence:.2f}"
