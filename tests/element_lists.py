"""Lists of elements as hypothesis makes them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TEXT_TYPES = ["NarrativeText", "ListItem", "Title", "CodeSnippet", "Header", "Hologram", "Image"]
ALPHABET = "abcé漢\U0001f680 \n\t\u00a0\x1c."
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
def tables(draw: st.DrawFn, alphabet: str = "abc é") -> Item:
    """Make a table whose text is what its cells say."""
    n_columns = draw(st.integers(1, 3))
    cell = st.text(st.sampled_from(alphabet), max_size=12)
    rows = draw(st.lists(st.lists(cell, min_size=n_columns, max_size=n_columns), max_size=6))
    html = table_html(rows, draw(st.integers(0, 1)))
    return element("Table", " ".join(" ".join(row) for row in rows), text_as_html=html)


@st.composite
def element_lists(
    draw: st.DrawFn, alphabet: str = ALPHABET, *, with_tables: bool = True
) -> list[Item]:
    """Make a list of elements as dicts, some of them without text, some with a page."""
    texts = st.text(st.sampled_from(alphabet), max_size=40)
    text = st.builds(element, st.sampled_from(TEXT_TYPES), texts)
    textless = st.builds(element, st.sampled_from(["PageBreak", "CheckBox", "Image"]), st.just(""))
    items = draw(st.lists(st.one_of(text, text, textless, *([tables()] if with_tables else []))))
    for item in items:
        if (page := draw(PAGES)) is not None:
            item["metadata"]["page_number"] = page
    return items


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """Make options that all strategies over elements have."""
    limit = draw(st.integers(2, 60))
    isolate = draw(st.booleans())
    return {
        draw(st.sampled_from(["max_tokens", "max_chars"])): limit,
        "soft_max": draw(st.none() | st.integers(0, limit)),
        "overlap": draw(st.integers(0, limit // 2)),
        "overlap_all": draw(st.booleans()),
        "isolate_tables": isolate,
        "skip_tables": isolate and draw(st.booleans()),
        "repeat_headers": draw(st.booleans()),
        "fix": draw(st.booleans()),
        "tokenizer": draw(st.sampled_from(["cl100k_base", "bytes", _count_words])),
    }


def _count_words(text: str) -> int:
    return len(text.split())
