"""Books (EPUB) as blocks: chapter after chapter, as the reader of HTML pages reads each."""

from __future__ import annotations

import posixpath
import re
from html import escape
from xml.etree import ElementTree as ET

from chunkwright.elements.element import Element
from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block, BlockCell, BlockTable
from chunkwright.readers.encodings import encoding_of_html
from chunkwright.readers.html import read_html
from chunkwright.readers.office.package import Package, child, local, resolved, unquoted

_PAGES = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "image/svg+xml"}
_SVG_TEXTS = {"title", "desc", "text"}
_MAX_FALLBACKS, _TAG = 10, 500
# What XML may end where it begins, and HTML may not.
_ENDED = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|svg|math)\b)"
    r"([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*?)?)/>"
)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ORDERED = re.compile(r"<ol\b", re.IGNORECASE)
_UNORDERED = re.compile(r"<(?:ul|menu)\b", re.IGNORECASE)
_START = re.compile(r"""<ol\b[^>]*?\sstart\s*=\s*["']?(-?\d{1,9})""", re.IGNORECASE)
# What a font is made unreadable with is no encryption of the book.
_OF_FONTS = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")


def blocks_in(data: bytes, *, hidden: bool) -> tuple[list[Block], int]:  # noqa: ARG001 - HTML has no way
    """Return the blocks of a book, and how many of them are its body: all.

    Parameters
    ----------
    data
        The file.
    hidden
        Has no meaning here.

    Raises
    ------
    ReadError
        If the file is damaged, encrypted or too large: names the part.
    """
    package = Package(data)
    blocks: list[Block] = []
    for name in _chapters(package):
        is_drawn = name.lower().endswith(".svg")
        page = _drawn(package.tree(name)) if is_drawn else _html(package.data(name))
        document = read_html(page, name=name)
        elements = list(document.elements or ())
        blocks += _Chapter(page, elements, len(blocks)).blocks
    return blocks, len(blocks)


def _chapters(package: Package) -> list[str]:
    """Return the names of the parts of a book in the order in which they are read."""
    container = package.tree("META-INF/container.xml")
    roots = [each.get("full-path") for each in container.iter() if local(each.tag) == "rootfile"]
    main = unquoted(next((root for root in roots if root), ""))
    root = package.tree(main if main in package else resolved("", main))
    encryption = "META-INF/encryption.xml"
    if encryption in package and not _is_of_fonts(package.data(encryption)):
        raise ReadError("it is encrypted, like the books of some shops")
    folder, manifest, spine = posixpath.dirname(main), child(root, "manifest"), child(root, "spine")
    items = {each.get("id", ""): each for each in (() if manifest is None else manifest)}
    found = []
    for reference in () if spine is None else spine:
        item = _page(items, reference.get("idref", ""))
        if item is not None and "nav" not in item.get("properties", "").split():
            href = item.get("href", "")
            places = (resolved(folder, unquoted(href)), resolved(folder, href))
            found.append(next((place for place in places if place in package), places[0]))
    return list(dict.fromkeys(found))


def _page(items: dict[str, ET.Element], wanted: str) -> ET.Element | None:
    """Return an item of a book if it is a page, else the page that stands for it."""
    for _ in range(_MAX_FALLBACKS):
        item = items.get(wanted)
        if item is None or item.get("media-type", "application/xhtml+xml") in _PAGES:
            return item
        wanted = item.get("fallback", "")
    return None


def _is_of_fonts(encryption: bytes) -> bool:
    methods = encryption.count(b"EncryptionMethod ")
    return methods <= sum(encryption.count(method) for method in _OF_FONTS)


def _html(data: bytes) -> str:
    """Return a chapter of XML as HTML that says the same."""
    page = data.decode(encoding_of_html(data), "replace").removeprefix("\ufeff")
    page = _CDATA.sub(lambda found: found[1].replace("&", "&amp;").replace("<", "&lt;"), page)
    return _ENDED.sub(r"<\1\2></\1>", page)


def _drawn(picture: ET.Element) -> str:
    """Return the texts of a chapter that is drawn (SVG) as HTML."""
    found = (each for each in picture.iter() if local(each.tag) in _SVG_TEXTS)
    return "".join(f"<p>{escape(_drawn_text(each))}</p>" for each in found)


def _drawn_text(element: ET.Element) -> str:
    """Return the text of a drawing: a piece with a place of its own stands apart."""
    is_apart = any(element.get(place) for place in ("x", "y", "dy"))
    pieces = (_drawn_text(each) + (each.tail or "") for each in element)
    return (" " if is_apart else "") + (element.text or "") + "".join(pieces)


class _Chapter:
    """The elements of a page as blocks, behind so many of the chapters before it."""

    def __init__(self, page: str, elements: list[Element], n_before: int) -> None:
        self._page, self._n_before = page, n_before
        self._counts: dict[int, int] = {}
        self.blocks = [self._block(element) for element in elements]

    def _block(self, element: Element) -> Block:
        parent, caption_of = element.parent, element.caption_of
        marker = self._marker(element) if element.kind == "list item" else ""
        start = element.start - len(marker)
        return Block(
            element.kind,
            marker + element.text,
            element.level or 0,
            None if parent is None else parent.index + self._n_before,
            language=element.language,
            caption_of=None if caption_of is None else caption_of.index + self._n_before,
            table=_table(element) if element.kind == "table" else None,
            # A link that is not closed goes on in the next elements, and is one of each.
            links=tuple(
                (
                    max(each.start, element.start) - start,
                    min(each.end, element.end) - start,
                    each.target,
                    each.is_image,
                )
                for each in element.links
            ),
        )

    def _marker(self, item: Element) -> str:
        """Return the marker of an item: a number, a dash, or none where a list explains terms."""
        above = item.parent
        if above is None or above.kind != "list":
            return ""
        tag = self._page[above.place[0] : above.place[0] + _TAG]
        if not _ORDERED.match(tag):
            return "- " if _UNORDERED.match(tag) else ""
        first = _START.match(tag)
        start = int(first[1]) if first else 1
        self._counts[above.index] = self._counts.get(above.index, start - 1) + 1
        return f"{self._counts[above.index]}. "


def _table(element: Element) -> BlockTable | None:
    table = element.table
    if table is None:
        return None
    text, start = element.text, element.start
    cells = [
        BlockCell(
            cell.row,
            cell.column,
            cell.row + cell.rows,
            cell.column + cell.columns,
            " ".join(text[cell.start - start : cell.end - start].split()),
        )
        for cell in table.cells
    ]
    n_header = max((cell.row + 1 for cell in table.cells if cell.is_header), default=0)
    is_top = n_header < table.n_rows
    return BlockTable(table.n_rows, table.n_columns, n_header if is_top else 0, cells)
