"""Conversions: formats, archives, chunks beside them, and what tasks tell."""

from __future__ import annotations

import base64
import io
import json
from typing import Any
from zipfile import ZipFile

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from chunkwright import OcrWord
from chunkwright.readers.ocr.words import OcrEngine
from chunkwright.server import Settings, create_app
from chunkwright.server.dialects.docling.ignored import Ignored
from chunkwright.server.dialects.docling.jobs import Callback, ConversionJob, Source, unpacked_job
from chunkwright.server.dialects.docling.options import ConvertOptions, HybridOptions
from tests.readers.pdf.drawing import Sheets, scanned

from . import sources


def _convert(client: TestClient, files: Any, **fields: Any) -> Any:
    answer = client.post("/v1/convert/file", files=files, data=fields)
    assert answer.status_code == 200, answer.text
    return answer


def test_markdown_comes_back_as_markdown(client: TestClient) -> None:
    found = _convert(client, {"files": ("rivers.md", sources.MARKDOWN)}).json()
    assert found["status"] == "success"
    text = found["document"]["md_content"]
    assert text.startswith(
        "# Rivers\n\nThe *Elbe* is a river.\n\n## Lengths\n\n- Elbe\n    - Saale"
    )
    assert "| Elbe | 1094 |" in text
    assert "```python\nlength = 1094\n```" in text
    assert found["document"]["text_content"] is None


def test_each_format_that_is_asked_for_is_there(client: TestClient) -> None:
    files = {"files": ("rivers.html", sources.HTML)}
    found = _convert(client, files, to_formats=["text", "json"]).json()["document"]
    assert found["md_content"] is None
    assert found["text_content"].startswith("Rivers\n\n")
    assert found["json_content"]["schema_name"] == "DoclingDocument"


def test_code_with_ticks_is_fenced_by_more_of_them(client: TestClient) -> None:
    html = b"<pre>```\nticks\n```</pre>"
    text = _convert(client, {"files": ("a.html", html)}).json()["document"]["md_content"]
    assert text.startswith("````\n```\nticks")


def test_chunks_stand_beside_the_document(client: TestClient) -> None:
    fields = {
        "to_formats": ["md", "chunks"],
        "chunking_options": json.dumps({"chunker": "hierarchical", "include_raw_text": True}),
    }
    files = {"files": ("rivers.md", sources.MARKDOWN)}
    found = _convert(client, files, **fields).json()
    plain = client.post(
        "/v1/chunk/hierarchical/file", files=files, data={"chunking_include_raw_text": "true"}
    ).json()
    assert found["chunks"] == plain["chunks"]
    assert found["document"]["md_content"]


def test_presets_name_chunkers(client: TestClient) -> None:
    files = {"files": ("rivers.md", sources.MARKDOWN)}
    counts = {}
    for preset in ("default", "minilm_l6", "hierarchical"):
        fields = {"to_formats": ["chunks"], "chunking_preset": preset}
        counts[preset] = [
            chunk["num_tokens"] for chunk in _convert(client, files, **fields).json()["chunks"]
        ]
    assert counts["default"] == counts["minilm_l6"]
    assert set(counts["hierarchical"]) == {None}


def test_several_documents_come_as_an_archive_that_loses_none(client: TestClient) -> None:
    files = [
        ("files", ("a.md", b"# One")),
        ("files", ("a.md", b"# Two")),
        ("files", ("b.csv", sources.CSV)),
        ("files", ("c.md", b"\x89PNG\r\n\x1a\n")),
    ]
    answer = _convert(client, files, to_formats=["md", "chunks"])
    assert answer.headers["content-type"] == "application/zip"
    assert 'filename="converted_docs.zip"' in answer.headers["content-disposition"]
    archive = ZipFile(io.BytesIO(answer.content))
    assert set(archive.namelist()) == {
        "errors.json",
        *(f"{stem}{suffix}" for stem in ("a", "a_2", "b") for suffix in (".md", ".chunks.jsonl")),
    }
    assert [each["filename"] for each in json.loads(archive.read("errors.json"))] == ["c.md"]
    assert archive.read("a_2.md") == b"# Two"


def test_an_archive_of_nothing_is_a_problem(client: TestClient) -> None:
    files = {"files": ("c.md", b"\x89PNG\r\n\x1a\n")}
    answer = client.post("/v1/convert/file", files=files, data={"target_type": "zip"})
    assert answer.status_code == 422


