"""Page headers and footers: they are in no block, and a search finds them by their words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError, ReadError
from chunkwright.retrieval import Retriever
from chunkwright.store.searching import furniture
from chunkwright.store.searching.segments import Line, lines_of_bytes, lines_to_bytes
from chunkwright.store.store import Store
from tests.support.mostly_slow import mostly_slow
from tests.support.stores import Words, with_lines
from tests.support.texts import WORDS

KINDS = ("page header", "page footer")
RETRIEVERS = (Retriever(), Retriever(embedder=Words()), Retriever(subwords=None))
INVOICES = [
    ("Ada ordered apples for the school.", "Total due: 411.25 EUR, within 30 days"),
    ("Carl has sent back two broken lamps.", "Total due: 822.25 EUR, within 30 days"),
    ("Eve asks for a later delivery date.", "Total due: 1233.25 EUR, within 30 days"),
]


def invoices() -> list[cw.Document]:
    """Return documents, each with a page header on two pages and a footer of its own."""
    return [
        with_lines(
            cw.Document(text=said, name=f"{'ab'[number % 2]}{number}", metadata={"n": number}),
            [("page header", "Mill and Sons", page) for page in (1, 2)]
            + [("page footer", due, 2 + number)],
        )
        for number, (said, due) in enumerate(INVOICES)
    ]


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target) as store:
        store.add(invoices())
        yield store


class Made:
    """Documents of lines, each of which has a word of its own.

    Parameters
    ----------
    seed
        Makes them.
    """

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self._number = 0

    def line(self) -> str:
        self._number += 1
        words = self.chance.choices(WORDS, k=self.chance.randrange(1, 9))
        words.insert(self.chance.randrange(len(words) + 1), f"qx{self._number}vy")
        return " ".join(words)

    def document(self, name: str) -> tuple[cw.Document, list[str], list[tuple[str, str, int]]]:
        """Return a document, the lines of its body, and its page headers and footers."""
        chance = self.chance
        body = [self.line() for _ in range(chance.randrange(1, 6))]
        lines = [(chance.choice(KINDS), self.line(), page) for page in range(chance.randrange(5))]
        read = cw.read("\n\n".join(body).encode(), name=name, kind="markdown")
        return with_lines(read, lines), body, lines


@pytest.mark.parametrize("seed", mostly_slow(range(6), quick=1))
def test_each_line_is_found_first_by_its_words(seed: int, target: str) -> None:
    made = Made(seed)
    documents = [made.document(f"d{number}") for number in range(made.chance.randrange(1, 12))]
    with Store.open(target, embedder=Words()) as store:
        store.add([document for document, _, _ in documents])
        for document, body, lines in documents:
            for question in (*body, *(text for _, text, _ in lines)):
                hits = store.search(question, 40, retriever=made.chance.choice(RETRIEVERS))
                assert question in hits[0].text
                assert hits[0].document == document.name
            for kind, text, page in lines:
                (hit,) = store.search(text, 1, where={"documents": document.name})
                assert (hit.block_type, hit.text, hit.pages) == (kind, text, (page,))
                assert document.text[hit.start : hit.end] == text
                assert hit.block == ""
                assert hit.chunk is None
                place = store.verify(text).places[0]
                own = (place.document, place.version, place.start, place.end, place.line_start)
                assert own == (hit.document, hit.version, hit.start, hit.end, hit.line_start)
                assert place.kind == kind


@pytest.mark.parametrize("seed", range(6))
def test_blocks_are_found_as_without_lines(seed: int, tmp_path: Path) -> None:
    """The same blocks in the same order, with the same scores; of so many hits one makes room."""
    made = Made(seed)
    documents = [made.document(f"d{number}") for number in range(9)]
    with (
        Store.open(tmp_path / "lines.db", embedder=Words()) as store,
        Store.open(tmp_path / "none.db", embedder=Words()) as without,
    ):
        store.add([document for document, _, _ in documents])
        without.add([with_lines(document, []) for document, _, _ in _bodies(documents)])
        for _ in range(30):
            words = " ".join(made.chance.choices(WORDS, k=made.chance.randrange(1, 5)))
            said = [text for _, _, lines in documents for _, text, _ in lines]
            question = made.chance.choice([words, made.chance.choice(said)])
            options: dict[str, Any] = {
                "retriever": made.chance.choice(RETRIEVERS),
                "k": made.chance.choice([1, 3, 40]),
                "where": made.chance.choice([None, {"documents": ["d1", "d2"]}, {"pages": 1}]),
                "expand": made.chance.choice([None, "neighbours"]),
            }
            hits = store.search(question, **options)
            n_left = options["k"] - int(bool(hits) and not hits[0].block)
            wanted = without.search(question, **options | {"k": n_left}) if n_left else []
            own = [(hit.text, hit.score, hit.why) for hit in hits if hit.block]
            assert own == [(hit.text, hit.score, hit.why) for hit in wanted]


def _bodies(documents: list[Any]) -> list[Any]:
    return [
        (cw.read("\n\n".join(body).encode(), name=of.name, kind="markdown"), body, [])
        for of, body, _ in documents
    ]


def told(hits: Any) -> list[tuple[str, str]]:
    return [(hit.document, hit.text) for hit in hits]


def test_equal_lines_are_one_hit_with_its_pages(store: Store) -> None:
    hits = store.search("mill and sons", 9)
    assert told(hits) == [("a0", "Mill and Sons")]
    assert hits[0].pages == (1, 2)
    every = store.search("mill and sons", 9, retriever=Retriever(skip_duplicate_text=False))
    assert told(every) == [(name, "Mill and Sons") for name in ("a0", "b1", "a2")]
    assert every[0].metadata == {"n": 0}


def test_of_lines_with_the_same_words_that_is_first_which_has_their_order(store: Store) -> None:
    lines = [("page footer", f"Page {page} of 3", page) for page in (1, 2, 3)]
    store.add(with_lines(cw.Document(text="Nothing.", name="pages"), lines))
    for _, text, page in lines:
        assert (hit := store.search(text.upper(), 1)[0]).text == text
        assert hit.pages == (page,)


def test_lines_are_found_where_there_is_no_block(target: str) -> None:
    items = [{"kind": "page header", "start": 0, "end": 13, "pages": (1,)}]
    elements = cw.elements_at("Mill and Sons", items, n_body=0)
    with Store.open(target) as store:
        store.add(cw.Document(elements=elements, name="empty"))
        assert store.blocks("empty") == []
        assert told(store.search("Whose mill?", 1)) == [("empty", "Mill and Sons")]
        assert told(store.search("Whose mill?", max_tokens=9)) == [("empty", "Mill and Sons")]


def test_a_line_makes_room_for_blocks_that_have_as_much(store: Store) -> None:
    due = "total due 1233.25"
    assert store.search(due, 1)[0].block_type == "page footer"
    store.add(cw.Document(text="They say that the total due is 1233.25 by now.", name="letter"))
    first, *_, last = store.search(due, 9)
    assert (first.document, last.block_type) == ("letter", "page footer")
    assert [hit.block_type for hit in store.search(due, 1)] == ["paragraph"]


NOT_B = {"none_of": [{"documents": "b*"}]}


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ({"types": "page footer"}, ["a0", "b1", "a2"]),
        ({"types": "page footer", "documents": "b*"}, ["b1"]),
        ({"types": ["page footer", "table"], "pages": [3, 4]}, ["b1", "a2"]),
        ({"types": "page footer", "metadata": {"n": [0, 2]}}, ["a0", "a2"]),
        ({"types": "page footer", **NOT_B}, ["a0", "a2"]),
        ({"all_of": [{"types": "page footer"}, {"pages": 2}]}, ["a0"]),
        ({"any_of": [{"types": "page footer", "pages": 4}, {"documents": "none"}]}, ["a2"]),
        ({"types": "page footer", "any_of": []}, []),
        ({"types": "page header"}, []),
        ({"types": []}, []),
        ({"types": "table"}, []),
    ],
)
def test_filters_are_those_of_blocks(store: Store, where: Any, names: list[str]) -> None:
    hits = store.search("What is due?", 40, where=where)
    assert sorted(hit.document for hit in hits) == sorted(names)
    assert {hit.block_type for hit in hits} <= {"page footer"}
    once = {name: iter(of) if type(of) is list else of for name, of in where.items()}
    assert store.search("What is due?", 40, where=once) == hits


def test_a_budget_is_kept(store: Store) -> None:
    question = "total due 1233.25 lamps"
    for n in range(1, 60):
        hits = store.search(question, max_tokens=n)
        assert sum(cw.count_tokens(hit.text, "cl100k_base") for hit in hits) <= n
    assert {hit.block_type for hit in hits} == {"text", "page footer"}
    # It begins with the line as soon as that fits.
    (line,) = store.search("total due 1233.25 within days", max_tokens=16)
    assert line.block_type == "page footer"
    shown = store.search(question, expand="section", max_tokens=40, compose=True)
    assert {hit.block_type for hit in shown} == {"text", "page footer"}


def _even(_: str, texts: list[str]) -> list[float]:
    """Find all texts as good."""
    return [10.0] * len(texts)


def test_a_line_below_the_floor_takes_no_room(store: Store) -> None:
    lamps = cw.Document(text="Here the old broken lamps that Carl sent are described.", name="c")
    store.add(with_lines(lamps, [("page header", "Broken lamps that Carl sent back to us", 1)]))
    question, budget = "broken lamps that Carl sent back to us", 14
    retriever = Retriever(reranker=_even)
    (line,) = store.search(question, max_tokens=budget, retriever=retriever)
    assert not line.block
    hits = store.search(question, max_tokens=budget, floor=99.0, retriever=retriever)
    assert hits == []
    hits = store.search(question, max_tokens=budget, floor=10.0, retriever=retriever)
    assert hits
    assert all(hit.score >= 10 for hit in hits)


def test_a_line_with_one_word_of_a_question_is_not_first(store: Store) -> None:
    question = "Wieviele Lampen hat Carl von den vier an 822.25 ausgeliehenen zuletzt"
    (hit,) = store.search(question, 1)
    assert hit.block


def test_where_words_do_not_count_no_line_is_found(store: Store) -> None:
    store.embed(Words())
    retriever = Retriever(words=False, embedder=Words())
    assert all(hit.block for hit in store.search("mill and sons", 40, retriever=retriever))


def test_a_line_cannot_be_cited(store: Store) -> None:
    with pytest.raises(ConfigError, match="page headers and footers have none") as caught:
        store.cite(store.search("mill and sons", 1)[0].block)
    assert caught.value.option == "block"


def test_thresholds_are_picked_by_blocks(store: Store) -> None:
    picked = store.calibrate({"mill and sons broken lamps": "Carl has sent back two broken lamps."})
    assert picked.precision_over_gate == 1.0
    assert store.search("mill and sons", 9, floor=1.01) == []


def test_lines_are_those_of_current_versions(store: Store) -> None:
    document = cw.Document(text="Ada ordered pears.", name="a0")
    store.add(with_lines(document, [("page header", "Hill and Daughters", 1)]))
    assert not any("411" in hit.text for hit in store.search("411.25", 9))
    assert told(store.search("hill daughters", 9)) == [("a0", "Hill and Daughters")]
    assert store.search("hill daughters", 1)[0].version == 2
    store.remove("a0")
    assert store.search("hill daughters", 9) == []
    store.erase("b1")
    assert not any("822" in hit.text for hit in store.search("822.25", 9))
    assert told(store.search("1233.25", 9)) == [("a2", INVOICES[2][1])]


def test_lines_of_older_segments_are_read_from_documents(target: str) -> None:
    with Store.open(target) as store:
        store.add(invoices())
        with store._database.writing() as session:
            session.run("UPDATE word_segments SET state = ?", (b"of an older chunkwright",))
    with Store.open(target, read_only=True) as store:
        assert told(store.search("1233.25", 9)) == [("a2", INVOICES[2][1])]


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=10) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=20,
)


@given(_VALUES | st.lists(st.lists(_VALUES, min_size=10, max_size=10)))
def test_what_is_no_line_is_told(value: Any) -> None:
    import json

    try:
        lines = lines_of_bytes(json.dumps(value).encode())
    except ReadError:
        return
    assert lines_of_bytes(lines_to_bytes(lines)) == lines or lines == ()


def test_lines_are_read_as_they_were_written() -> None:
    box = [1, 0.5, 0.0, 9.25, 3.0]
    lines = tuple(
        Line(1, "page header", "Größe 漢字", 3, 11, 1, 2, [1, 2], [box], confidence)
        for confidence in (None, 0.0, 0.25, 1.0)
    )
    assert lines_of_bytes(lines_to_bytes(lines)) == lines
    for wrong in (b"", b"[[1]]", b"{", b"\xff", b"[[1,2,3,4,5,6,7,8,9,10]]"):
        with pytest.raises(ReadError):
            lines_of_bytes(wrong)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_of_many_lines_are_those_of_all(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of equal shares only the shortest are compared word by word: shares stay the best ones."""
    chance = random.Random(seed)
    said = [" ".join(chance.choices(WORDS[:6], k=chance.randrange(1, 7))) for _ in range(200)]
    lines = [(chance.choice(KINDS), each, page % 9) for page, each in enumerate(said)]
    with Store.open(tmp_path / "kb.db") as store:
        for number in range(4):
            document = cw.Document(text=f"Nothing of {number}.", name=f"d{number}")
            store.add(with_lines(document, lines[number::4]))
        for _ in range(20):
            question = " ".join(chance.choices(WORDS[:6], k=chance.randrange(1, 5)))
            asked: dict[str, Any] = {
                "k": chance.choice([1, 3, 50]),
                "where": chance.choice([None, {"types": "page footer"}, {"pages": 3}]),
                "retriever": Retriever(skip_duplicate_text=chance.random() < 0.5),
            }
            every = store.search(question, **asked)
            monkeypatch.setattr(furniture, "_COMPARED", 2)
            some = store.search(question, **asked)
            monkeypatch.undo()
            assert [hit.why.words for hit in some] == [hit.why.words for hit in every]
            assert [hit.block for hit in some] == [hit.block for hit in every]


def test_words_that_stand_nowhere_count(store: Store) -> None:
    """A line is not first where a question is about something else, of which no text has a word."""
    assert store.search("total due 1233.25", 1)[0].block_type == "page footer"
    hits = store.search("total due 1233.25 apples, says zorgon of the wuggly blorp", 9)
    assert hits[0].block
    store.add(cw.Document(text="Apples.", name="c"))
    assert store.search("How many apples did Mill order of zorgon or blorp?", 1)[0].block
