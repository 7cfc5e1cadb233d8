"""Works of an import: versions of a few documents, from their sources to rows of the store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkwright.document import checked_metadata
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.io.sources import suffix_of
from chunkwright.store.citing.counts import citations_after
from chunkwright.store.content import content_of, document_of
from chunkwright.store.importing.coverage import check_coverage
from chunkwright.store.importing.cutting import UNANSWERED
from chunkwright.store.importing.drafts import Draft, drafts_of, input_hash
from chunkwright.store.importing.fingerprints import fingerprint
from chunkwright.store.importing.missing import gone_with
from chunkwright.store.importing.planning import Edited, Plan, plan_of
from chunkwright.store.importing.report import DocumentReport
from chunkwright.store.importing.sources import Item
from chunkwright.store.importing.work import Work
from chunkwright.store.importing.writing import (
    ChangedError,
    Version,
    check_unchanged,
    fingerprint_id,
    is_written,
    write_metadata,
    write_origin,
    write_version,
)
from chunkwright.store.origins import FILE
from chunkwright.store.searched import searched_texts
from chunkwright.store.state import (
    Before,
    DocumentState,
    FromFile,
    before_of,
    free_key,
    metadata_of,
    placed,
    state_by_spelling,
    states,
    states_of,
)
from chunkwright.store.versions import known_document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.importing.cutting import Cutting
    from chunkwright.store.importing.embedding import Embedding
    from chunkwright.store.importing.sources import Metadata


def _unread() -> Document:
    raise AssertionError("a document that stays as it is is not read")


# Stands for a fingerprint that is not known: it equals none.
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Works:
    """Makes and writes versions of documents.

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
    _known: dict[int, str] = field(default_factory=dict, repr=False)

    def of(self, items: Sequence[Item]) -> list[Work]:
        """Return the works of documents; those that are unchanged have nothing to do.

        No transaction is open while documents are read and cut, which may take long.
        """
        with self.database.reading() as session:
            works = self._begun_all(session, items)
            changed = [work for work in works if not self._is_same(session, work)]
        found = [work for work in changed if self._read(work)]
        with self.database.reading() as session:
            cut = [work for work in found if not self._is_same_content(session, work)]
            for work in cut:
                work.before = before_of(session, work.state)
        self._cut(cut)
        with self.database.reading() as session:
            for work in cut:
                if self._is_same_cut(session, work):
                    work.plan = None
        return works

    def _cut(self, works: Sequence[Work]) -> None:
        """Cut documents, and plan their versions."""
        afresh = [work for work in works if not self._again(work)]
        for work, chunks in zip(afresh, self._fresh(afresh), strict=True):
            if chunks.errors:
                work.error = chunks.errors[0]
            else:
                self._plan(work, drafts_of(chunks, work.item.rows), {})

    def of_current(self, session: Session) -> list[Work]:
        """Return works of all documents as they are: nothing is read."""
        return [
            Work(Item(state.uri, state.source_hash, "", _unread, origin=state.origin), state, None)
            for state in states(session).values()
            if state.version is not None
        ]

    def find_missing(self, session: Session, works: Sequence[Work], embedding: Embedding) -> None:
        """Say of works what has to be embedded."""
        model = embedding.model(session)
        for work in works:
            hashes = _input_hashes(session, work)
            if model is not None and hashes:
                hashes = self.database.vectors.missing(session, model[0], hashes)
            given = self.vectors.get(work.item.uri)
            if given is not None and work.plan is not None:
                of = _given_hashes(work.plan, given)
                work.vectors = {each: given for each in hashes if each in of}
            if embedding.is_given:
                hashes = [each for each in hashes if each in work.vectors]
            if hashes:
                texts = _inputs(session, work)
                work.missing = {each: texts[each] for each in hashes}

    def write(self, session: Session, work: Work, embedding: Embedding | None) -> DocumentReport:
        """Write a version with its vectors, and say what became of the document.

        Raises
        ------
        ChangedError
            If the document is another one by now.
        """
        if work.vectors and embedding is not None:
            self.write_vectors(session, work.vectors, embedding)
        if work.plan is None or work.content is None:
            self._touch(session, work)
            return work.report()
        if embedding is not None and self._lacks_vectors(session, work, embedding):
            # Those that were there when it was looked have been pruned or erased since.
            raise ChangedError(work.item.uri)
        version = Version(
            work.item.uri,
            work.state,
            work.key,
            work.item.origin,
            work.item.source_hash,
            work.fingerprint or _UNKNOWN,
            work.content,
            None if work.document is None else work.document.confidence,
            work.metadata,
            work.plan,
        )
        document, number = write_version(session, version)
        state = known_document(session, document)
        counts = citations_after(session, state, number)
        return work.report(number, **counts)

    def _lacks_vectors(self, session: Session, work: Work, embedding: Embedding) -> bool:
        """Return whether a vector is not there that a new version is to have."""
        model, hashes = embedding.model(session), _input_hashes(session, work)
        if embedding.is_given and work.plan is not None:
            given = self.vectors.get(work.item.uri)
            of = set() if given is None else _given_hashes(work.plan, given)
            hashes = [each for each in hashes if each in of]
        if model is None or not hashes:
            return bool(hashes)
        return bool(self.database.vectors.missing(session, model[0], hashes))

    @staticmethod
    def removed(session: Session, uri: str) -> DocumentReport:
        """Remove a document: it has no current version any more."""
        state = state_by_spelling(session, uri)
        if state is None or state.version is None:
            return DocumentReport(uri, "unchanged")
        gone = [each.base for each in placed(session, state.id, state.version)]
        session.run(
            "UPDATE documents SET current_version = NULL, revision = revision + 1 WHERE id = ?",
            (state.id,),
        )
        counts = citations_after(session, state, None)
        return DocumentReport(uri, "removed", gone=gone, **counts)

    # ------------------------------------------------------------------ steps

    def _begun_all(self, session: Session, items: Sequence[Item]) -> list[Work]:
        before = {
            item.uri: each.uri
            for item in items
            if (each := self.renamed.get(item.uri)) and each.source_hash == item.source_hash
        }
        known = states_of(session, [*(item.uri for item in items), *before.values()])
        works = []
        for item in items:
            state = known.get(item.uri)
            if state is None and item.uri in before:
                state = known.get(before[item.uri])
                # Nobody else has removed it, or has made another one of it.
                if state and (state.version is None or state.source_hash != item.source_hash):
                    state = None
            works.append(self._begun(item, state))
        new = [work for work in works if work.state is None]
        for work in new:
            work.key = free_key(session, work.item.uri)
        files = [w for w in new if w.item.origin.kind == FILE and w.item.n_bytes]
        lost = gone_with(session, [work.item.source_hash for work in files])
        for work in files:
            work.same_bytes = lost.get(work.item.source_hash, ())
        return works

    def _begun(self, item: Item, state: DocumentState | None) -> Work:
        cutting = self.cutting
        if item.reader not in self._fingerprints:
            self._fingerprints[item.reader] = fingerprint(
                item.reader,
                [] if cutting is None else cutting.strategies,
                None if cutting is None else cutting.n_shadow_tokens,
            )
        key = "" if state is None else state.key
        return Work(item, state, self._fingerprints[item.reader], key=key)

    def _given_metadata(self, uri: str) -> Mapping[str, Any]:
        given = self.metadata(uri) if callable(self.metadata) else self.metadata
        return {} if given is None else checked_metadata(given)

    def _is_same(self, session: Session, work: Work) -> bool:
        """Return whether source and fingerprint are those of the current version."""
        state = work.state
        if state is None or state.version is None or work.fingerprint is None:
            return False
        if work.item.uri in self.vectors:
            return False
        if state.source_hash != work.item.source_hash:
            return False
        if work.renamed_from and suffix_of(work.renamed_from) != suffix_of(work.item.uri):
            # It may be read as something else.
            return False
        if given := self._given_metadata(work.item.uri):
            known = metadata_of(session, state.id)
            if any(name not in known or known[name] != value for name, value in given.items()):
                return False
        is_same = self._description(session, state.fingerprint) == work.fingerprint
        return is_same and not self._lacks_contexts(session, state)

    def _lacks_contexts(self, session: Session, state: DocumentState) -> bool:
        """Return whether a model did not answer for blocks of the current version."""
        if self.cutting is None or not self.cutting.writes_contexts:
            return False
        sql = (
            "SELECT context FROM placements WHERE document = ? AND version = ?"
            " AND context IS NOT NULL"
        )
        rows = session.rows(sql, (state.id, state.version))
        return any(json.loads(row[0])[1] in UNANSWERED for row in rows)

    def _description(self, session: Session, number: int) -> str | None:
        """Return a fingerprint by its number."""
        if number not in self._known:
            row = session.row("SELECT description FROM fingerprints WHERE id = ?", (number,))
            if row is None:
                return None
            self._known[number] = row[0]
        return self._known[number]

    def _read(self, work: Work) -> bool:
        """Read a document; return whether it could be."""
        try:
            document = work.item.read().named(work.item.uri)
            work.document = document.with_metadata(self._given_metadata(work.item.uri))
        except ChunkwrightError as error:
            work.error = error
            return False
        work.content, work.metadata = content_of(document), dict(work.document.metadata)
        return True

    def _is_same_content(self, session: Session, work: Work) -> bool:
        """Return whether the document is that of the current version, and is cut as that was."""
        state = work.state
        if state is None or state.version is None or work.item.chunks is not None:
            return False
        if work.item.uri in self.vectors:
            return False
        row = session.row(
            "SELECT v.content_hash, f.description FROM versions v JOIN fingerprints f"
            " ON f.id = v.fingerprint WHERE v.document = ? AND v.version = ?",
            (state.id, state.version),
        )
        same = (work.content.hash if work.content else None, work.fingerprint)
        return row == same and not self._lacks_contexts(session, state)

    def _again(self, work: Work) -> bool:
        """Cut a document beside what is kept of its current version; return whether it can be."""
        known, cutting, document = work.before, self.cutting, work.document
        if known is None or known.content is None or cutting is None or document is None:
            return False
        if known.fingerprint != work.fingerprint or not cutting.can_resync(document):
            return False
        before = document_of(known.content, work.item.uri)
        if before is None or not cutting.can_resync(before):
            return False
        if not _can_stand_beside(before, document, known):
            return False
        try:
            chunks, kept = cutting.again(document, before, known.placed)
        except ChunkwrightError as error:
            work.error = error
            return True
        self._plan(work, drafts_of(chunks), kept)
        return True

    def _fresh(self, works: Sequence[Work]) -> Iterator[Chunks]:
        if self.cutting is not None:
            documents = [work.document for work in works if work.document is not None]
            yield from self.cutting.fresh(documents)
            return
        for work in works:
            assert work.item.chunks is not None  # noqa: S101 - without a strategy there are chunks
            yield work.item.chunks

    def _plan(self, work: Work, drafts: list[Draft], kept: Mapping[int, int]) -> None:
        before = work.before
        given = self.vectors.get(work.item.uri)
        if given is not None:
            said = given.tobytes()
            drafts = [each._replace(input_hash=input_hash(each.searched, said)) for each in drafts]
        try:
            if work.document is not None:
                check_coverage(work.document, drafts)
        except ConfigError as error:
            work.error = error
            return
        if before is None:
            work.plan = plan_of(work.key, drafts)
            return
        work.plan = plan_of(
            work.key,
            drafts,
            old=before.placed,
            known=before.known,
            edited={base: Edited(*of) for base, of in before.edits.items()},
            kept=kept,
        )

    @staticmethod
    def _is_same_cut(session: Session, work: Work) -> bool:
        """Return whether a version would be the same as the current one."""
        state, before, plan = work.state, work.before, work.plan
        if state is None or state.version is None or work.content is None:
            return False
        if before is None or plan is None or before.content_hash != work.content.hash:
            return False
        is_as_long = len(before.placed) == len(plan.stands)
        return is_as_long and is_written(session, state.id, state.version, plan)

    def _touch(self, session: Session, work: Work) -> None:
        """Write what is new of a document whose version stays: source, address, options."""
        state = work.state
        if state is None:
            return
        check_unchanged(session, work.item.uri, state)
        write_origin(session, state, work.item.uri, work.item.origin)
        if work.document is None:
            return
        of = fingerprint_id(session, work.fingerprint or _UNKNOWN)
        session.run(
            "UPDATE documents SET source_hash = ?, fingerprint = ? WHERE id = ?",
            (work.item.source_hash, of, state.id),
        )
        write_metadata(session, state.id, work.metadata)

    def write_vectors_in_use(
        self, session: Session, found: Mapping[bytes, NDArray[np.float32]], embedding: Embedding
    ) -> None:
        """Write vectors of texts, but of those that no version has any more."""
        sql = "SELECT DISTINCT input_hash FROM placements WHERE input_hash IN"
        used = {row[0] for row in session.among(sql, list(found))}
        if used:
            wanted = {each: vector for each, vector in found.items() if each in used}
            self.write_vectors(session, wanted, embedding)

    def write_vectors(
        self, session: Session, found: Mapping[bytes, NDArray[np.float32]], embedding: Embedding
    ) -> None:
        """Write vectors of texts, by their hashes, but those that were written meanwhile."""
        import numpy as np

        number, n_dims = embedding.model(session) or (None, None)
        size = len(next(iter(found.values())))
        if number is not None and n_dims != size:
            embedding.renew(session, self.database.vectors, number, size)
        model = embedding.known_model(session, size)
        missing = self.database.vectors.missing(session, model, list(found))
        if missing:
            self.database.vectors.add(
                session, model, missing, np.stack([found[each] for each in missing])
            )


