"""Routes of the pages over a store: documents, versions, citations, doubtful pages, edits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw

pytest.importorskip("fastapi", reason="the service is made of it")

from starlette.testclient import TestClient  # noqa: TC002 - behind the skip

from tests.server.calls import served

MILL = "# The mill\n\nBuilt in 1743.\n\n## Wheels\n\nIt has two wheels of oak.\n"
RAIN = Path(__file__).parents[2] / "docs" / "pipeline" / "rain.pdf"
LATER = MILL.replace("two wheels", "three wheels")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "kb.db"
    with cw.Store.open(path) as opened:
        opened.add(cw.read(MILL.encode(), name="mill.md"))
        opened.add(cw.read(b"A harbour with ships.", name="harbour.txt"))
        block = next(each for each in opened.blocks("mill.md") if "wheels of oak" in each.text)
        opened.cite(block.id, "two wheels of oak", by="the guide")
        opened.add(cw.read(LATER.encode(), name="mill.md"))
    return path


@pytest.fixture
def client(store: Path) -> Iterator[TestClient]:
    with served(store=str(store)) as client:
        yield client


def got(client: TestClient, path: str, **asked: Any) -> Any:
    answer = client.get(path, params=asked)
    assert answer.is_success, answer.text
    return answer.json()


def test_documents_are_listed_with_their_versions(client: TestClient) -> None:
    answer = got(client, "/v1/store/documents")
    rows = [(row["document"], row["version"], row["n_versions"]) for row in answer["documents"]]
    assert rows == [("mill.md", 2, 2), ("harbour.txt", 1, 1)]
    assert (answer["n_total"], answer["next_offset"], answer["may_edit"]) == (2, None, False)
    first = got(client, "/v1/store/documents", limit=1)
    assert (len(first["documents"]), first["next_offset"]) == (1, 1)
    found = got(client, "/v1/store/documents", contains="HARBOUR")
    assert [row["document"] for row in found["documents"]] == ["harbour.txt"]


def test_a_document_is_shown_with_what_changed(client: TestClient) -> None:
    answer = got(client, "/v1/store/document", document="mill.md", since=1)
    assert answer["version"] == 2
    assert [each["is_current"] for each in answer["versions"]] == [False, True]
    assert answer["view"]["text"] == LATER
    assert len(answer["blocks"]) == len(answer["view"]["chunks"])
    assert answer["view"]["changes"]["chunks"].count("new") == 1
    (citation,) = answer["citations"]
    assert (citation["quote"], citation["by"]) == ("two wheels of oak", "the guide")
    assert citation["status"] == "altered"
    old = got(client, "/v1/store/document", document="mill.md", version=1)
    assert (old["version"], old["view"]["text"]) == (1, MILL)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"document": "milk.md"}, "document"),
        ({"document": "mill.md", "version": 9}, "version"),
        ({"document": "mill.md", "since": 9}, "since"),
    ],
)
def test_what_is_not_there_is_named(client: TestClient, asked: dict[str, Any], field: str) -> None:
    answer = client.get("/v1/store/document", params=asked)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["field"]) == (404, "not_found", field)


def test_pages_that_were_not_read_are_to_be_looked_at(client: TestClient, store: Path) -> None:
    pytest.importorskip("pypdfium2", reason="PDF documents are read by PDFium")
    assert got(client, "/v1/store/review")["pages"] == []
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="needs reportlab")
    from io import BytesIO

    from PIL import Image
    from reportlab.lib.utils import ImageReader

    file = BytesIO()
    drawn = canvas.Canvas(file)
    drawn.drawImage(ImageReader(Image.new("RGB", (500, 700), "#888")), 40, 40, 500, 700)
    drawn.showPage()
    drawn.drawString(72, 700, "A page of words that can be read.")
    drawn.save()
    with cw.Store.open(store) as opened:
        opened.add(cw.read(file.getvalue(), name="half.pdf", ocr="off"))
    answer = got(client, "/v1/store/review")
    assert [(each["document"], each["page"]) for each in answer["pages"]] == [("half.pdf", 1)]
    assert answer["pages"][0]["needs_ocr"]
    shown = got(client, "/v1/store/document", document="half.pdf")
    assert shown["doubts"] == answer["pages"]
    first = got(client, "/v1/store/review", limit=2)
    assert (first["pages"], first["next_offset"]) == ([], 2)


def test_blocks_are_edited_where_the_service_allows_it(client: TestClient, store: Path) -> None:
    shown = got(client, "/v1/store/document", document="mill.md")
    asked = {"block": shown["blocks"][-1]["block"], "text": "It has many wheels."}
    refused = client.post("/v1/store/edit", json=asked)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "read_only")
    with served(store=str(store), allow_edits=True) as writing:
        answer = writing.post("/v1/store/edit", json=asked)
        assert answer.status_code == 200, answer.text
        assert answer.json()["base"] == asked["block"]
        shown = got(writing, "/v1/store/document", document="mill.md")
        assert shown["may_edit"]
        assert shown["blocks"][-1]["origin"] == "manual"
        assert shown["blocks"][-1]["written"] == "It has many wheels."
        gone = writing.post("/v1/store/edit", json={"block": "none", "text": "x"})
        assert (gone.status_code, gone.json()["error"]["field"]) == (404, "block")
        second = shown["blocks"][-1]["block"]
        last = writing.post("/v1/store/edit", json={"block": second, "text": "It has none."}).json()
        for late in (asked["block"], second):
            answer = writing.post("/v1/store/edit", json={"block": late, "text": "It has two."})
            error = answer.json()["error"]
            assert (answer.status_code, error["code"]) == (409, "edited")
            assert last["block"] in error["message"]


def test_a_service_without_a_store_says_so() -> None:
    with served() as client:
        answer = client.get("/v1/store/documents")
        assert (answer.status_code, answer.json()["error"]["code"]) == (501, "no_store")


def test_the_pages_need_no_key_and_their_contents_do(store: Path) -> None:
    with served(store=str(store), keys=("k" * 32,)) as client:
        assert client.get("/store").status_code == 200
        assert client.get("/assets/store.js").status_code == 200
        for path in ("documents", "review", "document?document=mill.md"):
            assert client.get(f"/v1/store/{path}").status_code == 401
        assert client.post("/v1/store/edit", json={"block": "b", "text": "t"}).status_code == 401


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of originals, from which a store was made."""
    pytest.importorskip("pypdfium2", reason="pages are drawn by PDFium")
    folder = tmp_path / "originals"
    folder.mkdir()
    (folder / "rain.pdf").write_bytes(RAIN.read_bytes())
    (folder / "mill.md").write_text(MILL)
    with cw.Store.open(tmp_path / "kb.db") as opened:
        opened.add(folder, root=folder)
        opened.add(cw.read(RAIN.read_bytes(), name="given.pdf"))
    return folder


