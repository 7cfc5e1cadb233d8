"""A dataset is what it says: its questions are checked, its corpora are read under clear names."""

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import ConfigError, ReadError
from chunkwright.evaluation import Dataset, Excerpt, Question
from chunkwright.evaluation.data.corpora import read_corpora

from .samples import CORPORA, DATASET, MILL

BUILT = Excerpt("built in 1743", 13, 26)


def asked(*excerpts: Excerpt, corpus: str = "mill") -> Dataset:
    return Dataset(CORPORA, (Question("When?", corpus, excerpts),))


@pytest.mark.parametrize(
    ("excerpts", "corpus", "why"),
    [
        ((BUILT,), "mil", "unknown corpus 'mil' of the question 'When.': did you mean 'mill'"),
        ((), "mill", "there are no excerpts of the question 'When.'"),
        ((Excerpt("", 3, 3),), "mill", "excerpt 3:3 .* is no range of 86 code points"),
        ((Excerpt("x", -1, 0),), "mill", "excerpt -1:0 .* is no range"),
        ((Excerpt("twice.x", 80, 87),), "mill", "excerpt 80:87 .* is no range"),
        ((Excerpt("built in 1744", 13, 26),), "mill", "1743' stands at 13:26, .* about 'mill'"),
        ((("built in 1743", 13, 26),), "mill", "made of Excerpt, got .'built in 1743', 13, 26"),
    ],
)
def test_a_question_must_be_answered_by_its_corpus(
    excerpts: tuple[Any, ...], corpus: str, why: str
) -> None:
    with pytest.raises(ConfigError, match=why):
        asked(*excerpts, corpus=corpus)


@pytest.mark.parametrize("start", ["13", 13.0, None, True, np.int64(13)])
def test_an_excerpt_stands_at_ints(start: Any) -> None:
    why = f"must start and end at an int, got start={re.escape(repr(start))} and end=26 of"
    with pytest.raises(ConfigError, match=why):
        asked(Excerpt("built in 1743", start, 26))


def test_what_is_no_question_or_text_is_named() -> None:
    with pytest.raises(ConfigError, match="questions must be made of Question, got 'When"):
        Dataset(CORPORA, ("When?",))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="questions must be made of Question, got NoneType"):
        Dataset(CORPORA, None)  # type: ignore[arg-type]
    for question, why in (
        (Question(None, "mill", (BUILT,)), "a question's text must be a text, got None"),  # type: ignore[arg-type]
        (Question("When?", ["mill"], (BUILT,)), "corpus must be a text, got .'mill'"),  # type: ignore[arg-type]
        (Question("When?", "mill", 7), "the excerpts of .* must be a tuple, got 7"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ConfigError, match=why):
            Dataset(CORPORA, (question,))
    with pytest.raises(ConfigError, match="corpora must map names to texts, got 'mill' to bytes"):
        Dataset({"mill": b""}, ())
    with pytest.raises(ConfigError, match="corpora must map names to texts, got list"):
        Dataset([], ())  # type: ignore[arg-type]


def ranges(excerpts: tuple[Excerpt, ...]) -> list[tuple[int, int]]:
    return [(excerpt.start, excerpt.end) for excerpt in excerpts]


@given(st.lists(st.tuples(st.integers(0, 85), st.integers(1, 86)), min_size=1, max_size=8))
def test_excerpts_that_overlap_are_made_one(drawn: list[tuple[int, int]]) -> None:
    places = [(min(a, b), max(a, b)) for a, b in drawn if a != b] or [(0, 1)]
    (question,) = asked(*(Excerpt(MILL[a:b], a, b) for a, b in places)).questions
    kept = ranges(question.excerpts)
    covered = [position for a, b in kept for position in range(a, b)]
    assert covered == sorted({position for a, b in places for position in range(a, b)})
    assert all(excerpt.text == MILL[excerpt.start : excerpt.end] for excerpt in question.excerpts)
    # Those that only touch are left as they are.
    assert all(any(a == start for start, _ in places) for a, _ in kept)


def test_excerpts_that_touch_stay_apart() -> None:
    (question,) = asked(Excerpt(MILL[5:9], 5, 9), Excerpt(MILL[0:5], 0, 5)).questions
    assert ranges(question.excerpts) == [(0, 5), (5, 9)]


def test_the_fingerprint_is_of_texts_and_questions() -> None:
    same = Dataset(dict(CORPORA), DATASET.questions, name="another")
    assert same.fingerprint == DATASET.fingerprint == pickle.loads(pickle.dumps(same)).fingerprint
    others = [
        Dataset(CORPORA, DATASET.questions[:2]),
        Dataset(CORPORA, DATASET.questions[::-1]),
        Dataset(dict(reversed(CORPORA.items())), DATASET.questions),
        Dataset({**CORPORA, "mill": f"{MILL} "}, DATASET.questions),
        Dataset({**CORPORA, "sea": ""}, DATASET.questions),
    ]
    assert len({dataset.fingerprint for dataset in [DATASET, *others]}) == 1 + len(others)


def test_lone_surrogates_are_text() -> None:
    text = "a\ud800b"
    dataset = Dataset({"x\udfff": text}, (Question("\ud800", "x\udfff", (Excerpt(text, 0, 3),)),))
    assert len(dataset.fingerprint) == 64


def test_it_says_how_much_there_is() -> None:
    assert repr(DATASET) == "<Dataset 'sample': 3 questions, 4 excerpts, 2 corpora>"
    assert repr(Dataset({}, ())) == "<Dataset: 0 questions, 0 excerpts, 0 corpora>"


# ------------------------------------------------------------------------------------- files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ["b.md", "a.TXT", "sub/c.rst", ".hidden.md", ".git/d.md", "sub/data.jsonl"]:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(f"{name}\r\n".encode())
    return tmp_path


def test_a_folder_is_read_with_those_in_it(folder: Path) -> None:
    assert read_corpora(folder) == {"a": "a.TXT\r\n", "b": "b.md\r\n", "c": "sub/c.rst\r\n"}
    assert read_corpora(str(folder / "sub")) == {"c": "sub/c.rst\r\n"}


def test_files_of_a_folder_are_called_by_their_paths(folder: Path) -> None:
    names = ["a.TXT", "b.md", "sub/c.rst"]
    assert list(read_corpora(folder, names="path")) == names
    assert list(read_corpora([folder], names="path")) == names
    assert list(read_corpora(f"{folder}/**/*.rst", names="path")) == ["c.rst"]
    # A folder that was named is where paths begin, whatever is in it.
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "a.py").write_text("x = 1")
    assert list(read_corpora(folder / "deep", names="path")) == ["er/a.py"]
    # Stems may be alike.
    (folder / "deep" / "er" / "a.pyi").write_text("x: int")
    assert list(read_corpora(folder / "deep", names="path")) == ["er/a.py", "er/a.pyi"]
    read = Dataset.read(folder / "deep", None, names="path")
    assert [document.name for document in read.documents.values()]
    assert list(read.corpora) == ["er/a.py", "er/a.pyi"]
    with pytest.raises(ConfigError, match="unknown names 'uri'"):
        read_corpora(folder, names="uri")  # type: ignore[arg-type]


