"""Models that a file of an evaluation names, made by the command: with progress and caches."""

from typing import TYPE_CHECKING

from chunkwright.cli.language_model import ROW, ledger_summary
from chunkwright.cli.show.report import Report as Progress

if TYPE_CHECKING:
    from chunkwright.embed import Embedder
    from chunkwright.llm import Ledger
    from chunkwright.retrieval.rerank import Reranker


class NamedModels:
    """Embedders, rerankers and language models of the runs.

    Parameters
    ----------
    progress
        Shows how far they are.
    keeps
        Whether vectors and scores are kept on disk.
    """

    def __init__(self, progress: Progress, *, keeps: bool) -> None:
        self._progress = progress
        self._keeps = keeps
        self._ledger: Ledger | None = None

    def embedder(self, name: str) -> "Embedder":
        """Return the embedder that has a name."""
        from chunkwright.cli.settings.embedder import named_embedder

        return named_embedder(name, is_cached=self._keeps, progress=self._progress.embedded)

    def reranker(self, reranker: "Reranker") -> "Reranker":
        """Return a reranker that keeps its scores, unless nothing is kept."""
        if not self._keeps:
            return reranker
        from chunkwright.files.disk_cache import cache_folder_of
        from chunkwright.retrieval.rerank.cached import with_cached_scores

        return with_cached_scores(reranker, cache_folder_of("scores"))

    def show(self, ledger: "Ledger") -> None:
        """Show how far a language model is."""
        self._ledger = ledger
        self._progress.show(ROW, ledger.outcomes.total(), ledger_summary(ledger))

    def note_calls(self) -> None:
        """Say at the end what the language model did, if there was one."""
        if self._ledger is not None:
            self._progress.note(f"Model: {ledger_summary(self._ledger)}")
