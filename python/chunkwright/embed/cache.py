"""Cache of vectors on disk, so that no text is embedded twice by the same model."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright.checks import checked_callable, checked_path, checked_text
from chunkwright.embed.protocol import Embed, Embedder, EmbedderLike, as_embedder, query_method
from chunkwright.embed.texts import EmbeddingFunction, Progress, checked_texts, tell_nobody
from chunkwright.embed.vectors import matrix_of
from chunkwright.errors import ConfigError, ModelError
from chunkwright.files.disk_cache import DiskCache, cache_folder_of, clear, digest, stored_files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = dict[bytes, NDArray[np.float32]]

# Vectors that are computed before they are kept: an interrupt loses so many.
BLOCK = 1024
_KIND = "vectors"
# Before a query, where its vector is kept: no text of a passage is likely to begin so.
_QUERY = "\0query\0"


@dataclass(frozen=True)
class Cached(EmbeddingFunction):
    """An embedder whose vectors are kept on disk.

    Vectors are kept as float32, by the model's fingerprint and the SHA-256 of the text; the texts
    are not kept. Several processes and threads may share a folder. A file that is damaged, or that
    another version wrote, is renamed with a warning. If the folder cannot be written, there is a
    warning, and vectors are computed again each time.

    Parameters
    ----------
    embedder
        The embedder for vectors that are not in the cache; see
        :func:`chunkwright.embed.as_embedder`.
    folder
        The folder of the cache; None: see :func:`cache_folder`.
    name
        The name of a model without a fingerprint, such as a callable. Another version of the
        model needs another name.
    progress
        A function that the embedding thread calls with the number of finished texts and the total.

    Raises
    ------
    ConfigError
        If `embedder` is not an embedder, or has neither a fingerprint nor a name.

    Examples
    --------
    >>> import tempfile
    >>> from chunkwright.embed import Cached
    >>> def embed(texts):
    ...     print("embedding", texts)
    ...     return [[len(text), 1.0] for text in texts]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     embedder = Cached(embed, name="lengths", folder=folder)
    ...     first, second = embedder.embed(["one", "two"]), embedder.embed(["two", "three"])
    embedding ['one', 'two']
    embedding ['three']
    >>> second
    array([[3., 1.],
           [5., 1.]], dtype=float32)
    """

    embedder: EmbedderLike
    folder: str | os.PathLike[str] | None = field(default=None, kw_only=True)
    name: str | None = field(default=None, kw_only=True)
    progress: Progress | None = field(default=None, kw_only=True, repr=False, compare=False)
    _embedder: Embedder = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.progress is not None:
            checked_callable("progress", self.progress)
        if self.folder is not None:
            checked_path("folder", self.folder)
        if self.name is not None:
            checked_text("name", self.name)
        object.__setattr__(self, "_embedder", as_embedder(self.embedder))
        if not self.fingerprint:
            raise ConfigError(f"name is needed to keep the vectors of {self.embedder!r}")
        checked_text("fingerprint", self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the embedder, or the name."""
        return f"named:{self.name}" if self.name else self._embedder.fingerprint

    @property
    def concurrent(self) -> bool:
        """Whether the embedder may be called by several threads at once."""
        return getattr(self._embedder, "concurrent", False) is True

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text: float32 of shape ``(len(texts), d)``.

        Raises
        ------
        ModelError
            If the embedder gives something else than a vector for each text.
        """
        return self._found(texts, self._embedder.embed, "")

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each query; raises as ``embed``.

        They are kept apart from vectors of passages if the embedder distinguishes the two.
        """
        embed = query_method(self._embedder)
        return self._found(texts, embed or self._embedder.embed, _QUERY if embed else "")

    def remember(self, texts: Sequence[str], vectors: NDArray[np.floating[Any]]) -> None:
        """Store known vectors of passages, one for each text."""
        import numpy as np

        rows = matrix_of(vectors, len(texts)).astype("<f4", copy=False)
        found = dict(zip(map(digest, texts), np.asarray(rows), strict=True))
        disk = DiskCache(Path(self.folder or cache_folder()), _KIND, self.fingerprint)
        disk.put({key: row.tobytes() for key, row in _finite(found).items()})

    def _found(self, texts: Sequence[str], embed: Embed, kind: str) -> NDArray[np.floating[Any]]:
        import numpy as np

        given = checked_texts(texts)
        keys = {text: digest(kind + text) for text in given}
        if not keys:
            return np.zeros((0, 1), dtype=np.float32)
        folder = cache_folder() if self.folder is None else Path(self.folder)
        disk = DiskCache(folder, _KIND, self.fingerprint)
        vectors = _decoded(disk.get(list(keys.values())))
        vectors |= self._computed(keys, embed, vectors, disk)
        if len({len(vector) for vector in vectors.values()}) > 1:
            # The model has changed under its name: what is kept is of the one before.
            vectors = self._computed(keys, embed, {}, disk)
        try:
            return np.stack([vectors[keys[text]] for text in given])
        except ValueError as error:
            raise ModelError("the embedder gave vectors of different lengths") from error

    def _computed(
        self, keys: dict[str, bytes], embed: Embed, there: Vectors, disk: DiskCache
    ) -> Vectors:
        """Return the vectors of all texts whose keys are not there, and keep them."""
        import numpy as np

        tell = self.progress or tell_nobody
        missing = [text for text, key in keys.items() if key not in there]
        made: Vectors = {}
        tell(len(there), len(keys))
        for start in range(0, len(missing), BLOCK):
            texts = missing[start : start + BLOCK]
            rows = matrix_of(embed(texts), len(texts))
            # Numbers that are too large become infinite: not kept, and seen by a later check.
            with np.errstate(over="ignore"):
                rows = rows.astype("<f4", copy=False)
            found = {keys[text]: row for text, row in zip(texts, rows, strict=True)}
            disk.put({key: row.tobytes() for key, row in _finite(found).items()})
            made |= found
            tell(len(there) + len(made), len(keys))
        return made


