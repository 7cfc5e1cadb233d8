"""Works of an import: what it makes of a few documents, from their sources to planned versions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkwright import telemetry
from chunkwright.document import checked_metadata
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.io.missing import is_gone
from chunkwright.io.sources import suffix_of
from chunkwright.store.content import content_of, document_of
from chunkwright.store.drafts import Draft, check_coverage, drafts_of, input_hash
from chunkwright.store.importing.cutting import UNANSWERED, fingerprint
from chunkwright.store.importing.planning import (
    Failed,
    Incoming,
    Loaded,
    Planned,
    Read,
    Same,
    ToCut,
    Unchanged,
    Work,
    plan_of,
)
from chunkwright.store.importing.writing import is_written
from chunkwright.store.model import FILE
from chunkwright.store.reading import before_of, files_with, free_key, metadata_of, states_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.chunks import Chunks
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.importing.cutting import Cutting
    from chunkwright.store.importing.sources import Item, Metadata
    from chunkwright.store.model import DocumentState, FromFile


@dataclass(frozen=True)
class Works:
    """Makes versions of documents.

    Attributes
    ----------
    database
        The store's.
    cutting
        How documents are cut; None: the caller has cut them.
    metadata
        Of all documents, or what gives those of one by its address.
    renamed
        Documents that are called by another address now, by that one.
    vectors
        What the caller gave as the vectors of documents, by their addresses; None: no vector.
    """

    database: Database
    cutting: Cutting | None
    metadata: Metadata = None
    renamed: Mapping[str, FromFile] = field(default_factory=dict)
    vectors: Mapping[str, NDArray[np.float32] | None] = field(default_factory=dict)
    _fingerprints: dict[str, str | None] = field(default_factory=dict, repr=False)
    _descriptions: dict[int, str] = field(default_factory=dict, repr=False)

    def made(self, items: Sequence[Item]) -> list[Work]:
        """Return what becomes of documents, in order.

        No transaction is open while documents are read and cut, which may take long.
        """
        with self.database.reading() as session:
            begun = [self._looked_up(session, each) for each in self._incoming(session, items)]
        with telemetry.span("store.import.read", documents=len(items)):
            read = [self._read(each) if isinstance(each, Incoming) else each for each in begun]
        with self.database.reading() as session:
            compared = [
                self._compared(session, each) if isinstance(each, Read) else each for each in read
            ]
        waiting = [each for each in compared if isinstance(each, ToCut)]
        with telemetry.span("store.import.cut", documents=len(waiting)):
            cut = iter(self._cut(waiting))
        with self.database.reading() as session:
            return [
                self._cut_compared(session, each, next(cut)) if isinstance(each, ToCut) else each
                for each in compared
            ]

    # --------------------------------------------------------------- incoming

    def _incoming(self, session: Session, items: Sequence[Item]) -> list[Incoming]:
        """Return documents with what the store has of them."""
        before = {
            item.uri: each.uri
            for item in items
            if (each := self.renamed.get(item.uri)) and each.source_hash == item.source_hash
        }
        known = states_of(session, [*(item.uri for item in items), *before.values()])
        states = {item.uri: known.get(item.uri) for item in items}
        for item in items:
            if states[item.uri] is None and item.uri in before:
                state = known.get(before[item.uri])
                # Nobody else has removed it, or has made another one of it.
                if state and state.version is not None and state.source_hash == item.source_hash:
                    states[item.uri] = state
        new_files = [
            item.source_hash
            for item in items
            if states[item.uri] is None and item.origin.kind == FILE and item.n_bytes
        ]
        lost = _gone_with(session, new_files)
        return [self._begun(session, item, states[item.uri], lost) for item in items]

    def _begun(
        self,
        session: Session,
        item: Item,
        state: DocumentState | None,
        lost: Mapping[str, Sequence[str]],
    ) -> Incoming:
        own = self._fingerprint(item.reader)
        if state is not None:
            return Incoming(item, state, own, state.key)
        is_file = item.origin.kind == FILE and item.n_bytes
        same_bytes = lost.get(item.source_hash, ()) if is_file else ()
        return Incoming(item, None, own, free_key(session, item.uri), same_bytes)

    def _fingerprint(self, reader: str) -> str | None:
        if reader not in self._fingerprints:
            cutting = self.cutting
            self._fingerprints[reader] = fingerprint(
                reader,
                [] if cutting is None else cutting.strategies,
                None if cutting is None else cutting.n_shadow_tokens,
            )
        return self._fingerprints[reader]

    # -------------------------------------------------------------- unchanged

    def _looked_up(self, session: Session, incoming: Incoming) -> Unchanged | Incoming:
        return Unchanged(incoming) if self._is_unchanged(session, incoming) else incoming

    def _is_unchanged(self, session: Session, incoming: Incoming) -> bool:
        """Return whether source and fingerprint are those of the current version."""
        state, item = incoming.state, incoming.item
        if state is None or state.version is None or incoming.fingerprint is None:
            return False
        if item.uri in self.vectors or state.source_hash != item.source_hash:
            return False
        before = incoming.renamed_from
        if before and suffix_of(before) != suffix_of(item.uri):
            # It may be read as something else.
            return False
        if given := self._given_metadata(item.uri):
            known = metadata_of(session, state.id)
            if any(name not in known or known[name] != value for name, value in given.items()):
                return False
        is_same = self._description(session, state.fingerprint) == incoming.fingerprint
        return is_same and not self._lacks_contexts(session, incoming)

    def _given_metadata(self, uri: str) -> Mapping[str, Any]:
        given = self.metadata(uri) if callable(self.metadata) else self.metadata
        return {} if given is None else checked_metadata(given)

    def _lacks_contexts(self, session: Session, incoming: Incoming) -> bool:
        """Return whether a model did not answer for blocks of the current version."""
        if self.cutting is None or not self.cutting.writes_contexts or incoming.current is None:
            return False
        sql = (
            "SELECT context FROM placements WHERE document = ? AND version = ?"
            " AND context IS NOT NULL"
        )
        rows = session.rows(sql, incoming.current)
        return any(json.loads(row[0])[1] in UNANSWERED for row in rows)

    def _description(self, session: Session, number: int) -> str | None:
        """Return a fingerprint by its number."""
        if number not in self._descriptions:
            row = session.row("SELECT description FROM fingerprints WHERE id = ?", (number,))
            if row is None:
                return None
            self._descriptions[number] = row[0]
        return self._descriptions[number]

    # ------------------------------------------------------------------- read

    def _read(self, incoming: Incoming) -> Read | Failed:
        try:
            read = incoming.item.read().named(incoming.uri)
            document = read.with_metadata(self._given_metadata(incoming.uri))
        except ChunkwrightError as error:
            return Failed(incoming, error)
        return Read(incoming, Loaded(document, content_of(read), dict(document.metadata)))

    def _compared(self, session: Session, read: Read) -> Same | ToCut:
        """Return a document that was read as the same as the current version, or as one to cut."""
        incoming, loaded = read
        if self._has_content(session, incoming, loaded.content.hash):
            return Same(incoming, loaded)
        return ToCut(incoming, loaded, before_of(session, incoming.state))

    def _has_content(self, session: Session, incoming: Incoming, content_hash: bytes) -> bool:
        """Return whether the current version has a content, and is cut as it is to be."""
        if incoming.current is None or incoming.item.chunks is not None:
            return False
        if incoming.uri in self.vectors:
            return False
        row = session.row(
            "SELECT v.content_hash, f.description FROM versions v JOIN fingerprints f"
            " ON f.id = v.fingerprint WHERE v.document = ? AND v.version = ?",
            incoming.current,
        )
        is_same = row == (content_hash, incoming.fingerprint)
        return is_same and not self._lacks_contexts(session, incoming)

    # -------------------------------------------------------------------- cut

    def _cut(self, waiting: Sequence[ToCut]) -> list[Planned | Failed]:
        """Cut documents, and plan their versions."""
        resynced = [self._resynced(each) for each in waiting]
        afresh = [each for each, own in zip(waiting, resynced, strict=True) if own is None]
        cut = iter([*self._afresh(afresh)])
        return [next(cut) if own is None else own for own in resynced]

    def _resynced(self, own: ToCut) -> Planned | Failed | None:
        """Cut a document beside what is kept of its current version; None if it cannot be so."""
        known, cutting, document = own.before, self.cutting, own.loaded.document
        if known is None or known.content is None or cutting is None:
            return None
        if known.fingerprint != own.incoming.fingerprint:
            return None
        before = document_of(known.content, own.incoming.uri)
        if before is None or not cutting.can_resync(document, before, known.placed):
            return None
        try:
            chunks, kept = cutting.again(document, before, known.placed)
        except ChunkwrightError as error:
            return Failed(own.incoming, error)
        return self._planned(own, drafts_of(chunks), kept)

    def _afresh(self, waiting: Sequence[ToCut]) -> Iterator[Planned | Failed]:
        """Yield documents that are cut whole, one after another."""
        for own, chunks in zip(waiting, self._chunks(waiting), strict=True):
            if chunks.errors:
                yield Failed(own.incoming, chunks.errors[0])
            else:
                yield self._planned(own, drafts_of(chunks, own.incoming.item.rows), {})

    def _chunks(self, waiting: Sequence[ToCut]) -> Iterator[Chunks]:
        if self.cutting is not None:
            yield from self.cutting.fresh([each.loaded.document for each in waiting])
            return
        for each in waiting:
            chunks = each.incoming.item.chunks
            assert chunks is not None  # noqa: S101 - without a strategy there are chunks
            yield chunks

    def _planned(
        self, own: ToCut, drafts: list[Draft], kept: Mapping[int, int]
    ) -> Planned | Failed:
        incoming, loaded, before = own
        given = self.vectors.get(incoming.uri)
        if given is not None:
            vector = given.tobytes()
            drafts = [
                each._replace(input_hash=input_hash(each.searched, vector)) for each in drafts
            ]
        try:
            check_coverage(loaded.document, drafts)
        except ConfigError as error:
            return Failed(incoming, error)
        placed, known, edits, *_ = before or ([], [], {})
        plan = plan_of(incoming.key, drafts, old=placed, known=known, edited=edits, kept=kept)
        return Planned(incoming, loaded, plan)

    @staticmethod
    def _cut_compared(session: Session, own: ToCut, cut: Planned | Failed) -> Work:
        """Return a document that was cut: as the same if its version would be the current one."""
        current, before = own.incoming.current, own.before
        if isinstance(cut, Failed) or current is None or before is None:
            return cut
        is_same = before.content_hash == own.loaded.content.hash
        is_same = is_same and len(before.placed) == len(cut.plan.stands)
        is_same = is_same and is_written(session, *current, cut.plan)
        return Same(own.incoming, own.loaded) if is_same else cut


def _gone_with(session: Session, hashes: Sequence[str]) -> dict[str, list[str]]:
    """Return the documents whose file has one of these hashes and is gone, by the hashes."""
    found: dict[str, list[str]] = {}
    for uri, digest, origin in files_with(session, hashes):
        if origin.file is not None:
            with suppress(OSError):
                if is_gone(origin.file):
                    found.setdefault(digest, []).append(uri)
    return found
