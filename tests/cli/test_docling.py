"""Chunks of DoclingDocument JSON as Docling's own command writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chunkwright.compat.docling import chunk_json

from .commandline import Run

FIELDS = [
    "filename",
    "chunk_index",
    "text",
    "raw_text",
    "num_tokens",
    "headings",
    "captions",
    "doc_items",
    "page_numbers",
    "metadata",
]


def _item(index: int, **fields: Any) -> dict[str, Any]:
    box = {"l": 1, "t": 2, "r": 3, "b": 4}
    return {
        "self_ref": f"#/texts/{index}",
        "parent": {"$ref": "#/body"},
        "label": "text",
        "text": f"Café {index} at the Elbe.",
        "orig": "",
        "prov": [{"page_no": 9 - index, "bbox": box, "charspan": [0, 1]}],
    } | fields


def _document() -> str:
    texts = [_item(0, label="section_header", text="Rivers", level=1), _item(1), _item(2)]
    children = [{"$ref": item["self_ref"]} for item in texts]
    origin = {"mimetype": "application/pdf", "binary_hash": 2**63, "filename": "rivers.pdf"}
    body = {"self_ref": "#/body", "children": children}
    document = {"schema_name": "DoclingDocument", "version": "1.10.0", "name": "rivers"}
    return json.dumps(document | {"origin": origin, "texts": texts, "body": body})


@pytest.fixture
def rivers(folder: Path) -> Path:
    """A document in a file."""
    path = folder / "rivers.v1.json"
    path.write_text(_document(), "utf-8")
    return path


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_hybrid_chunks_have_doclings_fields(here: Run, rivers: Path) -> None:
    done = here("chunk", rivers, "--strategy", "hybrid", "--format", "docling")
    assert done.code == 0, done.err
    assert '"text": "Rivers\\nCafé 1' in done.out, "a blank behind each colon, nothing escaped"
    (line,) = _lines(done.out)
    assert list(line) == FIELDS
    text = "Rivers\nCafé 1 at the Elbe.\nCafé 2 at the Elbe."
    assert (line["text"], line["raw_text"]) == (text, text.removeprefix("Rivers\n"))
    assert (line["filename"], line["chunk_index"]) == ("rivers.v1", 0)
    assert (line["headings"], line["captions"]) == (["Rivers"], None)
    assert line["doc_items"] == ["#/texts/1", "#/texts/2"]
    assert line["page_numbers"] == [7, 8]
    assert line["num_tokens"] > 10
    origin = {"mimetype": "application/pdf", "binary_hash": 2**63, "filename": "rivers.pdf"}
    assert line["metadata"] == {"origin": {**origin, "uri": None}}


def test_options_are_those_of_doclings_chunker(here: Run, rivers: Path, folder: Path) -> None:
    out = folder / "chunks.jsonl"
    options = ("--strategy", "hybrid", "--format", "docling", "--max-tokens", "20")
    done = here("chunk", rivers, *options, "--no-merge-peers", "--out", out)
    assert done.code == 0, done.err
    assert "2 chunks of 1 input written" in done.err
    expected = chunk_json(_document(), max_tokens=20, merge_peers=False)
    found = _lines(out.read_text("utf-8"))
    assert [line["text"] for line in found] == [row["contextualized"] for row in expected]


def test_hierarchical_chunks_have_no_sizes(here: Run, rivers: Path) -> None:
    done = here("chunk", rivers, "--strategy", "hierarchical", "--format", "docling")
    assert [line["num_tokens"] for line in _lines(done.out)] == [None, None]


def test_what_is_no_docling_document_is_named(here: Run, rivers: Path, folder: Path) -> None:
    (folder / "note.md").write_text("# Rain\n", "utf-8")
    options = ("--strategy", "hybrid", "--format", "docling")
    done = here("chunk", "note.md", rivers, *options)
    assert done.code == 1
    assert "Failed: note.md: this is not a DoclingDocument" in done.err
    assert len(_lines(done.out)) == 1
    out = folder / "old.jsonl"
    out.write_text("old", "utf-8")
    assert here("chunk", "note.md", *options, "--out", out, "--force").code == 1
    assert out.read_text("utf-8") == "old", "nothing was read"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--strategy", "recursive"), "--format docling needs --strategy hybrid or hierarchical"),
        (("--strategy", "hybrid", "--overlap", "3"), "--overlap is no option of Docling's hybrid"),
        (("--strategy", "hierarchical", "--max-tokens", "9"), "--max-tokens is no option"),
        (("--strategy", "hybrid", "--max-tokens", "0"), "--max-tokens must be"),
    ],
)
def test_what_docling_cannot_do_is_refused(
    here: Run, rivers: Path, options: tuple[str, ...], named: str
) -> None:
    done = here("chunk", rivers, "--format", "docling", *options)
    assert done.code != 0
    assert named in " ".join(done.err.split())
    assert not done.out


def test_dropped_headings_are_told(here: Run, folder: Path) -> None:
    document = json.loads(_document())
    document["texts"][0]["text"] = "a very long heading " * 9
    (folder / "long.json").write_text(json.dumps(document), "utf-8")
    options = ("--strategy", "hybrid", "--format", "docling", "--max-tokens", "12")
    done = here("chunk", "long.json", *options)
    assert done.code == 0
    assert "long.json: Headers and captions for this chunk are longer" in done.err
    assert len(_lines(done.out)) == 2
