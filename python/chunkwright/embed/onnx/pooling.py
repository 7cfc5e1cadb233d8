"""Pooling: the vector of a text from those of its tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright.embed.files import read_object
from chunkwright.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float32]
    # Of shape (texts, tokens), 1 at tokens and 0 at padding.
    Mask: TypeAlias = NDArray[np.float32]

# The old flag of each mode, in the order in which the results of several follow one another.
_FLAGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
MODES = tuple(_FLAGS.values())


def read_modes(folder: Path, *, has_prompt: bool) -> tuple[str, ...]:
    """Return how the ``config.json`` of a folder says that vectors of tokens become one.

    Raises
    ------
    ModelError
        If it cannot be read, or says something unknown; names file and key.
    """
    file = folder / "config.json"
    config = read_object(file)
    if has_prompt and config.get("include_prompt") is False:
        key = "'include_prompt': false"
        raise ModelError(f"{key} of {str(file)!r} is not supported with a prompt")
    named = config.get("pooling_mode")
    if named is None:
        on = tuple(mode for flag, mode in _FLAGS.items() if config.get(flag) is True)
        return on or ("mean",)
    modes = tuple(named) if isinstance(named, list) else (named,)
    if not modes or any(mode not in MODES for mode in modes):
        raise ModelError(f"'pooling_mode' of {str(file)!r} is unknown: {named!r}")
    return modes


def pool(tokens: Floats, mask: Mask, modes: tuple[str, ...]) -> Floats:
    """Return one vector for each text; tokens are padded at their end.

    Parameters
    ----------
    tokens
        Shape ``(texts, tokens, d)``.
    mask
        Shape ``(texts, tokens)``: which are no padding. Each text has at least one token.
    modes
        What is done with the tokens of a text; several results follow one another.
    """
    import numpy as np

    pooled = [_POOLS[mode](tokens, mask) for mode in modes]
    return pooled[0] if len(pooled) == 1 else np.concatenate(pooled, axis=1)


def _sum(tokens: Floats, weights: Mask) -> Floats:
    import numpy as np

    # A product of matrices for each text: no copy of all tokens is made.
    summed: Floats = np.matmul(weights[:, None, :], tokens)[:, 0]
    return summed


def _mean(tokens: Floats, mask: Mask) -> Floats:
    mean: Floats = _sum(tokens, mask) / mask.sum(axis=1, keepdims=True)
    return mean


def _mean_sqrt(tokens: Floats, mask: Mask) -> Floats:
    import numpy as np

    mean: Floats = _sum(tokens, mask) / np.sqrt(mask.sum(axis=1, keepdims=True))
    return mean


def _weighted_mean(tokens: Floats, mask: Mask) -> Floats:
    import numpy as np

    weights = mask * np.arange(1, mask.shape[1] + 1, dtype=np.float32)
    return _mean(tokens, weights)


def _max(tokens: Floats, mask: Mask) -> Floats:
    import numpy as np

    largest: Floats = np.where(mask[:, :, None] > 0, tokens, np.float32(-np.inf)).max(axis=1)
    return largest


def _first(tokens: Floats, _mask: Mask) -> Floats:
    return tokens[:, 0]


def _last(tokens: Floats, mask: Mask) -> Floats:
    import numpy as np

    at = mask.sum(axis=1).astype(np.intp) - 1
    last: Floats = tokens[np.arange(len(tokens)), at]
    return last


_POOLS: dict[str, Callable[[Any, Any], Any]] = {
    "cls": _first,
    "max": _max,
    "mean": _mean,
    "mean_sqrt_len_tokens": _mean_sqrt,
    "weightedmean": _weighted_mean,
    "lasttoken": _last,
}


@dataclass(frozen=True)
class Normalize:
    """Makes vectors unit length."""

    def __call__(self, vectors: Floats) -> Floats:
        """Return the vectors with a norm of 1; those of zeros as they are."""
        import numpy as np

        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Floats = vectors / np.maximum(norms, np.float32(1e-12))
        return unit
