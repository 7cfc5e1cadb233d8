"""Chunks as a sequence, as columns, as Arrow, as HTML."""

import pickle
import tracemalloc
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.support.texts import TEXTS, WITH_SURROGATES

TEXT = "First paragraph.\n\nA second one, longer.\nÜber-\U0001f680 line.\n\nFirst paragraph."


@pytest.fixture
def chunks() -> cw.Chunks:
    return cw.chunk(TEXT, max_chars=18, overlap=6, name="a.md")


def test_a_sequence(chunks: cw.Chunks) -> None:
    assert len(chunks) == len(list(chunks)) > 4
    assert chunks[-1] == chunks[len(chunks) - 1] == list(chunks)[-1]
    assert chunks.index(chunks[2]) == 2
    with pytest.raises(IndexError):
        chunks[len(chunks)]


@given(
    text=TEXTS,
    start=st.none() | st.integers(-9, 9),
    stop=st.none() | st.integers(-9, 9),
    step=st.none() | st.integers(-3, 3).filter(bool),
)
def test_a_slice_is_that_of_the_list(
    text: str, start: int | None, stop: int | None, step: int | None
) -> None:
    chunks = cw.chunk(text, "window", max_chars=7)
    part = slice(start, stop, step)
    view = chunks[part]
    assert list(view) == list(chunks)[part]
    assert view.texts() == chunks.texts()[part]
    assert view.ids == chunks.ids[part]
    assert view.starts.tolist() == chunks.starts.tolist()[part]
    assert view.n_tokens.tolist() == chunks.n_tokens.tolist()[part]


def test_columns_are_views_of_the_cores_memory(chunks: cw.Chunks) -> None:
    assert chunks.starts.dtype == np.int64
    assert not chunks.starts.flags.writeable
    assert not chunks.starts.flags.owndata
    assert np.shares_memory(chunks.starts, chunks[1:].starts)
    assert cw.chunk("", max_chars=5).starts.shape == (0,)


def test_offsets_in_every_unit(chunks: cw.Chunks) -> None:
    utf8 = TEXT.encode()
    for chunk in chunks:
        assert TEXT[chunk.start : chunk.end] == chunk.text
        assert utf8[chunk.byte_start : chunk.byte_end].decode() == chunk.text
        assert chunk.n_chars == len(chunk.text)
        assert chunk.n_tokens == cw.count_tokens(chunk.text)
        lines = TEXT.split("\n")[chunk.line_start - 1 : chunk.line_end]
        assert chunk.text in "\n".join(lines)
    assert chunks.line_starts.tolist() == [chunk.line_start for chunk in chunks]
    assert chunks.byte_ends.tolist() == [chunk.byte_end for chunk in chunks]


def test_pieces_name_the_overlap() -> None:
    chunk = cw.chunk("aa bb cc dd ee", max_chars=8, overlap=3)[1]
    assert chunk.text == "cc dd ee"
    assert chunk.pieces == (cw.Piece("overlap", 6, 9), cw.Piece("body", 9, 14))


def test_ids_do_not_change_with_an_edit_elsewhere(chunks: cw.Chunks) -> None:
    assert len(set(chunks.ids)) == len(chunks)
    edited = cw.chunk("New.\n\n" + TEXT.replace(" second", "  second"), max_chars=18, name="a.md")
    unedited = cw.chunk(TEXT, max_chars=18, name="a.md")
    assert set(unedited.ids) <= set(edited.ids)
    assert set(cw.chunk(TEXT, max_chars=18, name="b.md").ids).isdisjoint(unedited.ids)
    # Equal texts have ids of their own, in order.
    assert unedited[0].text == unedited[-1].text
    assert unedited[0].id != unedited[-1].id


def test_an_id_is_the_same_tomorrow() -> None:
    (chunk,) = cw.chunk("A fixed text.", max_chars=20, name="fixed.txt")
    assert chunk.id == "5b6e972e7a52c6e487e5a7bd6102cca7"


def test_a_name_may_hold_a_lone_surrogate() -> None:
    assert len(cw.chunk("text", max_chars=9, name="a\udc80.txt")[0].id) == 32


