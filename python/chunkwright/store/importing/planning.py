"""Documents on their way into a store, and plans of their new versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from chunkwright import _core
from chunkwright.context import contextual_text
from chunkwright.store.drafts import Draft, input_hash
from chunkwright.store.identities import matched, occurrences, out_of_order, successors
from chunkwright.store.model import Known

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.store.content import Content
    from chunkwright.store.importing.sources import Item
    from chunkwright.store.model import Before, DocumentState, Edited, Placed


@dataclass(frozen=True, eq=False)
class Incoming:
    """A document that comes in: its source, and what the store has of it.

    Attributes
    ----------
    item
        Its source.
    state
        The document as the store has it; None if it does not.
    fingerprint
        What its blocks depend on; None if that is not known.
    key
        What the ids of its blocks are derived from.
    same_bytes
        Documents with the same bytes whose files are gone, if it is a new one.
    """

    item: Item
    state: DocumentState | None
    fingerprint: str | None
    key: str
    same_bytes: Sequence[str] = ()

    @property
    def uri(self) -> str:
        """Its address."""
        return self.item.uri

    @property
    def current(self) -> tuple[int, int] | None:
        """The numbers of the document and of its current version; None without one."""
        state = self.state
        return None if state is None or state.version is None else (state.id, state.version)

    @property
    def renamed_from(self) -> str | None:
        """The address that the document has had until now, if it was another one."""
        return None if self.state is None or self.state.uri == self.uri else self.state.uri

    @property
    def is_elsewhere(self) -> bool:
        """Whether the document was read from another place than before."""
        state = self.state
        return state is not None and (state.uri, state.origin) != (self.uri, self.item.origin)


class Loaded(NamedTuple):
    """A document as it was read.

    Attributes
    ----------
    document
        The document, with all of its metadata.
    content
        The same as bytes.
    metadata
        Its metadata.
    """

    document: Document
    content: Content
    metadata: Mapping[str, Any]


class Read(NamedTuple):
    """A document that was read, and is not yet compared with its current version."""

    incoming: Incoming
    loaded: Loaded


class ToCut(NamedTuple):
    """A document that is another one than its current version, or is to be cut in another way.

    Attributes
    ----------
    incoming, loaded
        The document.
    before
        The current version, as far as the new one depends on it; None if there is no document.
    """

    incoming: Incoming
    loaded: Loaded
    before: Before | None


class Unchanged(NamedTuple):
    """A document whose source and options are those of its current version: nothing was read."""

    incoming: Incoming


class Same(NamedTuple):
    """A document that was read, and is that of its current version, which stays."""

    incoming: Incoming
    loaded: Loaded


class Failed(NamedTuple):
    """A document that cannot be read or cut, and why."""

    incoming: Incoming
    error: Exception


class Planned(NamedTuple):
    """A document that has a new version."""

    incoming: Incoming
    loaded: Loaded
    plan: Plan


Work: TypeAlias = Unchanged | Same | Failed | Planned
"""What an import makes of a document."""


class Stand(NamedTuple):
    """A block at its place in a new version.

    Attributes
    ----------
    draft
        The chunk.
    base
        The id of the block that was cut there.
    block
        The id of the block that stands there: that one, or one that was edited by hand.
    searched
        What is embedded and searched.
    input_hash
        The hash of that.
    """

    draft: Draft
    base: str
    block: str
    searched: str
    input_hash: bytes


class Plan(NamedTuple):
    """A new version of a document.

    Attributes
    ----------
    stands
        Its blocks in order.
    new
        The blocks that the document has never had: ids with hashes, occurrences and ordinals.
    kept, gone, moved
        Ids of blocks, see :class:`~chunkwright.store.importing.report.DocumentReport`.
    superseded
        Ids of blocks that are gone, each with that of the block that took its place.
    stale
        Ids of blocks that were edited by hand, whose source is gone.
    """

    stands: list[Stand]
    new: list[tuple[Known, int]]
    kept: list[str]
    gone: list[str]
    moved: list[str]
    superseded: dict[str, str]
    stale: list[str]


def plan_of(  # noqa: PLR0913 - what a version depends on, all by name
    uri: str,
    drafts: Sequence[Draft],
    *,
    old: Sequence[Placed] = (),
    known: Sequence[Known] = (),
    edited: Mapping[str, Edited] | None = None,
    kept: Mapping[int, int] | None = None,
) -> Plan:
    """Return the plan of a new version.

    Parameters
    ----------
    uri
        The address of the document.
    drafts
        The chunks of the new version.
    old
        The blocks of the version before.
    known
        All blocks that were ever cut from the document.
    edited
        Blocks that were edited by hand, by the ids of those whose places they have.
    kept
        For numbers of drafts those of old blocks that they are known to be.
    """
    pairs = _pairs(drafts, old, kept or {})
    bases = {number: old[ordinal].base for number, ordinal in pairs.items()}
    again = _returning(drafts, known, bases)
    fresh = _fresh(uri, drafts, known, {*bases, *again})
    ids = bases | again | {number: block.id for block, number in fresh}
    by_hand = edited or {}
    stands = [_stand(draft, ids[i], by_hand) for i, draft in enumerate(drafts)]
    present = set(ids.values())
    gone = {i: each.base for i, each in enumerate(old) if each.base not in present}
    after = successors([each.text for each in old], [each.text for each in drafts], pairs)
    return Plan(
        stands,
        fresh,
        kept=[ids[number] for number in sorted({*bases, *again})],
        gone=list(gone.values()),
        moved=[bases[number] for number in sorted(out_of_order(pairs))],
        superseded={gone[i]: ids[number] for i, (number, _) in after.items() if i in gone},
        stale=[each.id for base, each in by_hand.items() if base not in present],
    )


def _pairs(
    drafts: Sequence[Draft], old: Sequence[Placed], kept: Mapping[int, int]
) -> dict[int, int]:
    """Return which drafts are old blocks, by their numbers."""
    taken = set(kept.values())
    left = [i for i in range(len(old)) if i not in taken]
    others = [number for number in range(len(drafts)) if number not in kept]
    found = matched(
        [old[i].content_hash for i in left], [drafts[number].content_hash for number in others]
    )
    return {**kept, **{others[new]: left[i] for new, i in found.items()}}


def _returning(
    drafts: Sequence[Draft], known: Sequence[Known], bases: Mapping[int, str]
) -> dict[int, str]:
    """Return the ids of blocks that the document had in an earlier version."""
    present = set(bases.values())
    free: dict[bytes, list[Known]] = {}
    for block in sorted(known, key=lambda each: -each.occurrence):
        if block.id not in present:
            free.setdefault(block.content_hash, []).append(block)
    return {
        number: blocks.pop().id
        for number, draft in enumerate(drafts)
        if number not in bases and (blocks := free.get(draft.content_hash))
    }


def _fresh(
    uri: str, drafts: Sequence[Draft], known: Sequence[Known], taken: set[int]
) -> list[tuple[Known, int]]:
    numbers = [number for number in range(len(drafts)) if number not in taken]
    hashes = [drafts[number].content_hash for number in numbers]
    return [
        (Known(_core.chunk_id(uri, content_hash, occurrence), content_hash, occurrence), number)
        for number, content_hash, occurrence in zip(
            numbers, hashes, occurrences(known, hashes), strict=True
        )
    ]


def _stand(draft: Draft, base: str, edited: Mapping[str, Edited]) -> Stand:
    by_hand = edited.get(base)
    if by_hand is None:
        return Stand(draft, base, base, draft.searched, draft.input_hash)
    searched = contextual_text(draft.context[0] if draft.context else "", by_hand.text)
    return Stand(draft, base, by_hand.id, searched, input_hash(searched))
