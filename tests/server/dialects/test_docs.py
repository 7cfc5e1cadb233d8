"""Documentation of the dialects of applications: routes, operators and numbers are those served."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from chunkwright.server.dialects.dify.conditions import Comparison
from chunkwright.server.dialects.fastgpt import PATH, SPLIT
from chunkwright.server.dialects.vector_stores.shapes import ComparisonFilter
from chunkwright.server.stored.knowledge import MOST_VALUES

TEXT = (Path(__file__).parents[3] / "docs" / "applications.md").read_text("utf-8")


def test_each_operator_of_dify_is_described_once() -> None:
    table = TEXT.partition("| Operator |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in re.findall("`(.+?)`", row[:60])]
    assert sorted(named) == sorted(get_args(Comparison))


def test_each_filter_of_openai_is_described() -> None:
    kinds = get_args(ComparisonFilter.model_fields["type"].annotation)
    assert set(kinds) <= set(re.findall("`([a-z]+)`", TEXT))


def test_paths_and_numbers_are_those_that_are_served() -> None:
    for said in (SPLIT, f"`POST {PATH}`", f"at most {MOST_VALUES:,} different values"):
        assert said in TEXT
