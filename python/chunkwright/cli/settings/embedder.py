"""The embedder that settings name."""

from collections.abc import Callable
from dataclasses import replace
from threading import local
from typing import TYPE_CHECKING

from chunkwright.chunking.registry import ALL_STRATEGIES

if TYPE_CHECKING:
    from chunkwright.embed import Embedder

Progress = Callable[[int, int], None]


def takes_embedder(strategy: str) -> bool:
    """Return whether a strategy of that name has use for vectors."""
    return strategy in ALL_STRATEGIES and "embedder" in ALL_STRATEGIES[strategy].models


def named_embedder(name: str, *, is_cached: bool, progress: Progress | None) -> "Embedder":
    """Return the embedder of that name; one of an ONNX model keeps its vectors, if wanted.

    Raises
    ------
    ConfigError, ModelError, MissingExtraError
        If there is no such embedder, or it cannot be used.
    """
    from chunkwright.embed import Cached, Onnx, as_embedder

    embedder = as_embedder(name)
    if not isinstance(embedder, Onnx):
        # The others are faster than a disk.
        return embedder
    if not is_cached:
        return replace(embedder, progress=progress)
    if progress is None:
        return Cached(embedder)
    steps = _Steps(progress)
    return Cached(replace(embedder, progress=steps.within), progress=steps)


class _Steps(local):
    """Progress of a cache, in the small steps of the model behind it, for each thread by itself."""

    def __init__(self, tell: Progress) -> None:
        self._tell = tell
        self._done, self._total = 0, 0

    def __call__(self, done: int, total: int) -> None:
        """Tell how many texts have their vectors, from the cache or from the model."""
        self._done, self._total = done, total
        self._tell(done, total)

    def within(self, done: int, total: int) -> None:
        """Tell how many more the model has embedded; the last of them the cache will count."""
        if done < total:
            self._tell(self._done + done, self._total)
