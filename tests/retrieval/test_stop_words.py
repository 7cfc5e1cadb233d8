"""Stop words of questions: what does not count, and what a retriever finds without them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.retrieval import ENGLISH_STOP_WORDS, Index, Retriever

TEXTS = ["What did they say, what did they think?", "The mill burned.", "Say no more."]
ASKED = "What did they say about the mill?"


def test_words_that_ask_find_nothing() -> None:
    plain = Retriever(neighbour_smoothing=False).index(TEXTS)
    stopped = Retriever(neighbour_smoothing=False, stop_words=ENGLISH_STOP_WORDS).index(TEXTS)
    assert plain.search(ASKED, k=1)[0][0].index == 0
    assert [hit.index for hit in stopped.search(ASKED, k=3)[0]] == [1]
    # A question of nothing else keeps them.
    assert stopped.search("What did they say?", k=1)[0][0].index == 0


def test_scores_are_those_of_the_question_without_them() -> None:
    index = Retriever(stop_words=["what", "DID"]).index(TEXTS)
    other = Retriever().index(TEXTS)
    found, expected = index.search("What did they say?", k=3), other.search("they say?", k=3)
    assert [hit.index for hit in found[0]] == [hit.index for hit in expected[0]]
    np.testing.assert_allclose(
        [hit.score for hit in found[0]], [hit.score for hit in expected[0]], rtol=1e-6
    )


def test_an_index_file_keeps_them(tmp_path: Path) -> None:
    chunks = cw.chunk(" ".join(TEXTS), "sentence", sentences=1)
    index = Retriever(stop_words=["what"], neighbour_reach=600).index(chunks)
    index.save(tmp_path / "index")
    again = Index.load(tmp_path / "index")
    assert again.search(ASKED, k=2) == index.search(ASKED, k=2)


@pytest.mark.parametrize("wrong", ["what", ["two words"], [7], 7])
def test_what_is_no_word_is_refused(wrong: Any) -> None:
    with pytest.raises(cw.ConfigError, match="stop_words must be"):
        Retriever(stop_words=wrong)
