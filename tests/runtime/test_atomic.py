"""Files that are there whole or not at all, whatever ends their writer."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chunkwright.errors import ConfigError
from chunkwright.files import atomic
from chunkwright.files.atomic import TEMPORARY, replacing

fcntl = pytest.importorskip("fcntl", reason="locks of files are those of POSIX")

WRITER = """
import sys
from pathlib import Path
from chunkwright.files.atomic import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    sys.stdin.readline()
    file.write(b" and half")
"""


@pytest.fixture
def writer(tmp_path: Path) -> subprocess.Popen[str]:
    """A process that has begun to write `out`, and goes on after a line of input."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "out")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(path: Path, data: bytes = b"data") -> None:
    atomic._clean.cache_clear()
    with replacing(path) as file:
        file.write(data)


def test_what_a_killed_writer_left_is_removed_by_the_next(
    writer: subprocess.Popen[str], tmp_path: Path
) -> None:
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    (left,) = names(tmp_path)
    assert TEMPORARY.fullmatch(left)
    write(tmp_path / "other")
    assert names(tmp_path) == ["other"]


def test_what_is_being_written_is_left_alone(writer: subprocess.Popen[str], tmp_path: Path) -> None:
    for _ in range(3):
        write(tmp_path / "other")
    assert len(names(tmp_path)) == 2
    writer.communicate("\n")
    assert writer.returncode == 0
    assert (tmp_path / "out").read_bytes() == b"half and half"
    assert names(tmp_path) == ["other", "out"]


def test_nothing_else_is_removed(tmp_path: Path) -> None:
    like = ".x.0123456789abcdef.chunkwright-tmp"
    others = [".x.jsonl.1-ab.tmp", f"x{like}", f"{like}2", ".x.chunkwright-tmp"]
    for name in others:
        (tmp_path / name).touch()
    # None of them is a file that a writer has made, and the first would be waited for.
    os.mkfifo(tmp_path / like.replace("x", "fifo"))
    (tmp_path / like.replace("x", "folder")).mkdir()
    (tmp_path / like.replace("x", "link")).symlink_to("elsewhere")
    before = names(tmp_path)
    write(tmp_path / "out")
    assert names(tmp_path) == sorted([*before, "out"])


def test_many_writers_in_one_folder_lose_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: write(tmp_path / f"{i % 50}", b"x" * i), range(400)))
    assert names(tmp_path) == sorted(map(str, range(50)))


@pytest.mark.parametrize("name", ["é" * 120, "x" * 255, "日" * 85, os.fsdecode(b"\xff" * 250)])
def test_a_name_may_be_as_long_as_the_file_system_lets_it(tmp_path: Path, name: str) -> None:
    assert len(os.fsencode(name)) >= 240
    write(tmp_path / name)
    write(tmp_path / name, b"again")
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_bytes() == b"again"


@pytest.mark.parametrize("name", ["x" * 256, "none/x", "loop", "file/x", "."])
def test_a_place_that_cannot_be_written_is_named_first(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    before = names(tmp_path)
    with pytest.raises(ConfigError, match=r"^cannot write .*: "), replacing(tmp_path / name):
        pytest.fail("it was opened")
    assert names(tmp_path) == before


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    write(tmp_path / "out", b"old")
    with pytest.raises(TypeError), replacing(tmp_path / "out") as file:
        file.writelines([b"new", None])  # type: ignore[list-item]
    assert (tmp_path / "out").read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


def test_a_file_system_without_locks_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(95, "Operation not supported")

    (tmp_path / ".x.0123456789abcdef.chunkwright-tmp").touch()
    monkeypatch.setattr(atomic, "_lock", refuse)
    write(tmp_path / "out")
    # Whether somebody writes the other one cannot be known.
    assert len(names(tmp_path)) == 2
