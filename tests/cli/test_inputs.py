"""What is read of folders and globs: each thing once, and nothing that is waited for."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from chunkwright.io import finding
from chunkwright.io.finding import find
from chunkwright.messages.terminal_text import UNPRINTABLE
from tests.support.odd_folders import Odd, make, odd_folders, unlock

from .commandline import COMMAND, Run

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs the files of POSIX")


@pytest.fixture
def deep(folder: Path) -> Iterator[Path]:
    """A folder that is deeper than Python may recurse, with a text at its end."""
    inner = "deep"
    for _ in range(1800):
        (folder / inner).mkdir()
        inner += "/d"
    (folder / inner).mkdir()
    (folder / inner / "end.txt").write_text("The end.")
    yield folder / "deep"
    # Python's own way to remove it recurses.
    subprocess.run(["rm", "-rf", folder / "deep"], check=True)


def names(*patterns: str) -> list[str]:
    return [source.name for source in find(patterns)]


def test_a_loop_of_links_is_read_once(here: Run) -> None:
    Path("docs/loop").symlink_to(".")
    Path("docs/deep/up").symlink_to("../..")
    Path("docs/deep/away").symlink_to("../deep")
    texts = ["docs/deep/notes.txt", "docs/guide.md"]
    assert names("docs/**/*.*") == [*texts, "docs/picture.png"]
    assert names("docs/**/*") == [*texts, "docs/picture.png"]
    assert names("docs/**") == [*texts, "docs/picture.png"]
    assert names("./**/*.txt") == ["./docs/deep/notes.txt"]
    assert names("**/deep/**/*.txt") == ["docs/deep/notes.txt"]
    assert sorted(names("docs")) == texts
    result = here("chunk", "docs/**/*.md", "docs/**/*.txt")
    assert {row["document"] for row in result.rows} == {"deep/notes.txt", "guide.md"}


def test_many_links_to_all_folders_end(folder: Path) -> None:
    # All paths through them would be more than there are atoms.
    for i in range(40):
        (folder / "docs" / f"n{i}").mkdir()
        for j in range(40):
            (folder / "docs" / f"n{i}" / f"l{j}").symlink_to(f"../n{j}")
    assert names("docs/**/*.txt") == ["docs/deep/notes.txt"]
    assert names("docs/**/**/**/*.txt") == ["docs/deep/notes.txt"]


def test_a_link_out_of_the_folder_is_followed_by_stars(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "more.txt").write_text("more")
    (folder / "docs" / "link").symlink_to("../other")
    assert names("docs/**/*.txt") == ["docs/deep/notes.txt", "docs/link/more.txt"]
    assert names("docs/**/link") == ["docs/link/more.txt"]
    # The folder's own name goes before that of a link to it.
    assert names("**/more.txt") == ["other/more.txt"]
    assert "docs/link/more.txt" not in names("docs")


@pytest.mark.parametrize("pattern", ["**/*.txt", "docs/**/*.txt", "/{}/docs/**/*.txt", "**/n*.t?t"])
def test_stars_match_as_globs_do(folder: Path, pattern: str) -> None:
    pattern = pattern.format(str(folder).lstrip("/"))
    found = [path for path in map(Path, names(pattern)) if path.is_file()]
    start = Path("/") if pattern.startswith("/") else Path()
    assert found == [
        path
        for path in sorted(start.glob(pattern.lstrip("/")))
        if not any(part.startswith(".") for part in path.parts)
    ]


def test_pipes_and_sockets_in_a_folder_are_not_waited_for(here: Run) -> None:
    make(Odd("fifo"), Path("docs/pipe.txt"))
    make(Odd("socket"), Path("docs/socket.txt"))
    Path("docs/device.txt").symlink_to("/dev/zero")
    for path in ("docs", "docs/*.[tm]*", "docs/**/*.*"):
        result = here("chunk", path, "--encoding", "latin-1")
        assert result.code == 0
        assert {Path(row["document"]).name for row in result.rows} <= {
            *("guide.md", "notes.txt", "picture.png"),
        }
    result = here("chunk", "docs/p*.txt")
    assert (result.code, result.err) == (1, "Failed: docs/p*.txt: no file matches\n")


def test_a_pipe_that_is_named_is_read(folder: Path) -> None:
    make(Odd("fifo"), folder / "pipe.txt")
    reader = subprocess.Popen([*COMMAND, "chunk", "pipe.txt"], cwd=folder, stdout=subprocess.PIPE)
    (folder / "pipe.txt").write_text("from a pipe")
    assert json.loads(reader.communicate(timeout=60)[0])["text"] == "from a pipe"


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_output_of_a_process_is_read(folder: Path) -> None:
    script = f"{sys.executable} -m chunkwright chunk <(echo words) | cat"
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, check=True)
    assert json.loads(done.stdout)["text"] == "words"


def test_a_link_to_nothing_fails_by_its_name(here: Run) -> None:
    Path("docs/gone.txt").symlink_to("nowhere")
    Path("docs/itself.txt").symlink_to("itself.txt")
    result = here("chunk", "docs", "--quiet")
    assert result.code == 1
    assert result.err.splitlines() == [
        "Failed: docs/gone.txt: No such file or directory",
        "Failed: docs/itself.txt: Too many levels of symbolic links",
    ]


@pytest.mark.usefixtures("deep")
def test_depth_is_no_matter(here: Run) -> None:
    for path in ("deep", "deep/**/*.txt", "deep/**"):
        (row,) = here("chunk", path).rows
        assert row["text"] == "The end."


@pytest.mark.parametrize("pattern", ["docs", "docs/**/*.txt"])
def test_a_folder_that_vanishes_ends_nothing(
    here: Run, pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = finding._read

    def vanishing(path: str, problems: list[OSError]) -> finding.Folder | None:
        found = read(path, problems)
        shutil.rmtree("docs/deep", ignore_errors=True)
        return found

    monkeypatch.setattr(finding, "_read", vanishing)
    Path("docs/a.txt").write_text("first")
    result = here("chunk", pattern)
    assert {row["document"] for row in result.rows} <= {"a.txt", "guide.md"}
    if pattern == "docs":
        assert result.err == "Failed: docs/deep: No such file or directory\n"


def test_a_file_that_vanishes_is_named(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find(["docs"])
    monkeypatch.setattr(sys.modules["chunkwright.cli.writing"], "find", lambda *_: found)
    Path("docs/guide.md").unlink()
    result = here("chunk", "docs")
    assert result.err == "Failed: docs/guide.md: No such file or directory\n"
    assert {row["document"] for row in result.rows} == {"deep/notes.txt"}


@given(odd=odd_folders())
def test_any_folder_is_read_to_its_end(here: Run, tmp_path: Path, odd: Odd) -> None:
    # Links up lead into a folder that holds nothing else.
    root = tmp_path / "up" / "up" / "odd"
    root.parent.mkdir(parents=True, exist_ok=True)
    make(odd, root)
    try:
        check_any_folder(here)
    finally:
        unlock(root)
        shutil.rmtree(root)


def check_any_folder(here: Run) -> None:
    sources = find(["up/up/odd/**/*"])
    places = [(os.path.realpath(Path(s.name).parent), Path(s.name).name) for s in sources]
    assert len(set(places)) == len(places)
    for arguments in (
        ["chunk", "up/up/odd"],
        ["chunk", "up/up/odd/**/*"],
        ["count", "up/up/odd", "up/up/odd/**/*.txt"],
    ):
        result = here(*arguments)
        failures = result.err.splitlines()
        assert result.code == (1 if failures else 0)
        assert all(line.startswith("Failed: ") for line in failures)
        assert not any(map(UNPRINTABLE.search, failures))
        if arguments[0] == "chunk":
            assert all(row["text"] == "Some words." for row in result.rows)
            assert len(result.rows) == len({row["chunk_id"] for row in result.rows})


@pytest.mark.parametrize("address", ["https://example.org/a.html", "http://a/b?c=[d]*", "s3://a/b"])
@pytest.mark.parametrize("command", ["chunk", "count", "view"])
def test_an_address_is_no_file(here: Run, command: str, address: str) -> None:
    done = here(command, address)
    said = (
        "addresses are not read: download it, say with curl -O, and name the file; or pipe it to -"
    )
    assert (done.code, done.out) == (1, "" if command != "count" else done.out)
    assert done.err == f"Failed: {address}: {said}\n"
