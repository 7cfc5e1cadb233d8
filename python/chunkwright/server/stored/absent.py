"""Documents, versions and blocks that a store does not have, and what clients are told of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chunkwright.errors import StoreError
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from chunkwright.store import Store, StoredBlock, StoredVersion


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
    """Raise a problem of status 404 where a lookup in this context finds nothing.

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


def version_of(
    versions: Sequence[StoredVersion], number: int | None, *, field: str = "version"
) -> StoredVersion:
    """Return a version of a document by its number; None: the current one.

    Parameters
    ----------
    versions
        All versions of the document.
    number
        The number.
    field
        The field of the request that names it.

    Raises
    ------
    Problem
        If the document has none of that number, or was removed; names those that there are.
    """
    for each in versions:
        if each.is_current if number is None else each.version == number:
            return each
    known = ", ".join(str(each.version) for each in versions)
    document = f"the document {versions[0].uri!r}"
    if number is None:
        raise absent(field, f"{document} was removed; it had {known}")
    raise absent(field, f"{document} has no version {number}: it has {known}")


def _near(store: Store, document: str) -> str:
    known = [each.uri for each in store.documents()[:_COMPARED]]
    return advice_of(document, known) or "the list of documents has their addresses"


def advice_of(path: str, known: list[str]) -> str:
    """Return a question that names paths called nearly as one that is not there; empty for none."""
    name = file_name(path).casefold()
    near = [each for each in known if file_name(each).casefold() == name][:_SHOWN]
    near = near or difflib.get_close_matches(path, known, _SHOWN)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else ""


def file_name(document: str) -> str:
    """Return what a document is called without the folders of its address."""
    return document.rpartition("/")[2] or document
