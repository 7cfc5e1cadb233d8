"""Markdown of a DoclingDocument: its text, with marks of headings, code and pages."""

from __future__ import annotations

import re

from chunkwright.elements.element import Element

_MOST_HASHES = 6
_TICKS = re.compile("`{3,}")


def markdown(elements: list[Element], text: str, page_break: str = "") -> str:
    """Return a text with the marks of headings and code, which it does not have.

    Parameters
    ----------
    elements
        The elements of the document.
    text
        Its text.
    page_break
        What stands between two pages; empty: nothing.
    """
    parts: list[str] = []
    end, page = 0, None
    for element in elements:
        if not element.in_body:
            break
        parts.append(text[end : element.start])
        first = min(element.pages, default=None)
        if page_break and page is not None and first is not None and first > page:
            parts.append(f"{page_break}\n\n")
        page = max(element.pages, default=page)
        parts.append(_marked(element))
        end = element.end
    return "".join(parts)


def _marked(element: Element) -> str:
    if element.kind == "heading" and element.text:
        return f"{'#' * min(element.level or 1, _MOST_HASHES)} {element.text}"
    if element.kind == "code":
        longest = max((len(found) for found in _TICKS.findall(element.text)), default=2)
        fence = "`" * (longest + 1)
        return f"{fence}{(element.language or '').lower()}\n{element.text}\n{fence}"
    return element.text
