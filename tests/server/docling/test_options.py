"""Fields of requests: all of docling-serve's are known, and what is ignored is named."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from hypothesis import given
from hypothesis import strategies as st

from chunkwright.server.dialects.docling.jobs import ConversionJob
from chunkwright.server.dialects.docling.options import (
    DEFAULT_TOKENIZER,
    ConvertOptions,
    HybridOptions,
)
from chunkwright.server.dialects.docling.work import cutter_of
from chunkwright.server.named_models import NamedModels

from . import sources

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

WRONG: dict[str, Any] = {
    "from_formats": ["nothing"],
    "to_formats": ["md", "nothing"],
    "image_export_mode": "large",
    "do_ocr": "perhaps",
    "pipeline": "nothing",
    "pdf_backend": "nothing",
    "page_range": [3, 2],
    "document_timeout": 0,
    "chunking_preset": "unknown",
    "picture_description_api": "no JSON",
}
IGNORED: dict[str, Any] = {
    "ocr_custom_config": {"kind": "easyocr"},
    "to_formats": ["md", "latex"],
    "image_export_mode": "referenced",
    "pipeline": "vlm",
    "do_table_structure": False,
    "include_page_images": True,
    "do_code_enrichment": True,
    "do_formula_enrichment": True,
    "do_picture_classification": True,
    "do_chart_extraction": True,
    "do_picture_description": True,
    "picture_description_local": {"repo_id": "x/y"},
    "picture_description_api": {"url": "http://localhost"},
    "vlm_pipeline_preset": "granite_docling",
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


def _asked(client: TestClient, field: str, value: Any) -> list[tuple[list[Any], Any]]:
    """Return the answers of four routes to a field, and where each request has it."""
    said = [str(each) for each in value] if isinstance(value, list) else [_said(value)]
    files = {"files": ("rivers.md", TEXT)}
    forms = [("/v1/convert/file", field), ("/v1/chunk/hybrid/file", f"convert_{field}")]
    bodies = [(CONVERT, "options"), (HYBRID, "convert_options")]
    return [
        *(
            ([at, field], client.post(path, json=_body(**{at: {field: value}})))
            for path, at in bodies
        ),
        *(([name], client.post(path, files=files, data={name: said})) for path, name in forms),
    ]


@pytest.mark.parametrize("field", WRONG)
def test_what_is_wrong_is_refused_by_its_name(client: TestClient, field: str) -> None:
    for place, answer in _asked(client, field, WRONG[field]):
        assert _places(answer)[0][: len(place) + 1] == ["body", *place]


@pytest.mark.parametrize("field", IGNORED)
def test_what_cannot_be_done_is_ignored_and_named(client: TestClient, field: str) -> None:
    for place, answer in _asked(client, field, IGNORED[field]):
        assert answer.status_code == 200, answer.text
        found = answer.json()
        errors = found["documents"][0]["errors"] if "documents" in found else found["errors"]
        said = [each["error_message"] for each in errors]
        name = ".".join(place)
        assert [each for each in said if each.startswith(f"{name} is ignored: ")] == said
        assert len(said) == 1
        assert answer.headers["warning"] == f'299 - "{said[0]}"'
        status = found["documents"][0]["status"] if "documents" in found else found["status"]
        assert status == "success"


@pytest.mark.parametrize("field", IGNORED)
def test_a_strict_service_refuses_what_it_would_ignore(strict: TestClient, field: str) -> None:
    for place, answer in _asked(strict, field, IGNORED[field]):
        assert _places(answer) == [["body", *place]]


@pytest.mark.parametrize("name", ["ocr_engine", "ocr_preset"])
def test_an_engine_that_no_page_needs_is_no_error(
    client: TestClient, strict: TestClient, name: str
) -> None:
    for place, answer in _asked(client, name, "easyocr"):
        assert answer.status_code == 200, place
        assert "warning" not in answer.headers
    for place, answer in _asked(strict, name, "easyocr"):
        assert _places(answer) == [["body", *place]]


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
        (HYBRID, {"callbacks": [{"url": "http://localhost"}]}, ["body", "callbacks", 0, "url"]),
        (HYBRID, {"target": {"kind": "s3", "bucket": "x"}}, ["body", "target", "kind"]),
        (HYBRID, {"target": {"kind": "put"}}, ["body", "target", "url"]),
        (HYBRID, {"target": {"kind": "put", "url": "http://a"}}, ["body", "target", "url"]),
        (HYBRID, {"sources": []}, ["body", "sources"]),
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
        (CONVERT, {"options": {"chunking_options": {"max_tokens": 7}}}, None),
        (
            CONVERT,
            {"options": {"to_formats": ["chunks"], "chunking_preset": "multilingual_e5_large"}},
            ["body", "options", "chunking_options", "tokenizer"],
        ),
        (
            CONVERT,
            {"options": {"layout_preset": "x", "layout_custom_config": {}}},
            ["body", "options"],
        ),
        ("/v1/convert/source/batch", {}, ["body", "target", "kind"]),
        ("/v1alpha/convert/source", {}, ["body", "file_sources"]),
    ],
)
def test_a_wrong_field_is_named(
    client: TestClient, path: str, fields: dict[str, Any], place: list[str] | None
) -> None:
    for later in ("",) if path.endswith("batch") else ("", "/async"):
        found = _places(client.post(path + later, json={**_body(), **fields}))[0]
        assert found == (place or ["body", "options", "chunking_options"])


@pytest.mark.parametrize(
    ("path", "fields", "places"),
    [
        (HYBRID, {"targets": []}, [["targets"]]),
        (HYBRID, {"options": {}}, [["options"]]),
        (HYBRID, {"target": {"kind": "zip", "path": "x"}}, [["target", "path"]]),
        (HYBRID, {"chunking_options": {"overlap": 3}}, [["chunking_options", "overlap"]]),
        (HYBRID, {"sources": [{**SOURCE, "headers": {}}]}, [["sources", 0, "headers"]]),
        (
            HYBRID,
            {"convert_options": {"chunking_preset": "minilm_l6"}},
            [["convert_options", "chunking_preset"]],
        ),
        (
            CONVERT,
            {"options": {"chunking_options": {"chunker": "hybrid", "overlap": 1}, "x": 1}},
            [["options", "x"], ["options", "chunking_options", "overlap"]],
        ),
        (
            "/v1/chunk/hierarchical/source",
            {"chunking_options": {"tokenizer": "cl100k_base"}},
            [["chunking_options", "tokenizer"]],
        ),
    ],
)
def test_an_unknown_field_is_ignored_at_every_level(
    client: TestClient,
    strict: TestClient,
    path: str,
    fields: dict[str, Any],
    places: list[list[Any]],
) -> None:
    body = {**_body(), **fields}
    for later in ("", "/async"):
        answer = client.post(path + later, json=body)
        assert answer.status_code == 200, answer.text
        for place in places:
            assert f"{'.'.join(map(str, place))} is ignored" in answer.headers["warning"]
        refused = _places(strict.post(path + later, json=body))
        assert sorted(refused) == sorted(["body", *place] for place in places)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"include_converted_doc": "perhaps"}, ["body", "include_converted_doc"]),
        ({"chunking_tokenizer": "gpt-9"}, ["body", "chunking_tokenizer"]),
        ({"max_tokens": "many"}, ["body", "max_tokens"]),
        ({"target_type": "s3"}, ["body", "target_type"]),
        ({"callbacks": "http://localhost"}, ["body", "callbacks", 0, "url"]),
        ({"convert_page_range": "2-1"}, ["body", "convert_page_range"]),
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


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"chunking_overlap": "3"}, "chunking_overlap"),
        ({"return_as_file": "true"}, "return_as_file"),
        ({"chunking_merge_peers": ["true", "false"]}, "chunking_merge_peers"),
        ({"chunking_max_tokens": "9", "max_tokens": "7"}, "max_tokens"),
        ({"convert_chunking_preset": "default"}, "convert_chunking_preset"),
    ],
)
def test_an_unknown_field_of_a_form_is_ignored(
    client: TestClient, strict: TestClient, fields: dict[str, Any], name: str
) -> None:
    files = [("files", ("rivers.md", TEXT)), ("other", ("rivers.md", TEXT))]
    answer = client.post("/v1/chunk/hybrid/file", files=files, data=fields)
    assert answer.status_code == 200, answer.text
    said = [each["error_message"] for each in answer.json()["documents"][0]["errors"]]
    assert [each.partition(" ")[0] for each in said] == ["other", name]
    answer = strict.post("/v1/chunk/hybrid/file", files=files, data=fields)
    assert _places(answer) == [["body", "other"], ["body", name]]


@pytest.mark.parametrize("prefix", ["chunking_", ""])
def test_a_form_takes_options_of_the_chunker_with_and_without_prefix(
    client: TestClient, prefix: str
) -> None:
    text = b"# Rivers\n\nThe Elbe is a river. So is the Oder, which is shorter."
    fields = {"max_tokens": "12", "merge_peers": "false", "include_raw_text": "true"}
    asked = {f"{prefix}{name}": value for name, value in fields.items()}
    files = {"files": ("rivers.md", text)}
    answer = client.post("/v1/chunk/hybrid/file", files=files, data=asked)
    chunks = answer.json()["chunks"]
    assert len(chunks) > 1
    assert all(chunk["raw_text"] for chunk in chunks)
    assert "warning" not in answer.headers


@pytest.mark.parametrize(
    "said", [["1", "2"], ["[1,2]"], ["1,2"], ["1-2"], ["[1, 2]"], ["(1, 2)"], [" 1 - 2 "]]
)
def test_a_range_of_pages_is_taken_in_any_form(client: TestClient, said: list[str]) -> None:
    files = {"files": ("rivers.pdf", sources.pdf(3))}
    for path, name in (("convert", "page_range"), ("chunk/hierarchical", "convert_page_range")):
        asked: Any = {name: said, "to_formats": '["text", "json"]', "include_converted_doc": "1"}
        found = client.post(f"/v1/{path}/file", files=files, data=asked).json()
        content = (found["document"] if path == "convert" else found["documents"][0]["content"])[
            "json_content"
        ]
        assert set(content["pages"]) == {"1", "2"}
    asked = {"page_range": said if len(said) == 1 else [1, 2]}
    if len(said) == 1:
        asked = {"page_range": said[0]}
    assert client.post(CONVERT, json=_body(options=asked)).status_code == 200


def test_many_unknown_fields_make_no_long_header(client: TestClient) -> None:
    options = {f"{i}{'x' * 5000}": i for i in range(500)}
    for later in ("", "/async"):
        answer = client.post(f"{CONVERT}{later}", json=_body(options=options))
        assert answer.status_code == 200
        assert len(answer.headers["warning"]) < 4000
        assert "and 488 more" in answer.headers["warning"]


def test_a_form_without_files_is_refused(client: TestClient) -> None:
    files = {"file": ("rivers.md", TEXT)}
    assert _places(client.post("/v1/convert/file", files=files)) == [["body", "files"]]
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
    cutter = cutter_of(ConversionJob((), ConvertOptions(), HybridOptions()), models)
    assert cutter is not None
    assert cutter.max_tokens == 256
