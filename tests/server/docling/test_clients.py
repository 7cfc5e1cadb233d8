"""Requests of known clients, as their sources make them, and what must come back."""

from __future__ import annotations

import base64
import gc
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("docling_core", reason="docling-core writes HTML")

from chunkwright.server.dialects.docling import upkeep

from . import sources

if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytestmark = pytest.mark.filterwarnings("ignore")

PDF = "application/pdf"


class Replay(NamedTuple):
    """A request of a client: its route, its form or JSON, and the fields that are ignored."""

    client: str
    path: str
    asked: Callable[[], dict[str, Any]]
    ignored: tuple[str, ...] = ()


def _form(**fields: Any) -> Callable[[], dict[str, Any]]:
    return lambda: {"files": {"files": ("rivers.pdf", sources.pdf(), PDF)}, "data": fields}


def _base64() -> str:
    return base64.b64encode(sources.pdf()).decode()


def _json(**fields: Any) -> Callable[[], dict[str, Any]]:
    return lambda: {
        "json": {
            "sources": [{"kind": "file", "filename": "rivers.pdf", "base64_string": _base64()}],
            **fields,
        }
    }


_SETTINGS = {
    "image_export_mode": "placeholder",
    "do_ocr": True,
    "force_ocr": False,
    "ocr_engine": "tesseract",
    "ocr_lang": ["eng", "deu"],
    "pdf_backend": "dlparse_v4",
    "table_mode": "accurate",
    "pipeline": "standard",
}
_DESCRIBED = {"do_picture_description": True, "picture_description_local": '{"repo_id": "a/b"}'}
_CHUNKING = {"max_tokens": 512, "overlap": 50, "tokenizer": "sentencepiece"}
_DOCUMENTED = {
    "from_formats": ["docx", "pptx", "html", "image", "pdf", "asciidoc", "md", "xlsx"],
    "to_formats": ["md", "json", "html", "text", "doctags"],
    "image_export_mode": "placeholder",
    "ocr": True,
    "force_ocr": False,
    "ocr_engine": "easyocr",
    "ocr_lang": ["en"],
    "pdf_backend": "dlparse_v2",
    "table_mode": "fast",
    "abort_on_error": False,
    "return_as_file": False,
}
_N8N = {
    "to_formats": ["md", "html"],
    "ocr_engine": "easyocr",
    "pdf_backend": "docling_parse",
    "page_range": "[1,2]",
    "document_timeout": "604800",
    "md_page_break_placeholder": "<!-- page -->",
    "image_export_mode": "embedded",
}

# What docling-mcp has Docling's service client ask for, and the TypeScript client by default.
_MCP = {
    "do_ocr": True,
    "do_table_structure": True,
    "include_images": False,
    "to_formats": ["json", "md"],
    "abort_on_error": False,
}

CONVERSIONS = (
    Replay("Open WebUI", "/v1/convert/file", _form(image_export_mode="placeholder")),
    Replay("Open WebUI", "/v1/convert/file", _form(**_SETTINGS)),
    Replay(
        "Open WebUI",
        "/v1/convert/file",
        _form(**_SETTINGS | _DESCRIBED),
        ("do_picture_description", "picture_description_local"),
    ),
    Replay(
        "RAGFlow",
        "/v1/convert/source",
        _json(options={"from_formats": ["pdf"], "to_formats": ["json", "md", "text"]}),
    ),
    Replay(
        "RAGFlow",
        "/v1alpha/convert/source",
        lambda: {
            "json": {
                "options": {"from_formats": ["pdf"], "to_formats": ["json", "md", "text"]},
                "file_sources": [{"filename": "rivers.pdf", "base64_string": _base64()}],
            }
        },
    ),
    Replay("docling-mcp", "/v1/convert/source", _json(options=_MCP)),
    Replay(
        "Docling's TypeScript client",
        "/v1/convert/source",
        _json(options={"to_formats": ["md", "json"]}, target={"kind": "inbody"}, callbacks=[]),
    ),
    Replay("n8n-nodes-docling-serve", "/v1/convert/file", _form(**_N8N)),
    Replay(
        "n8n-nodes-docling-serve",
        "/v1/convert/source",
        _json(options={"to_formats": ["md"], "ocr_engine": "easyocr", "do_ocr": True}),
    ),
    Replay("Haystack's DoclingServeConverter", "/v1/convert/file", _form(to_formats="md")),
    Replay(
        "Haystack's DoclingServeConverter",
        "/v1/convert/file",
        _form(to_formats="md", do_ocr=False, table_mode="accurate", ocr_lang=["eng", "deu"]),
    ),
    Replay(
        "docling-serve's usage.md",
        "/v1/convert/file",
        _form(**_DOCUMENTED),
        ("ocr", "return_as_file"),
    ),
    Replay(
        "docling-serve's usage.md",
        "/v1/convert/source",
        _json(options=_DOCUMENTED),
        ("options.ocr", "options.return_as_file"),
    ),
)
_N8N_CHUNKS = {
    "max_tokens": "64",
    "merge_peers": "true",
    "tokenizer": "sentence-transformers/all-MiniLM-L6-v2",
    "chunking_include_raw_text": "true",
    "convert_ocr_engine": "easyocr",
    "convert_image_export_mode": "embedded",
    "convert_do_table_structure": "true",
    "include_converted_doc": "true",
}
CHUNKS = (
    Replay("n8n-nodes-docling-serve", "/v1/chunk/hybrid/file", _form(**_N8N_CHUNKS)),
    Replay("n8n-nodes-docling-serve", "/v1/chunk/hierarchical/file", _form()),
    Replay(
        "n8n-nodes-docling-serve",
        "/v1/chunk/hybrid/source",
        _json(chunking_options={"max_tokens": 64}, include_converted_doc=False),
    ),
)


