"""Names of inputs: what documents are called, wherever the command that reads them is started."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from chunkwright.errors import ConfigError, ReadError


@dataclass(frozen=True)
class RowNames:
    """Names of rows: that of their file, and their numbers from ``first`` on, if that is known.

    Examples
    --------
    >>> RowNames("rows.jsonl")[11], RowNames("rows.jsonl", None)[11]
    ('rows.jsonl:12', 'rows.jsonl')
    """

    file: str
    first: int | None = 1

    def __getitem__(self, row: int) -> str:
        return self.file if self.first is None else f"{self.file}:{self.first + row}"

    def behind(self, rows: int) -> "RowNames":
        """Return the names of the rows behind so many of these."""
        return RowNames(self.file, None if self.first is None else self.first + rows)


def name_of_row(value: object, said: Callable[[], str]) -> str:
    """Return what a row is called by a value of it.

    Raises
    ------
    ReadError
        If it is neither a string nor an integer, behind what is ``said`` it is.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ReadError(f"{said()}, not a string or an integer")
    return str(value)


def name_below(path: str, folder: str) -> str:
    """Return a path relative to the folder that it was found in, ``./`` dropped.

    Examples
    --------
    >>> name_below("./docs/more/a.md", "docs/"), name_below("../a.md", "..")
    ('more/a.md', 'a.md')
    """
    path, folder = os.path.normpath(path), os.path.normpath(folder or os.curdir)
    inside = path if folder == os.curdir else path.removeprefix(folder).lstrip(os.sep)
    # Of many paths: each is normal already, and a Path is slow to make.
    return inside.replace(os.sep, "/") or os.curdir


def name_in_root(path: str, root: str) -> str:
    """Return a path relative to a folder that the user names.

    Raises
    ------
    ConfigError
        If the path is not in that folder.
    """
    # As they are written, else with all links followed.
    for follow in (os.path.abspath, os.path.realpath):
        inside = os.path.relpath(follow(path), follow(root))
        if inside != os.curdir and PurePath(inside).parts[0] != os.pardir:
            return PurePath(inside).as_posix()
    raise ConfigError(f"root {root!r} does not hold {path!r}: name a folder that holds all inputs")


def told_apart(names: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return names of which no two are equal: equal ones are preceded by folders of their paths.

    Parameters
    ----------
    names
        What the files are called; each is the end of its path.
    paths
        Their paths, all of different files.

    Examples
    --------
    >>> told_apart(["a.md", "a.md", "b.md"], ["old/a.md", "new/a.md", "new/b.md"])
    ['old/a.md', 'new/a.md', 'b.md']
    """
    told = list(names)
    whole: dict[int, tuple[str, ...]] = {}
    while twice := {name for name, n in Counter(told).items() if n > 1}:
        longer = list(told)
        for i, name in enumerate(told):
            if name in twice:
                parts = whole.setdefault(i, PurePath(os.path.abspath(paths[i])).parts)  # noqa: PTH100
                longer[i] = PurePath(*parts[-len(PurePath(name).parts) - 1 :]).as_posix()
        if longer == told:
            break
        told = longer
    return told
