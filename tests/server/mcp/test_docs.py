"""Documentation of the MCP server: it names all tools and flags that there are."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from chunkwright.cli.mcp import mcp
from chunkwright.server.mcp.tools import TOOLS
from chunkwright.server.schemas.store import USUAL_TOKENS
from chunkwright.server.settings import Settings
from chunkwright.settings import size_text

DOCS = Path(__file__).parents[3] / "docs" / "mcp.md"
TEXT = DOCS.read_text("utf-8")


def test_all_tools_are_described() -> None:
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == [tool.name for tool in TOOLS]


def test_flags_and_numbers_are_those_of_the_command() -> None:
    app = typer.Typer()
    app.command("mcp")(mcp)
    known = {flag for param in typer.main.get_command(app).params for flag in param.opts}
    named = set(re.findall(r"--[a-z][a-z-]+", TEXT)) - {"--to"}
    assert named <= known
    assert f"{USUAL_TOKENS:,}" in TEXT
    assert f"no file over {size_text(Settings().max_body)}" in TEXT.replace("\n", " ")
    assert f"the {Settings().most_waiting + 1}th that waits" in TEXT
