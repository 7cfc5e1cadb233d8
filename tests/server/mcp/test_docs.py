"""Documentation of the MCP server: it names all tools and flags that there are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import typer

from chunkwright.cli.mcp import mcp
from chunkwright.server.mcp.prompts import PROMPTS
from chunkwright.server.mcp.resources import TEMPLATES
from chunkwright.server.mcp.tools import TOOLS
from chunkwright.server.schemas.store import USUAL_TOKENS
from chunkwright.server.settings import Settings
from chunkwright.settings import size_text

DOCS = Path(__file__).parents[3] / "docs" / "mcp.md"
TEXT = DOCS.read_text("utf-8")


def test_all_tools_and_prompts_are_described() -> None:
    names = [each.name for each in (*TOOLS, *PROMPTS)]
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == names


def test_prompts_are_described_with_their_arguments() -> None:
    for prompt in PROMPTS:
        arguments = ", ".join(f"`{name}`" for name in prompt.request.model_fields)
        assert f"| `{prompt.name}` | {arguments} |" in TEXT


def test_addresses_of_resources_are_those_of_the_templates() -> None:
    for template in TEMPLATES:
        assert f"| `{template.uri_template}` |" in TEXT


def test_the_entry_for_hosts_starts_the_command() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    (entry,) = json.loads(block)["mcpServers"].values()
    assert entry["command"] == "chunkwright"
    command, _, flag, _ = entry["args"]
    assert (command, flag) == ("mcp", "--root")


def test_flags_and_numbers_are_those_of_the_command() -> None:
    app = typer.Typer()
    app.command("mcp")(mcp)
    known = {flag for param in typer.main.get_command(app).params for flag in param.opts}
    named = set(re.findall(r"--[a-z][a-z-]+", TEXT)) - {"--to", "--scope"}
    assert named <= known
    assert f"{USUAL_TOKENS:,}" in TEXT
    assert f"no file over {size_text(Settings().max_body)}" in TEXT.replace("\n", " ")
    assert f"the {Settings().most_waiting + 1}th that waits" in TEXT
