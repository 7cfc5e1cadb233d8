"""Files of other formats become DoclingDocuments, whose chunks are Docling's of these documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.docling_maker import Maker

from . import sources
from .peer import DoclingDocument, expected

if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytestmark = pytest.mark.filterwarnings("ignore")

FILES: dict[str, Any] = {
    "rivers.md": lambda: sources.MARKDOWN,
    "rivers.html": lambda: sources.HTML,
    "rivers.csv": lambda: sources.CSV,
    "rivers.txt": lambda: sources.TEXT,
    "rivers.docx": sources.docx,
    "rivers.pdf": sources.pdf,
}


def _cut(client: TestClient, name: str, data: bytes, **fields: str) -> Any:
    asked = {"include_converted_doc": "true", **fields}
    answer = client.post("/v1/chunk/hybrid/file", files={"files": (name, data)}, data=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_cut_as_docling_cuts_the_document_that_comes_with_it(
    client: TestClient, name: str
) -> None:
    found = _cut(client, name, FILES[name](), chunking_include_raw_text="true")
    (document,) = found["documents"]
    assert document["status"] == "success"
    assert document["errors"] == []
    source = json.dumps(document["content"]["json_content"])
    wanted = expected(source, name, "hybrid", {"include_raw_text": True})
    assert wanted
    for row in found["chunks"]:
        del row["metadata"]["boxes"]
    assert found["chunks"] == wanted


def _items(client: TestClient, name: str, data: bytes) -> list[tuple[str, int, str]]:
    """Return label, depth and text of the items of a file, as docling-core reads its document."""
    content = _cut(client, name, data)["documents"][0]["content"]["json_content"]
    document = DoclingDocument.model_validate(content)
    assert document.origin is not None
    assert document.origin.filename == name
    found: list[tuple[Any, int]] = list(document.iterate_items(with_groups=True))
    return [(item.label.value, depth, getattr(item, "text", "")) for item, depth in found if depth]


def test_markdown_keeps_its_structure(client: TestClient) -> None:
    assert _items(client, "rivers.md", sources.MARKDOWN) == [
        ("title", 1, "Rivers"),
        ("text", 1, "The *Elbe* is a river."),
        ("section_header", 1, "Lengths"),
        ("list", 1, ""),
        ("list_item", 2, "Elbe"),
        ("list", 3, ""),
        ("list_item", 4, "Saale"),
        ("list_item", 2, "Oder"),
        ("list", 1, ""),
        ("list_item", 2, "first"),
        ("list_item", 2, "second"),
        ("table", 1, ""),
        ("code", 1, "length = 1094"),
        ("picture", 1, ""),
        ("caption", 2, "The Elbe at dawn"),
        ("text", 1, "It flows."),
        ("formula", 1, "l = 1094"),
    ]


def test_html_keeps_its_structure(client: TestClient) -> None:
    found = _items(client, "rivers.html", sources.HTML)
    assert ("title", 1, "Rivers") in found
    assert ("list_item", 4, "Saale") in found
    assert ("caption", 2, "Lengths of rivers") in found
    assert ("code", 1, "length = 1094") in found


@pytest.mark.parametrize("name", ["rivers.md", "rivers.html", "rivers.csv", "rivers.docx"])
def test_tables_have_their_cells(client: TestClient, name: str) -> None:
    content = _cut(client, name, FILES[name]())["documents"][0]["content"]["json_content"]
    (table,) = DoclingDocument.model_validate(content).tables
    texts = [[cell.text for cell in row] for row in table.data.grid]
    assert texts[:2] == [["river", "km"], ["Elbe", "1094"]]


def test_chunks_of_a_pdf_say_their_pages_and_boxes(client: TestClient) -> None:
    found = _cut(client, "rivers.pdf", sources.pdf(), chunking_max_tokens="50")
    chunks = found["chunks"]
    pages = [chunk["page_numbers"] for chunk in chunks]
    assert [page for page in pages if len(page) > 1] == []
    assert {page for (page,) in pages} == {1, 2}
    for chunk in chunks:
        (box,) = chunk["metadata"]["boxes"]
        assert box["item"] in chunk["doc_items"]
        assert box["page_no"] == chunk["page_numbers"][0]
        sides = box["bbox"]
        assert sides["coord_origin"] == "TOPLEFT"
        assert 45 < sides["l"] < 60
        assert 80 < sides["t"] < sides["b"] < 110


@pytest.mark.parametrize(
    ("said", "pages"), [(("2", "3"), [2, 3]), (("3", "9223372036854775807"), [3, 4])]
)
def test_a_range_of_pages_of_a_pdf_is_read(
    client: TestClient, said: tuple[str, str], pages: list[int]
) -> None:
    fields: Any = {"convert_page_range": list(said), "chunking_max_tokens": "300"}
    files = {"files": ("rivers.pdf", sources.pdf(4))}
    chunks = client.post("/v1/chunk/hybrid/file", files=files, data=fields).json()["chunks"]
    assert [page for chunk in chunks for page in chunk["page_numbers"]] == pages


def test_a_range_of_pages_that_there_are_not_is_a_failure_that_says_so(client: TestClient) -> None:
    fields: Any = {"convert_page_range": ["2", "3"]}
    files = {"files": ("a.pdf", sources.pdf(1))}
    found = client.post("/v1/chunk/hybrid/file", files=files, data=fields).json()
    (document,) = found["documents"]
    assert document["status"] == "failure"
    assert document["errors"][0]["error_message"].startswith("a.pdf: page_range: ")


def test_a_range_that_ends_behind_the_last_page_ends_there(client: TestClient) -> None:
    files = {"files": ("a.pdf", sources.pdf(2))}
    asked: Any = {"convert_page_range": ["2", "9"], "chunking_max_tokens": "300"}
    found = client.post("/v1/chunk/hybrid/file", files=files, data=asked).json()
    assert found["documents"][0]["status"] == "success"
    assert [page for chunk in found["chunks"] for page in chunk["page_numbers"]] == [2]


def test_pages_of_what_has_none_are_ignored_and_named(client: TestClient) -> None:
    document = json.dumps(Maker().document).encode()
    for name, data in (("a.md", b"# A"), ("a.json", document)):
        fields: Any = {"convert_page_range": ["2", "3"]}
        answer = client.post("/v1/chunk/hybrid/file", files={"files": (name, data)}, data=fields)
        (found,) = answer.json()["documents"]
        assert found["status"] == "success"
        assert found["errors"][0]["error_message"].startswith(f"{name}: page_range is for PDF")
        assert f"{name}: page_range is for PDF" in answer.headers["warning"]


def test_a_file_that_cannot_be_read_is_a_failure_beside_the_others(client: TestClient) -> None:
    files = [("files", ("a.md", b"# A\n\ntext")), ("files", ("b.json", b"\x89PNG\r\n\x1a\n"))]
    found = client.post("/v1/chunk/hierarchical/file", files=files).json()
    assert [document["status"] for document in found["documents"]] == ["success", "failure"]
    assert {chunk["filename"] for chunk in found["chunks"]} == {"a.md"}
    (error,) = found["documents"][1]["errors"]
    assert error["error_message"].startswith("b.json: ")


@pytest.mark.parametrize("has_images", ["true", "false"])
def test_a_docling_document_that_is_cut_off_is_a_failure(
    client: TestClient, has_images: str
) -> None:
    broken = b'{"schema_name": "DoclingDocument", "name": "x", "body": {"self_ref": "#/bo'
    fields = {"chunking_use_markdown_images": has_images}
    files = {"files": ("a.json", broken)}
    found = client.post("/v1/chunk/hierarchical/file", files=files, data=fields).json()
    assert found["documents"][0]["status"] == "failure"


def test_a_broken_docling_document_names_the_item(client: TestClient) -> None:
    broken = b'{"schema_name": "DoclingDocument", "name": "x", "body": {"self_ref": "#/body",'
    broken += b' "children": [{"$ref": "#/texts/4"}]}}'
    found = client.post("/v1/chunk/hybrid/file", files={"files": ("a.json", broken)}).json()
    message = found["documents"][0]["errors"][0]["error_message"]
    assert message.startswith("a.json: ")
    assert "#/texts/4" in message


def test_abort_on_error_refuses_the_whole_request(client: TestClient) -> None:
    files = [("files", ("a.md", b"# A")), ("files", ("b.png", b"\x89PNG\r\n\x1a\n"))]
    fields = {"convert_abort_on_error": "true"}
    answer = client.post("/v1/chunk/hierarchical/file", files=files, data=fields)
    assert answer.status_code == 422
    assert "b.png" in answer.json()["detail"]


def test_a_format_that_is_not_asked_for_is_skipped(client: TestClient) -> None:
    fields = {"convert_from_formats": ["pdf", "md"]}
    files = [("files", ("a.md", b"# A\n\nb")), ("files", ("a.csv", sources.CSV))]
    found = client.post("/v1/chunk/hierarchical/file", files=files, data=fields).json()
    assert [document["status"] for document in found["documents"]] == ["success", "skipped"]


def test_a_limit_that_no_character_fits_is_a_failure_that_says_so(client: TestClient) -> None:
    files = {"files": ("a.md", "☐☐☐ ✿✿✿".encode())}
    fields = {"chunking_max_tokens": "1", "chunking_tokenizer": "cl100k_base"}
    found = client.post("/v1/chunk/hybrid/file", files=files, data=fields).json()
    assert found["chunks"] == []
    (document,) = found["documents"]
    assert document["status"] == "failure"
    assert "max_tokens is too small" in document["errors"][0]["error_message"]
