"""`chunkwright doctor`: what is there, what is missing, and the caches."""

import json
import platform
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright import _core
from chunkwright.cli.installation import Extra, extras
from chunkwright.embed import Cached
from chunkwright.llm import Reply, replies_folder
from chunkwright.llm.run.reply_cache import Replies
from chunkwright.messages.terminal_text import sized

from .commandline import Run

ESCAPE = "\x1b"
REQUIRES = [
    "numpy>=2.0,<3",
    "not-there-a>=1,<2 ; extra == 'one'",
    "numpy[extra]>=1 ; extra == 'two'",
    "chunkwright[two, one] ; extra == 'all'",
    "chunkwright[circle] ; extra == 'circle'",
    "ruff ; python_version < '4' and extra == 'bench'",
]


class Metadata:
    """What a package says about itself, as far as it is asked."""

    def get_all(self, name: str) -> list[str] | None:
        provided = ["one", "two", "all", "circle", "bench", "test"]
        return {"Requires-Dist": REQUIRES, "Provides-Extra": provided}.get(name)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with extras that are there, or are not."""
    monkeypatch.setattr(metadata, "metadata", lambda _: Metadata())


def rows(here: Run, *arguments: str) -> dict[str, str]:
    result = here("doctor", *arguments)
    assert (result.code, result.err) == (0, "")
    assert ESCAPE not in result.out
    return dict(line.split("\t") for line in result.out.splitlines())


def report(here: Run, *arguments: str) -> dict[str, Any]:
    result = here("doctor", "--json", *arguments)
    assert (result.code, result.err) == (0, "")
    found: dict[str, Any] = json.loads(result.out)
    return found


def keep_vectors(name: str, n_texts: int) -> None:
    """Put vectors into the cache."""
    embedder = Cached(lambda texts: [[len(text), 1.0] for text in texts], name=name)
    embedder.embed(["a" * i for i in range(n_texts)])


def test_versions(here: Run) -> None:
    shown = rows(here)
    assert shown["chunkwright"] == cw.__version__
    assert shown["python"].endswith(platform.python_version())
    assert shown["platform"] == platform.platform()
    assert shown["processors"] == str(_core.available_workers())
    assert {"cl100k_base", "o200k_base"} <= set(shown["built-in tokenizers"].split(", "))


def test_no_two_rows_have_one_name(here: Run) -> None:
    names = [line.split("\t")[0] for line in here("doctor").out.splitlines()]
    assert len(names) == len(set(names))


def test_json_says_the_same(here: Run) -> None:
    found = report(here)
    assert found["chunkwright"] == cw.__version__
    assert found["processors"] == _core.available_workers()
    assert found["config"] is None
    assert found["cache"]["models"] == []
    assert not Path(found["cache"]["folder"]).exists()


@pytest.mark.usefixtures("installed")
def test_extras_and_what_installs_the_missing_ones(here: Run) -> None:
    version = metadata.version("numpy")
    assert extras() == [
        Extra("one", {"not-there-a": None}),
        Extra("two", {"numpy": version}),
        Extra("all", {"numpy": version, "not-there-a": None}),
        Extra("circle", {}),
    ]
    shown = rows(here)
    assert shown["one"] == 'not-there-a is missing: pip install "chunkwright[one]"'
    assert shown["two"] == f"numpy {version}"
    line = f'numpy {version}, not-there-a is missing: pip install "chunkwright[all]"'
    assert shown["all"] == line
    found = report(here)["extras"]
    assert {name: extra["installed"] for name, extra in found.items()} == {
        "one": False,
        "two": True,
        "all": False,
        "circle": True,
    }
    assert found["one"]["install"] == 'pip install "chunkwright[one]"'


def test_a_package_without_metadata_has_no_extras(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "metadata", nothing)
    assert extras() == []
    assert report(here)["extras"] == {}


def test_real_requirements_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path(__file__).parents[2] / "pyproject.toml"
    table = tomllib.loads(file.read_text("utf-8"))["project"]["optional-dependencies"]

    class Project:
        """This project's own metadata, as a build backend writes them."""

        def get_all(self, name: str) -> list[str]:
            if name == "Provides-Extra":
                return list(table)
            return [f"{need} ; extra == '{key}'" for key, needs in table.items() for need in needs]

    monkeypatch.setattr(metadata, "metadata", lambda _: Project())
    found = {extra.name: set(extra.packages) for extra in extras()}
    assert found.keys() == table.keys() - {"test", "test-engines", "bench", "bench-torch"}
    assert found["arrow"] == {"pyarrow"}
    assert {"onnxruntime", "tokenizers"} <= found["onnx"]
    assert "anthropic" in found["anthropic"]
    assert "openai" in found["openai"]
    assert all(found.values())


