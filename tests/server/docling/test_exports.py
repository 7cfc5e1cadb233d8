"""Formats that docling-core writes, pictures as files, marks between pages, and what is missing."""

from __future__ import annotations

import base64
import io
import json
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("docling_core", reason="docling-core writes these formats")

from docling_core.types.doc.document import DoclingDocument

from chunkwright.errors import MissingExtraError
from tests.support.docling_maker import Maker

from . import sources

if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytestmark = pytest.mark.filterwarnings("ignore")

PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
        "0000000c4944415478da63f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
    )
).decode()


def _pictured() -> bytes:
    maker = Maker()
    maker.heading("Elbe")
    size = {"width": 1, "height": 1}
    uri = f"data:image/png;base64,{PIXEL}"
    maker.picture(image={"mimetype": "image/png", "dpi": 72, "size": size, "uri": uri})
    return json.dumps(maker.document).encode()


def _converted(client: TestClient, name: str, data: bytes, **fields: Any) -> Any:
    answer = client.post("/v1/convert/file", files={"files": (name, data)}, data=fields)
    assert answer.status_code == 200, answer.text
    return answer


def test_yaml_vtt_and_pages_of_html_are_docling_s(client: TestClient) -> None:
    import yaml  # type: ignore[import-untyped]

    fields = {"to_formats": ["json", "yaml", "vtt", "html_split_page"]}
    found = _converted(client, "rivers.pdf", sources.pdf(), **fields)
    content = found.json()["document"]
    document = DoclingDocument.model_validate(content["json_content"])
    assert yaml.safe_load(content["yaml_content"]) == document.export_to_dict()
    assert content["vtt_content"] == document.export_to_vtt()
    assert content["html_split_page_content"] == document.export_to_html(split_page_view=True)
    assert found.json()["errors"] == []
    plain = _converted(client, "rivers.pdf", sources.pdf()).json()["document"]
    assert not {"yaml_content", "vtt_content", "html_split_page_content"} & plain.keys()
    answer = _converted(client, "rivers.pdf", sources.pdf(), **fields, target_type="zip")
    assert sorted(ZipFile(io.BytesIO(answer.content)).namelist()) == [
        "rivers.json",
        "rivers.split_page.html",
        "rivers.vtt",
        "rivers.yaml",
    ]


def test_html_doctags_and_doclang_are_docling_s(client: TestClient) -> None:
    fields = {"to_formats": ["json", "html", "doctags", "doclang"]}
    found = _converted(client, "rivers.html", sources.HTML, **fields).json()["document"]
    document = DoclingDocument.model_validate(found["json_content"])
    assert found["html_content"] == document.export_to_html()
    assert found["html_content"].startswith("<!DOCTYPE html>")
    assert found["doctags_content"] == document.export_to_doctags()
    assert found["doclang_content"] == document.export_to_doclang()


def test_pictures_are_embedded_where_that_is_asked_for(client: TestClient) -> None:
    for mode, is_there in (("embedded", True), ("placeholder", False), ("referenced", False)):
        fields = {"to_formats": ["md", "html"], "image_export_mode": mode}
        found = _converted(client, "rivers.json", _pictured(), **fields).json()["document"]
        for name in ("md_content", "html_content"):
            assert (PIXEL in found[name]) == is_there, (mode, name)


def test_pictures_are_files_of_an_archive(client: TestClient) -> None:
    fields = {
        "to_formats": ["json", "md", "html"],
        "image_export_mode": "referenced",
        "target_type": "zip",
    }
    answer = _converted(client, "rivers.json", _pictured(), **fields)
    assert "warning" not in answer.headers
    archive = ZipFile(io.BytesIO(answer.content))
    (picture,) = [name for name in archive.namelist() if name.startswith("artifacts/")]
    assert archive.read(picture) == base64.b64decode(PIXEL)
    document = DoclingDocument.model_validate_json(archive.read("rivers.json"))
    assert [str(each.image.uri) for each in document.pictures if each.image] == [picture]
    for name in ("rivers.md", "rivers.html"):
        assert picture in archive.read(name).decode()


