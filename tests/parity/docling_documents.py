"""Documents for Docling's chunkers, made with docling-core's own builder."""

from __future__ import annotations

from typing import Any

from docling_core.types.doc.base import BoundingBox, Size
from docling_core.types.doc.common.formatting import Formatting
from docling_core.types.doc.common.origin import DocumentOrigin
from docling_core.types.doc.common.reference import ProvenanceItem
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.items.table.table_data import TableCell, TableData
from docling_core.types.doc.labels import DocItemLabel
from hypothesis import strategies as st

_WORDS = [
    "the", "Elbe", "rivering", "one", "two.", "and,", "x|y", "a\\|b", "(lake)", "2 000",
    "é", "日本",
    "🦀", "newton's", "—", "\t", "end.\nNext", "  ", "supercalifragilistic", "https://a.b/c",
]  # fmt: skip
texts = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=30).map(" ".join)
_long_texts = st.lists(st.sampled_from(_WORDS), min_size=30, max_size=120).map(" ".join)
_short_texts = st.lists(st.sampled_from(_WORDS), max_size=3).map(" ".join)
_LABELS = [
    DocItemLabel.TEXT,
    DocItemLabel.PARAGRAPH,
    DocItemLabel.FOOTNOTE,
    DocItemLabel.PAGE_HEADER,
]
_KINDS = [
    "text",
    "long",
    "heading",
    "title",
    "list",
    "table",
    "picture",
    "code",
    "formula",
    "inline",
]


@st.composite
def documents(draw: st.DrawFn) -> DoclingDocument:
    """A document of a few items of all kinds."""
    document = DoclingDocument(name="made")
    if draw(st.booleans()):
        document.origin = DocumentOrigin(
            mimetype="application/pdf", binary_hash=2**63 + 1, filename="made.pdf"
        )
    for page in (1, 2):
        document.add_page(page_no=page, size=Size(width=600, height=800))
    for kind in draw(st.lists(st.sampled_from(_KINDS), max_size=14)):
        _ADD[kind](document, draw)
    return document


def _place(draw: st.DrawFn) -> ProvenanceItem | None:
    if not draw(st.booleans()):
        return None
    box = BoundingBox(l=1.5, t=2, r=300.25, b=40)
    return ProvenanceItem(page_no=draw(st.sampled_from([1, 2])), bbox=box, charspan=(0, 7))


def _text(document: Any, draw: st.DrawFn) -> None:
    formatting = draw(st.sampled_from([None, Formatting(bold=True), Formatting(italic=True)]))
    document.add_text(
        draw(st.sampled_from(_LABELS)), draw(texts), prov=_place(draw), formatting=formatting
    )


def _long(document: Any, draw: st.DrawFn) -> None:
    document.add_text(DocItemLabel.TEXT, draw(_long_texts), prov=_place(draw))


def _heading(document: Any, draw: st.DrawFn) -> None:
    level = draw(st.integers(1, 4))
    document.add_heading(draw(texts), level=level, prov=_place(draw))


def _title(document: Any, draw: st.DrawFn) -> None:
    document.add_title(draw(_short_texts))


def _list(document: Any, draw: st.DrawFn) -> None:
    group = outer = document.add_list_group()
    for depth in draw(st.lists(st.integers(0, 1), min_size=1, max_size=8)):
        if depth and group is outer:
            group = document.add_list_group(parent=outer)
        parent = group if depth else outer
        enumerated = draw(st.booleans())
        document.add_list_item(draw(texts), enumerated=enumerated, parent=parent, prov=_place(draw))


def _table(document: Any, draw: st.DrawFn) -> None:
    n_rows, n_columns = draw(st.integers(0, 9)), draw(st.integers(1, 5))
    n_headers = draw(st.integers(0, 2))
    cell_texts = draw(st.sampled_from([_short_texts, texts]))
    cells = [
        TableCell(
            text=draw(cell_texts),
            start_row_offset_idx=row,
            end_row_offset_idx=row + 1,
            start_col_offset_idx=column,
            end_col_offset_idx=column + 1,
            column_header=row < n_headers,
        )
        for row in range(n_rows)
        for column in range(n_columns)
    ]
    data = TableData(num_rows=n_rows, num_cols=n_columns, table_cells=cells)
    document.add_table(data, caption=_caption(document, draw), prov=_place(draw))


def _caption(document: Any, draw: st.DrawFn) -> Any:
    if not draw(st.booleans()):
        return None
    return document.add_text(DocItemLabel.CAPTION, draw(texts), prov=_place(draw))


def _picture(document: Any, draw: st.DrawFn) -> None:
    document.add_picture(caption=_caption(document, draw), prov=_place(draw))


def _code(document: Any, draw: st.DrawFn) -> None:
    document.add_code(draw(texts), caption=_caption(document, draw))


def _formula(document: Any, draw: st.DrawFn) -> None:
    document.add_formula(draw(_short_texts), orig=draw(_short_texts))


def _inline(document: Any, draw: st.DrawFn) -> None:
    group = document.add_inline_group()
    document.add_text(DocItemLabel.TEXT, draw(texts), parent=group)
    document.add_code("pip install x", parent=group)
    document.add_text(DocItemLabel.TEXT, draw(_short_texts), parent=group)


_ADD = {
    "text": _text,
    "long": _long,
    "heading": _heading,
    "title": _title,
    "list": _list,
    "table": _table,
    "picture": _picture,
    "code": _code,
    "formula": _formula,
    "inline": _inline,
}


def table_of(n_rows: int, n_columns: int) -> TableData:
    """Return a table whose first row is its header."""
    cells = [
        TableCell(
            text=f"{row} {column} the river",
            start_row_offset_idx=row,
            end_row_offset_idx=row + 1,
            start_col_offset_idx=column,
            end_col_offset_idx=column + 1,
            column_header=row == 0,
        )
        for row in range(n_rows)
        for column in range(n_columns)
    ]
    return TableData(num_rows=n_rows, num_cols=n_columns, table_cells=cells)
