"""Markdown of the elements of a document, whatever it was read from."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.elements.element import Element
    from chunkwright.elements.table import Table

# Signs that mark items in files of other kinds, and in Markdown mark none.
_SIGN = re.compile(r"\s*[\u2022\u2023\u2043\u2219\u25a0-\u25ff\u00b7]\s+")
_MARKER = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
# What stands before the code of reStructuredText: a directive with its options, or two colons.
_DIRECTIVE = re.compile(r"\A(?:\.\. [\w:-]+::.*\n(?:[ \t]+:.*\n)*|::[ \t]*\n)(?:[ \t]*\n)*")
_MAX_LEVEL = 6
_ITEM = "list item"


def markdown_of(document: "Document", *, is_markdown: bool) -> str:
    """Return a document as Markdown: its body, that of a Markdown file or plain text as it is.

    Parameters
    ----------
    document
        The document.
    is_markdown
        Whether it was read from Markdown.
    """
    if document.elements is None or is_markdown:
        return document.body
    body, titles = document.elements[: document.elements.n_body], document.elements.titles
    blocks = [(element.kind, _block(element, document, titles)) for element in body]
    return "".join(_joined([(kind, text) for kind, text in blocks if text.strip()]))


def _joined(blocks: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the blocks and what stands between them: a blank line, but for items of a list."""
    for (kind, text), (following, _) in pairwise([*blocks, ("", "")]):
        yield text
        is_list = kind == following == _ITEM
        yield "\n" if is_list or not following else "\n\n"


def _block(element: "Element", document: "Document", titles: Mapping[int, str]) -> str:
    text = element.text.strip("\n")
    match element.kind:
        case "heading":
            text = titles.get(element.index, text)
            return f"{'#' * min(element.level or 1, _MAX_LEVEL)} {' '.join(text.split())}"
        case "list item":
            indent = " " * 4 * ((element.level or 1) - 1)
            text = _SIGN.sub("- ", text, count=1) if _SIGN.match(text) else text
            marked = text.strip() if _MARKER.match(text) else f"- {text.strip()}"
            return indent + marked.replace("\n", f"\n{indent}  ")
        case "code":
            text = _DIRECTIVE.sub("", text)
            runs = re.findall("`{3,}", text)
            fence = "`" * (1 + max(map(len, runs), default=2))
            return f"{fence}{element.language or ''}\n{text}\n{fence}"
        case "quote":
            return "\n".join(f"> {line}" for line in text.split("\n"))
        case "table" if (table := element.table) is not None:
            return _table(table, document.text)
    return text


def _table(table: "Table", text: str) -> str:
    """Return a table with a cell in each slot; what a cell covers beside its own is empty."""
    rows = [[""] * table.n_columns for _ in range(table.n_rows)]
    for cell in table.cells:
        said = " ".join(text[cell.start : cell.end].split())
        rows[cell.row][cell.column] = said.replace("|", r"\|")
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines[:1], f"|{'---|' * table.n_columns}", *lines[1:]])
