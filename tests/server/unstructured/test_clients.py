"""Requests of applications that speak to unstructured-api, as their sources make them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from chunkwright.server import Settings, create_app
from tests.readers import office_files

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
# What Unstructured's Python client adds to each request, whatever its caller names.
CLIENT = {
    **dict.fromkeys(("coordinates", "include_page_breaks", "overlap_all"), "false"),
    **dict.fromkeys(("unique_element_ids", "xml_keep_tags"), "false"),
    **dict.fromkeys(("include_slide_notes", "multipage_sections"), "true"),
    "do_not_break_similarity_on_footer_header": "false",
    "output_format": "application/json",
    "overlap": "0",
    "pdf_infer_table_structure": "true",
    "split_pdf_allow_failed": "false",
    "split_pdf_cache_tmp_data": "false",
    "split_pdf_concurrency_level": "5",
    "split_pdf_page": "true",
    "strategy": "hi_res",
}


class Call(NamedTuple):
    """A call of an application that asks by Unstructured's Python client.

    It has the fields that it names, what it calls its file, and that file's media type.
    """

    client: str
    fields: dict[str, str]
    name: str = "/home/ada/rain.md"
    kind: str = "text/markdown"


CALLS = (
    Call("Dify", {}),
    Call("Dify, PDF", {"strategy": "auto"}),
    Call("LlamaIndex's UnstructuredReader", {}, r"C:\Users\ada\rain.md"),
    Call("LlamaIndex's UnstructuredReader", {"strategy": "fast", "languages[]": "eng"}),
    Call("Haystack's UnstructuredFileConverter", {}),
    # It calls bytes what it knows of them, and the client then knows no media type.
    Call("Haystack, bytes", {}, "{'file_name': 'rain.md'}", "application/octet-stream"),
    Call("Haystack, bytes", {}, "{}", "application/octet-stream"),
    Call("langchain-unstructured", {"strategy": "fast", "coordinates": "true"}),
    # It calls an open file by the text of None.
    Call("langchain-unstructured, a file", {}, "None", "application/octet-stream"),
)


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


@pytest.mark.parametrize("call", CALLS, ids=lambda each: each.client)
def test_unstructured_s_client_gets_elements(service: TestClient, call: Call) -> None:
    answer = service.post(
        "/general/v0/general",
        files=[("files", (call.name, PAGE, call.kind))],
        data=CLIENT | call.fields,
        headers={"UNSTRUCTURED-API-KEY": KEY, "Accept": "application/json;q=1, text/csv;q=0"},
    )
    assert answer.status_code == 200, answer.text
    # Nothing that the client sends by itself is worth a warning.
    assert "warning" not in answer.headers
    assert [each["text"].removeprefix("# ") for each in answer.json()] == TEXTS
    # LlamaIndex takes the name as the id of the document.
    name = call.name.replace("\\", "/").rpartition("/")[2]
    assert {each["metadata"]["filename"] for each in answer.json()} == {name}


@pytest.mark.parametrize("name", ["rain.pptx", "None"])
def test_elements_of_slides_have_pages(service: TestClient, name: str) -> None:
    # Dify leaves out elements of presentations without one.
    answer = service.post(
        "/general/v0/general",
        files=[("files", (name, office_files.pptx(), "application/octet-stream"))],
        data=CLIENT,
        headers={"UNSTRUCTURED-API-KEY": KEY},
    )
    pages = {each["text"]: each["metadata"]["page_number"] for each in answer.json()}
    assert (pages["It rained."], pages["Then the sun came out."]) == (1, 2)


def test_a_wrong_key_is_told(service: TestClient) -> None:
    assert _sent(service, [("strategy", "hi_res")], key="wrong").status_code == 401
