"""Chunks of DoclingDocument JSON are those of docling-serve, field by field, by every route."""

from __future__ import annotations

import base64
import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from .peer import DoclingDocument, expected  # isort: skip - says what is missing first
from tests.parity.docling_documents import documents
from tests.parity.docling_generated import documents as all_kinds
from tests.support.docling_maker import Maker

if TYPE_CHECKING:
    from starlette.testclient import TestClient

# The peer warns of much that it does itself.
pytestmark = pytest.mark.filterwarnings("ignore")

_SHARED: dict[str, st.SearchStrategy[Any]] = {
    "use_markdown_tables": st.booleans(),
    "use_markdown_images": st.booleans(),
    "image_placeholder": st.sampled_from(["![IMAGE]", "<!-- image -->", "", "ein Bild\n\nhier"]),
    "include_raw_text": st.booleans(),
}
_HYBRID = {**_SHARED, "max_tokens": st.sampled_from([24, 96, 300]), "merge_peers": st.booleans()}
asked = st.one_of(
    st.tuples(st.just("hybrid"), st.fixed_dictionaries({}, optional=_HYBRID)),
    st.tuples(st.just("hierarchical"), st.fixed_dictionaries({}, optional=_SHARED)),
)
ALL = [
    ("hybrid", {"max_tokens": 64}),
    ("hybrid", {"include_raw_text": True, "use_markdown_tables": True, "merge_peers": False}),
    ("hybrid", {"use_markdown_images": True, "image_placeholder": "[picture]"}),
    ("hierarchical", {"include_raw_text": True}),
    ("hierarchical", {"use_markdown_images": True, "use_markdown_tables": True}),
]


def _upload(
    client: TestClient, data: bytes, chunker: str, options: dict[str, Any], path: str = ""
) -> Any:
    fields = {f"chunking_{name}": str(value) for name, value in options.items()}
    files = {"files": ("document.json", data)}
    return client.post(f"/v1/chunk/{chunker}/file{path}", files=files, data=fields)


def _send(
    client: TestClient, data: bytes, chunker: str, options: dict[str, Any], path: str = ""
) -> Any:
    source = {
        "kind": "file",
        "base64_string": base64.b64encode(data).decode(),
        "filename": "document.json",
    }
    body = {"sources": [source], "chunking_options": options}
    return client.post(f"/v1/chunk/{chunker}/source{path}", json=body)


def _rows(answer: Any) -> list[dict[str, Any]]:
    """Return the chunks of an answer without the boxes, which docling-serve does not have."""
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["chunks"]
    for row in rows:
        del row["metadata"]["boxes"]
    return rows


@given(st.one_of(documents(), all_kinds()), asked)
def test_made_documents_are_cut_as_docling_serve_cuts_them(
    client: TestClient, document: Any, asked: tuple[str, dict[str, Any]]
) -> None:
    chunker, options = asked
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = document.model_dump_json(by_alias=True)
        try:
            DoclingDocument.model_validate_json(source)
        except ValidationError:
            return
        wanted = expected(source, "document.json", chunker, options)
    answer = _send(client, source.encode(), chunker, options)
    if isinstance(wanted, list):
        assert _rows(answer) == wanted
    else:
        assert answer.json()["documents"][0]["status"] == "failure"


@pytest.mark.parametrize(("chunker", "options"), ALL)
def test_real_documents_are_cut_as_docling_serve_cuts_them(
    client: TestClient, shared: Path, chunker: str, options: dict[str, Any]
) -> None:
    files = sorted((shared / "data" / "docling-documents").glob("*.json"))
    for file in [file for file in files if file.stat().st_size < 150_000][::3]:
        data = file.read_bytes()
        wanted = expected(data, "document.json", chunker, options)
        assert isinstance(wanted, list), file
        assert _rows(_upload(client, data, chunker, options)) == wanted, file


def _document() -> bytes:
    maker = Maker(origin={"mimetype": "text/html", "binary_hash": 7, "filename": "rivers.html"})
    maker.text("Rivers", "title")
    maker.heading("Elbe")
    maker.text("The Elbe is a river. " * 20)
    maker.table([["river", "km"], ["Elbe", "1094"], ["Oder", "840"]])
    picture = maker.picture(captions=[{"$ref": "#/texts/3"}])
    maker.text("The Elbe at dawn", "caption", picture)
    return json.dumps(maker.document).encode()


@pytest.mark.parametrize(("chunker", "options"), ALL)
def test_all_routes_give_the_same_chunks(
    client: TestClient, chunker: str, options: dict[str, Any]
) -> None:
    data = _document()
    wanted = expected(data, "document.json", chunker, options)
    assert len(wanted) > 1
    for ask in (_upload, _send):
        assert _rows(ask(client, data, chunker, options)) == wanted
        task = ask(client, data, chunker, options, "/async").json()["task_id"]
        status = client.get(f"/v1/status/poll/{task}", params={"wait": 60}).json()
        assert status["task_status"] == "success"
        assert _rows(client.get(f"/v1/result/{task}")) == wanted
        assert _rows(client.get(f"/v1/result/{task}")) == wanted, "a result can be fetched again"


def test_a_picture_with_a_summary_keeps_it_behind_the_placeholder(client: TestClient) -> None:
    maker = Maker()
    maker.picture(meta={"summary": {"text": "A river."}, "description": {"text": "It is wide."}})
    data = json.dumps(maker.document).encode()
    options = {"use_markdown_images": True, "image_placeholder": "[picture]"}
    wanted = expected(data, "document.json", "hierarchical", options)
    assert [row["text"] for row in wanted] == ["[picture]\n\nA river.\n\nIt is wide."]
    assert _rows(_send(client, data, "hierarchical", options)) == wanted
