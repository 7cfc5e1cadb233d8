"""Questions are read; what is broken is an error, what cannot be asked is listed."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import ConfigError, ReadError
from chunkwright.evaluation import Excerpt, Question, read_questions

from .samples import CORPORA, LAKE, MILL

ROW = {"question": "When?", "corpus": "mill", "excerpts": ["built in 1743"]}
BUILT = Question("When?", "mill", (Excerpt("built in 1743", 13, 26),))


def lines(folder: Path, *rows: Any) -> Path:
    """Write a file of JSON lines; a str is a line as it is."""
    file = folder / "questions.jsonl"
    written = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    file.write_text("\n".join(written), "utf-8")
    return file


def table(folder: Path, *rows: tuple[str, ...]) -> Path:
    file = folder / "questions.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([("question", "references", "corpus_id"), *rows])
    return file


@pytest.mark.parametrize(
    "row",
    [
        ROW,
        {"question": "When?", "corpus_id": "mill", "references": ["built in 1743"]},
        ROW | {"excerpts": [{"text": "built in 1743"}]},
        ROW | {"excerpts": [{"content": "built in 1743", "start_index": 13, "end_index": 26}]},
        ROW | {"excerpts": [{"start": 13, "end": 26}], "difficulty": 3},
        # Whitespace and case may differ; what stands in the corpus is taken.
        ROW | {"excerpts": ["BUILT  in\n1743"]},
    ],
)
def test_rows_are_read_by_either_name(tmp_path: Path, row: dict[str, Any]) -> None:
    assert read_questions(lines(tmp_path, row), CORPORA) == ((BUILT,), ())


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize(
    "head", [("Question", "Answer"), ("id", "QUERY ", "Ground_Truth"), ("reference", "user_input")]
)
def test_tables_are_read_as_spreadsheets_write_them(
    tmp_path: Path, delimiter: str, encoding: str, quoting: Any, head: tuple[str, ...]
) -> None:
    is_asked = [key.strip().lower() in {"question", "query", "user_input"} for key in head]
    cells = ["1; 2" if key == "id" else "built in 1743" for key in head]
    row = ["When?" if asked else cell for asked, cell in zip(is_asked, cells, strict=True)]
    blank = [""] * len(head)
    file = tmp_path / "questions.csv"
    with file.open("w", encoding=encoding, newline="") as out:
        writer = csv.writer(out, delimiter=delimiter, quoting=quoting)
        writer.writerows([head, blank, row, [" ", *blank[1:]], blank])
    assert read_questions(file, CORPORA) == ((BUILT,), ())


@pytest.mark.parametrize(
    "key", ["answers", "passages", "contexts", "reference_contexts", "ground_truths"]
)
@pytest.mark.parametrize("given", ["built in 1743", ["built in 1743"]])
def test_passages_have_the_names_of_test_sets(tmp_path: Path, key: str, given: Any) -> None:
    file = lines(tmp_path, {"user_input": "When?", key: given, "reference": "By the way, 1743."})
    assert read_questions(file, CORPORA) == ((BUILT,), ())


def test_a_table_is_read_like_lines(tmp_path: Path) -> None:
    given = json.dumps([{"content": "built in 1743", "start_index": 13, "end_index": 26}])
    file = table(tmp_path, ("When?", given, "mill"), ("Who?", '["pike"]', "lake"))
    questions, problems = read_questions(file, CORPORA)
    assert questions == (BUILT, Question("Who?", "lake", (Excerpt("pike", 52, 56),)))
    assert not problems


def test_a_single_corpus_need_not_be_named(tmp_path: Path) -> None:
    row: dict[str, Any] = {"question": "When?", "excerpts": ["built in 1743"]}
    assert read_questions(lines(tmp_path, row), {"mill": MILL}) == ((BUILT,), ())
    assert read_questions(lines(tmp_path, row), CORPORA) == ((BUILT,), ())
    row["excerpts"] = [{"start": 13, "end": 26}]
    with pytest.raises(ReadError, match=r"questions\.jsonl, line 1: 'corpus' must name one of 2"):
        read_questions(lines(tmp_path, row), CORPORA)


def test_a_byte_order_mark_and_blank_lines_are_no_questions(tmp_path: Path) -> None:
    file = lines(tmp_path, "", ROW, "  ", "")
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_questions(file, CORPORA)[0] == (BUILT,)


def test_a_line_separator_within_a_text_ends_no_line(tmp_path: Path) -> None:
    row = json.dumps(ROW | {"question": "When\u2028ever\x85?"}, ensure_ascii=False)
    assert read_questions(lines(tmp_path, row), CORPORA)[0][0].text == "When\u2028ever\x85?"


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (ROW | {"excerpts": []}, "it has no excerpts: the question is left out"),
        (
            {"question": "When?", "corpus": "mill", "solution": "x"},
            (
                "it has no excerpts: the key 'excerpts' or 'answer' is needed, got 'question', "
                "'corpus', 'solution': the question is left out"
            ),
        ),
        (
            ROW | {"corpus": "mil"},
            "unknown corpus 'mil': did you mean 'mill'?: the question is left out",
        ),
    ],
)
def test_what_cannot_be_asked_is_left_out(tmp_path: Path, row: Any, what: str) -> None:
    questions, problems = read_questions(lines(tmp_path, row, ROW), CORPORA)
    assert questions == (BUILT,)
    assert [(p.place, p.question, p.what) for p in problems] == [
        ("questions.jsonl, line 1", "When?", what)
    ]


def test_an_excerpt_that_stands_nowhere_is_left_out(tmp_path: Path) -> None:
    row = ROW | {"excerpts": ["built in 1744", "  ", "built in 1743"]}
    questions, problems = read_questions(lines(tmp_path, row), CORPORA)
    assert questions == (BUILT,)
    assert [p.what for p in problems] == [
        "the excerpt 'built in 1744' does not stand in 'mill': it is left out",
        "the excerpt '  ' is empty: it is left out",
    ]


def test_a_question_without_any_excerpt_left_is_left_out(tmp_path: Path) -> None:
    questions, problems = read_questions(lines(tmp_path, ROW | {"excerpts": ["gone"]}), CORPORA)
    assert not questions
    assert problems[-1].what == "none of its excerpts is left: the question is left out"


def test_a_question_is_asked_once_of_each_corpus(tmp_path: Path) -> None:
    other = ROW | {"corpus": "lake", "excerpts": ["Eels"]}
    questions, problems = read_questions(lines(tmp_path, ROW, other, ROW), CORPORA)
    assert [q.corpus for q in questions] == ["mill", "lake"]
    assert [(p.place, p.what) for p in problems] == [
        (
            "questions.jsonl, line 3",
            "it is asked before, in questions.jsonl, line 1: the question is left out",
        )
    ]


def test_a_place_that_says_something_else_is_noted_and_searched(tmp_path: Path) -> None:
    row = ROW | {"excerpts": [{"text": "built in 1743", "start": 12, "end": 25}]}
    questions, problems = read_questions(lines(tmp_path, row), CORPORA)
    assert questions == (BUILT,)
    assert problems[0].what.startswith("' built in 174' stands at 12:25 of 'mill', not 'built in")


def test_a_sentence_that_is_almost_the_same_is_taken_and_noted(tmp_path: Path) -> None:
    row = ROW | {"excerpts": ["twice it burnt down."]}
    questions, problems = read_questions(lines(tmp_path, row), CORPORA)
    assert questions[0].excerpts == (Excerpt("It burnt down twice", 28, 47),)
    assert problems[0].what.endswith("'It burnt down twice' is taken for it")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("{", r"line 2: '\{' is no JSON"),
        ("[1]", r"line 2: \[1\] is no object"),
        ("[" * 100_000, "line 2: .* is nested too deeply|no JSON"),
        ("9" * 5000, "line 2: .* is no JSON"),
        ({}, "line 2: 'question' must be a text, got None"),
        ({"question": " "}, "line 2: 'question' must be a text, got ' '"),
        ({"question": 7}, "line 2: 'question' must be a text, got 7"),
        (ROW | {"corpus": 7}, "line 2: 'corpus' must be a text, got 7"),
        (ROW | {"excerpts": {"text": "x"}}, "line 2: 'excerpts' must be a list"),
        (ROW | {"excerpts": [7]}, "line 2: an excerpt must be a text or an object, got 7"),
        (ROW | {"excerpts": [{"text": 7}]}, "line 2: an excerpt's 'text' must be a text, got 7"),
        (ROW | {"excerpts": [{"nothing": 7}]}, "line 2: an excerpt needs a 'text'"),
        (ROW | {"excerpts": [{"start": 5, "end": 5}]}, "got start=5 and end=5"),
        (ROW | {"excerpts": [{"start": 5, "end": 3}]}, "got start=5 and end=3"),
        (ROW | {"excerpts": [{"start": -1, "end": 3}]}, "got start=-1 and end=3"),
        (ROW | {"excerpts": [{"start": 5.0, "end": 9}]}, r"got start=5\.0 and end=9"),
        (ROW | {"excerpts": [{"start": True, "end": 9}]}, "got start=True and end=9"),
        (ROW | {"excerpts": [{"text": "x", "start": 5}]}, "got start=5 and end=None"),
        (ROW | {"excerpts": [{"start": 5, "end": 10**30}]}, "which has 86 code points"),
    ],
)
def test_broken_rows_are_errors(tmp_path: Path, row: Any, why: str) -> None:
    with pytest.raises(ReadError, match=why) as raised:
        read_questions(lines(tmp_path, ROW | {"question": "First?"}, row), CORPORA)
    assert "questions.jsonl" in str(raised.value)
    assert len(str(raised.value)) < 1000


def test_broken_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="nowhere"):
        read_questions(tmp_path / "nowhere.jsonl", CORPORA)
    (tmp_path / "latin.jsonl").write_bytes(b'{"question": "\xe9"}')
    with pytest.raises(ReadError, match="byte 14"):
        read_questions(tmp_path / "latin.jsonl", CORPORA)
    with pytest.raises(ConfigError, match=r"'questions\.xls' .*: known are '\.jsonl', '\.csv'"):
        read_questions(tmp_path / "questions.xls", CORPORA)
    with pytest.raises(ConfigError, match=r"ending: did you mean '\.jsonl'"):
        read_questions(tmp_path / "questions.jsonlines", CORPORA)
    with pytest.raises(ReadError, match=r"line 2: '\[1,' is no JSON"):
        read_questions(table(tmp_path, ("When?", "[1,", "mill")), CORPORA)
    (tmp_path / "open.csv").write_text('question,references\n"When?', "utf-8")
    with pytest.raises(ReadError, match=r"open\.csv, line 1"):
        read_questions(tmp_path / "open.csv", CORPORA)


@given(st.binary(max_size=200), st.sampled_from(["x.jsonl", "x.csv"]))
def test_no_file_makes_the_reader_fail_otherwise(tmp_path: Path, data: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(data)
    try:
        questions, problems = read_questions(tmp_path / name, CORPORA)
    except ReadError:
        return
    assert len(questions) + len(problems) <= io.BytesIO(data).getvalue().count(b"\n") + 1


@given(st.text(min_size=1, max_size=30), st.data())
def test_every_slice_of_a_corpus_is_found(tmp_path: Path, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    row = {"question": "?", "excerpts": [text[start:end]]}
    questions, _ = read_questions(lines(tmp_path, row), {"only": text})
    for question in questions:
        (found,) = question.excerpts
        assert text[found.start : found.end] == found.text == text[start:end]
        assert found.start <= start
    assert bool(questions) == bool(text[start:end].strip())


def test_texts_of_the_sample_are_where_they_are_said_to_be() -> None:
    assert LAKE[52:56] == "pike"
