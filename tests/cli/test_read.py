"""`chunkwright read`: what is read of a document, as a table, JSON lines or Markdown."""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import OptionName
from chunkwright.readers import kinds

from .commandline import Run

# Opens the file that is encrypted.
KEY = "open"
PAGE = (
    "<h1>A|b</h1><p>One <b>two</b>.<ul><li>x<ul><li>y</ul></ul><p>Go:<table><tr><th>a<th>b"
    "<tr><td colspan=2>1|2</table><pre class=language-py>x = 1\n```</pre><blockquote>q</blockquote>"
)
MARKDOWN = r"""# A|b

One two.

- x
    - y

Go:

| a | b |
|---|---|
| 1\|2 |  |

````py
x = 1
```
````

> q
"""


def made_pdf(
    data: bytes, *, name: str | None, pages: str | None = None, password: Any = None
) -> Any:
    """Read a file of the format that the tests make up: a paragraph and a footer for each page."""
    if password != KEY:
        raise cw.ReadError("it is encrypted: give its password, ", OptionName("password", ...))
    said = data.decode().split("\n")[1:]
    first, last = (1, len(said)) if pages is None else map(int, pages.split("-"))
    numbers = range(first, last + 1)
    texts = [("paragraph", n, said[n - 1]) for n in numbers]
    texts += [("page footer", n, f"Page {n}") for n in numbers]
    text, items = "", []
    for kind, page, words in texts:
        start = len(text) + (2 if text else 0)
        text += ("\n\n" if text else "") + words
        box = cw.Box(page, 72.4, 90, 200, 110.6, 595, 842)
        own = {"pages": (page,), "boxes": [box], "confidence": 0.875}
        items.append({"kind": kind, "start": start, "end": len(text), **own})
    elements = cw.elements_at(text, items, n_body=len(numbers))
    return cw.Document(elements=elements, name=name)


