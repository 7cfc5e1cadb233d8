"""Registry of the strategies: names, classes, options, and what is said of unknown ones."""

import pkgutil
import subprocess
import sys
from dataclasses import is_dataclass
from typing import Any

import pytest

import chunkwright as cw
from chunkwright import _core, chunking
from chunkwright._strategies import CLASSES, MODULES
from chunkwright.chunking import (
    ALL_STRATEGIES,
    ELEMENT_STRATEGIES,
    STRATEGIES,
    make_strategy,
    strategies,
)
from chunkwright.chunking.bases.options import Limited
from chunkwright.chunking.registry import options_of, strategy_of
from chunkwright.embed import Lexical
from chunkwright.errors import ConfigError
from chunkwright.rows import BASE
from tests.support import scripted_models


def test_every_strategy_is_registered() -> None:
    modules = {module.name for module in pkgutil.iter_modules(strategies.__path__)}
    assert {f"strategies.{module}" for module in modules} == {*MODULES.values()}
    assert [*ALL_STRATEGIES, "own_boundaries"] == [name for name, *_ in _core.strategies()]
    assert list(ALL_STRATEGIES) == list(dict.fromkeys([*STRATEGIES, "json", *ELEMENT_STRATEGIES]))
    classes = {*ALL_STRATEGIES.values()}
    leaves = [Limited]
    while not all(kind in classes for kind in leaves):
        leaves = [
            kind
            for one in leaves
            for kind in ([one] if one in classes else one.__subclasses__())
            if kind.__module__.startswith("chunkwright.chunking")
            and kind.__name__ != "TableSplitter"
        ]
    assert {*leaves} == classes


@pytest.mark.parametrize("name", ALL_STRATEGIES)
def test_a_name_is_that_of_module_and_class(name: str) -> None:
    kind = ALL_STRATEGIES[name]
    assert is_dataclass(kind)
    assert kind.__name__ == CLASSES[name]
    assert kind.__name__.lower() == name.replace("_", "")
    assert kind.__module__ == f"chunkwright.chunking.{MODULES[name]}"
    assert getattr(cw, CLASSES[name]) is getattr(chunking, CLASSES[name]) is kind


SOURCES: dict[str, Any] = {
    "text": "A cat naps. A dog barks.",
    "elements": cw.read_markdown("# Pets\n\nA cat naps.\n\nA dog barks."),
    "json": '["A cat naps.", "A dog barks."]',
}


@pytest.mark.parametrize("name", ALL_STRATEGIES)
def test_a_class_says_what_it_takes_and_gives(name: str) -> None:
    kind: Any = ALL_STRATEGIES[name]
    assert kind.name == name
    assert {*kind.models} == {*options_of(name)} & {"embedder", "llm"}
    models: dict[str, Any] = {"llm": scripted_models.silent} if name == "llm" else {}
    models |= {"embedder": "lexical"} if kind.models == ("embedder",) else {}
    strategy = kind(max_chars=90, **models)
    for form in kind.takes:
        assert len(strategy(SOURCES[form])) > 0
    form = "elements" if "elements" in kind.takes else kind.takes[0]
    assert tuple(strategy(SOURCES[form]).to_columns()) == (*BASE, *kind.columns)
    if "text" not in kind.takes:
        with pytest.raises((ConfigError, cw.ReadError)):
            strategy(SOURCES["text"])


def test_a_strategy_is_imported_when_it_is_asked_for() -> None:
    code = (
        "import sys, chunkwright.chunking.registry as r; before = set(sys.modules); "
        "assert 'cluster' in r.ALL_STRATEGIES and len(r.ALL_STRATEGIES) == len(r.CLASSES); "
        "assert not [m for m in set(sys.modules) - before if 'chunkwright' in m]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_the_package_gives() -> None:
    names = vars(chunking)["__all__"]
    assert {*names} <= {*dir(chunking)}
    for name in names:
        assert getattr(chunking, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Recursiv'"):
        _ = chunking.Recursiv  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["semantic", "SemanticChunker", "by_meaning", "embeddings"])
def test_who_asks_for_meaning_is_told_the_four(name: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        cw.chunk("text", name, max_tokens=9)
    assert str(caught.value) == (
        f"unknown strategy {name!r}: by meaning there are "
        "'kamradt', 'kamradt_modified', 'cluster', 'discontinuity'"
    )


@pytest.mark.parametrize("name", ["recursiv", "sentences", "window "])
def test_other_names_get_the_nearest(name: Any) -> None:
    with pytest.raises(ConfigError, match="did you mean"):
        cw.chunk("text", name, max_tokens=9)


@pytest.mark.parametrize("name", [None, 5, ["recursive"], {}])
def test_what_is_no_name_is_refused(name: Any) -> None:
    with pytest.raises(ConfigError, match="unknown strategy"):
        make_strategy(name, {})


@pytest.mark.parametrize(
    ("strategy", "option", "message"),
    [
        ("window", "separators", "strategy 'window' has no separators, which is for 'recursive'"),
        ("basic", "mean", "strategy 'basic' has no mean, which is for 'cluster'"),
        ("cluster", "meen", "unknown option 'meen' of 'cluster': did you mean 'mean'?"),
        ("cluster", "_cutter", "unknown option '_cutter' of 'cluster'"),
    ],
)
def test_options_of_others_are_told_from_unknown_ones(
    strategy: str, option: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        make_strategy(strategy, {option: 1})


def test_a_table_becomes_a_strategy() -> None:
    asked = []

    def embedder(name: str) -> Lexical:
        asked.append(name)
        return Lexical()

    table = {"strategy": "cluster", "max_tokens": 90, "embedder": "model", "mean": "local"}
    made = strategy_of(table, embedder=embedder)
    assert made == cw.Cluster(max_tokens=90, embedder=Lexical(), mean="local")
    assert strategy_of({"separators": "go"}, embedder=embedder) == cw.Recursive(separators="go")
    assert table["embedder"] == "model"
    assert asked == ["model"]
    # No model is read for options that make no sense.
    with pytest.raises(ConfigError, match="has no embedder, which is for 'kamradt'"):
        strategy_of({"strategy": "window", "embedder": "model"}, embedder=embedder)
    assert asked == ["model"]
    assert "embedder" in options_of("cluster")
