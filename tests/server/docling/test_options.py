"""Fields of requests: all of docling-serve's are known, none is taken and then ignored."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from hypothesis import given
from hypothesis import strategies as st

from chunkwright.server.dialects.docling import requests
from chunkwright.server.dialects.docling.options import (
    DEFAULT_TOKENIZER,
    ConvertOptions,
    HybridOptions,
)
from chunkwright.server.dialects.docling.work import cutter_of
from chunkwright.server.named_models import NamedModels

if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytestmark = pytest.mark.filterwarnings("ignore")

TEXT = b"# Rivers\n\nThe Elbe is a river."
SOURCE = {
    "kind": "file",
    "base64_string": base64.b64encode(TEXT).decode(),
    "filename": "rivers.md",
}
HYBRID = "/v1/chunk/hybrid/source"
CONVERT = "/v1/convert/source"

REFUSED: dict[str, Any] = {
    "ocr_engine": "easyocr",
    "ocr_preset": "tesseract",
    "ocr_custom_config": {"kind": "easyocr"},
    "to_formats": ["md", "doctags"],
    "from_formats": ["nothing"],
    "image_export_mode": "referenced",
    "pipeline": "vlm",
    "pdf_backend": "nothing",
    "page_range": [3, 2],
    "document_timeout": 0,
    "do_table_structure": False,
    "include_page_images": True,
    "md_page_break_placeholder": "<!-- page -->",
    "do_code_enrichment": True,
    "do_formula_enrichment": True,
    "do_picture_classification": True,
    "do_chart_extraction": True,
    "do_picture_description": True,
    "picture_description_local": {"repo_id": "x/y"},
    "picture_description_api": {"url": "http://localhost"},
    "vlm_pipeline_preset": "granite_docling",
    "chunking_preset": "unknown",
    "layout_preset": "other",
    "unknown_field": 1,
}
TAKEN: dict[str, Any] = {
    "do_ocr": False,
    "pdf_backend": "pypdfium2",
    "table_mode": "fast",
    "table_cell_matching": False,
    "do_pdf_heading_hierarchy": True,
    "include_images": False,
    "images_scale": 1.0,
    "md_compact_tables": True,
    "image_export_mode": "embedded",
    "page_range": [1, 9223372036854775807],
    "document_timeout": 60,
    "layout_preset": "default",
    "picture_description_area_threshold": 0.5,
    "from_formats": ["md", "pdf"],
}


def _body(**fields: Any) -> dict[str, Any]:
    return {"sources": [SOURCE], **fields}


def _places(answer: Any) -> list[list[Any]]:
    assert answer.status_code == 422, answer.text
    details = answer.json()["detail"]
    assert all(set(each) == {"loc", "msg", "type"} for each in details)
    return [each["loc"] for each in details]


@pytest.mark.parametrize("field", REFUSED)
def test_what_cannot_be_honoured_is_refused_by_its_name(client: TestClient, field: str) -> None:
    value = REFUSED[field]
    answer = client.post(CONVERT, json=_body(options={field: value}))
    assert _places(answer)[0][:3] == ["body", "options", field]
    answer = client.post(HYBRID, json=_body(convert_options={field: value}))
    assert _places(answer)[0][:3] == ["body", "convert_options", field]
    said = value if isinstance(value, list) else [_said(value)]
    files = {"files": ("rivers.md", TEXT)}
    answer = client.post("/v1/convert/file", files=files, data={field: said})
    assert _places(answer)[0][:2] == ["body", field]
    answer = client.post("/v1/chunk/hybrid/file", files=files, data={f"convert_{field}": said})
    assert _places(answer)[0][:2] == ["body", f"convert_{field}"]


def _said(value: Any) -> str:
    return json.dumps(value) if isinstance(value, dict) else str(value)


@pytest.mark.parametrize("field", TAKEN)
def test_what_makes_no_difference_is_taken(client: TestClient, field: str) -> None:
    value = TAKEN[field]
    plain = client.post(CONVERT, json=_body()).json()["document"]
    answer = client.post(CONVERT, json=_body(options={field: value}))
    assert answer.json()["document"] == plain
    said = value if isinstance(value, list) else [_said(value)]
    files = {"files": ("rivers.md", TEXT)}
    answer = client.post("/v1/convert/file", files=files, data={field: said})
    assert answer.json()["document"] == plain


def test_options_of_ocr_are_taken_where_there_is_none(client: TestClient) -> None:
    asked = {"do_ocr": False, "ocr_engine": "easyocr", "ocr_lang": ["de"], "ocr_preset": "x"}
    assert client.post(CONVERT, json=_body(options=asked)).status_code == 200


@pytest.mark.parametrize(
    ("path", "fields", "place"),
    [
        (HYBRID, {"callbacks": [{"url": "http://localhost"}]}, ["body", "callbacks"]),
        (HYBRID, {"target": {"kind": "s3", "bucket": "x"}}, ["body", "target", "kind"]),
        (HYBRID, {"target": {"kind": "zip", "path": "x"}}, ["body", "target", "path"]),
        (HYBRID, {"targets": []}, ["body", "targets"]),
        (HYBRID, {"options": {}}, ["body", "options"]),
        (HYBRID, {"sources": []}, ["body", "sources"]),
        (HYBRID, {"chunking_options": {"overlap": 3}}, ["body", "chunking_options", "overlap"]),
        (
            HYBRID,
            {"chunking_options": {"max_tokens": 0}},
            ["body", "chunking_options", "max_tokens"],
        ),
        (
            HYBRID,
            {"chunking_options": {"tokenizer": "../../etc/passwd"}},
            ["body", "chunking_options", "tokenizer"],
        ),
        (
            HYBRID,
            {"chunking_options": {"tokenizer": "cl100k_base"}},
            ["body", "chunking_options", "max_tokens"],
        ),
        (
            HYBRID,
            {"chunking_options": {"chunker": "hierarchical"}},
            ["body", "chunking_options", "chunker"],
        ),
        (
            HYBRID,
            {"convert_options": {"chunking_preset": "minilm_l6"}},
            ["body", "convert_options", "chunking_preset"],
        ),
        (
            CONVERT,
            {"options": {"to_formats": ["chunks"], "chunking_preset": "multilingual_e5_large"}},
            ["body", "options", "chunking_options", "tokenizer"],
        ),
        (
            "/v1/chunk/hierarchical/source",
            {"chunking_options": {"tokenizer": "cl100k_base"}},
            ["body", "chunking_options", "tokenizer"],
        ),
    ],
)
@pytest.mark.parametrize("later", ["", "/async"])
def test_a_wrong_field_is_named(
    client: TestClient, path: str, fields: dict[str, Any], place: list[str], later: str
) -> None:
    assert _places(client.post(path + later, json={**_body(), **fields}))[0] == place


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"chunking_overlap": "3"}, ["body", "chunking_overlap"]),
        ({"tokenizer": "x"}, ["body", "tokenizer"]),
        ({"include_converted_doc": "perhaps"}, ["body", "include_converted_doc"]),
        ({"chunking_merge_peers": ["true", "false"]}, ["body", "chunking_merge_peers"]),
        ({"chunking_tokenizer": "gpt-9"}, ["body", "chunking_tokenizer"]),
        ({"target_type": "s3"}, ["body", "target_type"]),
        ({"callbacks": "http://localhost"}, ["body", "callbacks"]),
        (
            {"convert_chunking_options": '{"chunker": "hybrid"'},
            ["body", "convert_chunking_options"],
        ),
    ],
)
def test_a_wrong_field_of_a_form_is_named(
    client: TestClient, fields: dict[str, Any], place: list[str]
) -> None:
    files = {"files": ("rivers.md", TEXT)}
    answer = client.post("/v1/chunk/hybrid/file", files=files, data=fields)
    assert _places(answer)[0] == place


def test_a_form_without_files_is_refused(client: TestClient) -> None:
    files = {"file": ("rivers.md", TEXT)}
    assert _places(client.post("/v1/convert/file", files=files)) == [["body", "file"]]
    for body in ({"data": {"to_formats": "md"}}, {"content": b"text"}, {}):
        answer = client.post("/v1/convert/file", **body)
        assert _places(answer) == [["body", "files"]]


def test_damaged_base64_is_named(client: TestClient) -> None:
    source = {**SOURCE, "base64_string": "?"}
    answer = client.post(HYBRID, json={"sources": [SOURCE, source]})
    assert _places(answer) == [["body", "sources", 1, "base64_string"]]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"sources": 3}'])
def test_a_body_that_is_none_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post(HYBRID, content=body).status_code == 422


def test_an_unconfigured_tokenizer_is_told_how_to_configure(client: TestClient) -> None:
    asked = {"tokenizer": "Qwen/Qwen3-Embedding-0.6B"}
    answer = client.post(HYBRID, json=_body(chunking_options=asked))
    assert "--tokenizer Qwen/Qwen3-Embedding-0.6B=PATH" in answer.json()["detail"][0]["msg"]


def test_a_document_version_that_is_too_old_is_refused(client: TestClient) -> None:
    for said, status in (("1.10.0", 200), ("1.0.0", 422), ("new", 422)):
        headers = {"Accept-Docling-Document-Version": said}
        assert client.post(CONVERT, json=_body(), headers=headers).status_code == status


_KNOWN = st.sampled_from(sorted(ConvertOptions.model_fields))
_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.text(max_size=5),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(st.dictionaries(_KNOWN | st.text(max_size=8), _VALUES, max_size=3))
def test_any_options_are_answered_or_refused_with_a_reason(
    client: TestClient, asked: dict[str, Any]
) -> None:
    answer = client.post(CONVERT, json=_body(options=asked))
    if answer.status_code == 422:
        assert answer.json()["detail"]
    else:
        assert answer.status_code == 200


def test_the_default_tokenizer_has_a_limit_without_a_file() -> None:
    models = NamedModels({DEFAULT_TOKENIZER: "chars"}, {})
    cutter = cutter_of(requests.ConversionJob((), ConvertOptions(), HybridOptions()), models)
    assert cutter is not None
    assert cutter.max_tokens == 256
