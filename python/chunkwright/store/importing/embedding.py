"""Embedding of what a store searches: vectors of unit length, by the model's fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.embed import Lexical, as_embedder, core_embedders
from chunkwright.embed.vectors import of_unit_length
from chunkwright.errors import ConfigError, ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.embed import EmbedderLike
    from chunkwright.store.database.protocol import Session

# Of an embedder that is none by name, so much is shown.
_SHOWN = 80


class Embedding:
    """Embedder of a store.

    Parameters
    ----------
    embedder
        See :func:`chunkwright.embed.as_embedder`.

    Attributes
    ----------
    fingerprint
        By which its vectors are known.

    Raises
    ------
    ConfigError
        If it is none, or has no fingerprint: vectors of two models could not be told apart.
    """

    def __init__(self, embedder: EmbedderLike) -> None:
        own = as_embedder(embedder)
        if isinstance(own, Lexical):
            message = (
                '"lexical" weighs words by the texts that are embedded with them, so its vectors'
                " cannot be kept: a store searches by words without it"
            )
            raise ConfigError(message, option="embedder")
        self.fingerprint: str = own.fingerprint
        if not self.fingerprint:
            message = (
                f"a store knows vectors by the fingerprint of their model, and"
                f" {repr(embedder)[:_SHOWN]} has none: give it an attribute fingerprint"
            )
            raise ConfigError(message, option="embedder")
        self._passages, _ = core_embedders(embedder)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of unit length, shape ``(n, d)``; zeros stay zeros.

        Raises
        ------
        ModelError
            If the embedder fails.
        """
        import numpy as np

        return of_unit_length(np.asarray(self._passages.embed(list(texts)), np.float32))

    def model(self, session: Session) -> tuple[int, int] | None:
        """Return the number of the model in a store, and its dimensions; None if it is new."""
        sql = "SELECT id, n_dims FROM models WHERE fingerprint = ?"
        row = session.row(sql, (self.fingerprint,))
        return None if row is None else (row[0], row[1])

    def known_model(self, session: Session, n_dims: int) -> int:
        """Return the number of the model, which is written if it is new.

        Raises
        ------
        ModelError
            If it had other dimensions before.
        """
        known = self.model(session)
        if known is None:
            row = session.row("SELECT COALESCE(max(id), 0) + 1 FROM models")
            number = 1 if row is None else int(row[0])
            session.insert("models", [(number, self.fingerprint, n_dims)])
            return number
        if known[1] != n_dims:
            raise ModelError(
                f"the embedder gave vectors of {n_dims} dimensions, those in the store of the same"
                f" fingerprint {self.fingerprint[:_SHOWN]!r} have {known[1]}"
            )
        return known[0]
