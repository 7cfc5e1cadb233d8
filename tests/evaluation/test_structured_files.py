"""Files with structure are measured as documents, as they are cut everywhere else."""

from __future__ import annotations

import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.evaluation import Dataset, Run, evaluate, evaluate_all, measure, read_plan
from chunkwright.evaluation.data.corpora import read_corpora

STRATEGIES = [cw.Hybrid(max_tokens=40), cw.Hierarchical(max_tokens=40), cw.Auto(max_tokens=40)]
IDS = ["hybrid", "hierarchical", "auto"]
SEEDS = range(12)


def sections(rng: random.Random) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Make sections of a heading, a paragraph, and perhaps a table."""
    made = []
    for i in range(rng.randint(2, 5)):
        said = " ".join(f"Sentence {i} {j} of {rng.randint(1, 999)}." for j in range(3))
        rows = [(f"item {i} {j}", f"{rng.randint(1, 9999)} euros") for j in range(12)]
        made.append((f"Part {i}", said, rows if rng.random() < 0.6 else []))
    return made


def markdown(parts: list[tuple[str, str, list[tuple[str, str]]]]) -> str:
    text = ""
    for heading, said, rows in parts:
        text += f"# {heading}\n\n{said}\n\n"
        if rows:
            body = "".join(f"| {a} | {b} |\n" for a, b in rows)
            text += f"| kind | fee |\n|---|---|\n{body}\n"
    return text


def html(parts: list[tuple[str, str, list[tuple[str, str]]]]) -> str:
    text = ""
    for heading, said, rows in parts:
        body = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in rows)
        text += f"<h1>{heading}</h1><p>{said}</p>" + (f"<table>{body}</table>" if rows else "")
    return text


def written(folder: Path, seed: int, ending: str) -> tuple[Path, Path]:
    """Write a file, and questions about a sentence of each of its parts."""
    parts = sections(random.Random(seed))
    (folder / "docs").mkdir()
    file = folder / "docs" / f"fees.{ending}"
    file.write_text((html if ending == "html" else markdown)(parts), newline="")
    rows = [
        {"question": f"What of {heading}?", "excerpts": [said.split(". ")[1]]}
        for heading, said, _ in parts
    ]
    questions = folder / "questions.jsonl"
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file, questions


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ending", ["md", "html"])
def test_what_is_measured_is_what_is_cut_elsewhere(tmp_path: Path, seed: int, ending: str) -> None:
    file, questions = written(tmp_path, seed, ending)
    for corpora in (file.parent, file, [str(file)]):
        read = Dataset.read(corpora, questions)
        assert read.problems == ()
        document = cw.read(file)
        assert read.corpora == {"fees": document.text}
        for each in read.questions:
            (excerpt,) = each.excerpts
            assert document.text[excerpt.start : excerpt.end] == excerpt.text
        for strategy in STRATEGIES:
            found = evaluate(strategy, read, cutoffs=100)
            assert found.chunks.texts == tuple(strategy(document).texts())
            assert found.unplaced == []
            assert measure(strategy, read).n_chunks == found.n_chunks


def test_names_tell_languages(tmp_path: Path) -> None:
    code = "x = 1\n\ndef f():\n    a = 1\n\n    b = 2\n\n    return a\n"
    (tmp_path / "tools.py").write_text(code)
    (tmp_path / "notes.txt").write_text("# A note\n\n" + code)
    read = Dataset.read(tmp_path, None)
    assert list(read.documents) == ["tools"]
    auto = cw.Auto(max_chars=30)
    parts = [auto(cw.read(tmp_path / name)) for name in ("tools.py", "notes.txt")]
    assert parts[0].texts() != auto(code).texts()
    assert measure(auto, read).n_chunks == sum(map(len, parts))


@pytest.mark.parametrize("is_kept", [False, True])
def test_functions_are_given_texts_of_files(tmp_path: Path, is_kept: bool) -> None:
    file, questions = written(tmp_path, 1, "md")
    given: list[Any] = []

    class Splits:
        fingerprint = "splits"

        def __call__(self, text: str) -> list[str]:
            given.append(text)
            return text.split("\n\n")

    cache = tmp_path / "cache" if is_kept else None
    for _ in range(2):
        evaluate(Splits(), Dataset.read(file, questions), cache=cache)
    assert given == [file.read_text()] * (1 if is_kept else 2)
    explicit = Dataset.read({"fees": cw.read(file)}, questions)
    with pytest.raises(cw.errors.ConfigError, match="Splits failed on the corpus 'fees'"):
        evaluate(Splits(), explicit)
    assert Dataset.read(file, questions).fingerprint != explicit.fingerprint


def test_chunks_of_texts_and_of_documents_are_kept_apart(tmp_path: Path) -> None:
    file, questions = written(tmp_path, 3, "md")
    plain = Dataset.read(read_corpora(file), questions)
    strategy, cache = STRATEGIES[0], tmp_path / "cache"
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="is measured on plain texts"):
            before = evaluate(strategy, plain, cache=cache)
        after = evaluate(strategy, Dataset.read(file, questions), cache=cache)
        assert before.chunks.texts == tuple(strategy(file.read_text()).texts())
        assert after.chunks.texts == tuple(strategy(cw.read(file)).texts())
    assert plain.fingerprint != after.dataset.fingerprint


@pytest.mark.parametrize(
    ("strategy", "warns"), list(zip(STRATEGIES, [True, True, False], strict=True)), ids=IDS
)
def test_lost_structure_is_said_of_the_run(tmp_path: Path, strategy: Any, warns: bool) -> None:
    file, questions = written(tmp_path, 5, "txt")
    read = Dataset.read(file, questions)
    assert read.documents == {}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        evaluate(strategy, read, name="mine")
        evaluate(cw.Recursive(max_tokens=40), read)
    expected = ["the run 'mine' is measured on plain texts"] if warns else []
    assert [str(each.message).split(":")[0] for each in said] == expected


def test_lost_structure_is_said_of_kept_runs_too(tmp_path: Path) -> None:
    read = Dataset.read(*written(tmp_path, 5, "txt"))
    run = Run(name="mine", chunker=STRATEGIES[0])
    for _ in range(2):
        with pytest.warns(
            RuntimeWarning, match="the run 'mine' is measured on plain texts"
        ) as said:
            evaluate_all([run], read, cache=tmp_path / "cache")
        assert len(said) == 1


def test_a_plan_reads_structure(tmp_path: Path) -> None:
    file, _ = written(tmp_path, 7, "md")
    row = '[[chunker]]\nstrategy = "hybrid"\nmax_tokens = 40\n'
    for data in ('questions = "questions.jsonl"\n', ""):
        config = tmp_path / "config.toml"
        config.write_text(f'[data]\ncorpora = "docs"\n{data}{row}')
        plan = read_plan(config)
        assert plan.dataset.documents["fees"].elements is not None
        measured = measure(plan.runs[0].chunker, plan.dataset)
        assert measured.n_chunks == len(STRATEGIES[0](cw.read(file)))
