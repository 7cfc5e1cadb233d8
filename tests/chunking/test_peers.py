"""Words of other libraries: what is said of them, and that what is said is there."""

import re
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright._strategies import CLASSES
from chunkwright.chunking import ALL_STRATEGIES
from chunkwright.chunking.peer_terms import OPTIONS, STRATEGIES, nearest_option, plain_name
from chunkwright.chunking.registry import options_of
from chunkwright.errors import ConfigError

ALL_OPTIONS = {name for strategy in ALL_STRATEGIES for name in options_of(strategy)} | {"strategy"}


@pytest.mark.parametrize("word", OPTIONS)
def test_options_are_named_that_there_are(word: str) -> None:
    ours = OPTIONS[word]
    assert {*ours.names} <= ALL_OPTIONS
    assert word not in ALL_OPTIONS
    assert ours.sentence


@pytest.mark.parametrize("word", STRATEGIES)
def test_strategies_are_named_that_there_are(word: str) -> None:
    said = STRATEGIES[word]
    # A strategy stands in front, behind "or", or behind "over texts".
    named = re.findall(r"(?:^|or |texts )'(\w+)'", said)
    assert {*named} <= {*CLASSES}
    assert named or said.startswith(("none", "cw."))
    assert word not in CLASSES


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("chunk_size", "here it is max_tokens or max_chars"),
        ("chunk_overlap", "here it is overlap, in the unit of the limit"),
        ("max_characters", "here it is max_chars"),
        ("new_after_n_chars", "here it is soft_max"),
        ("encoding_name", "here it is tokenizer, the name of one, or an object that counts"),
        ("length_function", "here it is tokenizer, which takes a callable too"),
        ("add_start_index", "all offsets are kept: chunk.start and chunk.end"),
    ],
)
def test_an_option_of_others_is_told_by_call_and_by_class(option: str, said: str) -> None:
    with pytest.raises(ConfigError) as by_name:
        cw.strategy("recursive", **{option: 100})
    assert str(by_name.value) == f"unknown option {option!r} of 'recursive': {said}"
    made: Any = cw.Recursive
    with pytest.raises(TypeError) as by_class:
        made(**{option: 100})
    assert str(by_class.value) == f"Recursive() has no {option}: {said}"


def test_what_a_strategy_does_not_have_is_not_said_of_it() -> None:
    # A window cuts at no separators.
    hint = nearest_option("is_separator_regex", options_of("window"))
    assert hint[-1].endswith("of other strategies")
    hint = nearest_option("buffer_size", options_of("window"))
    assert "".join(hint) == "here it is window, of other strategies"
    with pytest.raises(TypeError, match="unexpected keyword argument 'is_separator_regex'"):
        cw.Window(is_separator_regex=True)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("markdown", "'recursive' with separators='markdown', or 'hybrid' or 'by_title' over"),
        ("MarkdownHeaderTextSplitter", "'hybrid' or 'by_title' over cw.read"),
        ("token", "other libraries' 'token' is here 'window'"),
        ("TokenTextSplitter", "other libraries' 'token' is here 'window'"),
        ("character", "other libraries' 'character' is here 'recursive' with max_chars"),
        ("RecursiveCharacterTextSplitter", "here 'recursive' with max_chars"),
        ("recursive_character", "here 'recursive' with max_chars"),
        ("sentence_transformers", "'window' with the tokenizer of the model"),
        ("semantic", "by meaning there are 'kamradt'"),
        ("SentenceSplitter", "did you mean 'sentence'"),
        ("By Title", "did you mean 'by_title'"),
    ],
)
def test_a_strategy_of_others_is_told(name: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)):
        cw.chunk("text", name)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("HTMLHeaderTextSplitter", "html_header"),
        ("NLTKTextSplitter", "nltk"),
        ("late-chunking", "late"),
        ("", ""),
    ],
)
def test_names_of_classes_become_plain(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_a_strategy_may_be_given_itself() -> None:
    splitter = cw.Window(max_chars=4)
    chunks = cw.chunk("One two.", splitter, name="a")
    assert chunks.texts() == splitter("One two.").texts()
    assert chunks[0].id == splitter("One two.", name="a")[0].id
    with pytest.raises(ConfigError, match=r"to Window\(...\) itself, got max_chars=9 beside it"):
        cw.chunk("One two.", splitter, max_chars=9)  # type: ignore[call-overload]


def test_a_strategy_by_a_name_known_at_run_time() -> None:
    assert cw.strategy("window", max_chars=4) == cw.Window(max_chars=4)
    with pytest.raises(ConfigError, match="did you mean 'window'"):
        cw.strategy("windo")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (Path("a.md"), r"got \w*Path: cw.read\(path\) reads a file"),
        (["one", "two"], r"got list: .batch\(texts\) cuts several"),
        (3, "got int$"),
    ],
)
def test_what_is_no_text_is_told_where_to_go(source: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        cw.Window(max_chars=4)(source)


def test_a_class_is_no_strategy() -> None:
    with pytest.raises(ConfigError, match=r"it is a class: make a strategy of it, Window\("):
        cw.chunk("text", cw.Window)  # type: ignore[call-overload]
