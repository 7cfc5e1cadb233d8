"""A chunker is evaluated: its chunks are found and scored as told."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, ModelError
from chunkwright.evaluation import Dataset, Evaluation, Excerpt, Question, evaluate
from chunkwright.files.disk_cache import stored_files
from chunkwright.retrieval import Retriever

from .samples import CORPORA, DATASET, Letters, question, sentences


def dense(embedder: Any = None) -> Retriever:
    return Retriever.dense(embedder or Letters())


def evaluated(chunker: object = sentences, **options: Any) -> Evaluation:
    return evaluate(chunker, DATASET, **{"retriever": dense(), "cutoffs": (1, 2, "min"), **options})


def scores_by_hand(result: Evaluation, n_hits: int) -> list[tuple[float, float, float]]:
    """Score sets of characters, one question after another."""
    scored = []
    names = list(DATASET.corpora)
    for q, hits in zip(DATASET.questions, result.hits, strict=True):
        wanted = {i for e in q.excerpts for i in range(e.start, e.end)}
        covered, n_found = set[int](), 0
        for hit in hits[:n_hits]:
            start, end = result.chunks.starts[hit.index], result.chunks.ends[hit.index]
            n_found += end - start
            if result.chunks.corpora[hit.index] == names.index(q.corpus):
                covered |= wanted & set(range(start, end))
        n = len(covered)
        scored.append((n / len(wanted), n / n_found, n / (n_found + len(wanted) - n)))
    return scored


@pytest.mark.parametrize("placement", ["offsets", "first_occurrence"])
def test_scores_are_those_of_the_hits(placement: str) -> None:
    result = evaluated(placement=placement)
    for n_hits in (1, 2):
        kinds = [result.scores[f"{kind}@{n_hits}"] for kind in ("recall", "precision", "iou")]
        np.testing.assert_allclose(np.transpose(kinds), scores_by_hand(result, n_hits))
    assert 0 < result.mean("recall@2") <= 1


def test_hits_are_the_nearest_of_all_corpora() -> None:
    result = evaluated(cutoffs=7)
    vectors = Letters().embed(result.chunks.texts)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for q, hits in zip(DATASET.questions, result.hits, strict=True):
        (asked,) = Letters().embed([q.text])
        order = np.argsort(-(vectors @ (asked / np.linalg.norm(asked))), kind="stable")
        assert [hit.index for hit in hits] == order.tolist()


def test_as_many_hits_are_kept_as_some_cutoff_takes() -> None:
    tokens = evaluated().chunks.n_tokens
    result = evaluated(cutoffs=("min", "20t"))
    assert result.holding.tolist() == [1, 2, 1]
    for hits, holding in zip(result.hits, result.holding.tolist(), strict=True):
        sizes = [int(tokens[hit.index]) for hit in hits]
        assert len(hits) >= holding
        assert len(hits) == holding or sum(sizes) <= 20
    assert evaluated(cutoffs="1t").hits.indices.tolist() == []


def test_a_budget_larger_than_all_chunks_takes_them_all() -> None:
    result = evaluated(cutoffs="999t")
    assert [len(hits) for hits in result.hits] == [7, 7, 7]
    assert result.mean("recall@999t") == 1.0


def test_a_copy_counts_with_any_occurrence_only() -> None:
    dataset = Dataset(CORPORA, (DATASET.questions[2],))

    # Nothing but the second copy of the sentence.
    def last(text: str) -> list[str]:
        return [text[46:]]

    def recall(placement: Any) -> float:
        result = evaluate(last, dataset, retriever=dense(), cutoffs=5, placement=placement)
        return result.mean("recall@5")

    assert recall("offsets") == pytest.approx(2 / 20)
    assert recall("any_occurrence") == 1.0


def test_our_strategies_and_their_texts_score_alike() -> None:
    strategy = cw.Recursive(max_chars=30)
    own = evaluated(strategy)
    texts = evaluated(lambda text: strategy(text).texts())
    assert {k: v.tolist() for k, v in own.scores.items()} == {
        k: v.tolist() for k, v in texts.scores.items()
    }
    assert own.name == own.chunker == "Recursive(max_chars=30)"
    assert own.retriever == "vectors"


def test_the_same_run_gives_the_same() -> None:
    one, two = evaluated(cw.Sentence(sentences=1)), evaluated(cw.Sentence(sentences=1))
    assert {**one.summary(), "seconds": 0} == {**two.summary(), "seconds": 0}
    assert one.hits == two.hits


def test_words_find_without_a_model() -> None:
    assert evaluate(sentences, DATASET, cutoffs=1).retriever.startswith("words")
    plain = Retriever(neighbour_smoothing=False)
    result = evaluate(sentences, DATASET, cutoffs=1, retriever=plain)
    # "lives" is not "live", and the lake is deep in another sentence.
    assert result.scores["recall@1"].tolist() == [1.0, 0.0, 1.0]


# ------------------------------------------------------------------------------- odd inputs


def test_chunks_may_be_none_at_all() -> None:
    result = evaluated(lambda _: [])
    assert result.n_chunks == result.mean_tokens == 0
    assert set(result.scores["recall@1"]) == set(result.scores["precision_omega"]) == {0.0}
    assert [len(hits) for hits in result.hits] == [0, 0, 0]


def test_chunks_that_stand_nowhere_cover_nothing() -> None:
    result = evaluated(lambda text: [text.upper()[::-1]])
    assert len(result.unplaced) == 2
    assert result.mean("recall@2") == 0.0
    # What they are long still counts.
    assert result.scores["precision@2"].tolist() == [0.0] * 3


def test_a_dataset_without_questions_says_why() -> None:
    with pytest.raises(ConfigError, match=r"there is no question to ask$"):
        evaluate(sentences, Dataset(CORPORA, ()))


def test_problems_are_named_if_no_question_is_left(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "Who?", "corpus": "mill", "excerpts": ["owl"]}')
    dataset = Dataset.read(CORPORA, tmp_path / "q.jsonl")
    with pytest.raises(ConfigError, match=r"for 2 problems, .*q.jsonl, line 1: .*'owl' does not"):
        evaluate(sentences, dataset)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"placement": "offset"}, "unknown placement 'offset': did you mean 'offsets'"),
        ({"cutoffs": (5, 0)}, "got 0"),
        ({"cutoffs": ()}, "got none"),
        ({"retriever": "words"}, "retriever must be a Retriever or None, got 'words'"),
        ({"name": ""}, "name must be a str that is not empty"),
        ({"cache": ""}, "cache must be the path of a folder"),
        ({"progress": 7}, "progress must be callable, got 7"),
        ({"tokenizer": "cl100"}, "cl100"),
    ],
)
def test_options_that_make_no_sense_are_named(options: dict[str, Any], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        evaluated(**options)


def test_nothing_is_cut_before_options_are_checked() -> None:
    def fails(text: str) -> list[str]:
        raise AssertionError(text)

    with pytest.raises(ConfigError, match="got 'x'"):
        evaluated(fails, cutoffs="x")
    with pytest.raises(ConfigError, match="dataset must be a Dataset"):
        evaluate(fails, CORPORA)  # type: ignore[arg-type]


def test_an_embedder_that_fails_is_an_error_of_the_model() -> None:
    def fails(texts: list[str]) -> Any:
        raise OSError(len(texts))

    with pytest.raises(ModelError, match="OSError"):
        evaluated(retriever=dense(fails))


@pytest.mark.parametrize("strategy", ["kamradt", "kamradt_modified", "cluster", "discontinuity"])
def test_an_embedder_is_asked_once_for_many_corpora(strategy: str) -> None:
    corpora = {f"text {i}": f"Cats purr {i}. Dogs bark. Rain falls {i}. " * 3 for i in range(50)}
    dataset = Dataset(corpora, (Question("Who?", "text 7", (Excerpt("Cats purr 7.", 0, 12),)),))
    n_texts: list[int] = []

    def embedder(texts: list[str]) -> Any:
        n_texts.append(len(texts))
        return Letters().embed(texts)

    chunker: Any = cw.strategy(strategy, max_chars=60, embedder=embedder)
    result = evaluate(chunker, dataset)
    assert len(n_texts) == 1
    alone = [text for corpus in corpora.values() for text in chunker(corpus).texts()]
    assert list(result.chunks.texts) == alone
    assert result.chunks.unplaced == []
    assert len(n_texts) == 1 + 50


def test_corpora_whose_chunks_are_kept_are_not_embedded(tmp_path: Path) -> None:
    known, new = {"one": "Cats purr. Dogs bark.", "two": "A cat. A dog."}, {"three": "Rain. Sun."}
    asked = (Question("Who purrs?", "one", (Excerpt("Cats purr.", 0, 10),)),)
    chunker = cw.Kamradt(max_chars=20, window=0, embedder=Letters())
    first = evaluate(chunker, Dataset(known, asked), cache=tmp_path)
    again = replace(chunker, embedder=Letters())
    second = evaluate(again, Dataset({**new, **known}, asked), cache=tmp_path)
    assert again.embedder.asked == ["Rain.", "Sun."]  # type: ignore[union-attr]
    assert list(second.chunks.texts)[-len(first.chunks) :] == list(first.chunks.texts)


def test_an_embedder_that_fails_names_the_corpus() -> None:
    def embedder(texts: list[str]) -> Any:
        if any("odd" in text for text in texts):
            raise ModelError("no more")
        return Letters().embed(texts)

    corpora = {"one": "Cats purr. Dogs bark.", "two": "An odd cat. A dog.", "three": "Rain. Sun."}
    dataset = Dataset(corpora, (Question("Who?", "one", (Excerpt("Cats purr.", 0, 10),)),))
    with pytest.raises(ModelError, match="no more") as error:
        evaluate(cw.Kamradt(max_chars=20, embedder=embedder), dataset)
    assert any("cut the corpus 'two'" in note for note in error.value.__notes__)


# ----------------------------------------------------------------------------- what is kept


def test_vectors_and_chunks_are_kept(tmp_path: Path) -> None:
    cuts: list[str] = []

    class Splitter:
        fingerprint = "counted"

        def split_text(self, text: str) -> list[str]:
            cuts.append(text)
            return sentences(text)

    first, second = Letters(), Letters()
    one = evaluated(Splitter(), retriever=dense(first), cache=tmp_path)
    two = evaluated(Splitter(), retriever=dense(second), cache=tmp_path)
    assert cuts == list(CORPORA.values())
    assert first.asked
    assert not second.asked
    assert {**one.summary(), "seconds": 0} == {**two.summary(), "seconds": 0}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chunks", "vectors"]


def test_what_has_no_fingerprint_is_not_kept(tmp_path: Path) -> None:
    def embed(texts: list[str]) -> Any:
        return Letters().embed(texts)

    evaluated(sentences, retriever=dense(embed), cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_edited_corpus_is_cut_anew(tmp_path: Path) -> None:
    strategy = cw.Sentence(sentences=1)
    evaluated(strategy, cache=tmp_path)
    edited = {**CORPORA, "lake": "Trout live in it. Eels do not."}
    dataset = Dataset(edited, DATASET.questions[:1])
    result = evaluate(strategy, dataset, retriever=dense(), cutoffs=1, cache=tmp_path)
    assert result.chunks.texts[4:] == ("Trout live in it.", "Eels do not.")
    assert [file.entries for file in stored_files(tmp_path / "chunks", "chunks")] == [3]


def test_progress_is_told_step_by_step(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    result = evaluated(progress=lambda *news: told.append(news), cache=tmp_path)
    steps = [step for step, _ in itertools.groupby(told, key=lambda news: news[0])]
    assert steps == list(result.seconds) == ["chunking", "embedding", "searching", "scoring"]
    last = {step: (done, n) for step, done, n in told}
    assert last["chunking"] == (2, 2)
    assert last["searching"] == last["scoring"] == (3, 3)
    assert all(0 <= done <= n for _, done, n in told)


def test_one_question_of_one_corpus_suffices() -> None:
    dataset = Dataset({"mill": CORPORA["mill"]}, (question("When?", "mill", "built in 1743"),))
    result = evaluate(sentences, dataset, retriever=dense(), cutoffs=4)
    assert result.mean("recall@4") == 1.0