def drawn(folder: Path, originals: Path | None, document: str = "rain.pdf", **asked: Any) -> Any:
    named = None if originals is None else str(originals)
    with served(store=str(folder.parent / "kb.db"), originals=named) as client:
        answer = got(client, "/v1/store/page", document=document, page=1, **asked)
        has = got(client, "/v1/store/document", document=document)["has_originals"]
    assert has == (originals is not None)
    assert (answer["image"] is None) == (answer["original"] != "same" or document == "mill.md")
    return answer["original"]


def test_a_page_is_drawn_from_the_file_that_was_read(folder: Path, tmp_path: Path) -> None:
    assert drawn(folder, folder) == "same"
    assert drawn(folder, folder, "mill.md") == "same"
    assert drawn(folder, folder, "given.pdf") == "unknown"
    assert drawn(folder, None) == "unknown"
    # The folder may be elsewhere today: the address of the document says where it is below it.
    moved = folder.rename(tmp_path / "elsewhere")
    assert drawn(folder, moved) == "same"


def test_no_other_file_is_shown_as_the_one_that_was_read(folder: Path, tmp_path: Path) -> None:
    (folder / "rain.pdf").write_bytes(RAIN.read_bytes() + b"\n")
    assert drawn(folder, folder) == "changed"
    (folder / "rain.pdf").unlink()
    (tmp_path / "outside.pdf").write_bytes(RAIN.read_bytes())
    (folder / "rain.pdf").symlink_to(tmp_path / "outside.pdf")
    assert drawn(folder, folder) == "missing"


def test_an_earlier_version_is_drawn_only_if_its_content_is_the_same(folder: Path) -> None:
    with cw.Store.open(folder.parent / "kb.db") as opened:
        opened.edit(opened.blocks("rain.pdf")[0].id, "Written by hand.")
        assert [each.version for each in opened.versions("rain.pdf")] == [1, 2]
        assert opened.original("rain.pdf", 1) == opened.original("rain.pdf", 2)
        (folder / "mill.md").write_text(LATER)
        opened.add(folder, root=folder)
        assert opened.original("mill.md") is not None
        assert opened.original("mill.md", 1) is None
    assert drawn(folder, folder, version=1) == "same"
    assert drawn(folder, folder, "mill.md", version=1) == "unknown"
