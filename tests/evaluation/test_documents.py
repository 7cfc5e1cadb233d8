"""Datasets of documents: chunkers are given their elements, and no chunk stands nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.evaluation import Dataset, Excerpt, Question, Run, evaluate, evaluate_all

ROWS = [(f"wheel {i}", f"{1700 + i} turns") for i in range(12)]
TABLE = "<table>{}</table>".format(
    "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in ROWS),
)
ELEMENTS: list[dict[str, Any]] = [
    {"type": "Title", "text": "The mill"},
    {"type": "NarrativeText", "text": "The mill was built in 1743. It burnt down twice."},
    {
        "type": "Table",
        "text": " ".join(f"{a} {b}" for a, b in ROWS),
        "metadata": {"text_as_html": TABLE},
    },
    {"type": "Title", "text": "The lake"},
    {"type": "NarrativeText", "text": "The lake is 80 metres deep. Eels live in it."},
]
MILL = cw.read_elements(ELEMENTS)
STRATEGIES = [
    cw.Basic(max_chars=60),
    cw.ByTitle(max_chars=60),
    cw.ByPage(max_chars=200),
    cw.Recursive(max_chars=60),
    cw.Sentence(sentences=1),
]


def asked(*answers: str) -> Dataset:
    questions = []
    for answer in answers:
        start = MILL.text.index(answer)
        excerpt = Excerpt(answer, start, start + len(answer))
        questions.append(Question(f"What of {answer}?", "mill", (excerpt,)))
    return Dataset({"mill": MILL, "other": "Just a text."}, tuple(questions))


DATASET = asked("built in 1743", "1711 turns", "80 metres deep")


def test_a_document_is_a_corpus_of_its_text() -> None:
    assert DATASET.corpora == {"mill": MILL.text, "other": "Just a text."}
    assert DATASET.documents == {"mill": MILL}
    with pytest.raises(ConfigError, match="'mill' is not the text of a corpus"):
        Dataset({"mill": "else"}, (), documents={"mill": MILL})
    with pytest.raises(ConfigError, match="corpora must map names to texts, got 'mill' to int"):
        Dataset({"mill": 1}, ())


def test_fingerprints_are_of_elements_too() -> None:
    plain = Dataset(DATASET.corpora, DATASET.questions)
    named = Dataset({**DATASET.corpora, "mill": cw.Document(text=MILL.text)}, DATASET.questions)
    moved = cw.read_elements([{**each, "type": "ListItem"} for each in ELEMENTS])
    other = Dataset({**DATASET.corpora, "mill": moved}, DATASET.questions)
    assert plain.fingerprint == named.fingerprint
    assert len({plain.fingerprint, DATASET.fingerprint, other.fingerprint}) == 3
    assert DATASET.fingerprint == asked("built in 1743", "1711 turns", "80 metres deep").fingerprint


def strategy_of(strategy: Any) -> Any:
    """Cut a document by a strategy, and a text, which has no elements, in one piece."""
    return lambda source: (
        strategy(source) if isinstance(source, cw.Document) else cw.Window(max_chars=100)(source)
    )


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("placement", ["offsets", "any_occurrence", "first_occurrence"])
def test_no_chunk_stands_nowhere(strategy: Any, placement: Any) -> None:
    found = evaluate(strategy_of(strategy), DATASET, placement=placement, cutoffs=(100,))
    assert found.unplaced == []
    assert found.n_chunks == len(strategy(MILL)) + 1
    # Whoever finds everything has found what was asked.
    assert found.mean("recall@100") == 1.0


def test_parts_of_a_table_stand_where_their_rows_do() -> None:
    found = evaluate(strategy_of(cw.Basic(max_chars=60)), DATASET, cutoffs=(100,))
    parts = [i for i, text in enumerate(found.chunks.texts) if "turns" in text]
    places = [(int(found.chunks.starts[i]), int(found.chunks.ends[i])) for i in parts]
    assert len(parts) > 2
    assert len(set(places)) == len(places)
    for i, place in zip(parts, places, strict=True):
        assert MILL.text[slice(*place)].split() == found.chunks.texts[i].split()


def test_a_method_is_given_the_text() -> None:
    class Splitter:
        def split_text(self, text: str) -> list[str]:
            return text.split("\n\n")

    assert evaluate(Splitter(), DATASET, cutoffs=(100,)).unplaced == []


def test_what_is_kept_is_of_the_elements(tmp_path: Path) -> None:
    only = Dataset({"mill": MILL}, DATASET.questions)
    first = evaluate(cw.ByTitle(max_chars=60), only, cache=tmp_path)
    assert not (tmp_path / "chunks").exists()
    run = Run(name="by title", chunker=cw.ByTitle(max_chars=60))
    said: list[str] = []
    for _ in range(2):
        (kept,) = evaluate_all([run], only, cache=tmp_path, tell=said.append)
        assert kept.scores["recall@5"].tolist() == first.scores["recall@5"].tolist()
    assert said == []
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_questions_are_read_for_documents(tmp_path: Path) -> None:
    file = tmp_path / "mill.jsonl"
    file.write_text('{"question": "When?", "excerpts": ["built in 1743"]}\n')
    read = Dataset.read({"mill": MILL}, file)
    assert read.documents == {"mill": MILL}
    assert read.questions[0].excerpts[0].text == "built in 1743"
