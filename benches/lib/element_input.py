"""Element lists for the benchmark: the corpora's lines with metadata, and tables of any size."""

from __future__ import annotations

import uuid
from itertools import cycle, islice
from typing import Any

from lib.corpus import joined

TABLE_EVERY = 40  # elements
LINES_A_PAGE = 60
TITLE_CHARS = 40  # a shorter line is a title
N_COLUMNS = 6

Item = dict[str, Any]


def items_of(n: int) -> list[Item]:
    """Return ``n`` elements in their JSON form: lines of the corpora, every 40th a small table."""
    lines = [line for line in joined().split("\n") if line.strip()]
    return [_item(i, line) for i, line in enumerate(islice(cycle(lines), n))]


def items_of_text(text: str) -> list[Item]:
    """Return the lines of a text as elements, every 40th as a small table."""
    return [_item(i, line) for i, line in enumerate(filter(str.strip, text.split("\n")))]


def table_of(n_rows: int, merged: int = 1) -> list[Item]:
    """Return one table of ``n_rows`` rows; the first column merges so many of them."""
    head = "".join(f"<th>Column {c}</th>" for c in range(N_COLUMNS))
    rows = [_cells(r, merged) for r in range(n_rows)]
    body = "".join(
        f"<tr>{''.join(f'<td{span}>{text}</td>' for text, span in row)}</tr>" for row in rows
    )
    texts = [f"Column {c}" for c in range(N_COLUMNS)] + [text for row in rows for text, _ in row]
    html = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return [_element("Table", " ".join(texts), 0, text_as_html=html)]


def one_text(n_chars: int) -> list[Item]:
    """Return one paragraph of so many characters."""
    text = " ".join(joined().split())
    return [_element("NarrativeText", "".join(islice(cycle(text), n_chars)), 0)]


def unstructured_objects(items: list[Item]) -> list[Any]:
    """Return the peer's own objects for ``items``."""
    from unstructured.staging.base import elements_from_dicts

    return elements_from_dicts(items)


def n_bytes(items: list[Item]) -> int:
    """Return the UTF-8 bytes of all texts and tables."""
    texts = (item["text"] + item["metadata"].get("text_as_html", "") for item in items)
    return sum(len(text.encode()) for text in texts)


def _cells(row: int, merged: int) -> list[tuple[str, str]]:
    cells = [(f"value {row}.{c} of some length", "") for c in range(1, N_COLUMNS)]
    if row % merged:
        return cells
    return [(f"group {row}", f' rowspan="{merged}"' if merged > 1 else ""), *cells]


def _item(i: int, line: str) -> Item:
    if i % TABLE_EVERY == TABLE_EVERY - 1:
        cells = line.split()[:12]
        rows = [cells[at : at + 3] for at in range(0, len(cells), 3)]
        html = "".join(
            f"<tr>{''.join(f'<td>{_escaped(c)}</td>' for c in row)}</tr>" for row in rows
        )
        return _element("Table", " ".join(cells), i, text_as_html=f"<table>{html}</table>")
    kind = "Title" if len(line) < TITLE_CHARS else ("ListItem" if i % 3 == 0 else "NarrativeText")
    return _element(kind, line, i)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _element(kind: str, text: str, i: int, **metadata: Any) -> Item:
    known = {
        "languages": ["eng"],
        "filename": "report.pdf",
        "filetype": "application/pdf",
        "last_modified": "2026-01-01T00:00:00",
        "page_number": 1 + i // LINES_A_PAGE,
        "parent_id": uuid.UUID(int=i // 7).hex,
    }
    element_id = uuid.UUID(int=i).hex
    return {"type": kind, "element_id": element_id, "text": text, "metadata": {**known, **metadata}}
