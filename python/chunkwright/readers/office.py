"""Office files and books as documents, by the library xberg: slides, sheets and the rest."""

from __future__ import annotations

import json
from typing import Any

from chunkwright.document import Document
from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.readers.blocks import Block, BlockCell, BlockTable, document_of
from chunkwright.readers.native_calls import awaited
from chunkwright.readers.signatures import office_format

_FURNITURE = {"header": "page header", "footer": "page footer"}
_SAME = ("paragraph", "heading", "code", "formula", "footnote")
_TEXTS = {kind: kind for kind in _SAME} | {"title": "heading", "slide": "heading"}
_TEXTS |= {"citation": "paragraph", "definition_item": "paragraph"}


def document_in(data: bytes, *, name: str | None = None) -> Document:
    """Read the bytes of an office file, a book or a mail; nothing is fetched, and no image is read.

    Raises
    ------
    ReadError
        If it is none of these, or is damaged: says what it is, and why it cannot be read.
    MissingExtraError
        If xberg is not installed: ``pip install "chunkwright[office]"``.
    """
    form = office_format(data)
    try:
        import xberg
    except ImportError as error:
        raise MissingExtraError("reading office files", "office") from error
    source = xberg.ExtractInput(
        kind="bytes", bytes=data, mime_type=form.media_type or "application/octet-stream"
    )
    # Only as Markdown the titles of slides are headings.
    options: dict[str, Any] = {"include_document_structure": True, "output_format": "markdown"}
    config = xberg.ExtractionConfig(
        disable_ocr=True, use_cache=False, max_archive_depth=0, **options
    )
    try:
        extraction = awaited(lambda: xberg.extract(source, config))
    except (xberg.XbergError, RuntimeError, ValueError, OSError) as error:
        raise ReadError(
            f"{form.name}, but damaged, or no text can be read of it: {error}"
        ) from error
    read = extraction.results[0] if extraction.results else None
    nodes = read.document.nodes if read and read.document else []
    if read is None or not nodes or read.mime_type in {"application/zip", "text/plain"}:
        reasons = "; ".join(str(error.message) for error in extraction.errors)
        raise ReadError(f"{form.name} without a text, or a damaged one{reasons and f': {reasons}'}")
    is_paged = any(each in read.mime_type for each in ("presentation", "powerpoint"))
    made = _Nodes(nodes, is_paged=is_paged)
    return document_of(made.blocks, name=name, n_body=made.n_body)


class _Nodes:
    """The nodes of a file as blocks, those of its body first."""

    def __init__(self, nodes: list[Any], *, is_paged: bool) -> None:
        self._nodes = nodes
        self._contents = [json.loads(str(node.content)) for node in nodes]
        self._is_paged = is_paged
        self._slide: int | None = None
        self._numbers: dict[int, int] = {}
        self._counts: dict[int, int] = {}
        self._depths: dict[int | None, int] = {None: 0}
        # Headings begin at level 2 where xberg has none above them.
        levels = [c["level"] for c in self._contents if c["node_type"] == "heading"]
        self._above = min(levels, default=1) - 1
        self.blocks: list[Block] = []
        layers = [str(node.content_layer).rpartition(".")[2].lower() for node in nodes]
        for at, layer in enumerate(layers):
            if layer not in _FURNITURE:
                self._add(at)
        self.n_body = len(self.blocks)
        for layer, content in zip(layers, self._contents, strict=True):
            if layer in _FURNITURE and content.get("text"):
                self.blocks.append(Block(_FURNITURE[layer], content["text"]))

    def _add(self, at: int) -> None:
        node, content = self._nodes[at], self._contents[at]
        kind = content["node_type"]
        self._depths[at] = self._depths.get(node.parent, 0) + (kind == "list")
        if kind == "slide":
            self._slide = content["number"]
        block = self._block(at, kind, content)
        if block is not None:
            page = node.page or self._slide
            self._numbers[at] = len(self.blocks)
            pages = (page,) if self._is_paged and page else ()
            links = _links(block.text, content.get("text", ""), node.annotations)
            self.blocks.append(block._replace(pages=pages, links=links))

    def _block(self, at: int, kind: str, content: dict[str, Any]) -> Block | None:
        parent = self._nodes[at].parent
        above = None if parent is None else self._numbers.get(parent)
        if kind == "list":
            return Block("list", level=self._depths[at], parent=above)
        if kind == "list_item":
            self._counts[parent] = self._counts.get(parent, 0) + 1
            is_ordered = parent is not None and self._contents[parent].get("ordered")
            marker = f"{self._counts[parent]}." if is_ordered else "-"
            level = max(1, self._depths[at])
            return Block("list item", f"{marker} {content['text']}", level, above)
        if kind == "table":
            return Block("table", table=_table(content["grid"]))
        if kind == "image":
            return Block("figure", content.get("description") or "", parent=above)
        pair = ": ".join(content[each] for each in ("term", "definition") if each in content)
        text = (content.get("text") or content.get("title") or pair).strip()
        if kind not in _TEXTS or not text:
            return None
        level = max(1, content.get("level", 1) - self._above) if _TEXTS[kind] == "heading" else 0
        return Block(_TEXTS[kind], text, level, language=content.get("language"))


def _table(grid: dict[str, Any]) -> BlockTable:
    cells = [
        BlockCell(y, x, y + c["row_span"], x + c["col_span"], c["content"])
        for c in grid["cells"]
        for y, x in [(c["row"], c["col"])]
    ]
    n_columns = max((cell.end_column for cell in cells), default=grid["cols"])
    n_header = int(any(c["is_header"] for c in grid["cells"]) and grid["rows"] > 1)
    return BlockTable(grid["rows"], n_columns, n_header, cells)


def _links(text: str, own: str, annotations: list[Any]) -> tuple[tuple[int, int, str, bool], ...]:
    """Return the links of a node, whose places xberg gives in bytes of UTF-8."""
    written, front, links = own.encode(), text.find(own), []
    for mark in annotations if own in text else []:
        kind = json.loads(str(mark.kind))
        if kind.get("annotation_type") == "link":
            ends = (mark.start, mark.end)
            start, end = (len(written[:at].decode(errors="ignore")) for at in ends)
            links.append((front + start, front + end, kind["url"], False))
    return tuple(links)
