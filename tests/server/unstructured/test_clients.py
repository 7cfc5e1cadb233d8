"""Requests of applications that speak to unstructured-api, as their sources make them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from chunkwright.server import Settings, create_app

if TYPE_CHECKING:
    from starlette.testclient import TestClient

KEY = "a key of this test alone"
PAGE = b"# Rain\n\nIt rained in May.\n\n# Snow\n\nIt snowed in March.\n"
TEXTS = ["Rain", "It rained in May.", "Snow", "It snowed in March."]
# By the application, the fields that its request has beside the file; all of them name a key.
FIELDS: dict[str, list[tuple[str, str]]] = {
    "langchain.js, UnstructuredLoader without options": [("strategy", "hi_res")],
    "langchain.js, UnstructuredLoader with options": [
        ("strategy", "hi_res"),
        ("ocr_languages", "eng"),
        ("ocr_languages", "deu"),
        ("encoding", "utf-8"),
        ("coordinates", "true"),
        ("pdf_infer_table_structure", "true"),
        ("xml_keep_tags", "true"),
        ("skip_infer_table_types", json.dumps(["pdf", "jpg"])),
        ("hi_res_model_name", "yolox"),
        ("include_page_breaks", "true"),
        ("multipage_sections", "true"),
        ("extract_image_block_types", json.dumps(["Image", "Table"])),
    ],
    "elizaOS": [
        ("pdf_infer_table_structure", "true"),
        ("skip_infer_table_types", "[]"),
        ("strategy", "hi_res"),
    ],
    "a list of languages, and false for no list": [
        ("strategy", "hi_res"),
        ("skip_infer_table_types", "false"),
        ("languages", "eng,ara"),
    ],
}


@pytest.fixture(scope="module")
def service() -> Iterator[TestClient]:
    """A service with a key."""
    from starlette.testclient import TestClient

    with TestClient(create_app(Settings(keys=(KEY,))), base_url="http://localhost") as client:
        yield client


def _sent(service: TestClient, fields: list[tuple[str, str]], key: str = KEY) -> Any:
    # A Blob of bytes has no media type of its own.
    files = [("files", ("rain.md", PAGE, "application/octet-stream"))]
    data: dict[str, list[str]] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    headers = {"UNSTRUCTURED-API-KEY": key}
    return service.post("/general/v0/general", files=files, data=data, headers=headers)


@pytest.mark.parametrize("name", FIELDS)
def test_an_application_gets_elements(service: TestClient, name: str) -> None:
    answer = _sent(service, FIELDS[name])
    assert answer.status_code == 200, answer.text
    assert [each["text"] for each in answer.json()] == TEXTS
    assert {each["metadata"]["filename"] for each in answer.json()} == {"rain.md"}


def test_langchain_gets_chunks(service: TestClient) -> None:
    fields = [
        ("strategy", "fast"),
        ("chunking_strategy", "by_title"),
        ("multipage_sections", "false"),
        ("combine_under_n_chars", "0"),
        ("new_after_n_chars", "100"),
        ("max_characters", "200"),
        ("overlap", "0"),
        ("overlap_all", "true"),
    ]
    answer = _sent(service, fields)
    assert [each["text"] for each in answer.json()] == [
        "Rain\n\nIt rained in May.",
        "Snow\n\nIt snowed in March.",
    ]


def test_a_wrong_key_is_told(service: TestClient) -> None:
    assert _sent(service, [("strategy", "hi_res")], key="wrong").status_code == 401
