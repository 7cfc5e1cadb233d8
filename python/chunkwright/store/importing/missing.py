"""Missing documents of an import: those whose file or row was looked for, and is gone."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.io.missing import Gone, LookedThrough, Place, RowKey
from chunkwright.io.sources import STDIN, TABLES, Failure
from chunkwright.store.importing.report import Left
from chunkwright.store.importing.sources import Item, uri_of
from chunkwright.store.model import FILE, ROW, Origin
from chunkwright.store.reading import from_files, known_uris

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from chunkwright.io.sources import Reading, Source
    from chunkwright.store.database.protocol import Database
    from chunkwright.store.importing.report import DocumentReport
    from chunkwright.store.model import FromFile

_EMPTY = "it is empty: a disk that is not mounted, say"
_NOT_READ = "not all of it could be read"


@dataclass
class Look:
    """What an import looks through: folders by their files, tables by their rows.

    Parameters
    ----------
    folders
        The folders that were named, by their absolute paths.
    sources
        What was found in them, and beside them.
    reading
        How files are read.
    root
        The folder that addresses are relative to.
    """

    folders: Mapping[str, str]
    sources: list[Source]
    reading: Reading
    root: str | None
    _looked: LookedThrough = field(init=False)

    def __post_init__(self) -> None:
        self._looked = LookedThrough(self.folders, self.sources, self.reading)

    def watched(self, items: Iterable[Item | Failure]) -> Iterator[Item | Failure]:
        """Yield documents as they come, and note which rows there are, and what cannot be read."""
        for item in items:
            if isinstance(item, Failure):
                self._looked.note_failure(item)
            elif item.origin.kind == ROW and item.origin.file is not None:
                self._looked.note_row(item.origin.file, _row_of(item.origin))
            yield item

    def missing(
        self, database: Database, found: Sequence[DocumentReport]
    ) -> tuple[list[str], list[Left]]:
        """Return the documents whose file or row is gone, and those that are left, and why.

        Parameters
        ----------
        database
            The store's.
        found
            What has become of the documents that were found.
        """
        seen = {uri for each in found for uri in (each.uri, each.renamed_from)}
        gone: list[str] = []
        left: defaultdict[Place, list[str]] = defaultdict(list)
        for document, looked in self._all(database):
            if document.uri in seen:
                continue
            if looked is True:
                gone.append(document.uri)
            elif isinstance(looked, Place):
                left[looked].append(document.uri)
        return gone, [Left(*about, uris) for about, uris in left.items()]

    def renamed(self, database: Database) -> dict[str, FromFile]:
        """Return files that are documents under another name, by their addresses.

        Each has the bytes of one document whose file is gone, and no other file that is new has
        them.
        """
        lost: defaultdict[str, list[FromFile]] = defaultdict(list)
        for document, looked in self._all(database):
            if looked is True and document.origin.kind == FILE:
                lost[document.source_hash].append(document)
        if not lost:
            return {}
        found: defaultdict[str, list[str]] = defaultdict(list)
        for uri, name in self._new_files(database).items():
            digest = _hash_of(name)
            if digest is not None and digest in lost:
                found[digest].append(uri)
        return {
            uris[0]: lost[digest][0]
            for digest, uris in found.items()
            if len(uris) == len(lost[digest]) == 1
        }

    def _all(self, database: Database) -> Iterator[tuple[FromFile, Gone]]:
        """Yield the documents of files, and whether each is gone."""
        self._looked.look_again()
        with database.reading() as session:
            known = from_files(session)
        for document in known:
            origin = document.origin
            if origin.file is not None:
                row = _row_of(origin) if origin.kind == ROW else None
                yield document, self._looked.gone(origin.file, row)

    def _new_files(self, database: Database) -> dict[str, str]:
        """Return the files that the store has not known yet, by their addresses."""
        files = {
            uri_of(source, self.root): source.name
            for source in self.sources
            if source.problem is None and source.name != STDIN
            if self.reading.format_of(source) not in TABLES
        }
        with database.reading() as session:
            known = known_uris(session, list(files))
        return {uri: name for uri, name in files.items() if uri not in known}


def _row_of(origin: Origin) -> RowKey:
    return RowKey(origin.row, origin.id_column)


def _hash_of(name: str) -> str | None:
    """Return the hash of a file; None if it is empty, or cannot be read."""
    try:
        with Path(name).open("rb") as file:
            if not file.peek(1):
                return None
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
