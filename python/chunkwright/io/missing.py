"""Missing files and rows: those that were read before and no longer exist."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from chunkwright.io.finding import NO_FILE
from chunkwright.io.sources import TABLES, Reading, Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkwright.io.sources import Failure

_EMPTY = "it is empty: a disk that is not mounted, say"
_NOT_READ = "not all of it could be read"


class Place(NamedTuple):
    """A folder or table that cannot tell whether something is gone, and why."""

    name: str
    why: str


class RowKey(NamedTuple):
    """The key of a row of a table: its number, or its id in a column."""

    row: str | None
    id_column: str | None


Gone: TypeAlias = bool | Place
"""Whether something is gone; where that cannot be told, the place that would have it."""


@dataclass
class LookedThrough:
    """Folders and tables that were searched, with their files and rows.

    A file is gone if its folder could be listed to the end, and no longer has it.
    A row is gone if its table was read to the end, and no longer has it.

    Parameters
    ----------
    folders
        The folders that were named, by their absolute paths.
    sources
        What was found in them, and beside them.
    reading
        How files are read.
    """

    folders: Mapping[str, str]
    sources: Sequence[Source] = ()
    reading: Reading = field(default_factory=Reading)
    _files: set[str] = field(default_factory=set)
    _problems: dict[str, str] = field(default_factory=dict)
    _tables: dict[str, str] = field(default_factory=dict)
    _rows: dict[str, set[RowKey]] = field(default_factory=dict)
    _emptiness: dict[str, bool] = field(default_factory=dict)
    _blocked: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for source in self.sources:
            path = source.file
            if path is None:
                continue
            if source.problem is not None:
                self._problems[path] = source.problem
                continue
            self._files.add(path)
            if self.reading.format_of(source) in TABLES:
                self._tables[path] = source.path

    def note_failure(self, failure: Failure) -> None:
        """Note tables that could not be read, and files whose bytes could not."""
        file = failure.source.file
        if file is not None and (file in self._tables or _is_of_disk(failure.error)):
            self._problems[file] = _NOT_READ

    def note_row(self, file: str, row: RowKey) -> None:
        """Note a row that exists."""
        self._rows.setdefault(file, set()).add(row)

    def look_again(self) -> None:
        """Forget the contents of folders, which may have changed."""
        self._emptiness.clear()
        self._blocked.clear()

    def gone(self, file: str, row: RowKey | None = None) -> Gone:
        """Return whether a file, or a row that was read of it, is gone.

        Parameters
        ----------
        file
            Its absolute path.
        row
            The row; None for a file that is one document.
        """
        if row is not None and file in self._tables:
            return self._gone_from_table(file, row)
        folders = [each for each in self.folders if is_below(file, each)]
        if not folders or file in self._files:
            return False
        looked = [self._gone_from_folder(file, folder) for folder in folders]
        # One that was looked through to its end knows.
        return next((each for each in looked if isinstance(each, bool)), looked[0])

    def _gone_from_table(self, file: str, row: RowKey) -> Gone:
        rows = self._rows.get(file, set())
        if row in rows:
            return False
        place = self._tables[file]
        if file in self._problems:
            return Place(place, self._problems[file])
        if not rows:
            return Place(place, "it has no rows")
        # Rows that are called by another column were not looked for.
        return row.id_column == next(iter(rows)).id_column

    def _gone_from_folder(self, file: str, folder: str) -> Gone:
        named = self.folders[folder]
        try:
            if not is_gone(file):
                return False
            parent = _parent_of(file)
            if not is_below(parent, folder):
                return Place(named, NO_FILE)
            if self._is_empty(parent):
                inside = os.path.relpath(parent, folder)
                place = os.path.normpath(os.path.join(named, inside))  # noqa: PTH118
                return Place(place, _EMPTY)
        except OSError as error:
            return Place(named, f"{error.filename}: {error.strerror}")
        problem = self._problem_in(folder)
        return True if problem is None else Place(named, problem)

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


def folders_of(paths: Iterable[str]) -> dict[str, str]:
    """Return those of some paths that are folders, as they are named, by their absolute paths."""
    folders = {Source(path).file: path for path in paths if Path(path).is_dir()}
    return {file: path for file, path in folders.items() if file is not None}


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
