"""Public doors of chunks and strategies, for programs that work on what they are made of."""

import pickle

import pytest

import chunkwright as cw
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.columns import Columns

TEXT = "One two. Three four.\n\nFive six."


def test_columns_hold_all_chunks_and_rows_those_of_a_view() -> None:
    chunks = cw.chunk(TEXT, "sentence", sentences=1, max_chars=99)
    view = chunks[1:]
    assert isinstance(chunks.columns, Columns)
    assert view.columns is chunks.columns
    assert (chunks.rows, view.rows) == (range(3), range(1, 3))
    assert [view.columns.text(row) for row in view.rows] == view.texts()
    assert view[0].columns is chunks.columns
    assert cw.Chunks(view.columns, view.rows) == view


def test_a_chunk_knows_the_text_of_its_document() -> None:
    chunks = cw.Sentence(sentences=1).batch([TEXT, "Seven."])
    assert [chunk.document_text for chunk in chunks] == [TEXT, TEXT, TEXT, "Seven."]
    for chunk in chunks:
        assert chunk.document_text is not None
        assert chunk.document_text[chunk.start : chunk.end] == chunk.text
    assert pickle.loads(pickle.dumps(chunks[0])).document_text is None


@pytest.mark.parametrize(
    ("strategy", "limit", "sizes_are_tokens", "size"),
    [
        (cw.Recursive(), 512, True, 3),
        (cw.Recursive(max_tokens=7, tokenizer=lambda text: len(text.split())), 7, True, 2),
        (cw.Window(max_chars=20), 20, False, 8),
        (cw.Hybrid(max_chars=30), 30, False, 8),
    ],
)
def test_a_strategy_says_its_limit_and_measures(
    strategy: Strategy, limit: int, sizes_are_tokens: bool, size: int
) -> None:
    assert (strategy.limit, strategy.sizes_are_tokens) == (limit, sizes_are_tokens)
    assert strategy.measure("One two.") == size
    assert strategy.counter.count("One two.") == (size if sizes_are_tokens else 3)


def test_what_writes_contexts_has_what_cuts() -> None:
    contextual = cw.Contextual("sentence", context="structure")
    assert contextual.inner == cw.Sentence()
    strategy = cw.Window(max_chars=9)
    assert cw.Contextual(strategy, context="structure").inner is strategy
