"""Calls that the playground offers: what they give is what it shows."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.pages.browser import Browser
from tests.pages.playground.opening import Playground, cut, playing
from tests.server.running import Running, serving

TEXT = """# Rain

It rained on Monday, and the rivers rose. It stopped on Tuesday. "Rain," he said, 'fell'.

| a | b |
|---|---|
| 1 | one |
| 2 | two |
"""
SETTINGS: list[dict[str, Any]] = [
    {"strategy": "recursive", "max_chars": 40, "repeat_headers": False},
    {"strategy": "recursive", "max_chars": 30, "separators": ["\n\n", " \t'\"\\", "e"]},
    {"strategy": "sentence", "sentences": 1, "window": 1},
    {"strategy": "kamradt", "embedder": "lexical", "amount": 62.5, "tokenizer": "bytes"},
    {"strategy": "structural", "max_tokens": 20, "merge_at": -0.5},
    {"strategy": "recursive", "max_chars": 20, "overlap": 6, "overlap_at": "any"},
    {"strategy": "balanced", "max_chars": 60, "split_at": "on\\n", "keep_mark": "end"},
]
KEY = "a-key-of-the-service"
IDS = [f"{i}-{setting['strategy']}" for i, setting in enumerate(SETTINGS)]


class Shell(NamedTuple):
    """A shell in a folder, which finds the command line of this Python.

    Attributes
    ----------
    folder
        The folder.
    """

    folder: Path

    def run(self, script: str, **variables: str) -> str:
        """Run a script, and return what it says."""
        command = self.folder / "bin" / "chunkwright"
        if not command.exists():
            command.parent.mkdir()
            command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m chunkwright "$@"\n')
            command.chmod(0o755)
        path = f"{command.parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=self.folder,
            env={**os.environ, "PATH": path, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell in a folder that has the text."""
    (tmp_path / "text.md").write_text(TEXT)
    return Shell(tmp_path)


@pytest.fixture
def playground(browser: Browser, service: Running) -> Iterator[Playground]:
    """A new page."""
    with playing(browser, service) as found:
        yield found


def show(playground: Playground, setting: dict[str, Any]) -> list[str]:
    """Show the text with a setting, and return the texts of its chunks."""
    options = {
        f"a.{name}": value if isinstance(value, str) else json.dumps(value)
        for name, value in setting.items()
        if name != "strategy"
    }
    playground.open(a=setting["strategy"], **options)
    playground.put(TEXT)
    expected = cut(TEXT, **setting)
    playground.check_shows(expected)
    return expected


def texts_of_python(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts of the chunks that Python code makes."""
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    exec(compile(code, "call", "exec"), names)  # noqa: S102 - what the page offers to be run
    found: list[str] = names["chunks"].texts()
    return found


def texts_of_lines(lines: str) -> list[str]:
    """Return the texts of chunks in JSON lines."""
    return [json.loads(line)["text"] for line in lines.splitlines()]


def texts_of_answer(shell: Shell, call: str, **variables: str) -> list[str]:
    """Return the texts of the chunks that a service answers to a call."""
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    return [row["text"] for row in json.loads(shell.run(call, **variables))["chunks"]]


@pytest.mark.parametrize("setting", SETTINGS, ids=IDS)
def test_each_call_gives_the_chunks_that_are_shown(
    playground: Playground, shell: Shell, setting: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = show(playground, setting)
    code = playground.call("python")
    assert texts_of_python(code, shell.folder, monkeypatch) == expected
    assert texts_of_lines(shell.run(playground.call("command"))) == expected
    assert texts_of_answer(shell, playground.call("http")) == expected


@pytest.mark.parametrize("name", ["it's $HOME `a`.md", '--out="x".md', "北京 🌞\\n.md", "%s%n.md"])
def test_odd_names_of_files_are_no_commands(
    playground: Playground, shell: Shell, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shell.folder / name).write_text(TEXT)
    playground.open(a="recursive", **{"a.max_chars": 40})
    playground.drop(name, TEXT.encode())
    expected = cut(TEXT, "recursive", max_chars=40)
    playground.check_shows(expected)
    assert texts_of_python(playground.call("python"), shell.folder, monkeypatch) == expected
    assert texts_of_lines(shell.run(playground.call("command"))) == expected
    assert texts_of_answer(shell, playground.call("http")) == expected


def test_each_setting_and_the_kind_are_in_its_call(playground: Playground) -> None:
    playground.open(a="recursive", b="sentence", kind="text", **{"b.max_chars": 99})
    assert 'cw.chunk(document, "recursive")' in playground.call("python", "a")
    assert 'cw.chunk(document, "sentence", max_chars=99)' in playground.call("python", "b")
    assert 'cw.read("text.md", kind="text")' in playground.call("python", "b")
    command = "chunkwright chunk text.md --strategy sentence --input-format text --max-chars=99\n"
    assert playground.call("command", "b") == command


def test_what_the_command_line_cannot_say_is_said(playground: Playground) -> None:
    separators = [{"pattern": "e"}, "i"]
    playground.open(a="recursive", **{"a.separators": json.dumps(separators)})
    assert "cannot say separators" in playground.call("command")
    assert 'separators=[{"pattern": "e"}, "i"]' in playground.call("python")


def test_a_call_is_copied(browser: Browser, service: Running) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with playing(browser, service, permissions=permissions) as playground:
        playground.open()
        code = playground.call("http")
        playground.page.click("#pg-copy")
        playground.page.wait_for_selector("#pg-copied:has-text('Copied')")
        assert playground.page.evaluate("navigator.clipboard.readText()") == code


def test_where_a_page_may_not_copy_the_call_is_selected(playground: Playground) -> None:
    playground.page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
    )
    playground.open()
    code = playground.call("command")
    playground.page.click("#pg-copy")
    playground.page.wait_for_selector("#pg-copied:has-text('Ctrl+C')")
    assert playground.page.evaluate("String(getSelection())").strip() == code.strip()


def test_a_call_of_a_service_with_a_key_names_where_the_key_is(
    browser: Browser, shell: Shell
) -> None:
    with serving(CHUNKWRIGHT_KEYS=KEY) as running:
        with playing(browser, running) as playground:
            playground.page.goto(playground.address)
            playground.page.fill("#pg-key", KEY)
            playground.page.press("#pg-key", "Enter")
            playground.wait()
            playground.put(TEXT)
            expected = cut(TEXT, "recursive", max_tokens=120)
            playground.check_shows(expected)
            call = playground.call("http")
            assert KEY not in playground.page.content()
        assert texts_of_answer(shell, call, CHUNKWRIGHT_KEY=KEY) == expected
