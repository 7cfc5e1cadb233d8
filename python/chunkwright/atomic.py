"""Output files that are there whole or not at all."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copymode
from typing import BinaryIO

from chunkwright.errors import ConfigError


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes the place of `path` when, and only if, all went well.

    It is written beside `path`, under a name that begins with a dot. A device or pipe cannot be
    replaced: it is written directly.

    Raises
    ------
    ConfigError
        If nothing can be written there; names the path.
    """
    if _is_special(path):
        with _open(path, path) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    # Threads of one process may write the same file, too.
    temporary = target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        with _open(temporary, path) as file:
            yield file
        if target.exists():
            copymode(target, temporary)
        temporary.replace(target)
    finally:
        # Gone already if it took its place.
        with suppress(FileNotFoundError):
            temporary.unlink()


def _is_special(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _open(path: Path, shown: Path) -> BinaryIO:
    if shown.is_dir():
        raise ConfigError(f"cannot write {shown}: it is a folder")
    try:
        return path.open("wb")
    except OSError as error:
        raise ConfigError(f"cannot write {shown}: {error.strerror or error}") from error
