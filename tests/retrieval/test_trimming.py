"""Hits are cut down to what speaks to the question, and never in the middle."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError, ModelError
from chunkwright.retrieval import Hit, Hits, Retriever, bm25, cosine, top_k, trimming
from tests.support.toy_embedders import dice, zeros

WORDS = ["cat", "dog", "engine", "hum", "é", "\ud800"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(
    lambda words: f"{' '.join(words).capitalize()}. "
)
CHUNKS = st.lists(SENTENCES, max_size=6).map("".join)
# Of a few words each, so that small texts have many.
PIECE_TOKENS = 6


def filled(sentence: str) -> str:
    """Return a sentence that is a piece by itself."""
    return f"{sentence}, and so on" + " and on" * 20 + ". "


MILL, CAT, LAKE = map(filled, ("The mill was built in 1743", "Cats sleep", "Eels live in the lake"))


def as_read(text: str) -> str:
    """Return a text as an embedder gets it: without lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace("?", "\ufffd")


def texts_of(texts: list[str], hits: list[Hit]) -> list[str]:
    return [texts[hit.index][hit.start : hit.end].strip() for hit in hits]


def twin(
    retriever: Retriever, texts: list[str], doc_ids: list[int], query: str, hits: list[Hit]
) -> list[tuple[int, int]]:
    """Trim the hits of one question slowly, one piece after another."""
    cutter = cw.Sentence(max_tokens=trimming.PIECE_TOKENS)
    cuts = [cutter(text) for text in texts]
    pieces = [piece for cut in cuts for piece in cut]
    words = bm25(
        [piece.text for piece in pieces],
        doc_ids=[doc for doc, cut in zip(doc_ids, cuts, strict=True) for _ in cut],
        n_tokens=[piece.n_tokens for piece in pieces],
        neighbour_smoothing=retriever.neighbour_smoothing,
        reach=trimming.PIECE_REACH,
    )
    (bound,) = words.bounds(query)
    scores = words.scores(query)[0].astype(np.float64) / (bound or 1.0)
    if retriever.embedder is not None:
        vectors = dice([as_read(piece.text) for piece in pieces])
        scores = retriever.word_weight * scores + cosine(vectors, dice([as_read(query)]))[0]
    rest = iter(scores.tolist())
    scored = [[(next(rest), piece.start, piece.end) for piece in cut] for cut in cuts]
    leading = [score for hit in hits[:5] for score, *_ in scored[hit.index]]
    least = (retriever.trim or 0.0) * max(leading, default=0.0)
    spans = []
    for hit in hits:
        own, end = scored[hit.index], len(texts[hit.index])
        best = max((score for score, *_ in own), default=0.0)
        if not own or least <= 0:
            spans.append((0, end))
            continue
        kept = own[:]
        while kept[0][0] < min(least, best):
            del kept[0]
        while kept[-1][0] < min(least, best):
            del kept[-1]
        is_first, is_last = kept[0] is own[0], kept[-1] is own[-1]
        spans.append((0 if is_first else kept[0][1], end if is_last else kept[-1][2]))
    return spans


@st.composite
def retrievers(draw: st.DrawFn) -> Retriever:
    return Retriever(
        embedder=draw(st.sampled_from([None, dice])),
        neighbour_smoothing=draw(st.booleans()),
        word_weight=draw(st.sampled_from([0.0, 0.5, 1.5])),
        skip_duplicate_text=draw(st.booleans()),
        trim=draw(st.sampled_from([0.01, 0.4, 0.7, 1.0])),
    )


