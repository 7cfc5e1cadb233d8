"""DoclingDocuments as dicts, built item by item without Docling."""

from __future__ import annotations

from typing import Any

BODY = "#/body"


class Maker:
    """Builds a document; each item hangs below the body, or below the reference ``under``."""

    def __init__(self, **fields: Any) -> None:
        self.document: dict[str, Any] = {
            "schema_name": "DoclingDocument",
            "version": "1.10.0",
            "name": "made",
            "body": {"self_ref": BODY, "children": [], "content_layer": "body", "name": "_root_"},
            **fields,
        }

    def add(self, where: str, label: str, under: str = BODY, **fields: Any) -> str:
        """Add a node to a list of the document, and return its reference."""
        nodes = self.document.setdefault(where, [])
        reference = f"#/{where}/{len(nodes)}"
        nodes.append(
            {"self_ref": reference, "parent": {"$ref": under}, "children": [], "label": label}
            | fields
        )
        self.node(under)["children"].append({"$ref": reference})
        return reference

    def node(self, reference: str) -> Any:
        """Return the node of a reference."""
        if reference == BODY:
            return self.document["body"]
        _, where, number = reference.split("/")
        return self.document[where][int(number)]

    def text(self, text: str, label: str = "text", under: str = BODY, **fields: Any) -> str:
        """Add an item that has a text."""
        return self.add("texts", label, under, text=text, orig=text, **fields)

    def heading(self, text: str, level: int = 1, under: str = BODY, **fields: Any) -> str:
        """Add a section header."""
        return self.text(text, "section_header", under, level=level, **fields)

    def group(self, label: str, under: str = BODY, **fields: Any) -> str:
        """Add a group: a list, a run of inline pieces, a section."""
        return self.add("groups", label, under, name="group", **fields)

    def item(self, text: str, under: str, marker: str = "", **fields: Any) -> str:
        """Add an item of a list."""
        return self.text(text, "list_item", under, marker=marker, **fields)

    def table(self, rows: list[list[str]], n_header_rows: int = 1, **fields: Any) -> str:
        """Add a table of cells that each cover one slot."""
        cells = [
            cell(i, j, text, column_header=i < n_header_rows)
            for i, row in enumerate(rows)
            for j, text in enumerate(row)
        ]
        return self.cells(cells, len(rows), max(map(len, rows), default=0), **fields)

    def cells(
        self, cells: list[dict[str, Any]], n_rows: int, n_cols: int, under: str = BODY, **more: Any
    ) -> str:
        """Add a table of such cells as `cell` makes them."""
        data = {"table_cells": cells, "num_rows": n_rows, "num_cols": n_cols}
        return self.add("tables", "table", under, data=data, **more)

    def picture(self, under: str = BODY, **fields: Any) -> str:
        """Add a picture."""
        return self.add("pictures", "picture", under, **fields)


def cell(
    row: int, col: int, text: str, rows: int = 1, cols: int = 1, **fields: Any
) -> dict[str, Any]:
    """Make a cell that covers so many rows and columns."""
    return {
        "start_row_offset_idx": row,
        "end_row_offset_idx": row + rows,
        "start_col_offset_idx": col,
        "end_col_offset_idx": col + cols,
        "text": text,
    } | fields


def refs(*references: str) -> list[dict[str, str]]:
    """Make a list of references."""
    return [{"$ref": reference} for reference in references]


def place(page: int, left: float, top: float, right: float, bottom: float, **box: Any) -> Any:
    """Make an entry of ``prov``."""
    edges = {"l": left, "t": top, "r": right, "b": bottom} | box
    return {"page_no": page, "bbox": edges, "charspan": [0, 1]}
