"""The guide to the command line: its examples, and that nothing is left out."""

import inspect
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.models import OptionInfo

from chunkwright.cli.contextualize import contextualize
from chunkwright.cli.corpus import corpus
from chunkwright.cli.eval import evaluate
from chunkwright.cli.mcp import mcp
from chunkwright.cli.questions import questions
from chunkwright.cli.serve import serve
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.table import DROP, READING, ROWS, RUNNING, cutting, row_of
from chunkwright.cli.settings.table import rows as settings
from chunkwright.cli.storing.calibrate import calibrate
from chunkwright.cli.storing.cite import cite
from chunkwright.cli.storing.diff import diff
from chunkwright.cli.storing.index import index
from chunkwright.cli.storing.search import search
from chunkwright.cli.storing.upkeep import backup, erase, prune
from chunkwright.cli.storing.verify import verify
from chunkwright.io.sources import PAGED

from .commandline import Run

GUIDE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
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


def test_every_setting_is_explained() -> None:
    table = GUIDE[GUIDE.index("## Settings") :]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert explained >= {row.name for row in settings()}


@pytest.mark.parametrize(
    ("title", "function"),
    [
        *(("questions", questions), ("contextualize", contextualize), ("corpus", corpus)),
        *(("serve", serve), ("mcp", mcp)),
    ],
)
def test_every_flag_of_a_command_is_explained(title: str, function: Callable[..., int]) -> None:
    begin = GUIDE.index(f"## `{title}`")
    section = GUIDE[begin : GUIDE.index("\n## ", begin)]
    of_all = {"ctx", "corpora", "paths", "out", "force", "dry_run", "config", "help_strategy"}
    elsewhere = {
        *of_all,
        *MODEL,
        *READING,
        *DROP,
        *PAGED,
        *ROWS,
        *RUNNING,
        *cutting(),
        "separator",
        "return",
    }
    flags = {"hosts": "--allow-host", "cors_origins": "--allow-origin", "url_hosts": "--allow-url"}
    flags |= {"roots": "--root", "tokenizers": "--tokenizer", "embedders": "--embedder"}
    flags |= {"tasks_file": "--tasks", "private_hosts": "--allow-private"}
    if function is mcp:
        flags["store"] = "STORE"
    for name in function.__annotations__.keys() - elsewhere:
        assert f"`{flags.get(name, f'--{name}'.replace('_', '-'))}`" in section


@pytest.mark.parametrize(
    "function", [index, search, diff, cite, verify, calibrate, erase, prune, backup]
)
def test_every_flag_over_stores_is_explained(function: Callable[..., int]) -> None:
    section = GUIDE[GUIDE.index("## Stores") : GUIDE.index("## `doctor`")]
    known = {*MODEL, *READING, *DROP, *PAGED, *ROWS, *cutting(), "separator", "vector_cache"}
    others = {"ctx", "config", "help_strategy", "fail_fast", "quiet"}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in known | others:
            continue
        option = parameter.annotation.__metadata__[0]
        if isinstance(option, OptionInfo):
            # The first flag stands for a default; a switch is told by what it changes.
            assert f"`{str(option.default).split('/')[-1]}" in section, name


def test_every_flag_of_a_model_is_explained() -> None:
    section = GUIDE[GUIDE.index("## Language models") : GUIDE.index("## `count`")]
    for name in MODEL:
        row = row_of(name)
        assert row is not None
        assert f"`{row.flags[0].split('/')[-1]}`" in section


def test_every_flag_of_eval_is_explained() -> None:
    of_preset = {"config", "data", "embedder"}
    everywhere = {"ctx", "quiet", "verbose"}
    section = GUIDE[GUIDE.index("## `eval`") : GUIDE.index("## `doctor`")]
    for name in set(evaluate.__annotations__) - of_preset - everywhere - {"return"}:
        flag = {"vector_cache": "--no-vector-cache"}.get(name, f"--{name.replace('_', '-')}")
        assert f"`{flag}" in section