@given(
    retrievers(),
    st.lists(st.tuples(CHUNKS, st.integers(0, 1)), max_size=8),
    SENTENCES,
    st.integers(1, 9),
)
def test_it_is_what_its_words_say(
    retriever: Retriever, chunks: list[tuple[str, int]], query: str, k: int
) -> None:
    texts, doc_ids = [text for text, _ in chunks], sorted(doc for _, doc in chunks)
    with mock.patch.object(trimming, "PIECE_TOKENS", PIECE_TOKENS):
        index = retriever.index(texts, doc_ids=iter(doc_ids))
        (hits,) = index.search(query, k)
        (more,) = index.search(query, k + 5)
        whole = replace(retriever, trim=None).index(texts, doc_ids=doc_ids).search(query, k + 5)
        spans = twin(retriever, texts, doc_ids, query, whole[0])
    assert [(hit.index, hit.score) for hit in more] == [(hit.index, hit.score) for hit in whole[0]]
    assert [(hit.start, hit.end) for hit in more] == spans
    assert hits == more[:k]
    for hit in hits:
        text = texts[hit.index]
        assert hit.end is not None
        assert 0 <= hit.start <= hit.end <= len(text)
        assert text[hit.start : hit.end].strip() or not text.strip()


@given(st.lists(CHUNKS, max_size=8), st.lists(SENTENCES, max_size=4))
def test_a_larger_share_cuts_more(texts: list[str], queries: list[str]) -> None:
    with mock.patch.object(trimming, "PIECE_TOKENS", PIECE_TOKENS):
        found = [
            Retriever(embedder=dice, trim=trim).index(texts).search(queries, 4)
            for trim in (0.2, 0.5, 1.0)
        ]
    for less, more in itertools.pairwise(found):
        assert less.starts is not None
        assert more.starts is not None
        assert less.ends is not None
        assert more.ends is not None
        assert (less.starts <= more.starts).all()
        assert (less.ends >= more.ends).all()


def test_by_words_alone_what_has_them_is_left() -> None:
    texts = [CAT + MILL + LAKE, LAKE + CAT]
    index = Retriever(trim=0.5).index(texts, doc_ids=[0, 1])
    found, lakes = index.search(["When was a mill built?", "eels of a lake"], 2)
    assert texts_of(texts, found[:1]) == [MILL.strip()]
    assert texts_of(texts, lakes) == [LAKE.strip()] * 2
    assert {hit.index for hit in lakes} == {0, 1}


def test_what_is_between_stays() -> None:
    texts = [CAT + MILL + CAT + MILL + CAT]
    (found,) = Retriever(trim=1.0, neighbour_smoothing=False).index(texts).search("mill", 1)
    assert texts_of(texts, found) == [(MILL + CAT + MILL).strip()]


def test_what_stays_whole_keeps_its_space() -> None:
    texts = [f"\n  {MILL}\n"]
    hit = Retriever(trim=1.0).index(texts).search("mill", 1)[0][0]
    assert (hit.start, hit.end, hit.text) == (0, len(texts[0]), texts[0])


def test_where_nothing_speaks_to_the_question_nothing_is_cut() -> None:
    def opposed(texts: list[str]) -> list[list[float]]:
        return [[-1.0] if "cats" in text.lower() else [1.0] for text in texts]

    texts = [CAT + CAT, CAT * 3, " "]
    retriever = Retriever(embedder=opposed, words=False, neighbour_smoothing=False, trim=1.0)
    (found,) = retriever.index(texts).search("Engines?", 3)
    assert sorted(hit.index for hit in found) == [0, 1, 2]
    assert texts_of(texts, found) == [texts[hit.index].strip() for hit in found]
    silent = replace(retriever, embedder=zeros).index(texts).search("Engines?", 3)[0]
    assert [(hit.start, hit.end) for hit in silent] == [(0, len(text)) for text in texts]


def test_the_best_piece_of_each_hit_stays() -> None:
    texts = [MILL, CAT + filled("A mill stood there when nothing else did")]
    (found,) = Retriever(trim=1.0).index(texts).search("When was the mill built in 1743?", 2)
    assert texts_of(texts, found) == [MILL.strip(), texts[1][len(CAT) :].strip()]