def test_files_and_globs_are_read_whatever_they_are_called(folder: Path) -> None:
    assert list(read_corpora(folder / "sub" / "data.jsonl")) == ["data"]
    assert list(read_corpora(f"{folder}/**/*.md")) == ["b"]
    files: list[str | Path] = [folder / "b.md", str(folder / "a.TXT"), f"{folder}/*.md"]
    assert list(read_corpora(files)) == ["b", "a"]


def test_a_folder_holds_what_the_command_line_reads_of_it(folder: Path) -> None:
    (folder / "page.html").write_text("page")
    (folder / "code.py").write_text("code")
    (folder / "loop").symlink_to(folder)
    assert list(read_corpora(folder)) == ["a", "b", "code", "page", "c"]
    assert sorted(read_corpora(f"{folder}/**")) == ["a", "b", "c", "code", "data", "page"]


def test_a_file_of_questions_is_no_corpus(folder: Path) -> None:
    asked = folder / "asked.csv"
    asked.write_text("question,references,corpus_id\n")
    assert "asked" in read_corpora(folder)
    assert "asked" not in Dataset.read(folder, asked).corpora


def test_texts_of_one_name_are_called_by_their_paths(folder: Path) -> None:
    (folder / "sub" / "a.md").write_text("other")
    assert list(read_corpora(folder)) == ["a", "b", "sub/a", "c"]
    (folder / "sub" / "a.txt").write_text("third")
    assert list(read_corpora(folder)) == ["a", "b", "sub/a.md", "sub/a.txt", "c"]


def test_an_ending_never_makes_two_names_one(tmp_path: Path) -> None:
    names = ["a.b", "a.b.md", "a.md"]
    for name in names:
        (tmp_path / name).write_text(name)
    assert list(read_corpora([tmp_path / name for name in names])) == names


def test_what_is_not_there_is_named(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"no text file is in .*empty"):
        read_corpora(folder / "empty")
    with pytest.raises(ConfigError, match=r"there is no file .*nowhere"):
        read_corpora(folder / "nowhere")
    with pytest.raises(ConfigError, match=r"there is no file .*\*\.html"):
        read_corpora([folder / "b.md", f"{folder}/*.html"])
    for odd in (7, b"x", [b"x"], "", "a\0b"):
        with pytest.raises(ConfigError, match="corpora must be"):
            read_corpora(odd)  # type: ignore[arg-type]
    (folder / "b.md").write_bytes(b"\xff")
    with pytest.raises(ReadError, match=r"b\.md.*byte 0"):
        read_corpora(folder)


def test_a_dataset_is_read_from_files(folder: Path) -> None:
    questions = folder / "asked.jsonl"
    questions.write_text('{"question": "?", "corpus": "b", "excerpts": ["b.md", "gone"]}')
    dataset = Dataset.read(folder, questions)
    assert dataset.name == "asked"
    assert dataset.questions == (Question("?", "b", (Excerpt("b.md", 0, 4),)),)
    assert [problem.place for problem in dataset.problems] == ["asked.jsonl, line 1"]
    assert Dataset.read({"b": "b.md"}, questions, name="mine").name == "mine"


def test_the_report_is_read_whole(shared: Path) -> None:
    dataset = Dataset.chroma_report(shared / "data" / "chroma-report")
    counts = repr(dataset)
    assert counts == "<Dataset 'chroma-report': 472 questions, 790 excerpts, 5 corpora>"
    assert not dataset.problems
