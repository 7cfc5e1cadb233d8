"""Store: documents, their blocks and vectors, searched and cited over their versions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, get_args

from chunkwright.checks import (
    checked_flag,
    checked_int,
    checked_name,
    checked_number,
    checked_text,
)
from chunkwright.chunking.registry import make_strategy
from chunkwright.chunks import Chunks
from chunkwright.errors import ConfigError
from chunkwright.io.sources import Reading
from chunkwright.retrieval.expansion import Scope
from chunkwright.retrieval.options import Options
from chunkwright.retrieval.retriever import Retriever
from chunkwright.store.citing.citations import Citation, citations, cite
from chunkwright.store.citing.citations import citation as stored_citation
from chunkwright.store.citing.resolving import Resolution, resolve
from chunkwright.store.database.opening import opened
from chunkwright.store.edits import Edit, edit, edits
from chunkwright.store.importing.cutting import Cutting
from chunkwright.store.importing.embedding import Embedding
from chunkwright.store.importing.report import DocumentReport, Report
from chunkwright.store.importing.run import Import
from chunkwright.store.importing.sources import Metadata, Sources, below, folders_of, items_of
from chunkwright.store.importing.works import Works
from chunkwright.store.searching.calibration import thresholds_of
from chunkwright.store.searching.candidates import Thresholds
from chunkwright.store.searching.expansion import Expansion
from chunkwright.store.searching.filters import Filter
from chunkwright.store.searching.opened import OpenedIndexes
from chunkwright.store.searching.search import Request, StoreSearch
from chunkwright.store.state import states
from chunkwright.store.versions import (
    TOKENIZER,
    StoredDocument,
    StoredVersion,
    chunks_at,
    document_at,
    documents_of,
    known_state,
    versions_of,
)
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType
    from typing import Self

    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.document import Document
    from chunkwright.embed import EmbedderLike
    from chunkwright.store.database.protocol import Database
    from chunkwright.store.searching.found import Found

# Tokens of the shadows that blocks have.
N_SHADOW_TOKENS = 60
# No score of a search is lower.
_LEAST_SCORE = -1e6


class Store:
    """Documents, blocks, vectors and citations in a database.

    Open one with :meth:`open`. Threads may share it; processes open it each for themselves.
    """

    def __init__(self, database: Database, embedder: EmbedderLike | None = None) -> None:
        self._database = database
        self._embedding = None if embedder is None else Embedding(embedder)
        self._embedder = embedder
        self._indexes = OpenedIndexes(database)

    @classmethod
    def open(
        cls,
        target: str | os.PathLike[str],
        *,
        embedder: EmbedderLike | None = None,
        read_only: bool = False,
    ) -> Store:
        """Open a store, which is made if there is none.

        Parameters
        ----------
        target
            The path of a file, or the address of a database: ``postgresql://user@host/name``.
        embedder
            The model of its vectors. None: by words alone is searched.
        read_only
            Whether the store must be there, and is never written.

        Raises
        ------
        ConfigError
            If the target is none, or the embedder has no fingerprint.
        StoreError
            If the database cannot be opened, holds something else, or is of another version.
        MissingExtraError
            If PostgreSQL needs an extra that is not installed.
        """
        is_read_only = checked_flag("read_only", read_only)
        return cls(opened(target, is_read_only=is_read_only), embedder)

    def close(self) -> None:
        """Close all connections to the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Store {self._database.name!r}>"

    # ------------------------------------------------------------------ documents

    def documents(self) -> list[StoredDocument]:
        """Return the documents, in the order in which they were first imported."""
        with self._database.reading() as session:
            return documents_of(session)

    def versions(self, uri: str) -> list[StoredVersion]:
        """Return the versions of a document, the oldest first; none if there is no document."""
        with self._database.reading() as session:
            return versions_of(session, uri)

    def document(self, uri: str, version: int | None = None) -> Document:
        """Return a document as it was read, with its elements.

        Parameters
        ----------
        uri
            Its address.
        version
            The number of the version; None: the current one.

        Raises
        ------
        StoreError
            If there is no such document or version.
        """
        with self._database.reading() as session:
            return document_at(session, *known_state(session, uri, version))

    def chunks(self, uri: str, version: int | None = None) -> Chunks:
        """Return the chunks of a document, with contexts and shadows.

        Blocks that were edited by hand are as they were cut.

        Parameters
        ----------
        uri, version
            As for :meth:`document`.

        Raises
        ------
        StoreError
            If there is no such document or version.
        """
        with self._database.reading() as session:
            return chunks_at(session, *known_state(session, uri, version))

    # ------------------------------------------------------------------ search

    def search(  # noqa: PLR0913 - options by name
        self,
        question: str,
        k: int | None = None,
        *,
        max_tokens: int | None = None,
        where: Filter | Mapping[str, Any] | None = None,
        floor: float | None = None,
        gate: float | None = None,
        expand: Scope | None = None,
        retriever: Options | None = None,
        skip_duplicates: bool = True,
    ) -> list[Found]:
        """Find the blocks that answer a question.

        Parameters
        ----------
        question
            The question.
        k
            How many blocks, at most; 5 if there is no ``max_tokens`` either.
        max_tokens
            Tokens that the hits of a question may have together. Without ``k``, hits are taken
            while they fit, and of the first that does not the best sentences; with ``expand``, what
            the hits leave is filled with what stands around them.
        where
            Which blocks are searched: a :class:`Filter`, or its options by name.
        floor
            The score below which nothing is found; None: that of :meth:`calibrate` if there is one.
        gate
            The score from which a block is a hit by itself. Of one between floor and gate its
            shadows are searched, and a neighbour that speaks to the question belongs to the hit.
            None: that of :meth:`calibrate` if there is one, else no shadow is searched.
        expand
            How far hits are widened: to their ``"neighbours"``, ``"section"``, ``"element"`` or
            ``"page"``. Each text is there once, with the better hit.
        retriever
            How blocks are scored; by default :class:`chunkwright.Retriever` with the store's
            embedder.
        skip_duplicates
            Whether of blocks that are nearly the same, see :meth:`link_duplicates`, only the best
            is a hit.

        Returns
        -------
        list of Found
            Best first.

        Raises
        ------
        ConfigError
            If an option makes no sense.
        StoreError
            If blocks have no vectors of the embedder: :meth:`embed` makes them.
        ModelError
            If the embedder or the reranker fails.
        """
        options = self._retriever(retriever)
        request = Request(
            k=5 if k is None and max_tokens is None else _checked_size("k", k),
            max_tokens=_checked_size("max_tokens", max_tokens),
            where=Filter.of(where),
            thresholds=self._thresholds(options, floor, gate),
            expansion=self._expansion(expand, k),
            skips_duplicates=checked_flag("skip_duplicates", skip_duplicates),
        )
        asked = checked_text("question", question)
        return StoreSearch(self._database, self._indexes, options).found(asked, request)

    def _retriever(self, retriever: Options | None) -> Options:
        if retriever is None:
            return Retriever(embedder=self._embedder)
        if not isinstance(retriever, Options):
            kind = type(retriever).__name__
            message = f"retriever must be a Retriever, got {kind}"
            raise ConfigError(message, option="retriever")
        return retriever

    def _thresholds(self, options: Options, floor: float | None, gate: float | None) -> Thresholds:
        for name, value in (("floor", floor), ("gate", gate)):
            if value is not None:
                checked_number(name, value, least=_LEAST_SCORE)
        known = Thresholds()
        if floor is None or gate is None:
            with self._database.reading() as session:
                known = thresholds_of(session, options)
        return Thresholds(
            known.floor if floor is None else float(floor),
            known.gate if gate is None else float(gate),
        )

    @staticmethod
    def _expansion(to: Scope | None, k: int | None) -> Expansion | None:
        if to is None:
            return None
        checked_name("expand", to, get_args(Scope))
        if k is None:
            raise ConfigError("expand needs k: how many blocks are widened", option="k")
        return Expansion(to, as_tokenizer(TOKENIZER))

    # ------------------------------------------------------------------ citations

    def cite(self, block: str, quote: str | None = None, *, by: str | None = None) -> Citation:
        """Cite a block: its words are found again in later versions.

        Parameters
        ----------
        block
            The id of the block.
        quote
            Words of it; None: all of it.
        by
            What cites it, for the caller's own use.

        Raises
        ------
        StoreError
            If there is no such block.
        ConfigError
            If the block has no such words.
        """
        with self._database.writing() as session:
            return cite(session, block, quote, by)

    def citations(self, uri: str | None = None) -> list[Citation]:
        """Return the citations, of all documents or of one, in the order they were made in."""
        with self._database.reading() as session:
            return citations(session, uri)

    def resolve(self, citation: Citation | str) -> Resolution:
        """Return where cited words stand today, or what became of them.

        Parameters
        ----------
        citation
            The citation, or its id.

        Raises
        ------
        StoreError
            If there is no such citation.
        """
        with self._database.reading() as session:
            number = citation if isinstance(citation, str) else citation.id
            return resolve(session, stored_citation(session, number))

    # ------------------------------------------------------------------ edits

    def edit(self, block: str, text: str) -> Edit:
        """Write a block by hand in the place of one that was cut.

        It is found in its place, and an import keeps it while the text that it stands for is
        unchanged. Where that has changed, it is stale: kept, and not found. The block that was cut
        stays as it is, and so do its citations.

        Parameters
        ----------
        block
            The id of a block of a current version.
        text
            The new text.

        Raises
        ------
        StoreError
            If no current version has the block.
        ConfigError
            If the text is empty.
        ModelError
            If the embedder fails.
        """
        n_tokens = as_tokenizer(TOKENIZER).count(checked_text("text", text))
        with self._database.writing() as session:
            own, searched, hashed = edit(session, block, text, n_tokens)
            if self._embedding is not None:
                vectors = self._embedding.vectors([searched])
                works = Works(self._database.vectors, None)
                works.write_vectors(session, {hashed: vectors[0]}, self._embedding)
            return next(each for each in edits(session) if each.block == own)

    def edits(self) -> list[Edit]:
        """Return the blocks that were written by hand, those that are stale too."""
        with self._database.reading() as session:
            return edits(session)

    # ------------------------------------------------------------------ import

    def add(  # noqa: PLR0913 - options by name
        self,
        sources: Sources,
        *,
        strategy: Chunker | str | None = None,
        embedder: EmbedderLike | None = None,
        metadata: Metadata = None,
        shadows: int | None = N_SHADOW_TOKENS,
        resync: bool = True,
        root: str | os.PathLike[str] | None = None,
        reading: Mapping[str, Any] | None = None,
        remove_missing: bool = False,
        dry_run: bool = False,
        progress: Callable[[DocumentReport], None] | None = None,
    ) -> Report:
        """Import documents.

        A document whose source and options are unchanged is no work. Of one that has changed,
        blocks with the same text keep their ids, history and vectors; the others are new, and the
        document has a new version. Each document is there whole, in one version, or as it was.

        Parameters
        ----------
        sources
            Paths of files and folders, globs, documents, or chunks of documents. Files are known
            by their paths as they are given, documents by their ids or else their names.
        strategy
            What cuts them, or the name of one with its defaults; by default
            :class:`chunkwright.Structural`, and :class:`chunkwright.Auto` for texts without
            elements. Chunks are cut already.
        embedder
            The model of vectors in the place of the store's.
        metadata
            Values that documents are filtered by, beside their own; or what gives those of a
            document by its address.
        shadows
            Tokens of the ends of neighbouring blocks that are searched beside a block; None for
            none.
        resync
            Whether a document that has changed is cut only where it has: blocks whose text is
            untouched stay. With False it is cut afresh.
        root
            The folder that addresses of files are relative to.
        reading
            How files are read, options of :class:`chunkwright.io.sources.Reading` by name.
        remove_missing
            Whether documents below the folders in ``sources`` that have no file any more are
            removed.
        dry_run
            Whether nothing is written: the report says what would be.
        progress
            Is told of each document.

        Returns
        -------
        Report
            What became of each document.

        Raises
        ------
        ConfigError
            If an option makes no sense, or a document has neither a name nor an id.
        ModelError
            If the embedder fails, or a language model refuses all requests. What was imported
            before is there.
        StoreError
            If the database fails.
        """
        checked_flag("resync", resync)
        cutting = self._cutting(sources, strategy, shadows, resync=resync)
        embedding = self._embedding if embedder is None else Embedding(embedder)
        folder = None if root is None else os.fspath(root)
        run = Import(
            self._database,
            Works(self._database.vectors, cutting, metadata),
            embedding,
            is_dry_run=checked_flag("dry_run", dry_run),
        )
        found: list[DocumentReport] = []

        def tell(report: DocumentReport) -> None:
            found.append(report)
            if progress is not None:
                progress(report)

        for report in run.run(items_of(sources, Reading(**reading or {}), folder)):
            tell(report)
        if checked_flag("remove_missing", remove_missing):
            begins = [below(each, folder) for each in folders_of(sources)]
            for report in run.remove(self._missing(begins, run.seen)):
                tell(report)
        if not dry_run:
            self._indexes.write(self._retriever(None))
        return Report(found, is_dry_run=dry_run)

    def remove(self, uri: str) -> DocumentReport:
        """Remove a document: its blocks are not found any more; its citations say that it is gone.

        Parameters
        ----------
        uri
            Its address.

        Returns
        -------
        DocumentReport
            ``"removed"``, or ``"unchanged"`` if there is none.
        """
        run = Import(self._database, Works(self._database.vectors, None))
        return next(run.remove([uri]))

    def _missing(self, begins: list[str], seen: set[str]) -> list[str]:
        """Return the documents below some folders that were not seen."""
        with self._database.reading() as session:
            known = [uri for uri, state in states(session).items() if state.version is not None]
        return [uri for uri in known if uri.startswith(tuple(begins)) and uri not in seen]

    @staticmethod
    def _cutting(
        sources: Sources, strategy: Chunker | str | None, shadows: int | None, *, resync: bool
    ) -> Cutting | None:
        n_tokens = None if shadows is None else checked_int("shadows", shadows, least=1)
        if isinstance(sources, Chunks):
            if strategy is not None:
                message = f"chunks are cut already: leave out strategy={strategy!r}"
                raise ConfigError(message, option="strategy")
            return None
        if strategy is None:
            whole, texts = make_strategy("structural", {}), make_strategy("auto", {})
            return Cutting(whole, n_tokens, resync, texts)
        if isinstance(strategy, str):
            strategy = make_strategy(strategy, {})
        if not callable(getattr(strategy, "stream", None)):
            message = f"strategy must be a strategy or its name, got {strategy!r}"
            raise ConfigError(message, option="strategy")
        return Cutting(strategy, n_tokens, resync)


def _checked_size(name: str, value: object) -> int | None:
    """Return a number of blocks or tokens; None for none."""
    return None if value is None else checked_int(name, value, least=1)
