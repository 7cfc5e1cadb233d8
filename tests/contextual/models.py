"""Models that answer as a test says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any


def chunk_in(messages: list[dict[str, str]]) -> str:
    """Return the chunk that a model is asked about."""
    (said,) = re.findall(r"<chunk>\n(.*)\n</chunk>", messages[-1]["content"], re.DOTALL)
    return str(said)


def on(messages: list[dict[str, str]]) -> str:
    """Say what the chunk says."""
    return f"On {chunk_in(messages)}"


def scripted(answers: dict[str, Any]) -> Callable[[list[dict[str, str]]], Any]:
    """Return a model that says something else about some chunks, or raises it."""

    def call(messages: list[dict[str, str]]) -> Any:
        about = next(message for message in messages if "<chunk>\n" in message["content"])
        said = answers.get(chunk_in([about]), "Fine.")
        if isinstance(said, Exception):
            raise said
        return said

    return call
