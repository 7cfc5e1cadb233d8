"""Origins of documents: what each was read from, by which it is looked for again."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

GIVEN: Final = "given"
"""A document or chunks of the caller, and no file."""
FILE: Final = "file"
"""A whole file."""
ROW: Final = "row"
"""A row of a table."""


class Origin(NamedTuple):
    """What a document was read from.

    Attributes
    ----------
    kind
        ``GIVEN``, ``FILE`` or ``ROW``; None: it is not known, since an older version
        imported it.
    file
        The absolute path of the file; None: there is none, or it is not known, or UTF-8 cannot say
        it.
    row
        The row's id, or its number.
    id_column
        The column that the id is in; None: the row has its number.
    """

    kind: str | None
    file: str | None = None
    row: str | None = None
    id_column: str | None = None


COLUMNS: Final = ("origin", "file", "row_key", "id_column")
"""The columns of documents that an origin stands in, in order."""


def path_of(name: str) -> str | None:
    """Return the absolute path of a file, as the store has it; None if UTF-8 cannot say it."""
    path = os.path.abspath(name)  # noqa: PTH100 - as many as files: a Path is slow to make
    try:
        path.encode()
    except UnicodeEncodeError:
        return None
    return path


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
