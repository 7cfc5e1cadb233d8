"""Cache of a reranker's scores on disk, so that no pair is scored twice by the same model."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError
from chunkwright.files.disk_cache import DiskCache, digest
from chunkwright.retrieval.rerank.protocol import (
    Reranker,
    RerankerLike,
    as_reranker,
)
from chunkwright.retrieval.rerank.scores import checked_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KIND = "scores"
_SCORE = Struct("<d")


def with_cached_scores(like: RerankerLike, folder: str | os.PathLike[str]) -> Reranker:
    """Return a reranker whose scores are kept, if it has a fingerprint and keeps none itself.

    Parameters
    ----------
    like
        See `as_reranker`.
    folder
        Where scores are kept.
    """
    reranker = as_reranker(like)
    if isinstance(reranker, CachedReranker) or not reranker.fingerprint:
        return reranker
    return CachedReranker(reranker, folder=folder)


@dataclass(frozen=True)
class CachedReranker:
    """A reranker whose scores are kept on disk, by the hash of question and text.

    Parameters
    ----------
    reranker
        Gives the scores that are not there; see `as_reranker`.
    folder
        Where scores are kept.
    name
        Says which model it is, for one that has no fingerprint, such as a callable.

    Raises
    ------
    ConfigError
        If it is no reranker, or has neither a fingerprint nor a name.
    """

    reranker: RerankerLike
    folder: str | os.PathLike[str] = field(kw_only=True)
    name: str = field(default="", kw_only=True)
    _model: Reranker = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_model", as_reranker(self.reranker))
        if not self.fingerprint:
            raise ConfigError(f"name is needed to keep the scores of {self.reranker!r}")

    @property
    def fingerprint(self) -> str:
        """That of the reranker, or the name."""
        return f"named:{self.name}" if self.name else self._model.fingerprint

    @property
    def concurrent(self) -> bool:
        """Whether the reranker may be called by several threads at once."""
        return getattr(self._model, "concurrent", False) is True

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return the score of each text.

        Raises
        ------
        ModelError
            If the reranker fails.
        """
        disk = DiskCache(Path(self.folder), _KIND, self.fingerprint)
        keys = {text: digest(f"{len(question)} {question}{text}") for text in texts}
        kept = disk.get(list(keys.values()))
        unpacked = {
            text: _SCORE.unpack(kept[key])[0]
            for text, key in keys.items()
            if len(kept.get(key, b"")) == _SCORE.size
        }
        # What is no score was not put there by a reranker.
        known = {text: score for text, score in unpacked.items() if math.isfinite(score)}
        missing = [text for text in keys if text not in known]
        if missing:
            made = checked_scores(self._model.scores(question, missing), len(missing))
            new = dict(zip(missing, made.tolist(), strict=True))
            disk.put({keys[text]: _SCORE.pack(score) for text, score in new.items()})
            known |= new
        return checked_scores([known[text] for text in texts], len(texts))
