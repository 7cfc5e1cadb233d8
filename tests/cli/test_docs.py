"""The pages of the command line: they are those of the commands, and their examples run."""

import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest

from chunkwright.cli.settings.table import FIELDS
from chunkwright.cli.syntax.commands import command_of
from tests.support.markdown import ROOT, section

from .commandline import Run

DOCS = ROOT / "docs" / "cli"
PAGES = {page.stem: page.read_text("utf-8") for page in sorted(DOCS.glob("*.md"))}
GUIDE = PAGES["inputs"] + PAGES["looking"]
WRITER = runpy.run_path(str(ROOT / "scripts" / "write_settings.py"))
COMMANDS: dict[str, Any] = dict(WRITER["rows_by_name"]())
PETS = (
    "The cat naps on the sofa. The cat purrs on the sofa. The cat leaves the sofa. "
    "Rust is a language. The language has types. Types are checked by the compiler.\n"
)


@pytest.fixture(autouse=True)
def _documents(folder: Path) -> None:
    (folder / "old.txt").write_bytes(b"caf\xe9 au lait")
    (folder / "pets.txt").write_text(PETS)


VIEW = (
    "chunkwright view pets.txt --strategy kamradt --max-chars 200 --n-chunks 2 --window 0 --reasons"
)


def example(command: str) -> str:
    """What the guide shows under a command."""
    begin = GUIDE.index(f"$ {command}\n") + len(f"$ {command}\n")
    return GUIDE[begin : GUIDE.index("```", begin)]


@pytest.mark.parametrize(
    "command",
    [
        "chunkwright chunk old.txt --encoding utf-8",
        VIEW,
    ],
)
def test_examples_show_what_is_shown(here: Run, command: str) -> None:
    result = here(*shlex.split(command)[1:])
    assert (result.out + result.err).rstrip("\n") == example(command).rstrip("\n")


def test_the_comparison_is_what_is_shown(here: Run) -> None:
    command = "compare pets.txt kamradt:max_chars=200,n_chunks=2,window=0 sentence:max_chars=60"
    assert f"$ chunkwright {command}\n" in GUIDE
    shown = GUIDE[GUIDE.index("```text\n") + len("```text\n") :].split("```")[0]
    assert shown in here(*shlex.split(command)).out


def test_the_pages_are_those_of_the_commands() -> None:
    for page, text in WRITER["pages"]():
        assert page.read_text("utf-8") == text, "run scripts/write_settings.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_one_section_with_all_of_its_options(name: str) -> None:
    pages = [text for text in PAGES.values() if f"<!-- command {name} -->" in text]
    assert len(pages) == 1
    said = section(pages[0], f"`{name}`")
    shared = PAGES["options"] + PAGES["language-models"]
    command, context = command_of(name)
    for param in command.get_params(context):
        record = param.get_help_record(context)
        if record is not None and "--help" not in param.opts:
            flag = param.opts[0]
            assert f"`{record[0]}`" in said + shared or f"`{flag}`" in said, flag


def test_every_setting_is_explained() -> None:
    rows = [line for line in PAGES["settings"].splitlines() if line.startswith("| `")]
    assert {row.split("`")[1] for row in rows} == FIELDS.keys()


def test_the_example_of_each_command_runs(here: Run, folder: Path) -> None:
    story = "# Mill\n\nIt was built in 1743. The wheel stands in the river.\n"
    (folder / "docs" / "guide.md").write_text(story)
    question = '{"question": "When was the mill built?", "excerpts": ["built in 1743"]}\n'
    (folder / "questions.jsonl").write_text(question)
    (folder / "config.toml").write_text(
        "[data]\ndocuments = 'docs/guide.md'\nquestions = 'questions.jsonl'\n"
        "[[chunker]]\nstrategy = 'recursive'\n"
    )
    ids: dict[str, str] = {}
    # What deletes, last.
    last = ["store uncite", "store prune", "store backup", "store remove", "store erase"]
    names = [name for name in COMMANDS if name not in last] + last
    for name in names:
        row = COMMANDS[name]
        command, *arguments = shlex.split(row.example)
        if name in {"serve", "mcp"}:  # which would not end
            command_of(name)[0].make_context(name, arguments)
            continue
        given = [ids.get(name, "") if len(each) == 32 else each for each in arguments]
        result = here(command, *given)
        assert result.code == 0, (name, result)
        if name == "search":
            ids["cite"] = result.rows[0]["block"]
        if name == "cite":
            ids["store uncite"] = result.out.strip()
