"""`chunkwright eval`: the example from beginning to end, and what goes wrong."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from chunkwright.files.disk_cache import stored_files
from tests.retrieval.made_cross_encoder import write_cross_encoder

from .commandline import COMMAND, Run

EXAMPLE = Path(__file__).parents[2] / "examples" / "evaluation"
ROWS = ["recursive 64", "recursive 128", "balanced 64", "single sentences", "paragraphs"]


@pytest.fixture(autouse=True)
def _example(folder: Path) -> None:
    shutil.copytree(EXAMPLE, folder / "mine")


def kept(folder: Path) -> int:
    """Count the runs that are kept in a folder."""
    return sum(file.entries for file in stored_files(folder, "runs"))


def append(text: str) -> None:
    with Path("mine/config.toml").open("a") as file:
        file.write(text)


def test_the_example(here: Run) -> None:
    result = here("eval", "mine/config.toml", "--out", "out", "--questions", "--plot", "p.svg")
    assert result.code == 0
    *sentences, closing = result.err.splitlines()
    assert closing == f"5 runs, 12 questions: {Path('out/report.html')}"
    names, *rows = [line.split("\t") for line in result.out.splitlines()]
    assert [row[0] for row in rows] == ROWS
    assert {len(row) for row in rows} == {len(names)}
    report = json.loads(Path("out/report.json").read_text())
    assert report["baseline"] == "recursive 64"
    assert report["dataset"]["n_questions"] == 12
    assert report["dataset"]["problems"] == []
    said = report["recommendation"]
    assert sentences == [said["ranking_note"], *said["sentences"]]
    recall = names.index("recall@3")
    for row, run in zip(rows, report["runs"], strict=True):
        assert float(row[recall]) == pytest.approx(run["scores"]["recall@3"]["mean"], abs=1e-5)
    assert "<h1><bdi>Evaluation: house rules" in Path("out/report.html").read_text()
    assert Path("p.svg").read_text().startswith("<?xml")
    import pyarrow.parquet as pq

    assert pq.read_table("out/questions.parquet").num_rows == len(ROWS) * 12
    assert kept(Path("out/runs")) == len(ROWS)


def test_a_finished_run_is_taken_from_the_folder(here: Run) -> None:
    first = here("eval", "mine/config.toml", "--out", "out")
    files = {file: file.stat().st_mtime_ns for file in Path("out/runs").iterdir()}
    assert here("eval", "mine/config.toml", "--out", "out") == first
    assert {file: file.stat().st_mtime_ns for file in Path("out/runs").iterdir()} == files
    # A splitter that has changed is another one.
    Path("mine/paragraphs.py").write_text("def split(text):\n    return [text]\n")
    changed = here("eval", "mine/config.toml", "--out", "out", "--only", "balanced 64")
    assert changed.code == 0
    assert here("eval", "mine/config.toml", "--out", "out", "--fresh", "-q").err == ""
    assert {file: file.stat().st_mtime_ns for file in files} != files


def test_shared_settings_come_from_the_environment_too(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKWRIGHT_QUIET", "true")
    # What an evaluation is configured by is no file of settings.
    Path("chunkwright.toml").write_text(Path("mine/config.toml").read_text())
    assert here("eval", "mine/config.toml", "--only", "balanced 64").err == ""
    monkeypatch.setenv("CHUNKWRIGHT_VECTOR_CACHE", "perhaps")
    result = here("eval", "mine/config.toml")
    assert (result.code, result.out) == (2, "")
    assert "'--vector-cache': 'perhaps' is not a valid boolean" in result.err


def test_without_a_folder_runs_are_kept_in_the_cache(here: Run, folder: Path) -> None:
    assert here("eval", "mine/config.toml").code == 0
    assert kept(folder / "cache" / "runs") == len(ROWS)


def test_a_table_on_a_terminal(on_terminal: Run) -> None:
    append('[[chunker]]\nname = "[red]"\nstrategy = "window"\nmax_tokens = 50\n')
    shown = on_terminal("eval", "mine/config.toml", "--by-corpus", NO_COLOR="1")
    assert shown.code == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.out)
    for row in [*ROWS, "[red]", "baseline", "R@3", "IoU@200t", "library", "rainwater"]:
        assert row in plain
    assert max(map(len, re.split(r"[\r\n]", plain))) <= 100
    assert "in 80 % of evaluations" in " ".join(plain.split())


@pytest.mark.slow
def test_another_metric_to_rank_by(here: Run) -> None:
    found = []
    for arguments in ([], ["--rank-by", "iou@200t"], ["--seed", "4"]):
        assert here("eval", "mine/config.toml", "--out", "out", *arguments).code == 0
        found.append(json.loads(Path("out/report.json").read_text())["recommendation"])
    assert [each["ranked_by"] for each in found] == ["recall@200t", "iou@200t", "recall@200t"]
    assert [each["seed"] for each in found] == [0, 0, 4]
    config = Path("mine/config.toml")
    config.write_text('rank_by = "recall@min"\n' + config.read_text())
    here("eval", "mine/config.toml", "--out", "out")
    report = json.loads(Path("out/report.json").read_text())
    assert report["recommendation"]["ranked_by"] == "recall@min"


def test_other_runs_and_another_baseline(here: Run) -> None:
    result = here(
        *("eval", "mine/config.toml", "--only", "paragraphs", "--only", "balanced 64"),
        *("--baseline", "balanced 64", "--out", "out"),
    )
    assert [line.split("\t")[0] for line in result.out.splitlines()[1:]] == [
        *("balanced 64", "paragraphs"),
    ]
    runs = json.loads(Path("out/report.json").read_text())["runs"]
    assert [list(run["intervals"]) for run in runs] == [
        [],
        ["recall@3", "iou@3", "recall@200t"],
    ]


def test_a_run_that_fails_is_named_and_the_others_are_done(here: Run) -> None:
    Path("mine/broken.py").write_text("def split(text):\n    raise RuntimeError('no ink')\n")
    append('[[chunker]]\nname = "broken"\nobject = "broken:split"\n')
    result = here("eval", "mine/config.toml", "--out", "out", "--baseline", "broken")
    assert result.code == 1
    assert "Failed: broken: " in result.err
    assert "no ink" in result.err
    assert "Nothing is compared with broken, which failed" in result.err
    assert [line.split("\t")[0] for line in result.out.splitlines()[1:]] == ROWS


def test_problems_of_questions_are_named(here: Run) -> None:
    lost = {"question": "Why?", "corpus": "tides", "excerpts": ["no\x1bwhere"]}
    with Path("mine/questions.jsonl").open("a") as file:
        file.writelines(json.dumps(lost | {"question": f"Why {i}?"}) + "\n" for i in range(7))
    first, *rest = here("eval", "mine/config.toml", "--only", "paragraphs").err.splitlines()
    assert first.startswith(r"questions.jsonl, line 13: the excerpt 'no\x1bwhere' does not")
    assert rest[-2:] == ["... and 4 problems more", "1 run, 12 questions, 14 problems"]
    assert len(rest) == 11
    assert here("eval", "mine/config.toml", "--only", "paragraphs", "-q").err == ""


def test_a_program_is_no_module(here: Run) -> None:
    Path("mine/program.py").write_text("raise SystemExit(0)\n")
    append('[[chunker]]\nobject = "program:split"\n')
    result = here("eval", "mine/config.toml")
    assert result.code == 2
    assert "cannot import 'program': SystemExit(0)" in result.err


def test_where_nothing_can_be_kept_runs_are_done(here: Run, folder: Path) -> None:
    (folder / "cache").write_text("no folder")
    result = here("eval", "mine/config.toml")
    assert result.code == 0
    assert [line.split("\t")[0] for line in result.out.splitlines()[1:]] == ROWS
    assert re.search("paragraphs: the cache .* cannot be used", result.err)


def without_questions() -> None:
    config = Path("mine/config.toml")
    config.write_text(config.read_text().replace('questions = "questions.jsonl"', ""))


def test_without_questions_chunks_are_measured(here: Run) -> None:
    asked = here("eval", "mine/config.toml", "--out", "asked")
    without_questions()
    result = here("eval", "mine/config.toml", "--out", "out")
    assert result.code == 0
    assert result.err == f"5 runs, no questions: {Path('out/report.html')}\n"
    names, *rows = [line.split("\t") for line in result.out.splitlines()]
    assert [row[0] for row in rows] == ROWS
    assert {len(row) for row in rows} == {len(names)}
    report = json.loads(Path("out/report.json").read_text())
    assert report["dataset"]["n_questions"] == 0
    share = names.index("cut_sentences")
    for row, run in zip(rows, report["runs"], strict=True):
        found = run["chunks"]["cut_sentences"]["share"]
        assert float(row[share]) == pytest.approx(found, abs=1e-5)
    page = Path("out/report.html").read_text()
    assert "<h1><bdi>Chunks: house rules" in page
    assert "parted" in page
    # With questions the same stands beside.
    beside = json.loads(Path("asked/report.json").read_text())["runs"]
    assert [run["chunks"] for run in beside] == [run["chunks"] for run in report["runs"]]
    more, *others = [line.split("\t") for line in asked.out.splitlines()]
    assert [more.count(name) for name in names] == [1] * len(names)
    for row, other in zip(rows, others, strict=True):
        assert row == [other[more.index(name)] for name in names]


def test_without_questions_on_a_terminal(on_terminal: Run) -> None:
    without_questions()
    shown = on_terminal("eval", "mine/config.toml", "--only", "paragraphs", NO_COLOR="1")
    assert shown.code == 0
    for title in ("paragraphs", "headings parted, %", "covered, %", "median tok"):
        assert title in shown.out


def test_without_questions_a_run_that_fails_is_named(here: Run) -> None:
    without_questions()
    Path("mine/broken.py").write_text("def split(text):\n    raise RuntimeError('no ink')\n")
    append('[[chunker]]\nname = "broken"\nobject = "broken:split"\n')
    result = here("eval", "mine/config.toml")
    assert result.code == 1
    assert "Failed: broken: " in result.err
    assert [line.split("\t")[0] for line in result.out.splitlines()[1:]] == ROWS
    result = here("eval", "mine/config.toml", "--only", "broken")
    assert (result.code, result.out) == (1, "")


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        *(("--baseline", "paragraphs"), ("--rank-by", "recall@3"), ("--plot", "p.svg")),
        *(("--by-corpus", None), ("--questions", None)),
    ],
)
def test_flags_that_need_questions(here: Run, flag: str, value: str | None) -> None:
    without_questions()
    arguments = [flag] if value is None else [flag, value]
    result = here("eval", "mine/config.toml", "--out", "out", *arguments)
    assert (result.code, result.out) == (2, "")
    assert f"{flag} needs questions: mine/config.toml names none" in result.err


def test_documents_are_read_with_their_elements(here: Run) -> None:
    page = "<!DOCTYPE html><h1>Tides</h1><p>They come.</p><h2>When</h2><p>Twice a day.</p>"
    Path("mine/corpora/page.html").write_text(page)
    config = Path("mine/config.toml")
    read = config.read_text().replace('corpora = "corpora"', 'documents = "corpora"')
    config.write_text(read.replace("paragraphs:split", "of_documents:split"))
    append('[[chunker]]\nname = "titles"\nstrategy = "by_title"\nmax_chars = 900\n')
    Path("mine/of_documents.py").write_text("def split(document):\n    return [document.text]\n")
    result = here("eval", "mine/config.toml", "--out", "out")
    assert result.code == 0
    found = {run["name"]: run for run in json.loads(Path("out/report.json").read_text())["runs"]}
    assert found["titles"]["chunks"]["covered"]["share"] == 1
    assert found["titles"]["chunks"]["parted_headings"]["n"] == 0
    assert found["titles"]["scores"]["recall@3"]["mean"] > 0.5
    without_questions()
    assert here("eval", "mine/config.toml", "--out", "out").code == 0
    alone = {run["name"]: run for run in json.loads(Path("out/report.json").read_text())["runs"]}
    assert alone["titles"]["chunks"] == found["titles"]["chunks"]


def test_a_limit_and_a_language_for_all(here: Run) -> None:
    without_questions()
    config = Path("mine/config.toml")
    limited = "size_limit = 40\n" + config.read_text().replace("[data]", '[data]\nlanguage = "de"')
    config.write_text(limited)
    assert here("eval", "mine/config.toml", "--out", "out").code == 0
    for run in json.loads(Path("out/report.json").read_text())["runs"]:
        assert run["chunks"]["limit"] == {"most": 40, "unit": "tokens"}
    for wrong, message in (
        (limited.replace("= 40", "= 0"), "size_limit"),
        (limited.replace('"de"', '"xx"'), "unknown language"),
        (limited.replace("[data]", '[data]\ndocuments = "corpora"'), "takes the place of corpora"),
    ):
        config.write_text(wrong)
        result = here("eval", "mine/config.toml")
        assert result.code == 2
        assert message in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.toml"], "cannot read nowhere.toml"),
        (["chroma-report"], "chroma-report needs --data"),
        (["chroma-report", "--data", "docs"], "chroma-report needs --embedder"),
        (["mine/config.toml", "--data", "docs"], "--data is for chroma-report"),
        (["mine/config.toml", "--only", "paragraph"], "did you mean 'paragraphs'?"),
        (["mine/config.toml", "--baseline", "balanced"], "did you mean 'balanced 64'?"),
        (["mine/config.toml", "--rank-by", "recall@9"], "runs cannot be ranked by 'recall@9'"),
        (["mine/config.toml", "--questions"], "--questions needs a folder"),
        (["mine/config.toml", "--plot", "p.gif"], "cannot tell the format of p.gif"),
        (["mine/config.toml", "--out", "mine/config.toml"], "cannot write mine/config.toml"),
    ],
)
def test_wrong_usage(here: Run, arguments: list[str], message: str) -> None:
    result = here("eval", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert len(result.err.splitlines()) == 1


def test_an_interrupt_leaves_what_is_done(folder: Path) -> None:
    waiting = "import time\n\n\ndef split(text):\n    time.sleep(600)\n    return [text]\n"
    Path("mine/waiting.py").write_text(waiting)
    append('[[chunker]]\nname = "waiting"\nobject = "waiting:split"\n')
    process = subprocess.Popen(
        [*COMMAND, "eval", "mine/config.toml", "--out", "out"],
        cwd=folder,
        env=os.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    runs = folder / "out" / "runs"
    try:
        while process.poll() is None and kept(runs) < len(ROWS):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"Interrupted." in error
    assert kept(runs) == len(ROWS)
    assert not (folder / "out" / "report.html").exists()


# --------------------------------------------------------------- contexts, rerankers and models

CONTEXTUAL = '[[chunker]]\nname = "in context"\nstrategy = "recursive"\nmax_tokens = 64\n'


def table_of(out: str, first: str) -> list[list[str]]:
    """Return the rows of the table whose second column has that name."""
    rows = [line.split("\t") for line in out.splitlines()]
    start = next(i for i, row in enumerate(rows) if row[:2] == ["run", first])
    end = next((i for i in range(start + 1, len(rows)) if rows[i][0] == "run"), len(rows))
    return rows[start:end]


def test_a_contextual_run_beside_its_twin(here: Run) -> None:
    append(CONTEXTUAL + 'contextual = { context = "structure" }\n')
    result = here("eval", "mine/config.toml", "--only", "in context", "--out", "out")
    assert result.code == 0
    assert result.err.endswith(f"\n2 runs, 12 questions: {Path('out/report.html')}\n")
    names, *rows = table_of(result.out, "twin")
    assert names[2:] == [
        *("failures@20", "failures@20_of_twin", "reduction", "difference_failures@20"),
    ]
    assert [row[:2] for row in rows] == [["in context", "in context, plain"]]
    (run, twin) = json.loads(Path("out/report.json").read_text())["runs"]
    share = run["twins"][0]["failures@20"]["share"]
    assert share == pytest.approx(1 - run["scores"]["recall@20"]["mean"])
    assert twin["twins"] == []
    # Among the runs of the file is one that is the same without contexts.
    whole = here("eval", "mine/config.toml")
    assert table_of(whole.out, "twin")[1][:2] == ["in context", "recursive 64"]


def test_twins_on_a_terminal(on_terminal: Run) -> None:
    append(CONTEXTUAL + 'contextual = { context = "structure" }\n')
    shown = on_terminal("eval", "mine/config.toml", "--only", "in context", NO_COLOR="1")
    assert shown.code == 0
    assert "failures@20" in shown.out
    assert "in context, plain" in shown.out


def test_a_reranker_keeps_its_scores(here: Run, folder: Path) -> None:
    write_cross_encoder(Path("mine/cross"))
    append('retrieval = { reranker = "cross", candidates = 5 }\n')
    args = ("eval", "mine/config.toml", "--only", "paragraphs")
    result = here(*args)
    assert result.code == 0
    assert table_of(result.out, "twin")[1][:2] == ["paragraphs", "paragraphs, not reranked"]
    (file,) = stored_files(folder / "cache" / "scores", "scores")
    assert file.entries > 0
    assert here(*args, "--fresh").out == result.out
    assert stored_files(folder / "cache" / "scores", "scores")[0].entries == file.entries
    shutil.rmtree(folder / "cache")
    assert here(*args, "--no-vector-cache").out == result.out
    assert not (folder / "cache" / "scores").exists()


MODEL = """
def reply(messages):
    return "About the house."
