"""Tables of Markdown in strategies over text: whole where they fit, else split by rows."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import make_strategy
from chunkwright.errors import ConfigError
from tests import laws

HEADER = "| name | kg |\n|------|---:|\n"
ROWS = [f"| slate {i} | {i} kg |\n" for i in range(12)]
TABLE = HEADER + "".join(ROWS)
TEXT = f"# Stones\n\nSome stones.\n\n## Weights\n\n{TABLE}\nThe end of it.\n"

WORDS = st.lists(
    st.sampled_from(["slate", "é", "7 kg", "e\u0301", "one two", "漢字", "`x`"]), max_size=3
)
CELLS = WORDS.map(" ".join)


@st.composite
def tables(draw: st.DrawFn) -> str:
    n_columns = draw(st.integers(1, 4))
    row = st.lists(CELLS, min_size=n_columns, max_size=n_columns)
    rows = draw(st.lists(row, min_size=1, max_size=7))
    mark = draw(st.sampled_from(["", "", "> ", "  "]))
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    lines.insert(1, "|" + "---|" * n_columns)
    return "".join(f"{mark}{line}\n" for line in lines)


BLOCKS = st.one_of(
    tables(),
    tables().map(lambda table: f"```\n{table}```\n"),
    st.sampled_from(["# Title\n", "Some text. And more of it.\n", "- item\n", "a | b\n", "Bare\n"]),
)
TEXTS = st.lists(BLOCKS, max_size=6).map("\n".join)


def made(how: str, options: dict[str, Any], text: str) -> cw.Chunks:
    """Cut a Markdown text by a strategy, as a text or as what was read."""
    strategy, _, form = how.partition(" ")
    chunk: Any = cw.chunk
    chunks: cw.Chunks
    if form == "str":
        chunks = chunk(text, strategy, separators="markdown", **options)
    else:
        chunks = chunk(cw.read_markdown(text), strategy, **options)
    return chunks


BY_OPTION = ["recursive str", "recursive", "sentence", "balanced"]
BY_MEANING = ["cluster", "kamradt", "kamradt_modified", "discontinuity"]
HOW = pytest.mark.parametrize("how", BY_OPTION)
EACH = pytest.mark.parametrize("how", [*BY_OPTION, *BY_MEANING])


@EACH
@given(text=TEXTS, options=laws.options(), repeat_headers=st.booleans())
def test_laws(how: str, text: str, options: dict[str, Any], repeat_headers: bool) -> None:
    own = {} if how in BY_MEANING else {"repeat_headers": repeat_headers}
    chunks = made(how, {**options, **own}, text)
    laws.hold(text, chunks, options)
    for chunk in chunks:
        # What closes a block of code or a table is repeated behind its part.
        body = [piece.role for piece in chunk.pieces].index("body")
        before, behind = chunk.pieces[:body], chunk.pieces[body + 1 :]
        assert {piece.role for piece in before} <= {"overlap", "header"}
        assert all(piece.role == "header" for piece in behind)
        assert all(piece.end <= chunk.start for piece in before if piece.role == "header")


@HOW
@given(text=TEXTS, options=laws.options())
def test_what_fits_is_not_cut(how: str, text: str, options: dict[str, Any]) -> None:
    if options["tokenizer"] in (laws.count_as_a_saw, laws.count_bare_ends_more):
        return
    limit = options.get("max_chars") or options["max_tokens"]

    def size(span: tuple[int, int]) -> int:
        said = text[slice(*span)].strip()
        is_chars = "max_chars" in options
        return len(said) if is_chars else cw.count_tokens(said, options["tokenizer"])

    bodies = [
        (piece.start, piece.end)
        for chunk in made(how, options, text)
        for piece in chunk.pieces
        if piece.role == "body"
    ]

    def is_whole(span: tuple[int, int]) -> bool:
        said = text[slice(*span)]
        start, end = span[1] - len(said.lstrip()), span[0] + len(said.rstrip())
        return any(body[0] <= start and end <= body[1] for body in bodies)

    elements = cw.read_markdown(text).elements
    assert elements is not None
    for before, table in zip([None, *elements], elements, strict=False):
        if table.kind != "table":
            continue
        has_heading = before is not None and before.kind in ("heading", "paragraph")
        if size((table.start, table.end)) <= limit and not has_heading:
            assert is_whole((table.start, table.end))
        # Each cell from its start to that of the next one, the first of a row with its line.
        starts = [table.start]
        for line in re.finditer(r"[^\n]+", table.text):
            cells = [cell.start() for cell in re.finditer(r"[^|\s>:-][^|]*", line[0])]
            starts += [table.start + line.start() + at for at in [0, *cells[1:]] if cells]
        # What stands above the first cell goes with it.
        for span in itertools.pairwise([table.start, *starts[2:], table.end]):
            if size(span) <= limit and not (has_heading and span[0] == table.start):
                assert is_whole(span)


@EACH
def test_parts_repeat_the_header_within_the_limit(how: str) -> None:
    chunks = made(how, {"max_chars": 90}, TEXT)
    parts = [chunk for chunk in chunks if "slate" in chunk.text]
    assert len(parts) > 3
    assert parts[0].text.startswith("## Weights\n\n" + HEADER)
    assert [piece.role for piece in parts[0].pieces] == ["body"]
    for part in parts[1:]:
        header, body = part.pieces
        assert (header.role, TEXT[header.start : header.end]) == ("header", HEADER)
        assert part.text == HEADER + TEXT[part.start : part.end]
        assert (body.start, body.end) == (part.start, part.end)
        assert len(part.text) <= 90
    rows = "".join(TEXT[part.start : part.end] + "\n" for part in parts)
    assert rows == "## Weights\n\n" + TABLE
    assert chunks[len(chunks) - 1].text == "The end of it."


@HOW
def test_headers_are_repeated_only_where_they_are_wanted(how: str) -> None:
    chunks = made(how, {"max_chars": 90, "repeat_headers": False}, TEXT)
    assert all(chunk.text == TEXT[chunk.start : chunk.end] for chunk in chunks)
    parts = [chunk.text for chunk in chunks if "slate" in chunk.text]
    assert "\n".join(parts) + "\n" == "## Weights\n\n" + TABLE


@HOW
def test_a_table_that_fits_is_not_cut(how: str) -> None:
    table = HEADER + "".join(ROWS[:3])
    text = "Word after word. " * 5 + f"\n\n{table}\n" + "And more words. " * 5
    chunks = made(how, {"max_chars": 120, "soft_max": 40}, text)
    assert [chunk.text for chunk in chunks if "slate" in chunk.text] == [table.strip()]


@EACH
def test_neither_overlap_nor_small_chunks_touch_the_parts(how: str) -> None:
    chunks = made(how, {"max_chars": 90, "overlap": 20, "min_size": 80}, TEXT)
    parts = [chunk for chunk in chunks if "slate" in chunk.text and chunk.text.startswith(HEADER)]
    assert len(parts) > 2
    assert chunks[len(chunks) - 1].text == "The end of it."


@EACH
def test_a_row_over_the_limit_is_cut_between_its_cells(how: str) -> None:
    text = "|a|b|c|\n|-|-|-|\n|k|one two three four|five six seven eight|\n|m|5|6|\n"
    header = "|a|b|c|\n|-|-|-|\n"
    texts = made(how, {"max_chars": 40}, text).texts()
    rows = ("|k|one two three four|", "|k|five six seven eight|", "|m|5|6|")
    assert texts == [header + row for row in rows]


def test_a_text_that_is_not_said_to_be_markdown_has_no_tables() -> None:
    for chunks in (
        cw.chunk(TEXT, "recursive", max_chars=90),
        cw.chunk(TEXT, "balanced", max_chars=90),
    ):
        assert {piece.role for chunk in chunks for piece in chunk.pieces} == {"body"}
    fenced = f"```\n{TABLE}```\n"
    chunks = cw.chunk(fenced, "recursive", separators="markdown", max_chars=90)
    repeated = [p for chunk in chunks for p in chunk.pieces if p.role == "header"]
    assert {fenced[piece.start : piece.end].strip() for piece in repeated} == {"```"}


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced"])
def test_the_option_is_a_flag(strategy: str) -> None:
    with pytest.raises(ConfigError, match="repeat_headers"):
        make_strategy(strategy, {"max_chars": 90, "repeat_headers": "no"})


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced", "hybrid"])
def test_no_part_is_a_header_alone(strategy: str) -> None:
    row = f"| a | {'word words here ' * 20}|\n"
    text = f"# Stones\n\n| Name | Text |\n|---|---|\n{row}| b | x |\n"
    chunks = cw.strategy(strategy, max_chars=120)(cw.read(text.encode(), name="a.md"))
    assert len(chunks) > 3
    assert not any(part.rstrip().endswith("|---|---|") for part in chunks.texts())
