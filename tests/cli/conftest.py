"""What the command-line tests share: a folder of documents and ways to run the command."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from chunkwright.cli import run
from tests.support import postgres_server

from .commandline import COMMAND, GUIDE, NOTES, Result, Run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with documents in it, and no settings around it."""
    for name in [name for name in os.environ if _is_ours(name)]:
        monkeypatch.delenv(name)
    # It would hide rows that are held back.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    # pytest-xdist sets the width of a terminal that is not there.
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("CHUNKWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    (tmp_path / "docs" / ".hidden").mkdir()
    (tmp_path / "docs" / "guide.md").write_bytes(GUIDE.encode())
    (tmp_path / "docs" / "deep" / "notes.txt").write_bytes(NOTES.encode())
    (tmp_path / "docs" / "picture.png").write_bytes(b"\x89PNG\r\n")
    (tmp_path / "docs" / ".hidden" / "secret.txt").write_text("secret")
    (tmp_path / "docs" / ".env.txt").write_text("secret")
    return tmp_path


@pytest.fixture
def here(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run the command in this process, in `folder`."""
    assert folder.is_dir()

    def call(*arguments: str | Path) -> Result:
        capfdbinary.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        return Result(code, captured.out.decode(), captured.err.decode())

    return call


@pytest.fixture
def spawn(folder: Path) -> Run:
    """Run the command in a process of its own, in `folder`."""

    def call(*arguments: str | Path, stdin: bytes = b"", **environment: str) -> Result:
        done = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=folder,
            env={**os.environ, **environment},
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def on_terminal(folder: Path) -> Run:
    """Run the command with a terminal as its standard output or error, or both."""

    def call(*arguments: str | Path, streams: str = "out err", **environment: str) -> Result:
        ours, theirs = pty.openpty()
        base = {"TERM": "xterm-256color", "PAGER": "", "COLUMNS": "100"}
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=theirs if "out" in streams else subprocess.DEVNULL,
            stderr=theirs if "err" in streams else subprocess.DEVNULL,
            cwd=folder,
            env={**kept, **base, **environment},
        )
        os.close(theirs)
        shown = read_all(ours)
        return Result(process.wait(), shown.decode().replace("\r\n", "\n"), "")

    return call


@pytest.fixture
def ask(folder: Path) -> Run:
    """Run the command on a terminal, with what a person types there first."""

    def call(answer: str, *arguments: str | Path) -> Result:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        os.write(ours, answer.encode())
        shown = read_all(ours)
        return Result(process.wait(), shown.decode().replace("\r\n", "\n"), "")

    return call


def read_all(descriptor: int) -> bytes:
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(descriptor, 65536)
        except OSError:  # what Linux says when the other side of a terminal is closed
            part = b""
        if not part:
            os.close(descriptor)
            return b"".join(parts)
        parts.append(part)


def _is_ours(name: str) -> bool:
    # The server of the tests is found by a variable, too.
    return name.startswith("CHUNKWRIGHT_") and name != postgres_server.FOLDER