def test_a_mark_stands_between_pages(client: TestClient) -> None:
    fields = {"md_page_break_placeholder": "<!-- page -->", "to_formats": ["md", "json"]}
    found = _converted(client, "rivers.pdf", sources.pdf(3), **fields).json()["document"]
    parts = found["md_content"].split("\n\n<!-- page -->\n\n")
    assert len(parts) == 3
    assert "<!--" not in "".join(parts)
    plain = _converted(client, "rivers.pdf", sources.pdf(3)).json()["document"]["md_content"]
    assert "\n\n".join(parts) == plain


def test_without_docling_core_the_extra_is_named(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chunkwright.server.dialects.docling import work

    def missing() -> None:
        raise MissingExtraError("writing HTML", "docling")

    monkeypatch.setattr(work, "check_renderer", missing)
    for later in ("", "/async"):
        answer = client.post(
            f"/v1/convert/file{later}",
            files={"files": ("a.md", b"# A")},
            data={"to_formats": ["md", "html"]},
        )
        assert answer.status_code == 501
        assert "chunkwright[docling]" in answer.json()["detail"]
    assert _converted(client, "a.md", b"# A", to_formats=["md", "text"]).json()["errors"] == []


def test_the_first_api_gives_archives(client: TestClient) -> None:
    source = {"filename": "a.md", "base64_string": base64.b64encode(b"# A").decode()}
    asked = {"options": {"return_as_file": True}, "file_sources": [source]}
    answer = client.post("/v1alpha/convert/source", json=asked)
    assert ZipFile(io.BytesIO(answer.content)).namelist() == ["a.md"]
    task = client.post("/v1alpha/convert/source/async", json=asked).json()["task_id"]
    status = client.get(f"/v1alpha/status/poll/{task}", params={"wait": 60}).json()
    assert status["task_status"] == "success"
    assert client.get(f"/v1alpha/result/{task}").content[:2] == b"PK"


def test_results_are_cleared_when_they_are_old_enough(client: TestClient) -> None:
    files = {"files": ("a.md", b"# A")}
    task = client.post("/v1/convert/file/async", files=files).json()["task_id"]
    client.get(f"/v1/status/poll/{task}", params={"wait": 60})
    assert client.get("/v1/clear/results").json() == {"status": "ok"}
    assert client.get(f"/v1/result/{task}").status_code == 200
    assert client.get("/v1/clear/results?older_then=0").json() == {"status": "ok"}
    assert client.get(f"/v1/result/{task}").status_code == 404
    assert client.get("/v1/clear/results?older_then=-1").status_code == 422


@pytest.mark.parametrize(
    ("path", "validator"),
    [
        ("/openapi.json", "OpenAPIV31SpecValidator"),
        ("/openapi-3.0.json", "OpenAPIV30SpecValidator"),
    ],
)
def test_descriptions_are_those_of_their_versions(
    client: TestClient, path: str, validator: str
) -> None:
    openapi = pytest.importorskip("openapi_spec_validator", reason="has the rules of OpenAPI")
    described = client.get(path).json()
    assert list(getattr(openapi, validator)(described).iter_errors()) == []
    # It tells what is wrong.
    described["info"]["summery"] = "wrong"
    assert list(getattr(openapi, validator)(described).iter_errors())


def test_the_older_schema_has_none_of_the_newer_words(client: TestClient) -> None:
    found = client.get("/openapi-3.0.json").json()
    assert found["openapi"] == "3.0.3"
    assert found["paths"].keys() == client.get("/openapi.json").json()["paths"].keys()
    text = json.dumps(found)
    assert '"type": "null"' not in text
    assert '"const"' not in text
    assert client.get("/readyz").json() == {"status": "ok"}
