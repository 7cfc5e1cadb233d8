"""Options that make no sense are refused, by an error that names the value."""

import json
import pickle
import re
from functools import partial
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES, ELEMENT_STRATEGIES, STRATEGIES
from chunkwright.chunking.bases.options import DEFAULT_MAX_TOKENS
from chunkwright.chunking.bases.strategy import fingerprint_of
from chunkwright.chunking.languages import markup_of_language, separators_for_language
from chunkwright.cli.settings.table import Settings
from tests import laws
from tests.support import scripted_models

TEXT = "One two three four five six."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_tokens": 5, "max_chars": 5}, "got max_tokens=5 and max_chars=5"),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        ({"max_chars": -1}, "max_chars must be at least 1, got -1"),
        ({"max_chars": 2**70}, f"between 1 and {2**62}, got {2**70}"),
        ({"max_chars": 512.5}, "max_chars must be an int, got 512.5"),
        ({"max_chars": float("nan")}, "max_chars must be an int, got nan"),
        ({"max_chars": "512"}, "max_chars must be an int, got '512'"),
        ({"max_chars": True}, "max_chars must be an int, got True"),
        ({"overlap": 512}, "overlap must be less than max_tokens=512, got 512"),
        ({"max_chars": 9, "soft_max": 10}, "soft_max must be between 1 and 9, got 10"),
        ({"max_chars": 9, "soft_max": 0}, "soft_max must be between 1 and 9, got 0"),
        ({"max_chars": 9, "overlap": 9}, "overlap must be less than max_chars=9, got 9"),
        ({"max_chars": 9, "overlap": 20}, "overlap must be less than max_chars=9, got 20"),
        ({"max_chars": 9, "soft_max": 5, "overlap": 5}, "less than soft_max=5, got 5"),
        ({"max_chars": 9, "overlap": -1}, "overlap must be at least 0, got -1"),
        ({"max_chars": 9, "overlap_at": "words"}, "'words': did you mean 'word'?"),
        ({"max_chars": 9, "overlap_at": "sentences"}, "'sentences': did you mean 'sentence'?"),
        ({"max_tokens": 9, "tokenizer": "cl100k"}, "'cl100k': did you mean 'cl100k_base'?"),
        ({"max_chars": 9, "overlapp": 1}, "'overlapp' of 'recursive': did you mean 'overlap'?"),
        ({"max_chars": 9, "strategy": "recursiv"}, "'recursiv': did you mean 'recursive'?"),
        (
            {"max_chars": 9, "separators": "\n"},
            "separators must be a list, or a name such as 'python', got '\\n'",
        ),
        ({"max_chars": 9, "separators": 3}, "or a name such as 'python', got 3"),
        ({"separators": "pyton"}, "unknown separators 'pyton': did you mean 'python'?"),
        ({"separators": "python", "markup": "cod"}, "unknown markup 'cod': did you mean 'code'?"),
        ({"max_chars": 9, "separators": [3]}, "a separator must be a str, got 3"),
        ({"max_chars": 9, "separators": [cw.Separator("(", regex=True)]}, '"(" is not a regular'),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=re.escape(message)) as error:
        cw.chunk(TEXT, **options)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize("name", ALL_STRATEGIES)
def test_the_limit_is_that_of_the_command_line(name: str) -> None:
    options: dict[str, Any] = {"embedder": "lexical"} if name == "by_similarity" else {}
    options |= {"llm": scripted_models.silent} if name == "llm" else {}
    made: Any = ALL_STRATEGIES[name]
    kind = partial(made, **options)
    words = "Words and more words. " * 300
    text: Any = [{"type": "NarrativeText", "text": words}] if name in ELEMENT_STRATEGIES else words
    text = json.dumps(words.split(". ")) if name == "json" else text
    strategy = kind()
    assert strategy == kind(max_tokens=512) == pickle.loads(pickle.dumps(strategy))
    assert DEFAULT_MAX_TOKENS == Settings().limit["max_tokens"] == 512
    call: Any = cw.chunk
    assert call(text, name, **options) == strategy(text) == kind(max_tokens=512)(text)
    assert 256 < max(strategy(text).n_tokens) <= 512
    # Another limit takes its place.
    assert kind(max_chars=600).max_tokens is None


