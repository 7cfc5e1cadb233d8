"""Order of the elements on pages: headers and footers where they stand, as Docling has them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from chunkwright.elements.element import Element


def in_reading_order(elements: Sequence[Element]) -> Iterator[Element]:
    """Yield elements page by page: what stands outside the text of a page is not kept for the end.

    Headers stand before the first element that begins on their page, footers behind the last one
    that begins there. What has no page stays behind all others.

    Parameters
    ----------
    elements
        Those of the text in its order, then the others.
    """
    heads, feet = _on_pages(elements, is_foot=False), _on_pages(elements, is_foot=True)
    for element in elements:
        if element.in_body and element.pages:
            page = min(element.pages)
            yield from _until(feet, page - 1)
            yield from _until(heads, page)
        if element.in_body:
            yield element
    while heads or feet:
        page = min(min(each[0].pages) for each in (heads, feet) if each)
        yield from _until(heads, page)
        yield from _until(feet, page)
    yield from (each for each in elements if not each.in_body and not each.pages)


def _on_pages(elements: Sequence[Element], *, is_foot: bool) -> deque[Element]:
    found = [
        each
        for each in elements
        if not each.in_body and each.pages and (each.kind != "page header") == is_foot
    ]
    return deque(sorted(found, key=lambda each: min(each.pages)))


def _until(waiting: deque[Element], page: int) -> Iterator[Element]:
    while waiting and min(waiting[0].pages) <= page:
        yield waiting.popleft()
