"""`chunkwright view --html`: one file, for all that view takes."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chunkwright.cli import run
from chunkwright.store import Store
from tests.pages.viewer.opening import NOTES

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Run:
    """Run the command in a folder with documents."""
    for name in ("CHUNKWRIGHT_STORE", "CHUNKWRIGHT_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    rain = Path("docs/pipeline/rain.pdf").read_bytes()
    monkeypatch.chdir(tmp_path)
    Path("notes.md").write_text(NOTES, "utf-8")
    Path("rain.pdf").write_bytes(rain)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(["view", *arguments])
        captured = capfdbinary.readouterr()
        return code, captured.out.decode(), captured.err.decode()

    return call


def view_in(page: str) -> dict[str, Any]:
    held = re.search('id="view-data">(.*?)</script>', page, re.DOTALL)
    assert held is not None
    view: dict[str, Any] = json.loads(held[1])
    return view


def test_a_page_is_written(here: Run) -> None:
    code, out, err = here("notes.md", "--max-chars", "80", "--html", "out.html")
    view = view_in(Path("out.html").read_text("utf-8"))
    assert (code, out) == (0, "")
    assert f"out.html: {view['chunks']['n']} chunks" in err
    assert view["document"]["name"] == "notes.md"
    assert view["limit"] == {"unit": "chars", "most": 80}


def test_nothing_is_replaced_that_nobody_asked_to_replace(here: Run) -> None:
    Path("out.html").write_text("mine")
    code, _, err = here("notes.md", "--html", "out.html")
    assert (code, Path("out.html").read_text()) == (2, "mine")
    assert "--force" in err
    assert here("notes.md", "--html", "out.html", "--force")[0] == 0
    assert Path("out.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_standard_output_gets_the_page_alone(here: Run) -> None:
    code, out, err = here("notes.md", "--html", "-")
    assert (code, err) == (0, "")
    assert out.startswith("<!DOCTYPE html>")
    assert out.rstrip().endswith("</html>")


def test_other_settings_stand_beside(here: Run) -> None:
    arguments = ("notes.md", "--strategy", "hybrid", "--max-tokens", "40", "--html", "-")
    view = view_in(here(*arguments, "--compare", "recursive:max_tokens=24")[1])
    assert view["chunking"]["strategy"] == "hybrid"
    assert view["other"]["chunking"]["strategy"] == "recursive"
    assert view["other"]["limit"]["most"] == 24
    assert "text" not in view["other"]


def test_questions_have_scores_by_words_and_by_vectors(here: Run) -> None:
    arguments = ("notes.md", "--max-chars", "80", "--html", "-", "--question", "Which reactors?")
    (asked,) = view_in(here(*arguments)[1])["questions"]
    assert {score["vectors"] for score in asked["scores"]} == {None}
    both = (*arguments, "--question", "What shone?", "--embedder", "lexical")
    first, second = view_in(here(*both)[1])["questions"]
    assert [first["question"], second["question"]] == ["Which reactors?", "What shone?"]
    assert all(0 <= score["words"] <= 1 for score in first["scores"])
    assert any(score["vectors"] > 0 for score in first["scores"])


def test_pages_of_a_pdf_are_drawn(here: Run) -> None:
    pytest.importorskip("pypdfium2", reason="PDF documents are drawn by PDFium")
    arguments = ("rain.pdf", "--strategy", "hybrid", "--max-tokens", "99", "--html", "-")
    assert {page["image"] for page in view_in(here(*arguments)[1])["pages"]} == {None}
    pages = view_in(here(*arguments, "--pages-as-images", "--pages", "2-3")[1])["pages"]
    assert [page["number"] for page in pages] == [2, 3]
    assert all(page["image"].startswith("data:image/png;base64,") for page in pages)
    code, _, err = here("notes.md", "--html", "-", "--pages-as-images")
    assert code == 1
    assert "only PDF documents" in err


def test_a_document_of_a_store_is_shown_with_what_changed(here: Run) -> None:
    with Store.open("s.db") as store:
        store.add("notes.md")
        Path("notes.md").write_text(NOTES.replace("Monday", "Friday"), "utf-8")
        store.add("notes.md")
        (address,) = [each.uri for each in store.documents()]
    view = view_in(here(address, "--in", "s.db", "--from", "1", "--html", "-")[1])
    assert view["changes"]["from"] == 1
    assert view["changes"]["chunks"].count("new") == 1
    assert len(view["changes"]["chunks"]) == view["chunks"]["n"]
    assert "changes" not in view_in(here(address, "--in", "s.db", "--html", "-")[1])
    assert here("nothing.md", "--in", "s.db", "--html", "-")[0] != 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--compare", "window"], "--compare is shown on a page: say --html OUT"),
        (["--question", "Why?"], "--question is shown on a page"),
        (["--pages-as-images"], "--pages-as-images is shown on a page"),
        (["--in", "s.db"], "--in is shown on a page"),
        (["--html", "-", "--from", "1"], "--from 1 needs --in"),
        (["--html", "-", "--in", "s.db", "--compare", "window"], "--compare needs a file"),
        (["--html", "-", "--question", " "], "--question must be a question"),
        (["--html", "-", "--in", "s.db"], "there is no store s.db"),
        (["--html", "."], "it is a folder"),
        (["--html", "missing/out.html"], "cannot write missing/out.html"),
        (["--html", "-", "--compare", "nope"], "'nope'"),
    ],
)
def test_what_makes_no_sense_is_said(here: Run, arguments: list[str], said: str) -> None:
    code, out, err = here("notes.md", *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_without_jinja_the_extra_is_named(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, _, err = here("notes.md", "--html", "-")
    assert code == 3
    assert "chunkwright[report]" in err


def test_a_file_that_cannot_be_read_is_named(here: Run) -> None:
    code, _, err = here("missing.md", "--html", "-")
    assert code == 1
    assert "missing.md" in err
