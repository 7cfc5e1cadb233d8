"""Line chunker: chunks of whole lines, each behind the same prefix."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from chunkwright import _core
from chunkwright.checks import MAX_SIZE

from . import peer
from .counting import asking, counting_of
from .notices import warn
from .peer import BaseTokenizer
from .tokenizers import get_default_tokenizer

# What the core does itself: a class that has its own of these runs the peer's code.
_OWN = (
    "max_tokens",
    "prefix_chunks",
    "prefix_len",
    "split_by_token_limit",
    "_split_by_token_limit",
)


class LineBasedTokenChunker(peer.LineBasedTokenChunker):
    """Docling's `LineBasedTokenChunker`: its parameters, chunks, errors and warnings."""

    tokenizer: BaseTokenizer = Field(default_factory=get_default_tokenizer)

    def chunk_text(self, lines: list[str]) -> list[str]:
        """Put lines into chunks of at most `max_tokens`; one that is too long alone is cut.

        Parameters
        ----------
        lines
            The lines, with their line ends.

        Returns
        -------
        list[str]
            The chunks.

        Raises
        ------
        ValueError
            If a single character is over the limit.
        """
        if not self._is_plain():
            chunks: list[str] = super().chunk_text(lines)
            return chunks
        counting = counting_of(self.tokenizer)
        if not counting.takes([self.prefix, "".join(lines)]):
            counting = asking(self.tokenizer)
        chunks, warnings = _core.docling_lines(
            counting.unit, lines, self.max_tokens, self.prefix, self.omit_prefix_on_overflow
        )
        self._warn_once(warnings)
        return chunks

    def _is_plain(self) -> bool:
        cls = type(self)
        own = peer.LineBasedTokenChunker
        return 0 < self.max_tokens <= MAX_SIZE and all(
            getattr(cls, name) is getattr(own, name) for name in _OWN
        )

    def _warn_once(self, warnings: list[tuple[Any, ...]]) -> None:
        # A prefix that is too long was warned of when the chunker was made.
        omitted = [warning for warning in warnings if warning[0] == "prefix_omitted"]
        if omitted and not self._prefix_omitted_warned:
            warn(omitted)
            self._prefix_omitted_warned = True
