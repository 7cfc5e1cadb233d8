"""Help: short, with the options of one strategy at a time; and the log for who asks for it."""

import logging
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import pytest

from chunkwright.chunking import ALL_STRATEGIES
from chunkwright.chunking.registry import options_of
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.table import FIELDS, Settings, about, cutting, row_of, rows
from chunkwright.messages.logs import logger, skipped
from tests.support.mostly_slow import mostly_slow
from tests.support.odd_folders import Odd, make

from .commandline import Run

COMMANDS = (
    *(
        "chunk",
        "corpus",
        "contextualize",
        "count",
        "view",
        "compare",
        "eval",
        "questions",
        "doctor",
    ),
    *("index", "search", "diff", "cite", "verify", "calibrate", "store"),
)
MOST_LINES = {
    "chunk": 93,
    "corpus": 118,
    "contextualize": 106,
    "questions": 92,
    "index": 101,
    "diff": 98,
    "view": 92,
}
# Of the other commands.
FEW_LINES = 74
# Longer flags are cut off in a narrow terminal.
MOST_LETTERS = 16


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")


def flags_in(shown: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", shown))


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short_and_fits(here: Run, command: str) -> None:
    result = here(command, "--help")
    assert result.code == 0
    lines = result.out.splitlines()
    assert len(lines) <= MOST_LINES.get(command, FEW_LINES)
    assert max(map(len, lines)) <= 80
    assert "…" not in result.out


def test_no_arguments_show_the_help(here: Run) -> None:
    shown = here()
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.rstrip("\n") == here("--help").out.rstrip("\n")
    assert "\n  chunk " in shown.err


@pytest.mark.parametrize("command", ["chunk", "count"])
def test_usage_shows_that_several_paths_are_taken(here: Run, command: str) -> None:
    # Typer has put braces around it since 0.27.
    usage = rf"chunkwright {command} \[OPTIONS\] (PATH|\{{PATH\}})\.\.\. *\n"
    assert re.search(usage, here(command, "--help").out)
    assert re.search(usage, here(command).err)


@pytest.mark.parametrize("command", ["chunk", "corpus", "view", "compare"])
def test_help_of_a_strategy_shows_its_options(here: Run, command: str) -> None:
    for name in ALL_STRATEGIES:
        result = here(command, "--help-strategy", name)
        assert (result.code, result.err) == (0, "")
        assert f"Options of --strategy {name}." in result.out
        shown = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", result.out, re.MULTILINE))
        known = {f"--{option.replace('_', '-')}" for option in options_of(name)}
        known |= {"--separator"} if "separators" in options_of(name) else set()
        known |= {"--vector-cache"} if "embedder" in options_of(name) else set()
        if "llm" in options_of(name):
            known |= {row.flag for each in MODEL if (row := row_of(each))}
            known -= {"--llm"}
        assert {flag[:MOST_LETTERS] for flag in known | {"--help"}} == {
            flag[:MOST_LETTERS] for flag in shown
        }
    # Nothing of it stays.
    assert "--help-strategy" in here(command, "--help").out


def test_all_options_of_cutting_are_shown_somewhere(here: Run) -> None:
    shown = {"--strategy"}
    for name in ALL_STRATEGIES:
        shown |= flags_in(here("chunk", "--help-strategy", name).out)
    flags = {row.flag for name in cutting() if (row := row_of(name))}
    assert {flag[:MOST_LETTERS] for flag in flags} <= {flag[:MOST_LETTERS] for flag in shown}
    for command in ("chunk", "corpus", "contextualize"):
        shown |= flags_in(here(command, "--help").out)
    flags = {row.flag for row in rows()}
    assert {flag[:MOST_LETTERS] for flag in flags} <= {flag[:MOST_LETTERS] for flag in shown}


def test_an_option_that_help_does_not_show_works(here: Run) -> None:
    assert "--n-chunks" not in here("chunk", "--help").out
    result = here("chunk", "docs/guide.md", "--strategy", "kamradt", "--n-chunks", "3")
    assert result.code == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [("semantic", "'kamradt', 'kamradt_modified', 'cluster'"), ("windo", "did you mean 'window'")],
)
def test_help_of_an_unknown_strategy_is_wrong_usage(here: Run, name: str, message: str) -> None:
    result = here("chunk", "--help-strategy", name)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"Error: --help-strategy: unknown strategy {name!r}; ")
    assert message in result.err


