"""Values of settings that are given as text: by flags, by the environment, or in one word."""

import re
from contextlib import suppress
from typing import Any

from chunkwright.errors import ConfigError
from chunkwright.io.toml import KINDS, Kind
from chunkwright.settings import bytes_of

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


def read_value(kind: Kind, text: str, called: str) -> Any:
    """Read a text as a value of that kind, but a list.

    Raises
    ------
    ConfigError
        If it is none; names what it was `called`, a flag or a variable.
    """
    try:
        return parsed(kind, text)
    except ValueError:
        raise ConfigError(f"{called}: {text!r} is not {KINDS[kind]}") from None


def read_size(text: str, called: str) -> int:
    """Read a number of bytes, with a unit or without.

    Raises
    ------
    ConfigError
        If it is none, or 0; names what it was `called`.
    """
    with suppress(ValueError):
        if n_bytes := bytes_of(text):
            return n_bytes
    raise ConfigError(f"{called}: {text!r} is no number of bytes, such as 64MB")


def unescape(text: str) -> str:
    r"""Understand `\n`, `\t`, `\r` and `\\`, which a shell cannot easily type."""
    return re.sub(r"\\[ntr\\]", lambda match: ESCAPES[match[0]], text)
