"""Database of a store: the protocol that SQLite and PostgreSQL follow.

Statements are one text for all databases: portable SQL with ``?`` for each parameter. JSON is a
``str`` and bytes are ``bytes`` in Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

Row = tuple[Any, ...]


class Session(Protocol):
    """One transaction."""

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a query."""

    def row(self, sql: str, parameters: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query; None if it has none."""

    def among(
        self, sql: str, values: Sequence[object], parameters: Sequence[object] = ()
    ) -> list[Row]:
        """Return the rows of a query for any number of values.

        Parameters
        ----------
        sql
            The query; it ends with ``IN``, in whose place any of the values stands.
        values
            The values.
        parameters
            Those of the query before.
        """

    def run(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Run a statement; return how many rows it has changed."""

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows into a table, with all columns in the order of the schema."""

    def delete(self, table: str, column: str, values: Sequence[object]) -> int:
        """Delete the rows that have one of any number of values; return how many."""


class VectorBlobs(NamedTuple):
    """Vectors as bytes: rows of half floats, one after another, little-endian.

    Attributes
    ----------
    slots
        The number of the row of each input, by the hash of the input.
    n_dims
        The numbers of a row.
    blobs
        The bytes, a whole number of rows each.
    """

    slots: dict[bytes, int]
    n_dims: int
    blobs: list[bytes]


class Query(NamedTuple):
    """A search among the vectors of a model.

    Attributes
    ----------
    model
        The number of the model.
    vector
        Of the question, of unit length.
    k
        How many are looked for.
    where
        A condition over ``p`` (placements) and ``d`` (documents); empty for all.
    parameters
        Those of the condition.
    """

    model: int
    vector: NDArray[np.float32]
    k: int
    where: str = ""
    parameters: Sequence[object] = ()


class Nearest(NamedTuple):
    """Vectors that an index of the database found.

    Attributes
    ----------
    places
        Document and ordinal of each placement.
    cosines
        The cosine of each.
    is_complete
        Whether there are as many as were asked for, or no more.
    """

    places: list[tuple[int, int]]
    cosines: list[float]
    is_complete: bool


class VectorTable(Protocol):
    """Vectors of inputs by model and the hash of the input."""

    def missing(self, session: Session, model: int, hashes: Sequence[bytes]) -> list[bytes]:
        """Return which of these inputs have no vector, each once, in order."""

    def add(
        self, session: Session, model: int, hashes: Sequence[bytes], vectors: NDArray[np.float32]
    ) -> None:
        """Keep vectors of unit length of inputs that have none; shape ``(n, d)``."""

    def count(self, session: Session, model: int) -> int:
        """Return how many vectors there are."""

    def unused(
        self, session: Session, model: int, among: Sequence[bytes] | None = None
    ) -> list[bytes]:
        """Return the hashes of inputs that have a vector, and stand in no version any more.

        None for `among`: all are looked at.
        """

    def blobs(self, session: Session, model: int) -> VectorBlobs:
        """Return all vectors of a model."""

    def some(self, session: Session, model: int, hashes: Sequence[bytes]) -> VectorBlobs:
        """Return the vectors of inputs, of those that have any."""

    def drop(self, session: Session, model: int, hashes: Sequence[bytes]) -> None:
        """Remove the vectors of inputs."""

    def has_index(self, session: Session, model: int) -> bool:
        """Return whether :meth:`nearest` finds vectors of a model; else all are to be read."""

    def nearest(self, session: Session, query: Query) -> Nearest | None:
        """Return the nearest placements of current versions, by an index.

        None: the model has no index.
        """


class Database(Protocol):
    """A database that holds the tables of a store.

    Its threads may share it. A writer sees what was committed before it began; readers see one
    state each.
    """

    name: str
    """Its address without a password, for messages."""

    vectors: VectorTable

    def reading(self) -> AbstractContextManager[Session]:
        """Open a transaction that sees one state and changes nothing.

        Raises
        ------
        StoreError
            If the database fails.
        """

    def writing(self, *, waits: bool = True) -> AbstractContextManager[Session]:
        """Open a transaction that is committed at the end, or not at all if something raises.

        Writers follow one another.

        Parameters
        ----------
        waits
            Whether to wait while another one writes.

        Raises
        ------
        StoreError
            If the database fails, or another writer does not end.
        """

    def check_writable(self) -> None:
        """Raise at once where nothing can be written, before anything is read or embedded.

        Raises
        ------
        StoreError
            If the store is open for reading only.
        """

    def settle(self) -> None:
        """Bring up to date what searches are faster with, behind many writes.

        It may take minutes, while others read and write.

        Raises
        ------
        StoreError
            If the database cannot be read.
        """

    def backup(self, path: Path) -> None:
        """Write one state of the store into a file that is not there yet, while others write.

        Raises
        ------
        StoreError
            If the database fails, or has other means for that.
        """

    def scrub(self) -> bool:
        """Overwrite what was deleted, as far as the database can.

        Returns
        -------
        bool
            Whether nothing of it is left in the files that the store itself writes.

        Raises
        ------
        StoreError
            If the database fails: what was deleted stays so.
        """

    def close(self) -> None:
        """Close all connections."""
