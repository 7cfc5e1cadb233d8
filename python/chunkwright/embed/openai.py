"""Embedding models behind an HTTP interface of OpenAI's kind."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkwright.checks import checked_callable, checked_int, checked_text
from chunkwright.concurrency.ordered_results import in_threads
from chunkwright.embed.texts import (
    EmbeddingFunction,
    Progress,
    checked_texts,
    repaired,
    tell_nobody,
)
from chunkwright.embed.vectors import matrix_of
from chunkwright.errors import ConfigError, MissingExtraError, ModelError
from chunkwright.http.server import Clients, Server, check_key, check_url
from chunkwright.messages.terminal_text import counted
from chunkwright.objects import MadeOfOptions

if TYPE_CHECKING:
    import numpy as np
    import openai
    from numpy.typing import NDArray

# Of a request; servers limit its tokens too, and no text has more tokens than bytes.
MAX_BYTES = 250_000
# Of an answer for each text: 25,000 numbers in decimals; and for what else it says.
_TEXT_BYTES = 1 << 19
_OTHER_BYTES = 1 << 20
# Servers on one's own machine want some key, and look at none.
_NO_KEY = "none"


@dataclass(frozen=True)
class OpenAICompatible(EmbeddingFunction, MadeOfOptions):
    """A model behind the route ``/embeddings``: OpenAI's, or that of a server of your own.

    Needs the extra ``openai``. Texts are sent in batches, equal texts once; failed requests are
    repeated as the server asks. An answer over 0.5 MiB for each text of a full batch, and a
    redirect to another server, are errors and not repeated.

    Parameters
    ----------
    base_url
        The address of the server, such as ``"http://localhost:11434/v1"``.
    model
        The server's name of the model.
    api_key
        The key; None: that of the environment variable ``OPENAI_API_KEY``. It is never shown, but
        is part of a pickled object.
    batch_size
        The largest number of texts in a request; fewer if they are long.
    dimensions
        The length of vectors, for models that offer a choice.
    retries
        How often a failed request is repeated.
    timeout
        Seconds for an answer, from the connection to its last byte.
    workers
        The number of requests at once.
    progress
        A function that the embedding thread calls with the number of finished texts and the total.
    passage_prompt, query_prompt
        The text in front of each passage, such as ``"search_document: "``, and of each query.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    MissingExtraError
        If the library openai is not installed, as soon as a text is embedded.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, kw_only=True, repr=False)
    batch_size: int = field(default=128, kw_only=True)
    dimensions: int | None = field(default=None, kw_only=True)
    retries: int = field(default=5, kw_only=True)
    timeout: float = field(default=60.0, kw_only=True)
    workers: int = field(default=4, kw_only=True)
    progress: Progress | None = field(default=None, kw_only=True, repr=False, compare=False)
    passage_prompt: str = field(default="", kw_only=True)
    query_prompt: str = field(default="", kw_only=True)
    _clients: Clients[openai.OpenAI] = field(
        init=False, repr=False, compare=False, default_factory=Clients
    )

    concurrent = True

    def __post_init__(self) -> None:
        check_url(self.base_url)
        checked_text("model", self.model)
        if self.api_key is not None:
            check_key("api_key", self.api_key)
        checked_int("batch_size", self.batch_size, least=1)
        checked_int("workers", self.workers, least=1)
        checked_int("retries", self.retries, least=0)
        if self.dimensions is not None:
            checked_int("dimensions", self.dimensions, least=1)
        if self.progress is not None:
            checked_callable("progress", self.progress)
        for name in ("passage_prompt", "query_prompt"):
            if getattr(self, name) != "":
                checked_text(name, getattr(self, name))
        if not isinstance(self.timeout, int | float) or not 0 < self.timeout < float("inf"):
            raise ConfigError(f"timeout must be a positive number, got {self.timeout!r}")

    @property
    def fingerprint(self) -> str:
        """Names the server, the model, the length of vectors and the prompts."""
        length = "" if self.dimensions is None else f":{self.dimensions}"
        has_prompts = self.passage_prompt or self.query_prompt
        prompts = f":{(self.passage_prompt, self.query_prompt)!r}" if has_prompts else ""
        return f"openai:{self.base_url.rstrip('/')}:{self.model}{length}{prompts}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text: float32 of shape ``(len(texts), d)``.

        Raises
        ------
        ModelError
            If the server cannot be reached, refuses, or does not return a vector for each text;
            names the server, the model and the status.
        MissingExtraError
            If the library openai is not installed.
        """
        return self._embedded(texts, self.passage_prompt)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each query; raises as ``embed``."""
        return self._embedded(texts, self.query_prompt)

    def _embedded(self, texts: Sequence[str], prompt: str) -> NDArray[np.floating[Any]]:
        import numpy as np

        given = [repaired(prompt + text) for text in checked_texts(texts)]
        rows = {text: row for row, text in enumerate(dict.fromkeys(given))}
        if not rows:
            return np.zeros((0, 1), dtype=np.float32)
        tell = self.progress or tell_nobody
        tell(0, len(rows))
        parts: list[NDArray[np.float32]] = []
        n_done = 0
        requests = self._requests(list(rows))
        # Of a server that hangs, nobody who has had enough waits for the answers.
        for part in in_threads(self._vectors_of_request, requests, self.workers, waits=False):
            parts.append(part)
            n_done += len(part)
            tell(n_done, len(rows))
        if len({part.shape[1] for part in parts}) > 1:
            raise self._server.error("gave vectors of different lengths")
        return np.concatenate(parts)[[rows[text] for text in given]]

    def _requests(self, texts: list[str]) -> list[list[str]]:
        """Return the texts in lists that are neither too long nor too large."""
        requests: list[list[str]] = []
        n_bytes = 0
        for text in texts:
            size = len(text.encode())
            is_full = not requests or len(requests[-1]) == self.batch_size
            if is_full or n_bytes + size > MAX_BYTES:
                requests.append([])
                n_bytes = 0
            requests[-1].append(text)
            n_bytes += size
        return requests

    def _vectors_of_request(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        options: dict[str, Any] = {}
        if self.dimensions is not None:
            options["dimensions"] = int(self.dimensions)
        try:
            with self._clients.one(self._connect) as client:
                answer = client.embeddings.create(model=self.model, input=texts, **options)
            ordered = _ordered([(item.index, item.embedding) for item in answer.data], len(texts))
            with np.errstate(over="ignore"):
                rows = matrix_of(ordered, len(texts)).astype(np.float32, copy=False)
        except MissingExtraError:
            raise
        except Exception as error:  # noqa: BLE001 - the cause is left out where it shows the key
            server = self._server
            raise server.failed(error, counted(len(texts), "text")) from server.cause(error)
        if not np.isfinite(rows).all():
            row, column = np.argwhere(~np.isfinite(rows))[0].tolist()
            raise self._server.error(f"gave {rows[row, column]} as value {column} of a vector")
        return rows

    @property
    def _server(self) -> Server:
        return Server(self.base_url, self.model, self._key)

    @property
    def _key(self) -> str | None:
        return self.api_key or os.environ.get("OPENAI_API_KEY") or None

    def _connect(self) -> openai.OpenAI:
        try:
            import openai

            from chunkwright.http.bounded import BoundedClient
        except ImportError as error:
            raise MissingExtraError("a model behind OpenAI's interface", "openai") from error
        key = self._key or _NO_KEY
        check_key("OPENAI_API_KEY", key)
        max_bytes = _OTHER_BYTES + self.batch_size * _TEXT_BYTES
        return openai.OpenAI(
            base_url=self.base_url,
            api_key=key,
            max_retries=self.retries,
            timeout=self.timeout,
            http_client=BoundedClient(self.timeout, max_bytes, openai.OpenAIError),
        )


def _ordered(items: list[tuple[Any, Any]], n_texts: int) -> list[Any]:
    """Return vectors in the order of their indices, or as they came if they have none."""
    indices = [index for index, _ in items]
    if len(items) != n_texts:
        raise ModelError(f"it gave {len(items)} vectors")
    if all(index is None for index in indices):
        return [vector for _, vector in items]
    if set(indices) != set(range(n_texts)):
        raise ModelError(f"it numbered the vectors {indices[:10]}")
    by_index = dict(items)
    return [by_index[i] for i in range(n_texts)]
