"""Run of an import: documents are read, cut, embedded and written, a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import telemetry
from chunkwright.errors import StoreError
from chunkwright.io.batches import VERSIONS, batches
from chunkwright.io.sources import Failure
from chunkwright.llm.protocol import ModelAccessError
from chunkwright.store.citing.citations import citations_after
from chunkwright.store.drafts import input_hash
from chunkwright.store.importing.planning import Failed, Incoming, Planned, Same, Unchanged, Work
from chunkwright.store.importing.report import DocumentReport, Outcome
from chunkwright.store.importing.sources import Item
from chunkwright.store.importing.writing import (
    ChangedError,
    remove_current,
    write_same,
    write_version,
)
from chunkwright.store.reading import (
    known_document,
    states,
)
from chunkwright.store.searched_texts import searched_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.document import Document
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.importing.embedding import Embedding
    from chunkwright.store.importing.works import Works

# How often a version is made anew because another import was faster.
_TRIES = 16


class Made(NamedTuple):
    """What an import makes of a document, with the vectors that it needs.

    Attributes
    ----------
    work
        The document.
    missing
        What has to be embedded, by its hash.
    vectors
        New vectors: those that the caller gave, and those of what was missing, once it is embedded.
    """

    work: Work
    missing: dict[bytes, str]
    vectors: dict[bytes, NDArray[np.float32]]

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to write."""
        if isinstance(self.work, Failed):
            return True
        is_unchanged = isinstance(self.work, Unchanged) and not self.work.incoming.is_elsewhere
        return is_unchanged and not self.vectors

    def report(self, version: int | None = None, **more: Any) -> DocumentReport:
        """Return what becomes of the document: of a planned one the version, once it has one."""
        work, incoming = self.work, self.work.incoming
        uri, before = incoming.uri, None if incoming.state is None else incoming.state.version
        if isinstance(work, Failed):
            return DocumentReport(uri, "failed", error=work.error)
        if incoming.renamed_from is not None:
            more["renamed_from"] = incoming.renamed_from
        more["n_embedded"] = len(self.missing)
        if not isinstance(work, Planned):
            outcome: Outcome = "unchanged" if incoming.renamed_from is None else "renamed"
            return DocumentReport(uri, outcome, before, **more)
        known: Outcome = "changed" if incoming.renamed_from is None else "renamed"
        plan = work.plan
        return DocumentReport(
            uri,
            "new" if before is None else known,
            version,
            kept=plan.kept,
            new=[block.id for block, _ in plan.new],
            gone=plan.gone,
            moved=plan.moved,
            stale_edits=plan.stale,
            same_bytes=incoming.same_bytes,
            **more,
        )


