"""Embedders of other libraries, and callables; the answers of ``async`` ones are awaited."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from chunkwright.embed.vectors import matrix_of

if TYPE_CHECKING:
    from collections.abc import Awaitable

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.concurrency.loop_thread import LoopThread


def awaited(answer: Any) -> Any:
    """Return what an embedder gave; of an ``async`` one, once it is there.

    All run on one loop, which is never the caller's: clients that an ``async`` function keeps are
    bound to the loop that they were first used on.
    """
    return _loop().call(_result(answer)) if inspect.isawaitable(answer) else answer


async def _result(found: Awaitable[Any]) -> Any:
    return await found


@cache
def _loop() -> LoopThread:
    from chunkwright.concurrency.loop_thread import LoopThread

    return LoopThread()


# A model of sentence-transformers is a callable too, but embeds by its method.
METHODS = ("embed", "encode", "embed_documents", "get_text_embedding_batch")
# What an object with one of these has besides, for passages and for queries.
_OF_PASSAGES = {"embed": "passage_embed", "encode": "encode_document"}
_OF_QUERIES = {
    "embed": ("embed_queries", "query_embed"),
    "encode": ("encode_query",),
    "embed_documents": ("embed_query",),
    "get_text_embedding_batch": ("get_query_embedding",),
}
# LangChain's and LlamaIndex's take one query.
_OF_ONE_QUERY = ("embed_query", "get_query_embedding")


@dataclass(frozen=True)
class Wrapped:
    """An object that gives vectors in a way of its own.

    Parameters
    ----------
    source
        The object.
    method
        The name of the method that takes a list of texts; None: the object itself is called.
    """

    source: Any
    method: str | None = None

    @property
    def fingerprint(self) -> str:
        """That of the object; empty if it has none: what it depends on is not known."""
        own = getattr(self.source, "fingerprint", "")
        return own if isinstance(own, str) else ""

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text.

        Raises
        ------
        ModelError
            If what is given is no vector for each text.
        """
        call = self.source if self.method is None else getattr(self.source, self.method)
        return matrix_of(awaited(call(list(texts))), len(texts))


@dataclass(frozen=True)
class WrappedPair(Wrapped):
    """An object that gives vectors to queries in another way than to passages.

    Parameters
    ----------
    source, method
        See :class:`Wrapped`.
    query_method
        The name of the method for queries.
    """

    query_method: str = ""

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each query; raises as ``embed``."""
        call = getattr(self.source, self.query_method)
        is_of_one = self.query_method in _OF_ONE_QUERY
        found = [awaited(call(text)) for text in texts] if is_of_one else call(list(texts))
        return matrix_of(awaited(found), len(texts))


def wrapped(source: Any, method: str | None) -> Wrapped:
    """Return an object as an embedder, by its methods for passages and queries if it has such.

    Parameters
    ----------
    source
        The object.
    method
        Which of `METHODS` it has; None: it is called itself.
    """
    names = (method,) if method is None else (_OF_PASSAGES.get(method), method)
    of_passages = next((name for name in names if _has_method(source, name)), method)
    of_queries = next(
        (name for name in _OF_QUERIES.get(method or "", ()) if _has_method(source, name)), None
    )
    if of_queries is None:
        return Wrapped(source, of_passages)
    return WrappedPair(source, of_passages, of_queries)


def _has_method(source: object, name: str | None) -> bool:
    return name is not None and callable(getattr(source, name, None))
