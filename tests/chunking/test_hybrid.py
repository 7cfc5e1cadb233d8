"""Hybrid chunks: headings repeated and never lost, peers merged, tables split between rows."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.support.element_lists import element, table_html

KINDS = {"#": "heading", "*": "list item", "-": "list item", "`": "code", "|": "table"}


def markdown(text: str) -> cw.Document:
    """Read lines as elements: headings by their marks, items, and paragraphs."""
    items = []
    for line in re.finditer(r"[^\n]+", text):
        mark = line[0].lstrip()[0]
        item: dict[str, Any] = {"kind": KINDS.get(mark, "paragraph")}
        if mark == "#":
            item["level"] = len(line[0]) - len(line[0].lstrip("#"))
        items.append(item | {"start": line.start(), "end": line.end()})
    return cw.Document(elements=cw.elements_at(text, items))


def table(rows: list[list[str]], n_header_rows: int = 1) -> dict[str, Any]:
    text = " ".join(" ".join(row) for row in rows)
    return element("Table", text, text_as_html=table_html(rows, n_header_rows))


# ---------------------------------------------------------------------- headings


def test_headings_are_text_where_they_stand_and_repeated_behind() -> None:
    document = markdown("# A\n\n## B\n\none one\n\ntwo two\n\n## C\n\nthree")
    chunks = cw.Hybrid(max_chars=20)(document)
    assert [chunk.piece_texts() for chunk in chunks] == [
        [("body", "# A\n\n## B\n\none one")],
        [("heading", "# A\n\n"), ("heading", "## B\n\n"), ("body", "two two")],
        [("heading", "# A\n\n"), ("body", "## C\n\nthree")],
    ]
    paths = [("# A", "## B"), ("# A", "## B"), ("# A", "## C")]
    assert [chunk.headings for chunk in chunks] == paths
    assert [chunk.headings_above for chunk in chunks] == [(), ("# A", "## B"), ("# A",)]
    bare = cw.Hybrid(max_chars=20, repeat_headings=False)(document)
    assert bare.texts() == ["# A\n\n## B\n\none one", "two two", "## C\n\nthree"]
    assert bare[1].headings == ("# A", "## B")


def test_headings_count_against_the_limit() -> None:
    document = markdown("# A heading\n\n" + "word " * 60)
    for limit in (20, 24, 40):
        chunks = cw.Hybrid(max_tokens=limit)(document)
        assert all(chunk.text.startswith("# A heading\n\n") for chunk in chunks)
        assert all(cw.count_tokens(chunk.text) == chunk.n_tokens <= limit for chunk in chunks)


def test_a_heading_longer_than_the_limit_loses_nothing() -> None:
    heading = "# " + "very long heading " * 9
    document = markdown(f"{heading}\n\nThe text.\n\nMore text of it.")
    chunks = cw.Hybrid(max_chars=30)(document)
    own = [document.text[chunk.start : chunk.end] for chunk in chunks]
    assert " ".join(own).split() == document.text.split()
    assert all(len(chunk.text) <= 30 for chunk in chunks)


def test_outer_headings_give_way_to_the_text() -> None:
    document = markdown("# Outer heading here\n\n## Inner\n\n" + "word " * 30)
    *_, last = cw.Hybrid(max_chars=30)(document)
    assert [text for role, text in last.piece_texts() if role == "heading"] == ["## Inner\n\n"]


@pytest.mark.parametrize("repeats", [True, False])
def test_a_document_of_headings_is_not_empty(repeats: bool) -> None:
    document = markdown("# A\n\n## B\n\n# C")
    split = cw.Hybrid(max_chars=90, repeat_headings=repeats)
    assert split(document).texts() == ["# A\n\n## B\n\n# C"]
    own = cw.Hybrid(max_chars=90, repeat_headings=repeats, always_emit_headings=True)
    assert own(document).texts() == ["# A\n\n## B", "# C"]


def test_headings_with_nothing_below_begin_what_follows() -> None:
    document = markdown("# A\n\n## B\n\n## C\n\ntext\n\n# D")
    assert cw.Hybrid(max_chars=90)(document).texts() == ["# A\n\n## B\n\n## C\n\ntext", "# D"]
    own = cw.Hybrid(max_chars=90, always_emit_headings=True)(document)
    assert own.texts() == ["# A\n\n## B", "# A\n\n## C\n\ntext", "# D"]


def test_levels_and_parents_are_those_that_elements_say() -> None:
    def item(type_: str, text: str, id_: str, **metadata: Any) -> dict[str, Any]:
        return {**element(type_, text, **metadata), "element_id": id_}

    items = [
        item("Title", "One", "1", category_depth=0),
        item("Title", "Below", "2", category_depth=1),
        item("NarrativeText", "deep", "3"),
        item("NarrativeText", "shallow", "4", parent_id="1"),
    ]
    assert cw.Hybrid(max_chars=90)(items).texts() == [
        "One\n\nBelow\n\ndeep",
        "One\n\nshallow",
    ]


# ---------------------------------------------------------------------- merging


def test_peers_are_merged_as_long_as_they_fit() -> None:
    document = markdown("# A\n\none\n\ntwo\n\nthree\n\n# B\n\nfour")
    assert cw.Hybrid(max_chars=90)(document).texts() == [
        "# A\n\none\n\ntwo\n\nthree",
        "# B\n\nfour",
    ]
    assert cw.Hybrid(max_chars=14)(document).texts() == [
        "# A\n\none\n\ntwo",
        "# A\n\nthree",
        "# B\n\nfour",
    ]
    apart = cw.Hybrid(max_chars=90, merge_peers=False)(document).texts()
    assert apart == ["# A\n\none", "# A\n\ntwo", "# A\n\nthree", "# B\n\nfour"]
    assert cw.Hybrid(max_chars=90, soft_max=9)(document).texts()[:2] == [
        "# A\n\none\n\ntwo",
        "# A\n\nthree",
    ]


def test_small_sections_of_one_level_are_joined() -> None:
    document = markdown("# A\n\n## B\n\none\n\n## C\n\ntwo\n\n# D\n\nthree")
    assert cw.Hybrid(max_chars=90)(document).texts() == [
        "# A\n\n## B\n\none",
        "# A\n\n## C\n\ntwo",
        "# D\n\nthree",
    ]
    joined = cw.Hybrid(max_chars=90, min_size=20)(document)
    assert joined.texts() == ["# A\n\n## B\n\none\n\n## C\n\ntwo", "# D\n\nthree"]
    assert cw.Hybrid(max_chars=20, min_size=20)(document).texts()[1] == "# A\n\n## C\n\ntwo"


@given(limit=st.integers(4, 60), min_size=st.integers(0, 60))
def test_nothing_small_is_left_beside_a_peer_that_it_fits_with(limit: int, min_size: int) -> None:
    text = "# A\n\n" + "\n\n".join("x" * n for n in (3, 9, 30, 2, 70, 5, 1, 8))
    smallest = min(limit, min_size)
    chunks = cw.Hierarchical(max_chars=limit, min_size=smallest)(markdown(text))
    for before, chunk in itertools.pairwise(chunks):
        own = [one.pieces[-1].end - one.pieces[-1].start for one in (before, chunk)]
        if min(own) < smallest and before.part == chunk.part == 0:
            both = len(before.text) + len(text[before.end : chunk.start]) + own[1]
            assert both > limit or (chunk.index + 1 < len(chunks) and chunks[chunk.index + 1].part)


def test_overlaps_are_within_a_section() -> None:
    document = markdown("# A\n\none two three\n\nfour five six\n\n# B\n\nseven")
    chunks = cw.Hybrid(max_chars=25, overlap=8)(document)
    assert [chunk.piece_texts() for chunk in chunks] == [
        [("body", "# A\n\none two three")],
        [("heading", "# A\n\n"), ("overlap", "three\n\n"), ("body", "four five six")],
        [("body", "# B\n\nseven")],
    ]


def test_parts_of_one_text_overlap_behind_their_headings() -> None:
    document = cw.read(
        b"# A\n\n" + b"one two three four five six seven eight nine ten", kind="markdown"
    )
    chunks = cw.Hybrid(max_chars=24, overlap=6)(document)
    assert len(chunks) > 2
    for before, chunk in itertools.pairwise(chunks):
        roles = [role for role, _ in chunk.piece_texts()]
        assert roles == ["heading", "overlap", "body"]
        overlap = chunk.piece_texts()[1][1]
        assert 0 < len(overlap) <= 6
        assert before.text.endswith(overlap.rstrip())
        assert len(chunk.text) <= 24


def test_a_short_line_is_no_part_by_itself() -> None:
    text = "# A\n\nFig 1\nOne two three four. Five six seven eight. Nine ten."
    document = cw.read(text.encode(), kind="markdown")
    chunks = cw.Hybrid(max_chars=40)(document)
    assert chunks.texts() == [
        "# A\n\nFig 1\nOne two three four.",
        "# A\n\nFive six seven eight. Nine ten.",
    ]


def test_no_first_part_is_tiny_in_real_documents(shared: Path) -> None:
    for file in sorted((shared / "data" / "chroma-report" / "corpora").glob("*.md")):
        document = cw.read(file)
        for strategy, limit in itertools.product(["hierarchical", "hybrid"], [128, 512]):
            chunks = cw.chunk(document, strategy, max_tokens=limit)  # type: ignore[call-overload]
            for before, chunk in itertools.pairwise(chunks):
                if chunk.part == 1 and before.kind == "text":
                    assert cw.count_tokens(document.text[before.start : before.end]) > limit / 10


def test_neighbours_share_the_element_of_which_both_hold_a_part() -> None:
    document = markdown("# A\n\nOne two. Three four.\n\nx")
    chunks = cw.Hybrid(max_chars=22)(document)
    numbers = [[one.index for one in chunk.elements] for chunk in chunks]
    assert (chunks.texts(), numbers) == (
        ["# A\n\nOne two.", "# A\n\nThree four.\n\nx"],
        [[0, 1], [1, 2]],
    )
    assert [chunk.part for chunk in chunks] == [0, 1]
    whole = cw.Hybrid(max_chars=90)(document)
    assert [one.index for one in whole[0].elements] == [0, 1, 2]


@given(
    n=st.lists(st.integers(1, 12), min_size=1, max_size=9),
    limit=st.integers(8, 60),
    merges=st.booleans(),
)
def test_elements_are_shared_by_parts_only(n: list[int], limit: int, merges: bool) -> None:
    document = markdown("# A\n\n" + "\n\n".join("word " * each for each in n))
    chunks = cw.Hybrid(max_chars=limit, merge_peers=merges)(document)
    for chunk in chunks:
        held = [one for one in document.elements or () if one.start < chunk.end]
        held = [one for one in held if one.end > chunk.start]
        own = [
            one.index for one in held if one.start < chunk.end and chunk.pieces[-1].start < one.end
        ]
        assert [one.index for one in chunk.elements] == own


# ---------------------------------------------------------------------- tables


ROWS = [["Country", "Capital"], *([f"Land {i}", f"City | {i}"] for i in range(12))]


def test_a_table_is_split_between_rows_with_its_header() -> None:
    chunks = cw.Hybrid(max_chars=60)([element("Title", "Lands"), table(ROWS)])
    assert len(chunks) > 3
    assert chunks[0].text.startswith("Lands\n\nCountry Capital Land 0 City | 0")
    for chunk in list(chunks)[1:]:
        assert chunk.text.startswith("Lands\n\nCountry Capital Land ")
        assert (chunk.kind, chunk.n_header_rows) == ("table", 1)
        assert (chunk.html or "").startswith("<table><thead><tr><th>Country</th>")
    own = " ".join(chunks.source[chunk.start : chunk.end] for chunk in chunks)
    assert own.split() == ["Lands", *" ".join(" ".join(row) for row in ROWS).split()]
    assert all(
        re.fullmatch(r"(.*\n\n)?(.* City \| \d+)", chunk.text, re.DOTALL) for chunk in chunks
    )
    assert [chunk.part for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.table_id for chunk in chunks}) == 1
    bare = cw.Hybrid(max_chars=60, repeat_headers=False)([table(ROWS)])
    assert bare[1].text.startswith("Land ")


def test_rows_of_a_text_go_with_their_lines() -> None:
    text = "| a | b |\n|---|---|\n" + "\n".join(f"| x{i} | y{i} |" for i in range(9))
    # No reader is needed for lines to stay whole.
    document = cw.Document(
        elements=cw.elements_at(text, [{"kind": "table", "start": 0, "end": len(text)}])
    )
    chunks = cw.Hybrid(max_chars=40)(document)
    assert "\n".join(chunks.texts()) == text


def test_a_caption_begins_its_table() -> None:
    items = [element("FigureCaption", "Table 1: lands"), {**table(ROWS), "element_id": "t"}]
    items[1]["metadata"]["parent_id"] = items[0]["element_id"] = "c"
    chunks = cw.Hybrid(max_chars=60, merge_peers=False)(items)
    assert chunks[0].text.startswith("Table 1: lands\n\nCountry Capital Land 0")
    assert all(chunk.text.strip() for chunk in chunks)


def test_a_row_over_the_limit_is_cut_between_cells_with_its_key() -> None:
    rows = [["Key", "A", "B", "C"], ["Row key", "a" * 30, "b" * 30, "c" * 30]]
    chunks = cw.Hybrid(max_chars=60)([table(rows)])
    cells = [chunk.text.split() for chunk in chunks]
    assert all(
        {"a" * 30, "b" * 30, "c" * 30, "Row", "Key", "A", "B", "C"} >= {*one} - {"key"}
        for one in cells
    )
    assert [text.startswith("Key A B C Row key") for text in chunks.texts()[1:]] == [True] * 3
    only = cw.Hybrid(max_chars=60)([table([["K"], ["x" * 100]])])
    assert "".join(only.texts()).replace("K", "").replace(" ", "") == "x" * 100


def test_a_row_may_be_kept_whole_without_the_header() -> None:
    rows = [["Header one", "Header two"], ["a", "b"], ["x" * 24, "y" * 20], ["c", "d"]]
    cut = cw.Hybrid(max_chars=50)([table(rows)])
    assert not any("x" * 24 + " " + "y" * 20 in text for text in cut.texts())
    whole = cw.Hybrid(max_chars=50, omit_header_on_overflow=True)([table(rows)])
    assert "x" * 24 + " " + "y" * 20 in whole.texts()
    assert whole.texts()[-1] == "Header one Header two c d"


def test_a_column_keeps_its_header() -> None:
    rows = [["Country"], *([f"Land number {i}"] for i in range(9))]
    chunks = cw.Hybrid(max_chars=50)([table(rows)])
    assert all(text.startswith("Country Land number") for text in chunks.texts())


def test_a_long_heading_leaves_the_header_of_a_table() -> None:
    items = [element("Title", "word " * 30), table(ROWS)]
    last = list(cw.Hybrid(max_chars=60)(items))[-1]
    assert last.text.startswith("Country Capital Land")


# ---------------------------------------------------------------------- what is kept as it is


def test_code_lists_and_special_tokens_stay_as_they_are() -> None:
    text = "Run `pip install x` first.\n\n* one\n    * two a\n    * two b\n\n<|endoftext|> ends."
    chunks = cw.Hybrid(max_tokens=100)(markdown(text))
    assert chunks.texts() == [text]
    assert "    * two a\n    * two b" in cw.Hybrid(max_chars=40)(markdown(text))[1].text


def test_a_text_without_elements_is_cut_at_sentences() -> None:
    text = "One two. Three four. Five."
    expected = cw.Sentence(max_chars=15)(text).texts()
    assert cw.Hybrid(max_chars=15)(text).texts() == expected
    assert cw.Hybrid(max_chars=15)(cw.Document(text=text, name="x")).name == "x"
    assert len(cw.Hybrid()("")) == 0


@pytest.mark.parametrize("source", [7, None, b"x", {"type": "Text"}])
def test_no_document(source: Any) -> None:
    with pytest.raises(cw.ConfigError, match=f"got {type(source).__name__}"):
        cw.Hybrid(max_chars=9)(source)


@pytest.mark.parametrize(
    "option",
    [
        "merge_peers",
        "repeat_headings",
        "always_emit_headings",
        "repeat_headers",
        "omit_header_on_overflow",
    ],
)
def test_flags_are_checked(option: str) -> None:
    with pytest.raises(cw.ConfigError, match=f"{option} must be True or False, got 'no'"):
        cw.chunk("text", "hybrid", **{option: "no"})  # type: ignore[call-overload]
