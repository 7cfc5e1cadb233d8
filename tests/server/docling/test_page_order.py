"""Headers and footers stand on their pages, and titles of pages are section headers."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pypdfium2", reason="it reads PDF files")
canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="it writes the PDF of this test")

if TYPE_CHECKING:
    from starlette.testclient import TestClient

RUNNING, FOOT = "Journal of Rain, volume 7", "Printed by the river"


def _paper() -> bytes:
    made = io.BytesIO()
    pdf = canvas.Canvas(made, pagesize=(612, 792))
    for page in range(3):
        pdf.setFont("Helvetica", 8)
        pdf.drawString(72, 770, RUNNING)
        pdf.drawString(72, 20, FOOT)
        if page == 0:
            pdf.setFont("Helvetica-Bold", 20)
            pdf.drawString(72, 700, "A History of Rain")
        pdf.setFont("Helvetica", 10)
        for line in range(20):
            pdf.drawString(72, 640 - 13 * line, f"Line {line} of part {page}: it rained all day.")
        pdf.showPage()
    pdf.save()
    return made.getvalue()


def _document(client: TestClient) -> Any:
    files = {"files": ("rain.pdf", _paper())}
    answer = client.post("/v1/convert/file", files=files, data={"to_formats": ["json", "md"]})
    return answer.json()["document"]


def test_a_title_of_a_page_is_a_section_header(client: TestClient) -> None:
    content = _document(client)
    assert content["md_content"].startswith("## A History of Rain\n\n")
    found = [each for each in content["json_content"]["texts"] if "History" in each["text"]]
    assert [(each["label"], each["level"]) for each in found] == [("section_header", 1)]
    files = {"files": ("rain.md", b"# A History of Rain\n\nIt rained.")}
    marked = client.post("/v1/convert/file", files=files).json()["document"]["md_content"]
    assert marked.startswith("# A History of Rain\n\n")


def test_headers_and_footers_stand_on_their_pages(client: TestClient) -> None:
    document = _document(client)["json_content"]
    numbers = [int(each["$ref"].rpartition("/")[2]) for each in document["body"]["children"]]
    texts = [document["texts"][number] for number in numbers]
    pages = [min(place["page_no"] for place in each["prov"]) for each in texts]
    assert pages == sorted(pages)
    for page in (1, 2, 3):
        here = [each for each, of in zip(texts, pages, strict=True) if of == page]
        labels = [each["label"] for each in here]
        assert labels[0] == "page_header"
        assert labels[-1] == "page_footer"
        assert [here[0]["text"], here[-1]["text"]] == [RUNNING, FOOT]
        assert {here[0]["content_layer"], here[-1]["content_layer"]} == {"furniture"}
