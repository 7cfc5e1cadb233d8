"""Searches between writes: a store that stays open finds what one finds that is opened anew."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

import chunkwright as cw
from chunkwright.errors import StoreError
from chunkwright.retrieval import Retriever
from chunkwright.store.searching import opened_vectors, segment_cache
from chunkwright.store.store import Store
from tests.support.mostly_slow import mostly_slow
from tests.support.stores import Words, with_lines

if TYPE_CHECKING:
    from pathlib import Path

EMBEDDER = Words()
WORDS = [
    *("harbour", "ledger", "copper", "signal", "garden", "winter", "quota", "engine"),
    *("Größe", "漢字", "naïve", "report", "not", "90", "30"),
]
WITHIN = ["\u00e9", "\x00", "\ud800", "\ufffd", "  ", "\n", "🚀", ""]
ASKED: list[dict[str, Any]] = [
    {"retriever": Retriever(), "skip_duplicates": False},
    {"k": 8},
    {"k": 3, "where": {"metadata": {"team": "red"}}},
    {"k": 4, "where": {"documents": "a*", "types": ["heading_para", "text", "list"]}},
    {"k": 4, "where": {"any_of": [{"metadata": {"team": "blue"}}, {"types": ["table"]}]}},
    {"k": 6, "floor": 0.02, "gate": 0.9, "expand": "section"},
    {"max_tokens": 60},
    {"k": 9, "where": {"types": ["page header"]}},
    {"retriever": Retriever(words=False, embedder=EMBEDDER), "expand": "neighbours"},
]


def sentence(rng: random.Random) -> str:
    words = rng.choices(WORDS, k=rng.randint(2, 9))
    return f"The {' '.join(words)}{rng.choice(WITHIN)} {rng.choice(words)}."


def text(rng: random.Random) -> str:
    parts = [f"# Part {rng.choice(WORDS)}"]
    for number in range(rng.randint(0, 4)):
        if rng.random() < 0.3:
            parts.append(f"## {rng.choice(WORDS)} {number}")
        if rng.random() < 0.15:
            parts.append("\n".join(f"- {sentence(rng).strip()}" for _ in range(3)))
        parts.append(" ".join(sentence(rng) for _ in range(rng.randint(1, 6))))
    return "\n\n".join(parts)


def edited(rng: random.Random, old: str) -> str:
    """A text with a sentence more, or less, or other whitespace."""
    parts = old.split("\n\n")
    at = rng.randrange(len(parts))
    kind = rng.randrange(3)
    if kind == 0:
        parts.insert(at, sentence(rng))
    elif kind == 1:
        parts[at] = parts[at].replace(" ", "  ", 1)
    else:
        del parts[at]
    return "\n\n".join(parts) or "Nothing."


class Writer:
    """Writes into a store what comes to its mind.

    Parameters
    ----------
    rng
        Its mind.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.texts: dict[str, str] = {}

    def write(self, store: Store) -> None:
        rng, names = self.rng, sorted(self.texts)
        kind = rng.randrange(8)
        if kind < 3 or not names:
            name = f"{rng.choice('ab')}{rng.randint(0, 12)}"
            self._add(store, name, text(rng))
        elif kind == 3:
            name = rng.choice(names)
            self._add(store, name, edited(rng, self.texts[name]))
        elif kind == 4:
            name = rng.choice(names)
            store.remove(name)
            del self.texts[name]
        elif kind == 5:
            blocks = store.blocks(rng.choice(names))
            if blocks:
                store.edit(rng.choice(blocks).id, sentence(rng).replace("\ud800", "?"))
        elif kind == 6:
            store.prune(rng.randint(0, 2))
        else:
            store.link_duplicates(rng.choice([0.3, 0.8]))

    def _add(self, store: Store, name: str, text: str) -> None:
        self.texts[name] = text
        team = {"team": self.rng.choice(["red", "blue"])}
        store.add(
            _read(name, text), metadata=team, strategy=self.rng.choice([None, None, "window"])
        )


def _read(name: str, text: str) -> cw.Document:
    """A document with elements, unless no file could be of that text; some have page headers."""
    lines = [("page header", f"The {word}s of Ms Head", 1) for word in WORDS[: len(text) % 3]]
    if "\ud800" in text or "\0" in text:
        document = cw.Document(text=text, name=name)
    else:
        elements = cw.read(text.encode(), name=name, kind="markdown").elements
        document = cw.Document(elements=elements, name=name)
    return with_lines(document, lines) if lines else document


