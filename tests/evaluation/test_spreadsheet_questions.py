"""Questions as spreadsheets have them: one passage a row, other words for it, no corpus named."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from chunkwright.errors import ReadError
from chunkwright.evaluation import Dataset, Question, read_questions

KEYS = ("excerpts", "excerpt", "answer", "passage", "context", "references", "Answer", " Excerpt ")
ENDINGS = ("csv", "jsonl", "json")
TEXTS = {
    f"part {i}": "".join(f"Fact {j} of part {i} is {i * 31 + j}.\n" for j in range(8))
    for i in range(6)
}


def written(folder: Path, ending: str, rows: list[dict[str, Any]]) -> Path:
    file = folder / f"questions.{ending}"
    if ending == "json":
        file.write_text(json.dumps(rows))
    elif ending == "jsonl":
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        with file.open("w", newline="", encoding="utf-8") as out:
            table = csv.DictWriter(out, list(dict.fromkeys(key for row in rows for key in row)))
            table.writeheader()
            table.writerows(rows)
    return file


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("seed", range(20))
def test_a_passage_is_found_by_any_key_in_any_corpus(
    tmp_path: Path, ending: str, seed: int
) -> None:
    rng = random.Random(seed)
    rows, expected = [], []
    for number in range(6):
        i, j = rng.randrange(6), rng.randrange(8)
        passage = f"Fact {j} of part {i} is"
        said = passage.upper().replace(" ", "  ") if rng.random() < 0.3 else passage
        row = {rng.choice(("question", "Question", "query")): f"Q{number}?", rng.choice(KEYS): said}
        if rng.random() < 0.5:
            row["corpus"] = rng.choice((f"part {i}", f"part {i}.md", f"docs/part {i}.html"))
        rows.append(row)
        expected.append((f"Q{number}?", f"part {i}", (passage,)))
    questions, problems = read_questions(written(tmp_path, ending, rows), TEXTS)
    assert not problems
    assert [_shown(each) for each in questions] == expected


def _shown(question: Question) -> tuple[str, str, tuple[str, ...]]:
    return question.text, question.corpus, tuple(each.text for each in question.excerpts)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_key_that_is_needed_is_named(tmp_path: Path, ending: str) -> None:
    file = written(tmp_path, ending, [{"question": "Why?", "solution": "Fact 1"}])
    questions, (problem,) = read_questions(file, TEXTS)
    assert not questions
    assert "the key 'excerpts' or 'answer' is needed, got 'question', 'solution'" in problem.what
    assert problem.place.startswith(f"questions.{ending}, ")


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (
            {"answer": "Fact 3 of part 4 is", "corpus": "part 2"},
            (
                "the excerpt 'Fact 3 of part 4 is' does not stand in 'part 2', but in 'part 4': "
                "it is left out"
            ),
        ),
        (
            {"answer": "fact 3  of part 4 IS", "corpus": "part 2"},
            (
                "the excerpt 'fact 3  of part 4 IS' does not stand in 'part 2', but in 'part 4': "
                "it is left out"
            ),
        ),
        (
            {"answer": "Nothing of that"},
            (
                "the excerpt 'Nothing of that' does not stand in any of 6 corpora: "
                "the question is left out"
            ),
        ),
        ({"answer": " "}, "it has no excerpts: the question is left out"),
        (
            {"answer": "of part"},
            "'of part' stands in 'part 0' and 5 more: 'part 0' is taken; 'corpus' can name another",
        ),
    ],
)
def test_where_a_passage_stands_is_said(tmp_path: Path, row: dict[str, str], what: str) -> None:
    file = written(tmp_path, "jsonl", [{"question": "Why?", **row}])
    assert read_questions(file, TEXTS)[1][0].what == what


def test_of_several_passages_the_corpus_with_most_is_taken(tmp_path: Path) -> None:
    row = {"question": "Why?", "excerpts": ["Fact 1 of part", "Fact 2 of part 3", "Fact 3 of part"]}
    questions, problems = read_questions(written(tmp_path, "jsonl", [row]), TEXTS)
    assert [each.corpus for each in questions] == ["part 3"]
    assert not problems


@pytest.mark.parametrize("text", ['{"question": "Why?"}', "[1]", "7", "[", "[" * 99_999])
def test_json_that_is_no_list_of_questions(tmp_path: Path, text: str) -> None:
    file = tmp_path / "questions.json"
    file.write_text(text)
    with pytest.raises(ReadError, match=r"questions\.json") as raised:
        read_questions(file, TEXTS)
    assert len(str(raised.value)) < 1000


def test_a_folder_and_a_spreadsheet(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / f"{name}.md").write_text(text)
    row = {"Question": "Which?", "Answer": "Fact 7 of part 5 is 162."}
    read = Dataset.read(tmp_path / "docs", written(tmp_path, "csv", [row]))
    assert [_shown(each) for each in read.questions] == [("Which?", "part 5", (row["Answer"],))]
