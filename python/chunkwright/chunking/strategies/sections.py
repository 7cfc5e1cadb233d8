"""Strategies that know headings: chunks of elements under theirs."""

from __future__ import annotations

from dataclasses import dataclass

from chunkwright.chunking.bases.over_elements import OverElements


@dataclass(frozen=True, kw_only=True)
class SectionStrategy(OverElements):
    """Cuts between elements under their headings, and splits only those over the limit.

    A heading is text of the first chunk of its section. The following chunks repeat it in front of
    their own text, as pieces with the role ``"heading"``, which count against the limit. If the
    headings leave less than half of the limit to the text, the outermost are left out.

    A table is split between rows, and its header is repeated. A row over the limit is cut between
    its cells, and its first cell is repeated; only a cell that is over the limit by itself is cut
    inside. Any other text is split at paragraphs, lines, sentences and words. A text without
    elements is cut as :class:`chunkwright.Sentence` cuts it.

    Parameters
    ----------
    soft_max
        The size from which on nothing is added to a chunk; the limit itself by default. 1 leaves
        each element by itself.
    min_size
        The smallest size of a chunk: a smaller one joins a neighbour under the same heading, else
        the next or the previous section of the same level, or the first one below, if both fit into
        one chunk; 0 by default. In the unit of the limit.
    overlap
        How much of the previous chunk is repeated, at most, if it is of the same section and no
        table was split. It counts towards the limit, and is in the unit of the limit.
    repeat_headings
        Whether chunks repeat the headings above them in their text. If not, the headings are only
        where they stand, and in :attr:`chunkwright.Chunk.headings`.
    always_emit_headings
        Whether headings with nothing below them are chunks of their own. If not, they begin the
        next chunk.
    repeat_headers
        Whether each part of a split table repeats the header, unless the header takes more than
        half of the limit. Cells that are merged with rows of an earlier part are repeated all the
        same.
    omit_header_on_overflow
        Whether a row that fits only without the table's header stays whole and goes without the
        header. If not, the row is cut between its cells, and each part repeats the header.
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it. A text over the
        limit is split between its sentences.
    split_at
        Not for this strategy: only strategies over text cut at marks that you choose.
    keep_mark
        Not for this strategy: only strategies over text cut at marks that you choose.

    Raises
    ------
    ConfigError
        If a value is out of range, or makes no sense with another; names it.
    """

    repeat_headings: bool = True
    always_emit_headings: bool = False
    repeat_headers: bool = True
    omit_header_on_overflow: bool = False
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Hierarchical(SectionStrategy):
    r"""Make a chunk of each element, with the headings above it; long ones are split.

    A caption stays with its table or figure, and the contents of a list item stay with the item.

    Parameters
    ----------
    merge_list_items
        Whether the items of a list make one chunk, if they fit.
    soft_max, min_size, overlap, split_at, keep_mark, repeat_headings, always_emit_headings
        See :class:`chunkwright.chunking.SectionStrategy`.
    repeat_headers, omit_header_on_overflow, language
        See :class:`chunkwright.chunking.SectionStrategy`.
    max_tokens, max_chars, tokenizer, overlap_at
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> elements = [
    ...     {"type": "Title", "text": "Rain"},
    ...     {"type": "NarrativeText", "text": "It rained."},
    ...     {"type": "ListItem", "text": "on Monday"},
    ...     {"type": "ListItem", "text": "on Tuesday"},
    ... ]
    >>> cw.Hierarchical(max_chars=100)(elements).texts()
    ['Rain\n\nIt rained.', 'Rain\n\non Monday\n\non Tuesday']
    >>> chunks = cw.Hierarchical(max_chars=100, repeat_headings=False)(elements)
    >>> [(chunk.headings, chunk.text) for chunk in chunks]
    [(('Rain',), 'Rain\n\nIt rained.'), (('Rain',), 'on Monday\n\non Tuesday')]
    """

    name = "hierarchical"

    merge_list_items: bool = True


@dataclass(frozen=True, kw_only=True)
class Hybrid(SectionStrategy):
    r"""Join elements under one heading as long as they fit; elements over the limit are split.

    Parameters
    ----------
    merge_peers
        Whether neighbouring elements under the same heading are joined. If not, each element, list
        or table with its caption is a chunk.
    soft_max, min_size, overlap, split_at, keep_mark, repeat_headings, always_emit_headings
        See :class:`chunkwright.chunking.SectionStrategy`.
    repeat_headers, omit_header_on_overflow, language
        See :class:`chunkwright.chunking.SectionStrategy`.
    max_tokens, max_chars, tokenizer, overlap_at
        See :class:`chunkwright.chunking.bases.options.Sizes`.

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

    merge_peers: bool = True
