"""Embedders of other frameworks: models with a name, and vectors that are given with texts."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from hashlib import sha256
from threading import local
from typing import TYPE_CHECKING, Any

from chunkwright.embed import as_embedder
from chunkwright.errors import ModelError
from chunkwright.retrieval.retriever import Retriever

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from chunkwright.embed import EmbedderLike
    from chunkwright.store.searching.found import Found
    from chunkwright.store.store import Store

_NAMES = ("model", "model_name", "model_id", "deployment")
# What a model is asked through, and not what it says.
_OPERATIONAL = re.compile(
    "key|token|secret|password|url|base|timeout|retr|batch|chunk|progress|cache|client|proxy"
    "|header|request|thread|worker|device|allowed|disallowed|organi|verbose|limit"
)
_PROBE = "Rain fell on the hills, and nobody counted the drops."


class NamedEmbedder:
    """A model with a name, by which a store knows its vectors.

    Parameters
    ----------
    model
        The model.
    name
        Its name. By default that of its class, what it calls its model, and the options that it was
        made with, such as its dimensions; of a model that calls itself nothing also what it makes
        of a sentence, which is asked once. A model that has a fingerprint keeps that.

    Attributes
    ----------
    is_partial
        Whether blocks without its vectors are found by words: what was imported otherwise is.

    Raises
    ------
    ConfigError
        If it is no model.
    ModelError
        If it fails.
    """

    is_partial = True

    def __init__(self, model: EmbedderLike, name: str | None = None) -> None:
        self._model = as_embedder(model)
        self.fingerprint: str = name or self._model.fingerprint or self._described(model)

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text."""
        return self._model.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each question."""
        of_queries = getattr(self._model, "embed_queries", self._model.embed)
        found: NDArray[np.floating[Any]] = of_queries(texts)
        return found

    def _described(self, model: object) -> str:
        kind = type(model)
        called = next((of for name in _NAMES if (of := getattr(model, name, None))), "")
        parts = [f"{kind.__module__}.{kind.__qualname__}:{called}", *_options(model)]
        return ":".join(parts if called else [*parts, self._sample()])

    def _sample(self) -> str:
        """Return what tells the model by its vectors: how many numbers, and a hash of some."""
        import numpy as np

        vector = np.asarray(self.embed([_PROBE]), np.float64)[0]
        # The last digits differ from machine to machine.
        rounded = np.round(vector / (np.abs(vector).max() or 1.0), 2) + 0.0
        return f"{vector.size}-{sha256(rounded.tobytes()).hexdigest()[:16]}"


def _options(model: object) -> list[str]:
    """Return the options that a model was made with, as JSON; none if it was made without."""
    own = getattr(model, "model_fields_set", None)
    names = own if own is not None else getattr(model, "__dict__", {})
    values = {name: getattr(model, name, None) for name in names if isinstance(name, str)}
    told = {
        name: value
        for name, value in values.items()
        if name not in _NAMES
        and not name.startswith("_")
        and not _OPERATIONAL.search(name.lower())
        and isinstance(value, str | int | float | dict | list | tuple)
    }
    return [json.dumps(told, sort_keys=True, default=repr)] if told else []


class GivenVectors:
    """Vectors that a framework has made, in the place of the model that made them.

    Parameters
    ----------
    name
        The name of the model.

    Attributes
    ----------
    is_partial, is_given
        Texts have the vectors that :meth:`Store.add` is given; those without are found by words.
    """

    is_partial = True
    is_given = True

    def __init__(self, name: str) -> None:
        self.fingerprint = name
        self._own = local()

    @contextmanager
    def asked(self, vector: ArrayLike | None) -> Iterator[None]:
        """Give this vector to questions in the block."""
        self._own.vector = vector
        try:
            yield
        finally:
            del self._own.vector

    def search(
        self, store: Store, question: str, vector: ArrayLike | None, k: int, **options: Any
    ) -> list[Found]:
        """Search a store by a question whose vector is given, if vectors count."""
        with self.asked(vector):
            return store.search(question, k, **options)

    def near(
        self, store: Store, vector: ArrayLike, k: int, **options: Any
    ) -> list[tuple[Found, NDArray[np.float32]]]:
        """Return what is nearest to a vector, each with its own; what has none is left out."""
        options["retriever"] = Retriever.dense(self)
        found = self.search(store, "?", vector, k, **options)
        vectors = _stored_vectors(store, self.fingerprint, [each.block for each in found])
        return [(each, vectors[each.block]) for each in found if each.block in vectors]

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return the vector of the question for each text.

        Raises
        ------
        ModelError
            If no question has one.
        """
        import numpy as np

        vector: ArrayLike | None = getattr(self._own, "vector", None)
        if vector is None:
            raise ModelError(f"{self.fingerprint}: no text has a vector")
        return np.stack([np.asarray(vector, np.float32)] * len(texts))


def _stored_vectors(
    store: Store, fingerprint: str, blocks: Sequence[str]
) -> dict[str, NDArray[np.float32]]:
    """Return the vectors of blocks in current versions, of those that have one of a model."""
    import numpy as np

    database = store._database  # noqa: SLF001 - the package's own
    with database.reading() as session:
        model = session.row("SELECT id FROM models WHERE fingerprint = ?", (fingerprint,))
        if model is None:
            return {}
        hashes: dict[str, bytes] = dict(
            session.among(
                "SELECT p.block, p.input_hash FROM placements p JOIN documents d"
                " ON d.id = p.document AND d.current_version = p.version WHERE p.block IN",
                blocks,
            )
        )
        slots, n_dims, blobs = database.vectors.some(session, model[0], list(hashes.values()))
    rows = np.frombuffer(b"".join(blobs), "<f2").reshape(-1, max(1, n_dims)).astype(np.float32)
    return {block: rows[slots[of]] for block, of in hashes.items() if of in slots}
