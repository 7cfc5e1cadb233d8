"""Run of an import: documents are read, cut, embedded and written, a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.errors import StoreError
from chunkwright.llm.protocol import ModelAccessError
from chunkwright.store.importing.report import DocumentReport
from chunkwright.store.importing.sources import Failure, Item
from chunkwright.store.importing.work import Work
from chunkwright.store.importing.works import Works
from chunkwright.store.importing.writing import ChangedError

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Database
    from chunkwright.store.importing.embedding import Embedding

# Documents that are cut and embedded together.
_GROUP = 64
_GROUP_BYTES = 16 * 2**20
# How often a version is made anew because another import was faster.
_TRIES = 16


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
        group: list[Item | Failure] = []
        n_bytes = 0
        for item in items:
            group.append(item)
            n_bytes += 0 if isinstance(item, Failure) else item.n_bytes
            if len(group) == _GROUP or n_bytes >= _GROUP_BYTES:
                yield from self._group(group)
                group, n_bytes = [], 0
        yield from self._group(group)

    def embed(self, progress: Callable[[DocumentReport], None] | None = None) -> int:
        """Embed what has no vector, a few documents at a time; return how many texts that were."""
        n_texts = 0
        with self.database.reading() as session:
            works = self.works.of_current(session)
        for at in range(0, len(works), _GROUP):
            group = works[at : at + _GROUP]
            if self.embedding is None:
                break
            with self.database.reading() as session:
                self.works.find_missing(session, group, self.embedding)
            _embed(group, self.embedding)
            for work in group:
                if work.vectors:
                    with self.database.writing() as session:
                        self.works.write_vectors_in_use(session, work.vectors, self.embedding)
                    n_texts += len(work.vectors)
                if progress is not None:
                    progress(work.report())
        return n_texts

    def remove(self, uris: Iterable[str]) -> Iterator[DocumentReport]:
        """Remove documents: their blocks are not found any more, but can be read."""
        for uri in uris:
            if self.is_dry_run:
                yield DocumentReport(uri, "removed")
                continue
            with self.database.writing() as session:
                report = self.works.removed(session, uri)
            yield report

    def remove_together(self, uris: Iterable[str]) -> list[DocumentReport]:
        """Remove documents in one transaction: all of them, or none if it fails."""
        with self.database.writing() as session:
            return [self.works.removed(session, uri) for uri in uris]

    def _group(self, group: list[Item | Failure]) -> Iterator[DocumentReport]:
        failed: dict[int, Exception] = {}
        items: list[tuple[int, Item]] = []
        for number, each in enumerate(group):
            if isinstance(each, Failure):
                failed[number] = each.error
            else:
                items.append((number, each))
        works = dict(
            zip(
                [number for number, _ in items],
                self._made([each for _, each in items]),
                strict=True,
            )
        )
        for number, each in enumerate(group):
            if number in failed:
                yield DocumentReport(each.uri, "failed", error=failed[number])
            else:
                yield self._written(works[number])

    def _made(self, items: list[Item]) -> list[Work]:
        """Return versions of documents, with their vectors."""
        works = self.works.of(items)
        if self.embedding is not None:
            with self.database.reading() as session:
                self.works.find_missing(session, works, self.embedding)
        for work in works:
            if isinstance(work.error, ModelAccessError):
                # No other document will do better.
                raise work.error
        if self.embedding is not None and not self.is_dry_run:
            _embed(works, self.embedding)
        return works

    def _written(self, work: Work) -> DocumentReport:
        """Write a version; make it anew where another import was faster."""
        for _ in range(_TRIES):
            if self.is_dry_run or work.is_idle:
                return work.report()
            try:
                with self.database.writing() as session:
                    return self.works.write(session, work, self.embedding)
            except ChangedError:
                (work,) = self._made([work.item])
        raise StoreError(
            f"{work.item.uri!r} was changed by others {_TRIES} times while it was imported",
            store=self.database.name,
        )


def _embed(works: Iterable[Work], embedding: Embedding) -> None:
    """Embed what is missing of all versions in one call."""
    texts: dict[bytes, str] = {}
    for work in works:
        texts |= {each: of for each, of in work.missing.items() if each not in work.vectors}
    if not texts:
        return
    vectors = embedding.vectors(list(texts.values()))
    rows = dict(zip(texts, vectors, strict=True))
    for work in works:
        work.vectors |= {each: rows[each] for each in work.missing if each in rows}
