"""Values of settings that are given as text: by flags, by the environment, or in one word."""

import re
from typing import Any

from chunkwright.io.toml import Kind

BOOLEANS = {"true": True, "false": False}
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\r": "\r", r"\\": "\\"}


def parsed(kind: Kind, text: str) -> Any:
    """Read a text as a value of that kind, but a list.

    Raises
    ------
    ValueError
        If it is none.
    """
    if kind is bool:
        if text not in BOOLEANS:
            raise ValueError(text)
        return BOOLEANS[text]
    return int(text) if kind is int else float(text) if kind is float else text


def unescape(text: str) -> str:
    r"""Understand `\n`, `\t`, `\r` and `\\`, which a shell cannot easily type."""
    return re.sub(r"\\[ntr\\]", lambda match: ESCAPES[match[0]], text)
