"""What belongs together stays together: headings with what follows them, code blocks whole."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from tests import laws

# More headings in a row are a list, of which any may end a chunk.
MAX_RUN = 8
# Of short lines that no mark tells from text, these are enough.
MAX_BARE = 2

Kind = Literal["heading", "code", "text"]


@dataclass
class Block:
    """A part of a text, without the blank line behind it."""

    kind: Kind
    text: str
    start: int = 0

    @property
    def end(self) -> int:
        return self.start + len(self.text)


WORDS = ["one", "two", "three", "Über", "漢字", "code", "e\u0301t"]
PHRASE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
HEADING = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["#", "##", "######", "=="]), PHRASE),
    st.builds("Of {}\n{}".format, PHRASE, st.sampled_from(["=====", "---"])),
    PHRASE.map("About {}".format),
    PHRASE.map("**The {}**".format),
)
PARAGRAPH = st.lists(PHRASE.map("{}.".format), min_size=1, max_size=8).map(" ".join)
WRAPPED = st.lists(PHRASE, min_size=1, max_size=6).map(lambda lines: "\n".join(lines) + ".")
ITEMS = st.lists(PHRASE.map("- {}".format), min_size=1, max_size=5).map("\n".join)
LINES = st.lists(st.sampled_from(["# comment", "x = 1", "", "    y", "~~", "==="]), max_size=6)


def _fenced(fence: str, lines: list[str]) -> str:
    return "\n".join([f"{fence} py" if fence[0] == "`" else fence, *lines, fence])


CODE = st.builds(_fenced, st.sampled_from(["```", "~~~", "````"]), LINES)
BLOCK = st.one_of(
    HEADING.map(lambda text: Block("heading", text)),
    st.one_of(PARAGRAPH, WRAPPED, ITEMS).map(lambda text: Block("text", text)),
    CODE.map(lambda text: Block("code", text)),
)


def _is_bare(block: Block) -> bool:
    return block.text.startswith(("About ", "**The "))


def _placed(blocks: list[Block]) -> tuple[str, list[Block]]:
    text, placed = "", []
    for block, below in itertools.zip_longest(blocks, blocks[1:]):
        # A short line above a heading that is marked is all the text of a section.
        is_text = _is_bare(block) and below and below.kind == "heading" and not _is_bare(below)
        placed.append(Block("text" if is_text else block.kind, block.text, len(text)))
        text += block.text + "\n\n"
    return text, placed


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[Block]]:
    """Make a Markdown text and the blocks that it consists of."""
    return _placed(draw(st.lists(BLOCK, max_size=14)))


SPLITTERS: dict[str, Any] = {
    "recursive": cw.Recursive,
    "markdown": lambda **options: cw.Recursive.for_language("markdown", **options),
    "words": lambda **options: cw.Recursive(separators=[" "], **options),
    "sentence": cw.Sentence,
    "two sentences": lambda **options: cw.Sentence(sentences=2, **options),
    "balanced": cw.Balanced,
}
TOKENIZERS = ["cl100k_base", "bytes", lambda text: len(text.split())]


@st.composite
def limits(draw: st.DrawFn) -> dict[str, Any]:
    limit = draw(st.integers(1, 120))
    soft = draw(st.none() | st.integers(1, limit))
    return {
        draw(st.sampled_from(["max_chars", "max_tokens"])): limit,
        "soft_max": soft,
        "overlap": draw(st.integers(0, min(20, (soft or limit) - 1))),
        "overlap_at": draw(st.sampled_from(["word", "sentence", "any"])),
        "tokenizer": draw(st.sampled_from(TOKENIZERS)),
    }


def _size(text: str, options: dict[str, Any]) -> int:
    if "max_chars" in options:
        return len(text)
    return cw.count_tokens(text, options["tokenizer"])


def _bodies(chunks: cw.Chunks) -> list[cw.Piece]:
    return [piece for chunk in chunks for piece in chunk.pieces if piece.role == "body"]


def _runs(blocks: list[Block]) -> list[tuple[int, Block, Block]]:
    """Return each run of headings: where it begins, its last one, and what follows it."""
    runs = []
    for kind, group in itertools.groupby(enumerate(blocks), lambda pair: pair[1].kind):
        run = list(group)
        behind = run[-1][0] + 1
        if kind == "heading" and behind < len(blocks) and len(run) <= MAX_RUN:
            runs.append((run[0][1].start, run[-1][1], blocks[behind]))
    return runs


@pytest.mark.parametrize("splitter", SPLITTERS)
@given(made=texts(), options=limits())
@example(
    made=_placed([Block("heading", "# One"), Block("text", "two three.")]),
    options={"max_chars": 8, "soft_max": 4, "overlap": 0, "tokenizer": "bytes"},
)
@example(
    made=_placed(
        [*[Block("heading", "# one")] * 7, Block("heading", "Of one\n====="), Block("text", "one.")]
    ),
    options={"max_chars": 7, "soft_max": None, "overlap": 0, "tokenizer": "bytes"},
)
@example(
    made=_placed([Block("heading", "# One"), Block("code", _fenced("```", ["# comment"] * 2))]),
    options={"max_chars": 27, "soft_max": None, "overlap": 0, "tokenizer": "bytes"},
)
@example(
    # A part of code ends before the overlap of the chunk behind it begins.
    made=_placed(
        [
            Block("heading", "# One"),
            Block("code", _fenced("```", ["# comment"] * 2)),
            *[Block("heading", title) for title in ("About one", "Of one\n=====")],
        ]
    ),
    options={"max_chars": 35, "soft_max": None, "overlap": 16, "tokenizer": "bytes"},
)
def test_a_heading_ends_no_chunk(
    splitter: str, made: tuple[str, list[Block]], options: dict[str, Any]
) -> None:
    text, blocks = made
    chunks = SPLITTERS[splitter](**options)(text)
    laws.hold(text, chunks, options)
    limit = options.get("max_chars") or options["max_tokens"]
    for body in _bodies(chunks)[:-1]:
        for start, last, behind in _runs(blocks):
            if start < body.end <= last.end:
                if _is_free(text, blocks, body.end, behind, splitter, options):
                    continue
                # Else it is so only where the least of what follows has no room.
                least = text[max(start, body.start) : behind.start] + _least(behind, splitter)
                assert body.start >= start
                # A line that gets fences does not displace an overlap.
                fenced = (options["soft_max"] or limit) - options["overlap"]
                room = fenced if splitter == "markdown" else limit
                assert _size(least, options) > room or not _is_exact(options)


def _least(block: Block, splitter: str) -> str:
    """Return the least of a block that a chunk holds: a character, a word, or a fenced line."""
    if block.kind == "code" and splitter == "markdown":
        opening, *lines, closing = block.text.split("\n")
        return "\n".join([opening, *lines[:1], closing])
    if splitter == "balanced":
        return block.text.split()[0]
    return block.text[: 2 if block.text[1:].startswith("\u0301") else 1]


def _is_free(  # noqa: PLR0913, PLR0917 - a cut, and what it is judged by
    text: str,
    blocks: list[Block],
    cut: int,
    behind: Block,
    splitter: str,
    options: dict[str, Any],
) -> bool:
    """Return whether a heading may end a chunk at a cut before what stands behind its run.

    So it is of short lines in a list, and of headings that have no room: by themselves, beside what
    fits by itself, or beside the headings below them.
    """
    limit = options.get("max_chars") or options["max_tokens"]
    room = limit - options["overlap"]
    place = next(i for i, block in enumerate(blocks) if block.end >= cut)
    rows = [list(run) for _, run in itertools.groupby(blocks, _is_bare)]
    if any(blocks[place] in row and _is_bare(row[0]) and len(row) > MAX_BARE for row in rows):
        return True
    is_large = bool(_size(blocks[place].text, options) > room)
    if is_large or blocks[place].end > cut:
        return is_large
    unit = behind.text if splitter in {"recursive", "markdown", "words"} else ""
    if behind.kind == "code" and splitter != "markdown":
        unit = re.split(r"\n[ \n]*\n", unit)[0]
    end = behind.start + len(unit or cw.split_sentences(behind.text)[0].rstrip())
    # A block of code has a chunk of its own where that has room without an overlap.
    for most in [room, limit] if behind.kind == "code" and splitter == "markdown" else [room]:
        upto = end if _size(text[behind.start : end], options) <= most else behind.start
        if _size(text[blocks[place].start : upto].rstrip(), options) > room:
            return True
    return False


def _is_exact(options: dict[str, Any]) -> bool:
    """Whether no part of a text is larger than the whole, so that one character decides."""
    return "max_chars" in options or options["tokenizer"] == "bytes"


@given(made=texts(), options=limits())
def test_a_block_of_code_stays_whole_where_it_fits(
    made: tuple[str, list[Block]], options: dict[str, Any]
) -> None:
    text, blocks = made
    chunks = cw.Recursive.for_language("markdown", **options)(text)
    laws.hold(text, chunks, options)
    limit = options.get("max_chars") or options["max_tokens"]
    heads = {behind.start: start for start, _, behind in _runs(blocks)}
    for block in (block for block in blocks if block.kind == "code"):
        whole = text[heads.get(block.start, block.start) : block.end]
        if _size(whole, options) <= limit and options["tokenizer"] != "cl100k_base":
            for body in _bodies(chunks):
                assert not block.start < body.start < block.end
                assert not block.start < body.end < block.end


def test_a_large_block_is_cut_between_lines() -> None:
    lines = [f"value_{i} = compute({i})  # of {i}" for i in range(40)]
    text = "Text.\n\n# Title\n\n" + _fenced("```", lines) + "\n\nThe end of it."
    chunks = cw.Recursive.for_language("markdown", max_chars=200)(text).texts()
    assert chunks[0] == "Text."
    assert chunks[1].startswith("# Title\n\n```")
    cut = [line for chunk in chunks for line in chunk.split("\n")]
    assert [line for line in cut if line.startswith("value")] == lines


def test_an_unclosed_fence_runs_to_the_end() -> None:
    text = "Text.\n\n```\n" + "# a\n\nb\n" * 50
    chunks = cw.Recursive.for_language("markdown", max_chars=40)(text).texts()
    assert chunks[0] == "Text."
    assert all(len(chunk) > 30 for chunk in chunks[1:-1])


def test_literal_blocks_of_restructuredtext_stay_whole() -> None:
    text = "Some text.\n\nAs here::\n\n    a = 1\n\n    b = 2\n\nMore of it.\n"
    chunks = cw.Recursive.for_language("rst", max_chars=36)(text)
    assert chunks.texts() == ["Some text.", "As here::\n\n    a = 1\n\n    b = 2", "More of it."]


@pytest.mark.parametrize("splitter", ["recursive", "sentence", "balanced"])
@pytest.mark.parametrize("title", ["# Two", "Two\n===", "Two of them", "**Two**", "第二章"])
def test_each_kind_of_heading(splitter: str, title: str) -> None:
    first, second = "One goes before it.", "Three comes behind it."
    text = f"{first}\n\n{title}\n\n{second}"
    limit = len(first) + 3 + len(title)
    chunks = SPLITTERS[splitter](max_chars=max(limit, len(title) + 3 + len(second)))(text)
    assert chunks.texts() == [first, f"{title}\n\n{second}"]


@pytest.mark.parametrize("splitter", ["recursive", "sentence"])
@pytest.mark.parametrize("line", ["Two?", "Two:", "- Two", "1. Two", "| Two |", "两章。", "ab"])
def test_other_lines_may_end_a_chunk(splitter: str, line: str) -> None:
    first, second = "One goes before it.", "Three comes behind it."
    chunks = SPLITTERS[splitter](max_chars=len(first) + 3 + len(line))(
        f"{first}\n\n{line}\n\n{second}"
    )
    assert chunks.texts() == [f"{first}\n\n{line}", second]


def test_a_comment_in_a_fence_is_no_heading() -> None:
    text = "```\nx = 1\n# y\n```\nText of it."
    assert cw.Recursive(max_chars=14)(text).texts()[0] == "```\nx = 1\n# y"


def test_source_code_has_no_headings() -> None:
    text = "import os\n\nx = 1\n\ndef f():\n    pass"
    chunks = cw.Recursive.for_language("python", max_chars=18)(text)
    assert chunks.texts() == ["import os\n\nx = 1", "def f():\n    pass"]
    assert cw.Recursive(max_chars=18, markup="code")(text).texts()[0] == "import os\n\nx = 1"


def test_sentences_are_counted_without_headings() -> None:
    text = "# One\n\nTwo. Three.\n\nFour\n----\n\n## Five\n\nSix. Seven."
    assert cw.Sentence(sentences=1)(text).texts() == [
        "# One\n\nTwo.",
        "Three.",
        "Four\n----\n\n## Five\n\nSix.",
        "Seven.",
    ]


def test_an_unknown_markup_is_refused() -> None:
    markup: Any = "markdwon"
    with pytest.raises(cw.ConfigError, match="unknown markup 'markdwon': did you mean 'markdown'"):
        cw.Recursive(max_chars=9, markup=markup)
