"""The embedder protocol, and the conversion of other objects to it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

from chunkwright import _core
from chunkwright.embed.files import is_file, is_folder, shortened
from chunkwright.embed.lexical import Lexical
from chunkwright.embed.texts import EmbeddingFunction
from chunkwright.embed.vectors import matrix_of
from chunkwright.embed.wrapped import METHODS, awaited, wrapped
from chunkwright.errors import ConfigError, MissingExtraError, ModelError, OptionName, nearest
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Of what is no embedder, so much is shown.
_SHOWN = 80


@runtime_checkable
class Embedder(Protocol):
    """Returns the vectors of texts.

    A model that distinguishes queries from passages has a second method, ``embed_queries``, for
    questions; ``embed`` is for the texts that are searched and cut.

    If the attribute ``concurrent`` is true, several threads call it at once; otherwise one at a
    time.
    """

    @property
    def fingerprint(self) -> str:
        """Identifies the model and everything that changes its vectors; empty if not known."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text: float32 (or float64) of shape ``(len(texts), d)``."""


class SupportsEncode(Protocol):
    """An object of sentence-transformers' kind."""

    def encode(self, texts: list[str], /) -> Any:
        """Return a vector for each text."""


class SupportsEmbedDocuments(Protocol):
    """An object of LangChain's kind."""

    def embed_documents(self, texts: list[str], /) -> Any:
        """Return a vector for each text."""


Model: TypeAlias = "Embedder | SupportsEncode | SupportsEmbedDocuments"
EmbedderLike: TypeAlias = "str | os.PathLike[str] | Model | Callable[[list[str]], Any]"


Embed: TypeAlias = "Callable[[Sequence[str]], NDArray[np.floating[Any]]]"


def as_embedder(like: EmbedderLike) -> Embedder:
    """Return ``like`` as an embedder.

    Parameters
    ----------
    like
        - ``"lexical"``: :class:`Lexical`, which needs no model
        - the path of a folder with a model: :class:`Static` or :class:`Onnx`, by its files
        - an embedder
        - an object with a method ``embed``, ``encode`` (as those of sentence-transformers and
          model2vec), ``embed_documents`` (LangChain) or ``get_text_embedding_batch`` (LlamaIndex);
          queries go to its ``embed_queries``, ``query_embed``, ``encode_query``, ``embed_query``
          or ``get_query_embedding``
        - a callable from a list of texts to an array of shape ``(len(texts), d)``

        Methods and callables may be ``async``: they run on an event loop of their own.

    Raises
    ------
    ConfigError
        If it is none of these.
    ModelError
        If the folder cannot be used.

    Examples
    --------
    >>> from chunkwright.embed import as_embedder
    >>> as_embedder("lexical")
    Lexical(dimensions=4096)
    >>> as_embedder(lambda texts: [[len(text), 1.0] for text in texts]).embed(["one", "three"])
    array([[3., 1.],
           [5., 1.]])
    """
    if isinstance(like, (str, os.PathLike)):
        return _named(like)
    if isinstance(like, type):
        raise ConfigError(
            f"embedder must be an object, got the class {like.__name__}", option="embedder"
        )
    if _is_embedder(like):
        return like
    method = next((name for name in METHODS if callable(getattr(like, name, None))), None)
    if method is None and not callable(like):
        raise ConfigError(
            f"{repr(like)[:_SHOWN]} is no embedder: {_accepted_forms()}", option="embedder"
        )
    return wrapped(like, method)


def _is_embedder(like: object) -> TypeGuard[Embedder]:
    # A fingerprint may be that of a large file: whether there is one is seen without asking for it.
    has_fingerprint = inspect.getattr_static(like, "fingerprint", None) is not None
    return has_fingerprint and callable(getattr(like, "embed", None))


def _accepted_forms() -> str:
    methods = ", ".join(METHODS)
    return f"'lexical', a model's folder, a callable, or an object with {methods} is needed"


def _named(name: str | os.PathLike[str]) -> Embedder:
    if name == "lexical":
        return Lexical()
    path = Path(name)
    if str(name) and is_folder(path):
        # Whoever imports chunkwright need not wait for what reads models.
        from chunkwright.embed.onnx import Onnx
        from chunkwright.embed.static import Static, is_static

        return Static(path) if is_static(path) else Onnx(path)
    is_one = str(name) and is_file(path)
    found = "it is a file, not a folder" if is_one else "there is no such folder"
    hint = nearest(str(name), ["lexical"])
    said = f" {shortened(str(name))}: {found}; give the path of a model's folder; {hint}"
    raise ConfigError("unknown ", OptionName("embedder"), said, value=str(name))


def core_embedder(like: EmbedderLike) -> _core.Embedder:
    """Return the embedder as the core calls it; :class:`Lexical` and :class:`Static` run in it.

    Parameters
    ----------
    like
        See :func:`as_embedder`.

    Raises
    ------
    ConfigError
        If it is no embedder.
    ModelError
        If a model cannot be read. If an embedder fails, or does not return a vector for each text,
        the error is raised later, when the core calls it.
    """
    return core_embedders(like)[0]


def core_embedders(like: EmbedderLike) -> tuple[_core.Embedder, _core.Embedder]:
    """Return the embedders of passages and of queries, as the core calls them.

    Parameters
    ----------
    like
        See :func:`as_embedder`; raises as :func:`core_embedder`.
    """
    embedder = as_embedder(like)
    # Of our own ones, some are the core's.
    core = getattr(embedder, "core", None) if isinstance(embedder, EmbeddingFunction) else None
    if isinstance(core, _core.Embedder):
        return core, core
    guard = Guard(embedder)
    passages = _core.Embedder.called(guard, concurrent=guard.is_concurrent)
    if query_method(embedder) is None:
        return passages, passages
    return passages, _core.Embedder.called(guard.queries, concurrent=guard.is_concurrent)


def query_method(embedder: Embedder) -> Embed | None:
    """Return how an embedder embeds queries; None if it does so as it embeds passages."""
    method = getattr(embedder, "embed_queries", None)
    return method if callable(method) else None


class Guard:
    """Embedder as the core calls it, whose errors and vectors are checked.

    Parameters
    ----------
    embedder
        Is called by one thread at a time, unless it says that it is ``concurrent``.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.is_concurrent: bool = getattr(embedder, "concurrent", False) is True
        # An embedder may itself cut texts with a strategy that calls it.
        self._turn: AbstractContextManager[Any] = nullcontext() if self.is_concurrent else RLock()

    def __call__(self, texts: list[str]) -> memoryview:
        """Return the vectors of ``texts`` as a matrix of float32 or float64."""
        return self._vectors(self._embedder.embed, texts)

    def queries(self, texts: list[str]) -> memoryview:
        """Return the same of queries."""
        return self._vectors(query_method(self._embedder) or self._embedder.embed, texts)

    def _vectors(self, embed: Embed, texts: list[str]) -> memoryview:
        import numpy as np

        if not texts:
            return np.zeros((0, 1), dtype=np.float32).data
        n_texts = len(texts)
        try:
            with self._turn:
                # Whoever waited for its turn may have been interrupted meanwhile.
                _core.check_signals()
                return matrix_of(awaited(embed(texts)), n_texts).data
        except (ModelError, MissingExtraError):
            raise
        except Exception as error:
            raise ModelError(
                f"the embedder failed on {counted(n_texts, 'text')}: {error!r}"
            ) from error