@pytest.fixture
def report(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a kind whose files hold no text, and a reader of that kind."""
    module = ModuleType("chunkwright.readers.made_up")
    module.read_made = made_pdf  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    kind = kinds.Kind("pdf", (".pdf",), "made_up:read_made")
    monkeypatch.setitem(kinds.FILES, "pdf", kind)
    path = folder / "docs" / "report.pdf"
    path.write_bytes(b"%PDF-1.7\nIt rained.\nIt poured.\nIt shone.")
    return path


# ---------------------------------------------------------------------- forms


def test_json_lines_where_nobody_looks(here: Run) -> None:
    Path("x.html").write_text(PAGE)
    done = here("read", "x.html")
    document = cw.read("x.html")
    assert document.elements is not None
    assert done.code == 0
    for row, element in zip(done.rows, document.elements, strict=True):
        shown = (row["index"], row["kind"], row["level"], row["text"], row["start"], row["end"])
        own = (element.index, element.kind, element.level, element.text, element.start, element.end)
        assert shown == own
        assert (row["line_start"], row["line_end"]) == element.lines
        assert tuple(row["headings"]) == element.headings
        assert row["parent"] == (None if element.parent is None else element.parent.index)
    assert [row["language"] for row in done.rows if row["kind"] == "code"] == ["py"]
    assert done == here("read", "x.html", "--format", "jsonl")


def test_markdown_of_what_is_none(here: Run) -> None:
    Path("x.html").write_text(PAGE)
    done = here("read", "x.html", "--format", "markdown")
    assert (done.code, done.out) == (0, MARKDOWN + "\n")
    again = cw.read_markdown(done.out)
    first = cw.read("x.html")
    assert again.elements is not None
    assert first.elements is not None
    kinds_of = [
        [each.kind for each in elements if each.kind != "list"]
        for elements in (again.elements, first.elements)
    ]
    assert kinds_of[0] == kinds_of[1]


def test_markdown_and_plain_text_stay_as_they_are(here: Run) -> None:
    text = "# A  *b*\n\n[c]: d\n\n[bold] text\n"
    for name in ("x.md", "x.txt"):
        Path(name).write_text(text)
        assert here("read", name, "--format", "markdown").out == text + "\n"
    [row] = here("read", "x.txt").rows
    assert row == {"index": 0, "kind": "paragraph", "text": text, "start": 0, "end": len(text)}
    shown = here("read", "x.txt", "--format", "table").out
    assert "x.txt: 0 elements, " in shown
    assert "# A *b* [c]: d [bold] text" in shown


def test_a_table_on_a_terminal(on_terminal: Run) -> None:
    Path("x.html").write_text(PAGE + f"<p>{'word ' * 100}")
    out = on_terminal("read", "x.html").out
    assert "x.html: 11 elements, " in out
    assert "heading 1" in out
    assert "…" in out
    assert "confidence" not in out


def test_what_no_form_has_is_an_error(here: Run) -> None:
    done = here("read", "docs/guide.md", "--format", "yaml")
    assert (done.code, done.out) == (2, "")
    assert "--format" in done.err
    missing = here("read", "nowhere.md")
    assert (missing.code, missing.out) == (1, "")
    assert "nowhere.md: No such file" in missing.err
    kind = here("read", "docs/guide.md", "--input-format", "text")
    assert [row["kind"] for row in kind.rows] == ["paragraph"]


def test_lone_surrogates_are_escaped(here: Run) -> None:
    Path("x.txt").write_bytes(b"a\xff")
    done = here("read", "x.txt", "--encoding", "utf-8", "--errors", "surrogateescape")
    assert json.loads(done.out)["text"] == "a\udcff"


# ---------------------------------------------------------------------- files with pages


def test_pages_and_password_reach_the_reader(here: Run, report: Path) -> None:
    options = ("--password", "open")
    rows = here("read", report, *options, "--pages", "2-3").rows
    assert [(row["kind"], row["text"], row["pages"], row["in_body"]) for row in rows] == [
        ("paragraph", "It poured.", [2], True),
        ("paragraph", "It shone.", [3], True),
        ("page footer", "Page 2", [2], False),
        ("page footer", "Page 3", [3], False),
    ]
    edges = {"left": 72.4, "top": 90, "right": 200, "bottom": 110.6}
    assert rows[0]["boxes"] == [{"page": 2, **edges, "width": 595, "height": 842}]
    assert rows[0]["confidence"] == 0.875
    table = here("read", report, *options, "--format", "table").out
    assert all(each in table for each in ("page footer", "72,90 200,111", "0.88", "It poured."))
    markdown = here("read", report, *options, "--format", "markdown").out
    assert markdown == "It rained.\n\nIt poured.\n\nIt shone.\n\n"


def test_a_file_without_pages_has_none_to_choose_from(here: Run, report: Path) -> None:
    done = here("read", "docs/guide.md", "--pages", "2")
    assert (done.code, done.out) == (1, "")
    assert "docs/guide.md: it is read as markdown, which has no pages to select" in done.err
    # A password is offered to all.
    assert here("read", "docs/guide.md", "--password", "open").code == 0
    locked = here("read", report)
    assert locked.code == 1
    assert "report.pdf: it is encrypted: give its password, --password" in locked.err
    with pytest.raises(cw.ReadError, match="has no pages to select"):
        cw.read(b"a,b\n", kind="csv", pages="1-2")
    options: list[dict[str, Any]] = [{"pages": "1"}, {"password": KEY}, {"attachments": True}]
    options.append({"hidden": True})
    for option in options:
        with pytest.raises(cw.ConfigError, match="is for bytes and files, got Document"):
            cw.read(cw.Document(text="a"), **option)


def test_all_commands_read_such_files(
    here: Run, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKWRIGHT_PASSWORD", "open")
    document = cw.read(report, password=KEY, name="report.pdf")
    chunks = cw.chunk(document, "recursive", max_tokens=4)
    rows = here("chunk", report, "--max-tokens", "4").rows
    assert [row["text"] for row in rows] == chunks.texts()
    assert [row["pages"] for row in rows] == [[1], [2], [3]]
    assert here("chunk", report, "--pages", "1-1").rows[0]["text"] == "It rained."
    names = {row["document"] for row in here("chunk", "docs").rows}
    assert names == {"guide.md", "deep/notes.txt", "report.pdf"}
    assert "page 2" in here("view", report, "--max-tokens", "4").out
    assert here("read", report, "--input-format", "pdf").code == 0
    # It counts files as they stand.
    counted = here("count", report)
    assert counted.code == 1
    assert "this is a PDF" in counted.err


def test_a_real_file_tells_pages_and_confidence(here: Run, shared: Path) -> None:
    pytest.importorskip("pypdfium2")
    path = shared / "data" / "office" / "multi_page.pdf"
    document = cw.read(path)
    table = here("read", path, "--format", "table").out
    assert f"{len(document.pages)} pages, confidence {document.confidence:.2f}" in table
    rows = here("read", path, "--pages", "2").rows
    assert {page for row in rows for page in row["pages"]} == {2}
    for pages in ("99", "2-1", "x"):
        done = here("read", path, "--pages", pages)
        assert (done.code, done.out) == (1, "")
        assert "page" in done.err
    assert "--pages must be" in here("read", path, "--pages", "x").err


def test_markdown_marks_the_items_of_a_pdf(here: Run) -> None:
    path = Path(__file__).parents[2] / "docs/pipeline/rain.pdf"
    said = here("read", path, "--format", "markdown").out
    assert "\n- Trees and walls stand at least twice as far away" in said
    assert "\u2022" not in said
