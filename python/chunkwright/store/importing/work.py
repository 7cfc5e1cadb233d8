"""States of a document on its way into a store, from its source to its new version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.store.content import Content
    from chunkwright.store.importing.planning import Plan
    from chunkwright.store.importing.sources import Item
    from chunkwright.store.model import Before, DocumentState


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
