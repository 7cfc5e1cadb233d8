"""Markdown read as a document: elements are places in the source, and no word is outside them."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError
from tests import laws
from tests.support.markdown_texts import MARKDOWN, files, mutations, specification

README = """\
---
title: Weather
# no heading
---
# Weather *today* #

It rains [daily][r].

Setext
------

- one
  - two

    ```sh
    # no heading either
    ```
- three

| place | mm |
|-------|----|
| north | 10 |
| south | 20 |

> quoted

![map](map.png)

[r]: https://example.org "Rain"
"""


def holds(text: str) -> cw.Elements:
    """Assert what holds for any text, and return its elements."""
    document = cw.read_markdown(text)
    elements: cw.Elements | None = document.elements
    assert elements is not None
    assert document.text == text
    spans = list(zip(elements.starts.tolist(), elements.ends.tolist(), strict=True))
    assert all(start < end <= len(text) for start, end in spans)
    assert all(one[1] <= after[0] for one, after in pairwise(spans))
    assert elements.texts() == [text[start:end] for start, end in spans]
    between = zip([0, *elements.ends], [*elements.starts, len(text)], strict=True)
    assert not any(re.search(r"\w", text[a:b].replace("_", "")) for a, b in between)
    for i, element in enumerate(elements):
        first, last = element.lines
        assert text.count("\n", 0, element.start) + 1 == first <= last
        assert element.text in "\n".join(text.split("\n")[first - 1 : last])
        assert element.parent is None or element.parent.index < i
        assert (element.kind == "heading") == (element.level is not None and i in elements.titles)
    return elements


@given(text=MARKDOWN | st.text(max_size=200))
def test_no_word_of_a_text_is_outside_the_elements(text: str) -> None:
    elements = holds(text)
    assert pickle.loads(pickle.dumps(elements)) == elements


def test_no_word_of_the_specification_is_lost() -> None:
    examples = specification()
    if not examples:
        pytest.skip("the sources of pulldown-cmark are not at hand")
    assert len(examples) > 1000
    for example in examples:
        document = cw.Document(elements=holds(example))
        for strategy in ("basic", "by_title"):
            chunks = cw.chunk(document, strategy, max_chars=20)
            laws.bodies_cover_the_text(example, chunks)
    kinds = {element.kind for example in examples for element in holds(example)}
    assert {"heading", "code", "list item", "quote", "table", "footnote", "figure"} <= kinds


@pytest.mark.parametrize("seed", range(4))
def test_no_word_of_changed_files_is_lost(seed: int) -> None:
    for text in files():
        for changed in mutations(text[:20_000], 4, seed):
            holds(changed)


@pytest.mark.slow
def test_chunks_of_files_cover_them() -> None:
    options = {"max_tokens": 128, "overlap": 0, "tokenizer": "cl100k_base"}
    for text in files():
        document = cw.Document(elements=holds(text))
        for strategy in ("basic", "by_title"):
            chunks = cw.chunk(document, strategy, max_tokens=128)
            laws.hold(text, chunks, options)
            laws.hold_for_elements(chunks)


def test_a_readme_is_read() -> None:
    document = cw.read_markdown(README, name="README.md")
    elements = document.elements
    assert elements is not None
    assert document.name == "README.md"
    assert [(one.kind, one.level, one.language, one.headings) for one in elements] == [
        ("code", None, "yaml", ()),
        ("heading", 1, None, ()),
        ("paragraph", None, None, ("Weather *today*",)),
        ("heading", 2, None, ("Weather *today*",)),
        ("list item", 1, None, ("Weather *today*", "Setext")),
        ("list item", 2, None, ("Weather *today*", "Setext")),
        ("code", None, "sh", ("Weather *today*", "Setext")),
        ("list item", 1, None, ("Weather *today*", "Setext")),
        ("table", None, None, ("Weather *today*", "Setext")),
        ("quote", 1, None, ("Weather *today*", "Setext")),
        ("figure", None, None, ("Weather *today*", "Setext")),
        ("paragraph", None, None, ("Weather *today*", "Setext")),
    ]
    assert elements[1].text == "# Weather *today* #"
    assert elements[3].lines == (9, 10)
    parents = [one.parent for one in elements[5:7]]
    assert [parent and parent.text for parent in parents] == ["- one", "- two"]
    assert elements[11].text == '[r]: https://example.org "Rain"'


def test_a_heading_of_two_lines_is_one_title() -> None:
    elements = cw.read_markdown("Two\n  lines\n===\n\ntext").elements
    assert elements is not None
    assert elements[1].headings == ("Two lines",)


def test_sections_begin_at_headings_alone() -> None:
    chunks = cw.chunk(cw.read_markdown(README), "by_title", max_chars=1000, min_size=0)
    starts = [chunk.text.split("\n")[0] for chunk in chunks]
    assert starts == ["---", "# Weather *today* #", "Setext", "| place | mm |", "> quoted"]


@pytest.mark.parametrize("strategy", ["basic", "by_title"])
def test_parts_of_a_table_are_tables_with_the_header(strategy: Any) -> None:
    header = "| place | mm |\n|:------|---:|\n"
    rows = [f"| place {i} | {i * i} |" for i in range(50)]
    text = f"# Rain\n\n{header}" + "\n".join(rows) + "\n\nDone.\n"
    chunks = cw.chunk(cw.read_markdown(text), strategy, max_tokens=40)
    tables = [chunk for chunk in chunks if chunk.kind == "table"]
    assert len(tables) > 5
    # No heading is left alone before a table.
    assert tables[0] == chunks[0]
    begins = [f"# Rain\n\n{header}", *[header] * (len(tables) - 1)]
    said = []
    for chunk, begin in zip(tables, begins, strict=True):
        assert chunk.text.startswith(begin)
        kinds = [one.kind for one in holds(chunk.text)]
        assert kinds == (["table"] if begin == header else ["heading", "table"])
        assert chunk.headings == ("Rain",)
        said += chunk.text.removeprefix(begin).split("\n")
    assert said == rows
    assert [(chunk.part, chunk.n_header_rows) for chunk in tables[:2]] == [(0, 0), (1, 1)]
    assert [piece.role for piece in tables[0].pieces] == ["body"]
    assert [piece.role for piece in tables[1].pieces] == ["header", "body"]
    plain = cw.chunk(cw.read_markdown(text), strategy, max_tokens=40, repeat_headers=False)
    assert sum(header in chunk.text for chunk in plain) == 1


def test_text_and_name_are_text() -> None:
    with pytest.raises(ConfigError, match="text must be a str, got bytes"):
        cw.read_markdown(b"# a")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="name must be a str or None, got 1"):
        cw.read_markdown("# a", name=1)  # type: ignore[arg-type]


def test_lone_surrogates_stay() -> None:
    elements = cw.read_markdown("# \ud83d\ude00 \ud800\n\n\udc00b").elements
    assert elements is not None
    assert elements.texts() == ["# \ud83d\ude00 \ud800", "\udc00b"]


@pytest.mark.shared
def test_corpora_are_covered(shared: Path) -> None:
    paths = sorted((shared / "data" / "chroma-report" / "corpora").glob("*.md"))
    assert len(paths) == 5
    for path in paths:
        holds(path.read_text(encoding="utf-8"))


def test_a_byte_order_mark_is_no_part_of_what_it_stands_in_front_of() -> None:
    document = cw.read("\ufeff# Rain\n\nIt rained.\n".encode(), name="a.md")
    heading, paragraph = document.elements
    assert (heading.text, heading.start, paragraph.headings) == ("# Rain", 1, ("Rain",))
    assert document.text.startswith("\ufeff#")
    for block in ("Rain\n====", "- Rain", "| a |\n|---|\n| b |", "    code", "Rain"):
        marked, bare = (
            cw.read_markdown(f"{mark}{block}\n").elements[-1] for mark in ("\ufeff", "")
        )
        assert (marked.kind, marked.text) == (bare.kind, bare.text)