def _can_stand_beside(before: Document, document: Document, known: Before) -> bool:
    """Return whether a document may be cut beside the blocks of the version before."""
    if (before.elements is None) != (document.elements is None):
        return False
    # Blocks of a store that is damaged may reach over the text.
    n_bytes = len(before.text.encode("utf-8", "surrogatepass"))
    return all(end <= n_bytes for each in known.placed for _, _, end in each.row.pieces)


def _given_hashes(plan: Plan, given: NDArray[np.float32]) -> set[bytes]:
    """Return the hashes of a version's blocks that have the vector that was given."""
    said = given.tobytes()
    return {input_hash(each.searched, said) for each in plan.stands}


def _input_hashes(session: Session, work: Work) -> list[bytes]:
    """Return the hashes of what is to be embedded of a document."""
    if work.error is not None:
        return []
    if work.plan is not None:
        return [each.input_hash for each in work.plan.stands]
    if work.state is None or work.state.version is None:
        return []
    sql = "SELECT input_hash FROM placements WHERE document = ? AND version = ?"
    return [row[0] for row in session.rows(sql, (work.state.id, work.state.version))]


def _inputs(session: Session, work: Work) -> dict[bytes, str]:
    """Return what is to be embedded of a document, by its hash."""
    if work.plan is not None:
        return {each.input_hash: each.searched for each in work.plan.stands}
    assert work.state is not None and work.state.version is not None  # noqa: S101, PT018
    return dict(searched_texts(session, work.state.id, work.state.version))
