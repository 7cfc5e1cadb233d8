"""What reaches a terminal: no name and no text of a document can steer it."""

import json
import os
from pathlib import Path

import pytest

from .commandline import Run

# An escape sequence of either block, a title, marks of direction, an end of a line.
STEERING = "a\x1b[31mb\x9b32mc\x9d0;d\x07e\u202ef\u2066g\u200fh\u2028i"
CONTROLS = {"\x9b", "\x9d", "\x07", "\u202e", "\u2066", "\u200f", "\u2028"}


def test_rows_on_a_terminal_hold_escapes(on_terminal: Run, folder: Path) -> None:
    (folder / "x.txt").write_text(STEERING, encoding="utf-8")
    result = on_terminal("chunk", "x.txt")
    assert not CONTROLS & set(result.out)
    assert r"\u009b" in result.out
    assert json.loads(result.out)["text"] == STEERING


def test_rows_elsewhere_hold_the_text(here: Run) -> None:
    Path("x.txt").write_text(STEERING, encoding="utf-8")
    result = here("chunk", "x.txt")
    assert set(result.out) >= CONTROLS - {"\x07"}
    assert json.loads(result.out)["text"] == STEERING


def test_names_are_shown_without_controls(here: Run) -> None:
    name = f"{STEERING}\n.txt"
    Path(name).write_text("text")
    for arguments in (
        ["chunk", ".", "--dry-run"],
        ["count", "."],
        ["view", name],
        ["compare", name, "window", "recursive:max_tokens=9"],
        ["chunk", f"{name}?"],
        ["chunk", f"--{name}"],
        ["view", name, "--strategy", "kamradt", "--plot", name],
        ["compare", name, name, name],
        ["doctor", "--config", name],
    ):
        result = here(*arguments)
        shown = result.out + result.err
        assert "32mc" in shown
        assert not CONTROLS & set(shown)
        assert "\x1b[31m" not in shown


def test_a_dry_run_lists_one_input_a_line(here: Run) -> None:
    Path("docs/two\nlines.txt").write_text("text")
    Path(os.fsdecode(b"docs/caf\xe9.txt")).write_text("text")
    result = here("chunk", "docs/*.txt", "--dry-run")
    assert result.out.splitlines() == [r"docs/caf\xe9.txt", "docs/two␊lines.txt"]


@pytest.mark.parametrize("flag", ["--boundaries", "--all"])
def test_a_comparison_shows_no_marks_of_direction(here: Run, flag: str) -> None:
    Path("x.txt").write_text(f"{STEERING} one two. {STEERING} three", encoding="utf-8")
    result = here("compare", "x.txt", "window:max_chars=30", "recursive:max_chars=40", flag)
    assert result.code == 0
    assert not CONTROLS & set(result.out)
