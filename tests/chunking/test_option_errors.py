"""Options in the core: errors name the one that is wrong, and defaults are those of Python."""

import copy
import json
import math
import pickle
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright import _core
from chunkwright.chunking import ALL_STRATEGIES
from chunkwright.chunking.option_table import BESIDE, option_table
from chunkwright.chunking.registry import options_of, strategy_of
from chunkwright.evaluation import Dataset, evaluate
from tests import laws
from tests.support import scripted_models


class Odd:
    """No value of any option."""


def _needed(strategy: str) -> dict[str, Any]:
    if strategy == "llm":
        return {"llm": scripted_models.silent}
    return {"embedder": "lexical"} if strategy == "by_similarity" else {}


OPTIONS = [(strategy, option) for strategy in ALL_STRATEGIES for option in options_of(strategy)]


@pytest.mark.parametrize(("strategy", "option"), OPTIONS)
def test_an_error_names_its_option(strategy: str, option: str) -> None:
    odd: Any = Odd()
    with pytest.raises((cw.ConfigError, cw.TokenizerError)) as caught:
        cw.strategy(strategy, **{**_needed(strategy), option: odd})
    if isinstance(caught.value, cw.ConfigError):
        assert caught.value.option == option
    else:
        assert option == "tokenizer"


# Values of no option, whatever its kind, that has a type and a range; what is no text is no name.
BAD = [
    *(Odd(), [], b"x", {}, math.nan, np.float64(-7.5), "\ud800", 10**400),
    *(np.True_, Decimal(2), np.array([0.5])),
]


@pytest.mark.parametrize(("strategy", "option"), OPTIONS)
def test_an_error_shows_the_value(strategy: str, option: str) -> None:
    kind = option_table(strategy)[option].kind
    is_beside = kind in {*BESIDE, "separators", "marks"}
    for value in [] if is_beside else BAD:
        if option == "amount" and isinstance(value, float):
            continue
        with pytest.raises(cw.ConfigError) as caught:
            cw.strategy(strategy, **{**_needed(strategy), option: value})
        begin = f"unknown {option} " if kind == "name" else f"{option} must be "
        assert str(caught.value).startswith(begin)
        shown = value if isinstance(value, int) and kind in {"int", "size"} else repr(value)
        assert str(shown) in str(caught.value)


def test_equal_strategies_have_equal_specs() -> None:
    of_numpy = cw.strategy("kamradt", max_chars=np.int64(90), amount=90)
    plain = cw.strategy("kamradt", max_chars=90, amount=90.0)
    assert of_numpy == plain
    assert json.dumps(of_numpy.spec) == json.dumps(plain.spec)


@pytest.mark.parametrize(
    ("spec", "option"),
    [
        ({"strategy": "recursiv"}, "strategy"),
        ({"strategy": "window", "mean": "local"}, "mean"),
        ({"strategy": "window", "max_charz": 5}, "max_charz"),
        ({"strategy": "window", "max_chars": 5, "max_tokens": 5}, "max_chars"),
        ({"strategy": "window", "max_chars": 5, "overlap": 5}, "overlap"),
        ({"strategy": "window", "tokenizer": "cl100k"}, "tokenizer"),
        ({"strategy": "balanced", "language": "xx"}, "language"),
        ({"strategy": "recursive", "separators": "pyton"}, "separators"),
        ({"strategy": "recursive", "separators": [{"pattern": "(", "regex": True}]}, "separators"),
        ({"strategy": "recursive", "separators": [{"pattern": ";", "keeps": "end"}]}, "separators"),
        ({"strategy": "sentence", "window": 1, "overlap": 2}, "window"),
        ({"strategy": "sentence", "sentences": 2, "soft_max": 2}, "soft_max"),
        ({"strategy": "kamradt", "amount": 99, "n_chunks": 3}, "n_chunks"),
        ({"strategy": "kamradt", "embedder": "lexikal"}, "embedder"),
        ({"strategy": "basic", "skip_tables": True, "isolate_tables": False}, "skip_tables"),
        ({"strategy": "by_similarity"}, "embedder"),
        ({"strategy": "json", "overlap": 1}, "overlap"),
        ({"strategy": "llm"}, "llm"),
    ],
)
def test_errors_of_specs_name_an_option(spec: dict[str, Any], option: str) -> None:
    with pytest.raises(cw.ConfigError) as caught:
        cw.strategy(**spec)
    error = caught.value
    assert error.option == option
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(again), str(again), again.option) == (type(error), str(error), option)
    with pytest.raises(cw.ConfigError) as caught:
        strategy_of(spec, embedder=lambda name: name)
    assert caught.value.option == option


