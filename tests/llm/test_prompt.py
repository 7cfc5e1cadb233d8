"""Prompts: files, places, fingerprints."""

from importlib.resources import files
from pathlib import Path

import pytest

from chunkwright.errors import ConfigError, ReadError
from chunkwright.llm import Message, Prompt
from chunkwright.llm.prompt import as_prompt

NAMES = [file.name.removesuffix(".md") for file in (files("chunkwright.llm") / "prompts").iterdir()]


@pytest.mark.parametrize("name", NAMES)
def test_each_prompt_of_the_package_fills_its_places(name: str) -> None:
    prompt = Prompt.named(name)
    messages = prompt.messages(**dict.fromkeys(prompt.placeholders, "$pieces ${x} $"))
    assert len(messages) == len(prompt.templates)
    assert any("$pieces ${x} $" in message.content for message in messages)
    assert prompt.fingerprint.startswith(f"{name}:")


def test_an_unknown_name_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(ConfigError, match=r"'nothing'; there are .*boundaries-1"):
        Prompt.named("nothing")


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text(
        "For me.\n# system\nBe $how.\n# user (prefix)\nIn $$:\n\n# no heading\n# user\nGo"
    )
    prompt = Prompt.read(file)
    assert prompt.name == "mine"
    assert prompt.placeholders == {"how"}
    assert prompt.messages(how="brief") == (
        Message("system", "Be brief."),
        Message("user", "In $:\n\n# no heading", ends_prefix=True),
        Message("user", "Go"),
    )
    before = prompt.fingerprint
    file.write_text(file.read_text().replace("Go", "Go on"))
    assert Prompt.read(file).fingerprint != before


@pytest.mark.parametrize("text", ["", "Only words.", "# user\nIt costs $5."])
def test_a_file_that_is_no_prompt_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.md").write_text(text)
    with pytest.raises(ConfigError, match="the prompt mine "):
        Prompt.read(tmp_path / "mine.md")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.md").write_bytes(b"# user\n\xe9")
    for name in ("none.md", "latin.md"):
        with pytest.raises(ReadError, match=name):
            Prompt.read(tmp_path / name)


def test_places_are_checked(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("# user\n$text $title")
    prompt = Prompt.read(tmp_path / "mine.md")
    prompt.check_placeholders({"text", "title", "more"}, {"text"})
    with pytest.raises(ConfigError, match=r"has \$title; there are \$text"):
        prompt.check_placeholders({"text"}, {"text"})
    with pytest.raises(ConfigError, match=r"no place for \$more"):
        prompt.check_placeholders({"text", "title", "more"}, {"more"})


def test_what_takes_a_prompt_takes_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text("# user\nGo")
    prompt = Prompt.read(file)
    for like in (prompt, file, str(file)):
        assert as_prompt(like, "boundaries-1") == prompt
    assert as_prompt(None, "boundaries-1") == Prompt.named("boundaries-1")
    with pytest.raises(ConfigError, match="prompt must be a Prompt or the path of its file, got 3"):
        as_prompt(3, "boundaries-1")  # type: ignore[arg-type]
