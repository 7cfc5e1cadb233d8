"""`--strategy llm`: boundaries that a language model gives, on the command line."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .asked import Served, interrupted, model_of
from .commandline import Result, Run

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

LLM = ["--strategy", "llm", "--max-tokens", "60", "--piece-max", "12", "--window-tokens", "100"]
STARTS: dict[str, list[int]] = {"starts": []}


@pytest.fixture
def texts(folder: Path) -> list[str]:
    """Names of documents that several windows are asked about."""
    for i in range(3):
        lines = (f"Sentence {j} of text {i} says a little.\n\n" for j in range(20))
        (folder / f"{i}.txt").write_text("".join(lines))
    return [f"{i}.txt" for i in range(3)]


def text_of(result: Result) -> str:
    return " ".join(" ".join(row["text"].split()) for row in result.rows)


def all_of(names: list[str]) -> str:
    return " ".join(" ".join(Path(name).read_text().split()) for name in names)


def test_boundaries_are_those_of_the_model(here: Run, folder: Path, texts: list[str]) -> None:
    result = here("chunk", *texts, *LLM, *model_of("cut", folder))
    assert result.code == 0
    assert text_of(result) == all_of(texts)
    assert [row["document"] for row in result.rows] == sorted(
        row["document"] for row in result.rows
    )
    assert {row["reason"] for row in result.rows} >= {"given", "end"}
    for row in result.rows:
        assert row["boundaries_model"].startswith("named:models_of_")
        assert row["boundaries_prompt"].startswith("boundaries-1:")
        assert (row["score"], row["threshold"]) == (None, None)
    found = re.fullmatch(r"Model: (\d+) answered; (\d+) calls, 0 tokens\n", result.err)
    assert found is not None
    assert found[1] == found[2]
    again = here("chunk", *texts, *LLM, *model_of("cut", folder))
    assert (again.out, again.err) == (result.out, f"Model: {found[1]} cached; 0 calls, 0 tokens\n")


def test_windows_of_several_documents_are_asked_at_once(
    here: Run, folder: Path, texts: list[str]
) -> None:
    model = model_of("cut_by_four", folder)
    here("chunk", *texts, *LLM, *model, "--concurrency", "4")
    assert sys.modules[model[-1].split(":")[0]].most == 4


def test_a_table_says_which_model(here: Run, folder: Path, texts: list[str]) -> None:
    import pyarrow.parquet as pq

    run = ["chunk", texts[0], *LLM, *model_of("cut", folder), "--out", "x.parquet"]
    assert here(*run).code == 0
    (model,) = set(pq.read_table("x.parquet")["boundaries_model"].to_pylist())
    assert model.startswith("named:models_of_")


def test_a_dry_run_sends_nothing(here: Run, httpserver: HTTPServer, texts: list[str]) -> None:
    served = Served(httpserver, STARTS)
    run = ["chunk", *texts, *LLM, *served.flags(), "--price-input", "1", "--price-output", "2"]
    result = here(*run, "--dry-run")
    found = dict(line.split("\t") for line in result.out.splitlines())
    assert (result.code, served.bodies) == (0, [])
    assert result.err.startswith("3 inputs; llm, max_tokens=60")
    assert int(found["calls"]) > 3
    assert float(found["cost"]) > 0
    here(*run)
    assert len(served.bodies) == int(found["calls"])
    assert "calls\t0\n" in here(*run, "--dry-run").out
    refused = here("contextualize", *texts, *LLM, *served.flags(), "--dry-run")
    assert "--dry-run does not know the chunks of --strategy llm" in refused.err


@pytest.mark.parametrize(
    ("model", "flags", "code", "outcome"),
    [
        ("empty", [], 0, "invalid"),
        ("fail", [], 1, "failed"),
        ("cut", ["--budget-calls", "0"], 4, "unpaid"),
    ],
)
def test_no_text_is_lost(  # noqa: PLR0913, PLR0917 - a case, and fixtures
    here: Run, folder: Path, texts: list[str], model: str, flags: list[str], code: int, outcome: str
) -> None:
    result = here("chunk", *texts, *LLM, *model_of(model, folder), *flags)
    assert result.code == code
    assert text_of(result) == all_of(texts)
    assert {row["reason"] for row in result.rows} == {"limit", "end"}
    assert f" {outcome}" in result.err


def test_who_refuses_one_request_is_not_asked_for_the_others(
    here: Run, httpserver: HTTPServer, texts: list[str]
) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_data("no", status=403)
    flags = ["--model", "m", "--base-url", httpserver.url_for("/v1")]
    result = here("chunk", *texts, *LLM, *flags, "--out", "x.jsonl")
    assert result.code == 2
    assert result.err.count("status 403") == 1
    assert not Path("x.jsonl").exists()


def test_an_interrupted_run_goes_on(
    folder: Path, here: Run, httpserver: HTTPServer, texts: list[str]
) -> None:
    served = Served(httpserver, STARTS, model="slow")
    run = ["chunk", *texts, *LLM, *served.flags(), "--concurrency", "1"]
    code, err = interrupted(folder, [*run, "--out", "x.jsonl"], served, after=4)
    assert (code, err.endswith("Interrupted.\n")) == (130, True)
    result = here(*run)
    found = re.search(r"Model: (\d+) answered, (\d+) cached; ", result.err)
    assert found is not None
    assert int(found[2]) >= 4
    assert text_of(result) == all_of(texts)


def test_other_commands_ask_it_too(here: Run, folder: Path, texts: list[str]) -> None:
    model = model_of("cut", folder)
    assert "llm, max_tokens=60" in here("view", texts[0], *LLM, *model).out
    sides = ["recursive:max_tokens=60", "llm:max_tokens=60,piece_max=12"]
    assert "B  llm, max_tokens=60" in here("compare", texts[0], *sides, *model).out
    assert "--model is missing" in here("compare", texts[0], *sides).err


def test_a_prompt_of_ones_own(here: Run, httpserver: HTTPServer, texts: list[str]) -> None:
    served = Served(httpserver, STARTS)
    Path("mine.md").write_text("# user\nWhere, from $first to $last? $pieces\n")
    result = here("chunk", texts[0], *LLM, *served.flags(), "--prompt", "mine.md")
    assert result.rows[0]["boundaries_prompt"].startswith("mine:")
    assert served.bodies[0]["messages"][0]["content"].startswith("Where, from ")
    assert "no.md" in here("chunk", texts[0], *LLM, *served.flags(), "--prompt", "no.md").err


def test_snippets_for_chunks_of_a_model(here: Run, folder: Path, texts: list[str]) -> None:
    rows: list[dict[str, Any]] = here(
        "contextualize", texts[0], *LLM, *model_of("cut", folder), "--context", "structure"
    ).rows
    plain = here("chunk", texts[0], *LLM, *model_of("cut", folder)).rows
    assert [row["text"] for row in rows] == [row["text"] for row in plain]
    assert json.dumps(rows[0]["boundaries_model"]) == json.dumps(plain[0]["boundaries_model"])