def test_the_log_is_shown_to_who_asks(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    make(Odd("fifo"), Path("docs/pipe\x1b.txt"))
    Path("docs/loop").symlink_to(".")
    assert here("chunk", "docs").err == ""
    for arguments in (["-v"], ["--verbose"]):
        lines = here("chunk", "docs", *arguments).err.splitlines()
        assert "Warning: skipped docs/pipe␛.txt: not a regular file" in lines
        assert "Info: skipped docs/loop: a link to a folder" in lines
        # What took no time is not worth a line.
        assert not any("took" in line for line in lines)
    monkeypatch.setenv("CHUNKWRIGHT_VERBOSE", "1")
    assert "skipped docs/loop" in here("count", "docs").err
    assert here("chunk", "docs", "--quiet").err != ""
    assert logger().handlers == [h for h in logger().handlers if isinstance(h, logging.NullHandler)]


def test_what_takes_long_is_logged(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkwright.io.documents.SLOW_SECONDS", 0.0)
    shown = here("chunk", "docs", "--verbose").err
    first = r"Info: reading and cutting \d documents, 'docs/guide\.md' the first of them, took "
    assert re.search(rf"{first}\d\.\d\d s\n", shown)
    shown = here("chunk", "docs/guide.md", "--verbose").err
    assert re.search(r"Info: reading and cutting 'docs/guide\.md' took \d\.\d\d s\n", shown)


def test_the_log_is_the_packages_own(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="chunkwright"):
        skipped("x", "why")
        skipped("y", "why", is_expected=True)
    assert caplog.record_tuples == [
        ("chunkwright", logging.WARNING, "skipped x: why"),
        ("chunkwright", logging.INFO, "skipped y: why"),
    ]


def test_help_texts_say_a_default_as_it_is() -> None:
    for name in ("strategy", "text_column"):
        assert str(FIELDS[name].default) in FIELDS[name].about
    for strategy, kind in ALL_STRATEGIES.items():
        for name in options_of(strategy):
            said, default = about(name, strategy), kind.__dataclass_fields__[name].default
            assert said
            assert "``" not in said
            if isinstance(default, str | int | float) and name != "embedder":
                assert str(default).lower() in said
    assert about("window", "kamradt") != about("window", "sentence")
    assert about("n_chunks", "kamradt").endswith("in place of --threshold and --amount.")


def test_settings_take_what_python_does() -> None:
    taken = {int: int, float: float, bool: bool, str: str}
    for name, hint in get_type_hints(Settings).items():
        if name in FIELDS:
            some = tuple(taken[part] for part in (hint, *get_args(hint)) if part in taken)
            row = row_of(name)
            assert row is not None
            is_list = any(get_origin(part) is Sequence for part in (hint, *get_args(hint)))
            expected = (list[str],) if is_list else some or (str,)
            assert row.kinds == expected, name


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    mostly_slow(
        [
            ["chunk"],
            ["chunk", "--help-strategy", "kamradt"],
            ["index"],
            ["search"],
            ["corpus"],
            ["serve"],
            ["mcp"],
        ],
        quick=2,
    ),
)
def test_help_is_the_same_where_python_leaves_docstrings_out(arguments: list[str]) -> None:
    def shown(*flags: str) -> str:
        command = [sys.executable, *flags, "-m", "chunkwright", *arguments, "--help"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert len(shown().splitlines()) > 20
    assert shown("-OO") == shown()