def test_sentences_are_a_limit() -> None:
    assert cw.Sentence(sentences=3).max_tokens is None
    assert len(cw.chunk("A sentence. " * 9_000, "sentence", sentences=9_000)) == 1


def test_refused_elsewhere() -> None:
    with pytest.raises(cw.ConfigError, match="unknown keep 'begin'"):
        cw.Separator("x", keep="begin")  # type: ignore[arg-type]
    with pytest.raises(cw.ConfigError, match="unknown language 'pyton': did you mean 'python'"):
        cw.Recursive.for_language("pyton", max_chars=5)
    with pytest.raises(cw.ConfigError, match="text must be a str or a Document, got bytes"):
        cw.chunk(b"x", max_chars=5)  # type: ignore[call-overload]
    with pytest.raises(cw.TokenizerError, match="7 is no tokenizer"):
        cw.Tokenizer(7)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers() -> None:
    options: dict[str, Any] = {"max_chars": np.int64(9), "overlap": np.uint8(2)}
    assert cw.chunk(TEXT, **options) == cw.chunk(TEXT, max_chars=9, overlap=2)


def test_limits_without_limit() -> None:
    assert cw.chunk(TEXT, max_chars=2**62).texts() == [TEXT]
    assert cw.chunk(TEXT, "window", max_tokens=2**62).texts() == [TEXT]


@pytest.mark.parametrize("text", ["", " ", "\n\n\t", "\u3000\x1c"])
@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_nothing_has_no_chunks(strategy: Any, text: str) -> None:
    options = laws.needed(strategy)
    assert len(cw.chunk(text, strategy, max_chars=1, **options)) == 0
    assert len(cw.chunk(text, strategy, max_tokens=1, **options)) == 0


def test_a_strategy_is_its_options() -> None:
    splitter = cw.Recursive(
        max_chars=9, overlap=2, separators=["\n", cw.Separator("x", keep="end")]
    )
    assert splitter == cw.Recursive(
        max_chars=9, overlap=2, separators=("\n", cw.Separator("x", keep="end"))
    )
    copy = pickle.loads(pickle.dumps(splitter))
    assert copy == splitter
    assert copy(TEXT) == splitter(TEXT)
    assert "max_chars=9" in repr(splitter)
    assert "_limits" not in repr(splitter)
    with pytest.raises(AttributeError):
        splitter.overlap = 3  # type: ignore[misc]


@pytest.mark.parametrize("language", ["python", "markdown", "rst", "latex"])
def test_separators_of_a_language_are_a_value(language: Any) -> None:
    named = cw.Recursive(separators=language, max_chars=20)
    listed = cw.Recursive(
        separators=list(separators_for_language(language)),
        markup=markup_of_language(language),
        max_chars=20,
    )
    for other in (
        listed,
        cw.Recursive.for_language(language, max_chars=20),
        pickle.loads(pickle.dumps(named)),
    ):
        assert other == named
        assert repr(other) == repr(named)
        assert fingerprint_of(other) == fingerprint_of(named)
        assert list(other(TEXT).ids) == list(named(TEXT).ids)
    assert cw.Recursive(separators=language, markup="text") != named


@pytest.mark.parametrize(
    ("keep", "texts"),
    [("start", ["a;b", ";c"]), ("end", ["a;", "b;c"]), ("drop", ["a;b", "c"])],
)
def test_where_a_separator_goes(keep: Any, texts: list[str]) -> None:
    mark = cw.Separator(";", keep=keep)
    assert cw.chunk("a;b;c", max_chars=3, separators=[mark]).texts() == texts
    pattern = cw.Separator("[;]", regex=True, keep=keep)
    assert cw.chunk("a;b;c", max_chars=3, separators=[pattern]).texts() == texts


def test_an_empty_separator_ends_the_list() -> None:
    with_empty = cw.chunk(TEXT, max_chars=9, separators=["\n", "", " "])
    assert with_empty == cw.chunk(TEXT, max_chars=9, separators=["\n"])


def test_an_empty_match_is_a_place_to_cut() -> None:
    mark = cw.Separator(r"\b", regex=True)
    assert cw.chunk("漢字+x", max_chars=3, separators=[mark]).texts() == ["漢字+", "x"]
