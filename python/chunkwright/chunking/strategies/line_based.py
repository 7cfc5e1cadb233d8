"""Line-based strategy: chunks of whole lines, the first lines of the text repeated in front."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chunkwright.checks import checked_flag, checked_int
from chunkwright.chunking.bases.strategy import Strategy


@dataclass(frozen=True, kw_only=True)
class LineBased(Strategy):
    r"""Cut between lines, for texts in which a line says something by itself: logs, lists, records.

    A chunk holds as many whole lines as the limit allows, with their indentation. A line over the
    limit is cut between words, and a word between graphemes; what is left of it begins a chunk, to
    which the lines behind are added. Lines end at ``"\n"``.

    The first ``header_lines`` lines are repeated in front of each later chunk, as a piece with the
    role ``"header"``: a chunk of a log then says what its columns are. They count against the
    limit, and are repeated only if they take no more than three quarters of it, and 65,536 bytes.

    The idea is Docling's ``LineBasedTokenChunker``. Its ``prefix`` may be any text; here all that a
    chunk says stands in the document, so the prefix is taken from there. For a text of your own in
    front of each chunk see :func:`chunkwright.contextualize`.

    Parameters
    ----------
    header_lines
        How many of the first lines each later chunk repeats; 0 by default. Blank lines are not
        counted.
    omit_header_on_overflow
        Whether a line that fits without the repeated lines only is kept whole without them.
        Without, it is cut, and the lines are repeated.
    max_tokens, max_chars, soft_max, min_size, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`. Where a line does not fit beside the
        overlap, there is no overlap.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> log = "time  event\n09:00 started\n09:05 stopped\n09:10 started\n"
    >>> cw.LineBased(max_chars=30)(log).texts()
    ['time  event\n09:00 started', '09:05 stopped\n09:10 started']
    >>> chunks = cw.LineBased(max_chars=30, header_lines=1)(log)
    >>> chunks[1].text, log[chunks[1].start : chunks[1].end]
    ('time  event\n09:05 stopped', '09:05 stopped')
    """

    name = "line_based"

    header_lines: int = 0
    omit_header_on_overflow: bool = False

    def _checked(self) -> dict[str, Any]:
        return {
            **super()._checked(),
            "header_lines": checked_int("header_lines", self.header_lines, least=0),
            "omit_header_on_overflow": checked_flag(
                "omit_header_on_overflow", self.omit_header_on_overflow
            ),
        }