def _decoded(values: Mapping[bytes, bytes]) -> Vectors:
    """Return the vectors among values: what has no whole numbers in it is as good as absent."""
    import numpy as np

    size = np.dtype("<f4").itemsize
    whole = {key: value for key, value in values.items() if value and not len(value) % size}
    return _finite({key: np.frombuffer(value, dtype="<f4") for key, value in whole.items()})


def _finite(vectors: Vectors) -> Vectors:
    import numpy as np

    if not vectors or np.isfinite(np.concatenate(list(vectors.values()))).all():
        return vectors
    return {key: row for key, row in vectors.items() if np.isfinite(row).all()}


def cache_folder() -> Path:
    """Return the default folder of vectors, which need not exist.

    It is ``vectors`` in the folder that the environment variable ``CHUNKWRIGHT_CACHE`` names, or
    else in the system's folder for caches of the user.

    Raises
    ------
    MissingExtraError
        If the library platformdirs is needed and not installed.
    """
    return cache_folder_of(_KIND)


@dataclass(frozen=True)
class CachedModel:
    """A file of vectors in a cache.

    Parameters
    ----------
    path
        The file.
    model
        The fingerprint of the model; None if the file cannot be read.
    entries
        The number of texts that have a vector.
    bytes
        The size on disk.
    """

    path: Path
    model: str | None
    entries: int
    bytes: int


def cached_models(folder: str | os.PathLike[str] | None = None) -> list[CachedModel]:
    """Return the contents of a cache, by model.

    Parameters
    ----------
    folder
        The cache; None: see :func:`cache_folder`.
    """
    root = cache_folder() if folder is None else Path(folder)
    return [CachedModel(*file) for file in stored_files(root, _KIND)]


def clear_cache(folder: str | os.PathLike[str] | None = None) -> int:
    """Remove all files of a cache, damaged ones included; return their number.

    Parameters
    ----------
    folder
        The cache; None: see :func:`cache_folder`.
    """
    return clear(cache_folder() if folder is None else Path(folder), _KIND)
