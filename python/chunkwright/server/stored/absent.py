"""Store that a service answers from: opened, and what is said of things that it does not have."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.errors import ChunkwrightError, ConfigError, ModelError, StoreError
from chunkwright.server.problems import Problem
from chunkwright.store import Store

if TYPE_CHECKING:
    from chunkwright.embed import Embedder
    from chunkwright.store import StoredBlock, StoredVersion


_POSTGRES = ("postgresql://", "postgres://")
# Name of the command line's note in a store, and its value for no embedder.
_NOTE, _NONE = "embedder", "none"


def opened_store(target: str, *, embedder: str | None = None, read_only: bool = False) -> Store:
    """Open a store that is there, with the embedder of its vectors.

    Parameters
    ----------
    target
        The path of a file, or the address of a database.
    embedder
        The path of the model of its vectors, or ``"none"``; None: that of the last import.
    read_only
        Whether nothing is ever written.

    Raises
    ------
    ConfigError
        If there is no such store.
    StoreError
        If it cannot be opened.
    ModelError
        If its embedder cannot be used.
    """
    if not target.startswith(_POSTGRES) and not Path(target).exists():
        raise ConfigError(
            f"there is no store {target}: chunkwright index makes one", option="store"
        )
    if embedder is None:
        with Store.open(target, read_only=True) as store:
            model = _model(target, store.note(_NOTE))
    else:
        model = _named(embedder)
    return Store.open(target, embedder=model, read_only=read_only)


def _named(embedder: str | None) -> Embedder | None:
    from chunkwright.embed import as_embedder

    return None if embedder in {None, _NONE} else as_embedder(str(embedder))


def _model(target: str, noted: str | None) -> Embedder | None:
    try:
        return _named(noted)
    except ChunkwrightError as error:
        more = "the last import had it there: name it with --embedder, or say --embedder none"
        raise ModelError(f"{target}: {error}; {more}") from error


NOT_FOUND = "not_found"
"""The code of such problems."""
# A wrong address is compared with so many: all of a large store would take long.
_COMPARED = 5_000
_SHOWN = 3


def absent(field: str, message: str) -> Problem:
    """Return the problem of something that is not there.

    Parameters
    ----------
    field
        The field of the request that names it.
    message
        What is said of it.
    """
    return Problem(404, NOT_FOUND, message, field=field)


@contextmanager
def found(store: Store, field: str, message: str) -> Iterator[None]:
    """Say of what is looked up within that it is not there, if it is not.

    Parameters
    ----------
    store
        The store.
    field, message
        As for :func:`absent`.

    Raises
    ------
    Problem
        If it is not there.
    StoreError
        If the store itself fails.
    """
    try:
        yield
    except StoreError as error:
        # If the database answers this, only what was asked for is missing.
        store.versions("")
        raise absent(field, message) from error


def block_of(store: Store, block: str) -> StoredBlock:
    """Return a block, of whatever version.

    Raises
    ------
    Problem
        If there is no such block; says where their ids are.
    """
    hint = "hits of search and get_document have ids of blocks"
    with found(store, "block", f"the store has no block {block!r}: {hint}"):
        return store.block(block)


def versions_of(store: Store, document: str) -> list[StoredVersion]:
    """Return the versions of a document, the oldest first.

    Raises
    ------
    Problem
        If there is no such document; names the nearest ones that there are.
    """
    versions = store.versions(document)
    if not versions:
        raise absent(
            "document", f"the store has no document {document!r}: {_near(store, document)}"
        )
    return versions


def _near(store: Store, document: str) -> str:
    known = [each.uri for each in store.documents()[:_COMPARED]]
    return advice_of(document, known) or "see list_documents"


def advice_of(path: str, known: list[str]) -> str:
    """Return a question that names paths called nearly as one that is not there; empty for none."""
    near = [each for each in known if _last(each) == _last(path)][:_SHOWN]
    near = near or difflib.get_close_matches(path, known, _SHOWN)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else ""


def _last(path: str) -> str:
    return path.rpartition("/")[2].casefold()
