"""Exports of a document: its Markdown, its plain text, its JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from chunkwright.elements.elements import Element
from chunkwright.readers.docling import read_docling

_CONTENTS = {"md": "md_content", "json": "json_content", "text": "text_content"}
_MOST_HASHES = 6
_TICKS = re.compile("`{3,}")


def content(document: bytes | None, name: str, formats: Iterable[str]) -> dict[str, Any]:
    """Return a document's content in some formats, and null for each of the others.

    Parameters
    ----------
    document
        A DoclingDocument's JSON; None: of a file that could not be read.
    name
        The name of the file.
    formats
        Docling's names of the formats.

    Raises
    ------
    ReadError
        If the JSON is no DoclingDocument, or a broken one; names the item.
    """
    wanted = set(formats) if document is not None else set()
    found: dict[str, Any] = {
        "filename": name,
        "md_content": None,
        "json_content": None,
        "html_content": None,
        "text_content": None,
        "doctags_content": None,
        "doclang_content": None,
    }
    for each in wanted & _CONTENTS.keys():
        found[_CONTENTS[each]] = exported(document or b"", each)
    return found


def exported(document: bytes, to: str) -> Any:
    """Return a document as text, as Markdown, or as the values of its JSON.

    Raises
    ------
    ReadError
        If the JSON is no DoclingDocument, or a broken one; names the item.
    """
    read = read_docling(document)
    if to == "json":
        return json.loads(document.removeprefix(b"\xef\xbb\xbf"))
    if to == "text" or read.elements is None:
        return read.text
    return _markdown(list(read.elements), read.text)


def _markdown(elements: list[Element], text: str) -> str:
    """Return the text with the marks of headings and code, which it does not have."""
    parts, end = [], 0
    for element in elements:
        if not element.in_body:
            break
        parts += [text[end : element.start], _marked(element)]
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
