"""The counter by itself."""

import contextlib
import pickle
import re
from pathlib import Path

import pytest
import tiktoken

import chunkwright as cw
from chunkwright.compat.langchain import TokenTextSplitter
from tests.support.vocabularies import BUILT_IN


def test_batches() -> None:
    tokenizer = cw.Tokenizer("cl100k_base")
    assert tokenizer.count_batch(["", "a", "Hello, world!"]) == [0, 1, 4]
    assert tokenizer.count_batch(text for text in ["a", "b"]) == [1, 1]


def test_special_tokens_are_text() -> None:
    assert cw.count_tokens("<|endoftext|>") == 7
    assert cw.Tokenizer("cl100k_base").encode("<|endoftext|>")[0] < 100_000
    letters = tiktoken.Encoding(
        "letters",
        pat_str=r"\s+|\S+",
        mergeable_ranks={bytes([byte]): byte for byte in range(256)},
        special_tokens={"<|end|>": 256},
    )
    assert cw.Tokenizer(letters).encode("<|end|>") == list(b"<|end|>")
    with pytest.raises(ValueError, match="disallowed special token"):
        letters.encode("<|end|>")
    with pytest.raises(ValueError, match="disallowed special token"):
        TokenTextSplitter("cl100k_base").split_text("<|endoftext|>")


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    tokenizer = cw.Tokenizer("cl100k_base")
    first, *_ = tokenizer.encode("\U0001f680")
    assert tokenizer.decode([first]) == "\ufffd"


@pytest.mark.parametrize("ids", [[100_256], [2**31], [-1], [2**40], ["x"]])
def test_unknown_ids(ids: list[int]) -> None:
    with pytest.raises(cw.TokenizerError, match="100255"):
        cw.Tokenizer("cl100k_base").decode(ids)


@pytest.mark.parametrize("span", [(-1, 2), (2, 1), (0, 8), (8, 9)])
def test_positions_outside(span: tuple[int, int]) -> None:
    for tokenizer in ("cl100k_base", len):
        with pytest.raises((IndexError, OverflowError)):
            cw.Tokenizer(tokenizer).index("漢字 text").count(*span)


def test_positions_are_code_points() -> None:
    index = cw.Tokenizer("o200k_base").index("漢字 \U0001f680 text")
    assert index.text == "漢字 \U0001f680 text"
    assert index.count(5, 9) == cw.count_tokens("text", "o200k_base")
    assert index.longest(0, 10**9) == len(index.text)
    assert index.longest(4, 0) == 4


def test_plain_units() -> None:
    assert cw.count_tokens("漢字", "chars") == 2
    assert cw.count_tokens("漢字", "bytes") == 6
    assert cw.count_tokens("\ud800", "bytes") == 3
    chunks = cw.chunk("漢字漢字", max_tokens=6, tokenizer="bytes")
    assert chunks.texts() == ["漢字", "漢字"]


def test_surrogate_pairs_are_joined() -> None:
    tokenizer = cw.Tokenizer("cl100k_base")
    assert tokenizer.encode("\ud83d\ude80") == tokenizer.encode("\U0001f680")
    assert tokenizer.encode("a\ud800") == tokenizer.encode("a\ufffd")
    text = "a\ud83d\ude80b \ude80"
    index = tokenizer.index(text)
    assert index.count(0, len(text)) == tokenizer.count("a\U0001f680b \ufffd")
    assert index.count(3, 4) == index.count(1, 3) - tokenizer.count("\U0001f680") + 1
    assert index.longest(0, 10**9) == len(text)
    assert index.count(0, 2) == tokenizer.count("a")
    for window in (cw.Window(max_tokens=1), cw.Window(max_chars=1)):
        chunks = window(text)
        assert chunks[1].text == "\ud83d\ude80"
        assert chunks.ends.tolist()[:3] == [1, 3, 4]


