"""Values of settings that are given as text: by flags, by the environment, or in one word."""

import re
from typing import Any

from chunkwright.io.toml import Kind

BOOLEANS = {"true": True, "false": False}
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9} | {
    "KIB": 2**10,
    "MIB": 2**20,
    "GIB": 2**30,
}
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


def bytes_of(text: str) -> int:
    """Read a number of bytes, with a unit or without.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> bytes_of("64MiB"), bytes_of("1.5 kB"), bytes_of("800")
    (67108864, 1500, 800)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?) *([A-Z]*)", text.strip().upper())
    if match is None or match[2] not in UNITS:
        raise ValueError(text)
    return int(float(match[1]) * UNITS[match[2]])


def unescape(text: str) -> str:
    r"""Understand `\n`, `\t`, `\r` and `\\`, which a shell cannot easily type."""
    return re.sub(r"\\[ntr\\]", lambda match: ESCAPES[match[0]], text)
