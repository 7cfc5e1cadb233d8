"""Things that a store does not have: the problem that says so, with the nearest right name."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chunkwright.errors import StoreError
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from chunkwright.store import Store, StoredVersion

NOT_FOUND = "not_found"
"""The code of such problems."""
# Addresses that a wrong one is compared with: with all of a large store that would take long.
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
        # If the database answers, it is what was asked for that is not there.
        store.versions("")
        raise absent(field, message) from error


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
    near = [uri for uri in known if _last(uri) == _last(document)][:_SHOWN]
    near = near or difflib.get_close_matches(document, known, _SHOWN)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else "see list_documents"


def _last(uri: str) -> str:
    return uri.rpartition("/")[2].casefold()