def test_equality_and_pickling() -> None:
    tokenizer = cw.Tokenizer("cl100k_base")
    assert pickle.loads(pickle.dumps(tokenizer)) == tokenizer == cw.Tokenizer(tokenizer)
    assert tokenizer != cw.Tokenizer("o200k_base")
    assert repr(tokenizer) == "Tokenizer('cl100k_base')"
    assert hash(tokenizer) == hash(cw.Tokenizer("cl100k_base"))


# ---------------------------------------------------------------------- names


MODELS = tiktoken.model.MODEL_TO_ENCODING
VERSIONS = {f"{prefix}x": name for prefix, name in tiktoken.model.MODEL_PREFIX_TO_ENCODING.items()}


@pytest.mark.parametrize("model", [*MODELS, *VERSIONS, "gpt-4o-mini", "gpt-4-32k", "o3-mini"])
def test_models_of_openai_are_names(model: str) -> None:
    encoding = tiktoken.encoding_name_for_model(model)
    if encoding in BUILT_IN:
        text = "Ein Text, mit Größe: 漢字 and 12345 more."
        assert cw.Tokenizer(model).encode(text) == cw.Tokenizer(encoding).encode(text)
        assert cw.Tokenizer(model).name == model
        chunks = cw.chunk(text, max_tokens=4, tokenizer=model)
        assert chunks == cw.chunk(text, max_tokens=4, tokenizer=encoding)
    else:
        with pytest.raises(cw.ConfigError, match=r"tiktoken\.get_enc|tiktoken\.encoding_for"):
            cw.Tokenizer(model)


def test_a_path_that_begins_as_a_model_is_a_path(tmp_path: Path) -> None:
    for name in ("gpt-5-ours/tokenizer.json", "gpt-4-tokenizer.json"):
        with pytest.raises(cw.TokenizerError, match=r"cannot be read: .*No such file"):
            cw.Tokenizer(name)
    file = tmp_path / "gpt-5-ours"
    file.write_text("no tokenizer", "utf-8")
    with contextlib.chdir(tmp_path), pytest.raises(cw.TokenizerError, match="cannot be used as a"):
        cw.Tokenizer("gpt-5-ours")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cl100k", "did you mean 'cl100k_base'?"),
        ("o200_base", "did you mean 'o200k_base'?"),
        ("gpt4o", "did you mean 'gpt-4o'?"),
        ("char", "did you mean 'chars'?"),
        ("p50k_bas", "did you mean 'p50k_base'?"),
        ("p50k_base", "not built in, pass tiktoken.get_encoding('p50k_base')"),
        ("o200k_harmony", "not built in, pass tiktoken.get_encoding('o200k_harmony')"),
        ("gpt3", "did you mean 'gpt2'?"),
        ("text-davinci-003", "tiktoken.encoding_for_model('text-davinci-003')"),
        ("bert-base-uncased", "else give the path of a tokenizer.json, or an object, such as tran"),
        ("bert-base-uncased", "AutoTokenizer.from_pretrained('bert-base-uncased')"),
        (
            "",
            "built in are 'cl100k_base', 'o200k_base', 'gpt2', 'r50k_base', 'sentence-",
        ),
    ],
)
def test_an_unknown_name_is_answered_with_what_will_do(name: str, message: str) -> None:
    with pytest.raises(cw.ConfigError, match=f"unknown tokenizer '{name}': .*{re.escape(message)}"):
        cw.Tokenizer(name)


def test_a_model_of_a_hub_is_no_path() -> None:
    name = "intfloat/multilingual-e5-large"
    message = rf"given by its tokenizer\.json, or as transformers.*from_pretrained\('{name}'\)"
    with pytest.raises(cw.TokenizerError, match=message):
        cw.Tokenizer(name)
    for path in ("folder/tokenizer.json", "/nowhere/model", "./model"):
        with pytest.raises(cw.TokenizerError, match=r"No such file or directory: '[^']*'$"):
            cw.Tokenizer(path)
