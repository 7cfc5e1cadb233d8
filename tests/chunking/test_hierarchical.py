"""Hierarchical chunks: one an element, what belongs together in one."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw


def placed(*lines: tuple[str, str, int | None]) -> cw.Document:
    """Make a document of kinds, texts and parents."""
    text, items = "", []
    for kind, said, parent in lines:
        item: dict[str, Any] = {"kind": kind, "start": len(text), "end": len(text) + len(said)}
        items.append(item if parent is None else item | {"parent": parent})
        text += f"{said}\n\n" if said else ""
    return cw.Document(elements=cw.elements_at(text, items))


def cut(document: cw.Document, **options: Any) -> list[str]:
    return cw.Hierarchical(**{"max_chars": 90, **options})(document).texts()


def test_items_of_a_list_are_together() -> None:
    document = placed(
        ("paragraph", "Before", None),
        ("list item", "* one", None),
        ("list item", "  * below one", 1),
        ("paragraph", "  more of one", 1),
        ("list item", "* two", None),
        ("paragraph", "After", None),
    )
    items = ["* one", "* below one", "more of one", "* two"]
    whole, split = cut(document), cut(document, merge_list_items=False)
    assert [text.split("\n\n")[0].strip() for text in whole] == ["Before", "* one", "After"]
    assert [text.strip() for text in whole[1].split("\n\n")] == items
    below = "* below one\n\n  more of one"
    assert [text.strip() for text in split] == ["Before", "* one", below, "* two", "After"]


def test_two_lists_are_two_chunks() -> None:
    document = placed(
        ("list", "", None),
        ("list item", "* a", 0),
        ("list item", "* b", 0),
        ("list", "", None),
        ("list item", "* c", 3),
    )
    assert cut(document) == ["* a\n\n* b", "* c"]


def test_captions_go_with_what_they_are_of() -> None:
    document = placed(
        ("paragraph", "Before", None),
        ("table", "a b c", None),
        ("caption", "Table 1", 1),
        ("footnote", "of the table", 1),
        ("figure", "", None),
        ("caption", "Figure 1", 4),
        ("paragraph", "in the figure", 4),
        ("paragraph", "After", None),
    )
    assert cut(document) == [
        "Before",
        "a b c\n\nTable 1\n\nof the table",
        "Figure 1\n\nin the figure",
        "After",
    ]


def test_a_list_over_the_limit_is_split_between_its_items() -> None:
    items = [("list item", f"* item number {i}", None) for i in range(9)]
    chunks = cw.Hierarchical(max_chars=40)(placed(("heading", "# A", None), *items))
    assert chunks.texts()[0] == "# A\n\n* item number 0\n\n* item number 1"
    assert all(text.startswith("# A\n\n* item number") for text in chunks.texts())
    assert chunks[1].elements[0].index == 3


def test_parts_know_their_heading() -> None:
    document = placed(("heading", "# A", None), ("paragraph", "word " * 30, None))
    chunks = cw.Hierarchical(max_chars=40, repeat_headings=False)(document)
    assert [chunk.headings for chunk in chunks] == [("# A",)] * len(chunks)
    above = [chunk.headings_above for chunk in chunks]
    assert above == [(), *[("# A",)] * (len(chunks) - 1)]
    assert [chunk.part for chunk in chunks] == list(range(len(chunks)))


def test_one_chunk_an_item_of_lists_that_are_read() -> None:
    text = "# A\n\n- one\n  - below\n- two\n\nThen\n\n1. first\n2. second\n"
    document = cw.read(text.encode(), kind="markdown")
    whole, split = cut(document), cut(document, merge_list_items=False)
    assert [one.removeprefix("# A\n\n") for one in whole] == [
        "- one\n  - below\n- two",
        "Then",
        "1. first\n2. second",
    ]
    items = [one.removeprefix("# A\n\n").strip() for one in split]
    assert items == ["- one", "- below", "- two", "Then", "1. first", "2. second"]


def test_a_heading_of_halves_of_characters_counts_as_the_caller_holds_it() -> None:
    document = cw.read_markdown("# " + "\ud83d\ude80" * 5 + "\n\n" + "word " * 20)
    limits: list[dict[str, Any]] = [{"max_chars": 30}, {"max_tokens": 30, "tokenizer": len}]
    for limit in limits:
        chunks = cw.Hybrid(**limit)(document)
        assert 5 < len(chunks) < 9
        assert max(len(chunk.text) for chunk in chunks) <= 30
        assert not any(chunk.oversize for chunk in chunks)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n\n1. b\n2. c\n", ["- a", "1. b\n2. c"]),
        ("- a\n- b\n* c\n", ["- a\n- b", "* c"]),
        ("- a\n\n---\n\n- b\n", ["- a\n\n---", "- b"]),
        ("> - a\n>\n> 1. b\n", ["> - a\n>", "> 1. b"]),
        ("- a\n\n- b\n", ["- a\n\n- b"]),
        ("- a\n  - b\n\n  1. c\n- d\n", ["- a\n  - b\n\n  1. c\n- d"]),
        ("- a\n\n  text\n\n* b\n", ["- a\n\n  text", "* b"]),
    ],
)
def test_lists_with_nothing_between_are_two_chunks(text: str, expected: list[str]) -> None:
    assert cut(cw.read_markdown(text)) == expected


def test_html_lists_with_nothing_between_are_two_chunks() -> None:
    html = "<ul><li>a<ul><li>b</ul><ol><li>c</ol></ul><ol><li>d<li>e</ol>"
    assert [chunk.split() for chunk in cut(cw.read_html(html))] == [["a", "b", "c"], ["d", "e"]]


def test_headings_with_nothing_below_are_chunks_if_wanted() -> None:
    document = cw.read(b"# A\n\n## B\n\n## C\n\ntext\n\n# D\n", kind="markdown")
    assert cut(document) == ["# A\n\n## B\n\n## C\n\ntext", "# D"]
    own = cut(document, always_emit_headings=True)
    assert own == ["# A\n\n## B", "# A\n\n## C\n\ntext", "# D"]
    bare = cut(document, always_emit_headings=True, repeat_headings=False)
    assert bare == ["# A\n\n## B", "## C\n\ntext", "# D"]


def test_a_table_repeats_its_header_unless_told_otherwise() -> None:
    rows = "\n".join(f"| land {i} | town {i} |" for i in range(9))
    document = cw.read(f"# A\n\n| L | T |\n|---|---|\n{rows}\n".encode(), kind="markdown")
    chunks = cw.Hierarchical(max_chars=70)(document)
    assert all("| L | T |\n|---|---|\n| land" in text for text in chunks.texts())
    bare = cw.Hierarchical(max_chars=70, repeat_headers=False)(document)
    assert not any("| L | T |" in text for text in bare.texts()[1:])
    own = "\n".join(document.text[chunk.start : chunk.end] for chunk in chunks)
    assert own == document.text.strip()
