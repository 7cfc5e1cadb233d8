"""Fields: path and words of a source file are searched beside the text of a chunk, by weights."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.retrieval import Index, Retriever, bm25
from chunkwright.retrieval.steps.fields import FIELD_WEIGHTS, FieldWeights

OFF = dict.fromkeys(FIELD_WEIGHTS, 0.0)
FILES = {
    "src/http/cacheControl.py": "def run(value):\n    return value + 1\n",
    "src/http/main.py": "def run(value):\n    return value + 2\n",
    "docs/cacheControl.md": "Values are run, and returned.",
}
NAMES = st.sampled_from(["src/a_path.rs", "src/b.rs", "notes.md", None, 7])
TEXTS = st.sampled_from(["fn run path", "path of a river", "let b", "src", ""])


def chunks() -> cw.Chunks:
    return cw.Recursive(max_tokens=100).batch(list(FILES.values()), names=list(FILES))


@pytest.mark.parametrize("smoothing", [True, False])
def test_the_path_of_a_source_file_is_searched(smoothing: bool) -> None:
    question = "Why does the cache control header run twice?"
    plain = Retriever(field_weights=OFF, neighbour_smoothing=smoothing)
    index = Retriever(neighbour_smoothing=smoothing).index(chunks())
    (hits,) = index.search([question], k=3)
    assert hits[0].index == 0
    assert hits[0].score > plain.index(chunks()).search(question, k=3)[0][0].score
    # Identifiers are found by their parts, and whole.
    for asked in ("control", "cacheControl", "cachecontrol"):
        (found,) = index.search([asked], k=3)
        assert [hit.index for hit in found] == [0]


def test_prose_has_no_fields() -> None:
    texts = ["The river rose.", "The lake froze."]
    weighty = Retriever(field_weights={"path": 100, "document": 100})
    for names in (["river.md", "lake.rst"], ["river", "lake.txt"], [0, 1]):
        made = [each.index(texts, doc_ids=names) for each in (weighty, Retriever())]
        assert (made[0].scores("lake river") == made[1].scores("lake river")).all()
        assert made[0].search("lake.rst", k=2) == made[1].search("lake.rst", k=2)


def test_all_words_of_a_file_count_together() -> None:
    texts = ["alpha beta", "gamma delta", "alpha beta", "epsilon zeta"]
    names = ["a.py", "a.py", "b.py", "b.py"]
    own = {"path": 0, "document": 1}
    scores = Retriever(field_weights=own, neighbour_smoothing=False).index(texts, doc_ids=names)
    (row,) = scores.scores("alpha gamma")
    assert row[0] > row[2] > 0


@given(st.lists(st.tuples(TEXTS, NAMES), min_size=1, max_size=9), TEXTS, st.floats(0, 9))
def test_scores_are_weighted_sums(
    rows: list[tuple[str, Any]], question: str, weight: float
) -> None:
    rows.sort(key=lambda row: str(row[1]))
    texts, names = [text for text, _ in rows], [name for _, name in rows]

    def scores(**weights: float) -> Any:
        made = bm25(texts, doc_ids=names, field_weights={**OFF, **weights})
        (row,), (bound,) = made.bounded_scores(question)
        assert (row <= bound + 1e-3).all()
        assert bound == pytest.approx(made.bounds(question)[0])
        return row.astype(np.float64)

    plain = scores()
    paths = [name if str(name).endswith(".rs") else "" for name in names]
    (own,) = bm25(paths).scores(question)
    assert scores(path=weight) == pytest.approx(plain + weight * own, abs=1e-3)
    together = scores(document=1) - plain
    assert scores(path=weight, document=2) == pytest.approx(
        plain + weight * own + 2 * together, abs=1e-3
    )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"colour": 1}, 'unknown field "colour"; known are "path" and "scope" and "document"'),
        ({"path": -1}, r"field_weights\['path'\] must be"),
        ({"path": float("nan")}, r"field_weights\['path'\] must be"),
        ({"document": "2"}, r"field_weights\['document'\] must be"),
        ({1: 1}, "must map names of fields to weights, got 1"),
        ([("path", 1)], "field_weights must map fields to weights, got"),
        (None, "field_weights must map fields to weights, got None"),
    ],
)
def test_wrong_weights_are_named(given: Any, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        Retriever(field_weights=given)
    with pytest.raises(ConfigError, match=why):
        bm25(["a"], field_weights=given)


def test_weights_are_those_of_all_fields_and_do_not_change() -> None:
    own = Retriever(field_weights={"path": 3})
    assert own.field_weights == {**FIELD_WEIGHTS, "path": 3.0}
    assert own == Retriever(field_weights={**FIELD_WEIGHTS, "path": 3})
    assert hash(own.field_weights) == hash(FieldWeights({**FIELD_WEIGHTS, "path": 3.0}))
    assert own != Retriever()
    assert "path 3" in own.name
    assert "path" not in Retriever().name
    assert pickle.loads(pickle.dumps(own)) == copy.deepcopy(own) == replace(own)
    for change in (lambda w: w.update(path=1), lambda w: w.__setitem__("path", 1), dict.clear):
        weights: Any = own.field_weights
        if change is not dict.clear:
            with pytest.raises(TypeError, match="make a new Retriever"):
                change(weights)


@pytest.mark.parametrize("is_text", [True, False])
def test_a_saved_index_has_its_fields(tmp_path: Path, is_text: bool) -> None:
    made = chunks()
    names = [made.names[number] for number in made.doc_index.tolist()]
    index = Retriever(field_weights={"path": 3}).index(
        made.texts() if is_text else made, doc_ids=names if is_text else None
    )
    index.save(tmp_path / "index")
    for same in (Index.load(tmp_path / "index"), pickle.loads(pickle.dumps(index))):
        assert (same.scores("cache control run") == index.scores("cache control run")).all()
        assert repr(same) == repr(index)
