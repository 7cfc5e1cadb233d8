"""Elements as rows of plain values, which JSON can say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.elements.element import Element


def element_rows(document: Document) -> list[dict[str, Any]]:
    """Return a document's elements as dicts; a plain text is one paragraph."""
    if document.elements is None:
        return [
            {
                "index": 0,
                "kind": "paragraph",
                "text": document.text,
                "start": 0,
                "end": len(document.text),
            }
        ]
    return [_row(element) for element in document.elements]


def _row(element: Element) -> dict[str, Any]:
    of, parent = element.caption_of, element.parent
    return {
        "index": element.index,
        "kind": element.kind,
        "level": element.level,
        "parent": None if parent is None else parent.index,
        "text": element.text,
        "start": element.start,
        "end": element.end,
        "line_start": element.lines[0],
        "line_end": element.lines[1],
        "pages": list(element.pages),
        "boxes": [box._asdict() for box in element.boxes],
        "headings": list(element.headings),
        "language": element.language,
        "caption_of": None if of is None else of.index,
        "speaker": element.speaker,
        "time_start": element.time_start,
        "time_end": element.time_end,
        "ocr": element.ocr,
        "confidence": element.confidence,
        "in_body": element.in_body,
    }
