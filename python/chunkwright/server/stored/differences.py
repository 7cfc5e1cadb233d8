"""Differences of two versions of a document: blocks that only one of them has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chunkwright.server.schemas.store import USUAL_TOKENS, BlockRow
from chunkwright.server.stored.absent import absent, version_of, versions_of
from chunkwright.server.stored.budget import AnswerBudget
from chunkwright.server.stored.contents import block_row, fitting_blocks

if TYPE_CHECKING:
    from chunkwright.store import Store


class Differences(NamedTuple):
    """What became of a document from one version to another.

    Attributes
    ----------
    document
        Its address.
    old, new
        The numbers of the versions.
    n_same
        How many blocks both have.
    gone, added
        Blocks that only the old, or only the new version has, as many as fit.
    n_left_out
        How many more there are of them.
    """

    document: str
    old: int
    new: int
    n_same: int
    gone: list[BlockRow]
    added: list[BlockRow]
    n_left_out: int


def differences(
    store: Store,
    document: str,
    old: int | None = None,
    new: int | None = None,
    *,
    max_tokens: int = USUAL_TOKENS,
) -> Differences:
    """Return in which blocks two versions of a document differ.

    Parameters
    ----------
    store
        The store.
    document
        Its address.
    old, new
        The numbers of the versions; None: the last one, and that before the new one.
    max_tokens
        The tokens of all blocks together.

    Raises
    ------
    Problem
        If there is no such document, or no such version of it.
    """
    versions = versions_of(store, document)
    known = [each.version for each in versions]
    new = known[-1] if new is None else new
    earlier = [number for number in known if number < new]
    old = (earlier[-1] if earlier else new) if old is None else old
    for name, number in (("old", old), ("new", new)):
        version_of(versions, number, field=name)
    if old == new:
        message = f"the document {document!r} has one version: there is none to compare it with"
        if len(known) > 1:
            message = f"old and new are both version {old} of {document!r}: name two"
        raise absent("old", message)
    before, after = _rows(store, document, old), _rows(store, document, new)
    ids_before, ids_after = ({row.block for row in rows} for rows in (before, after))
    gone = [row for row in before if row.block not in ids_after]
    added = [row for row in after if row.block not in ids_before]
    # What the blocks of the old version leave of their half is for those of the new one.
    shown_gone = fitting_blocks(gone, max_tokens // 2)
    shown_added = fitting_blocks(added, max_tokens - _size(shown_gone))
    n_left_out = len(gone) + len(added) - len(shown_gone) - len(shown_added)
    n_same = len(after) - len(added)
    return Differences(document, old, new, n_same, shown_gone, shown_added, n_left_out)


def _rows(store: Store, document: str, version: int) -> list[BlockRow]:
    return [block_row(row) for row in store.rows(document, version)]


def _size(rows: list[BlockRow]) -> int:
    budget = AnswerBudget(0)
    return sum(map(budget.size, rows))
