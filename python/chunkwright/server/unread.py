"""Warnings of pages whose text is in pictures, for answers that lack it."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwright.readers.pages import shown_pages


def needs_ocr(name: str, pages: Sequence[int]) -> str:
    """Return what a client is told of pages of a file that are not read.

    Examples
    --------
    >>> needs_ocr("scan.pdf", [1, 2, 5])
    'scan.pdf: the text of pages 1-2, 5 is in pictures: it needs OCR, and is not in the answer'
    """
    noun = "page" if len(pages) == 1 else "pages"
    place = f"{name}: " if name else ""
    said = f"the text of {noun} {shown_pages(pages)} is in pictures"
    return f"{place}{said}: it needs OCR, and is not in the answer"


def warning_header(warnings: Sequence[str]) -> dict[str, str]:
    """Return the header ``Warning`` (RFC 7234) with each of these; none for none.

    Examples
    --------
    >>> warning_header(["a.pdf: one", "b.pdf: two"])
    {'Warning': '299 - "a.pdf: one", 299 - "b.pdf: two"'}
    """
    quoted = (each.replace("\\", "/").replace('"', "'") for each in warnings)
    texts = (each.encode("ascii", "backslashreplace").decode() for each in quoted)
    value = ", ".join(f'299 - "{"".join(c for c in each if c.isprintable())}"' for each in texts)
    return {"Warning": value} if value else {}
