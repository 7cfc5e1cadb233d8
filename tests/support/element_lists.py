"""Lists of elements as hypothesis makes them, and Markdown with the elements in it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import _core
from tests.support.texts import GROWING, PAIRS

TEXT_TYPES = ["NarrativeText", "ListItem", "Title", "CodeSnippet", "Header", "Hologram", "Image"]
ALPHABET = "abcé漢\U0001f680 \n\t\u00a0\x1c."
LETTERS = st.one_of(st.sampled_from(ALPHABET), st.sampled_from(ALPHABET), PAIRS)
PAGES = st.none() | st.integers(1, 4)

Item = dict[str, Any]


def dicts_of(chunks: _core.UnstructuredChunks, *, originals: bool) -> list[dict[str, Any]]:
    """Write chunks as dicts that have their numbers as ids."""
    return chunks.dicts([str(i) for i in range(len(chunks))], originals=originals)


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


CELL_LETTERS = st.one_of(st.sampled_from("abc é"), st.sampled_from("abc é"), PAIRS)


@st.composite
def tables(draw: st.DrawFn) -> Item:
    """Make a table; some rows are empty, and the text may say more or less than the cells."""
    n_columns = draw(st.integers(1, 3))
    cell = st.one_of(st.lists(CELL_LETTERS, max_size=12).map("".join), st.sampled_from(["", " "]))
    long = st.lists(CELL_LETTERS, min_size=20, max_size=90).map("".join)
    cells = st.lists(st.one_of(cell, cell, long), min_size=n_columns, max_size=n_columns)
    rows = draw(st.lists(cells, max_size=6))
    html = table_html(rows, draw(st.integers(0, 1)))
    said = draw(st.sampled_from(["cells", "cells", "cells", "first", "last", "more", "other"]))
    words = " ".join(" ".join(row) for row in rows)
    text = {
        "cells": words,
        "first": " ".join(words.split()[: len(words.split()) * 2 // 3]),
        "last": " ".join(words.split()[len(words.split()) // 3 :]),
        "more": f"Table 1. {words} Source: a.",
        "other": draw(cell),
    }[said]
    return element("Table", text, text_as_html=html)


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
def markdown(draw: st.DrawFn) -> cw.Document:
    """Make Markdown whose text is the source, marks and blank lines between its elements."""
    line = st.lists(st.one_of(LETTERS, st.sampled_from(["word ", "One. "])), max_size=25).map(
        lambda letters: "".join(letters).replace("\n", " ")
    )
    block = st.one_of(
        st.tuples(st.just("heading"), st.sampled_from(["# ", "### ", ""]), line),
        st.tuples(st.just("paragraph"), st.sampled_from(["", "> ", "  "]), line),
        st.tuples(st.just("list item"), st.sampled_from(["* ", "1. "]), line),
        st.tuples(st.just("code"), st.just("```\n"), st.lists(line, max_size=4).map("\n".join)),
        st.tuples(st.just("table"), st.just("| "), st.lists(line, max_size=4).map(" |\n| ".join)),
    )
    text, items = draw(st.sampled_from(["", "\n", "---\n\n", "\ufeff"])), []
    for kind, mark, said in draw(st.lists(block, max_size=8)):
        text += mark
        items.append({"kind": kind, "start": len(text), "end": len(text) + len(said)})
        items[-1] |= {"page": draw(PAGES), "level": draw(st.sampled_from([None, 1, 2]))}
        text += said + draw(st.sampled_from(["\n\n", "\n", "\n```\n", " |\n", "\n> \n", ""]))
    return cw.Document(elements=cw.elements_at(text, items), name="made.md")
