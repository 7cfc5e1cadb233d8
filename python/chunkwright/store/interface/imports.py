"""Imports into a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, overload

from chunkwright import telemetry
from chunkwright.checks import checked_callable, checked_path
from chunkwright.document import checked_metadata
from chunkwright.errors import ConfigError, nearest
from chunkwright.io.missing import folders_of
from chunkwright.io.progress import Progress, Step
from chunkwright.io.sources import Reading
from chunkwright.store.importing.cutting import cutting_of
from chunkwright.store.importing.embedding import Embedding, given_vectors
from chunkwright.store.importing.missing import Look
from chunkwright.store.importing.report import DocumentReport, Left, Report
from chunkwright.store.importing.run import Import
from chunkwright.store.importing.sources import (
    Group,
    Metadata,
    Sources,
    found_by,
    items_of,
    paths_of,
)
from chunkwright.store.importing.works import Works
from chunkwright.store.interface.base import StoreBase
from chunkwright.store.reading import checked_uris
from chunkwright.store.settings import DRY_RUN, REMOVE_MISSING, RESYNC, SHADOWS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.embed import EmbedderLike


class Imports(StoreBase):
    """Methods that import documents."""

    def add(  # noqa: PLR0913 - options by name
        self,
        sources: Sources,
        *,
        strategy: Chunker | str | None = None,
        for_texts: Chunker | str | None = None,
        embedder: EmbedderLike | None = None,
        metadata: Metadata = None,
        shadows: int | None = SHADOWS.default,
        resync: bool = RESYNC.default,
        root: str | os.PathLike[str] | None = None,
        reading: Mapping[str, Any] | None = None,
        remove_missing: bool | Callable[[Sequence[str]], bool] = False,
        dry_run: bool = False,
        progress: Progress[DocumentReport] | None = None,
        vectors: Mapping[str, ArrayLike | None] | None = None,
    ) -> Report:
        """Import documents.

        A document whose source and options are unchanged is skipped. A changed document gets a new
        version: blocks with the same text keep their ids, history and vectors, and the others are
        new. Each document is imported whole or not at all.

        Parameters
        ----------
        sources
            Paths of files and folders, globs, documents, or chunks of documents. Files are
            identified by their paths as given, documents by their ids or else their names.
        strategy
            The strategy that cuts them, or its name; by default :class:`chunkwright.Structural`.
            Chunks are not cut again.
        for_texts
            The strategy for texts without elements; by default :class:`chunkwright.Auto` if no
            strategy is named.
        embedder
            The model for vectors, instead of the store's.
        metadata
            Values to filter documents by, besides their own; or a function that returns those of
            an address.
        shadows
            Tokens of the ends of neighbouring blocks that are searched beside a block; None for
            none.
        resync
            Whether a changed document is cut only where it has changed, so that blocks whose text
            is untouched stay. With False it is cut afresh.
        root
            The folder to which the addresses of files are relative.
        reading
            How files are read, options of :class:`chunkwright.io.sources.Reading` by name.
        remove_missing
            Whether to remove documents below the folders in ``sources`` whose file is gone, and
            rows that the tables in ``sources`` no longer have; or a function that gets all their
            addresses first, and decides. Nothing is removed of a folder that cannot be read or is
            empty: ``Report.left`` says so. If one file is gone and one new file has the same bytes,
            it is the same document at another address, and keeps its blocks and citations.
        dry_run
            Whether to write nothing, and only report what would change.
        progress
            A function that is called with a :class:`~chunkwright.io.progress.Step` for each
            document.
        vectors
            Vectors of documents by their addresses, used for their blocks instead of the
            embedder's; None for no vector. They are kept under the fingerprint of the embedder,
            which must be there to embed the questions.

        Returns
        -------
        Report
            The outcome of each document.

        Raises
        ------
        ConfigError
            If an option is invalid, even if only a document shows it; or if a document has neither
            a name nor an id.
        ModelError
            If the embedder fails, or a language model refuses all requests. What was imported
            before stays.
        StoreError
            If the database fails.
        """
        RESYNC.checked(resync)
        if not callable(remove_missing):
            REMOVE_MISSING.checked(remove_missing)
        cutting = cutting_of(sources, strategy, for_texts, shadows, resync=resync)
        embedding = self._embedding if embedder is None else Embedding(embedder)
        _check_given(progress, metadata)
        has_vectors = any(vector is not None for vector in (vectors or {}).values())
        if has_vectors and embedding is None:
            message = "vectors need the embedder of their model, which embeds the questions"
            raise ConfigError(message, option="vectors")
        folder, how = None if root is None else str(checked_path("root", root)), _reading(reading)
        groups: Iterable[Group] = found_by(sources, folder)
        look = None
        if remove_missing:
            groups, look = _looked_through(sources, how, folder)
        if not DRY_RUN.checked(dry_run):
            self._database.check_writable()
        renamed = {} if look is None else look.renamed(self._database)
        works = Works(
            self._database, cutting, metadata, renamed, given_vectors(vectors) if vectors else {}
        )
        run = Import(self._database, works, embedding, is_dry_run=dry_run)
        items = items_of(groups, how, folder)
        with telemetry.span("store.import") as importing:
            found = _told(run.run(items if look is None else look.watched(items)), progress)
            importing.set(documents=len(found))
        _check_options(found)
        left: Sequence[Left] = ()
        if look is not None:
            gone, left = look.missing(self._database, found)
            asks = callable(remove_missing) and not dry_run
            if not asks or _agrees(remove_missing, gone):
                found += _told(run.remove(gone), progress)
        if not dry_run:
            self._indexes.write()
            self._database.settle()
        return Report(found, is_dry_run=dry_run, left=left)

    @overload
    def remove(self, uris: str) -> DocumentReport: ...  # type: ignore[overload-overlap]
    @overload
    def remove(self, uris: Iterable[str]) -> Report: ...
    def remove(self, uris: str | Iterable[str]) -> DocumentReport | Report:
        """Remove documents from the search; their citations say so.

        Their versions can still be read.

        Parameters
        ----------
        uris
            One address or several: all are removed, or none if it fails.

        Returns
        -------
        DocumentReport or Report
            ``"removed"``, or ``"unchanged"`` for addresses that the store does not have.
        """
        run = Import(self._database, Works(self._database, None))
        if isinstance(uris, str):
            return run.remove_together([uris])[0]
        return Report(run.remove_together(checked_uris(uris)))

    def embed(
        self,
        embedder: EmbedderLike | None = None,
        *,
        progress: Progress[DocumentReport] | None = None,
    ) -> int:
        """Embed all blocks that have no vector of a model, for example of a new model.

        Parameters
        ----------
        embedder
            The model; by default the store's.
        progress
            A function that is called with a :class:`~chunkwright.io.progress.Step` for each
            document.

        Returns
        -------
        int
            How many texts were embedded.

        Raises
        ------
        ConfigError
            If there is no embedder, or its vectors cannot be kept.
        ModelError
            If the embedder fails. What was embedded before is kept.
        StoreError
            If the store is open for reading only, or the database fails.
        """
        embedding = self._embedding if embedder is None else Embedding(embedder)
        if embedding is None:
            raise ConfigError("the store was opened without an embedder", option="embedder")
        _check_given(progress, None)
        self._database.check_writable()
        works = Works(self._database, None)

        def tell(report: DocumentReport) -> None:
            if progress is not None:
                progress(_step(report))

        n_embedded = Import(self._database, works, embedding).embed(tell)
        self._indexes.forget()
        self._database.settle()
        return n_embedded


def _looked_through(
    sources: Sources, reading: Reading, folder: str | None
) -> tuple[list[Group], Look]:
    """Return all that is found in sources, and what knows what is missing there."""
    # What is read once is asked for its documents, and then for its folders.
    given = list(sources) if isinstance(sources, Iterator) else sources
    groups = list(found_by(given, folder))
    files = [each for group in groups if isinstance(group, list) for each in group]
    return groups, Look(folders_of(paths_of(given)), files, reading, folder)


def _told(
    reports: Iterable[DocumentReport], progress: Progress[DocumentReport] | None
) -> list[DocumentReport]:
    """Return reports once each of them was told."""
    found = []
    for report in reports:
        found.append(report)
        if progress is not None:
            progress(_step(report))
    return found


def _step(report: DocumentReport) -> Step[DocumentReport]:
    is_done = report.error is None
    return Step(name=report.uri, n_documents=int(is_done), error=report.error, about=report)


def _agrees(asked: Any, gone: Sequence[str]) -> bool:
    """Return whether a function that is given addresses lets them be removed."""
    return bool(gone) and bool(asked(gone))


def _check_given(progress: object, metadata: Metadata) -> None:
    if progress is not None:
        checked_callable("progress", progress)
    if metadata is not None and not callable(metadata):
        checked_metadata(metadata)


def _check_options(reports: Sequence[DocumentReport]) -> None:
    """Raise what is wrong with an option, where each of several documents fails by that alone."""
    errors = [each.error for each in reports]
    first = errors[0] if len(errors) > 1 else None
    if isinstance(first, ConfigError) and first.option is not None:
        others = ((type(each), str(each)) for each in errors)
        if set(others) == {(ConfigError, str(first))}:
            raise first


def _reading(options: Mapping[str, Any] | None) -> Reading:
    """Return how files are read.

    Raises
    ------
    ConfigError
        If an option is unknown, or makes no sense.
    """
    given = {} if options is None else options
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise ConfigError(f"reading must be a mapping of options, got {kind}", option="reading")
    known = [field.name for field in fields(Reading)]
    for name in given:
        if name not in known:
            hint = nearest(name, known)
            raise ConfigError(f"unknown option {name!r} in reading; {hint}", option="reading")
    return Reading(**given)
