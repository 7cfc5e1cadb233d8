"""Scores of whole datasets, against sets of characters."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from chunkwright import _core
from chunkwright.errors import ConfigError
from chunkwright.evaluation import Dataset, Excerpt, PlacedChunks, Question
from chunkwright.evaluation.chunkers.placing import Placement
from chunkwright.evaluation.scores import metrics

TEXT = "The mill was built in 1743. It burnt down twice. The mill was built in 1743. So they say."


@dataclass
class Found:
    """Hits of some questions."""

    offsets: NDArray[np.int64]
    indices: NDArray[np.int64]


def scored(excerpts: Any, chunks: PlacedChunks, hits: Any, cutoffs: Any) -> tuple[Any, Any]:
    """Score hits of whole chunks, with omega."""
    omegas, holding = metrics.omega(excerpts, chunks)
    scores = metrics.score(excerpts, chunks, hits, cutoffs, holding)
    return {**scores, metrics.OMEGA: omegas}, holding


def integers(values: ArrayLike) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def hits(*lists: list[int]) -> Found:
    flat = [hit for own in lists for hit in own]
    return Found(integers(np.cumsum([0, *map(len, lists)])), integers(flat))


def placed(*places: tuple[int, int, int]) -> PlacedChunks:
    corpora, starts, ends = (integers([place[i] for place in places]) for i in range(3))
    texts = tuple("x" * (end - start) for _, start, end in places)
    tokens = ends - starts
    return PlacedChunks(texts, corpora, starts, ends, tokens, corpora)


def asked(text: str, *ranges: tuple[int, int], corpus: str = "mill") -> Question:
    return Question(
        "?", corpus, tuple(Excerpt(text[start:end], start, end) for start, end in ranges)
    )


def test_the_report_s_example() -> None:
    text = "".join(chr(97 + i % 26) for i in range(300))
    dataset = Dataset({"mill": text}, (asked(text, (100, 150)),))
    excerpts = metrics.excerpts_of(dataset)
    chunks = placed((0, 50, 200), (0, 100, 250))
    scores, holding = scored(excerpts, chunks, hits([0, 1]), (5, 1, "min", "150t"))
    means = {metric: float(values[0]) for metric, values in scores.items()}
    assert means == {
        "recall@5": 1.0,
        "precision@5": 1 / 6,
        "iou@5": 1 / 6,
        "recall@1": 1.0,
        "precision@1": 1 / 3,
        "iou@1": 1 / 3,
        "recall@min": 1.0,
        "precision@min": 1 / 6,
        "iou@min": 1 / 6,
        "recall@150t": 1.0,
        "precision@150t": 1 / 3,
        "iou@150t": 1 / 3,
        "precision_omega": 0.25,
    }
    assert holding.tolist() == [2]


def test_a_hit_elsewhere_adds_to_denominators_only() -> None:
    dataset = Dataset({"mill": TEXT, "other": TEXT}, (asked(TEXT, (0, 27)),))
    chunks = placed((0, 0, 48), (1, 0, 27), (-1, 0, 25))
    scores, holding = scored(metrics.excerpts_of(dataset), chunks, hits([1, 2, 0]), (2, 3))
    assert [float(scores[name][0]) for name in ("recall@2", "precision@2", "iou@2")] == [0, 0, 0]
    assert float(scores["recall@3"][0]) == 1
    assert float(scores["precision@3"][0]) == 27 / 100
    assert holding.tolist() == [1]


def test_an_excerpt_counts_as_covered_wherever_it_stands_if_asked() -> None:
    again = TEXT.index("The mill", 1)
    dataset = Dataset({"mill": TEXT}, (asked(TEXT, (0, 27), (28, 48)),))
    # Four characters of the second excerpt, and all of the first, where it stands again.
    chunks = placed((0, 0, 27), (0, again - 5, again + 17), (0, again + 17, len(TEXT)))
    covered: dict[Placement, int] = {"first_occurrence": 4, "offsets": 4}
    for placement, n_covered in {**covered, "any_occurrence": 31}.items():
        excerpts = metrics.excerpts_of(dataset, placement)
        scores, holding = scored(excerpts, chunks, hits([1, 2]), (2,))
        n_hit = len(TEXT) - again + 5
        assert float(scores["recall@2"][0]) == n_covered / 47
        assert float(scores["precision@2"][0]) == n_covered / n_hit
        assert float(scores["iou@2"][0]) == n_covered / (n_hit + 47 - n_covered)
        assert holding.tolist() == [2]  # how many hits "min" takes does not depend on it


@given(st.data())
def test_scores_count_characters(data: st.DataObject) -> None:
    text = data.draw(st.text("ab", min_size=12, max_size=40))
    start = st.integers(0, len(text) - 1)
    spans = st.tuples(start, st.integers(1, 8)).map(lambda s: (s[0], min(len(text), s[0] + s[1])))
    questions = [
        asked(text, *data.draw(st.lists(spans, min_size=1, max_size=3)), corpus=corpus)
        for corpus in data.draw(st.lists(st.sampled_from(["mill", "other"]), max_size=3))
    ]
    dataset = Dataset({"mill": text, "other": text}, tuple(questions))
    places = data.draw(st.lists(st.tuples(st.integers(-1, 1), spans), min_size=1, max_size=8))
    chunks = placed(*((c, 0, e - s) if c < 0 else (c, s, e) for c, (s, e) in places))
    hit = st.integers(0, len(places) - 1)
    lists = [data.draw(st.lists(hit, max_size=6)) for _ in questions]
    any_occurrence = data.draw(st.booleans())
    excerpts = metrics.excerpts_of(dataset, "any_occurrence" if any_occurrence else "offsets")
    scores, _ = scored(excerpts, chunks, hits(*lists), (4,))
    for q, question in enumerate(dataset.questions):
        kept = lists[q][:4]
        expected = naive(dataset, question, chunks, kept, any_occurrence=any_occurrence)
        found = [float(scores[f"{kind}@4"][q]) for kind in ("recall", "precision", "iou")]
        assert found == expected


def naive(
    dataset: Dataset,
    question: Question,
    chunks: PlacedChunks,
    kept: list[int],
    *,
    any_occurrence: bool,
) -> list[float]:
    """Return recall, precision and IoU by sets of characters."""
    number, text = list(dataset.corpora).index(question.corpus), dataset.corpora[question.corpus]
    rows = [(int(chunks.corpora[i]), int(chunks.starts[i]), int(chunks.ends[i])) for i in kept]
    retrieved = {at for corpus, start, end in rows if corpus == number for at in range(start, end)}
    covered = set()
    for excerpt in question.excerpts:
        for at in range(len(text)) if any_occurrence else [excerpt.start]:
            if text.startswith(excerpt.text, at):
                shift = excerpt.start - at
                covered |= {i for i in range(excerpt.start, excerpt.end) if i - shift in retrieved}
    n_asked = sum(len(excerpt.text) for excerpt in question.excerpts)
    n_hit = sum(end - start for _, start, end in rows)
    n_missed = n_asked - len(covered)
    return [len(covered) / n if n else 0.0 for n in (n_asked, n_hit, n_hit + n_missed)]


def test_hits_of_other_questions_are_refused() -> None:
    dataset = Dataset({"mill": TEXT}, (asked(TEXT, (0, 27)),))
    excerpts = metrics.excerpts_of(dataset)
    with pytest.raises(ConfigError, match="hits of 2 questions, scored for 1"):
        scored(excerpts, placed((0, 0, 9)), hits([0], [0]), (5,))
    with pytest.raises(ConfigError, match="unknown placement 'offset': did you mean 'offsets'"):
        metrics.excerpts_of(dataset, "offset")  # type: ignore[arg-type]


def test_no_questions_and_no_chunks_have_no_scores() -> None:
    none = metrics.excerpts_of(Dataset({"mill": TEXT}, ()), "any_occurrence")
    scores, holding = scored(none, placed((0, 0, 9)), hits(), (5, "min", "500t"))
    assert all(len(values) == 0 for values in scores.values())
    assert len(holding) == 0
    one = metrics.excerpts_of(Dataset({"mill": TEXT}, (asked(TEXT, (0, 27)),)))
    scores, holding = scored(one, placed(), hits([]), (5,))
    assert {name: values.tolist() for name, values in scores.items()} == {
        name: [0] for name in scores
    }


# ------------------------------------------------------------------ the core by itself


def test_excerpts_that_are_none_are_named() -> None:
    def made(start: int, end: int, **others: Any) -> _core.Excerpts:
        columns = {"corpora": [0], "offsets": [0, 1], "starts": [start], "ends": [end], **others}
        return _core.Excerpts(**{name: np.array(column).data for name, column in columns.items()})

    with pytest.raises(ConfigError, match="question 0: excerpt 0 is not a range of a text: 9 to 4"):
        made(9, 4)
    with pytest.raises(ConfigError, match="question 0: excerpt 0 is empty: 4 to 4"):
        made(4, 4)
    with pytest.raises(ConfigError, match="offsets of excerpts must ascend from 0 to 1, got 2"):
        made(4, 9, offsets=[0, 2])
    with pytest.raises(ConfigError, match="question 0: a corpus must be a number from 0, got -1"):
        made(4, 9, corpora=[-1])
    with pytest.raises(ConfigError, match="offsets of occurrences must be 2 numbers"):
        made(4, 9, occurrence_offsets=[0], occurrence_starts=[7])
    with pytest.raises(TypeError, match="starts must be an array of int64"):
        made(4, 9, starts=[0.5])


def test_occurrences_are_code_points_of_the_original() -> None:
    text = "\ud800é🚀 rain\udc00 é🚀 rain"
    assert np.asarray(_core.first_occurrences(text, ["rain", "🚀 r", "snow", ""])).tolist() == [
        4,
        2,
        -1,
        -1,
    ]
    assert np.asarray(_core.next_occurrences(text, ["é🚀", "é🚀", "é🚀"])).tolist() == [1, 10, 1]
    assert np.asarray(_core.all_occurrences(text, "rain")).tolist() == [4, 13]
    assert np.asarray(_core.all_occurrences("aaaa", "aa")).tolist() == [0, 1, 2]
    assert np.asarray(_core.all_occurrences("aaaa", "")).tolist() == []


@pytest.mark.parametrize("overlap", [0, 200])
def test_windows_of_real_corpora_are_found_where_they_stand(
    corpora: dict[str, str], overlap: int
) -> None:
    n_wrong = n_all = 0
    for text in corpora.values():
        starts = range(0, len(text), 700 - overlap)
        windows = [text[start : start + 700] for start in starts]
        found = np.asarray(_core.next_occurrences(text, windows)).tolist()
        assert [text[start : start + 700] for start in found] == windows
        n_wrong += sum(a != b for a, b in zip(found, starts, strict=True))
        n_all += len(windows)
        first = np.asarray(_core.first_occurrences(text, windows)).tolist()
        assert first == [text.find(window) for window in windows]
    # Where windows overlap in a row of dashes, their texts do not say how far.
    assert n_wrong <= (n_all // 500 if overlap else 0)


def test_texts_that_are_too_much_alike_are_refused() -> None:
    text = "a" * 2**17
    needles = [f"{'a' * 16}{i}" for i in range(2**19 + 1)]
    with pytest.raises(ConfigError, match=r"cannot find 524289 texts .*: too many .* start alike"):
        _core.first_occurrences(text, needles)
