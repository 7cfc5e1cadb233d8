"""Missing documents of an import: those whose file or row was looked for, and is gone."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.io.finding import NO_FILE
from chunkwright.io.sources import STDIN, TABLES, Failure
from chunkwright.store.importing.report import Left
from chunkwright.store.importing.sources import Item, path_of, uri_of
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
    _files: set[str] = field(default_factory=set)
    _problems: dict[str, str] = field(default_factory=dict)
    _tables: dict[str, str] = field(default_factory=dict)
    _rows: dict[str, set[Origin]] = field(default_factory=dict)
    _emptiness: dict[str, bool] = field(default_factory=dict)
    _blocked: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for source in self.sources:
            path = None if source.name == STDIN else path_of(source.name)
            if path is None:
                continue
            if source.problem is not None:
                self._problems[path] = source.problem
                continue
            self._files.add(path)
            if self.reading.format_of(source) in TABLES:
                self._tables[path] = source.path

    def watched(self, items: Iterable[Item | Failure]) -> Iterator[Item | Failure]:
        """Yield documents as they come, and note which rows there are, and what cannot be read."""
        for item in items:
            if isinstance(item, Failure):
                file = path_of(item.source.name)
                if file is not None and (file in self._tables or _is_of_disk(item.error)):
                    self._problems[file] = _NOT_READ
            elif item.origin.kind == ROW and item.origin.file is not None:
                self._rows.setdefault(item.origin.file, set()).add(item.origin)
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
        left: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for document, looked in self._all(database):
            if document.uri in seen:
                continue
            if looked is True:
                gone.append(document.uri)
            elif looked:
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

    def _all(self, database: Database) -> Iterator[tuple[FromFile, bool | tuple[str, str]]]:
        """Yield the documents of files, and whether each is gone, as :meth:`_looked` tells it."""
        self._emptiness.clear()
        self._blocked.clear()
        with database.reading() as session:
            known = from_files(session)
        for document in known:
            yield document, self._looked(document.origin)

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

    def _looked(self, origin: Origin) -> bool | tuple[str, str]:
        """Return whether a document is gone; a place, and why, if that cannot be told."""
        file = origin.file
        if file is None:
            return False
        if origin.kind == ROW and file in self._tables:
            return self._looked_in_table(file, origin)
        folders = [each for each in self.folders if is_below(file, each)]
        if not folders or file in self._files:
            return False
        found = [self._looked_in_folder(file, folder) for folder in folders]
        # One that was looked through to its end knows.
        return next((each for each in found if isinstance(each, bool)), found[0])

    def _looked_in_table(self, file: str, origin: Origin) -> bool | tuple[str, str]:
        rows = self._rows.get(file, set())
        if origin in rows:
            return False
        place = self._tables[file]
        if file in self._problems:
            return place, self._problems[file]
        if not rows:
            return place, "it has no rows"
        # Rows that are called by another column were not looked for.
        return origin.id_column == next(iter(rows)).id_column

    def _looked_in_folder(self, file: str, folder: str) -> bool | tuple[str, str]:
        named = self.folders[folder]
        try:
            if not is_gone(file):
                return False
            parent = _parent_of(file)
            if not is_below(parent, folder):
                return named, NO_FILE
            if self._is_empty(parent):
                inside = os.path.relpath(parent, folder)
                return os.path.normpath(os.path.join(named, inside)), _EMPTY  # noqa: PTH118
        except OSError as error:
            return named, f"{error.filename}: {error.strerror}"
        problem = self._problem_in(folder)
        return True if problem is None else (named, problem)

    def _problem_in(self, folder: str) -> str | None:
        """Return why a folder could not be looked through to its end; None if it was."""
        if folder not in self._blocked:
            first = next((each for each in self._problems if is_below(each, folder)), None)
            said = None if first is None else self._problems[first]
            if first not in {None, folder}:
                said = f"{os.path.relpath(str(first), folder)}: {said}"
            self._blocked[folder] = said
        return self._blocked[folder]

    def _is_empty(self, folder: str) -> bool:
        if folder not in self._emptiness:
            with os.scandir(folder) as entries:
                self._emptiness[folder] = next(entries, None) is None
        return self._emptiness[folder]


def is_below(path: str, folder: str) -> bool:
    """Return whether an absolute path is that of a folder, or of what is in it, as written."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def is_gone(path: str) -> bool:
    """Return whether there is nothing of that name.

    Raises
    ------
    OSError
        If that cannot be told.
    """
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    return False


def _parent_of(file: str) -> str:
    """Return the innermost folder of a file that is gone which is there."""
    parent = Path(file).parent
    while not parent.is_dir() and parent != parent.parent:
        parent = parent.parent
    return str(parent)


def _is_of_disk(error: Exception) -> bool:
    """Return whether the bytes could not be read, whatever they are."""
    return isinstance(error.__cause__, OSError)


def _hash_of(name: str) -> str | None:
    """Return the hash of a file; None if it is empty, or cannot be read."""
    try:
        with Path(name).open("rb") as file:
            if not file.peek(1):
                return None
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
