"""Rows of sources and of chunks: their names, their columns, and the columns that are carried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from chunkwright.errors import OptionName, ReadError
from chunkwright.rows import BASE, OF_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from chunkwright import _core
    from chunkwright.chunks import Chunks

NAMES = BASE


class Carried(Protocol):
    """Values of an input row besides its text, which each of its chunks carries."""

    @property
    def size(self) -> int:
        """About as many bytes as it takes."""

    def names(self) -> Iterable[str]:
        """Return the names of the columns."""

    def values(self) -> dict[str, Any]:
        """Return the values by column, as JSON knows them."""


def rows_of(chunks: Chunks, number: int, names: Sequence[str]) -> _core.ArrowBatch:
    """Return the rows of a document's chunks.

    Parameters
    ----------
    chunks
        The chunks.
    number
        The document's number, from 0, among those that are written.
    names
        The columns of the file; see :mod:`chunkwright.rows`.
    """
    columns, rows = chunks.columns, chunks.rows
    return columns.batch(rows, first=number, elements=OF_ELEMENTS[0] in names)


def names_of(strategy: str, has_elements: bool = False) -> tuple[str, ...]:
    """Return the names of the columns that a strategy's chunks have.

    They include the columns of elements if the strategy cuts these or documents may have some.
    """
    from chunkwright.chunking import ALL_STRATEGIES

    more = ALL_STRATEGIES[strategy].columns
    of_elements = OF_ELEMENTS if has_elements and OF_ELEMENTS[0] not in more else ()
    return (*BASE, *of_elements, *more)


def clashing(names: Collection[str], carried: Iterable[str]) -> tuple[str, ...]:
    """Return what is wrong if a carried column has the name of a column of chunks."""
    both = next((name for name in carried if name in names), None)
    if both is None:
        return ()
    named = f"{both!r} is a column of chunks too: name it with ", OptionName("id_column")
    return (*named, ", or leave it out with ", OptionName("drop_columns"), f" {both}")


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

    def behind(self, rows: int) -> RowNames:
        """Return the names of the rows behind so many of these."""
        return RowNames(self.file, None if self.first is None else self.first + rows)


def name_of_row(value: object, said: Callable[[], str]) -> str:
    """Return the name of a row from one of its values.

    Raises
    ------
    ReadError
        If it is neither a string nor an integer, behind what is ``said`` it is.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ReadError(f"{said()}, not a string or an integer")
    return str(value)
