"""Rerankers behind an HTTP interface of Cohere's, Jina's or text-embeddings-inference's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from chunkwright.checks import checked_int, checked_name, checked_number
from chunkwright.embed.texts import repaired
from chunkwright.errors import MissingExtraError, ModelError
from chunkwright.http.server import Clients, Server, check_key, check_url
from chunkwright.messages.terminal_text import counted
from chunkwright.objects import MadeOfOptions
from chunkwright.retrieval.rerank.scores import checked_scores

if TYPE_CHECKING:
    import httpx2
    import numpy as np
    from numpy.typing import NDArray

Form: TypeAlias = Literal["documents", "texts"]

# Of an answer.
_MAX_BYTES = 16 << 20
# Waits between two tries, in seconds: this, and each time twice of it.
_WAIT = 0.5
_BUSY = frozenset({408, 409, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class RerankEndpoint(MadeOfOptions):
    """A reranker behind ``/rerank``.

    Parameters
    ----------
    url
        Where requests go, such as ``"https://api.jina.ai/v1/rerank"`` or
        ``"http://localhost:8080/rerank"``.
    model
        What the server calls the model; empty for one that serves a single model.
    api_key
        The key; None: there is none. It is never shown, but is part of a pickled object.
    form
        ``"documents"``: Cohere's and Jina's, with ``results`` of ``relevance_score``; ``"texts"``:
        that of text-embeddings-inference, with a list of ``score``.
    batch_size
        How many texts a request has at most. A text-embeddings-inference server refuses more than
        32 unless it is told otherwise.
    retries
        How often a request that fails is repeated.
    timeout
        Seconds that an answer may take.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    """

    url: str
    model: str = field(default="", kw_only=True)
    api_key: str | None = field(default=None, kw_only=True, repr=False)
    form: Form = field(default="documents", kw_only=True)
    batch_size: int = field(default=32, kw_only=True)
    retries: int = field(default=3, kw_only=True)
    timeout: float = field(default=60.0, kw_only=True)
    _clients: Clients[httpx2.Client] = field(
        init=False, repr=False, compare=False, default_factory=Clients
    )

    concurrent = True

    def __post_init__(self) -> None:
        check_url(self.url, "url")
        checked_name("form", self.form, ["documents", "texts"])
        checked_int("batch_size", self.batch_size, least=1)
        checked_int("retries", self.retries, least=0)
        checked_number("timeout", self.timeout, least=0)
        if self.api_key is not None:
            check_key("api_key", self.api_key)

    @property
    def fingerprint(self) -> str:
        """Names the server and the model."""
        return f"rerank:{self.url}:{self.model}"

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return the score of each text.

        Raises
        ------
        ModelError
            If the server cannot be reached, refuses, or gives no score for each text.
        MissingExtraError
            If the library httpx2 is not installed.
        """
        found: list[float] = []
        for start in range(0, len(texts), self.batch_size):
            found += self._scores_of_request(question, list(texts[start : start + self.batch_size]))
        return checked_scores(found, len(texts))

    def _scores_of_request(self, question: str, texts: list[str]) -> list[float]:
        # Half of a surrogate pair cannot be sent.
        body: dict[str, Any] = {"query": repaired(question), self.form: [*map(repaired, texts)]}
        if self.model:
            body["model"] = self.model
        if self.form == "texts":
            body["truncate"] = True
        try:
            with self._clients.one(self._connect) as client:
                answer = self._post_again(client, body)
            return _ordered(answer.json(), len(texts))
        except MissingExtraError:
            raise
        except Exception as error:  # noqa: BLE001 - the cause is left out where it shows the key
            server = Server(self.url, self.model, self.api_key)
            raise server.failed(error, counted(len(texts), "text")) from server.cause(error)

    def _post_again(self, client: httpx2.Client, body: dict[str, Any]) -> httpx2.Response:
        from time import sleep

        answer = self._post(client, body)
        for attempt in range(self.retries):
            if not isinstance(answer, Exception) and answer.status_code not in _BUSY:
                break
            sleep(_WAIT * 2**attempt)
            answer = self._post(client, body)
        if isinstance(answer, Exception):
            raise answer
        if answer.is_error:
            raise ModelError(f"status {answer.status_code}: {answer.text}")
        return answer

    def _post(
        self, client: httpx2.Client, body: dict[str, Any]
    ) -> httpx2.Response | httpx2.TransportError:
        import httpx2

        try:
            return client.post(self.url, json=body, headers=self._headers)
        except httpx2.TransportError as error:
            return error

    @property
    def _headers(self) -> dict[str, str]:
        return {} if self.api_key is None else {"Authorization": f"Bearer {self.api_key}"}

    def _connect(self) -> httpx2.Client:
        try:
            from chunkwright.http.bounded import BoundedClient
        except ImportError as error:
            raise MissingExtraError("a reranker behind a server", "openai") from error
        return BoundedClient(self.timeout, _MAX_BYTES, ModelError)


def _ordered(answer: Any, n_texts: int) -> list[float]:
    """Return the scores of an answer in the order of the texts."""
    results = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
    if not isinstance(results, list) or not all(isinstance(each, dict) for each in results):
        raise ModelError(f"it gave no list of results: {str(answer)[:80]}")
    scores = {each.get("index"): each.get("relevance_score", each.get("score")) for each in results}
    if scores.keys() != set(range(n_texts)):
        raise ModelError(f"it gave results for the texts {sorted(map(str, scores))[:9]}")
    return [scores[i] for i in range(n_texts)]
