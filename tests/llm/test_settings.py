"""Settings made into runners: defaults, keys, objects, and errors that name what is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from chunkwright.errors import ConfigError
from chunkwright.llm import Budget, Message, Prices, Request, Runner, replies_folder, runner_of
from chunkwright.llm.adapters.providers import AnthropicChat, OpenAIChat
from chunkwright.llm.request import plain_text

MODEL = {"model": "m"}
REQUEST = Request((Message("user", "one"),), plain_text)
MODULE = """
class Said:
    fingerprint = ""

    def __init__(self, word="?"):
        self.word = word

    def __call__(self, messages):
        return self.word

def shout(messages):
    return messages[-1]["content"].upper()
"""


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CHUNKWRIGHT_CACHE", str(tmp_path / "cache"))


def test_defaults() -> None:
    assert runner_of(MODEL).llm == OpenAIChat("https://api.openai.com/v1", "m")
    runner = runner_of({**MODEL, "provider": "anthropic"})
    assert runner.llm == AnthropicChat("https://api.anthropic.com", "m")
    plain = Runner(runner.llm)
    assert (runner.concurrency, runner.timeout) == (plain.concurrency, plain.timeout)
    assert (runner.prices, runner.budget, runner.cache) == (None, None, replies_folder())


def test_all_of_them(tmp_path: Path) -> None:
    told: list[object] = []
    runner = runner_of(
        {
            "provider": "openai",
            "model": "m",
            "base_url": "http://127.0.0.1:1/v1",
            "options": {"seed": 1},
            "stream": True,
            "retries": 2,
            "timeout": 10,
            "concurrency": 3,
            "cache": "kept",
            "prices": {"input": 1, "output": 2.5, "cached": 0.5},
            "budget": {"calls": 5, "tokens": 6, "cost": 0.7},
        },
        folder=tmp_path,
        progress=told.append,
    )
    served = {"stream": True, "retries": 2, "timeout": 10, "options": {"seed": 1}}
    assert runner.llm == OpenAIChat("http://127.0.0.1:1/v1", "m", **served)  # type: ignore[arg-type]
    assert (runner.concurrency, runner.timeout, runner.cache) == (3, 25, tmp_path / "kept")
    assert runner.prices == Prices(1, 2.5, 0.5)
    assert runner.budget == Budget(5, 6, 0.7)
    assert runner.progress == told.append


def test_no_cache() -> None:
    assert runner_of({**MODEL, "cache": False}).cache is None


def test_the_key_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret-of-mine")
    runner = runner_of({**MODEL, "api_key_env": "MY_KEY"})
    assert getattr(runner.llm, "api_key", None) == "sk-secret-of-mine"
    assert "secret" not in repr(runner)
    for key, value, shown in [
        ("api_key_env", "OTHER", "must be a variable of the environment, got 'OTHER'"),
        ("api_key_env", "sk-secret-of-mine", "must be a variable of the environment"),
        ("api_key", "sk-secret-of-mine", "did you mean 'api_key_env'?"),
    ]:
        with pytest.raises(ConfigError, match="api_key") as caught:
            runner_of({**MODEL, key: value})
        assert str(caught.value).endswith(shown)


def said(runner: Runner) -> str | None:
    (answer,) = runner.ask([REQUEST])
    return answer.value


def test_objects(tmp_path: Path) -> None:
    (tmp_path / "mine_a.py").write_text(MODULE)
    shout = {"provider": "object", "model": "mine_a:shout"}
    runner = runner_of({**shout, "timeout": 10}, folder=tmp_path)
    assert (said(runner), runner.timeout) == ("ONE", 10)
    made = {"provider": "object", "model": "mine_a:Said"}
    assert said(runner_of(made, folder=tmp_path)) == "?"
    assert said(runner_of({**made, "options": {"word": "rain"}}, folder=tmp_path)) == "rain"
    # Each has replies of its own, which are kept.
    again = runner_of({**made, "options": {"word": "rain"}}, folder=tmp_path)
    assert (said(again), again.ledger.n_calls) == ("rain", 0)


def test_an_object_of_a_changed_file_is_another(tmp_path: Path) -> None:
    file = tmp_path / "mine_b.py"
    file.write_text(MODULE)
    settings = {"provider": "object", "model": "mine_b:shout"}
    before = runner_of(settings, folder=tmp_path).fingerprint
    assert re.fullmatch("named:mine_b:shout:[0-9a-f]{12}", before)
    file.write_text(MODULE + "# changed\n")
    assert runner_of(settings, folder=tmp_path).fingerprint != before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "model is missing"),
        ({"modle": "m"}, "unknown key 'modle'; did you mean 'model'?"),
        ({"model": 5}, "model must be a str that is not empty, got 5"),
        ({**MODEL, "provider": "opnai"}, "unknown provider 'opnai': did you mean 'openai'?"),
        ({**MODEL, "base_url": 5}, "base_url must be a str that is not empty, got 5"),
        ({**MODEL, "concurrency": 0}, "concurrency must be at least 1, got 0"),
        ({**MODEL, "timeout": "long"}, "timeout must be a number, got 'long'"),
        ({**MODEL, "retries": 1.5}, "retries must be an int, got 1.5"),
        ({**MODEL, "stream": 1}, "stream must be True or False, got 1"),
        ({**MODEL, "cache": True}, "cache must be the path of a folder, got True"),
        ({**MODEL, "options": []}, "options must be a table, got []"),
        ({**MODEL, "prices": 5}, "prices must be a table, got 5"),
        ({**MODEL, "prices": {"input": 1}}, "prices.output is missing"),
        ({**MODEL, "prices": {"inputs": 1}}, "prices: unknown key 'inputs'; did you mean 'input'?"),
        (
            {**MODEL, "prices": {"input": -1, "output": 1}},
            "prices.input must be at least 0, got -1",
        ),
        ({**MODEL, "budget": {"calls": 1.5}}, "budget.calls must be an int, got 1.5"),
        ({**MODEL, "budget": {"cost": 1}}, "budget.cost needs prices"),
        (
            {"provider": "object", "model": "nowhere"},
            "model: object must be 'module:attribute', got 'nowhere'",
        ),
        (
            {"provider": "object", "model": "json:dups"},
            "model: 'json' has no 'dups'; did you mean 'dumps'?",
        ),
        (
            {"provider": "object", "model": "json:dumps", "stream": True},
            "stream is for models behind a server, not for provider 'object'",
        ),
    ],
)
def test_errors_name_key_and_value(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        runner_of(settings)
    assert str(caught.value) == message
