"""Budgets of answers: no answer is larger than what was asked for, in either form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import chunkwright as cw
from chunkwright.server.problems import Problem
from chunkwright.server.stored.budget import AnswerBudget

from .asking import Answer, ask
from .conftest import MakeService

COUNT = cw.Tokenizer("cl100k_base").count
SIZES = [300, 500, 1000, 2000, 5000]


def sizes(answer: Answer) -> tuple[int, int]:
    """Return the tokens of the text and of the JSON of an answer."""
    said = json.dumps(answer.value, ensure_ascii=False, separators=(",", ":"))
    return COUNT(answer.text), COUNT(said)


@pytest.mark.parametrize("max_tokens", SIZES)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "ledger in winter", "k": 20}),
        ("search", {"query": "ledger", "k": 20, "expand": "section", "fields": ["metadata"]}),
        ("search", {"query": "ledger", "k": 3, "expand": None}),
        ("list_documents", {}),
        ("get_document", {"document": "reports/2.md"}),
        ("list_files", {}),
        ("read_file", {"path": "more/long.md"}),
    ],
)
def test_answers_keep_to_their_budget(  # noqa: PLR0913, PLR0917 - fixtures
    tool: str,
    arguments: dict[str, Any],
    max_tokens: int,
    built: Path,
    root: Path,
    make_service: MakeService,
) -> None:
    answer = ask(make_service(built, root), tool, **arguments, max_tokens=max_tokens)
    assert not answer.is_error, answer.text
    assert max(sizes(answer)) <= max_tokens


@pytest.mark.parametrize("max_tokens", SIZES)
@pytest.mark.parametrize("expand", ["section", "neighbours", None])
def test_blocks_keep_to_their_budget(
    max_tokens: int, expand: str | None, built: Path, make_service: MakeService
) -> None:
    service = make_service(built)
    block = ask(service, "search", query="ledger 9", k=1).value["hits"][0]["block"]
    answer = ask(service, "get_block", block=block, expand=expand, max_tokens=max_tokens)
    assert max(sizes(answer)) <= max_tokens
    assert answer.value["text"]


def test_what_is_left_out_is_counted_and_can_be_had(built: Path, make_service: MakeService) -> None:
    service = make_service(built)
    few = ask(service, "search", query="ledger", k=10, max_tokens=1000, expand=None)
    shown = len(few.value["hits"])
    assert 0 < shown < 10
    assert few.value["n_left_out"] == 10 - shown
    assert few.value["next_offset"] == shown
    assert f"{10 - shown} hits were left out: ask again with offset={shown}" in few.text
    more = ask(service, "search", query="ledger", k=10, max_tokens=20_000, expand=None)
    assert len(more.value["hits"]) == 10
    assert more.value["n_left_out"] == 0


def test_neighbours_fill_what_the_hits_leave(built: Path, make_service: MakeService) -> None:
    service = make_service(built)
    asked = {"query": "ledger 9", "k": 2, "max_tokens": 4000}
    narrow = ask(service, "search", **asked, expand=None)
    wide = ask(service, "search", **asked)
    hits = zip(narrow.value["hits"], wide.value["hits"], strict=True)
    assert all(own["text"] in around["text"] for own, around in hits)
    assert sizes(wide)[1] > sizes(narrow)[1]


def test_a_block_that_is_too_large_is_cut_and_says_so(
    written: Path, make_service: MakeService
) -> None:
    service = make_service(written, is_writing=True)
    long = "word " * 3000
    service.store.add(cw.read(long.encode(), name="long.txt"), strategy=cw.Window(max_tokens=4000))
    hits = ask(service, "search", query="word", k=1, documents=["long.txt"], max_tokens=600)
    (hit,) = hits.value["hits"]
    assert hit["is_cut"]
    assert hit["text"].endswith(" [...]")
    assert max(sizes(hits)) <= 600
    block = ask(service, "get_block", block=hit["block"], max_tokens=600)
    assert block.value["is_cut"]
    assert "ask again with more max_tokens" in block.text
    part = ask(service, "get_document", document="long.txt", max_tokens=600)
    assert part.value["blocks"][0]["is_cut"]
    assert max(sizes(block) + sizes(part)) <= 600


def test_parts_of_a_file_are_all_of_it(root: Path, make_service: MakeService) -> None:
    service = make_service(None, root)
    text, offset = "", 0
    while offset is not None:
        answer = ask(service, "read_file", path="more/long.md", offset=offset, max_tokens=700)
        assert max(sizes(answer)) <= 700
        text += answer.value["text"]
        offset = answer.value["next_offset"]
    assert text == (root / "more" / "long.md").read_text()


class Row(BaseModel):
    """A row of an answer."""

    text: str


@given(text=st.text(max_size=400), most=st.integers(0, 60))
def test_the_beginning_of_a_text_is_one_and_fits(text: str, most: int) -> None:
    begin = AnswerBudget(1000).begin(text, most)
    assert text.startswith(begin)
    # A character may be several tokens, so that not even one fits.
    assert COUNT(begin) <= most
    assert begin or not text or most < 8


@given(text=st.text(min_size=1, max_size=2000), max_tokens=st.integers(150, 400))
def test_a_text_that_is_cut_fits_or_is_refused(text: str, max_tokens: int) -> None:
    budget = AnswerBudget(max_tokens)
    left = budget.left
    try:
        row = budget.cut(text, lambda part: Row(text=part))
    except Problem as problem:
        assert problem.field == "max_tokens"  # noqa: PT017 - either will do
        return
    assert budget.size(row) <= left
    assert text.startswith(row.text.removesuffix(" [...]"))


def test_a_budget_for_nothing_names_what_is_too_little() -> None:
    with pytest.raises(Problem, match="max_tokens=130 is too little") as caught:
        AnswerBudget(130).fitting([Row(text="word " * 50)], lambda row: row)
    assert caught.value.status == 422
