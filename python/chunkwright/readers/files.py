"""Files that hold no text: their bytes, and what errors and documents call them."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import NamedTuple

from chunkwright.errors import ConfigError
from chunkwright.readers.kinds import FILES
from chunkwright.readers.signatures import refuse
from chunkwright.readers.text import read_bytes


class File(NamedTuple):
    """What a file holds, what messages call it, and what its document is called."""

    data: bytes
    place: str
    name: str | None


def file_of(source: object, name: str | None) -> File:
    """Return a file that is given as bytes or by its path.

    Parameters
    ----------
    source
        The bytes, or the path.
    name
        What its document is called; by default the path.

    Raises
    ------
    ReadError
        If the file cannot be read, or is of a format that no reader takes.
    ConfigError
        If ``source`` or ``name`` is of another type.
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"name must be a str or None, got {name!r}", option="name")
    if isinstance(source, bytes | bytearray | memoryview):
        data, place = bytes(source), name or "input"
        refuse(data, place, allowed=FILES)
        return File(data, place, name)
    if not isinstance(source, str | os.PathLike):
        allowed = "the path of a file, or bytes"
        raise ConfigError(f"source must be {allowed}, got {type(source).__name__}")
    place = os.fspath(source)
    data = read_bytes(place, allowed=FILES)
    return File(data, place, PurePath(place).as_posix() if name is None else name)
