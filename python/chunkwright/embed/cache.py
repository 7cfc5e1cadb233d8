"""Vectors that are kept on disk, so that no text is embedded twice by the same model."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from chunkwright.embed.checks import check_progress, check_text, checked_path
from chunkwright.embed.function import EmbeddingFunction
from chunkwright.embed.progress import Progress, tell_nobody
from chunkwright.embed.protocol import Embed, Embedder, EmbedderLike, as_embedder, query_method
from chunkwright.embed.store import DamagedError, Store, described
from chunkwright.embed.texts import checked_texts
from chunkwright.embed.vectors import matrix_of
from chunkwright.errors import ConfigError, MissingExtraError, ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.embed.store import Vector

    Vectors: TypeAlias = dict[bytes, Vector]

T = TypeVar("T")

# So many vectors are computed before they are kept: what is lost when the work is interrupted.
BLOCK = 1024
# Before a query, where its vector is kept: no text of a passage is likely to begin so.
_QUERY = "\0query\0"
# A name that is no other's: whatever else lies in the folder is left alone.
_NAME = re.compile(r"[0-9a-f]{32}\.sqlite")


@dataclass(frozen=True)
class Cached(EmbeddingFunction):
    """An embedder whose vectors are kept on disk.

    Vectors are kept by the model's fingerprint and the text's SHA-256, as float32; texts are not.
    Several processes and threads may share a folder. A file that is damaged, or that another
    version wrote, is set aside with a warning; a folder that cannot be written costs a warning
    and the speed, nothing else.

    Parameters
    ----------
    embedder
        Gives the vectors that are not there; see :func:`chunkwright.embed.as_embedder`.
    folder
        Where vectors are kept; None: see :func:`cache_folder`.
    name
        Says which model it is, for an embedder that has no fingerprint, such as a callable.
        Another version of the model needs another name.
    progress
        Is called with the number of texts done and that of all, by the thread that embeds.

    Raises
    ------
    ConfigError
        If it is no embedder, or has neither a fingerprint nor a name.

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
        check_progress(self.progress)
        if self.folder is not None:
            checked_path("folder", self.folder)
        if self.name is not None:
            check_text("name", self.name)
        object.__setattr__(self, "_embedder", as_embedder(self.embedder))
        if not self.fingerprint:
            raise ConfigError(f"name is needed to keep the vectors of {self.embedder!r}")
        check_text("fingerprint", self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """That of the embedder, or the name."""
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

        They are kept apart from those of passages, if the embedder tells the two from one another.
        """
        embed = query_method(self._embedder)
        return self._found(texts, embed or self._embedder.embed, _QUERY if embed else "")

    def _found(self, texts: Sequence[str], embed: Embed, kind: str) -> NDArray[np.floating[Any]]:
        import numpy as np

        given = checked_texts(texts)
        keys = {text: _hash(kind + text) for text in given}
        if not keys:
            return np.zeros((0, 1), dtype=np.float32)
        kept = _Kept(self._file(), self.fingerprint)
        vectors = kept.get(list(keys.values()))
        vectors |= self._computed(keys, embed, vectors, kept)
        if len({len(vector) for vector in vectors.values()}) > 1:
            # The model has changed under its name: what is kept is of the one before.
            vectors = self._computed(keys, embed, {}, kept)
        try:
            return np.stack([vectors[keys[text]] for text in given])
        except ValueError as error:
            raise ModelError("the embedder gave vectors of different lengths") from error

    def _computed(
        self, keys: dict[str, bytes], embed: Embed, there: Vectors, kept: _Kept
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
            # What is too large becomes infinite: it is not kept, and seen by whoever reads it.
            with np.errstate(over="ignore"):
                rows = rows.astype("<f4", copy=False)
            found = {keys[text]: row for text, row in zip(texts, rows, strict=True)}
            kept.put(found)
            made |= found
            tell(len(there) + len(made), len(keys))
        return made

    def _file(self) -> Path:
        folder = cache_folder() if self.folder is None else Path(self.folder)
        return folder / f"{_hash(self.fingerprint).hex()[:32]}.sqlite"


class _Kept:
    """What is on disk; that nothing can be read or written there is no error, but said once."""

    def __init__(self, file: Path, model: str) -> None:
        self._store = Store(file, model)
        self._is_usable = True

    def get(self, keys: list[bytes]) -> Vectors:
        """Return the vectors that are there."""
        return self._tried(lambda: self._store.get(keys)) or {}

    def put(self, vectors: Vectors) -> None:
        """Keep all vectors whose numbers are finite."""
        import numpy as np

        finite = {key: row for key, row in vectors.items() if np.isfinite(row).all()}
        if finite:
            self._tried(lambda: self._store.put(finite))

    def _tried(self, work: Callable[[], T]) -> T | None:
        if not self._is_usable:
            return None
        import sqlite3

        try:
            try:
                return work()
            except DamagedError as error:
                self._say(f"is set aside as {self._store.set_aside().name!r}: {error}")
                return work()
        except (OSError, sqlite3.Error, DamagedError) as error:
            self._is_usable = False
            self._say(f"cannot be used: {error}")
            return None

    def _say(self, what: str) -> None:
        warnings.warn(f"the cache {str(self._store.file)!r} {what}", RuntimeWarning, stacklevel=7)


def _hash(text: str) -> bytes:
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def cache_folder() -> Path:
    """Return where vectors are kept if nothing else is said; it need not exist.

    It is ``vectors`` in the folder that the environment's ``CHUNKWRIGHT_CACHE`` names, or else in
    the one that the system has for a user's caches.

    Raises
    ------
    MissingExtraError
        If the library platformdirs is needed and not installed.
    """
    if root := os.environ.get("CHUNKWRIGHT_CACHE"):
        return Path(root) / "vectors"
    try:
        from platformdirs import user_cache_path
    except ImportError as error:
        raise MissingExtraError("the cache of vectors", "cache") from error
    return user_cache_path("chunkwright", appauthor=False) / "vectors"


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
        How many texts there are vectors of.
    bytes
        The size on disk.
    """

    path: Path
    model: str | None
    entries: int
    bytes: int


def cached_models(folder: str | os.PathLike[str] | None = None) -> list[CachedModel]:
    """Return what a cache holds, by model.

    Parameters
    ----------
    folder
        The cache; None: see :func:`cache_folder`.
    """
    root = cache_folder() if folder is None else Path(folder)
    files = (file for file in root.glob("*.sqlite") if _NAME.fullmatch(file.name))
    found = [(file, *described(file)) for file in files]
    models = [CachedModel(file, model, n, _bytes_of(file)) for file, model, n in found]
    return sorted(models, key=lambda model: (model.model or "", model.path))


def clear_cache(folder: str | os.PathLike[str] | None = None) -> int:
    """Remove all vectors of a cache, and what was set aside; return how many files there were.

    Parameters
    ----------
    folder
        The cache; None: see :func:`cache_folder`.
    """
    root = cache_folder() if folder is None else Path(folder)
    files = [
        file for file in root.glob("*.sqlite*") if _NAME.match(file.name) and not file.is_dir()
    ]
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _bytes_of(file: Path) -> int:
    parts = file.parent.glob(f"{file.name}*")
    # A link may lead nowhere, and another process may have removed a part by now.
    return sum(
        part.stat().st_size
        for part in parts
        if part.exists() and not part.name.endswith(".damaged")
    )
