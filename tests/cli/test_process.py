"""The command as a process: signals, pipes, terminals, start-up."""

import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import pytest

from .commandline import COMMAND, Run, peak_of

HEAVY = (
    *("matplotlib", "numpy", "onnxruntime", "platformdirs", "pyarrow", "rich.progress", "sqlite3"),
    *("tiktoken", "tokenizers"),
)


def interrupted(folder: Path, number: int, out: str) -> tuple[int, str]:
    """Stop a run that has begun its output file and waits for more of standard input."""
    with subprocess.Popen(
        [*COMMAND, "chunk", "docs", "-", "--out", out, "--force"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(b"text")
            process.stdin.flush()
            while n_unread(process.stdin.fileno()) or not list(folder.glob(f".{out}.*")):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(number)
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
    return process.returncode, error.decode()


def n_unread(pipe: int) -> int:
    """Return how many bytes of a pipe its reader has not taken yet."""
    (n_bytes,) = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))
    return int(n_bytes)


@pytest.mark.parametrize("out", ["x.jsonl", "x.parquet", "x.arrow"])
def test_an_interrupt_leaves_no_file(folder: Path, out: str) -> None:
    assert interrupted(folder, signal.SIGINT, out) == (130, "Interrupted.\n")
    assert [path.name for path in folder.iterdir()] == ["docs"]


def test_an_interrupt_leaves_the_old_file(folder: Path) -> None:
    (folder / "x.jsonl").write_text("old")
    assert interrupted(folder, signal.SIGINT, "x.jsonl")[0] == 130
    assert (folder / "x.jsonl").read_text() == "old"


