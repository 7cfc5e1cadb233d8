"""Lists of elements as hypothesis makes them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.laws import count_as_a_saw, count_bare_ends_more
from tests.support.texts import GROWING, PAIRS

TEXT_TYPES = ["NarrativeText", "ListItem", "Title", "CodeSnippet", "Header", "Hologram", "Image"]
ALPHABET = "abcé漢\U0001f680 \n\t\u00a0\x1c."
LETTERS = st.one_of(st.sampled_from(ALPHABET), st.sampled_from(ALPHABET), PAIRS)
PAGES = st.none() | st.integers(1, 4)

Item = dict[str, Any]


def element(type_: str, text: str, **metadata: Any) -> Item:
    """Make an element as a dict."""
    return {"type": type_, "element_id": "", "text": text, "metadata": metadata}


def table_html(rows: list[list[str]], n_header_rows: int = 0) -> str:
    """Write a table as HTML."""
    lines = []
    for i, row in enumerate(rows):
        tag = "th" if i < n_header_rows else "td"
        lines.append(f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in row)}</tr>")
    return f"<table>{''.join(lines)}</table>"


@st.composite
def tables(draw: st.DrawFn) -> Item:
    """Make a table whose text is what its cells say; some rows are empty."""
    n_columns = draw(st.integers(1, 3))
    letters = st.one_of(st.sampled_from("abc é"), st.sampled_from("abc é"), PAIRS)
    cell = st.one_of(st.lists(letters, max_size=12).map("".join), st.sampled_from(["", " "]))
    rows = draw(st.lists(st.lists(cell, min_size=n_columns, max_size=n_columns), max_size=6))
    html = table_html(rows, draw(st.integers(0, 1)))
    return element("Table", " ".join(" ".join(row) for row in rows), text_as_html=html)


@st.composite
def element_lists(draw: st.DrawFn) -> list[Item]:
    """Make a list of elements as dicts, some of them without text, some with a page."""
    texts = st.lists(LETTERS, max_size=40).map("".join)
    code = st.lists(st.one_of(GROWING, st.sampled_from(["a=b;", "\n", " "])), max_size=20).map(
        "".join
    )
    text = st.one_of(
        st.builds(element, st.sampled_from(TEXT_TYPES), texts),
        st.builds(element, st.just("CodeSnippet"), code),
    )
    textless = st.builds(element, st.sampled_from(["PageBreak", "CheckBox", "Image"]), st.just(""))
    items = draw(st.lists(st.one_of(text, text, textless, tables())))
    for item in items:
        if (page := draw(PAGES)) is not None:
            item["metadata"]["page_number"] = page
    return items


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """Make options that all strategies over elements have."""
    limit = draw(st.integers(2, 60))
    isolate, fix = draw(st.booleans()), draw(st.booleans())
    return {
        draw(st.sampled_from(["max_tokens", "max_chars"])): limit,
        "soft_max": draw(st.none() | st.integers(0, limit)),
        "overlap": draw(st.integers(0, limit // 2)),
        "overlap_all": draw(st.booleans()),
        "isolate_tables": isolate,
        "skip_tables": isolate and draw(st.booleans()),
        "repeat_headers": draw(st.booleans()),
        "fix": fix,
        "tokenizer": draw(st.sampled_from(TOKENIZERS + UNEVEN * fix)),
    }


def _count_words(text: str) -> int:
    return len(text.split())


TOKENIZERS = ["cl100k_base", "o200k_base", "bytes", _count_words]
# What the peer makes of sizes that fall and rise is its own; repaired chunks keep the laws.
UNEVEN = [count_as_a_saw, count_bare_ends_more]