def test_an_archive_of_chunks_has_all_of_the_answer(client: TestClient) -> None:
    files = {"files": ("rivers.md", sources.MARKDOWN)}
    fields = {"target_type": "zip", "chunking_max_tokens": "40"}
    answer = client.post("/v1/chunk/hybrid/file", files=files, data=fields)
    archive = ZipFile(io.BytesIO(answer.content))
    assert archive.namelist() == ["chunked_result.json"]
    found = json.loads(archive.read("chunked_result.json"))
    plain = client.post("/v1/chunk/hybrid/file", files=files, data={"chunking_max_tokens": "40"})
    assert found["chunks"] == plain.json()["chunks"]
    assert found["chunking_info"]["max_tokens"] == 40
    assert found["kind"] == "ChunkedDocumentResponse"


def test_a_task_of_another_or_of_nobody_is_not_found(client: TestClient) -> None:
    for name in ("nothing", "0b0ee6a4-8f5c-4f4f-9f5e-0d6c1a3b2c1d"):
        for path in ("status/poll", "result"):
            answer = client.get(f"/v1/{path}/{name}")
            assert answer.status_code == 404
            assert answer.json() == {"detail": "Task not found."}


def test_a_task_of_one_key_is_not_shown_to_another() -> None:
    keys = ("the first key of two", "the second key of two")
    with TestClient(create_app(Settings(keys=keys)), base_url="http://localhost") as client:
        files = {"files": ("a.md", b"# One\n\ntext")}
        first, second = ({"X-Api-Key": key} for key in keys)
        path = "/v1/chunk/hierarchical/file/async"
        assert client.post(path, files=files).status_code == 401
        task = client.post(path, files=files, headers=first).json()["task_id"]
        status = client.get(f"/v1/status/poll/{task}?wait=60", headers=first)
        assert status.json()["task_status"] == "success"
        assert client.get(f"/v1/result/{task}", headers=second).status_code == 404
        assert client.get(f"/v1/result/{task}", headers=first).status_code == 200


@pytest.mark.parametrize("wait", ["-1", "nan", "inf", "soon"])
def test_a_wait_that_is_none_is_refused(client: TestClient, wait: str) -> None:
    answer = client.get("/v1/status/poll/x", params={"wait": wait})
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"][-1] == "wait"


def test_more_chunks_than_allowed_are_a_problem() -> None:
    app = create_app(Settings(max_chunks=3))
    with TestClient(app, base_url="http://localhost") as client:
        files = {"files": ("rivers.md", sources.MARKDOWN)}
        answer = client.post("/v1/chunk/hierarchical/file", files=files)
        assert answer.status_code == 413
        assert "3 chunks" in answer.json()["detail"]


_NAMES = st.text(min_size=1, max_size=20)


@given(
    st.lists(
        st.builds(Source, _NAMES, st.binary(max_size=50), st.none() | st.just("http://a/b")),
        max_size=4,
    ),
    st.sampled_from([None, HybridOptions(max_tokens=7)]),
    st.booleans(),
)
def test_a_job_is_the_same_when_it_is_unpacked(
    given_sources: list[Source], chunker: HybridOptions | None, include: bool
) -> None:
    options = ConvertOptions(to_formats=["md", "chunks"], page_range=(2, 7))
    job = ConversionJob(
        tuple(given_sources),
        options,
        chunker,
        include,
        "put",
        put_url="http://a/b",
        callbacks=(Callback("http://c", {"X": "y"}),),
        ignored=(Ignored(("a", 0), "code", "why"),),
        options_at="options.",
    )
    assert unpacked_job(job.packed()) == job


def test_a_document_that_takes_longer_than_it_may_is_a_failure(client: TestClient) -> None:
    files = {"files": ("rivers.md", sources.MARKDOWN)}
    found = _convert(client, files, document_timeout="0.0000001").json()
    assert found["status"] == "failure"
    assert "document_timeout" in found["errors"][0]["error_message"]
    assert found["document"]["md_content"] is None


def test_the_time_of_the_service_ends_a_request_with_504() -> None:
    app = create_app(Settings(timeout=0))
    with TestClient(app, base_url="http://localhost") as client:
        files = {"files": ("rivers.md", sources.MARKDOWN)}
        answer = client.post("/v1/chunk/hierarchical/file", files=files)
        assert answer.status_code == 504
        assert isinstance(answer.json()["detail"], str)


def test_routes_describe_their_bodies(client: TestClient) -> None:
    described = client.get("/openapi.json").json()["paths"]
    asked = described["/v1/chunk/hybrid/source"]["post"]["requestBody"]["content"]
    options = asked["application/json"]["schema"]["properties"]["chunking_options"]
    assert "max_tokens" in options["properties"]
    form = described["/v1/chunk/hybrid/file/async"]["post"]["requestBody"]["content"]
    fields = form["multipart/form-data"]["schema"]["properties"]
    assert {"files", "chunking_max_tokens", "convert_page_range"} <= set(fields)
    assert "$defs" not in json.dumps([asked, form])


