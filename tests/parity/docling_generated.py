# mypy: disable-error-code="no-any-return, arg-type, attr-defined"
"""Documents made with docling-core's own builder, for comparisons of its chunkers with ours."""

from __future__ import annotations

import warnings
from typing import Any

from docling_core.types.doc.base import BoundingBox, CoordOrigin, Size
from docling_core.types.doc.document import (
    BaseMeta,
    ContentLayer,
    DescriptionMetaField,
    DocItem,
    DoclingDocument,
    FloatingItem,
    FloatingMeta,
    Formatting,
    GraphData,
    GroupItem,
    NodeItem,
    PictureClassificationMetaField,
    PictureClassificationPrediction,
    PictureItem,
    PictureMeta,
    ProvenanceItem,
    RichTableCell,
    SummaryMetaField,
    TableCell,
    TableData,
    TabularChartMetaField,
)
from docling_core.types.doc.labels import DocItemLabel, GroupLabel
from hypothesis import strategies as st
from pydantic import AnyUrl, ValidationError

# The characters that Markdown, tables and Python's `str` treat in ways of their own.
TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            "plain words",
            "a\nb",
            "a\n\nb\n\n\nc",
            " led by a blank",
            "x | y",
            "tick ` and ``` ticks",
            "Café ☃ 𝄞",
            "\x1c\x1f",
            "1,000",
            "12.5",
            "nan",
            "a\rb",
            "- [ ] box",
        ]
    ),
    st.text(st.sampled_from("ab1 .,|`\n_*\x85\u2028é"), max_size=12),
)
MARKERS = st.sampled_from(["", "-", "*", "•", "1.", "a)", "(a)", "١.", "12.", "①"])
LINKS = st.sampled_from(
    [
        None,
        None,
        None,
        "https://example.com/a_(b)",
        "javascript:alert(1)",
        "relative/path (1).md",
        "#part",
        "mailto:a@b.org",
        "https://e.org/?a=1&lt;&b=2",
    ]
)
TEXT_LABELS = st.sampled_from(
    [
        DocItemLabel.TEXT,
        DocItemLabel.PARAGRAPH,
        DocItemLabel.CHECKBOX_SELECTED,
        DocItemLabel.CHECKBOX_UNSELECTED,
        DocItemLabel.FOOTNOTE,
        DocItemLabel.PAGE_HEADER,
        DocItemLabel.REFERENCE,
        DocItemLabel.CAPTION,
        DocItemLabel.HANDWRITTEN_TEXT,
        DocItemLabel.MARKER,
    ]
)
FORMATS = st.one_of(
    st.none(),
    st.builds(
        Formatting,
        bold=st.booleans(),
        italic=st.booleans(),
        strikethrough=st.booleans(),
        underline=st.booleans(),
    ),
)
GROUP_LABELS = st.sampled_from([GroupLabel.SECTION, GroupLabel.SLIDE, GroupLabel.UNSPECIFIED])
LAYERS = st.sampled_from([ContentLayer.BODY] * 6 + [ContentLayer.FURNITURE, ContentLayer.NOTES])
OPERATIONS = (
    ["text"] * 4
    + ["list item"] * 4
    + ["heading"] * 2
    + ["list", "inline", "group", "title", "code", "formula", "table", "picture"]
    + ["key values", "form", "field"]
)


