"""Word files of others against the structure that Docling's test data state for them."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz.distance import Indel

import chunkwright as cw
from chunkwright.document import Document

# Word's numbers of list items are part of our text; the truth has them beside it.
_NUMBER = re.compile(r"^(?:-|\(?[\w.]{1,12}[.)]) ")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def truth(path: Path) -> Iterator[tuple[str, str]]:
    """Give labels and texts of the body in reading order."""
    stated = json.loads(path.read_text(encoding="utf-8"))
    items = {
        each["self_ref"]: each
        for key in ("texts", "tables", "pictures", "groups")
        for each in stated.get(key, [])
    }

    def below(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for child in node.get("children", []):
            item = items.get(child["$ref"])
            if item is None or item.get("content_layer", "body") != "body":
                continue
            if "table_cells" in item.get("data", {}):
                cells = sorted(
                    item["data"]["table_cells"],
                    key=lambda c: (c["start_row_offset_idx"], c["start_col_offset_idx"]),
                )
                # What Docling has of a cell beside its text is the same text again.
                yield "table", "\n".join(cell["text"] for cell in cells)
                continue
            yield item["label"], item.get("orig") or item.get("text") or ""
            yield from below(item)

    return below(stated["body"])


def said(document: Document) -> Iterator[tuple[str, str]]:
    left_out = {"page header", "page footer", "list", "figure"}
    for element in document.elements or []:
        if element.kind not in left_out:
            is_item = element.kind == "list item"
            yield element.kind, _NUMBER.sub("", element.text) if is_item else element.text


@pytest.fixture(scope="module")
def pairs(shared: Path) -> list[tuple[Document, list[tuple[str, str]]]]:
    files = sorted((shared / "data" / "office").glob("*.docx"))
    if not files:
        pytest.skip("the shared data holds no Word files")
    return [(cw.read(file), list(truth(file.with_name(f"{file.name}.json")))) for file in files]


def test_words_and_their_order(pairs: list[tuple[Document, list[tuple[str, str]]]]) -> None:
    order = []
    for document, stated in pairs:
        wanted = [word for _, text in stated for word in words(text)]
        found = [word for _, text in said(document) for word in words(text)]
        order.append(Indel.normalized_similarity(wanted, found))
    assert sum(order) / len(order) > 0.98


def test_headings(pairs: list[tuple[Document, list[tuple[str, str]]]]) -> None:
    for document, stated in pairs:
        heads = {"section_header", "title"}
        wanted = Counter(" ".join(words(text)) for label, text in stated if label in heads)
        found = Counter(" ".join(words(text)) for kind, text in said(document) if kind == "heading")
        assert found == wanted, document.name
