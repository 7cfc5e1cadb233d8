"""Keys of vectors, by model and hash of input: queries that all databases answer alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from chunkwright.store.database.damage import DamageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Session


# More than any model has.
_MOST_DIMS = 2**20


class VectorKeys:
    """Which inputs have a vector of a model.

    Attributes
    ----------
    table
        The table that has a row ``(model, input_hash)`` for each vector.
    order
        That of its rows, as SQL, in which some after others are dropped with the least work.
    """

    table: ClassVar[str]
    order: ClassVar[str] = "input_hash"

    def missing(self, session: Session, model: int, hashes: Sequence[bytes]) -> list[bytes]:
        """Return which of these inputs have no vector, each once, in order."""
        wanted = list(dict.fromkeys(hashes))
        sql = f"SELECT input_hash FROM {self.table} WHERE model = ? AND input_hash IN"  # noqa: S608
        known = {row[0] for row in session.among(sql, wanted, (model,))}
        return [each for each in wanted if each not in known]

    def count(self, session: Session, model: int) -> int:
        """Return how many vectors there are."""
        sql = f"SELECT count(*) FROM {self.table} WHERE model = ?"  # noqa: S608 - a name of its own
        row = session.row(sql, (model,))
        return 0 if row is None else int(row[0])

    def unused(
        self, session: Session, model: int, among: Sequence[bytes] | None = None
    ) -> list[bytes]:
        """Return the hashes of inputs that have a vector, and stand in no version any more.

        Parameters
        ----------
        session
            The transaction.
        model
            The model.
        among
            The inputs that are looked at; None for all.
        """
        sql = (
            f"SELECT v.input_hash FROM {self.table} v WHERE v.model = ? AND NOT EXISTS"  # noqa: S608
            " (SELECT 1 FROM placements p WHERE p.input_hash = v.input_hash)"
        )
        if among is None:
            return [row[0] for row in session.rows(f"{sql} ORDER BY v.{self.order}", (model,))]
        return [row[0] for row in session.among(f"{sql} AND v.input_hash IN", among, (model,))]


def n_dims_of(session: Session, model: int) -> int:
    """Return how many numbers a vector of a model has; 0 if there is no such model.

    Raises
    ------
    DamageError
        If no model has so many.
    """
    row = session.row("SELECT n_dims FROM models WHERE id = ?", (model,))
    n_dims = 0 if row is None else int(row[0])
    if not 0 <= n_dims <= _MOST_DIMS:
        raise DamageError(f"model {model} has vectors of {n_dims} dimensions")
    return n_dims