def test_pieces_of_hits_are_embedded_at_once_and_no_others() -> None:
    asked: list[list[str]] = []

    def noting(texts: list[str]) -> Any:
        asked.append(list(texts))
        return dice(texts)

    other = [filled(f"Nobody asks for number {i}") for i in range(9)]
    retriever = Retriever(embedder=noting, trim=0.4)
    index = retriever.index([MILL + CAT, LAKE + CAT, *other])
    del asked[:]
    questions = ["mill built 1743", "eels live lake"]
    hits = index.search(questions, 1)
    assert asked[0] == questions
    (pieces,) = asked[1:]
    assert len(pieces) == len(set(pieces)) <= 4 + 9
    leading = replace(retriever, trim=None).index([MILL + CAT, LAKE + CAT, *other])
    found = leading.search(questions, 5).indices.tolist()
    assert len(pieces) == len({*found} - {0, 1}) + len({0, 1} & {*found}) + bool({0, 1} & {*found})
    assert np.diff(hits.offsets).tolist() == [1, 1]


def test_vectors_of_pieces_must_be_like_those_of_chunks() -> None:
    def longer(texts: list[str]) -> Any:
        return np.ones((len(texts), 3 if any(text == CAT.strip() for text in texts) else 2))

    index = Retriever(embedder=longer, trim=0.4).index([MILL + CAT])
    with pytest.raises(ModelError, match="3 dimensions for pieces of chunks, 2 for chunks"):
        index.search("mill", 1)


@pytest.mark.parametrize("trim", [0, 0.0, -0.1, 1.01, float("nan"), True, "0.4"])
def test_the_share_is_checked(trim: Any) -> None:
    with pytest.raises(ConfigError, match=r"trim must be .*, got "):
        Retriever(trim=trim)


def test_its_name_says_so() -> None:
    assert Retriever(trim=0.4).name == "words, smoothed, trimmed at 0.4"
    assert Retriever(embedder=dice, trim=1).name == "vectors + words, smoothed, trimmed at 1"


def test_many_questions_are_scored_a_few_at_a_time() -> None:
    texts = [CAT + MILL, LAKE + CAT]
    queries = ["mill", "nothing at all", "lake", "cats", "mill lake"]
    index = Retriever(trim=0.4).index(texts)
    hits = index.search(queries, 2)
    with mock.patch.object(trimming, "SCORES_BYTES", 32):
        assert index.search(queries, 2) == hits
    assert list(hits) == [index.search(query, 2)[0] for query in queries]


def test_hits_know_their_part() -> None:
    whole = top_k([[1.0, 3.0, 2.0]], 3)
    assert whole.starts is whole.ends is None
    assert whole[0][0] == Hit(1, 3.0, 0, None)
    starts, ends = np.array([0, 2, 0]), np.array([4, 5, 9])
    trimmed = replace(whole, starts=starts, ends=ends)
    assert trimmed[0] == [Hit(1, 3.0, 0, 4), Hit(2, 2.0, 2, 5), Hit(0, 1.0, 0, 9)]
    assert trimmed != whole
    assert pickle.loads(pickle.dumps(trimmed)) == trimmed
    assert list(trimmed.first(2)) == [trimmed[0][:2]]
    assert list(trimmed.over(2.5)) == [trimmed[0][:1]]
    assert list(Hits.joined([trimmed, trimmed.first(1)])) == [trimmed[0], trimmed[0][:1]]
    with pytest.raises(ConfigError, match="cannot be joined"):
        Hits.joined([trimmed, whole])


def test_an_index_of_nothing() -> None:
    assert list(Retriever(trim=0.4).index([]).search(["a", "b"], 3)) == [[], []]
    assert list(Retriever(embedder=dice, trim=0.4).index([" ", ""]).search([], 3)) == []
    found = Retriever(embedder=dice, trim=0.4).index([" ", ""]).search("a", 3)[0]
    assert sorted(hit.index for hit in found) == [0, 1]
    assert {(hit.start, hit.end) for hit in found} == {(0, 1), (0, 0)}