@pytest.mark.parametrize(
    ("spec", "value", "allowed", "concerns"),
    [
        ({"strategy": "window", "max_chars": 0}, 0, "at least 1", ()),
        ({"strategy": "window", "overlap_at": "words"}, "words", ("word", "sentence", "any"), ()),
        ({"strategy": "window", "max_chars": 5, "overlap": 9}, 9, None, ("max_chars",)),
        ({"strategy": "kamradt", "n_chunks": 2, "amount": 9}, 2, None, ("threshold", "amount")),
        ({"strategy": "window", "soft_max": "all"}, "all", "an int", ()),
        ({"strategy": "window", "soft_max": [3]}, "[3]", "an int", ()),
    ],
)
def test_errors_have_fields(
    spec: dict[str, Any], value: object, allowed: object, concerns: tuple[str, ...]
) -> None:
    with pytest.raises(cw.ConfigError) as caught:
        cw.strategy(**spec)
    error = caught.value
    for one in (error, pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert (one.value, one.allowed, one.concerns) == (value, allowed, concerns)
        spelt = str(one.spell(lambda option: f"${option.upper()}"))
        assert f"${str(one.option).upper()}" in spelt
        assert one.option == error.option


def test_the_core_names_an_option() -> None:
    chars = _core.Unit.named("chars")
    for spec, option in (
        ({"strategy": "fifth"}, "strategy"),
        ({"strategy": "window", "max_chars": "9"}, "max_chars"),
        ({"strategy": "window", "max_chars": Odd()}, "max_chars"),
        ({"strategy": "window", "mean": 1}, "mean"),
        ({"strategy": "auto", "overlap_at": "words"}, "overlap_at"),
    ):
        with pytest.raises(cw.ConfigError) as caught:
            _core.Cutter(chars, spec)
        assert caught.value.option == option


def test_an_error_of_no_option_names_none() -> None:
    with pytest.raises(cw.ConfigError) as caught:
        cw.Window(max_chars=5)(5)  # type: ignore[arg-type]
    assert caught.value.option is None
    assert cw.ConfigError("text").option is None
    with pytest.raises(cw.ConfigError) as caught:
        evaluate(cw.Window(max_chars=5), Dataset({}, ()), cutoffs=-1)
    assert pickle.loads(pickle.dumps(caught.value)).option is None


@pytest.mark.parametrize("strategy", ALL_STRATEGIES)
@pytest.mark.parametrize("limit", [{}, {"max_chars": 2000}, {"max_tokens": 30}], ids=str)
def test_the_core_has_the_same_defaults(strategy: str, limit: dict[str, int]) -> None:
    made: Any = cw.strategy(strategy, **limit, **_needed(strategy))
    beside = made._beside()
    if strategy == "llm":
        # Who is asked is shown by its address.
        beside = {"asked": (asked := beside["asked"])}
        made_cutter = _core.Cutter(made.unit, made._data(), asked=asked)
    else:
        made_cutter = made._cutter
    bare = _core.Cutter(made.unit, {"strategy": strategy, **limit}, **beside)
    assert repr(bare) == repr(made_cutter)


def test_all_strategies_are_held() -> None:
    assert {strategy for strategy, _ in OPTIONS} == {*ALL_STRATEGIES}
    assert {*laws.needed("by_similarity")} <= {*options_of("by_similarity")}
