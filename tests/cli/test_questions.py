"""`chunkwright questions`: questions about documents, filters, and runs that go on."""

from __future__ import annotations

import csv
import inspect
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chunkwright.cli.questions import questions
from chunkwright.evaluation.synthetic import QuestionGenerator

from .asked import Served, interrupted, model_of
from .commandline import Result, Run

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

SMALL = ["--window-chars", "200", "--per-round", "3"]


@pytest.fixture
def corpora(folder: Path) -> str:
    """A folder of two corpora."""
    (folder / "corpora").mkdir()
    for name, first in (("mills", 1700), ("boats", 1800)):
        lines = (f"Number {i} was built in {first + i} of oak and stone.\n" for i in range(60))
        (folder / "corpora" / f"{name}.md").write_text("".join(lines))
    return "corpora"


@pytest.fixture
def ask(here: Run, folder: Path, corpora: str) -> Run:
    """Run the command with a function as its model."""

    def call(*arguments: str | Path) -> Result:
        model = model_of("ask", folder)
        return here("questions", corpora, "--out", "q.csv", *SMALL, *model, *arguments)

    return call


def rows() -> list[dict[str, str]]:
    with Path("q.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_questions_have_their_passages(ask: Run, here: Run, corpora: str) -> None:
    result = ask("--rounds", "2")
    assert (result.code, result.out) == (0, "")
    assert re.search(r"^12 questions in q.csv: 12 new", result.err)
    assert "\nModel: " in result.err
    for row in rows():
        text = Path(corpora, f"{row['corpus_id']}.md").read_text()
        for each in json.loads(row["references"]):
            assert text[each["start_index"] : each["end_index"]] == each["content"]
    Path("c.toml").write_text(
        f'[data]\ncorpora = "{corpora}"\nquestions = "q.csv"\n[[chunker]]\nstrategy = "recursive"\n'
    )
    assert here("eval", "c.toml").code == 0


def test_rounds_are_counted_in_all(ask: Run) -> None:
    ask("--rounds", "1")
    first = rows()
    assert ask("--rounds", "1").err == "6 questions in q.csv: 0 new\n"
    assert ask("--rounds", "2", "-q").err == ""
    assert rows()[:6] == first
    assert len(rows()) == 12


def test_a_dry_run_sends_and_writes_nothing(
    here: Run, httpserver: HTTPServer, corpora: str
) -> None:
    served = Served(httpserver)
    run = ["questions", corpora, "--out", "q.csv", *SMALL, "--rounds", "2", *served.flags()]
    found = dict(line.split("\t") for line in here(*run, "--dry-run").out.splitlines())
    assert (found["requests"], found["calls"], served.bodies) == ("12", "12", [])
    assert not Path("q.csv").exists()


def test_filters(ask: Run) -> None:
    ask("--rounds", "1")
    result = ask("--rounds", "1", "--duplicate-threshold", "0.99", "--excerpt-threshold", "0.9")
    assert result.code == 0
    dropped = re.findall(r"Dropped by --excerpt-threshold, 0\.\d\d: .*\n", result.err)
    assert len(dropped) + len(rows()) == 6
    assert dropped
    # They are not asked for again.
    assert ": 0 new\n" in ask("--rounds", "1").err


def test_a_budget(ask: Run) -> None:
    result = ask("--rounds", "1", "--budget-calls", "2")
    assert result.code == 4
    assert "The budget is spent: " in result.err
    assert len(rows()) == 2
    assert ask("--rounds", "1").code == 0
    assert len(rows()) == 6


def test_an_interrupted_run_goes_on(
    folder: Path, here: Run, httpserver: HTTPServer, corpora: str
) -> None:
    (folder / corpora / "boats.md").unlink()
    text = (folder / corpora / "mills.md").read_text()
    reply = {"question": "What is of oak?", "excerpts": ["oak and stone"]}
    assert text.count("oak and stone") > 9
    served = Served(httpserver, reply, model="slow", numbered=True)
    run = ["questions", corpora, "--out", "q.csv", "--rounds", "4", *SMALL, *served.flags()]
    run += ["--concurrency", "1"]
    code, err = interrupted(folder, run, served, after=5)
    assert (code, err.endswith("Interrupted.\n")) == (130, True)
    n_kept = len(rows())
    assert n_kept >= 3
    first = rows()
    assert here(*run).code == 0
    assert rows()[:n_kept] == first
    assert len(rows()) == 12
    assert len({row["question"] for row in rows()}) == 12


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--rounds", "-1"], "--rounds must be at least 0, got -1"),
        (["--rounds", "1", "--per-round", "0"], "--per-round must be at least 1, got 0"),
        (["--rounds", "1", "--mode", "exat"], "unknown --mode 'exat': did you mean 'exact'?"),
        (["--rounds", "1", "--window-chars", "0"], "--window-chars must be at least 1, got 0"),
        (["--rounds", "1", "--max-excerpts", "21"], "--max-excerpts must be between 1 and 20"),
        (["--rounds", "1", "--n-shown", "-1"], "--n-shown must be at least 0, got -1"),
        (["--rounds", "1", "--seed", "-1"], "--seed must be at least 0, got -1"),
        (["--rounds", "1", "--prompt", "no.md"], "the prompt no.md cannot be read"),
        (["--rounds", "1", "--out", "q.txt"], "got 'q.txt'"),
        (["--rounds", "0", "--excerpt-threshold", "2"], "--excerpt-threshold must be between -1"),
        (["--rounds", "0", "--duplicate-threshold", "2"], "--duplicate-threshold must be between"),
        ([], "Missing option '--rounds'"),
    ],
)
def test_errors_name_flags(ask: Run, flags: list[str], message: str) -> None:
    result = ask(*flags)
    assert result.code == 2
    assert message in result.err


def test_no_model(here: Run, corpora: str) -> None:
    run = ["questions", corpora, "--out", "q.csv", "--rounds", "1"]
    assert "--model is missing" in here(*run).err
    assert "there is no file 'gone'" in here("questions", "gone", *run[2:], "--model", "m").err


def test_defaults_are_those_of_the_library() -> None:
    parameters = inspect.signature(questions).parameters
    for name in ("mode", "window_chars", "max_excerpts", "n_shown", "seed", "prompt"):
        assert parameters[name].default == QuestionGenerator.__dataclass_fields__[name].default
    generate = inspect.signature(QuestionGenerator.generate).parameters
    assert parameters["per_round"].default == generate["per_corpus_and_round"].default
