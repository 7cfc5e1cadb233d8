"""Progress of runs, as a callback gets it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Generic[T_co]):
    """What a run has done since its last report.

    Attributes
    ----------
    name
        The document, source or row; empty if there were several.
    n_documents
        Number of documents that were done, without failed ones.
    error
        Why a document or source failed; None if none did.
    about
        All else that is known of the step, as the kind of run has it: a
        :class:`~chunkwright.store.DocumentReport` of a store; of a corpus the
        :class:`~chunkwright.corpus.Beginning` of the run, :class:`~chunkwright.corpus.Counts` of
        what was done, or a :class:`~chunkwright.corpus.Failure`; None of files.
    """

    name: str = ""
    n_documents: int = 0
    error: Exception | None = None
    about: T_co


Progress: TypeAlias = Callable[[Step[T_co]], object]
"""Is told of each step of a run, in its thread; what it raises ends the run."""
