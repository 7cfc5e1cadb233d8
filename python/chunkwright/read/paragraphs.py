"""A plain text as elements: its paragraphs."""

from __future__ import annotations

import re

from chunkwright.document import Document
from chunkwright.elements import ElementDocument
from chunkwright.read.unstructured import elements_of

BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


def as_elements(document: Document) -> ElementDocument:
    """Return a document as elements: itself if it has any, else one for each paragraph.

    A paragraph ends at a blank line. Its whitespace is normalised, as that of all elements.
    """
    if isinstance(document, ElementDocument):
        return document
    items = [
        {"type": "UncategorizedText", "text": paragraph}
        for paragraph in BLANK_LINES.split(document.text)
        if paragraph.strip()
    ]
    return ElementDocument(elements=elements_of(items), name=document.name)
