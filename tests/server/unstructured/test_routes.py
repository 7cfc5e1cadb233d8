"""Routes of the dialect over HTTP: paths, keys, statuses and the shape of errors."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import pytest

from chunkwright.server import Settings, create_app

from .asking import elements

testclient = pytest.importorskip("starlette.testclient", reason="it asks the application")

KEY = "a key of the service"
GENERAL = "/general/v0/general"
RAIN = b"# Rain\n\nIt rained."


def client_of(settings: Settings) -> Any:
    return testclient.TestClient(create_app(settings), base_url="http://localhost")


@pytest.fixture(scope="module", name="client")
def _client() -> Iterator[Any]:
    with client_of(Settings()) as client:
        yield client


@pytest.fixture(scope="module", name="guarded")
def _guarded() -> Iterator[Any]:
    with client_of(Settings(keys=(KEY,))) as client:
        yield client


@pytest.mark.parametrize("version", ["v0", "v0.0.99", "v1"])
def test_every_version_is_answered_alike(client: Any, version: str) -> None:
    found = client.post(f"/general/{version}/general", files={"files": ("rain.md", RAIN)})
    assert found.status_code == 200
    assert found.headers["content-type"] == "application/json"
    assert found.json() == elements("rain.md", RAIN)


def test_files_and_fields_can_have_names_of_arrays(client: Any) -> None:
    files = [("files[]", ("rain.md", RAIN)), ("files[]", ("rain.md.gz", gzip.compress(RAIN)))]
    found = client.post(GENERAL, files=files, data={"languages[]": ["eng", "deu"]})
    wanted = elements("rain.md", RAIN, languages=["eng", "deu"])
    assert found.json() == [wanted, wanted]


def test_a_file_has_no_folder_in_its_name(client: Any) -> None:
    found = client.post(GENERAL, files={"files": ("../../etc/rain.md", RAIN)})
    assert found.json() == elements("rain.md", RAIN)


def test_a_wrong_value_is_said_as_fastapi_says_it(client: Any) -> None:
    found = client.post(GENERAL, files={"files": ("rain.md", RAIN)}, data={"strategy": "hires"})
    assert found.status_code == 422
    (detail,) = found.json()["detail"]
    assert detail["type"] == "literal_error"
    assert detail["loc"] == ["body", "strategy"]
    assert "did you mean 'hi_res'?" in detail["msg"]


@pytest.mark.parametrize(
    ("files", "headers", "status"),
    [
        ([("rain.json", b"{")], {}, 422),
        ([("photo.gif", b"GIF89a" + bytes(20))], {}, 400),
        ([("rain.md", RAIN), ("rain.md", RAIN)], {"Accept": "image/png"}, 406),
    ],
)
def test_other_errors_are_said_in_one_sentence_or_by_the_files(
    client: Any, files: list[tuple[str, bytes]], headers: dict[str, str], status: int
) -> None:
    found = client.post(GENERAL, files=[("files", each) for each in files], headers=headers)
    assert found.status_code == status
    assert isinstance(found.json()["detail"], str)


def test_a_body_that_is_too_large_is_refused() -> None:
    with client_of(Settings(max_body=1000)) as client:
        found = client.post(GENERAL, files={"files": ("rain.txt", b"rain " * 1000)})
    assert found.status_code == 413
    assert isinstance(found.json()["detail"], str)


def test_only_posts_are_answered(client: Any) -> None:
    found = client.get(GENERAL)
    assert (found.status_code, found.headers["allow"]) == (405, "POST")
    assert found.json() == {"detail": "Only POST requests are supported."}


def test_what_is_ignored_is_said_in_a_header(client: Any) -> None:
    files = {"files": ("rain.md", RAIN), "document": ("snow.md", RAIN)}
    found = client.post(GENERAL, files=files, data={"chunking_strategi": "basic"})
    assert found.json() == elements("rain.md", RAIN)
    assert found.headers["warning"] == (
        "299 - \"unknown field 'chunking_strategi' is ignored; did you mean 'chunking_strategy'?\","
        " 299 - \"the file in the field 'document' is ignored: send it in 'files'\""
    )


def test_the_key_comes_in_the_header_of_the_unstructured_api(guarded: Any) -> None:
    files = {"files": ("rain.md", RAIN)}
    for name in ("unstructured-api-key", "x-api-key"):
        found = guarded.post(GENERAL, files=files, headers={name: KEY})
        assert found.json() == elements("rain.md", RAIN)
    for headers in ({}, {"unstructured-api-key": "another key than that"}):
        found = guarded.post(GENERAL, files=files, headers=headers)
        assert found.status_code == 401
        assert "another key" not in found.text
        assert isinstance(found.json()["detail"], str)


@pytest.mark.parametrize("path", ["/healthcheck", "/general/docs"])
def test_a_check_needs_no_key(guarded: Any, path: str) -> None:
    assert guarded.get(path).status_code == 200


def test_the_form_is_described(client: Any) -> None:
    described = client.get("/openapi.json").json()["paths"]["/general/{version}/general"]
    schema = described["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert {"files", "chunking_strategy", "similarity_threshold"} <= set(schema["properties"])
    assert "get" not in described
