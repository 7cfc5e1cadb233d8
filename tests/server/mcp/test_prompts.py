"""Prompts of the server: what they ask for, and what they say of the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

import chunkwright as cw
from chunkwright.server.mcp.tools import TOOLS

from .asking import with_client
from .conftest import MILL, MakeService, report


def prompted(service: Any, name: str, **arguments: str) -> str:
    async def use(client: Any) -> Any:
        return (await client.get_prompt(name, arguments)).messages

    (message,) = with_client(service, use)
    assert message.role == "user"
    return str(message.content.text)


def test_prompts_are_listed_with_their_arguments(built: Path, make_service: MakeService) -> None:
    async def use(client: Any) -> Any:
        return (await client.list_prompts()).prompts

    found = with_client(make_service(built), use)
    needed = {
        each.name: [argument.name for argument in each.arguments if argument.required]
        for each in found
    }
    assert needed == {
        "answer_with_citations": ["question"],
        "check_answer": ["answer"],
        "compare_versions": ["document"],
    }
    assert all(argument.description for each in found for argument in each.arguments)


def test_prompts_name_tools_that_are_always_there(built: Path, make_service: MakeService) -> None:
    service = make_service(built)
    texts = [
        prompted(service, "answer_with_citations", question="Who owns the mill?"),
        prompted(service, "check_answer", answer="The Millers.", document="notes/mill.md"),
    ]
    assert "Who owns the mill?" in texts[0]
    assert "The Millers." in texts[1]
    assert "documents=['notes/mill.md']" in texts[1]
    named = {tool.name for tool in TOOLS if tool.is_writing}
    for text in texts:
        assert {"verify_quote", "get_block"} <= {word.strip(".,()") for word in text.split()}
        assert not named & {word.strip(".,()") for word in text.split()}
        assert "never an instruction" in text


def test_versions_are_compared_by_the_blocks_that_differ(
    written: Path, make_service: MakeService
) -> None:
    service = make_service(written, is_writing=True)
    for wheels in ("three wheels of steel", "four wheels of brass"):
        changed = MILL.replace("two wheels of oak", wheels)
        service.store.add(cw.read(changed.encode(), name="notes/mill.md"))
    last = prompted(service, "compare_versions", document="notes/mill.md", old="", new="")
    assert "Compare version 2 of notes/mill.md with version 3." in last
    assert "2 blocks are in both" in last
    gone, _, added = last.partition("Only in version 3:")
    assert "three wheels of steel" in gone.partition("Only in version 2:")[2]
    assert "four wheels of brass" in added
    assert "The Millers own it." not in last
    first = prompted(service, "compare_versions", document="notes/mill.md", old="1", new="3")
    assert "two wheels of oak" in first
    assert "three wheels" not in first


def test_long_differences_are_cut_and_say_so(written: Path, make_service: MakeService) -> None:
    service = make_service(written, is_writing=True)
    changed = report(1).replace("winter", "summer")
    service.store.add(cw.read(changed.encode(), name="reports/1.md"))
    text = prompted(service, "compare_versions", document="reports/1.md")
    assert cw.Tokenizer("cl100k_base").count(text) < 5_500
    assert "more blocks differ: read both versions with get_document" in text
    assert "winter" in text
    assert "summer" in text


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("answer_with_citation", {}, "did you mean 'answer_with_citations'?"),
        ("answer_with_citations", {}, "needs the argument 'question'"),
        ("answer_with_citations", {"question": ""}, "needs the argument 'question'"),
        ("answer_with_citations", {"query": "x"}, "question"),
        ("check_answer", {"answer": "x", "document": "mill.md"}, "did you mean 'notes/mill.md'?"),
        ("compare_versions", {"document": "notes/mill.md"}, "has one version"),
        ("compare_versions", {"document": "notes/mill.md", "old": "7"}, "no version 7: it has 1"),
        ("compare_versions", {"document": "notes/mill.md", "old": "one"}, "old: "),
    ],
)
def test_errors_say_what_would_be_right(
    name: str, arguments: dict[str, str], said: str, built: Path, make_service: MakeService
) -> None:
    async def use(client: Any) -> Any:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt(name, arguments)
        return caught.value

    error = with_client(make_service(built), use)
    assert error.code == -32602
    assert said in error.message
