"""Multipart bodies: what is cut off, misspelt or of another kind is refused, and not left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from tests.server.calls import served

if TYPE_CHECKING:
    from starlette.testclient import TestClient

GENERAL = "/general/v0/general"
PART = (
    b'--b\r\nContent-Disposition: form-data; name="files"; filename="rain.txt"\r\n'
    b"Content-Type: text/plain\r\n\r\nIt rained.\r\n"
)
FORM = "multipart/form-data; boundary=b"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served() as found:
        yield found


def answer(client: TestClient, body: bytes, form: str = FORM) -> tuple[int, str]:
    found = client.post(GENERAL, content=body, headers={"content-type": form})
    return found.status_code, found.text


@pytest.mark.parametrize("end", [b"--b--", b"--b--\r\n", b"--b--\r\nepilogue --b"])
def test_a_body_with_an_end_is_read(client: TestClient, end: bytes) -> None:
    status, said = answer(client, PART + end)
    assert (status, said.count("It rained.")) == (200, 1)


@pytest.mark.parametrize(
    "body", [b"", PART, PART[:-20], PART + PART, PART + PART[:-20], PART + b"--b", PART + b"--b-"]
)
def test_a_body_that_is_cut_off_is_refused(client: TestClient, body: bytes) -> None:
    status, said = answer(client, body)
    assert (status, "it is cut off before its last boundary" in said) == (400, True)


@pytest.mark.parametrize(
    "form", ["multipart/form-dataX; boundary=b", "multipart/mixed; boundary=b", "text/plain", ""]
)
def test_a_body_of_another_kind_is_refused(client: TestClient, form: str) -> None:
    assert answer(client, PART + b"--b--", form)[0] == 415


def test_a_body_of_no_boundary_says_so(client: TestClient) -> None:
    status, said = answer(client, PART + b"--b--", "multipart/form-data")
    assert (status, "Missing boundary" in said) == (400, True)
