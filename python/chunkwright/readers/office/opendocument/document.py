"""OpenDocument texts (ODT) as blocks, with the headers and footers of their pages."""

from __future__ import annotations

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.office.opendocument.styles import Styles
from chunkwright.readers.office.opendocument.text import OpenText
from chunkwright.readers.office.package import attribute, child, local, opened

_FURNITURE = {"header": "page header", "footer": "page footer"}


def blocks_in(data: bytes, *, hidden: bool) -> tuple[list[Block], int]:
    """Return the blocks of a text, those of its body first, and how many these are.

    Parameters
    ----------
    data
        The file.
    hidden
        Whether text is read that is not shown.

    Raises
    ------
    ReadError
        If the file is damaged or too large: names the part.
    """
    package = opened(data)
    root, styles = package.tree("content.xml"), package.find("styles.xml")
    body = child(root, "body", "text")
    if body is None:
        raise ReadError("it has no text")
    made = OpenText(Styles(root, styles), hidden=hidden, package=package)
    made.read(body)
    n_body = len(made.blocks)
    pages = child(styles, "master-styles")
    seen: dict[tuple[str, str], None] = {}
    for part in (each for page in (() if pages is None else pages) for each in page):
        kind = _FURNITURE.get(local(part.tag).removesuffix("-left").removesuffix("-first"))
        if kind is not None and attribute(part, "display") != "false":
            inner = OpenText(Styles(styles), hidden=hidden)
            inner.read(part)
            seen |= {(kind, block.text): None for block in inner.blocks if block.text}
    return made.blocks + [Block(kind, text) for kind, text in seen], n_body
