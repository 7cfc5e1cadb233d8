"""Numbers of pages: ``"3-7"``, ``"1,4-"`` and the like, read and written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError, OptionName

if TYPE_CHECKING:
    from chunkwright.document import Document

_RANGE = re.compile(r"\s*(\d{1,9})?\s*(-)?\s*(\d{1,9})?\s*")


def checked_pages(pages: str | Sequence[int] | None, n_pages: int) -> list[int]:
    """Return the numbers of pages, ascending and each once.

    Parameters
    ----------
    pages
        Numbers from 1, or a text with numbers and ranges between commas; None: all.
    n_pages
        So many there are.

    Raises
    ------
    ConfigError
        If they are none, or there is no page of such a number: names it.

    Examples
    --------
    >>> checked_pages("2-3,5-", 6), checked_pages([4, 1], 6)
    ([2, 3, 5, 6], [1, 4])
    """
    if pages is None:
        return list(range(1, n_pages + 1))
    wanted: set[int] = set()
    if isinstance(pages, str):
        for part in pages.split(","):
            wanted.update(_range_of(part, pages, n_pages))
    else:
        wanted.update(_existing(page, page, n_pages) for page in _numbers(pages))
    if not wanted:
        raise ConfigError(OptionName("pages"), f" names no page: {pages!r}")
    return sorted(wanted)


def unread_pages(document: Document) -> list[int]:
    """Return the numbers of pages whose text is in pictures: they need OCR."""
    return [page.number for page in document.pages if page.needs_ocr]


def shown_pages(pages: Sequence[int]) -> str:
    """Return ascending numbers as a text with ranges.

    Examples
    --------
    >>> shown_pages([1, 2, 3, 7])
    '1-3, 7'
    """
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and page == ranges[-1][1] + 1:
            ranges[-1][1] = page
        else:
            ranges.append([page, page])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in ranges)


def named_pages(pages: Sequence[int]) -> str:
    """Return ascending numbers with their noun.

    Examples
    --------
    >>> named_pages([3]), named_pages([1, 2, 7])
    ('page 3', 'pages 1-2, 7')
    """
    return f"page{'s' if len(pages) > 1 else ''} {shown_pages(pages)}"


def named_place(pages: Sequence[int], first_line: int, last_line: int) -> str:
    """Return the pages of a text with their noun; where it has none, its lines.

    Examples
    --------
    >>> named_place([], 4, 7), named_place([], 4, 4), named_place([3], 4, 7)
    ('lines 4-7', 'line 4', 'page 3')
    """
    if pages:
        return named_pages(pages)
    return f"lines {first_line}-{last_line}" if last_line > first_line else f"line {first_line}"


def _numbers(pages: Sequence[int]) -> Sequence[int]:
    if isinstance(pages, Sequence) and all(type(page) is int for page in pages):
        return pages
    raise ConfigError.refused("pages", 'a text such as "3-7", or numbers', pages)


def _range_of(part: str, pages: str, n_pages: int) -> range:
    match = _RANGE.fullmatch(part)
    if match is None or not (match[1] or match[3]):
        raise ConfigError.refused("pages", 'such as "3-7" or "1,4-"', pages)
    first = _existing(int(match[1] or 1), part.strip(), n_pages)
    last = first if match[2] is None else int(match[3] or n_pages)
    if last < first:
        raise ConfigError(OptionName("pages"), f" {part.strip()!r} ends before it begins")
    return range(first, _existing(last, part.strip(), n_pages) + 1)


def _existing(page: int, shown: object, n_pages: int) -> int:
    if not 1 <= page <= n_pages:
        raise ConfigError(f"no page {shown}: there are {n_pages} pages, from 1", option="pages")
    return page
