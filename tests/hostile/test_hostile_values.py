"""One value of half a megabyte, in each form that holds one: cut in bounded time, by the laws."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES, ELEMENT_STRATEGIES, STRATEGIES
from tests import laws
from tests.support.mostly_slow import mostly_slow

N = 500_000
OPTIONS: dict[str, Any] = {"max_tokens": 256, "overlap": 0, "tokenizer": "cl100k_base"}

VALUES = {
    "letters": "x9" * (N // 2),
    "words": "some words " * (N // 11),
    "graphemes": "\N{WOMAN}\N{ZERO WIDTH JOINER}" * (N // 16),
}


def _document(form: str, value: str) -> cw.Document:
    source = {
        "md": f"# One value\n\nIn front.\n\n| a | b |\n|---|---|\n| 1 | {value} |\n\nBehind.\n",
        "html": f"<h1>One value</h1><table><tr><th>a<th>b<tr><td>1<td>{value}</table>",
        # A longer field is an error that names the limit.
        "csv": f"a,b\n1,{value[:100_000]}\n2,3\n",
        "txt": value,
    }
    return cw.read(source[form].encode(), name=f"one.{form}")


@pytest.mark.cpu_seconds(100)
@pytest.mark.parametrize(
    ("strategy", "form", "value"),
    mostly_slow(product(sorted(ALL_STRATEGIES), ["md", "html", "csv", "txt"], VALUES), quick=20),
)
def test_one_long_value(strategy: str, form: str, value: str) -> None:
    if strategy == "json":
        text = json.dumps({"before": 1, "key": [VALUES[value]], "behind": 2}, ensure_ascii=False)
        chunks = cw.chunk(text, "json", **OPTIONS)
        assert "".join(cw.Json.pointers(chunks)).count("/key/0") >= len(chunks) - 2
    else:
        if form == "txt" and strategy not in STRATEGIES:
            pytest.skip("the strategy takes documents with elements only")
        document = _document(form, VALUES[value])
        needed = laws.needed(strategy)
        if strategy == "by_similarity":
            needed = {"embedder": laws.by_first_letter}
        chunks = cw.strategy(strategy, **needed, **OPTIONS)(document)
        if strategy not in ELEMENT_STRATEGIES:
            laws.bodies_cover_the_text(document.text, chunks)
    laws.limits_hold(chunks, OPTIONS)
    assert len(chunks) > 10
