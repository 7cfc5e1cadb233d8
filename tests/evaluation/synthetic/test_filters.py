"""Filters of questions, beside what is computed pair by pair."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import ConfigError, ModelError, ReadError
from chunkwright.evaluation import Excerpt, Question
from chunkwright.evaluation.synthetic import (
    QuestionGenerator,
    filter_duplicates,
    filter_excerpts,
)
from chunkwright.evaluation.synthetic.table import QuestionTable
from tests.support.toy_embedders import EMBEDDERS, dice, zeros

from .models import TEXTS, quoting

questions = st.lists(
    st.builds(
        Question,
        st.text("abc ?", max_size=3),
        st.sampled_from(["one", "two"]),
        st.lists(st.builds(Excerpt, st.text("aeo \n", max_size=4), st.just(0), st.just(1))).map(
            tuple
        ),
    ),
    max_size=12,
)


def cosine(a: Any, b: Any) -> float:
    a, b = np.asarray(a, float), np.asarray(b, float)
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / lengths) if lengths else 0.0


def vector(embed: Any, text: str) -> Any:
    # Those of toy embedders may depend on the texts beside it, but for these.
    return embed([text])[0]


@given(questions, st.sampled_from([-1.0, -0.3, 0.1, 0.5, 0.9]))
def test_excerpts_are_judged_by_the_worst(asked: list[Question], threshold: float) -> None:
    filtered = filter_excerpts(asked, dice, threshold=threshold)
    worst = [
        min((cosine(vector(dice, q.text), vector(dice, e.text)) for e in q.excerpts), default=-1.0)
        for q in asked
    ]
    assert filtered.kept == tuple(
        q for q, value in zip(asked, worst, strict=True) if value >= threshold
    )
    dropped = [value for value in worst if value < threshold]
    assert [each.similarity for each in filtered.dropped] == pytest.approx(dropped, abs=1e-6)


@given(questions, st.sampled_from([-1.0, -0.3, 0.1, 0.5, 0.9]))
def test_duplicates_are_left_out_in_order(asked: list[Question], threshold: float) -> None:
    kept: list[Question] = []
    for question in asked:
        others = [each for each in kept if each.corpus == question.corpus]
        if not any(
            each.text == question.text
            or cosine(vector(dice, each.text), vector(dice, question.text)) > threshold
            for each in others
        ):
            kept.append(question)
    filtered = filter_duplicates(asked, dice, threshold=threshold)
    assert filtered.kept == tuple(kept)
    assert len(filtered.kept) + len(filtered.dropped) == len(asked)
    assert all(each.similarity > threshold for each in filtered.dropped)


@pytest.mark.parametrize("embed", EMBEDDERS)
def test_any_embedder(embed: Any) -> None:
    asked = [Question(f"What is {i}?", "one", (Excerpt(f"e{i}", 0, 2),)) for i in range(9)]
    for filter_ in (filter_excerpts, filter_duplicates):
        filtered = filter_(asked, embed)
        assert len(filtered.kept) + len(filtered.dropped) == 9
        assert all(-1 <= each.similarity <= 1 + 1e-9 for each in filtered.dropped)


def test_vectors_of_zeros_are_like_nothing() -> None:
    asked = [Question(text, "one", (Excerpt("e", 0, 1),)) for text in ("a", "b")]
    assert len(filter_duplicates(asked, zeros).kept) == 2
    assert [each.similarity for each in filter_excerpts(asked, zeros).dropped] == [0.0, 0.0]


def test_questions_are_embedded_as_queries() -> None:
    class Model:
        fingerprint = "two sides"

        def embed(self, texts: Sequence[str]) -> Any:
            return np.array([[1.0, 0.0]] * len(texts))

        def embed_queries(self, texts: Sequence[str]) -> Any:
            return np.array([[0.0, 1.0]] * len(texts))

    asked = [Question("a", "one", (Excerpt("e", 0, 1),))]
    assert filter_excerpts(asked, Model()).dropped[0].similarity == 0


def test_large_numbers_do_not_overflow() -> None:
    asked = [Question(text, "one", (Excerpt("e", 0, 1),)) for text in ("a", "b")]
    filtered = filter_duplicates(asked, lambda texts: [[1e300, 1e300]] * len(texts))
    assert filtered.dropped[0].similarity == pytest.approx(1)


@pytest.mark.parametrize(
    "embed",
    [
        lambda texts: [[float("nan")]] * len(texts),
        lambda texts: [[1.0]] * (len(texts) + 1),
        lambda texts: np.ones((len(texts), len(texts))),
        lambda _: None,
    ],
)
def test_embedders_that_are_none(embed: Any) -> None:
    excerpts = tuple(Excerpt(f"e{i}", 0, 1) for i in range(3))
    with pytest.raises(ModelError):
        filter_excerpts([Question("a", "one", excerpts)], embed)


def test_thresholds_that_make_no_sense() -> None:
    for filter_ in (filter_excerpts, filter_duplicates):
        with pytest.raises(ConfigError, match=r"threshold must be between -1 and 1, got 1\.5"):
            filter_([], "lexical", threshold=1.5)
        with pytest.raises(ConfigError, match="is no embedder"):
            filter_([], 7)  # type: ignore[arg-type]
        assert filter_([], "lexical").kept == ()


def test_files_are_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    generator = QuestionGenerator(TEXTS, llm=quoting, window_chars=700)
    generator.generate(path, rounds=3)
    before = QuestionTable(path).questions()
    filtered = filter_duplicates(path, "lexical", threshold=0.5)
    assert 0 < len(filtered.dropped) < len(before)
    assert filtered == filter_duplicates(before, "lexical", threshold=0.5)
    assert QuestionTable(path).questions() == list(filtered.kept)
    lines = path.with_name("q.csv.journal").read_text().splitlines()
    said = json.loads(lines[-1])["filter"]
    assert said["by"] == "duplicates"
    assert said["embedder"].startswith("lexical:")
    assert said["n_dropped"] == len(filtered.dropped)
    # What was left out is not asked for again; what is new has not been asked before.
    assert generator.generate(path, rounds=3).n_new == 0
    assert generator.generate(path, rounds=4).n_new == 15
    new = {each.text for each in QuestionTable(path).questions()[len(filtered.kept) :]}
    assert not new & {each.text for each in before}


def test_the_last_question_may_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    generator = QuestionGenerator({"mill": TEXTS["mill"]}, llm=quoting)
    generator.generate(path, rounds=1, per_corpus_and_round=2)
    assert not filter_excerpts(path, zeros).kept
    assert path.read_text() == "question,references,corpus_id\n"
    assert generator.generate(path, rounds=1, per_corpus_and_round=2).n_questions == 0


def test_a_filter_leaves_a_file_that_it_cannot_judge(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    QuestionGenerator(TEXTS, llm=quoting).generate(path, rounds=1)
    text = path.read_bytes()
    with pytest.raises(ModelError):
        filter_excerpts(path, lambda _: None)
    assert path.read_bytes() == text
    path.write_bytes(text + b"Why?,7,mill\n")
    with pytest.raises(ReadError, match="row 16"):
        filter_excerpts(path, "lexical")