"""


def test_a_model_is_told_of(here: Run) -> None:
    Path("mine/own.py").write_text(MODEL)
    text = '[llm]\nprovider = "object"\nmodel = "own:reply"\ncache = "replies"\n'
    append(CONTEXTUAL + "contextual = {}\n" + text)
    result = here("eval", "mine/config.toml", "--only", "in context")
    assert result.code == 0
    assert re.match(r"Model: \d+ answered; \d+ calls, \d+ tokens\n", result.err)
    # What is kept asks nothing; what is done again finds the replies.
    assert "Model:" not in here("eval", "mine/config.toml", "--only", "in context").err
    again = here("eval", "mine/config.toml", "--only", "in context", "--fresh")
    assert re.match(r"Model: \d+ cached; 0 calls, 0 tokens\n", again.err)
    assert again.out == result.out


def test_a_budget_that_does_not_suffice_is_told(here: Run) -> None:
    Path("mine/own.py").write_text(MODEL)
    text = (
        '[llm]\nprovider = "object"\nmodel = "own:reply"\ncache = false\n[llm.budget]\ncalls = 3\n'
    )
    append(CONTEXTUAL + "contextual = {}\n" + text)
    result = here("eval", "mine/config.toml", "--only", "in context")
    assert result.code == 0
    first, second, *_ = result.err.splitlines()
    assert re.fullmatch(r"in context: the model has not answered \d+ requests, so .*", first)
    assert re.fullmatch(r"Model: 3 answered, \d+ unpaid; 3 calls, [\d,]+ tokens", second)
