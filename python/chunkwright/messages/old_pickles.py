"""Refusal of pickles of old versions: says what to do where a name of theirs is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from chunkwright.errors import ReadError


def refusing(module: str, name: str) -> Callable[[str], NoReturn]:
    """Return the ``__getattr__`` of a module, one name of which pickles of 0.2.0 ask for.

    Raises
    ------
    ReadError
        By what is returned, for that name.
    """

    def get(asked: str) -> NoReturn:
        if asked == name:
            raise ReadError(
                "chunks that chunkwright 0.2.0 or an earlier version pickled cannot be read: cut "
                "the documents again"
            )
        raise AttributeError(f"module {module!r} has no attribute {asked!r}")

    return get
