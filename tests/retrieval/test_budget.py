"""Hits fill a budget: whole ones in order, then the best sentences of the next."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.retrieval import Hit, Retriever
from chunkwright.retrieval.indexed_chunks import units_of
from chunkwright.retrieval.trimming import best_run
from tests.support.toy_embedders import dice

WORDS = ["cat", "dog", "engine", "hum", "é", "\ud800", "parse_url"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(
    lambda words: f"{' '.join(words).capitalize()}. "
)
ROWS = st.lists(st.sampled_from(["Cat. It hums", "dog", "7"]), min_size=2, max_size=3).map(
    lambda cells: f"\n| {' | '.join(cells)} |\n"
)
CHUNKS = st.lists(SENTENCES | ROWS, max_size=6).map("".join)


@st.composite
def retrievers(draw: st.DrawFn) -> Retriever:
    return Retriever(
        embedder=draw(st.sampled_from([None, dice])),
        neighbour_smoothing=draw(st.booleans()),
        skip_duplicate_text=draw(st.booleans()),
        trim=draw(st.sampled_from([None, None, 0.5])),
        reranker=draw(st.sampled_from([None, by_length])),
        candidates=draw(st.integers(1, 9)),
    )


def by_length(_: str, texts: list[str]) -> list[float]:
    return [float(len(text)) for text in texts]


def by_words(text: str) -> int:
    return len(text.split())


def counted(text: str, by: str | None) -> int:
    return len(text) if by is None else cw.count_tokens(text, by)


@given(
    retrievers(),
    st.lists(st.tuples(CHUNKS, st.integers(0, 1)), max_size=8),
    st.lists(SENTENCES, min_size=1, max_size=3),
    st.integers(1, 60),
    st.sampled_from(["cl100k_base", "o200k_base", None]),
)
def test_hits_are_whole_while_they_fit_and_the_next_is_cut(
    retriever: Retriever,
    chunks: list[tuple[str, int]],
    queries: list[str],
    limit: int,
    by: str | None,
) -> None:
    texts, doc_ids = [text for text, _ in chunks], sorted(doc for _, doc in chunks)
    index = retriever.index(texts, doc_ids=doc_ids)
    options: dict[str, Any] = {"max_tokens": limit, "tokenizer": by}
    if by is None:
        options = {"max_chars": limit}
    found = index.search(queries, **options)
    assert len(found) == len(queries)
    # Of as many as are candidates, a reranker's order does not depend on how many are wanted.
    k = 1000 if retriever.reranker is None else max(retriever.candidates, 1)
    for query, hits in zip(queries, found, strict=True):
        # What is found for a question depends on no other.
        assert list(index.search(query, **options)) == [hits]
        assert sum(counted(hit.text or "", by) for hit in hits) <= limit
        ranked = index.search(query, k)[0]
        if retriever.reranker is not None and len(ranked) < len(texts):
            continue
        check_filled(texts, hits, ranked, limit, by)


def check_filled(
    texts: list[str], hits: list[Hit], ranked: list[Hit], limit: int, by: str | None
) -> None:
    """See that hits are the ranked ones while they fit, and then a run of units of the next."""
    left = limit
    rest = iter(hits)
    for whole in ranked:
        size = counted(whole.text or "", by)
        if size <= left:
            hit = next(rest)
            assert (hit.index, hit.score, hit.text) == (whole.index, whole.score, whole.text)
            left -= size
            continue
        text, end = texts[whole.index], whole.end
        units = units_of(text, [], whole.start, len(text) if end is None else end)
        hit_or_none = next(rest, None)
        if hit_or_none is None:
            assert all(counted(text[start:end], by) > left for start, end in units)
        else:
            hit = hit_or_none
            assert hit.index == whole.index
            assert hit.text == text[hit.start : hit.end]
            assert hit.start in [start for start, _ in units]
            assert hit.end in [end for _, end in units]
        break
    assert next(rest, None) is None


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), max_size=12),
    st.integers(0, 30),
)
def test_the_run_is_the_best_of_all(units: list[tuple[int, int]], room: int) -> None:
    edges = [0]
    for size, _ in units:
        edges.append(edges[-1] + size)
    ranges, scores = list(pairwise(edges)), [float(score) for _, score in units]
    runs = [(i, j) for i in range(len(units)) for j in range(i + 1, len(units) + 1)]
    fitting = [
        (sum(units[u][0] * units[u][1] for u in range(i, j)), edges[j] - edges[i], -edges[i])
        for i, j in runs
        if edges[j] - edges[i] <= room
    ]
    start, end = best_run(ranges, scores, lambda start, end: end - start, room)
    if not fitting:
        assert start == end
    else:
        _, length, first = max(fitting)
        assert (start, end) == (-first, -first + length)


EELS = (
    "Pike are quick, and nobody has seen one sleep. Tench sleep all winter, and nobody minds. "
    "Carp are kept in ponds, where they are fed by hand."
)


def test_what_speaks_to_the_question_is_kept() -> None:
    index = Retriever().index(cw.Recursive(max_tokens=100)(EELS))
    (hit,) = index.search("When do tench sleep?", max_tokens=14)[0]
    assert hit.text == "Tench sleep all winter, and nobody minds."
    assert hit.text == EELS[hit.start : hit.end]
    (hit,) = index.search("Who keeps carp in ponds?", max_tokens=14)[0]
    assert hit.text == "Carp are kept in ponds, where they are fed by hand."
    assert index.search("tench", max_tokens=2)[0] == []
    (hit,) = index.search("tench", max_tokens=1000)[0]
    assert (hit.text, hit.start, hit.end) == (EELS, 0, len(EELS))


def test_a_row_of_a_table_is_whole_or_left() -> None:
    table = "| fish | says |\n|---|---|\n" + "".join(
        f"| tench {i} | It sleeps. It is a fish. Nobody minds. |\n" for i in range(9)
    )
    text = f"About fish. There are many.\n\n{table}\nThe end. It is over."
    lines = {line.strip() for line in text.splitlines()} | {"About fish.", "There are many."}
    document = cw.read(text.encode(), name="fish.md")
    for chunks in (
        cw.chunk(text, "recursive", max_tokens=500),
        cw.chunk(document, "hybrid", max_tokens=500),
        cw.chunk(document, "hybrid", max_tokens=90),
    ):
        index = Retriever().index(chunks)
        for limit in range(1, 120, 7):
            for hit in index.search("Who sleeps and does not mind?", max_tokens=limit)[0]:
                assert hit.text is not None
                kept = {line.strip() for line in hit.text.splitlines() if line.startswith("|")}
                assert kept <= lines


def test_rows_are_known_without_marks() -> None:
    html = "<table>" + "<tr><td>A tench. It sleeps.</td><td>80</td></tr>" * 9 + "</table>"
    document = cw.read(html.encode(), name="fish.html")
    index = Retriever().index(cw.chunk(document, "hybrid", max_tokens=500))
    (hit,) = index.search("tench sleeps", max_tokens=25)[0]
    assert hit.text is not None
    assert hit.text.splitlines() == ["A tench. It sleeps. 80"] * len(hit.text.splitlines())
    assert 1 < len(hit.text.splitlines()) < 9


def test_tokens_are_those_of_the_chunks() -> None:
    chunks = cw.Sentence(max_tokens=30, tokenizer=by_words)(EELS * 3)
    hits = Retriever().index(chunks).search("tench", max_tokens=40)[0]
    assert 30 < sum(by_words(hit.text or "") for hit in hits) <= 40
    few = Retriever().index(chunks).search("tench", max_tokens=40, tokenizer="cl100k_base")[0]
    assert sum(cw.count_tokens(hit.text or "") for hit in few) <= 40


def test_more_is_looked_for_where_more_fits() -> None:
    texts = [f"Tench {i}." for i in range(400)] + ["Carp are kept in ponds. " * 400]
    index = Retriever(neighbour_smoothing=False).index(texts)
    many, none, few = index.search(["tench", "nothing", "carp"], max_chars=2000)
    assert len(many) > 200
    assert none == []
    assert [hit.index for hit in few] == [400]
    assert replace(few[0], score=0.0).text == ("Carp are kept in ponds. " * 83).strip()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give one of k, max_tokens and max_chars, got none"),
        ({"k": 3, "max_tokens": 5}, "got k=3 and max_tokens=5"),
        ({"max_chars": 3, "max_tokens": 5}, "got max_tokens=5 and max_chars=3"),
        ({"max_tokens": 0}, "max_tokens must be"),
        ({"max_tokens": 2.5}, "max_tokens must be"),
        ({"max_chars": -1}, "max_chars must be"),
        ({"max_chars": 9, "tokenizer": "o200k_base"}, "max_chars counts no tokens"),
        ({"k": 9, "tokenizer": "o200k_base"}, "k counts no tokens"),
    ],
)
def test_what_is_wanted_is_said_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Retriever().index([EELS]).search("tench", **options)


def test_nothing_is_found_in_nothing() -> None:
    assert list(Retriever().index([]).search(["a", "b"], max_tokens=9)) == [[], []]
    assert list(Retriever().index(["a"]).search([], max_tokens=9)) == []
    assert list(Retriever(embedder=dice).index(["", " "]).search("a", max_tokens=9))


def test_a_row_with_line_breaks_is_whole() -> None:
    cells = [f'"cell {i} first part. Second sentence\nthird line here",{i}' for i in range(3)]
    table = cw.read_csv("\n".join(["h1,h2", *cells]))
    index = Retriever().index(cw.Hybrid(max_tokens=200)(table))
    rows = [f"cell {i} first part. Second sentence\nthird line here\t{i}" for i in range(3)]
    for limit in range(1, 60):
        text = "".join(hit.text or "" for hit in index.search("cell 1 part", max_tokens=limit)[0])
        whole = [row for row in rows if row in text]
        assert "".join(text.split()) == "".join("".join(["h1h2"] * ("h1" in text) + whole).split())


@pytest.mark.parametrize("limit", [2**40, 2**62])
def test_a_budget_without_end(limit: int) -> None:
    for texts in (["a", "b"], [" ", ""], []):
        index = Retriever(trim=0.5).index(texts)
        (hits,), (every,) = index.search("a", max_tokens=limit), index.search("a", 9)
        assert [hit.text for hit in hits] == [hit.text for hit in every]
