"""Embedding functions as Chroma's programs call them: with so many texts at a time."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from chunkwright.embed import Cached, EmbedderLike, OpenAICompatible, as_embedder
from chunkwright.embed.vectors import matrix_of
from chunkwright.embed.wrapped import METHODS
from chunkwright.errors import ConfigError, ModelError
from chunkwright.tokens.tokenizer import Tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 500  # texts that an embedding function gets at a time
MINUTE = 60.0
# OpenAI counts more tokens than its tokenizer does.
SHARE_OF_LIMIT = 0.8

Around = Callable[[list[list[str]]], Iterator[list[str]]]


class RateLimiter:
    """Waits before a request that would be more than a model's server allows in a minute.

    Parameters
    ----------
    max_tokens_per_minute
        Four fifths of it are used; None: any number.
    max_requests_per_minute
        None: any number.
    model_name
        The encoding whose tokens are counted.

    Raises
    ------
    ConfigError
        If a limit is below 1.
    """

    def __init__(
        self,
        max_tokens_per_minute: int | None = None,
        max_requests_per_minute: int | None = None,
        model_name: str = "cl100k_base",
    ) -> None:
        for name, limit in (
            ("max_tokens_per_minute", max_tokens_per_minute),
            ("max_requests_per_minute", max_requests_per_minute),
        ):
            if limit is not None and limit < 1:
                raise ConfigError(f"{name} must be at least 1, got {limit!r}")
        unlimited = max_tokens_per_minute is None
        self.max_tokens_per_minute: float | None = (
            None if unlimited else (max_tokens_per_minute or 0) * SHARE_OF_LIMIT
        )
        self.max_requests_per_minute = max_requests_per_minute
        self.tokenizer: Tokenizer = Tokenizer(model_name)
        self._begin()

    def _begin(self) -> None:
        self.tokens_used: int = 0
        self.requests_made: int = 0
        self.window_start: float = time.monotonic()

    def count_tokens(self, texts: list[str]) -> int:
        """Count the tokens of all texts."""
        return sum(map(self.tokenizer.count, texts))

    def wait_for_available_quota(self, num_tokens: int = 0, num_requests: int = 0) -> None:
        """Wait until so much is allowed, and take it; what never is, is after a minute's rest."""
        elapsed = time.monotonic() - self.window_start
        if elapsed >= MINUTE:
            self._begin()
        elif not self._allows(num_tokens, num_requests):
            time.sleep(MINUTE - elapsed)
            self._begin()
        self.tokens_used += num_tokens
        self.requests_made += num_requests

    def _allows(self, num_tokens: int, num_requests: int) -> bool:
        tokens, requests = self.max_tokens_per_minute, self.max_requests_per_minute
        return (tokens is None or self.tokens_used + num_tokens <= tokens) and (
            requests is None or self.requests_made + num_requests <= requests
        )


def embedder_or_openai(function: EmbedderLike | None) -> EmbedderLike:
    """Return the function, or if there is none OpenAI's, with the key of the environment.

    Raises
    ------
    ValueError
        If there is neither a function nor a key.
    """
    if function is not None:
        return function
    key = os.environ.get("OPENAI_API_KEY")
    if key is None:
        raise ValueError(
            "an embedding function is needed: pass embedding_function, or set the environment "
            "variable OPENAI_API_KEY"
        )
    return OpenAICompatible("https://api.openai.com/v1", "text-embedding-3-large", api_key=key)


def vectors_of(
    function: EmbedderLike, texts: list[str], around: Around = iter
) -> NDArray[np.floating[Any]]:
    """Embed texts, one or more.

    Parameters
    ----------
    function
        A callable is given 500 texts at a time, whatever else embeds all at once.
    texts
        What is embedded.
    around
        Iterates over the batches; may wait before one, and tell of it after.

    Raises
    ------
    ModelError
        If the function gives something else than a vector for each text.
    """
    import numpy as np

    # Some embedders can be called too; what they learn of all texts they would of each batch.
    at_once = not callable(function) or any(hasattr(function, name) for name in METHODS)
    embed: Any = as_embedder(function).embed if at_once else function
    size = len(texts) if at_once else BATCH
    batches: list[NDArray[np.floating[Any]]] = []
    for batch in around([texts[i : i + size] for i in range(0, len(texts), size)]):
        batches.append(matrix_of(embed(batch), len(batch)))
        _check_length(batches)
    return batches[0] if len(batches) == 1 else np.concatenate(batches)


def cached_vectors(
    function: EmbedderLike, texts: list[str], folder: str | os.PathLike[str], around: Around = iter
) -> NDArray[np.floating[Any]]:
    """Embed texts, and keep their vectors in a folder: a text is embedded once by a model.

    Of a function that does not say what model it is, nothing is kept.
    """
    model = _model_of(function)
    if not model:
        warnings.warn(
            f"{type(function).__name__} does not say which model it is, by get_config() or "
            "model_name: its vectors are not kept. chunkwright.embed.Cached takes a name for it",
            RuntimeWarning,
            stacklevel=4,
        )
        return vectors_of(function, texts, around)
    return Cached(partial(vectors_of, function, around=around), folder=folder, name=model).embed(
        texts
    )


def _model_of(function: Any) -> str:
    """Return what an embedder says of itself that its vectors depend on; empty if it is nothing."""
    fingerprint = getattr(function, "fingerprint", "")
    if isinstance(fingerprint, str) and fingerprint:
        return fingerprint
    kind = type(function)
    described = _configuration(function) or {
        name: getattr(function, name)
        for name in ("model_name", "_model_name")
        if isinstance(getattr(function, name, None), str)
    }
    return (
        f"{kind.__module__}.{kind.__qualname__} {json.dumps(described, default=repr)}"
        if described
        else ""
    )


def _configuration(function: Any) -> Any:
    try:
        return function.get_config()
    except (AttributeError, NotImplementedError):
        return None


def _check_length(batches: list[NDArray[np.floating[Any]]]) -> None:
    """Compare the last batch's vectors with the first one's."""
    (_, before), (n_texts, now) = batches[0].shape, batches[-1].shape
    if now != before:
        start = sum(map(len, batches[:-1]))
        texts = f"texts {start} to {start + n_texts - 1}"
        raise ModelError(
            f"the embedder gave vectors of {now} values for {texts}, {before} for those before"
        )
