"""Fingerprints of versions: what their blocks depend on beside the source, as JSON."""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from chunkwright import __version__
from chunkwright.chunking.fingerprint import fingerprint_of
from chunkwright.io.sources import Reading
from chunkwright.readers.kinds import LIBRARIES
from chunkwright.tokens.sources import BUILT_IN, PLAIN_UNITS

if TYPE_CHECKING:
    from collections.abc import Sequence


_USUAL = Reading()
_NAMES = frozenset([*BUILT_IN, *PLAIN_UNITS])


def fingerprint(reader: str, strategies: Sequence[object], shadows: int | None) -> str | None:
    """Return what the blocks of a version depend on; None if that is not known.

    Parameters
    ----------
    reader
        That of the reader.
    strategies
        What cuts, each the documents of its kind; none: the caller's own chunks are written.
    shadows
        Tokens of shadows; None without.
    """
    known = [fingerprint_of(strategy) for strategy in strategies]
    if None in known:
        return None
    described = {
        "reader": reader,
        "strategies": known,
        "shadows": shadows,
        "tokenizer": _tokenizer(strategies[0]) if strategies else None,
    }
    return json.dumps(described, sort_keys=True)


def _tokenizer(strategy: object) -> str | None:
    """Return the name of the tokenizer that a strategy counts with, if it has one."""
    like = getattr(getattr(strategy, "strategy", strategy), "tokenizer", None)
    return like if isinstance(like, str) and like in _NAMES else None


def reader_fingerprint(kind: str | None, reading: Reading) -> str:
    """Return what a document depends on beside its file.

    Parameters
    ----------
    kind
        The kind of file, of those that hold no text; None for texts.
    reading
        How it is read.
    """
    library = LIBRARIES.get(kind or "")
    read_by = f"{library} {_version(library)}" if library else "text"
    if reading == _USUAL:
        return f"chunkwright {__version__}, {read_by}, {{}}"
    options = {
        name: value
        for name, value in (
            ("input_format", reading.input_format),
            ("encoding", reading.encoding),
            ("errors", reading.errors),
            ("drop", list(reading.drop)),
            ("pages", reading.pages),
        )
        if value not in (None, [], "strict")
    }
    return f"chunkwright {__version__}, {read_by}, {json.dumps(options, sort_keys=True)}"


@cache
def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"
