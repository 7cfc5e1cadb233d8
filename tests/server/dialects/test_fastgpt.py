"""FastGPT's custom parser, asked as ``parseFromCustomService`` of FastGPT asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import chunkwright as cw
from tests.server.docling.sources import pdf

from .test_open_webui import TEXT

if TYPE_CHECKING:
    from starlette.testclient import TestClient

# Where ``splitText2Chunks`` of FastGPT cuts a text before all else.
SIGN = "-----CUSTOM_SPLIT_SIGN-----"


def parse(client: TestClient, data: bytes, name: str, query: str = "") -> Any:
    """Send a form with one file, and return the answer."""
    return client.post(f"/fastgpt/parse{query}", files={"file": (name, data)})


def test_a_file_is_markdown_with_its_number_of_pages(client: TestClient) -> None:
    assert parse(client, TEXT.encode(), "file.md").json() == {"pages": 1, "markdown": TEXT}
    page = b"<html><body><h1>Mill</h1><ul><li>Wheels</ul></body></html>"
    assert parse(client, page, "file.html").json()["markdown"] == "# Mill\n\n- Wheels\n"


def test_pages_of_a_pdf_are_counted(client: TestClient) -> None:
    pytest.importorskip("pypdfium2", reason="needs the extra pdf")
    pytest.importorskip("reportlab", reason="writes the file")
    answer = parse(client, pdf(n_pages=2), "file.pdf").json()
    assert answer["pages"] == 2
    assert "says page 1" in answer["markdown"]


def test_fastgpt_cuts_where_the_strategy_did(client: TestClient) -> None:
    answer = parse(client, TEXT.encode(), "file.md", "?strategy=hybrid&max_tokens=128").json()
    parts = [part.strip() for part in answer["markdown"].split(SIGN)]
    chunks = cw.chunk(cw.read(TEXT.encode(), name="file.md"), "hybrid", max_tokens=128)
    assert parts == [text.strip() for text in chunks.texts()]
    assert len(parts) > 5


@pytest.mark.parametrize(
    ("data", "name", "query", "status", "said"),
    [
        (b"%PDF-1.7 broken", "file.pdf", "", 422, "file.pdf"),
        (b" ", "file.md", "", 422, "No extractable text"),
        (b"x", "file.md", "?strategy=hybird", 422, "did you mean 'hybrid'?"),
        (b"x", "file.md", "?strategy=hybrid&max_tokens=0", 422, "max_tokens"),
    ],
)
def test_errors_are_in_the_field_that_fastgpt_reads(  # noqa: PLR0913, PLR0917 - cases
    client: TestClient, data: bytes, name: str, query: str, status: int, said: str
) -> None:
    answer = parse(client, data, name, query)
    assert answer.status_code == status
    assert said in answer.json()["error"]


def test_a_form_with_one_file_is_needed(client: TestClient) -> None:
    two = [("file", ("a.md", b"a")), ("file", ("b.md", b"b"))]
    assert client.post("/fastgpt/parse", files=two).status_code == 422
    assert client.post("/fastgpt/parse", content=b"x").status_code == 415