def test_the_configuration_file_is_named(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows(here)["configuration"] == "none in this folder"
    Path("chunkwright.toml").write_text("max_tokens = 5\n")
    assert rows(here)["configuration"] == "chunkwright.toml"
    Path("mine.toml").write_text("max_tokens = 5\n")
    assert rows(here, "--config", "mine.toml")["configuration"] == "mine.toml"
    monkeypatch.setenv("CHUNKWRIGHT_CONFIG", "mine.toml")
    assert report(here)["config"] == "mine.toml"


def test_a_project_file_is_named_only_if_it_is_used(here: Run) -> None:
    Path("pyproject.toml").write_text('[project]\nname = "x"\n[tool.other]\nmax_tokens = 5\n')
    assert rows(here)["configuration"] == "none in this folder"
    assert report(here)["config"] is None
    Path("pyproject.toml").write_text("[tool.chunkwright]\nmax_tokens = 5\n")
    assert rows(here)["configuration"] == "pyproject.toml"
    Path("chunkwright.toml").write_text("")
    assert rows(here)["configuration"] == "chunkwright.toml"


@pytest.mark.parametrize("text", ["max = 5", "max_tokens = ", "\udcff"])
def test_a_wrong_configuration_is_no_failure(here: Run, text: str) -> None:
    Path("chunkwright.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "chunkwright.toml" in rows(here)["configuration"]
    assert report(here)["config_error"] == rows(here)["configuration"]
    assert "none.toml" in rows(here, "--config", "none.toml")["configuration"]


def test_the_vectors_that_are_kept(here: Run) -> None:
    folder = str(Path("cache/vectors").absolute())
    assert rows(here)["folder"] == folder
    assert rows(here)["models"] == "none"
    keep_vectors("lengths", 3)
    keep_vectors("more", 1)
    shown = rows(here)
    assert "models" not in shown
    assert shown["named:lengths"].startswith("3 vectors, ")
    assert shown["named:more"].startswith("1 vector, ")
    cache = report(here)["cache"]
    assert cache["folder"] == folder
    assert {model["name"]: model["entries"] for model in cache["models"]} == {
        "named:lengths": 3,
        "named:more": 1,
    }
    assert all(model["bytes"] > 0 for model in cache["models"])


def test_clearing_the_cache(here: Run) -> None:
    keep_vectors("lengths", 3)
    result = here("doctor", "--clear-cache")
    assert (result.code, result.out) == (2, "")
    assert "say --yes where nobody can answer" in result.err
    assert len(report(here)["cache"]["models"]) == 1
    assert rows(here, "--clear-cache", "--yes")["models"] == "none"
    assert report(here)["cache"]["models"] == []
    # There is nothing to ask about.
    assert here("doctor", "--clear-cache").code == 0


def test_keys_are_never_shown(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
    assert "sk-" not in here("doctor").out + here("doctor", "--json").out
    assert rows(here)["OPENAI_API_KEY"] == "is set"
    assert rows(here)["ANTHROPIC_API_KEY"] == "is not set"
    assert report(here)["keys"] == {"OPENAI_API_KEY": True, "ANTHROPIC_API_KEY": False}


def keep_replies(name: str, n_replies: int) -> None:
    """Put replies into the cache."""
    replies = {bytes([i]) * 32: Reply("Yes.") for i in range(n_replies)}
    Replies(replies_folder(), name).put(replies)


def test_the_replies_that_are_kept(here: Run) -> None:
    folder = str(Path("cache/replies").absolute())
    assert rows(here)["folder of replies"] == folder
    assert rows(here)["replies"] == "none"
    keep_replies("openai:http://127.0.0.1:1:m", 3)
    shown = rows(here)
    assert "replies" not in shown
    assert shown["openai:http://127.0.0.1:1:m"].startswith("3 answers, ")
    (model,) = report(here)["replies"]["models"]
    assert (model["entries"], report(here)["cache"]["models"]) == (3, [])
    assert model["bytes"] > 0


def test_each_cache_is_cleared_by_itself(here: Run) -> None:
    keep_vectors("lengths", 3)
    keep_replies("m", 3)
    result = here("doctor", "--clear-replies")
    assert (result.code, result.out) == (2, "")
    assert "--clear-replies asks first: say --yes" in result.err
    assert rows(here, "--clear-cache", "--yes")["m"].startswith("3 answers")
    assert rows(here, "--clear-replies", "--yes")["replies"] == "none"
    keep_vectors("lengths", 3)
    keep_replies("m", 3)
    assert rows(here, "--clear-replies", "--yes")["named:lengths"].startswith("3 vectors")
    assert rows(here, "--clear-cache", "--clear-replies", "--yes")["models"] == "none"


def test_a_file_in_the_place_of_the_cache_is_no_failure(here: Run) -> None:
    Path("cache").write_text("")
    assert rows(here)["folder"].startswith(str(Path("cache").absolute()))
    Path("cache").unlink()
    Path("cache").mkdir()
    Path("cache/vectors").mkdir()
    damaged, foreign = (
        Path("cache/vectors") / f"vectors-{'0' * 32}.sqlite",
        Path("cache/vectors/odd.sqlite"),
    )
    damaged.write_text("odd")
    foreign.write_text("not ours")
    found = rows(here)
    assert found[str(damaged.absolute())].startswith("0 vectors")
    assert str(foreign.absolute()) not in found


def test_a_cache_without_its_extra_is_no_failure(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CHUNKWRIGHT_CACHE")
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert 'pip install "chunkwright[cache]"' in rows(here)["folder"]
    assert report(here)["cache"]["folder"] is None


def test_a_person_is_asked(on_terminal: Run, ask: Run) -> None:
    keep_vectors("lengths", 3)
    assert "named:lengths" in on_terminal("doctor").out
    refused = ask("n\n", "doctor", "--clear-cache")
    assert refused.code == 1
    assert "Remove the vectors of 1 model, " in refused.out
    assert "named:lengths" in on_terminal("doctor").out
    ended = ask("\x04", "doctor", "--clear-cache")
    assert (ended.code, "Traceback" in ended.out) == (130, False)
    assert ask("y\n", "doctor", "--clear-cache").code == 0
    assert "named:lengths" not in on_terminal("doctor").out


def test_a_table_on_a_terminal(on_terminal: Run) -> None:
    out = on_terminal("doctor", COLUMNS="200").out
    assert ESCAPE in out
    assert "vector cache" in out
    assert "\t" not in out


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (20_480, "20.5 kB"), (3e9, "3.0 GB")],
)
def test_sizes(n_bytes: float, shown: str) -> None:
    assert sized(int(n_bytes)) == shown


def test_a_long_path_is_shown_whole(
    on_terminal: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / ("a-long-name-" * 9)
    monkeypatch.setenv("CHUNKWRIGHT_CACHE", str(folder))
    shown = "".join(on_terminal("doctor").out.split())
    assert "…" not in shown
    assert str(folder / "vectors") in re.sub(r"\x1b\[[0-9;]*m", "", shown)