def _half_scanned() -> bytes:
    sheets = Sheets()
    sheets.line(72, 100, "It rained all day.")
    sheets.next()
    scanned(sheets)
    return sheets.data()


@pytest.mark.parametrize(("do_ocr", "status"), [(None, "partial_success"), ("false", "success")])
def test_pages_that_are_not_read_are_no_success(
    client: TestClient, do_ocr: str | None, status: str
) -> None:
    files = {"files": ("half.pdf", _half_scanned())}
    fields = {} if do_ocr is None else {"do_ocr": do_ocr}
    converted = _convert(client, files, **fields).json()
    assert converted["document"]["md_content"].strip() == "It rained all day."
    chunked = client.post(
        "/v1/chunk/hierarchical/file",
        files=files,
        data={f"convert_{k}": v for k, v in fields.items()},
    ).json()
    for found in (converted, chunked["documents"][0]):
        assert found["status"] == status
        pages = [(error["page_no"], error["error_message"]) for error in found["errors"]]
        said = "half.pdf: the text of page 2 is in a picture: it needs OCR"
        assert pages == ([] if do_ocr else [(2, said)])
    answer = _convert(client, files, target_type="zip", **fields)
    with ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["half.md"] + ([] if do_ocr else ["errors.json"])
        if not do_ocr:
            (wrong,) = json.loads(archive.read("errors.json"))
            assert (wrong["filename"], wrong["status"]) == ("half.pdf", status)
            assert [each["error_message"] for each in wrong["errors"]] == [said]


def test_pages_are_recognised_as_the_options_say(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def engine(languages: tuple[str, ...]) -> OcrEngine:
        asked.append(languages)
        # What stands on each page would be a page header.
        said = iter(("Sleet", "Hail"))
        return lambda _picture: [OcrWord(next(said), (10, 10, 80, 30), 0.9)]

    monkeypatch.setattr("chunkwright.readers.ocr.engines.is_installed", lambda: True)
    monkeypatch.setattr("chunkwright.readers.ocr.rapid.engine", engine)
    files = {"files": ("half.pdf", _half_scanned())}
    for fields, said in (
        ({}, ["It rained all day.", "Sleet"]),
        ({"force_ocr": "true", "ocr_lang": ["en"]}, ["Sleet", "Hail"]),
        ({"do_ocr": "false", "force_ocr": "true"}, ["It rained all day."]),
    ):
        found = _convert(client, files, **fields).json()
        assert found["status"] == "success"
        paragraphs = found["document"]["md_content"].split("\n\n")
        assert [each.lstrip("# ") for each in paragraphs] == said
    assert asked == [(), ("eng",)]


def test_an_engine_that_is_not_there_is_replaced_and_named(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.readers.ocr.engines.is_installed", lambda: True)
    monkeypatch.setattr(
        "chunkwright.readers.ocr.rapid.engine",
        lambda _languages: lambda _picture: [OcrWord("Sleet", (10, 10, 80, 30), 0.9)],
    )
    monkeypatch.setattr("shutil.which", lambda _name: None)
    files = {"files": ("half.pdf", _half_scanned())}
    for engine, said in (("easyocr", "'easyocr' is not there"), ("tesseract", "no command")):
        fields: Any = {"ocr_engine": engine, "ocr_lang": ["english"]}
        answer = client.post("/v1/convert/file", files=files, data=fields)
        found = answer.json()
        assert found["status"] == "success", found
        assert "Sleet" in found["document"]["md_content"]
        (error,) = found["errors"]
        assert said in error["error_message"]
        assert said in answer.headers["warning"]


def test_a_language_that_is_not_there_leaves_the_pages_without_it(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.readers.ocr.engines.is_installed", lambda: True)
    files = {"files": ("half.pdf", _half_scanned())}
    fields: Any = {"ocr_lang": ["russian"]}
    found = _convert(client, files, **fields).json()
    assert found["status"] == "partial_success"
    assert found["document"]["md_content"].strip() == "It rained all day."
    assert [error["page_no"] for error in found["errors"]] == [2, None]
    assert "'rus'" in found["errors"][1]["error_message"]


def test_our_own_route_warns_of_pages_that_are_not_read(client: TestClient) -> None:
    data = base64.b64encode(_half_scanned()).decode()
    asked = {"data": data, "name": "half.pdf", "chunking": {"strategy": "hybrid"}}
    answer = client.post("/v1/chunk", json=asked)
    assert answer.status_code == 200
    assert answer.headers["warning"].startswith(
        '299 - "half.pdf: the text of page 2 is in pictures'
    )
