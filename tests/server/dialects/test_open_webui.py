"""Open WebUI's external loader, asked as ``ExternalDocumentLoader`` of Open WebUI asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

import chunkwright as cw
from tests.server.docling.sources import pdf

from .conftest import KEY

if TYPE_CHECKING:
    from starlette.testclient import TestClient

TEXT = "# Mill\n\n" + "\n\n".join(f"## Part {n}\n\n" + f"Wheel {n} turns. " * 30 for n in range(6))


def load(
    client: TestClient,
    data: bytes,
    name: str,
    mime: str | None = "text/markdown",
    base: str = "",
) -> Any:
    """Send a file as the loader does, and return the answer."""
    headers = {"Authorization": f"Bearer {KEY}", "X-Filename": quote(name)}
    if mime is not None:
        headers["Content-Type"] = mime
    headers |= {"X-OpenWebUI-User-Name": "Ada", "X-OpenWebUI-User-Id": "1"}
    return client.put(f"{base}/process", content=data, headers=headers)


def test_a_file_is_one_document_in_markdown(client: TestClient) -> None:
    (row,) = load(client, TEXT.encode(), "7f3a_mühle 1.md").json()
    assert row == {"page_content": TEXT, "metadata": {"source": "7f3a_mühle 1.md"}}
    page = b"<html><body><h1>Mill</h1><ul><li>Wheels</ul></body></html>"
    (row,) = load(client, page, "mill.html", "text/html").json()
    assert row["page_content"] == "# Mill\n\n- Wheels\n"


def test_a_file_is_a_document_of_each_chunk(client: TestClient) -> None:
    rows = load(client, TEXT.encode(), "mill.md", base="/hybrid/128").json()
    chunks = cw.chunk(cw.read(TEXT.encode(), name="mill.md"), "hybrid", max_tokens=128)
    assert [row["page_content"] for row in rows] == chunks.texts()
    assert len(rows) > 5
    assert rows[1]["metadata"] == {
        "source": "mill.md",
        "start_index": chunks[1].start,
        "headings": " > ".join(chunks[1].headings),
    }


def test_pages_are_counted_from_0(client: TestClient) -> None:
    pytest.importorskip("pypdfium2", reason="needs the extra pdf")
    pytest.importorskip("reportlab", reason="writes the file")
    rows = load(client, pdf(n_pages=2), "a.pdf", "application/pdf", "/by_page/64").json()
    assert [row["metadata"]["page"] for row in rows] == [0, 1]
    assert "says page 1" in rows[0]["page_content"]


@pytest.mark.parametrize("data", [b"", b"  \n "])
def test_by_these_words_open_webui_reads_the_file_itself(client: TestClient, data: bytes) -> None:
    answer = load(client, data, "empty.md")
    assert answer.status_code == 422
    assert "No extractable text" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("data", "name", "base", "status", "said"),
    [
        (b"%PDF-1.7 broken", "a.pdf", "", 422, "a.pdf"),
        (b"x", "a.md", "/hybird/100", 422, "did you mean 'hybrid'?"),
        (b"x", "a.md", "/llm/100", 422, "asks a language model"),
        (b"x", "a.md", "/hybrid/0", 422, "max_tokens"),
        (b"x", "a.md", "/hybrid/99999999999", 422, "max_tokens"),
    ],
)
def test_errors_are_in_the_field_that_open_webui_shows(  # noqa: PLR0913, PLR0917 - cases
    client: TestClient, data: bytes, name: str, base: str, status: int, said: str
) -> None:
    answer = load(client, data, name, base=base)
    assert answer.status_code == status
    assert said in answer.json()["detail"]


def test_names_have_no_folders(client: TestClient) -> None:
    (row,) = load(client, b"Text.", "../../etc/passwd").json()
    assert row["metadata"] == {"source": "passwd"}
    (row,) = load(client, b"Text.", "", None).json()
    assert row["metadata"] == {}


def test_a_key_is_needed(client: TestClient) -> None:
    answer = client.put("/process", content=b"x", headers={"Authorization": "Bearer no"})
    assert answer.status_code == 401
    assert answer.json() == {"detail": "the key is not one of the service's"}
