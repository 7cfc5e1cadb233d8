"""Broken and strange ``tokenizer.json`` files: a right count, or a typed error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tokenizers import Tokenizer as Theirs

import chunkwright as cw
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA
from tests.support.made_tokenizers import changed

hostile = load()
if hostile is None:
    pytest.skip(NO_SHARED_DATA, allow_module_level=True)

SCALE = 0.2
pytestmark = [pytest.mark.shared, pytest.mark.cpu_seconds(30)]

# Where the library fails, or answers by dice.
NOT_COMPARED = {"k_dropout_half", "k_regex_catastrophic"}
# What would make a text longer or shorter.
CARRIED = {"truncation": None, "padding": None}


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name) for case in hostile.cases(kind="tokenizer")]
)
def test_tokenizer(case: Any, tmp_path: Any) -> None:
    made = case.make(SCALE)
    file = tmp_path / "tokenizer.json"
    file.write_text(made["json"], "utf-8")
    try:
        tokenizer = cw.Tokenizer(file)
        count = tokenizer.count(made["probe"])
    except cw.TokenizerError as raised:
        error = str(raised)
    else:
        error = ""
    if error:
        assert case.expect != "chunks"
        assert "tokenizer.json" in error
        return
    assert case.expect != "error"
    assert tokenizer.count(made["probe"]) == count
    if case.name not in NOT_COMPARED:
        theirs = Theirs.from_str(json.dumps({**json.loads(made["json"]), **CARRIED}))
        assert count == len(theirs.encode(made["probe"], add_special_tokens=False).ids)
    chunks = cw.chunk(made["probe"][:2000], max_tokens=50, tokenizer=tokenizer)
    assert all(chunk.n_tokens <= 50 or chunk.oversize for chunk in chunks)


def _with_normalizer(name: str, normalizer: dict[str, Any]) -> str:
    return json.dumps({**json.loads(changed(name)), "normalizer": normalizer})


def test_a_replacement_that_grows_without_bound_is_refused() -> None:
    replace = {"type": "Replace", "pattern": {"Regex": "."}, "content": "x" * 1000}
    twice = {"type": "Sequence", "normalizers": [replace, replace]}
    with pytest.raises(cw.TokenizerError, match="1002001 times longer"):
        cw.Tokenizer(_with_normalizer("unigram", twice))
    once = cw.Tokenizer(_with_normalizer("wordlevel", replace))
    with pytest.raises(cw.TokenizerError, match="may make 300300000 bytes"):
        once.count("a" * 300_000)


def test_an_added_token_of_which_nothing_is_left_is_refused() -> None:
    # The library finds it in front of every character until the memory is full.
    flags = dict.fromkeys(["single_word", "lstrip", "rstrip", "special"], False)
    token = {"id": 0, "content": "\u0301", "normalized": True, **flags}
    with pytest.raises(cw.TokenizerError, match=r"leaves nothing of the added token"):
        cw.Tokenizer(changed("bert", added_tokens=[token]))
    raw = {**token, "normalized": False}
    assert cw.Tokenizer(changed("bert", added_tokens=[raw])).count("a\u0301") == 2


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ('{"version":"1.0","model":{"type":"BPE","vocab":{},"merges":' + "[" * 200_000, ""),
        ('{"version":"1.0","model":' + '{"a":' * 200_000, "1" + "}" * 200_001),
        ('{"model":{"type":"Unigram","vocab":' + "[" * 200_000, "]" * 200_000 + "}}"),
        ('{"added_tokens":' + "[" * 200_000, "]" * 200_000 + "}"),
    ],
    ids=["merges", "model", "vocab", "added"],
)
def test_deep_nesting_is_refused(start: str, end: str) -> None:
    with pytest.raises(cw.TokenizerError, match="cannot be used as a tokenizer"):
        cw.Tokenizer(start + end)


def test_hashes_that_collide_do_not_take_the_time_of_all_pairs() -> None:
    # The tables' hash is no secret: tokens whose hashes agree in the bits that choose their slots.
    multiplier, mask = 0x9E37_79B9_7F4A_7C15, (1 << 64) - 1
    inverse = pow(multiplier, -1, 1 << 64)
    start = 8 * multiplier & mask

    def token(i: int) -> bytes:
        rotated = i * inverse & mask
        return (((rotated >> 23) | (rotated << 41)) & mask ^ start).to_bytes(8, "little")

    import tiktoken

    ranks = {bytes([i]): i for i in range(256)}
    ranks |= {token(i): 256 + i for i in range(5000)}
    pattern = tiktoken.get_encoding("cl100k_base")._pat_str
    encoding = tiktoken.Encoding("c", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    ours = cw.Tokenizer(encoding)
    assert not hasattr(ours._backend, "core")
    assert ours.count("some text") == len(encoding.encode_ordinary("some text"))


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    case = hostile.get("k_precompiled_garbage").make(SCALE)
    with pytest.raises(cw.TokenizerError, match="charsmap"):
        cw.Tokenizer(case["json"])
    assert capfd.readouterr().err == ""
