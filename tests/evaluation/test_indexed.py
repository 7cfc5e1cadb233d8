"""What is searched in the place of a chunk's text: it decides what is found, not what is scored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from chunkwright.errors import ConfigError
from chunkwright.evaluation import Dataset, Evaluation, PlacedChunks, evaluate
from chunkwright.evaluation.chunkers.adapter import ChunkerOutput, cut
from chunkwright.evaluation.chunkers.cache import ChunkCache
from chunkwright.evaluation.run.plan import Run
from chunkwright.evaluation.run.stored_runs import evaluate_all
from chunkwright.evaluation.scores.passages import within_texts
from chunkwright.files.disk_cache import DiskCache, digest
from chunkwright.retrieval import Hits, Retriever, trimming

from .samples import CORPORA, DATASET, LAKE, MILL, question, sentences

PLAIN = Retriever(neighbour_smoothing=False)


@dataclass
class Item:
    """A chunk as other libraries have it: its text with a context in front, and its own."""

    text: str
    original_text: str
    start: int | None = None
    end: int | None = None


def in_context(text: str) -> list[Item]:
    """Put the name of its subject, which no other sentence says, in front of each sentence."""
    name = "mill" if "mill" in text else "lake"
    return [Item(f"[About the {name}.] {said}", said) for said in sentences(text)]


def evaluated(chunker: object, retriever: Retriever = PLAIN, **options: object) -> Evaluation:
    given = {"cutoffs": (1, 3), "retriever": retriever, **options}
    return evaluate(chunker, DATASET, **given)  # type: ignore[arg-type]


def test_the_original_is_the_chunk_and_the_text_is_searched() -> None:
    plain, contextual = evaluated(sentences), evaluated(in_context)
    assert contextual.chunks.texts == plain.chunks.texts
    assert contextual.chunks.starts.tolist() == plain.chunks.starts.tolist()
    assert contextual.chunks.n_tokens.tolist() == plain.chunks.n_tokens.tolist()
    assert contextual.unplaced == []
    assert plain.chunks.indexed is None
    assert contextual.chunks.searched[0] == f"[About the mill.] {MILL[:27]}"
    # Omega is of the chunks alone.
    assert contextual.scores["precision_omega"].tolist() == plain.scores["precision_omega"].tolist()


def test_a_context_finds_what_a_chunk_does_not_say() -> None:
    asked = question("Which mill was without anybody hurt?", "mill", "Nobody was hurt.")
    away = question("What is said of the lake's fish?", "lake", "Eels live in it.", "pike")
    dataset = Dataset(CORPORA, (asked, away))
    plain = evaluate(sentences, dataset, retriever=PLAIN, cutoffs=3)
    contextual = evaluate(in_context, dataset, retriever=PLAIN, cutoffs=3)
    assert plain.scores["recall@3"].tolist()[1] < 1.0
    assert contextual.scores["recall@3"].tolist()[1] == 1.0


def test_who_says_the_same_is_no_context() -> None:
    same = evaluated(lambda text: [Item(said, said) for said in sentences(text)])
    assert same.chunks.indexed is None
    assert same.hits == evaluated(sentences).hits


def test_an_original_that_is_empty_is_left_out() -> None:
    made = cut(
        lambda _: [Item("[Nothing.] ", ""), Item("[A mill.] The mill", "The mill")], MILL, "m"
    )
    assert made == ChunkerOutput(["The mill"], [None], ["[A mill.] The mill"])


@pytest.mark.parametrize("odd", [None, 5])
def test_an_original_that_is_no_text_is_none(odd: object) -> None:
    item = Item("The mill", "x")
    item.original_text = odd  # type: ignore[assignment]
    assert cut(lambda _: [item], MILL, "m") == ChunkerOutput(["The mill"], [None])


def test_an_item_without_a_text_is_named() -> None:
    item = Item("x", "The mill")
    item.text = 7  # type: ignore[assignment]
    with pytest.raises(ConfigError, match="a chunk that is no text"):
        cut(lambda _: [item], MILL, "m")


def test_what_is_kept_is_what_was_found(tmp_path: Path) -> None:
    run = Run(name="in context", chunker=in_context, retriever=PLAIN, described={"by": "name"})
    one, two = (evaluate_all([run], DATASET, cache=tmp_path)[0] for _ in range(2))
    assert two is not one
    assert two.chunks.indexed == one.chunks.indexed != None  # noqa: E711 - both, and no None
    assert two.hits == one.hits
    assert two.summary() == one.summary()


def test_chunks_are_kept_with_what_is_searched(tmp_path: Path) -> None:
    kept, made = ChunkCache(tmp_path, "one"), cut(in_context, MILL, "mill")
    kept.put(MILL, made)
    assert made.indexed is not None
    assert ChunkCache(tmp_path, "one").get([MILL, LAKE]) == {MILL: made}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (b'{"chunks": ["x"], "indexed": ["y", "z"]}', "not each chunk"),
        (b'{"chunks": ["x"], "indexed": [5]}', "no list of texts"),
        (b'{"chunks": ["x"], "indexed": "y"}', "no list of texts"),
        (b'{"chunks": 5, "indexed": ["y"]}', "they are no list"),
        (b'{"chunks": ["x"]}', "they are no list"),
    ],
)
def test_what_is_searched_must_be_whole(tmp_path: Path, value: bytes, why: str) -> None:
    DiskCache(tmp_path, "chunks", "one").put({digest(MILL): value})
    with pytest.warns(RuntimeWarning, match=why):
        assert ChunkCache(tmp_path, "one").get([MILL]) == {}


# ------------------------------------------------------------------------------- trimmed hits


def placed(texts: list[str], indexed: list[str]) -> PlacedChunks:
    zeros, sizes = np.zeros(len(texts), np.int64), np.array([len(text) for text in texts])
    return PlacedChunks(tuple(texts), zeros, zeros, sizes, sizes, zeros, indexed=tuple(indexed))


@pytest.mark.parametrize(
    ("part", "left"),
    [
        ((0, 20), (0, 10)),
        ((14, 18), (4, 8)),
        ((5, 12), (0, 2)),
        # Nothing is left but the context: the whole chunk.
        ((0, 9), (0, 10)),
    ],
)
def test_a_part_is_taken_without_its_context(part: tuple[int, int], left: tuple[int, int]) -> None:
    chunks = placed(["0123456789"], ["[context] 0123456789"])
    start, end = (np.array([each]) for each in part)
    hits = Hits(np.array([0, 1]), np.array([0]), np.array([1.0]), start, end)
    found = within_texts(hits, chunks)
    assert found.starts is not None
    assert found.ends is not None
    assert (found.starts.tolist(), found.ends.tolist()) == ([left[0]], [left[1]])


def test_what_was_rewritten_is_whole() -> None:
    chunks = placed(["0123456789"], ["ten digits"])
    one = np.array([1])
    hits = Hits(np.array([0, 1]), np.array([0]), np.array([1.0]), one, one + 3)
    found = within_texts(hits, chunks)
    assert found.starts is not None
    assert found.ends is not None
    assert (found.starts.tolist(), found.ends.tolist()) == ([0], [10])


@pytest.fixture
def _pieces_are_short() -> Iterator[None]:
    with mock.patch.object(trimming, "PIECE_TOKENS", 9):
        yield


@pytest.mark.usefixtures("_pieces_are_short")
def test_trimmed_hits_are_scored_as_parts_of_the_originals(tmp_path: Path) -> None:
    def all_of_it(text: str) -> list[Item]:
        return [Item(f"[All that there is to be read.] {text}", text)]

    run = Run(
        name="all", chunker=all_of_it, retriever=replace(PLAIN, trim=0.9), described={"all": True}
    )
    found, again = (evaluate_all([run], DATASET, cutoffs=2, cache=tmp_path)[0] for _ in range(2))
    assert found.hits.starts is not None
    assert found.hits.ends is not None
    sizes = np.array([len(text) for text in found.chunks.texts])[found.hits.indices]
    assert (found.hits.ends <= sizes).all()
    assert (found.hits.starts < found.hits.ends).all()
    assert (found.hits.ends - found.hits.starts < sizes).any()
    hits, passages = found.passages
    built = passages.texts[hits.indices[0]]
    assert "built in 1743" in built
    assert built in MILL
    assert again.hits == found.hits
