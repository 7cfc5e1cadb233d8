"""Kamradt's strategy, modified: cuts at the greatest distances, as many as the size allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from chunkwright.checks import checked_int, checked_name
from chunkwright.chunking.bases.options import Size
from chunkwright.chunking.bases.over_pieces import MAX_WINDOW, SmallPieces

Target = Literal["average", "max"]


@dataclass(frozen=True, kw_only=True)
class KamradtModified(SmallPieces):
    """Cut at the largest distances between small pieces, the threshold searched for a size.

    The text is split into sentences, and short ones are joined. Each of these pieces is embedded
    together with its neighbours, and the cosine distance of each two neighbours is taken. Then the
    threshold above which a distance cuts is searched: the one that makes chunks of the target size.

    Parameters
    ----------
    target
        What the size is of: of chunks on ``"average"``, which leaves some of them long, or of the
        largest one (``"max"``), for which sentences over that size are divided.
    target_size
        The size, in the unit of the limit. By default ``soft_max`` if given, else the limit for
        ``"max"`` and half of it for ``"average"``.
    window
        How many pieces on each side are embedded with a piece.
    piece_max
        The size up to which sentences of a paragraph are joined, in the unit of the limit; a piece
        of less than a fifth of it is joined with a neighbour wherever the limit allows. A longer
        sentence is a piece by itself. By default 50 tokens or 200 characters, but at least a
        sixteenth of the limit and at most all of it.
    embedder, language
        See :class:`chunkwright.chunking.bases.over_pieces.Semantic`.
    soft_max
        What is over the limit is divided into chunks that end from this size on, where a boundary
        is within reach; half of the limit by default.
    max_tokens, max_chars, min_size, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Notes
    -----
    Brandon Smith and Anton Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma,
    July 2024). ``"average"`` is what the report's program does, ``"max"`` what the report says.
    Unlike there, the limit holds, and chunks are slices of the text.

    Examples
    --------
    >>> import chunkwright as cw
    >>> def embedder(texts):
    ...     return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]
    >>> text = "A cat naps. A cat purrs. A cat plays. An engine hums. An engine stops."
    >>> options = {"embedder": embedder, "window": 0, "piece_max": 16}
    >>> cw.KamradtModified(max_chars=80, target="max", target_size=40, **options)(text).texts()
    ['A cat naps. A cat purrs. A cat plays.', 'An engine hums. An engine stops.']
    """

    name = "kamradt_modified"

    target: Target = "average"
    target_size: Size | None = None
    window: int = 3

    def _checked(self) -> dict[str, Any]:
        spec = super()._checked()
        size = "soft_max" if self.target_size is None else "target_size"
        if getattr(self, size) is not None:
            spec[size] = self._checked_size(size, getattr(self, size))
        return {
            **spec,
            "target": checked_name("target", self.target, get_args(Target)),
            "window": checked_int("window", self.window, least=0, most=MAX_WINDOW),
        }
