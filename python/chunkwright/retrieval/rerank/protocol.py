"""The reranker protocol, and the conversion of other objects to it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from chunkwright.errors import ConfigError
from chunkwright.retrieval.rerank.scores import checked_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Of what is no reranker, so much is shown.
_SHOWN = 80


@runtime_checkable
class Reranker(Protocol):
    """Scores texts for a question.

    One that has an attribute ``concurrent`` that is true is called by several threads at once.
    """

    @property
    def fingerprint(self) -> str:
        """Names the model and all that changes its scores; empty where that is not known."""

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return how well each text answers the question, greater being better.

        Parameters
        ----------
        question
            What is asked.
        texts
            The candidates.

        Returns
        -------
        numpy.ndarray
            Of shape ``(len(texts),)``.
        """


class SupportsPredict(Protocol):
    """A cross-encoder of sentence-transformers' kind."""

    def predict(self, pairs: Any, /) -> Any:
        """Return a score for each pair of a question and a text."""


Scoring: TypeAlias = "Callable[[str, list[str]], Sequence[float]]"
RerankerLike: TypeAlias = "str | os.PathLike[str] | Reranker | SupportsPredict | Scoring"


def as_reranker(like: RerankerLike) -> Reranker:
    """Return an object as a reranker.

    Parameters
    ----------
    like
        - the path of a folder with a cross-encoder: see `CrossEncoder`
        - a reranker
        - an object with a method ``predict``, from a list of pairs of a question and a text to as
          many scores, such as sentence-transformers' ``CrossEncoder``
        - a callable from a question and a list of texts to as many scores

    Raises
    ------
    ConfigError
        If it is none of these.
    ModelError
        If the folder cannot be used.

    Examples
    --------
    >>> from chunkwright.retrieval.rerank import as_reranker
    >>> shorter = as_reranker(lambda question, texts: [-len(text) for text in texts])
    >>> shorter.scores("Which?", ["three", "two"])
    array([-5., -3.])
    """
    if isinstance(like, str | os.PathLike):
        from chunkwright.retrieval.rerank.cross_encoder import CrossEncoder

        return CrossEncoder(like)
    if isinstance(like, type):
        raise ConfigError(f"reranker must be an object, got the class {like.__name__}")
    if callable(getattr(like, "scores", None)) and hasattr(like, "fingerprint"):
        model: Any = like
        return _checked(model)
    # A model of sentence-transformers is a callable too.
    if callable(getattr(like, "predict", None)):
        return FunctionReranker(partial(_predicted, like))
    if not callable(like):
        raise ConfigError(f"{repr(like)[:_SHOWN]} is no reranker: it cannot be called")
    return FunctionReranker(like)


def _checked(model: Reranker) -> Reranker:
    if not isinstance(model.fingerprint, str):
        raise ConfigError(f"{repr(model)[:_SHOWN]} is no reranker: its fingerprint is no str")
    return model


def _predicted(model: Any, question: str, texts: list[str]) -> Sequence[float]:
    """Return the scores of a model of sentence-transformers' kind."""
    scores: Sequence[float] = model.predict([(question, text) for text in texts]) if texts else []
    return scores


@dataclass(frozen=True)
class FunctionReranker:
    """A callable as a reranker.

    Parameters
    ----------
    call
        Returns a score for each text.
    """

    call: Callable[[str, list[str]], Sequence[float]]

    @property
    def fingerprint(self) -> str:
        """Empty: what it depends on is not known."""
        return ""

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return the score of each text.

        Raises
        ------
        ModelError
            If what is returned is no number for each text.
        """
        return checked_scores(self.call(question, list(texts)), len(texts))