@st.composite
def documents(draw: st.DrawFn) -> DoclingDocument:
    """Documents of all that the builder can add, hanging anywhere."""
    builder = _Builder(draw)
    for _ in range(draw(st.integers(1, 14))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            builder.add(draw(st.sampled_from(OPERATIONS)))
    return builder.document


class _Builder:
    """Adds drawn items to a document."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.document = DoclingDocument(name="made")
        self.n_pages = draw(st.integers(0, 3))
        for page in range(1, self.n_pages + 1):
            self.document.add_page(page_no=page, size=Size(width=100, height=200))
        self.nodes: list[NodeItem] = []

    def parent(self, kind: type[NodeItem] = NodeItem) -> NodeItem | None:
        """Return what the next item hangs under; None for the body."""
        nodes = [node for node in self.nodes if isinstance(node, kind)]
        number = self.draw(st.integers(0, 2 * len(nodes)))
        return nodes[-number] if 0 < number <= len(nodes) else None

    def prov(self) -> ProvenanceItem | None:
        """Return a place; its box may reach beyond the page."""
        if not self.draw(st.booleans()):
            return None
        page = self.draw(st.integers(1, max(1, self.n_pages)))
        box = BoundingBox(l=-1.5, t=250.25, r=99.5, b=3.0, coord_origin=CoordOrigin.BOTTOMLEFT)
        return ProvenanceItem(page_no=page, bbox=box, charspan=(0, 1))

    def common(self) -> dict[str, Any]:
        return {
            "parent": self.parent(),
            "prov": self.prov(),
            "content_layer": self.draw(LAYERS),
        }

    def styled(self) -> dict[str, Any]:
        link = self.draw(LINKS)
        return {
            **self.common(),
            "formatting": self.draw(FORMATS),
            "hyperlink": None if link is None else _link(link),
        }

    def add(self, operation: str) -> None:
        node = getattr(self, operation.replace(" ", "_"))()
        draw = self.draw
        if isinstance(node, DocItem) and node.meta is None and draw(st.integers(0, 9)) == 0:
            meta = FloatingMeta if isinstance(node, FloatingItem) else BaseMeta
            meta = PictureMeta if isinstance(node, PictureItem) else meta
            node.meta = meta(summary=SummaryMetaField(text=draw(TEXTS)))
        if isinstance(node, FloatingItem) and draw(st.integers(0, 4)) == 0:
            label = DocItemLabel.FOOTNOTE
            footnote = self.document.add_text(label, draw(TEXTS), parent=node)
            node.footnotes.append(footnote.get_ref())
        self.nodes.append(node)

    def text(self) -> NodeItem:
        label, text = self.draw(TEXT_LABELS), self.draw(TEXTS)
        return self.document.add_text(label, text, orig="as it was", **self.styled())

    def title(self) -> NodeItem:
        return self.document.add_title(self.draw(TEXTS), **self.styled())

    def heading(self) -> NodeItem:
        level = self.draw(st.integers(1, 8))
        return self.document.add_heading(self.draw(TEXTS), level=level, **self.styled())

    def code(self) -> NodeItem:
        styled = self.styled()
        if self.is_in_caption(styled["parent"]):
            # Its caption might contain it, which docling-core would render for ever.
            styled["parent"] = None
        return self.document.add_code(self.draw(TEXTS), caption=self.caption(), **styled)

    def formula(self) -> NodeItem:
        text, orig = self.draw(TEXTS), self.draw(TEXTS)
        return self.document.add_formula(text, orig=orig, **self.styled())

    def list(self) -> NodeItem:
        layer = self.draw(LAYERS)
        return self.document.add_list_group(parent=self.parent(), content_layer=layer)

    def inline(self) -> NodeItem:
        layer = self.draw(LAYERS)
        return self.document.add_inline_group(parent=self.parent(), content_layer=layer)

    def group(self) -> NodeItem:
        label, layer = self.draw(GROUP_LABELS), self.draw(LAYERS)
        return self.document.add_group(label=label, parent=self.parent(), content_layer=layer)

    def list_item(self) -> NodeItem:
        # In a group that is no list, it hangs loose.
        return self.document.add_list_item(
            self.draw(TEXTS),
            enumerated=self.draw(st.booleans()),
            marker=self.draw(MARKERS),
            **{**self.styled(), "parent": self.parent(GroupItem)},
        )

    def picture(self) -> NodeItem:
        picture = self.document.add_picture(caption=self.caption(), **self.common())
        picture.meta = self.picture_meta()
        return picture

    def key_values(self) -> NodeItem:
        common = {"prov": self.prov(), "parent": self.parent()}
        return self.document.add_key_values(graph=GraphData(), **common)

    def form(self) -> NodeItem:
        common = {"prov": self.prov(), "parent": self.parent()}
        return self.document.add_form(graph=GraphData(), **common)

    def field(self) -> NodeItem:
        region = self.document.add_field_region(parent=self.parent())
        self.nodes.append(region)
        return self.document.add_field_item(parent=region)

    def caption(self) -> Any:
        if not self.draw(st.booleans()):
            return None
        node = self.document.add_text(DocItemLabel.CAPTION, self.draw(TEXTS), prov=self.prov())
        self.nodes.append(node)
        return node

    def is_in_caption(self, node: NodeItem | None) -> bool:
        while node is not None and node.parent is not None:
            if isinstance(node, DocItem) and node.label == DocItemLabel.CAPTION:
                return True
            node = node.parent.resolve(self.document)
        return False

    def picture_meta(self) -> PictureMeta | None:
        draw = self.draw
        if not draw(st.booleans()):
            return None
        confidences = draw(st.lists(st.sampled_from([None, 0.25, 0.5]), min_size=1, max_size=3))
        predictions = [
            PictureClassificationPrediction(class_name=name, confidence=confidence)
            for name, confidence in zip(["bar_chart", "LOGO__x", "ß"], confidences, strict=False)
        ]
        chart = TabularChartMetaField(title="t", chart_data=self.table_data(rich=None))
        return PictureMeta(
            description=DescriptionMetaField(text=draw(TEXTS)),
            classification=PictureClassificationMetaField(predictions=predictions),
            tabular_chart=chart if draw(st.booleans()) else None,
            **draw(
                st.sampled_from(
                    [
                        {},
                        {"my__note": "it's"},
                        {"my__data": {"b": [1, 2.5, None, True], "a": "x\n\u200b"}},
                        {"my__none": 0},
                    ]
                )
            ),
        )

    def table(self) -> NodeItem:
        data = TableData(num_rows=0, num_cols=0)
        table = self.document.add_table(data, caption=self.caption(), **self.common())
        table.data = self.table_data(rich=table)
        return table

    def table_data(self, rich: NodeItem | None) -> TableData:
        draw = self.draw
        n_rows, n_cols = draw(st.integers(0, 4)), draw(st.integers(0, 3))
        cells: list[TableCell] = []
        for _ in range(draw(st.integers(0, 8))):
            row, col = draw(st.integers(0, 4)), draw(st.integers(0, 3))
            end_row, end_col = row + draw(st.integers(0, 2)), col + draw(st.integers(0, 2))
            cell = TableCell(
                text=draw(TEXTS),
                start_row_offset_idx=row,
                end_row_offset_idx=max(end_row, row + 1),
                start_col_offset_idx=col,
                end_col_offset_idx=max(end_col, col + 1),
                column_header=draw(st.booleans()) and row < 2,
            )
            if rich is not None and draw(st.integers(0, 4)) == 0:
                content = self.content(rich)
                cell = RichTableCell(ref=content.get_ref(), **cell.model_dump())
            cells.append(cell)
        return TableData(table_cells=cells, num_rows=n_rows, num_cols=n_cols)

    def content(self, table: NodeItem) -> NodeItem:
        """Return what stands in a cell."""
        draw, document = self.draw, self.document
        match draw(st.sampled_from(["text", "heading", "list", "inline", "table"])):
            case "text":
                return document.add_text(DocItemLabel.TEXT, draw(TEXTS), parent=table)
            case "heading":
                return document.add_heading(draw(TEXTS), parent=table)
            case "table":
                inner = document.add_table(TableData(num_rows=0, num_cols=0), parent=table)
                inner.data = self.table_data(rich=None)
                return inner
            case "list":
                group: NodeItem = document.add_list_group(parent=table)
                document.add_list_item(draw(TEXTS), parent=group)
            case _:
                group = document.add_inline_group(parent=table)
                document.add_text(DocItemLabel.TEXT, draw(TEXTS), parent=group)
        self.nodes.append(group)
        return group


def _link(text: str) -> Any:
    from pathlib import Path

    try:
        return AnyUrl(text)
    except ValidationError:
        return Path(text)
