"""The cases of `data`, which the core's own tests read too."""

import json
import pickle
import tomllib
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES
from tests.support import scripted_models

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
    spec = dict(case["spec"])
    if "starts" in case:
        spec["llm"] = lambda _: {"starts": case["starts"]}
    splitter: Any = cw.strategy(**spec)
    assert splitter(_source(case)).texts() == case["chunks"]


def _source(case: dict[str, Any]) -> str | cw.Document:
    text: str = case["text"]
    if "reads" not in case:
        return text
    document = cw.read_markdown(text)
    if "pages" not in case or document.elements is None:
        return document
    pages = zip(document.elements, case["pages"], strict=True)
    places = [
        {"kind": element.kind, "start": element.start, "end": element.end, "page": page}
        for element, page in pages
    ]
    return cw.Document(elements=cw.elements_at(text, places))


def test_every_strategy_has_a_case() -> None:
    assert {case["spec"]["strategy"] for case in _cases("chunks.toml")} == {*ALL_STRATEGIES}


@pytest.mark.parametrize("case", _cases("chunks.toml"), ids=lambda case: case["why"])
def test_a_spec_is_its_strategy(case: dict[str, Any]) -> None:
    is_llm = case["spec"]["strategy"] == "llm"
    llm: dict[str, Any] = {"llm": scripted_models.silent} if is_llm else {}
    strategy: Any = cw.strategy(**case["spec"], **llm)
    spec = strategy.spec
    assert cw.strategy(**spec) == strategy == pickle.loads(pickle.dumps(strategy))
    data = {name: value for name, value in spec.items() if name not in llm}
    assert cw.strategy(**json.loads(json.dumps(data)), **llm) == strategy
    given = {"separators", *llm}
    assert {*spec} - {"markup"} == {*case["spec"], *llm}
    assert all(spec[name] == value for name, value in case["spec"].items() if name not in given)
