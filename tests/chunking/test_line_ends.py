"""Signs that end lines and paragraphs, wherever they stand, in all strategies."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import make_strategy
from tests import laws

ENDS = ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\n\n"]
WORDS = ["one", "two;", "three.", "Here:", "\u2014", "# Title", "- item", "```", "::", "|a|b|"]
TEXT = st.lists(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(ENDS),
        st.sampled_from(["", " ", "  "]),
        st.sampled_from(WORDS),
    ),
    max_size=14,
).map("".join)
READ: dict[str, Any] = {
    "text": lambda text: cw.Document(text=text),
    "markdown": cw.read_markdown,
    "rst": cw.read_rst,
}


@pytest.mark.parametrize(
    "strategy",
    ["recursive", "sentence", "balanced", "line_based", "cluster", "hierarchical", "hybrid"],
)
@given(text=TEXT, markup=st.sampled_from([*READ]), options=laws.options())
@example(
    text="one two;\n\x85three four five six",
    markup="markdown",
    options={"max_chars": 10, "soft_max": 6, "overlap": 0, "tokenizer": "bytes"},
)
@example(
    text="::\n \u2014\u2028",
    markup="rst",
    options={"max_tokens": 1, "overlap": 0, "tokenizer": "cl100k_base"},
)
def test_laws(strategy: str, text: str, markup: str, options: dict[str, Any]) -> None:
    document = READ[markup](text)
    chunks: cw.Chunks = make_strategy(strategy, options)(document)
    laws.hold(document.text, chunks, options)