@dataclass
class Import:
    """Import of documents into a store.

    Attributes
    ----------
    database
        The store's.
    works
        Makes versions of documents.
    embedding
        Embeds what is searched; None: nothing is embedded.
    is_dry_run
        Whether nothing is written, and no model embeds.
    """

    database: Database
    works: Works
    embedding: Embedding | None = None
    is_dry_run: bool = False

    def run(self, items: Iterable[Item | Failure]) -> Iterator[DocumentReport]:
        """Import documents; yield what became of each, in order, as soon as it is written.

        Raises
        ------
        StoreError
            If the database fails.
        ModelError
            If the embedder fails, or a language model refuses all requests.
        """
        for group in batches(items, VERSIONS, _size):
            yield from self._group(group)

    def _group(self, group: Sequence[Item | Failure]) -> Iterator[DocumentReport]:
        made = iter(self._made([each for each in group if isinstance(each, Item)]))
        for each in group:
            if isinstance(each, Failure):
                yield DocumentReport(each.name, "failed", error=each.error)
            else:
                yield self._written(next(made))

    def _made(self, items: Sequence[Item]) -> list[Made]:
        """Return what becomes of documents, with their vectors."""
        works = self.works.made(items)
        for work in works:
            if isinstance(work, Failed) and isinstance(work.error, ModelAccessError):
                # No other document will do better.
                raise work.error
        if self.embedding is None:
            return [Made(work, {}, {}) for work in works]
        with self.database.reading() as session:
            made = [self._with_missing(session, work, self.embedding) for work in works]
        if not self.is_dry_run:
            return _embedded(made, self.embedding)
        return made

    def _written(self, made: Made) -> DocumentReport:
        """Write what is new of a document; make it anew where another import was faster."""
        for _ in range(_TRIES):
            if self.is_dry_run or made.is_idle:
                return made.report()
            try:
                with telemetry.span("store.import.write"), self.database.writing() as session:
                    return self._write(session, made)
            except ChangedError:
                (made,) = self._made([made.work.incoming.item])
        raise StoreError(
            f"{made.work.incoming.uri!r} was changed by others {_TRIES} times while it was"
            " imported",
            store=self.database.name,
        )

    def _write(self, session: Session, made: Made) -> DocumentReport:
        work = made.work
        if made.vectors and self.embedding is not None:
            self.embedding.write(session, self.database.vectors, made.vectors)
        if not isinstance(work, Planned):
            write_same(session, work.incoming, work.loaded if isinstance(work, Same) else None)
            return made.report()
        if self.embedding is not None and self._lacking(session, work, self.embedding):
            # Those that were there when it was looked have been pruned or erased since.
            raise ChangedError(work.incoming.uri)
        document, number = write_version(session, work)
        if work.incoming.state is None:
            # Nobody can have cited it yet.
            return made.report(number)
        counts = citations_after(session, known_document(session, document), number)
        return made.report(number, **counts)

    # ---------------------------------------------------------------- vectors

    def embed(self, progress: Callable[[DocumentReport], None] | None = None) -> int:
        """Embed what has no vector, a few documents at a time; return how many texts that were."""
        n_texts = 0
        if self.embedding is None:
            return n_texts
        with self.database.reading() as session:
            works = [
                Unchanged(Incoming(Item(uri, state.source_hash, "", _unread), state, None, ""))
                for uri, state in states(session).items()
                if state.version is not None
            ]
        for group in batches(works, VERSIONS, lambda _: 0):
            with self.database.reading() as session:
                made = [self._with_missing(session, work, self.embedding) for work in group]
            for each in _embedded(made, self.embedding):
                if each.vectors:
                    with self.database.writing() as session:
                        self.embedding.write_used(session, self.database.vectors, each.vectors)
                    n_texts += len(each.vectors)
                if progress is not None:
                    progress(each.report())
        return n_texts

    def _with_missing(self, session: Session, work: Work, embedding: Embedding) -> Made:
        """Return a document with what has to be embedded of it, and the vectors that are given."""
        hashes = self._lacking(session, work, embedding)
        given = self._given(work)
        vectors = {each: given[each] for each in hashes if each in given}
        texts = _texts(session, work) if hashes else {}
        return Made(work, {each: texts[each] for each in hashes}, vectors)

    def _lacking(self, session: Session, work: Work, embedding: Embedding) -> list[bytes]:
        """Return the hashes of what is searched of a document and has no vector."""
        hashes = _hashes(session, work)
        if embedding.is_given:
            given = self._given(work)
            hashes = [each for each in hashes if each in given]
        model = embedding.model(session)
        if model is None or not hashes:
            return hashes
        return self.database.vectors.missing(session, model[0], hashes)

    def _given(self, work: Work) -> dict[bytes, NDArray[np.float32]]:
        """Return the vector that the caller gave, by the hashes of the blocks that have it."""
        given = self.works.vectors.get(work.incoming.uri)
        if given is None or not isinstance(work, Planned):
            return {}
        vector = given.tobytes()
        return {input_hash(each.searched, vector): given for each in work.plan.stands}

    # ---------------------------------------------------------------- removed

    def remove(self, uris: Iterable[str]) -> Iterator[DocumentReport]:
        """Remove documents: their blocks are not found any more, but can be read."""
        for uri in uris:
            if self.is_dry_run:
                yield DocumentReport(uri, "removed")
                continue
            with self.database.writing() as session:
                report = remove_current(session, uri)
            yield report

    def remove_together(self, uris: Iterable[str]) -> list[DocumentReport]:
        """Remove documents in one transaction: all of them, or none if it fails."""
        with self.database.writing() as session:
            return [remove_current(session, uri) for uri in uris]


def _size(item: Item | Failure) -> int:
    return 0 if isinstance(item, Failure) else item.n_bytes


def _unread() -> Document:
    raise AssertionError("a document that stays as it is is not read")


def _hashes(session: Session, work: Work) -> list[bytes]:
    """Return the hashes of what is searched of a document, block by block."""
    if isinstance(work, Planned):
        return [each.input_hash for each in work.plan.stands]
    if isinstance(work, Failed) or work.incoming.current is None:
        return []
    sql = "SELECT input_hash FROM placements WHERE document = ? AND version = ?"
    return [row[0] for row in session.rows(sql, work.incoming.current)]


def _texts(session: Session, work: Work) -> dict[bytes, str]:
    """Return what is searched of a document, by its hash."""
    if isinstance(work, Planned):
        return {each.input_hash: each.searched for each in work.plan.stands}
    current = work.incoming.current
    return {} if current is None else dict(searched_texts(session, *current))


def _embedded(made: Sequence[Made], embedding: Embedding) -> list[Made]:
    """Return documents with the vectors of what is missing, which are made in one call."""
    texts: dict[bytes, str] = {}
    for each in made:
        texts |= {key: text for key, text in each.missing.items() if key not in each.vectors}
    with telemetry.span("store.import.embed", texts=len(texts)):
        vectors = embedding.vectors(list(texts.values())) if texts else ()
    new = dict(zip(texts, vectors, strict=True))
    return [
        each._replace(vectors=each.vectors | {key: new[key] for key in each.missing if key in new})
        for each in made
    ]
