"""Files outside of a folder: what a run has written is none of its inputs."""

from __future__ import annotations

import os
from functools import lru_cache

from chunkwright.io.sources import ADDRESS

_OF_THIS_MACHINE = "file://"


class Outside:
    """Tells which files are outside of a folder, whatever links lead there.

    Parameters
    ----------
    folder
        A path, or an address of a file system that fsspec knows.
    """

    def __init__(self, folder: str) -> None:
        self._protocol, found = _place(folder)
        self._folder = found if self._protocol else os.path.realpath(found)

    def __call__(self, path: str) -> bool:
        """Return whether a file, or a folder, is neither in the folder nor the folder itself."""
        protocol, found = _place(path)
        is_inside = f"{found}/".startswith(f"{self._folder.rstrip('/')}/")
        return protocol != self._protocol or not is_inside


def _place(path: str) -> tuple[str, str]:
    """Return the protocol of a path, none for those of this machine, and what stands behind it."""
    if ADDRESS.match(path) is None or os.path.lexists(path):
        return "", _resolved(path)
    if path.startswith(_OF_THIS_MACHINE):
        return "", _resolved(path.removeprefix(_OF_THIS_MACHINE))
    protocol, _, rest = path.partition("://")
    # Some file systems write one slash more than others do.
    return protocol, rest.strip("/")


def _resolved(path: str) -> str:
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - as many as files
    return f"{_real(folder).rstrip(os.sep)}/{name}" if name else folder


@lru_cache(maxsize=1024)
def _real(folder: str) -> str:
    return os.path.realpath(folder)
