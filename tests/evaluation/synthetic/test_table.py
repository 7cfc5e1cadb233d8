"""Tables of questions: the form of the report, pandas' and ours, and broken ones."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest

from chunkwright.compat.chroma.questions import read_frame, read_rows
from chunkwright.errors import ConfigError, ReadError
from chunkwright.evaluation import Dataset, Excerpt, Question
from chunkwright.evaluation.synthetic.table import COLUMNS, QuestionTable, read_files, row_of

HEAD = b"question,references,corpus_id\n"
ASKED = [
    Question("When?", "mill", (Excerpt("in 1743", 13, 20),)),
    Question('Who, "exactly"?', "a,b", (Excerpt("Änne\n🎉", 0, 6), Excerpt('"', 8, 9))),
    Question("=1+1; who?", "", ()),
]


def written(path: Path) -> QuestionTable:
    table = QuestionTable(path)
    table.repair()
    for question in ASKED:
        table.append(question)
    return table


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    written(path)
    assert QuestionTable(path).questions() == ASKED


def test_a_file_is_what_pandas_writes(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    written(ours)
    pd.DataFrame(map(row_of, ASKED)).to_csv(theirs, index=False, lineterminator="\n")
    assert ours.read_bytes() == theirs.read_bytes()


def test_all_readers_agree(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    path = tmp_path / "q.csv"
    written(path)
    expected = [[q.text, [(e.text, e.start, e.end) for e in q.excerpts], q.corpus] for q in ASKED]
    keys = ("content", "start_index", "end_index")
    for rows in (
        # As the peer reads it, as its drop-in does, and as the standard library does.
        pd.read_csv(path, keep_default_na=False).to_dict("records"),
        read_frame(path).to_dict("records"),
        [row._asdict() for row in read_rows(path)],
        list(csv.DictReader(io.StringIO(path.read_text("utf-8"), newline=""))),
    ):
        found = [[row[name] for name in COLUMNS] for row in rows]
        for row in found:
            references = json.loads(row[1]) if isinstance(row[1], str) else row[1]
            row[1] = [tuple(each[key] for key in keys) for each in references]
        assert found == expected


@pytest.mark.skipif("CHUNKWRIGHT_SHARED" not in os.environ, reason="needs the report's data")
def test_the_reports_own_file(tmp_path: Path) -> None:
    folder = Path(os.environ["CHUNKWRIGHT_SHARED"], "data", "chroma-report")
    text = (folder / "questions_df.csv").read_bytes()
    path = tmp_path / "questions_df.csv"
    path.write_bytes(text)
    table = QuestionTable(path)
    data = Dataset.chroma_report(folder)
    # The evaluation sorts excerpts.
    found = [
        Question(q.text, q.corpus, tuple(sorted(q.excerpts, key=lambda each: each.start)))
        for q in table.questions()
    ]
    assert tuple(found) == data.questions
    table.replace(table.rows)
    assert path.read_bytes() == text


def test_other_columns_stay(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("\ufeffcorpus_id,note,question,references\nmill,mine,Why?,[]\n")
    table = QuestionTable(path)
    table.repair()
    table.append(ASKED[0])
    assert path.read_text("utf-8-sig").splitlines()[1:] == [
        "mill,mine,Why?,[]",
        'mill,,When?,"[{""content"": ""in 1743"", ""start_index"": 13, ""end_index"": 20}]"',
    ]
    assert [row["note"] for row in QuestionTable(path).rows] == ["mine", ""]


@pytest.mark.parametrize("text", [b"", HEAD, b"\n", HEAD + b"\n\n"])
def test_files_without_rows(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(text)
    assert written(path).questions() == ASKED
    assert QuestionTable(path).questions() == ASKED


def test_a_last_row_without_its_end(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(HEAD + b"Why?,[],mill")
    table = QuestionTable(path, ASKED[0])
    table.repair()
    table.append(ASKED[0])
    assert [each.text for each in QuestionTable(path).questions()] == ["Why?", "When?"]


def test_half_a_row_is_left_out_if_it_is_the_unfinished_one(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    written(path)
    text = path.read_bytes()
    rows = len(text) - text.index(b"Who") + 1
    for n in range(1, rows):
        path.write_bytes(text[:-n])
        if text[:-n].endswith(b"\n"):
            break
        assert QuestionTable(path, ASKED[2]).questions() == ASKED[:2]
    path.write_bytes(text[:-4])
    with pytest.raises(ReadError, match=r"q\.csv, row 3: it has"):
        QuestionTable(path, ASKED[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"question,references\n", "no column 'corpus_id'"),
        (b"\xff\xfe\n", "q.csv: "),
        (HEAD + b'"Why?,[],mill\n', "unexpected end of data"),
        (HEAD + b"Why?,[],mill,too much\n", "row 1: it has 4 cells, and there are 3 columns"),
        (HEAD + b"Why?,\xff,mill\n", "q.csv: "),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(text)
    with pytest.raises(ReadError, match=message):
        QuestionTable(path)
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    "references",
    [
        "",
        "7",
        "{}",
        '["text"]',
        '[{"content": "x", "start_index": 1.5, "end_index": 2}]',
        "[" * 9999,
    ],
)
def test_references_that_are_none(tmp_path: Path, references: str) -> None:
    path = tmp_path / "q.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([COLUMNS, ["Why?", "[]", "a"], ["Why?", references, "a"]])
    if references == "{}":
        assert not QuestionTable(path).questions()[1].excerpts
    else:
        with pytest.raises(ReadError, match=r"row 2: .* is no list of references"):
            QuestionTable(path).questions()


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.mkdir()
    with pytest.raises(ReadError, match="cannot be read"):
        QuestionTable(path)
    with pytest.raises(ConfigError, match="are kept in a file"):
        read_files(tmp_path / "q.txt")
