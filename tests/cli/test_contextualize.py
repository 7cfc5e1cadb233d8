"""`chunkwright contextualize`: snippets, their models, what they cost, and what goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chunkwright.rows import OF_CONTEXTS

from .asked import Served, interrupted, model_of
from .commandline import COMMAND, Result, Run

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

SNIPPET = "Of the guide."
SMALL = ["--max-tokens", "40"]
WITHOUT = ["--context", "structure"]
# What finds Python and the package, if it is not installed.
PATHS = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}


@pytest.fixture
def ask(here: Run, folder: Path) -> Run:
    """Run the command with a function as its model: its name comes first."""

    def call(name: str, *arguments: str | Path) -> Result:
        return here("contextualize", *arguments, *SMALL, *model_of(name, folder))

    return call


def plain(here: Run, *arguments: str) -> list[dict[str, Any]]:
    return here("chunk", *arguments, *SMALL).rows


def values(result: Result) -> dict[str, str]:
    return dict(line.split("\t") for line in result.out.splitlines())


def test_rows_are_those_of_chunk_with_more_columns(ask: Run, here: Run) -> None:
    result = ask("say", "docs")
    assert result.code == 0
    before = plain(here, "docs")
    assert len(before) == len(result.rows) > 3
    for row, old in zip(result.rows, before, strict=True):
        assert {name: row[name] for name in old} == old
        assert (row["context"], row["contextual_text"]) == (SNIPPET, f"[{SNIPPET}] {old['text']}")
        assert row["context_outcome"] == "answered"
        assert row["context_model"].startswith("named:models_of_")
        assert row["context_prompt"].startswith("context-1:")
    assert result.err == f"Model: {len(before)} answered; {len(before)} calls, 0 tokens\n"


def test_a_second_run_asks_nothing(ask: Run) -> None:
    first, second = ask("say", "docs"), ask("say", "docs")
    n = len(first.rows)
    assert second.err == f"Model: {n} cached; 0 calls, 0 tokens\n"
    texts = [[row["contextual_text"] for row in result.rows] for result in (first, second)]
    assert texts[0] == texts[1]
    third = ask("say", "docs", "--no-reply-cache")
    assert third.err == f"Model: {n} answered; {n} calls, 0 tokens\n"


@pytest.mark.parametrize("out", ["x.jsonl", "x.parquet", "x.arrow"])
def test_every_format(ask: Run, out: str) -> None:
    result = ask("say", "docs", "--out", out)
    assert (result.code, result.out) == (0, "")
    assert f" chunks of 2 inputs written to {out}\nModel: " in result.err
    assert Path(out).stat().st_size > 500
    assert ask("say", "docs", "--out", out).code == 2
    assert ask("say", "docs", "--out", out, "--force", "-q").err == ""


def test_rows_and_standard_input(spawn: Run) -> None:
    line = json.dumps({"text": "Rain falls. Sun shines.", "id": 7, "by": "Ada"}).encode()
    arguments = ("contextualize", "-", *WITHOUT, "--input-format", "jsonl", "--id-column", "id")
    (row,) = spawn(*arguments, stdin=line).rows
    assert (row["document"], row["document_id"], row["by"]) == ("7", "7", "Ada")
    assert row["text"] == "Rain falls. Sun shines."
    clash = json.dumps({"text": "Rain.", "context": "x"}).encode()
    result = spawn("contextualize", "-", *WITHOUT, "--input-format", "jsonl", stdin=clash)
    assert result.code == 1
    assert "column 'context' is a column of chunks too" in result.err


def test_without_a_model(here: Run) -> None:
    result = here("contextualize", "docs", *SMALL, *WITHOUT)
    assert (result.code, result.err) == (0, "")
    assert {row["context_outcome"] for row in result.rows} == {"structure"}
    assert result.rows[2]["context"].startswith("guide.md > Guide | ")


def test_what_the_model_is_shown(here: Run, httpserver: HTTPServer) -> None:
    served = Served(httpserver)
    flags = ["--neighbours", "0", "--temperature", "0.7", "--max-snippet-tokens", "9"]
    more = ["--request-option", "seed=1", "--request-option", "user=ada"]
    assert here("contextualize", "docs/guide.md", *served.flags(), *flags, *more).code == 0
    (body,) = served.bodies
    assert (body["model"], body["temperature"], body["seed"], body["user"]) == ("m", 0.7, 1, "ada")
    Path("mine.md").write_text("# user\nSay where this is from: $chunk $context\n")
    prompt = ["--snippet-prompt", "mine.md"]
    result = here("contextualize", "docs/guide.md", *served.flags(), *prompt)
    assert result.rows[0]["context_prompt"].startswith("mine:")
    assert served.bodies[1]["messages"][0]["content"].startswith("Say where this is from: <chunk")


def test_a_snippet_that_fails_leaves_the_text(ask: Run, here: Run) -> None:
    before = plain(here, "docs")
    for name, outcome, code in [("empty", "invalid", 0), ("fail", "failed", 1)]:
        result = ask(name, "docs/deep/notes.txt")
        assert result.code == code
        assert [row["text"] for row in result.rows] == [
            row["text"] for row in before if row["document"] == "deep/notes.txt"
        ]
        assert {row["context_outcome"] for row in result.rows} == {outcome}
    n = len(result.rows)
    assert f"Model: {n} failed; " in result.err
    last = f"chunk {n - 1} of 'notes.txt': the model failed: ValueError: no luck"
    assert f"Failed: {n} request{'s' * (n > 1)} had no answer; the last: {last}\n" in result.err
    quiet = ask("fail", "docs/deep/notes.txt", "-q")
    assert quiet.err.endswith(f"the last: {last}\n")
    invalid = ask("empty", "docs/deep/notes.txt")
    assert "could be used; the last: chunk " in invalid.err
    assert invalid.err.endswith("of 'notes.txt': it is empty\n")
    assert {row["context_why"] for row in invalid.rows} == {"it is empty"}


def test_a_budget_ends_the_requests_and_not_the_run(ask: Run, here: Run) -> None:
    n = len(plain(here, "docs"))
    result = ask("say", "docs", "--budget-calls", "2", "-q")
    assert result.code == 4
    assert result.err == (
        f"The budget is spent: {n - 2} requests not sent; "
        "with a larger one, the same command resumes here\n"
    )
    outcomes = [row["context_outcome"] for row in result.rows]
    assert sorted(outcomes) == ["answered"] * 2 + ["unpaid"] * (n - 2)
    rest = ask("say", "docs", "--budget-calls", str(n - 2))
    assert rest.code == 0
    assert rest.err.startswith(f"Model: {n - 2} answered, 2 cached; ")


def test_money_is_counted_and_bounded(here: Run, httpserver: HTTPServer) -> None:
    served = Served(httpserver)
    prices = ["--price-input", "2000", "--price-output", "10000"]
    run = ["contextualize", "docs/guide.md", *SMALL, *served.flags(), "--concurrency", "1"]
    result = here(*run, *prices, "--no-reply-cache")
    n = len(result.rows)
    assert f"{n} calls, {110 * n} tokens, cost {0.3 * n:.2f}\n" in result.err
    bounded = here(*run, *prices, "--budget-cost", "2.2")
    assert bounded.code == 4
    assert 0 < sum(row["context_outcome"] == "answered" for row in bounded.rows) < n
    for flags, message in [
        (["--budget-cost", "1"], "--budget-cost needs prices"),
        (["--price-input", "1"], "--price-output is missing"),
        (["--price-input", "-1", "--price-output", "1"], "--price-input must be at least 0"),
        (["--budget-tokens", "-1"], "--budget-tokens must be at least 0, got -1"),
        (["--budget-calls", "1.5"], "--budget-calls: '1.5' is not an integer"),
    ]:
        refused = here(*run, *flags)
        assert refused.code == 2
        assert message in refused.err


def test_a_dry_run_sends_nothing(here: Run, httpserver: HTTPServer) -> None:
    served = Served(httpserver)
    run = ["contextualize", "docs", *SMALL, *served.flags()]
    n = len(plain(here, "docs"))
    result = here(*run, "--dry-run", "--price-input", "1", "--price-output", "1")
    found = values(result)
    assert result.code == 0
    assert (found["requests"], found["cached"], found["calls"]) == (str(n), "0", str(n))
    tokens = int(found["input_tokens"]) + int(found["output_tokens"])
    assert float(found["cost"]) == pytest.approx(tokens / 1e6, rel=1e-5)
    assert result.err.startswith("2 inputs; auto, max_tokens=40")
    assert served.bodies == []
    # One file of a folder, cut as in the folder.
    alone = ["docs/guide.md", "--strategy", "auto"]
    here("contextualize", *alone, *SMALL, *served.flags(), "-q")
    found = values(here(*run, "--dry-run"))
    assert (int(found["cached"]), int(found["calls"])) == (
        len(served.bodies),
        n - len(served.bodies),
    )
    assert "cost" not in found
    assert values(here("contextualize", "docs", *WITHOUT, "--dry-run"))["calls"] == "0"


def test_a_dry_run_on_a_terminal_is_a_table(on_terminal: Run, folder: Path) -> None:
    flags = model_of("say", folder)
    shown = on_terminal("contextualize", "docs", *flags, "--dry-run", streams="out").out
    assert "requests                 " in shown
    assert "\t" not in shown


def test_rows_get_new_snippets(ask: Run, here: Run) -> None:
    ask("say", "docs", "--out", "first.jsonl")
    before = [json.loads(line) for line in Path("first.jsonl").read_text().splitlines()]
    result = here("contextualize", "first.jsonl", "--rewrite", *WITHOUT)
    assert (result.code, result.err) == (0, "")
    for row, old in zip(result.rows, before, strict=True):
        assert list(row) == list(old)
        assert {name for name in row if row[name] != old[name]} <= {*OF_CONTEXTS}
        assert row["context_outcome"] == "structure"
    # Plain rows get their first ones.
    assert here("chunk", "docs", *SMALL, "--out", "plain.jsonl").code == 0
    written = ask("say", "plain.jsonl", "--rewrite", "--out", "second.jsonl")
    assert written.code == 0
    assert f"{len(before)} chunks of 1 input written to second.jsonl\n" in written.err
    again = [json.loads(line) for line in Path("second.jsonl").read_text().splitlines()]
    assert [row["contextual_text"] for row in again] == [row["contextual_text"] for row in before]


def test_rows_that_are_none(ask: Run) -> None:
    Path("rows.jsonl").write_text('{"text": 5}\n{"text": "Rain."}\n\nodd\n{"title": "x"}\n')
    result = ask("say", "rows.jsonl", "--rewrite")
    assert result.code == 1
    assert [row["text"] for row in result.rows] == ["Rain."]
    assert "Failed: rows.jsonl:1: no row of a chunk: its text is no string\n" in result.err
    assert "Failed: rows.jsonl:4: not JSON at column 1" in result.err
    assert "Failed: rows.jsonl:5: no row of a chunk" in result.err
    Path("rows.jsonl").write_text("odd\n")
    assert ask("say", "rows.jsonl", "--rewrite", "--out", "x.jsonl").code == 1
    assert not Path("x.jsonl").exists()
    for flags, message in [
        (["--out", "x.parquet"], "--rewrite writes JSON lines, not parquet"),
        (["--dry-run"], "--dry-run does not know the chunks of --rewrite"),
    ]:
        refused = ask("say", "rows.jsonl", "--rewrite", *flags)
        assert (refused.code, message in refused.err) == (2, True)
    assert "Failed: gone.jsonl: " in ask("say", "gone.jsonl", "--rewrite").err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ([], "--model is missing"),
        (
            ["--model", "m", "--provider", "opnai"],
            "unknown --provider 'opnai': did you mean 'openai'",
        ),
        (["--model", " "], "--model must be a str that is not empty"),
        (["--model", "m", "--base-url", "ftp://x"], "--base-url"),
        (["--model", "m", "--concurrency", "0"], "--concurrency must be at least 1, got 0"),
        (["--model", "m", "--timeout", "-1"], "--timeout must be at least 0"),
        (["--model", "m", "--retries", "-1"], "--retries must be at least 0, got -1"),
        (["--model", "m", "--api-key-env", "NO_SUCH"], "--api-key-env must be a variable"),
        (["--model", "m", "--request-option", "seed"], "--request-option: 'seed' is not KEY=VALUE"),
        (["--model", "json:dups", "--provider", "object"], "--model: 'json' has no 'dups'"),
        (["--model", "m", "--context", "nieghbours"], "unknown --context 'nieghbours'"),
        (["--model", "m", "--neighbours", "-1"], "--neighbours must be at least 0, got -1"),
        (["--model", "m", "--max-snippet-tokens", "0"], "--max-snippet-tokens must be at least 1"),
        (["--model", "m", "--snippet-prompt", "no.md"], "the prompt no.md cannot be read"),
        (
            ["--model", "m", "--snippet-prompt", "odd.md"],
            "the prompt odd has no place for $context",
        ),
        (["--model", "m", "--format", "docling"], "--format docling is not for contextualize"),
    ],
)
def test_errors_name_flags(here: Run, flags: list[str], message: str) -> None:
    Path("odd.md").write_text("# user\nWhere? $chunk\n")
    result = here("contextualize", "docs", *flags)
    assert result.code == 2
    assert message in result.err
    assert result.out == ""


def test_settings_of_the_environment_and_of_files(
    here: Run, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Served(httpserver)
    run = ["contextualize", "docs/guide.md", "--no-reply-cache"]
    monkeypatch.setenv("CHUNKWRIGHT_MODEL", "of-environment")
    monkeypatch.setenv("CHUNKWRIGHT_BASE_URL", served.url)
    assert here(*run).code == 0
    Path("chunkwright.toml").write_text('model = "of-file"\nbudget_calls = 0\n')
    assert here(*run).code == 4
    monkeypatch.delenv("CHUNKWRIGHT_MODEL")
    assert here(*run, "--budget-calls", "1").code == 0
    assert [body["model"] for body in served.bodies] == ["of-environment", "of-file"]


@pytest.mark.parametrize("key", ["provider", "base_url", "api_key_env"])
def test_a_file_that_was_only_found_does_not_say_where_keys_go(here: Run, key: str) -> None:
    Path("chunkwright.toml").write_text(f'{key} = "http://127.0.0.1:1"\n')
    result = here("contextualize", "docs", "--model", "m")
    assert result.code == 2
    assert f"chunkwright.toml: {key} is used only if --config names the file" in result.err
    mine = ("--config", "chunkwright.toml", "--dry-run")
    named = here("contextualize", "docs", "--model", "m", *mine)
    assert "is used only if" not in named.err


def test_another_model_has_not_the_prices_of_the_one_before(
    here: Run, httpserver: HTTPServer
) -> None:
    served = Served(httpserver)
    Path("mine.toml").write_text(
        f'model = "dear"\nbase_url = "{served.url}"\nprice_input = 5.0\nprice_output = 5\n'
    )
    run = ["contextualize", "docs/guide.md", "--config", "mine.toml", "--no-reply-cache"]
    assert ", cost " in here(*run).err
    assert ", cost " not in here(*run, "--model", "cheap").err
    Path("mine.toml").write_text('provider = "anthropic"\nbase_url = "http://x"\nmodel = "m"\n')
    assert "--model is missing" in here(*run, "--provider", "openai").err


def test_keys_come_from_the_environment_and_are_never_shown(
    here: Run, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Served(httpserver)
    monkeypatch.setenv("MINE", "sk-of-mine-0123456789")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai-0123456789")
    run = ["contextualize", "docs/guide.md", "--no-reply-cache", "-v", *served.flags()]
    results = [here(*run), here(*run, "--api-key-env", "MINE"), here(*run, "--dry-run")]
    assert served.keys == ["Bearer sk-of-openai-0123456789", "Bearer sk-of-mine-0123456789"]
    assert not any("sk-" in result.out + result.err for result in results)
    httpserver.clear()
    httpserver.expect_request("/v1/chat/completions").respond_with_data(
        "no: sk-of-openai-0123456789", status=401
    )
    refused = here(*run)
    assert refused.code == 2
    assert "status 401" in refused.err
    assert "sk-" not in refused.err


def test_an_almost_empty_environment(folder: Path, httpserver: HTTPServer) -> None:
    served = Served(httpserver)
    run = [*COMMAND, "contextualize", "docs/guide.md", *served.flags(), "--no-reply-cache"]
    done = subprocess.run(run, cwd=folder, env=PATHS, capture_output=True, check=False)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    assert served.keys == ["Bearer none"]


def test_progress_is_for_terminals(on_terminal: Run, httpserver: HTTPServer) -> None:
    served = Served(httpserver, late=0.05)
    run = ["contextualize", "docs/guide.md", *SMALL, *served.flags(), "--concurrency", "1"]
    shown = on_terminal(*run, "--out", "x.jsonl").out
    assert " calls, " in shown.split("written to")[0]
    assert "Model: " in shown


def test_an_interrupt_keeps_what_was_answered(
    folder: Path, here: Run, httpserver: HTTPServer
) -> None:
    served = Served(httpserver, model="slow")
    (folder / "long.txt").write_text("".join(f"Sentence {i} is here.\n\n" for i in range(60)))
    run = ["contextualize", "long.txt", "--max-tokens", "8", *served.flags(), "--concurrency", "2"]
    code, err = interrupted(folder, [*run, "--out", "x.jsonl"], served, after=15)
    assert code == 130
    assert err.endswith("Interrupted.\n")
    assert not list(folder.glob("*x.jsonl*"))
    assert "Model: " in err
    result = here(*run)
    assert (result.code, len(result.rows)) == (0, 60)
    outcomes = [row["context_outcome"] for row in result.rows]
    # What was under way is asked once more.
    assert outcomes.count("cached") >= 13
    assert f"Model: {outcomes.count('answered')} answered, " in result.err


def test_a_broken_pipe_is_no_failure(folder: Path, httpserver: HTTPServer) -> None:
    served = Served(httpserver)
    (folder / "long.txt").write_text("word " * 3000)
    command = [*COMMAND, "contextualize", *["long.txt"], *SMALL, *served.flags()]
    line = " ".join(command) + " | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=folder, capture_output=True, check=False
    )
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    assert b"Traceback" not in done.stderr
    assert sys.executable in line
