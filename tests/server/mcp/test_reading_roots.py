"""Folders that requests may name files in: no path leads out of them."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.server.problems import Problem
from chunkwright.server.reading_roots import Roots
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA

from .asking import ask
from .conftest import MILL, SECRET, MakeService, report

hostile = load()
MOST = 1_000_000

OUTSIDE = [
    "../outside/secret.md",
    "more/../../outside/secret.md",
    "link.md",
    "linked/secret.md",
    ".hidden.md",
    "more/../.hidden.md",
    "mill.md/x",
    "more",
    "//mill.md",
    "\udcff.txt",
    "mill.md\0",
    "",
    ".",
    "..",
    "x" * 300,
    "a/" * 3000 + "b",
    "~/.ssh/id",
    "%2e%2e%2foutside%2fsecret.md",
    "..\\outside\\secret.md",
]


def refusal(roots: Roots, path: str) -> Problem:
    with pytest.raises(Problem) as caught:
        roots.read(path, MOST)
    return caught.value


def test_files_below_are_read_through_links_that_stay(root: Path) -> None:
    roots = Roots([str(root)])
    assert roots.read("mill.md", MOST) == MILL.encode()
    assert roots.read("./more//long.md", MOST) == report(7).encode()
    assert roots.read("alias.md", MOST) == MILL.encode()


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_leads_out_is_refused_as_what_is_not_there(root: Path, path: str) -> None:
    roots = Roots([str(root)])
    problem = refusal(roots, path)
    assert (problem.status, problem.code) == (404, "not_found")
    assert str(root.parent) not in problem.message
    assert SECRET not in problem.message


def test_absolute_paths_are_refused_whether_they_are_there_or_not(root: Path) -> None:
    roots = Roots([str(root)])
    there = root.parent / "outside" / "secret.md"
    said = [
        refusal(roots, str(path)).message.replace(path.name, "NAME")
        for path in (there, there.with_name("nothing.md"), root / "mill.md")
    ]
    assert said[0] == said[1]
    assert "in the folders that may be read" in said[2]


def test_outside_and_nothing_have_the_same_answer(root: Path) -> None:
    roots = Roots([str(root)])
    there, nothing = (refusal(roots, f"../outside/{name}.md") for name in ("secret", "nosuch"))
    assert there.message.replace("secret", "nosuch") == nothing.message
    assert (there.status, there.code, there.field) == (404, "not_found", "path")


@pytest.mark.shared
@pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA)
def test_hostile_paths_are_all_refused(root: Path, make_service: MakeService) -> None:
    service = make_service(None, root)
    known = {each.path for each in service.roots.files()}
    for case in hostile.cases(kind="path"):
        name = case.make(1.0)["name"]
        assert name not in known
        problem = refusal(service.roots, name)
        assert problem.status == 404, case.name
        try:
            name.encode()
        except UnicodeEncodeError:
            # No JSON says it.
            continue
        for tool, field in (("read_file", "path"), ("list_files", "folder")):
            if tool == "list_files" and name in {"", "."}:
                continue
            answer = ask(service, tool, **{field: name})
            assert answer.is_error, (case.name, tool)
            assert "root:" not in answer.text
            assert str(root.parent) not in answer.text


def test_large_files_are_refused_unread(root: Path) -> None:
    roots = Roots([str(root)])
    with pytest.raises(Problem, match="larger than 10 bytes") as caught:
        roots.read("mill.md", 10)
    assert caught.value.status == 413
    assert roots.read("mill.md", len(MILL.encode())) == MILL.encode()


@pytest.mark.skipif(sys.platform == "win32", reason="no such things there")
def test_pipes_and_sockets_are_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(root / "socket.md"))
        roots = Roots([str(root)])
        for name in ("pipe.md", "socket.md"):
            assert refusal(roots, name).status == 404
        assert "pipe.md" not in {each.path for each in roots.files()}


def test_a_link_that_takes_a_folders_place_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chunkwright.server import reading_roots

    roots = Roots([str(root)])
    resolved = reading_roots._resolved
    outside = root.parent / "outside"
    (outside / "long.md").write_text(SECRET)

    def swapped(*given: Any) -> Any:
        found = resolved(*given)
        (root / "more").rename(root / "less")
        (root / "more").symlink_to(outside)
        return found

    monkeypatch.setattr(reading_roots, "_resolved", swapped)
    assert refusal(roots, "more/long.md").status == 404


def test_files_are_listed_without_hidden_ones_and_links(root: Path) -> None:
    (root / "image.png").write_bytes(b"\x89PNG")
    files = Roots([str(root)]).files()
    assert [each.path for each in files] == ["mill.md", "more/long.md"]
    assert files[0].n_bytes == len(MILL.encode())
    assert [each.path for each in Roots([str(root)]).files("more/")] == ["more/long.md"]


def test_every_listed_file_is_read_of_one_root_or_of_several(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mill.md").write_text("another")
    for given in ([root], [root, other]):
        roots = Roots([str(each) for each in given])
        for listed in roots.files():
            assert len(roots.read(listed.path, MOST)) == listed.n_bytes
    assert roots.read("other/mill.md", MOST) == b"another"
    assert [each.path for each in roots.files("other")] == ["other/mill.md"]
    assert refusal(roots, "mill.md").status == 404


def test_roots_that_are_none_are_refused(root: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="roots must be folders"):
        Roots([str(root / "mill.md")])
    (tmp_path / "x" / "docs").mkdir(parents=True)
    with pytest.raises(ConfigError, match="two of the roots are called 'docs'"):
        Roots([str(root), str(tmp_path / "x" / "docs")])


def test_without_roots_it_is_said_how_there_are_some() -> None:
    for call in (lambda: Roots([]).read("a.md", MOST), lambda: Roots([]).files()):
        with pytest.raises(Problem, match="--root") as caught:
            call()
        assert caught.value.status == 403


def test_a_wrong_name_is_answered_with_the_nearest_one(
    root: Path, make_service: MakeService
) -> None:
    service = make_service(None, root)
    assert "did you mean 'more/long.md'?" in ask(service, "read_file", path="long.md").text
    assert "secret" not in ask(service, "read_file", path="secre.md").text.replace("secre.md", "")


def test_files_are_read_and_imported_by_their_names(
    root: Path, written: Path, make_service: MakeService
) -> None:
    service = make_service(written, root, is_writing=True)
    assert ask(service, "read_file", path="mill.md").value["text"] == MILL
    first, again = (ask(service, "import_file", path="more/long.md").value for _ in range(2))
    assert (first["document"], first["outcome"]) == ("more/long.md", "new")
    assert (again["outcome"], again["version"]) == ("unchanged", 1)
    found = ask(service, "search", query="Harbour 7", k=1).value
    assert found["hits"][0]["document"] == "more/long.md"
    (root / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    broken = ask(service, "import_file", path="broken.pdf")
    assert broken.is_error
    assert str(root) not in broken.text


def test_an_imported_file_keeps_the_address_that_it_was_indexed_by(
    root: Path, written: Path, make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = root.parent / "other" / "docs"
    other.mkdir(parents=True)
    (other / "alike.md").write_text("# Another one")
    (root / "alike.md").write_text("# This one")
    monkeypatch.chdir(root.parent)
    with cw.Store.open(written) as store:
        store.add(Path("docs/more/long.md"))
        monkeypatch.chdir(other.parent)
        store.add(Path("docs/alike.md"))
    monkeypatch.chdir(root)
    (root / "more" / "long.md").write_text("# Shorter")
    service = make_service(written, root, is_writing=True)
    changed = ask(service, "import_file", path="more/long.md").value
    assert (changed["document"], changed["version"]) == ("docs/more/long.md", 2)
    # The store has a file of that name that another folder has.
    assert ask(service, "import_file", path="alike.md").value["document"] == "alike.md"
