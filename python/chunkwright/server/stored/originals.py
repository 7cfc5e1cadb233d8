"""Originals of the documents of a store: found in their folder, and checked by their hash."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.errors import StoreError
from chunkwright.server.problems import Problem
from chunkwright.server.reading_roots import Roots
from chunkwright.server.schemas.stored_pages import OriginalStatus
from chunkwright.server.stored.absent import NOT_FOUND, absent, versions_of

if TYPE_CHECKING:
    from chunkwright.store import Store
    from chunkwright.store.citing.originals import Original


class Found(NamedTuple):
    """What was found of an original.

    Attributes
    ----------
    status
        Whether it is the file that was read, or has changed since, or is missing; unknown if there
        is no folder, or the store does not know the file.
    data
        Its bytes; none unless they are those that were read.
    """

    status: OriginalStatus
    data: bytes = b""


def original_in(
    folder: str | None, store: Store, document: str, version: int | None, most: int
) -> Found:
    """Look in a folder for the file that a version of a document was read from.

    Parameters
    ----------
    folder
        The folder; None: there is none.
    store, document, version
        The version; None: the current one.
    most
        Bytes of a file, at most.

    Raises
    ------
    Problem
        If there is no such document, or no such version of it.
    """
    versions_of(store, document)
    try:
        known = store.original(document, version)
    except StoreError as error:
        raise absent("version", str(error)) from error
    if folder is None or known is None:
        return Found("unknown")
    roots = Roots([folder], option="originals")
    is_there = False
    for path in _paths(Path(folder).resolve(), known):
        try:
            data = roots.read(path, most)
        except Problem as problem:
            # One that is too large is there, and not read.
            is_there = is_there or problem.code != NOT_FOUND
            continue
        if sha256(data).hexdigest() == known.sha256:
            return Found("same", data)
        is_there = True
    return Found("changed" if is_there else "missing")


def _paths(folder: Path, known: Original) -> list[str]:
    """Return where an original may be below the folder: it may have been imported elsewhere."""
    paths = [known.uri]
    if known.file is not None and Path(known.file).is_relative_to(folder):
        paths.insert(0, Path(known.file).relative_to(folder).as_posix())
    return list(dict.fromkeys(paths))
