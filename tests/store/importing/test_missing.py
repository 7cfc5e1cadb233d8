"""What is removed of a store: only documents whose file was looked for and is gone."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.store.importing.report import Report
from chunkwright.store.store import Store
from tests.support.mostly_slow import mostly_slow

NAMES = ("a.md", "b.txt", "c.md", "Ä.txt", "A\u0308.txt", "A.md")
FOLDERS = ("", "one", "one/two", "one/three", "four", "four/one")
CHANGES = [*["write"] * 4, *["delete"] * 3, "move", "empty", "break", "mend"]


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("stores") / "kb.db") as made:
        yield made


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str | Path, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def outcomes(report: Report) -> dict[str, str]:
    return {each.uri: each.outcome for each in report}


def addresses(store: Store) -> list[str]:
    return [each.uri for each in store.documents()]


def test_documents_of_other_folders_are_left(
    store: Store, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a/1.txt", "File one.")
    write("b/2.txt", "File two.")
    store.add(["a", "b"])
    store.add(here / "a")
    monkeypatch.chdir(here / "b")
    store.add(".", remove_missing=True)
    store.add(here / "b", root=here / "b", remove_missing=True)
    assert addresses(store) == ["a/1.txt", "b/2.txt", f"{here.as_posix()}/a/1.txt", "2.txt"]
    Path("2.txt").unlink()
    write("3.txt", "File three.")
    assert sorted(outcomes(store.add(".", remove_missing=True)).items()) == [
        *[("2.txt", "removed"), ("3.txt", "new"), ("b/2.txt", "removed")],
    ]


@pytest.mark.parametrize("kept", ["", "docs/a.md", "docs/more/table.jsonl"])
def test_a_folder_that_is_not_mounted_removes_nothing(store: Store, here: Path, kept: str) -> None:
    write("docs/a.md", "File one.")
    write("docs/more/b.md", "File two.")
    store.add("docs")
    Path("docs").rename("elsewhere")
    (here / "docs/more").mkdir(parents=True)
    if kept:
        write(kept, '{"text": "File three."}')
    report = store.add("docs", remove_missing=True)
    assert addresses(store) == ["docs/a.md", "docs/more/b.md"]
    lost = {"docs/a.md", "docs/more/b.md"} - {kept}
    assert {uri for each in report.left for uri in each.uris} == lost
    assert {each.place for each in report.left} <= {"docs", "docs/more"}
    assert "not found, but left" in str(report)


def test_links_are_looked_for_by_their_own_names(store: Store, here: Path) -> None:
    write("far/a.md", "File one.")
    write("far/b.md", "File two.")
    write("docs/own.md", "File three.")
    (here / "docs/a.md").symlink_to(here / "far/a.md")
    (here / "link").symlink_to(here / "far")
    store.add(["docs", "link"])
    Path("far/b.md").unlink()
    # As they are named: what a link leads to is another name.
    assert not store.add("far", remove_missing=True).of("removed")
    assert outcomes(store.add("link", remove_missing=True))["link/b.md"] == "removed"
    Path("far/a.md").unlink()
    report = store.add(["docs", "link"], remove_missing=True)
    assert outcomes(report)["docs/a.md"] == "failed"
    assert not report.of("removed")
    Path("docs/a.md").unlink()
    assert outcomes(store.add("docs", remove_missing=True))["docs/a.md"] == "removed"


@pytest.mark.parametrize("together", [True, False])
def test_nested_folders_and_single_files_are_looked_for(
    store: Store, here: Path, *, together: bool
) -> None:
    assert here
    for name in ("docs/a.md", "docs/more/b.md", "docs/more/c.md", "other/d.md"):
        write(name, f"File {name}.")
    for sources in ("docs/a.md", "docs", "docs/more", "other/d.md"):
        store.add(sources)
    Path("docs/a.md").unlink()
    Path("docs/more/b.md").unlink()
    Path("other/d.md").unlink()
    folders = ["docs/more", "docs"]
    reports = [
        store.add(each, remove_missing=True) for each in ([folders] if together else folders)
    ]
    removed = [each.uri for report in reports for each in report.of("removed")]
    assert sorted(removed) == ["docs/a.md", "docs/more/b.md"]
    assert "other/d.md" in addresses(store)


def test_a_file_that_cannot_be_looked_for_is_left(store: Store, here: Path) -> None:
    name = os.fsdecode(b"docs/\xff.md")
    write(name, "File one.")
    write("docs/a.md", "File two.")
    store.add(["docs"])
    (here / name).unlink()
    assert not store.add("docs", remove_missing=True).of("removed")


def test_tables_in_folders_are_there(store: Store, here: Path) -> None:
    assert here
    write("t/r.jsonl", '{"text": "Row one."}\n{"text": "Row two."}\n')
    store.add("t/r.jsonl")
    write("t/other.txt", "A file.")
    store.add("t", remove_missing=True)
    assert addresses(store) == ["t/r.jsonl:1", "t/r.jsonl:2", "t/other.txt"]
    Path("t/r.jsonl").unlink()
    assert outcomes(store.add("t", remove_missing=True)) == {
        "t/other.txt": "unchanged",
        "t/r.jsonl:1": "removed",
        "t/r.jsonl:2": "removed",
    }


def test_rows_that_a_table_has_no_more_are_removed(store: Store, here: Path) -> None:
    assert here

    def table(*ids: str) -> None:
        write("r.jsonl", "".join(json.dumps({"id": each, "text": each}) + "\n" for each in ids))

    by_id: dict[str, Any] = {"reading": {"id_column": "id"}, "remove_missing": True}
    table("one", "two", "three")
    store.add("r.jsonl")
    store.add("r.jsonl", **by_id)
    table("two")
    assert outcomes(store.add("r.jsonl", **by_id)) == {
        "two": "unchanged",
        "one": "removed",
        "three": "removed",
    }
    # Those that have numbers were not looked for.
    assert addresses(store) == ["r.jsonl:1", "r.jsonl:2", "r.jsonl:3", "two"]
    table()
    assert [each.why for each in store.add("r.jsonl", **by_id).left] == ["it has no rows"]
    write("r.jsonl", '{"id": "one", "text": "one"}\n{"id": ')
    store.add("r.jsonl", **by_id)
    assert "two" in addresses(store)


def test_documents_made_by_hand_are_left(store: Store, here: Path) -> None:
    assert here
    write("docs/a.md", "File a. It says something.")
    own = cw.Recursive(max_tokens=50, tokenizer=lambda text: len(text.split()))
    store.add(cw.Document(text="Made by hand.", name="docs/made-by-hand"), strategy=own)
    store.add(own(cw.Document(text="Cut by hand.", name="docs/cut-by-hand")))
    for _ in range(2):
        store.add("docs", strategy=own, remove_missing=True)
    assert addresses(store) == ["docs/made-by-hand", "docs/cut-by-hand", "docs/a.md"]


def test_documents_are_not_removed_before_somebody_is_asked(store: Store, here: Path) -> None:
    assert here
    for name in ("a", "b", "c"):
        write(f"docs/{name}.md", f"File {name}.")
    store.add("docs")
    Path("docs/a.md").unlink()
    asked: list[list[str]] = []

    def refuse(uris: Any) -> bool:
        asked.append(uris)
        return False

    assert store.add("docs", remove_missing=True, dry_run=True).of("removed")
    assert not store.add("docs", remove_missing=refuse).of("removed")
    assert (asked, len(addresses(store))) == ([["docs/a.md"]], 3)
    assert store.add("docs", remove_missing=lambda uris: len(uris) == 1).of("removed")


def test_a_renamed_file_keeps_blocks_and_citations(store: Store, here: Path) -> None:
    assert here
    write("docs/v1.md", "# Mill\n\nThe mill has two wheels.")
    write("docs/other.md", "Another file.")
    store.add("docs")
    block = store.blocks("docs/v1.md")[0].id
    citation = store.cite(block, "two wheels")
    Path("docs/v1.md").rename("docs/v2.md")
    planned = store.add("docs", remove_missing=True, dry_run=True)
    assert outcomes(planned) == {"docs/other.md": "unchanged", "docs/v2.md": "renamed"}
    report = store.add("docs", remove_missing=True)
    assert outcomes(report) == outcomes(planned)
    assert report.of("renamed")[0].renamed_from == "docs/v1.md"
    assert [each.id for each in store.blocks("docs/v2.md")] == [block]
    found = store.resolve(citation)
    assert (found.status, found.place and found.place.document) == ("same", "docs/v2.md")
    # A new file by the old name has blocks of its own, even with an old text.
    write("docs/v1.md", "# Mill\n\nThe mill has two wheels.")
    assert outcomes(store.add("docs", remove_missing=True))["docs/v1.md"] == "new"
    assert store.blocks("docs/v1.md")[0].id != block
    write("docs/v2.md", "# Mill\n\nThe mill has two wheels.\n\n# Roof\n\nIt is new.")
    (changed,) = store.add("docs").of("changed")
    assert (changed.kept, len(changed.new)) == ([block], 1)


def test_what_may_be_renamed_is_said_and_left_where_it_is_not_clear(
    store: Store, here: Path
) -> None:
    assert here
    for name in ("a", "b"):
        write(f"docs/{name}.md", "The same text.")
    store.add("docs")
    Path("docs/a.md").unlink()
    Path("docs/b.md").rename("docs/c.md")
    (new,) = store.add("docs", dry_run=True).of("new")
    assert (new.uri, list(new.same_bytes)) == ("docs/c.md", ["docs/a.md", "docs/b.md"])
    report = store.add("docs", remove_missing=True)
    assert outcomes(report) == {
        "docs/c.md": "new",
        "docs/a.md": "removed",
        "docs/b.md": "removed",
    }


def test_a_renamed_file_of_another_kind_is_read_anew(store: Store, here: Path) -> None:
    assert here
    write("docs/a.md", "# Mill\n\nThe mill has two wheels.")
    store.add("docs")
    Path("docs/a.md").rename("docs/a.txt")
    (found,) = store.add("docs", remove_missing=True)
    assert (found.outcome, found.version) == ("renamed", 2)
    assert store.document("docs/a.txt").elements is None


class Tree:
    """A tree of files that changes at random, and what the store may have lost by it."""

    def __init__(self, root: Path, random: Random) -> None:
        self.root, self.random = root, random
        self.broken: set[str] = set()
        self.files: dict[str, str] = {}
        self.n = 0

    def change(self) -> None:
        folder = self.root / self.random.choice(FOLDERS)
        path = folder / self.random.choice(NAMES)
        how = self.random.choice(
            ["write"] * 4 + ["delete"] * 3 + ["move", "empty", "break", "mend"]
        )
        if how == "write":
            self.n += 1
            write(path, f"File {self.n if self.random.random() < 0.8 else 0}.")
        elif how == "delete":
            path.unlink(missing_ok=True)
        elif how == "move" and path.exists():
            path.rename(folder / f"moved-{self.n}.md")
        elif how == "empty" and folder.is_dir():
            folder.rename(self.root.parent / f"unmounted-{self.random.random()}")
            folder.mkdir(parents=True)
        elif how == "break":
            self.broken.add(str(folder))
        elif how == "mend":
            self.broken.clear()

    def may_go(self, file: str, folder: Path) -> bool:
        """Return whether a file is gone for certain, and was looked for in a folder."""
        path = Path(file)
        if folder not in path.parents or os.path.lexists(path):
            return False
        broken = [Path(each) for each in self.broken]
        if any(folder in [each, *each.parents] and each.is_dir() for each in broken):
            return False
        parent = next(each for each in path.parents if each.is_dir())
        is_read = any(each.suffix in {".md", ".txt"} for each in folder.rglob("*"))
        return is_read and any(parent.iterdir())


def _imports(seed: int, tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    tree = Tree(tmp_path / f"tree-{seed}", random)
    tree.root.mkdir()
    scan = os.scandir

    def scandir(path: Any) -> Any:
        if str(Path(path).resolve()) in tree.broken:
            raise OSError(errno.EIO, "Input/output error", path)
        return scan(path)

    files: dict[str, str] = {}
    with Store.open(target) as store, monkeypatch.context() as patched:
        store.add(cw.Document(text="By hand.", name="one/by-hand.md"))
        for _ in range(12):
            for _ in range(random.randrange(1, 8)):
                tree.change()
            folder = tree.root / random.choice(FOLDERS)
            if not folder.is_dir():
                continue
            cwd = tree.root / random.choice(
                [each for each in FOLDERS if (tree.root / each).is_dir()]
            )
            patched.chdir(cwd)
            source = random.choice([str(folder), os.path.relpath(folder)])
            root = random.choice([None, tree.root, folder])
            removes = random.random() < 0.7
            patched.setattr(os, "scandir", scandir)
            may_go = {uri for uri, file in files.items() if tree.may_go(file, folder)}
            report = store.add(source, root=root, remove_missing=removes)
            patched.setattr(os, "scandir", scan)
            removed = {each.uri for each in report.of("removed")}
            renamed = {each.renamed_from for each in report.of("renamed")}
            there = {each.uri for each in report if each.outcome not in {"removed", "failed"}}
            assert removed | renamed == (may_go - there if removes else set()), (seed, source, root)
            for uri in there:
                named = tree.root if root == tree.root else folder if root else cwd
                files[uri] = os.path.normpath(named / uri)
            for gone in removed | renamed:
                files.pop(str(gone))
            assert set(addresses(store)) == {*files, "one/by-hand.md"}
            assert Counter(addresses(store)).most_common(1)[0][1] == 1


@pytest.mark.parametrize("seed", mostly_slow(range(40), quick=12))
def test_only_what_is_gone_is_removed(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _imports(seed, tmp_path, str(tmp_path / "kb.db"), monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 2100, 50))
def test_only_what_is_gone_is_removed_of_many_trees(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(first, first + 50):
        # What is left of a case is removed at once: of all of them it would be half a gigabyte.
        with TemporaryDirectory(dir=tmp_path) as folder:
            _imports(seed, Path(folder), f"{folder}/kb.db", monkeypatch)


@pytest.mark.parametrize("seed", range(3))
def test_only_what_is_gone_is_removed_on_a_server(
    seed: int, tmp_path: Path, schema_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _imports(seed, tmp_path, schema_address, monkeypatch)