def test_pieces_of_a_chunk_are_found_without_reading_the_whole_text() -> None:
    text = "word \ud83d\ude80 \ud800 " * 50_000
    chunks = cw.chunk(text, "window", max_chars=40, overlap=12)
    chunk = chunks[len(chunks) // 2]
    tracemalloc.start()
    try:
        overlap, body = chunk.pieces
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50_000 < len(text)
    assert (overlap.start, body.end) == (chunk.start, chunk.end)
    assert text[overlap.start : overlap.end] + text[body.start : body.end] == chunk.text


def test_a_line_ends_at_a_line_feed() -> None:
    document = cw.read_markdown("# a\rb\r\rc\r\nd\n\ne")
    assert document.elements is not None
    lines = [(one.text, one.lines) for one in document.elements]
    assert lines == [("# a", (1, 1)), ("b", (1, 1)), ("c\r\nd", (1, 2)), ("e", (4, 4))]
    chunks = cw.Hierarchical(max_chars=7)(document)
    assert [chunk.lines for chunk in chunks] == [(1, 1), (1, 2), (4, 4)]


def test_a_name_is_text() -> None:
    name: Any = 5
    message = "name must be a str or None, got 5"
    with pytest.raises(cw.ConfigError, match=message):
        cw.chunk("text", max_chars=9, name=name)
    with pytest.raises(cw.ConfigError, match=message):
        cw.Document(text="text", name=name)


@given(text=WITH_SURROGATES)
def test_pickling(text: str) -> None:
    chunks = cw.chunk(text, max_tokens=5, overlap=2, name="a.md")
    copy = pickle.loads(pickle.dumps(chunks))
    assert copy == chunks
    assert copy.ids == chunks.ids
    assert copy.n_tokens.tolist() == chunks.n_tokens.tolist()
    assert [c.oversize for c in copy] == [c.oversize for c in chunks]
    assert pickle.loads(pickle.dumps(chunks[1:])) == chunks[1:]


def test_equality(chunks: cw.Chunks) -> None:
    assert chunks == cw.chunk(TEXT, max_chars=18, overlap=6, name="a.md")
    assert chunks != cw.chunk(TEXT, max_chars=18, overlap=6, name="b.md")
    assert chunks != cw.chunk(TEXT, max_chars=18, overlap=0, name="a.md")
    assert chunks != list(chunks)
    assert len({chunks[0], chunks[0], chunks[1]}) == 2


@given(text=TEXTS)
def test_arrow(text: str) -> None:
    chunks = cw.chunk(text, max_tokens=6)
    batch = pa.record_batch(chunks)
    batch.validate(full=True)
    assert batch.schema.names == [
        *("chunk_id", "document", "document_id", "doc_index", "index", "text", "start", "end"),
        *("byte_start", "byte_end", "line_start", "line_end", "source_start", "source_end"),
        *("source_line_start", "source_line_end", "n_tokens", "oversize"),
    ]
    assert batch["text"].to_pylist() == chunks.texts()
    assert batch["chunk_id"].to_pylist() == chunks.ids
    assert batch["line_end"].to_pylist() == chunks.line_ends.tolist()
    assert batch["oversize"].to_pylist() == [chunk.oversize for chunk in chunks]
    assert batch["start"].to_pylist() == chunks.starts.tolist()
    assert batch["byte_end"].to_pylist() == chunks.byte_ends.tolist()
    assert batch["n_tokens"].to_pylist() == chunks.n_tokens.tolist()
    assert pa.table(chunks).to_batches() == ([batch] if len(chunks) else [])
    assert pa.record_batch(chunks[::-2])["text"].to_pylist() == chunks.texts()[::-2]
    assert pa.schema(chunks) == batch.schema


def test_what_a_row_says_is_the_callers_own() -> None:
    document = cw.read(b"# A\n\nOne.", name="a.md")
    for chunk in (cw.chunk(document)[0], pickle.loads(pickle.dumps(cw.chunk(document)[0]))):
        row = dict(chunk)
        row["headings"].append("B")
        chunk["headings"].append("C")
        assert dict(chunk)["headings"] == chunk["headings"] == ["A"]


def test_arrow_replaces_lone_surrogates() -> None:
    assert pa.record_batch(cw.chunk("a\ud800b", max_chars=5))["text"].to_pylist() == ["a\ufffdb"]


def test_repr(chunks: cw.Chunks) -> None:
    lines = repr(chunks).splitlines()
    assert lines[0] == f"<{len(chunks)} chunks of 'a.md'>"
    assert lines[1] == "  0: Chunk('First paragraph.', start=0, end=16)"
    assert lines[-1] == f"  ... {len(chunks) - 3} more"
    assert len(repr(cw.chunk("a" * 500, max_chars=400)[0])) < 100


def test_html_shows_each_chunk_and_nothing_runs() -> None:
    text = "<script>alert(1)</script> & more \ud800 text"
    html = cw.chunk(text, max_chars=30, overlap=10)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<u style=" in html
    html.encode()
    many = cw.chunk("word " * 1000, max_chars=5)._repr_html_()
    assert "1,000 chunks · the first 200 are shown" in many


def test_a_document_brings_its_name() -> None:
    document = cw.Document(text=TEXT, name="a.md")
    assert cw.chunk(document, max_chars=18) == cw.chunk(TEXT, max_chars=18, name="a.md")
    assert cw.chunk(document, max_chars=18, name="b.md").name == "b.md"
