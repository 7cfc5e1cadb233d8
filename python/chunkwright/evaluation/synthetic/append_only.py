"""Files that grow at their end, and hold what was appended even if the machine stops."""

from __future__ import annotations

import os
from pathlib import Path

from chunkwright.errors import ConfigError, ReadError


def append(path: Path, data: bytes) -> None:
    """Append bytes to a file, and wait until the disk has them.

    What was in the file stays. If the machine stops in the middle, some of the bytes may be there.

    Raises
    ------
    ConfigError
        If nothing can be written there; names the path.
    """
    try:
        with path.open("ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror or error}") from error


def read(path: Path) -> bytes:
    """Return what a file holds; nothing if there is none.

    Raises
    ------
    ReadError
        If it cannot be read; names it.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error
