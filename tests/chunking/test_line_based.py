"""Line-based chunks: whole lines, the first of them repeated."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests import laws
from tests.support.texts import WITH_SURROGATES

LINES = st.lists(st.text("ab é漢\t", max_size=12), max_size=20).map("\n".join)
LOG = "time  event\n" + "".join(f"{hour:02}:00 event number {hour}\n" for hour in range(24))


@given(
    text=LINES | WITH_SURROGATES,
    options=laws.options(),
    header_lines=st.integers(0, 3),
    omits=st.booleans(),
)
def test_laws_hold_with_repeated_lines(
    text: str, options: dict[str, Any], header_lines: int, omits: bool
) -> None:
    splitter = cw.LineBased(**options, header_lines=header_lines, omit_header_on_overflow=omits)
    chunks = splitter(text)
    laws.hold(text, chunks, options)
    assert pickle.loads(pickle.dumps(chunks)) == chunks
    assert splitter.batch([text], workers=2).texts() == chunks.texts()
    headers = {chunk.pieces[0][1:] for chunk in chunks if chunk.pieces[0].role == "header"}
    assert len(headers) <= (header_lines > 0)
    for start, end in headers:
        lines = [line for line in text[start:end].split("\n") if line.strip()]
        assert len(lines) == header_lines
        assert not text[:start].strip()
        assert text[end - 1] == "\n"


@given(text=LINES, limit=st.integers(1, 30), header_lines=st.integers(0, 2), omits=st.booleans())
def test_only_a_line_that_does_not_fit_is_cut(
    text: str, limit: int, header_lines: int, omits: bool
) -> None:
    chunks = cw.LineBased(
        max_chars=limit, header_lines=header_lines, omit_header_on_overflow=omits
    )(text)
    for before, chunk in itertools.pairwise(chunks):
        if "\n" in text[before.end : chunk.start]:
            continue
        start = text.rfind("\n", 0, chunk.start) + 1
        line = text[start:].split("\n", maxsplit=1)[0].rstrip()
        header = sum(piece.end - piece.start for piece in chunk.pieces if piece.role == "header")
        header_of_first = max(
            (p.end - p.start for c in chunks for p in c.pieces if p.role == "header"), default=0
        )
        assert len(line) + (0 if omits else max(header, header_of_first)) > limit


def test_lines_keep_their_indentation() -> None:
    code = "def f():\n    return 1\n\n\n    x = 2\n"
    assert cw.LineBased(max_chars=12)(code).texts() == ["def f():", "    return 1", "    x = 2"]


def test_the_first_lines_are_repeated_and_count() -> None:
    chunks = cw.LineBased(max_tokens=40, header_lines=1)(LOG)
    assert len(chunks) > 3
    assert all(text.startswith("time  event\n") for text in chunks.texts())
    assert all(cw.count_tokens(chunk.text) == chunk.n_tokens <= 40 for chunk in chunks)
    assert chunks[0].pieces[0].role == "body"
    own = "\n".join(LOG[chunk.start : chunk.end] for chunk in chunks)
    assert own == LOG.rstrip()
    assert [chunk.lines for chunk in chunks][-1][1] == 25


def test_a_line_is_rather_whole_than_beside_an_overlap() -> None:
    text = "one two\nthree four\nfive"
    chunks = cw.LineBased(max_chars=12, overlap=5)(text)
    assert chunks.texts() == ["one two", "three four", "four\nfive"]


def test_small_chunks_are_joined_behind_the_header() -> None:
    text = "head\n" + "\n".join("x" * n for n in (20, 2, 20, 2))
    apart = cw.LineBased(max_chars=40, soft_max=25, header_lines=1)(text)
    joined = cw.LineBased(max_chars=40, soft_max=25, header_lines=1, min_size=5)(text)
    assert len(joined) < len(apart)
    assert joined[-1].piece_texts()[0] == ("header", "head\n")
    assert all(len(one) <= 40 for one in joined.texts())


def test_tables_of_arrow_and_documents_with_elements() -> None:
    splitter = cw.LineBased(max_chars=60, header_lines=1)
    rows = pa.record_batch(splitter.arrow(pa.record_batch({"text": [LOG]})))
    assert rows["text"].to_pylist() == splitter(LOG).texts()
    assert rows["start"].to_pylist() == splitter(LOG).starts.tolist()
    assert [one.texts() for one in splitter.stream([LOG, ""])] == [splitter(LOG).texts(), []]
    document = cw.read_markdown("# A\n\none\ntwo\n\n# B\n\nthree\n")
    chunk = cw.LineBased(max_chars=12)(document)[1]
    assert (chunk.text, chunk.headings) == ("# B\n\nthree", ("B",))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"header_lines": -1}, "header_lines must be at least 0, got -1"),
        ({"header_lines": 1.5}, "header_lines must be an int, got 1.5"),
        ({"omit_header_on_overflow": "no"}, "must be True or False, got 'no'"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=message):
        cw.LineBased(**options)
