"""Arrays that retrieval and embedders are given: masked entries, and documents out of order."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import retrieval

TEXTS = ["One two.", "Two three.", "Three four."]
MASKED = np.ma.array(np.eye(3), mask=np.zeros((3, 3), bool))
MASKED[1, 2] = np.ma.masked


def test_an_embedder_may_give_no_masked_entry() -> None:
    strategy = cw.Kamradt(max_chars=9, embedder=lambda _: MASKED)
    with pytest.raises(cw.ModelError, match=r"a masked array, in which \[1, 2\] is missing"):
        strategy("One two. Two three. Three four.")
    whole = np.ma.array(np.eye(3))
    of_whole = cw.Kamradt(max_chars=9, embedder=lambda texts: whole[: len(texts)])
    of_plain = cw.Kamradt(max_chars=9, embedder=lambda texts: np.eye(3)[: len(texts)])
    assert of_whole("One two. Two three.") == of_plain("One two. Two three.")


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("vectors", lambda a: retrieval.smooth(a, [0, 0, 0])),
        ("scores", lambda a: retrieval.smooth_scores(a, [0, 0, 0])),
        ("vectors", lambda a: retrieval.cosine(a, np.eye(3))),
        ("queries", lambda a: retrieval.cosine(np.eye(3), a)),
    ],
)
def test_matrices_have_all_entries(name: str, call: Any) -> None:
    with pytest.raises(cw.ConfigError, match=rf"{name}.* must have all entries, but \[1, 2\]"):
        call(MASKED)
    call(np.ma.array(np.eye(3)))


def test_sizes_have_all_entries() -> None:
    sizes = np.ma.array([5, 6, 7], mask=[False, True, False])
    with pytest.raises(cw.ConfigError, match=r"n_tokens must have all entries, but \[1\] is"):
        retrieval.smooth(np.eye(3), [0, 0, 0], n_tokens=sizes)


def index_of(doc_ids: list[Any]) -> Any:
    texts = [f"Text {i}." for i in range(len(doc_ids))]
    return cw.Retriever().index(texts, doc_ids=doc_ids)


@given(doc_ids=st.lists(st.sampled_from("abc"), max_size=9))
def test_chunks_of_a_document_lie_behind_one_another(doc_ids: list[str]) -> None:
    runs = [doc for i, doc in enumerate(doc_ids) if i == 0 or doc_ids[i - 1] != doc]
    if len(runs) == len(set(runs)):
        assert len(index_of(doc_ids)) == len(doc_ids)
        return
    first = next(
        i
        for i, doc in enumerate(doc_ids)
        if i and doc in doc_ids[: i - 1] and doc_ids[i - 1] != doc
    )
    message = f"behind one another: chunk {first} is of '{doc_ids[first]}' again"
    with pytest.raises(cw.ConfigError, match=message):
        index_of(doc_ids)


def test_scores_that_are_fused_have_all_entries() -> None:
    for pair in ((MASKED, np.eye(3)), (np.eye(3), MASKED)):
        with pytest.raises(cw.ConfigError, match=r"must have all entries, but \[1, 2\] is masked"):
            retrieval.fuse(*pair)
    with pytest.raises(cw.ConfigError, match=r"scores must have all entries"):
        retrieval.top_k(MASKED, 1)
