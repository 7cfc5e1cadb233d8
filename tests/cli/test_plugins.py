"""Strategies that other packages add, on the command line: cut by them, and `doctor` shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.plugin_package import ENTRY_POINTS, GOOD, install

from .commandline import Run


@pytest.fixture
def added(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of an environment where a package adds strategies."""
    return {"PYTHONPATH": str(install(tmp_path_factory.mktemp("added") / "site"))}


def test_files_are_cut_by_an_added_strategy(
    spawn: Run, folder: Path, added: dict[str, str]
) -> None:
    (folder / "q.txt").write_text("Who sings? Birds do. Why? They like it.")
    options = ("--strategy", "questions", "--max-chars", "30")
    done = spawn("chunk", "q.txt", *options, **added)
    assert (done.code, done.err) == (0, "")
    assert [row["text"] for row in done.rows] == ["Who sings? Birds do.", "Why? They like it."]
    done = spawn("chunk", "q.txt", "--strategy", "question", **added)
    assert done.code == 2
    assert "unknown --strategy 'question': did you mean 'questions'?" in done.err
    done = spawn("chunk", "q.txt", "--strategy", "no_module", **added)
    assert done.code == 2
    assert "strategy 'no_module' of demo-cuts 1.5, not_there_at_all:Class" in done.err


def test_doctor_shows_what_is_added_and_what_is_wrong_with_it(
    spawn: Run, added: dict[str, str]
) -> None:
    done = spawn("doctor", **added)
    assert (done.code, done.err) == (0, "")
    rows = dict(line.split("\t") for line in done.out.splitlines())
    for name, target in ENTRY_POINTS.items():
        said = rows[f"strategy {name} of demo-cuts 1.5"]
        assert (said == target) == (name in GOOD)
        assert target in said
    assert "has the name of a built-in strategy" in rows["strategy window of demo-cuts 1.5"]
    found = json.loads(spawn("doctor", "--json", **added).out)["strategies"]
    assert {each["name"] for each in found if each["error"] is None} == {*GOOD}


def test_doctor_says_nothing_where_nothing_is_added(here: Run) -> None:
    assert not [line for line in here("doctor").out.splitlines() if line.startswith("strategy ")]
    assert json.loads(here("doctor", "--json").out)["strategies"] == []
