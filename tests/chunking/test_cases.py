"""The cases of `data`, which the core's own tests read too."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw

OPTIONS = ("soft_max", "overlap", "sentences", "window")
DATA = Path(__file__).parents[1] / "data"


def _cases(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = tomllib.loads((DATA / name).read_text("utf-8"))["case"]
    return cases


@pytest.mark.parametrize("case", _cases("counts.toml"), ids=lambda case: repr(case["text"]))
def test_counts(case: dict[str, Any]) -> None:
    for name in ("cl100k_base", "o200k_base"):
        assert cw.count_tokens(case["text"], name) == case[name]


@pytest.mark.parametrize("case", _cases("chunks.toml"), ids=lambda case: case["why"])
def test_chunks(case: dict[str, Any]) -> None:
    options = {name: case[name] for name in OPTIONS if name in case}
    chunks = cw.chunk(case["text"], case["strategy"], max_chars=case["max"], **options)
    assert chunks.texts() == case["chunks"]
