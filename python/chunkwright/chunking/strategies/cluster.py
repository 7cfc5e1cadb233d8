"""Cluster strategy: chunks of neighbours that are more alike than the text is with itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from chunkwright.checks import checked_name
from chunkwright.chunking.bases.over_pieces import SmallPieces

Mean = Literal["global", "local"]


@dataclass(frozen=True, kw_only=True)
class Cluster(SmallPieces):
    """Choose all cuts of a text together, so that chunks are made of pieces that are alike.

    The text is split into sentences, short ones are joined, and each of these pieces is embedded. A
    chunk is worth the sum, over all pairs of its pieces, of what their cosine exceeds the mean by.
    The cuts whose chunks are worth most together, each within the limit, are found by dynamic
    programming, in time linear in the text.

    A cut has the reason ``"limit"`` if the chunks on both sides do not fit into one, and they, or
    the two pieces that meet there, have more in common than the mean; else ``"score"``.

    Parameters
    ----------
    mean
        What a cosine is compared with: the mean of all pairs of the text (``"global"``), or of
        those that are near enough to be in one chunk (``"local"``).
    piece_max
        The size up to which sentences of a paragraph are joined, in the unit of the limit; a piece
        of less than a fifth of it is joined with a neighbour wherever the limit allows. A longer
        sentence is a piece by itself. By default 50 tokens or 200 characters, but at least a
        sixteenth of the limit and at most all of it.
    embedder, language
        See :class:`chunkwright.chunking.bases.over_pieces.Semantic`.
    soft_max
        What pieces are joined up to; the limit by default. A piece by itself may have more.
    max_tokens, max_chars, min_size, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Notes
    -----
    Brandon Smith and Anton Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma,
    July 2024). :class:`chunkwright.compat.chroma.ClusterSemanticChunker` gives that one's chunks.

    Examples
    --------
    >>> import chunkwright as cw
    >>> def embedder(texts):
    ...     return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]
    >>> text = "A cat naps. A cat purrs. A cat plays. An engine hums. An engine stops."
    >>> cw.Cluster(max_chars=60, piece_max=16, embedder=embedder)(text).texts()
    ['A cat naps. A cat purrs. A cat plays.', 'An engine hums. An engine stops.']
    """

    name = "cluster"

    mean: Mean = "global"

    def _checked(self) -> dict[str, Any]:
        return {
            **super()._checked(),
            "mean": checked_name("mean", self.mean, get_args(Mean)),
        }
