"""Ids are those that tiktoken gave with its own vocabularies; the core's tests read them, too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiktoken

import chunkwright as cw

NAMES = ["cl100k_base", "o200k_base", "gpt2"]
# Made by `scripts/freeze_token_ids.py`.
CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "token_ids.json").read_text("ascii")
)


def test_there_are_some_hundred() -> None:
    assert len(CASES) == len({case["text"] for case in CASES}) > 300


@pytest.mark.parametrize("name", NAMES)
def test_ids(name: str) -> None:
    ours = cw.Tokenizer(name)
    for case in CASES:
        text, ids = case["text"], case[name]
        assert ours.encode(text) == ids, text
        assert ours.count(text) == len(ids), text
        assert ours.decode(ids) == text
        index = ours.index(text)
        assert index.count(0, len(text)) == len(ids), text
        assert index.longest(0, len(ids)) == len(text), text


@pytest.mark.parametrize("name", NAMES)
def test_ids_of_all_texts_as_one(name: str) -> None:
    ours, joint = cw.Tokenizer(name), "x\n1"
    # Spans of an index are counted as texts of their own, whatever stands beside them.
    index = ours.index(joint.join(case["text"] for case in CASES))
    start = 0
    for case in CASES:
        end = start + len(case["text"])
        assert index.count(start, end) == len(case[name]), case["text"]
        start = end + len(joint)


@pytest.mark.differential
@pytest.mark.parametrize("name", NAMES)
def test_tiktoken_still_says_so(name: str) -> None:
    theirs = tiktoken.get_encoding(name)
    for case in CASES:
        assert theirs.encode_ordinary(case["text"]) == case[name], case["text"]