def answers(store: Store, questions: list[str]) -> list[Any]:
    found = []
    for question in questions:
        for asked in ASKED:
            hits = store.search(question, **asked)
            found.append(
                [(asdict(hit), None if hit.chunk is None else dict(hit.chunk)) for hit in hits]
            )
            assert all(hit.chunk is None or hit.chunk.start == hit.start for hit in hits)
    return found


@pytest.mark.parametrize("seed", mostly_slow(range(3), quick=1))
def test_an_open_store_finds_what_a_new_one_does(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(tmp_path / "kb.db", seed, 25, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 43))
def test_open_stores_find_what_new_ones_do(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(tmp_path / "kb.db", seed, 50, monkeypatch)


def check(path: Path, seed: int, n_writes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(segment_cache, "SEGMENT_BLOCKS", rng.choice([2, 9, 3072]))
    monkeypatch.setattr(opened_vectors, "_BLOCK_ROWS", rng.choice([3, 1024]))
    writer = Writer(rng)
    with Store.open(path, embedder=EMBEDDER) as store:
        for _ in range(n_writes):
            for _ in range(rng.choice([1, 1, 1, 4])):
                writer.write(store)
            questions = [" ".join(rng.choices(WORDS, k=3))]
            own = answers(store, questions)
            with Store.open(path, embedder=EMBEDDER, read_only=True) as fresh:
                assert answers(fresh, questions) == own
        with store._database.writing() as session:
            session.run("DELETE FROM word_segments")
        with Store.open(path, embedder=EMBEDDER, read_only=True) as fresh:
            assert answers(fresh, questions) == own


def test_vectors_that_are_gone_are_missed(tmp_path: Path) -> None:
    with Store.open(tmp_path / "kb.db", embedder=EMBEDDER) as store:
        store.add([cw.Document(text=f"A harbour {i}.", name=f"d{i}") for i in range(9)])
        assert len(store.search("harbour", 9)) == 9
        store.remove("d3")
        store.prune(0)
        with Store.open(tmp_path / "kb.db") as words:
            words.add(cw.Document(text="A harbour 3.", name="d3"))
        with pytest.raises(StoreError, match="1 blocks have no vectors"):
            store.search("harbour", 9)
        store.embed(EMBEDDER)
        assert len(store.search("harbour", 9)) == 9


def test_a_chunk_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    import pickle

    with Store.open(tmp_path / "kb.db") as store:
        store.add(
            [cw.read(b"# Rain\n\nIt rained.", name="a.md"), cw.Document(text="It shone.", name="b")]
        )
        hit, other = store.search("rained shone", 2)
        assert hit.chunk is hit.chunk
        assert hit.chunk is not None
        again = pickle.loads(pickle.dumps(hit))
        assert again == hit
        assert again.chunk == hit.chunk
    with pytest.raises(StoreError, match="closed"):
        _ = other.chunk
    assert hit.chunk is not None


def test_rows_that_do_not_say_what_they_repeat_are_read_with_their_document(tmp_path: Path) -> None:
    text = "# Ledgers\n\n" + "\n\n".join(f"The harbour of {word} is here." for word in WORDS)
    strategy = cw.Hierarchical(max_tokens=24)
    with Store.open(tmp_path / "kb.db") as store:
        store.add(cw.read(text.encode(), name="a.md"), strategy=strategy)
        wanted = store.search("harbour copper", 9)
        assert any(hit.text.startswith("# Ledgers") for hit in wanted)
        with store._database.writing() as session:
            rows = session.rows("SELECT ordinal, chunk FROM placements")
            short = [(json.dumps(json.loads(chunk)[:7]), ordinal) for ordinal, chunk in rows]
            assert [row[0] for row in short] != [row[1] for row in rows]
            for each in short:
                session.run("UPDATE placements SET chunk = ? WHERE ordinal = ?", each)
        assert store.search("harbour copper", 9) == wanted
        assert [hit.chunk for hit in store.search("harbour copper", 9)] == [h.chunk for h in wanted]


def test_a_hit_has_no_chunk_of_another_version_with_its_number(tmp_path: Path) -> None:
    with Store.open(tmp_path / "kb.db") as store:
        for word in ("slate", "flint"):
            store.add(cw.Document(text=f"Some {word}.", name="a"))
            early, late = store.search(word, 1)[0], store.search(word, 1)[0]
            assert (early.version, early.chunk.text if early.chunk else "") == (1, f"Some {word}.")
            store.remove("a")
            store.prune(0)
            with pytest.raises(StoreError, match="pruned"):
                _ = late.chunk
        store.add(cw.Document(text="Some chalk.", name="a"))
        with pytest.raises(StoreError, match="pruned"):
            _ = late.chunk
