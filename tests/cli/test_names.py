"""Names of documents, and so ids: the same wherever and however a path was typed."""

import os
from pathlib import Path

import pytest

from chunkwright.io.finding import find

from .commandline import Run


def said(here: Run, *arguments: str) -> list[tuple[str, str]]:
    result = here("chunk", *arguments)
    assert (result.code, result.err) == (0, "")
    return [(row["document"], row["chunk_id"]) for row in result.rows]


def test_ids_do_not_depend_on_how_a_path_is_typed(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = Path("docs").absolute()
    rows = said(here, "docs/guide.md")
    assert {name for name, _ in rows} == {"guide.md"}
    assert rows == said(here, "./docs/guide.md")
    assert rows == said(here, str(docs / "guide.md"))
    assert rows == said(here, "docs/*.md")
    assert rows == [row for row in said(here, "docs") if row[0] == "guide.md"]
    assert said(here, "docs") == said(here, "./docs/") == said(here, f"{docs}")
    assert sorted(said(here, "docs")) == sorted(said(here, "docs/**/*.md", "docs/**/*.txt"))
    monkeypatch.chdir("docs")
    assert rows == said(here, "guide.md")
    assert rows == said(here, "../docs/./guide.md")
    assert {name for name, _ in said(here, ".")} == {"guide.md", "deep/notes.txt"}


def test_the_widest_folder_names_a_file_that_is_named_twice(here: Run) -> None:
    for paths in (("docs", "docs/deep/notes.txt"), ("docs/deep/notes.txt", "docs")):
        assert {name for name, _ in said(here, *paths)} == {"guide.md", "deep/notes.txt"}
    absolute = str(Path("docs/guide.md").absolute())
    assert len(find(["docs/guide.md", absolute, "docs/../docs/guide.md"])) == 1


def test_equal_names_are_told_apart(here: Run) -> None:
    for folder in ("old/a", "new/a", "other"):
        Path(folder).mkdir(parents=True)
        Path(folder, "x.txt").write_text("Rain.")
    Path("other/y.txt").write_text("Rain.")
    rows = said(here, "old/a", "new/a", "other")
    assert [name for name, _ in rows] == ["old/a/x.txt", "new/a/x.txt", "other/x.txt", "y.txt"]
    assert len({id_ for _, id_ in rows}) == 4
    assert rows[:2] == said(here, "old/a/x.txt", "new/a/x.txt")
    assert [name for name, _ in said(here, "old", "new")] == ["old/a/x.txt", "new/a/x.txt"]


def test_equal_names_up_to_the_root() -> None:
    sources = find(["/proc/self/status", "/proc/self/task", "/proc/1/status"])
    named = {source.name: source.document for source in sources if source.problem is None}
    assert named["/proc/self/status"] == "self/status"
    assert named["/proc/1/status"] == "1/status"


def test_a_root_is_what_names_are_relative_to(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = str(Path("docs").absolute())
    rows = said(here, "docs")
    assert rows == said(here, "docs/guide.md", "docs/deep", "--root", "docs")
    assert [name for name, _ in said(here, "docs", "--root", ".")] == [
        f"docs/{name}" for name, _ in rows
    ]
    monkeypatch.setenv("CHUNKWRIGHT_ROOT", root)
    monkeypatch.chdir("docs/deep")
    assert said(here, "notes.txt") == [row for row in rows if row[0] == "deep/notes.txt"]


def test_a_root_with_links(here: Run) -> None:
    Path("link").symlink_to("docs")
    for paths in (("docs/guide.md", "--root", "link"), ("link/guide.md", "--root", "docs")):
        assert {name for name, _ in said(here, *paths)} == {"guide.md"}


def test_a_root_that_makes_no_sense(here: Run) -> None:
    result = here("chunk", "docs/guide.md", "--root", "docs/deep")
    assert result.code == 2
    assert "--root 'docs/deep' does not hold 'docs/guide.md'" in " ".join(result.err.split())
    result = here("chunk", "docs", "--root", "none")
    assert result.code == 2
    assert "--root must be a folder, got 'none'" in " ".join(result.err.split())


def test_what_fails_is_named_by_its_path(here: Run) -> None:
    Path("docs/deep/bad.txt").write_bytes(b"\xff\x01")
    result = here("chunk", "docs", "none.txt")
    assert "Failed: docs/deep/bad.txt: not valid utf-8" in result.err
    assert "Failed: none.txt: no such file or folder" in result.err
    assert here("chunk", "docs/guide.md", "--dry-run").out == f"docs{os.sep}guide.md\n"


def test_rows_of_tables_are_named_after_their_file(here: Run) -> None:
    Path("docs/rows.jsonl").write_text('{"text": "Rain."}\n')
    assert [name for name, _ in said(here, "docs/rows.jsonl")] == ["rows.jsonl:1"]
