"""Laws of budgets: hits keep them whatever is asked for, and nothing is shown or reranked twice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.retrieval import Retriever
from tests.support.mostly_slow import mostly_slow
from tests.support.stores import Words, with_lines
from tests.support.texts import WORDS

EMBEDDER = Words()
HUGE = 10**6
KINDS = ["paragraph", "paragraph", "paragraph", "figure", "table"]


@dataclass
class Counting:
    """Reranker that has nothing to do with the search, and keeps what it was given."""

    given: list[list[str]] = field(default_factory=list)

    def __call__(self, question: str, texts: list[str]) -> list[float]:
        self.given.append(list(texts))
        return [float(sum(map(ord, text)) % 17) + len(question) % 3 for text in texts]


def document(chance: random.Random, name: str) -> tuple[cw.Document, list[tuple[str, str, int]]]:
    """Return a document of paragraphs, figures and tables, and its page headers."""
    text, items = "", list[dict[str, Any]]()
    for number in range(chance.randrange(2, 9)):
        kind = chance.choice(KINDS)
        rows = [
            " ".join(chance.choices(WORDS, k=chance.randrange(2, 14))) + "."
            for _ in range(chance.randrange(1, 5))
        ]
        said = "\n".join(rows) if kind == "table" else " ".join(rows)
        pages = (1 + number // 3,)
        items.append({"kind": kind, "start": len(text), "end": len(text) + len(said)})
        items[-1]["pages"] = pages
        text += said + "\n\n"
    # Some have a word that is in no block.
    lines = [
        ("page header", " ".join([*chance.choices(WORDS, k=chance.randrange(1, 9)), own]), 1)
        for own in chance.choices(["", f"qx{name}vy"], k=chance.choice([0, 1, 3]))
    ]
    elements = cw.elements_at(text.rstrip(), items)
    return cw.Document(elements=elements, name=name), lines


def documents_of(chance: random.Random) -> list[tuple[cw.Document, list[tuple[str, str, int]]]]:
    """Return documents, of which some say nearly the same."""
    found = [document(chance, f"{'ab'[i % 2]}{i}") for i in range(chance.randrange(2, 14))]
    copied, lines = chance.choice(found)
    return [*found, (cw.Document(elements=copied.elements, name="a99"), lines)]


@contextmanager
def made(folder: Path, seed: int, *, has_lines: bool = True) -> Iterator[cw.Store]:
    """Open a store of some documents; its blocks are the same with and without lines."""
    chance = random.Random(seed)
    documents = documents_of(chance)
    with cw.Store.open(folder / f"{seed}-{has_lines}.db", embedder=EMBEDDER) as store:
        store.add(
            [with_lines(each, lines if has_lines else []) for each, lines in documents],
            strategy=cw.strategy("by_title", max_tokens=chance.choice([24, 60])),
        )
        if chance.random() < 0.5:
            store.link_duplicates(0.4)
        yield store


def question_of(chance: random.Random, seed: int) -> str:
    """Return words, or those of a page header of the store, with more of them or without."""
    words = chance.choices([*WORDS, "zorgon"], k=chance.randrange(1, 9))
    lines = [said for _, of in documents_of(random.Random(seed)) for _, said, _ in of]
    if not lines or chance.random() < 0.5:
        return " ".join(words)
    return " ".join([chance.choice(lines), *words[: chance.choice([0, 0, 1, 5])]])


def options_of(chance: random.Random) -> dict[str, Any]:
    """Return options of a search, without a number or a budget."""
    retriever = chance.choice(
        [
            Retriever(),
            Retriever(subwords=None),
            Retriever(trim=0.5),
            Retriever(embedder=EMBEDDER),
            Retriever(reranker=Counting()),
            Retriever(embedder=EMBEDDER, reranker=Counting()),
        ]
    )
    is_reranked = retriever.reranker is not None
    return {
        "retriever": retriever,
        "floor": chance.choice([None, None, 6.0 if is_reranked else 0.1]),
        "gate": chance.choice([None, 12.0 if is_reranked else 0.6, 99.0]),
        "where": chance.choice([None, None, {"documents": "a*"}]),
        "skip_duplicates": chance.random() < 0.7,
        "compose": chance.random() < 0.5,
    }


def n_tokens(hits: Any) -> int:
    return sum(cw.count_tokens(hit.text, "cl100k_base") for hit in hits)


def told(hits: Any) -> list[tuple[str, str, str, float]]:
    return [(hit.document, hit.block, hit.text, hit.score) for hit in hits]


def check(folder: Path, seed: int) -> None:
    """Check the laws for one store."""
    chance = random.Random(-seed)
    with made(folder, seed) as store:
        for _ in range(12):
            question, options = question_of(chance, seed), options_of(chance)
            about = (seed, question, options)
            plain = told(store.search(question, 40, **options))
            assert told(store.search(question, 40, max_tokens=HUGE, **options)) == plain, about
            for budget in (1, 9, 30, 80, 300):
                every = store.search(question, max_tokens=budget, **options)
                for k in (None, 1, 3, 40):
                    hits = store.search(question, k, max_tokens=budget, **options)
                    assert told(hits) == told(every)[:k], (about, budget, k)
                for expand in (None, "neighbours", "section", "page"):
                    hits = store.search(
                        question,
                        chance.choice([None, 2, 9]),
                        max_tokens=budget,
                        expand=expand,
                        **options,
                    )
                    assert_lawful(hits, options, budget, (about, budget, expand))


def assert_lawful(hits: Any, options: dict[str, Any], budget: int, about: object) -> None:
    assert n_tokens(hits) <= budget, about
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True), about
    assert options["floor"] is None or all(score >= options["floor"] for score in scores), about
    # A block is shown once: by itself, or beside another one.
    places = [(hit.document, hit.version, hit.ordinal) for hit in hits if hit.block]
    assert len(places) == len(set(places)), about
    beside = set[str]()
    for hit in hits:
        assert hit.neighbours or hit.block not in beside, about
        beside.update(hit.neighbours)


@pytest.mark.slow
@pytest.mark.parametrize("seed", mostly_slow(range(6), quick=1))
def test_hits_keep_a_budget_whatever_is_asked_for(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_hits_of_many_stores_keep_a_budget(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


@pytest.mark.parametrize("seed", mostly_slow(range(6), quick=2))
def test_whole_hits_are_those_of_a_search_without_a_budget(tmp_path: Path, seed: int) -> None:
    """Where no hit is wider than a block, all but the last are whole and the same."""
    chance = random.Random(seed)
    with made(tmp_path, seed) as store:
        for _ in range(20):
            options = options_of(chance) | {"compose": False, "gate": None, "where": None}
            question, budget = question_of(chance, seed), chance.choice([20, 60, 200])
            blocks = [hit for hit in store.search(question, 40, **options) if hit.block]
            hits = store.search(question, max_tokens=budget, **options)
            own = [hit for hit in hits if hit.block]
            assert told(own[:-1]) == told(blocks[: max(0, len(own) - 1)])
            assert [hit.block for hit in own] == [hit.block for hit in blocks[: len(own)]]
            assert all(part.text in hit.text for part, hit in zip(own, blocks, strict=False))
            if hits and hits[0].block and own == hits:
                room, following = budget - n_tokens(own), blocks[len(own) : len(own) + 1]
                assert (
                    n_tokens(following) > room
                    or not following
                    or told(own) != told(blocks[: len(own)])
                )


@pytest.mark.parametrize("n", [5, 40])
def test_a_reranker_is_given_as_many_whatever_the_budget(tmp_path: Path, n: int) -> None:
    with made(tmp_path, 5) as store:
        store.add([cw.Document(text=f"{WORDS[i % 15]} {i}", id=f"{i}") for i in range(80)])
        question, reranker = " ".join(WORDS), Counting()
        retriever = Retriever(reranker=reranker, candidates=n)
        store.search(question, 1, retriever=retriever)
        for k in (None, 1, 3):
            for budget in (5, 100, HUGE):
                for expand in (None, "section"):
                    store.search(question, k, max_tokens=budget, expand=expand, retriever=retriever)
        assert len(reranker.given) == 19
        assert all(texts == reranker.given[0] for texts in reranker.given)
        assert len(reranker.given[0]) == n


@pytest.mark.parametrize("seed", range(6))
def test_lines_behind_blocks_take_nothing_from_them(tmp_path: Path, seed: int) -> None:
    """What stands behind is what is left, and a line is first, or costs the blocks nothing."""
    chance, n_others = random.Random(seed), 0
    with made(tmp_path, seed) as store, made(tmp_path, seed, has_lines=False) as without:
        for _ in range(40):
            options = options_of(chance) | {"max_tokens": chance.choice([20, 60, 200])}
            options["expand"] = chance.choice([None, "neighbours", "section", "page"])
            question = question_of(chance, seed)
            hits = store.search(question, **options)
            if hits and not hits[0].block:
                continue
            blocks = [hit for hit in hits if hit.block]
            assert told(blocks) == told(without.search(question, **options)), (question, options)
            assert hits[: len(blocks)] == blocks
            n_others += len(hits) - len(blocks)
    assert n_others or seed


def test_a_figure_is_alone_where_its_table_does_not_fit(tmp_path: Path) -> None:
    said = [
        ("figure", "Figure 1: copper wheels of the mill"),
        ("table", "Year | copper\n" + "\n".join(f"{year} | copper" for year in range(1990, 2010))),
    ]
    text, items = "", list[dict[str, Any]]()
    for kind, each in said:
        place = {"start": len(text), "end": len(text) + len(each), "pages": (1,)}
        items.append({"kind": kind, **place})
        text += each + "\n\n"
    with cw.Store.open(tmp_path / "kb.db") as store:
        store.add(cw.Document(elements=cw.elements_at(text.rstrip(), items), name="fig"))
        both = store.search("figure wheels", 1, compose=True)
        assert [len(hit.neighbours) for hit in both] == [1]
        needed = n_tokens(both)
        assert told(store.search("figure wheels", max_tokens=needed, compose=True)) == told(both)
        narrow = store.search("figure wheels", max_tokens=needed - 1, compose=True)
        assert [hit.text for hit in narrow[:1]] == [said[0][1]]
        assert n_tokens(narrow) < needed
