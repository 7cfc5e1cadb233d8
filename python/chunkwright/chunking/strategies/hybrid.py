"""Chunks of neighbouring elements under one heading."""

from __future__ import annotations

from dataclasses import dataclass

from chunkwright.chunking.bases.sectionwise import SectionStrategy


@dataclass(frozen=True, kw_only=True)
class Hybrid(SectionStrategy):
    r"""Join elements under one heading as long as they fit; long ones are split before.

    Parameters
    ----------
    merge_peers
        Whether neighbours under the same heading are joined. Without, each element, list or table
        with its caption is a chunk.
    max_tokens, max_chars, soft_max, min_size, overlap, overlap_at, language, tokenizer
        See :class:`chunkwright.chunking.bases.sectionwise.SectionStrategy`.
    repeat_headings, always_emit_headings, repeat_headers, omit_header_on_overflow
        See :class:`chunkwright.chunking.bases.sectionwise.SectionStrategy`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = "# Rain\n\nIt rained.\n\nIt rained for days.\n\n# Sun\n\nIt shone."
    >>> def at(kind: str, part: str) -> dict:
    ...     start = text.index(part)
    ...     return {"kind": kind, "start": start, "end": start + len(part), "level": 1}
    >>> elements = cw.elements_at(text, [
    ...     at("heading", "# Rain"),
    ...     at("paragraph", "It rained."),
    ...     at("paragraph", "It rained for days."),
    ...     at("heading", "# Sun"),
    ...     at("paragraph", "It shone."),
    ... ])
    >>> document = cw.Document(elements=elements, name="weather.md")
    >>> cw.chunk(document, "hybrid", max_chars=100).texts()
    ['# Rain\n\nIt rained.\n\nIt rained for days.', '# Sun\n\nIt shone.']
    >>> chunk = cw.chunk(document, "hybrid", max_chars=30)[1]
    >>> chunk.piece_texts(), text[chunk.start : chunk.end]
    ([('heading', '# Rain\n\n'), ('body', 'It rained for days.')], 'It rained for days.')
    """

    name = "hybrid"
    _own_flags = ("merge_peers",)

    merge_peers: bool = True
