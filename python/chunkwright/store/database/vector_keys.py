"""Keys of vectors, by model and hash of input: queries that all databases answer alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Session


class VectorKeys:
    """Which inputs have a vector of a model.

    Attributes
    ----------
    table
        The table that has a row ``(model, input_hash)`` for each vector.
    """

    table: ClassVar[str]

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

    def hashes(self, session: Session, model: int) -> list[bytes]:
        """Return the hashes of the inputs that have vectors."""
        sql = f"SELECT input_hash FROM {self.table} WHERE model = ?"  # noqa: S608 - as above
        return [row[0] for row in session.rows(sql, (model,))]


def n_dims_of(session: Session, model: int) -> int:
    """Return how many numbers a vector of a model has; 0 if there is no such model."""
    row = session.row("SELECT n_dims FROM models WHERE id = ?", (model,))
    return 0 if row is None else int(row[0])
