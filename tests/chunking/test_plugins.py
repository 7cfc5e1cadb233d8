"""Strategies that other packages add: found by name, used as any other, errors that name them."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES, ELEMENT_STRATEGIES, STRATEGIES
from chunkwright.chunking.bases.strategy import fingerprint_of
from chunkwright.chunking.plugins import plugin_class, plugins
from chunkwright.chunking.registry import options_of, strategy_class
from tests.support.plugin_package import ENTRY_POINTS, GOOD, install

TEXT = "Who sings? Birds do. At dawn. Why? They like it."


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that adds strategies, in a folder on the path."""
    monkeypatch.syspath_prepend(str(install(tmp_path / "site")))
    yield
    sys.modules.pop("demo_cuts", None)


def test_plugins_are_listed_without_an_import() -> None:
    found = {each.name: each for each in plugins() if each.package == "demo-cuts 1.5"}
    assert {name: each.target for name, each in found.items()} == ENTRY_POINTS
    assert "demo_cuts" not in sys.modules


@pytest.mark.parametrize("name", GOOD)
def test_an_added_strategy_is_found_by_its_name(name: str) -> None:
    kind = strategy_class(name)
    assert kind.__module__ == "demo_cuts"
    assert name in ALL_STRATEGIES
    assert name in STRATEGIES
    assert name not in ELEMENT_STRATEGIES
    with pytest.raises(KeyError):
        ELEMENT_STRATEGIES[name]
    # Tables of the strategies that there are have the built-in ones.
    assert name not in [*ALL_STRATEGIES]
    assert {"max_tokens", "tokenizer"} <= {*options_of(name)}


def test_a_strategy_that_says_where_chunks_begin() -> None:
    made: Any = cw.strategy("questions", max_chars=40)
    chunks = made(TEXT)
    assert chunks.texts() == ["Who sings? Birds do. At dawn.", "Why? They like it."]
    assert chunks.reasons == ["given", "end"]
    assert made.spec == {"strategy": "questions", "max_chars": 40}
    assert cw.strategy(**made.spec) == made
    assert pickle.loads(pickle.dumps(made)) == made
    assert made.batch([TEXT, "", TEXT]).texts() == chunks.texts() * 2
    assert [each.texts() for each in made.stream([TEXT])] == [chunks.texts()]
    assert asyncio.run(made.acall(TEXT)).texts() == chunks.texts()
    assert cw.chunk(TEXT, made).texts() == chunks.texts()
    other = cw.chunk(TEXT, "questions", max_chars=40, mark=".")  # type: ignore[call-overload]
    assert other.texts() == ["Who sings?", "Birds do.", "At dawn. Why?", "They like it."]


def test_a_strategy_that_is_a_built_in_one_with_other_options() -> None:
    made: Any = cw.strategy("clauses", max_chars=9)
    assert made.spec["strategy"] == "clauses"
    text = "§1 Rain §2 Sun"
    assert made(text).texts() == cw.Recursive(max_chars=9, separators=("§",))(text).texts()
    assert made != cw.Recursive(max_chars=9, separators=("§",))


def test_stores_tell_added_strategies_apart_by_their_fingerprints(tmp_path: Path) -> None:
    made: Any = cw.strategy("questions", max_chars=40)
    assert fingerprint_of(made) == made.fingerprint
    with cw.Store.open(tmp_path / "kb.db") as store:
        document = cw.Document(text=TEXT, name="a.txt")
        other = cw.strategy("questions", max_chars=40, mark=".")
        reports = [store.add(document, strategy=each) for each in (made, made, other)]
    outcomes = [[each.outcome for each in report.documents] for report in reports]
    assert outcomes == [["new"], ["unchanged"], ["changed"]]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nameless", "must have the attribute name = 'nameless', got 'recursive'"),
        (
            "no_strategy",
            "must be a class derived from Strategy, got <class 'demo_cuts.NoStrategy'>",
        ),
        ("no_class", "cannot be imported: AttributeError: .* 'NotThere'"),
        (
            "no_module",
            "cannot be imported: ModuleNotFoundError: No module named 'not_there_at_all'",
        ),
    ],
)
def test_a_plugin_that_cannot_be_used_says_why(name: str, message: str) -> None:
    target = ENTRY_POINTS[name]
    with pytest.raises(
        cw.ConfigError, match=rf"{name}' of demo-cuts 1.5, {target}, {message}"
    ) as of:
        cw.strategy(name)
    assert of.value.option == "strategy"


def test_a_built_in_name_stays_built_in() -> None:
    assert strategy_class("window") is cw.Window
    [clash] = [each for each in plugins() if each.name == "window"]
    with pytest.raises(cw.ConfigError, match=r"'window' of demo-cuts .* of a built-in strategy"):
        clash.load()


def test_two_packages_of_one_name_are_both_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = install(tmp_path / "other", {"clauses": "demo_cuts:Clauses"}, name="other-cuts")
    monkeypatch.syspath_prepend(str(other))
    with pytest.raises(cw.ConfigError, match=r"is added by demo-cuts 1\.5 and other-cuts 1\.5"):
        cw.strategy("clauses")


def test_a_package_that_is_found_twice_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(install(tmp_path / "again")))
    assert plugin_class("questions") is not None


def test_unknown_names_and_options_have_hints() -> None:
    with pytest.raises(cw.ConfigError, match="did you mean 'questions'"):
        cw.strategy("question")
    with pytest.raises(cw.ConfigError, match=r"unknown option 'marks' of 'questions': .* 'mark'"):
        cw.strategy("questions", marks="!")
    assert plugin_class("nothing_of_the_kind") is None


def test_nothing_looks_for_plugins_before_an_unknown_name_does() -> None:
    code = (
        "import sys, chunkwright as cw; cw.chunk('One.', 'sentence'); cw.strategy('window'); "
        "assert 'importlib.metadata' not in sys.modules; "
        "from chunkwright.chunking.plugins import plugins; plugins(); "
        "assert 'importlib.metadata' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