def _named(answer: Any, errors: list[dict[str, Any]], replay: Replay) -> None:
    said = [each["error_message"] for each in errors]
    assert sorted(each.partition(" ")[0] for each in said) == sorted(replay.ignored)
    assert ("warning" in answer.headers) == bool(replay.ignored)


@pytest.mark.parametrize("replay", CONVERSIONS, ids=lambda each: each.client)
def test_a_client_gets_its_document(client: TestClient, replay: Replay) -> None:
    answer = client.post(replay.path, **replay.asked())
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["status"] == "success"
    assert "Elbe" in found["document"]["md_content"]
    _named(answer, found["errors"], replay)


@pytest.mark.parametrize("replay", CHUNKS, ids=lambda each: each.client)
@pytest.mark.parametrize("later", [False, True])
def test_a_client_gets_its_chunks(client: TestClient, replay: Replay, later: bool) -> None:
    answer = client.post(f"{replay.path}/async" if later else replay.path, **replay.asked())
    assert answer.status_code == 200, answer.text
    found = answer.json()
    if later:
        task = found["task_id"]
        status = client.get(f"/v1/status/poll/{task}", params={"wait": 60}).json()
        assert status["task_status"] == "success"
        found = client.get(f"/v1/result/{task}").json()
    assert any("Elbe" in chunk["text"] for chunk in found["chunks"])
    _named(answer, found["documents"][0]["errors"], replay)


def test_docling_s_clients_learn_that_there_is_no_storage(client: TestClient) -> None:
    asked = _json(target={"kind": "presigned_url"})()
    answer = client.post("/v1/convert/source/async", **asked)
    # By these words they know to ask again, with another target.
    assert answer.status_code == 422
    assert "artifact storage to be configured" in json.dumps(answer.json()["detail"]).lower()


def test_ragflow_finds_the_service_and_falls_back(client: TestClient) -> None:
    assert client.head("/openapi.json").status_code == 200
    options = {"to_formats": ["json", "md"], "do_chunking": True, "chunking_options": _CHUNKING}
    # As docling-serve, which wants to be told which chunker it is: the client asks again without.
    assert client.post("/v1/convert/source", **_json(options=options)()).status_code == 422


def test_n8n_gets_what_it_asks_of_the_system(client: TestClient) -> None:
    for path in ("/health", "/ready", "/version", "/v1/clear/converters", "/v1/clear/results"):
        assert client.get(path).status_code == 200, path
    stats = client.get("/v1/memory/stats").json()
    assert stats.keys() == {"rss", "anon", "file", "slab", "cgroup_total"}
    assert stats["rss"] > 1
    counts = client.get("/v1/memory/counts").json()
    assert counts["objects"]["total"] > 1000
    assert len(counts["top_types"]) == 20


def test_objects_are_counted_once_in_some_seconds(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def get_objects() -> list[Any]:
        seen.append(1)
        return []

    monkeypatch.setattr(upkeep, "monotonic", lambda: 10_000.0)
    monkeypatch.setattr(gc, "get_objects", get_objects)
    counts = [client.get("/v1/memory/counts").json()["objects"] for _ in range(3)]
    assert (counts, len(seen)) == ([{"total": 0}] * 3, 1)


def test_the_default_request_needs_no_setting() -> None:
    from starlette.testclient import TestClient as Client

    from chunkwright.server import Settings, create_app

    with Client(create_app(Settings()), base_url="http://localhost") as client:
        files = {"files": ("rivers.md", sources.MARKDOWN)}
        answer = client.post("/v1/chunk/hybrid/file", files=files)
        assert answer.status_code == 200, answer.text
        assert all(chunk["num_tokens"] <= 256 for chunk in answer.json()["chunks"])


def test_docling_s_own_client_sends_all_of_its_options(client: TestClient) -> None:
    options = pytest.importorskip("docling.datamodel.service.options", reason="the peer's models")
    asked = options.ConvertDocumentsOptions(to_formats=["md"]).model_dump(mode="json")
    answer = client.post("/v1/convert/source", **_json(options=asked)())
    assert answer.status_code == 200, answer.text
    assert answer.json()["errors"] == []
    form = {
        name: json.dumps(value) if isinstance(value, dict) else value
        for name, value in asked.items()
        if value is not None
    }
    answer = client.post("/v1/convert/file", **_form(**form)())
    assert answer.status_code == 200, answer.text
    assert answer.json()["errors"] == []
