"""Reasons of boundaries: the scores inside chunks, and those at their ends."""

from collections.abc import Iterator
from math import isnan, nan
from typing import TYPE_CHECKING

from chunkwright.boundaries import Reason
from chunkwright.cli.settings.table import Settings
from chunkwright.errors import ConfigError
from chunkwright.messages.terminal_text import counted
from chunkwright.render.viewing.endings import Threshold, ending_words

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
from chunkwright.chunks import Chunks
from chunkwright.rows import OF_ENDINGS

LEVELS = "▁▂▃▄▅▆▇█"
CAUSES: tuple[Reason, ...] = ("score", "limit", "structure")


class Reasons:
    """The scores of one document's boundaries, in words.

    Parameters
    ----------
    chunks
        The document's chunks.
    settings
        How it was cut, which says what the threshold is.

    Raises
    ------
    ConfigError
        If nothing is known about why these chunks end where they do.
    """

    def __init__(self, chunks: "Chunks", settings: Settings) -> None:
        boundaries = chunks.boundaries
        if boundaries is None:
            raise ConfigError(
                "these chunks have no boundaries: their strategy does not say why it cuts"
            )
        self._reasons, self._scores = chunks.reasons, chunks.scores.tolist()
        self._n_places = chunks.n_places.tolist()
        value = float(next(iter(boundaries.thresholds), nan))
        self._threshold = Threshold.of(value, settings.strategy, settings.options)
        is_whole = boundaries.verdicts == "whole"
        self._inner = boundaries.positions[is_whole]
        self._inner_scores = boundaries.scores[is_whole]
        self._n_boundaries = len(boundaries)
        # What the highest bar stands for.
        self._top = float(boundaries.scores.max(initial=0.0))

    def summary(self) -> str:
        """Say how many cuts there are, and why."""
        score, limit, structure = (self._reasons.count(why) for why in CAUSES)
        n = self._n_boundaries
        causes = f"{counted(score, 'cut')} by score and {limit:,} by the limit"
        if structure:
            causes = f"{counted(score, 'cut')} by score, {limit:,} by the limit"
            causes = f"{causes} and {structure:,} by the structure"
        facts = [causes, f"{n:,} boundary" if n == 1 else f"{n:,} boundaries"]
        if not isnan(self._threshold.value):
            facts.append(f"{self._threshold.called} {self._threshold.value:.2f}")
        return ", ".join(facts)

    def inside(self, chunk: "Chunk") -> Iterator[tuple[str, str]]:
        """Yield a chunk's text by roles, with a mark of the role "score" where it was not cut."""
        for (role, start, _), (_, text) in zip(chunk.pieces, chunk.piece_texts(), strict=True):
            at, end = start, start + len(text)
            for position, score in self._within(start, end) if role == "body" else ():
                yield role, text[at - start : position - start]
                yield "score", f"{self._level(score)}{score:.2f}"
                at = position
            yield role, text[at - start :]

    def ending(self, number: int) -> tuple[str, str]:
        """Return why a chunk ends: in one word, and in words for a person."""
        reason, score = self._reasons[number], self._scores[number]
        words = ending_words(reason, score, self._n_places[number], self._threshold)
        bar = f"{self._level(score)} " if reason in CAUSES else ""
        return (reason or "end"), bar + words

    def _within(self, start: int, end: int) -> Iterator[tuple[int, float]]:
        first, last = self._inner.searchsorted([start + 1, end]).tolist()
        rows = slice(first, last)
        yield from zip(self._inner[rows].tolist(), self._inner_scores[rows].tolist(), strict=True)

    def _level(self, score: float) -> str:
        share = score / self._top if self._top > 0 and not isnan(score) else 0.0
        return LEVELS[min(int(share * len(LEVELS)), len(LEVELS) - 1)]


def check_reasons(strategy: str) -> None:
    """Check that a strategy says why it cuts, before anything is read.

    Raises
    ------
    ConfigError
        If it does not; names those that do.
    """
    from chunkwright.chunking import ALL_STRATEGIES
    from chunkwright.cli.settings.embedder import takes_embedder

    known = [
        name
        for name, made_of in ALL_STRATEGIES.items()
        if takes_embedder(name) and OF_ENDINGS[0] in made_of.columns
    ]
    if strategy in known:
        return
    names = ", ".join(map(repr, known))
    raise ConfigError(f"strategy {strategy!r} has no scores to show; known are {names}")
