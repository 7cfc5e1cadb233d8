"""Files of before 2007 as blocks, by the library xberg in a process of its own."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any

from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.readers.blocks import Block, BlockCell, BlockTable
from chunkwright.readers.office.foreign_process import answer

_FURNITURE = {"header": "page header", "footer": "page footer"}
_SAME = ("paragraph", "heading", "code", "formula", "footnote")
_TEXTS = {kind: kind for kind in _SAME} | {"title": "heading", "slide": "heading"}
_TEXTS |= {"citation": "paragraph", "definition_item": "paragraph"}


def blocks_in(data: bytes, media_type: str) -> tuple[list[Block], int]:
    """Return the blocks of a file of a media type, those of its body first; nothing is fetched.

    Raises
    ------
    ReadError
        If no text can be read of it.
    MissingExtraError
        If xberg is not installed: ``pip install "chunkwright[office]"``.
    """
    if find_spec("xberg") is None:
        raise MissingExtraError("reading office files", "office")
    read = answer(data, media_type)
    nodes = read.get("nodes", [])
    if not nodes or read["media_type"] in {"application/zip", "text/plain"}:
        raise ReadError(
            f"it is damaged, or has no text: {read.get('reason') or 'nothing is found'}"
        )
    is_paged = any(each in read["media_type"] for each in ("presentation", "powerpoint"))
    made = _Nodes(nodes, is_paged=is_paged)
    return made.blocks, made.n_body


class _Nodes:
    """The nodes of a file as blocks, those of its body first."""

    def __init__(self, nodes: list[dict[str, Any]], *, is_paged: bool) -> None:
        self._nodes = nodes
        self._contents = [json.loads(node["content"]) for node in nodes]
        self._is_paged = is_paged
        self._slide: int | None = None
        self._numbers: dict[int, int] = {}
        self._counts: dict[int, int] = {}
        self._depths: dict[int | None, int] = {None: 0}
        # Headings begin at level 2 where xberg has none above them.
        levels = [c["level"] for c in self._contents if c["node_type"] == "heading"]
        self._above = min(levels, default=1) - 1
        self.blocks: list[Block] = []
        layers = [node["layer"].rpartition(".")[2].lower() for node in nodes]
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
        self._depths[at] = self._depths.get(node["parent"], 0) + (kind == "list")
        if kind == "slide":
            self._slide = content["number"]
        block = self._block(at, kind, content)
        if block is not None:
            page = node["page"] or self._slide
            self._numbers[at] = len(self.blocks)
            pages = (page,) if self._is_paged and page else ()
            links = _links(block.text, content.get("text", ""), node["links"])
            self.blocks.append(block._replace(pages=pages, links=links))

    def _block(self, at: int, kind: str, content: dict[str, Any]) -> Block | None:
        parent = self._nodes[at]["parent"]
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


def _links(
    text: str, own: str, links: list[tuple[int, int, str]]
) -> tuple[tuple[int, int, str, bool], ...]:
    """Return the links of a node, whose places xberg gives in bytes of UTF-8."""
    written, front = own.encode(), text.find(own)
    placed = []
    for start, end, kind in links if own in text else []:
        said = json.loads(kind)
        if said.get("annotation_type") == "link":
            at = (len(written[:place].decode(errors="ignore")) for place in (start, end))
            first, last = at
            placed.append((front + first, front + last, said["url"], False))
    return tuple(placed)