def test_an_interrupt_of_endless_rows_leaves_no_file(folder: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "chunk", "-", "--input-format", "jsonl", "--out", "x.jsonl"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stderr is not None
    row = json.dumps({"text": "Some words in a line, and more of them. " * 99}).encode() + b"\n"
    try:
        with suppress(BrokenPipeError):
            while not any(path.stat().st_size for path in folder.glob(".x.jsonl.*")):
                process.stdin.write(row * 100)
            process.send_signal(signal.SIGINT)
            while process.poll() is None:
                process.stdin.write(row * 100)
        assert process.wait(timeout=60) == 130
        with suppress(BrokenPipeError):
            process.stdin.close()
        assert process.stderr.read() == b"Interrupted.\n"
        process.stderr.close()
    finally:
        process.kill()
    assert [path.name for path in folder.iterdir()] == ["docs"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_termination_leaves_no_file(folder: Path, number: signal.Signals) -> None:
    assert interrupted(folder, number, "x.jsonl") == (128 + number, "")
    assert [path.name for path in folder.iterdir()] == ["docs"]


def test_a_killed_run_leaves_nothing_that_the_next_does_not_remove(folder: Path) -> None:
    assert interrupted(folder, signal.SIGKILL, "x.jsonl") == (-signal.SIGKILL, "")
    assert len(list(folder.iterdir())) == 2
    subprocess.run([*COMMAND, "chunk", "docs", "-o", "y.jsonl", "-q"], cwd=folder, check=True)
    assert sorted(path.name for path in folder.iterdir()) == ["docs", "y.jsonl"]


def test_a_run_that_ignores_hangups_goes_on(folder: Path) -> None:
    script = f"trap '' HUP; exec {sys.executable} -m chunkwright chunk docs - -o x.jsonl -q"
    process = subprocess.Popen(["sh", "-c", script], cwd=folder, stdin=subprocess.PIPE)
    try:
        while not list(folder.glob(".x.jsonl.*")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGHUP)
        process.communicate(b"text", timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    assert (folder / "x.jsonl").exists()


@pytest.mark.parametrize("command", ["chunk", "count", "view", "compare"])
def test_a_reader_who_has_enough_ends_it_quietly(folder: Path, command: str) -> None:
    for i in range(200):
        (folder / f"{i}.txt").write_text("word " * 2000)
    one = {"view": ["0.txt"], "compare": ["0.txt", "window", "recursive:max_tokens=9"]}
    paths = one.get(command, [f"{i}.txt" for i in range(200)])
    limit = [] if command == "count" else ["--max-tokens", "8"]
    process = subprocess.Popen(
        [*COMMAND, command, *paths, *limit],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_rows_are_written_as_soon_as_they_are_cut(folder: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "chunk", "docs", "-"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    # Standard input is still open, and so the last document not yet read.
    first = json.loads(process.stdout.readline())
    assert first["document"] == "guide.md"
    process.communicate(b"last")
    assert process.returncode == 0


@pytest.mark.slow
def test_memory_is_that_of_a_few_documents(folder: Path) -> None:
    (folder / "text.txt").write_text("Some words in a line.\n" * 100_000)
    for i in range(48):
        (folder / f"copy{i:02}.txt").write_bytes((folder / "text.txt").read_bytes())
    few, many = (peak_of(folder, pattern) for pattern in ("copy0*.txt", "copy*.txt"))
    # The texts of the others alone have more.
    assert many < few + 12
    assert few < peak_of(folder, "text.txt") + 30


def test_the_bar_is_on_standard_error_of_a_terminal(on_terminal: Run) -> None:
    out = on_terminal("chunk", "docs", "none", "--out", "x.jsonl", streams="err").out
    assert "Failed: none: no such file or folder\n" in out
    assert re.search(r"\d/3", out)
    assert "2 inputs written to x.jsonl" in out


def test_quiet_has_no_bar(on_terminal: Run) -> None:
    assert on_terminal("chunk", "docs", "--out", "x.jsonl", "--quiet", streams="err").out == ""


def test_no_bar_between_rows_on_one_terminal(on_terminal: Run) -> None:
    for line in on_terminal("chunk", "docs").out.splitlines():
        assert json.loads(line)["chunk_id"]


def test_no_bar_without_a_terminal_whatever_is_forced(spawn: Run) -> None:
    result = spawn("chunk", "docs", "--out", "x.jsonl", FORCE_COLOR="1", TTY_COMPATIBLE="1")
    assert re.fullmatch(r"\d+ chunks of 2 inputs written to x.jsonl\n", result.err)


def test_no_color_has_no_colours(on_terminal: Run) -> None:
    colour = r"\x1b\[[\d;]*[34]\d"
    arguments = ("chunk", "docs", "--out", "x.jsonl", "--force")
    assert re.search(colour, on_terminal(*arguments).out)
    assert not re.search(colour, on_terminal(*arguments, NO_COLOR="1").out)


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "command",
    [
        *("chunk -", "chunk docs -o x.jsonl", "count docs", "view -", "compare - window window"),
        "doctor",
    ],
)
def test_closed_streams_end_in_no_traceback(folder: Path, command: str, closed: str) -> None:
    script = f"{sys.executable} -m chunkwright {command} {closed}"
    done = subprocess.run(
        ["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False, input="x"
    )
    assert "Traceback" not in done.stderr
    lacks_input = " -" in command and "<" in closed and "-o" not in command
    lacks_output = " >" in f" {closed}" and "-o" not in command
    assert done.returncode == (1 if lacks_input or lacks_output else 0)
    if closed == "<&-" and done.returncode:
        assert done.stderr == "Failed: -: standard input is closed\n"
    if closed == ">&-" and done.returncode:
        assert done.stderr == "Error: standard output is closed\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
@pytest.mark.parametrize(
    "command", ["chunk docs", "count docs", "view docs/guide.md", "doctor", "--help", "--version"]
)
def test_an_output_that_cannot_be_written_is_an_error(folder: Path, command: str) -> None:
    script = f"{sys.executable} -m chunkwright {command} >/dev/full"
    done = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"Error: No space left on device\n")


def test_version(spawn: Run) -> None:
    result = spawn("--version")
    assert result.code == 0
    assert re.fullmatch(r"chunkwright \d+\.\d+\.\d+\S*\n", result.out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        *([name, "--help"] for name in ("chunk", "corpus", "count", "view", "compare", "doctor")),
    ],
)
def test_help(spawn: Run, arguments: list[str]) -> None:
    result = spawn(*arguments)
    assert result.code == 0
    assert "Usage: chunkwright" in result.out


def test_help_says_the_default_limit(spawn: Run) -> None:
    assert "512 by default" in re.sub(r"[\s│]+", " ", spawn("chunk", "--help").out)


def test_nothing_alone_shows_the_help(spawn: Run) -> None:
    result = spawn()
    assert result.code == 2
    assert "Usage: chunkwright" in result.out + result.err


@pytest.mark.parametrize("arguments", [["shunk"], ["chunk", "--nothing"]])
def test_unknown_names_are_wrong_usage(spawn: Run, arguments: list[str]) -> None:
    result = spawn(*arguments)
    assert result.code == 2
    assert arguments[-1] in result.err
    assert "Traceback" not in result.err


def test_nothing_heavy_is_imported_at_the_start() -> None:
    script = f"import sys, chunkwright.cli; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_names_and_texts_outside_the_locale_do_not_end_it(spawn: Run, folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (folder / name).write_text("naïve €", encoding="utf-8")
    for command in ("chunk", "count", "view"):
        result = spawn(command, name, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert (result.code, result.err) == (0, "")
    assert {row["document"] for row in spawn("chunk", ".").rows} >= {r"caf\xe9.txt"}
