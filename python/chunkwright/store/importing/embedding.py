"""Embedding of what a store searches: vectors of unit length, by the model's fingerprint."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from chunkwright.embed import Lexical, as_embedder, core_embedders
from chunkwright.embed.naming import name_of
from chunkwright.embed.vectors import of_unit_length
from chunkwright.errors import ConfigError, ModelError
from chunkwright.store.drafts import stored_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from chunkwright.embed import EmbedderLike
    from chunkwright.store.database.protocol import Session, VectorTable

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
    is_given
        Whether it embeds no passages: all that it has are vectors that callers give.

    Raises
    ------
    ConfigError
        If it is none, or one whose vectors cannot be kept.
    """

    def __init__(self, embedder: EmbedderLike) -> None:
        own = as_embedder(embedder)
        if isinstance(own, Lexical):
            message = (
                '"lexical" weighs words by the texts that are embedded with them, so its vectors'
                " cannot be kept: a store searches by words without it"
            )
            raise ConfigError(message, option="embedder")
        self._embedder = embedder
        self.is_given: bool = getattr(own, "is_given", False)
        self._passages, _ = core_embedders(embedder)

    @cached_property
    def fingerprint(self) -> str:
        """By which its vectors are known; raises as :func:`chunkwright.embed.naming.name_of`."""
        return name_of(self._embedder)

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

    @staticmethod
    def _renew(session: Session, vectors: VectorTable, number: int, n_dims: int) -> None:
        """Let a model have other dimensions, unless a block of a current version has its vector."""
        used = session.rows(
            "SELECT DISTINCT p.input_hash FROM placements p JOIN documents d"
            " ON d.id = p.document AND d.current_version = p.version"
        )
        hashes = list(vectors.blobs(session, number).slots)
        if {row[0] for row in used}.intersection(hashes):
            return
        vectors.drop(session, number, hashes)
        # A database may have an index of vectors of this number: the next model has another one.
        sql = "UPDATE models SET id = (SELECT max(id) + 1 FROM models), n_dims = ? WHERE id = ?"
        session.run(sql, (n_dims, number))

    def write(
        self, session: Session, table: VectorTable, vectors: Mapping[bytes, NDArray[np.float32]]
    ) -> None:
        """Write vectors of texts, by their hashes, but those that were written meanwhile.

        Raises
        ------
        ModelError
            If vectors that are in use have other dimensions.
        """
        import numpy as np

        number, n_dims = self.model(session) or (None, None)
        size = len(next(iter(vectors.values())))
        if number is not None and n_dims != size:
            self._renew(session, table, number, size)
        model = self._known_model(session, size)
        missing = table.missing(session, model, list(vectors))
        if missing:
            table.add(session, model, missing, np.stack([vectors[each] for each in missing]))

    def write_used(
        self, session: Session, table: VectorTable, vectors: Mapping[bytes, NDArray[np.float32]]
    ) -> None:
        """Write vectors of texts, but of those that no version has any more."""
        sql = "SELECT DISTINCT input_hash FROM placements WHERE input_hash IN"
        used = {row[0] for row in session.among(sql, list(vectors))}
        if used:
            self.write(session, table, {key: vectors[key] for key in vectors if key in used})

    def _known_model(self, session: Session, n_dims: int) -> int:
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


def given_vectors(given: Mapping[str, ArrayLike | None] | None) -> dict[str, Any]:
    """Return vectors that a caller gave, of unit length, by the addresses of documents.

    Raises
    ------
    ModelError
        If one is no row of finite numbers, or they differ in size.
    """
    import numpy as np

    found: dict[str, Any] = {}
    size = None
    for uri, vector in (given or {}).items():
        if vector is None:
            found[stored_text(uri)] = None
            continue
        row = np.asarray(vector, np.float32)
        if row.ndim != 1 or not row.size or not np.isfinite(row).all():
            raise ModelError(f"the vector of {uri!r} is no row of finite numbers")
        size = size or row.size
        if row.size != size:
            raise ModelError(f"vectors of several dimensions: {size} and {row.size}")
        found[stored_text(uri)] = of_unit_length(row[None])[0]
    return found


def vectors_of(
    session: Session, table: VectorTable, model: str, blocks: Sequence[str]
) -> dict[str, NDArray[np.float32]]:
    """Return vectors of blocks of current versions, of those that have one of a model.

    Parameters
    ----------
    session, table
        The transaction, and the store's vectors.
    model
        The fingerprint of the model.
    blocks
        The ids of the blocks.
    """
    import numpy as np

    known = session.row("SELECT id FROM models WHERE fingerprint = ?", (model,))
    if known is None:
        return {}
    hashes: dict[str, bytes] = dict(
        session.among(
            "SELECT p.block, p.input_hash FROM placements p JOIN documents d"
            " ON d.id = p.document AND d.current_version = p.version WHERE p.block IN",
            blocks,
        )
    )
    slots, n_dims, blobs = table.some(session, known[0], list(hashes.values()))
    rows = np.frombuffer(b"".join(blobs), "<f2").reshape(-1, max(1, n_dims)).astype(np.float32)
    return {block: rows[slots[each]] for block, each in hashes.items() if each in slots}
