"""The server over standard input and output, as a process, asked by the official client."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import TextResourceContents

import chunkwright as cw
from chunkwright.server.mcp.protocol import RESOURCE_NOT_FOUND
from tests.support.mostly_slow import mostly_slow

from .asking import answer_of
from .conftest import fill
from .processes import COMMAND

# The client passes few variables on: not where the package is, if it is not installed.
PASSED = ("CHUNKWRIGHT", "PYTHONPATH")
ENV = {name: value for name, value in os.environ.items() if name.startswith(PASSED)}


def parameters(*arguments: object) -> StdioServerParameters:
    command, *rest = COMMAND
    return StdioServerParameters(command=command, args=[*rest, *map(str, arguments)], env=ENV)


def exchange(lines: list[str], *arguments: object) -> subprocess.CompletedProcess[str]:
    """Return what a process says to lines, after which its standard input ends."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def message(method: str, number: int | None = None, **params: Any) -> str:
    row: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(row if number is None else row | {"id": number})


BEGIN = [
    message(
        "initialize",
        1,
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "test", "version": "1"},
    ),
    message("notifications/initialized"),
]


def test_the_official_client_searches_verifies_and_reads(built: Path, root: Path) -> None:
    async def run() -> None:
        async with Client(stdio_client(parameters(built, "--root", root))) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert {"search", "read_file"} <= tools
            assert not {"cite", "import_file"} & tools
            found = answer_of(await client.call_tool("search", {"query": "wheels of oak"}))
            assert found.value["hits"][0]["document"] == "notes/mill.md"
            said = answer_of(
                await client.call_tool("verify_quote", {"quote": "It has two wheels of oak."})
            )
            assert said.value["verdict"] == "found"
            read = answer_of(await client.call_tool("read_file", {"path": "mill.md"}))
            assert read.value["text"] == (root / "mill.md").read_text()

    asyncio.run(run())


def test_citations_are_kept_where_writing_is_allowed(written: Path) -> None:
    async def run() -> str:
        async with Client(stdio_client(parameters(written, "--write"))) as client:
            found = answer_of(await client.call_tool("search", {"query": "wheels of oak"}))
            block = found.value["hits"][0]["block"]
            cited = await client.call_tool("cite", {"block": block, "by": "an agent"})
            return str(answer_of(cited).value["citation"])

    number = asyncio.run(run())
    with cw.Store.open(written, read_only=True) as store:
        (citation,) = store.citations()
        assert (citation.id, citation.cited_by) == (number, "an agent")


def test_nothing_but_the_protocol_is_on_standard_output(built: Path) -> None:
    call = message("tools/call", 2, name="search", arguments={"query": "wheels"})
    wrong = message("tools/call", 3, name="serch", arguments={})
    with_warnings = exchange([*BEGIN, call, "no JSON", wrong], built)
    rows = [json.loads(line) for line in with_warnings.stdout.splitlines()]
    assert all(row["jsonrpc"] == "2.0" for row in rows)
    assert with_warnings.returncode == 0


def test_what_another_process_imports_is_found(tmp_path: Path) -> None:
    path = fill(tmp_path / "kb.db")

    async def run() -> tuple[list[Any], list[Any]]:
        async with Client(stdio_client(parameters(path))) as client:
            asked = ("search", {"query": "zeppelin", "documents": ["new*"]})
            before = answer_of(await client.call_tool(*asked))
            with cw.Store.open(path) as store:
                store.add(cw.read(b"A zeppelin landed.", name="new.txt"))
            after = answer_of(await client.call_tool(*asked))
            return before.value["hits"], after.value["hits"]

    before, after = asyncio.run(run())
    assert before == []
    assert [hit["document"] for hit in after] == ["new.txt"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_end_a_server_that_waits_for_its_client(
    built: Path, number: signal.Signals, code: int
) -> None:
    with subprocess.Popen(
        [*COMMAND, str(built)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{BEGIN[0]}\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(number)
        assert process.wait(timeout=60) == code


@pytest.mark.parametrize(
    ("arguments", "said"),
    mostly_slow(
        [
            (["nosuch.db"], "there is no store nosuch.db: chunkwright index makes one"),
            (["--write"], "--write needs STORE"),
            (["--root", "nosuch"], "--root must be folders, got 'nosuch'"),
            (["--allow-host", "x"], "--allow-host needs --http"),
            (["--http", "x:y"], "--http: 'x:y' is not of the form [HOST:]PORT"),
            (["--http", "99999"], "--http: '99999' is not of the form [HOST:]PORT"),
            (["--http", "0.0.0.0:0"], "'0.0.0.0' is reached by other machines"),
            (["--tokenizer", "x"], "--tokenizer: 'x' is not of the form NAME=PATH"),
        ],
        quick=1,
    ),
)
def test_wrong_usage_is_said_before_anything_begins(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    run = subprocess.run(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "CHUNKWRIGHT_KEYS": "", "COLUMNS": "200"},
        timeout=120,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kb.db").write_text("no database")
    run = exchange(BEGIN, tmp_path / "kb.db")
    assert run.returncode == 2
    assert run.stdout == ""
    assert "Traceback" not in run.stderr


def test_resources_and_prompts_are_spoken_as_of_2025_11_25(built: Path) -> None:
    async def run() -> None:
        async with (
            stdio_client(parameters(built)) as (receiving, sending),
            ClientSession(receiving, sending) as session,
        ):
            begun = await session.initialize()
            assert begun.protocol_version == "2025-11-25"
            assert begun.capabilities.resources
            assert begun.capabilities.prompts
            first, *_ = (await session.list_resources()).resources
            assert first.uri == "chunkwright://document/notes%2Fmill.md"
            (content,) = (await session.read_resource(first.uri)).contents
            assert isinstance(content, TextResourceContents)
            assert "two wheels of oak" in content.text
            with pytest.raises(MCPError) as caught:
                await session.read_resource("chunkwright://document/none")
            assert caught.value.code == RESOURCE_NOT_FOUND
            found = await session.get_prompt("check_answer", {"answer": "It has wheels."})
            assert "It has wheels." in str(found.messages[0].content)

    asyncio.run(run())
