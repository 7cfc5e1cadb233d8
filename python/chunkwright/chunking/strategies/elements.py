"""Strategies that pack elements: as many as fit, by titles, pages, similarity or structure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkwright.chunking.bases.over_elements import OverElements
from chunkwright.rows import OF_BLOCKS, OF_ELEMENTS, OF_ENDINGS

if TYPE_CHECKING:
    from chunkwright.chunking.bases.options import Takes
    from chunkwright.chunking.option_types import Size
    from chunkwright.embed import EmbedderLike


@dataclass(frozen=True, kw_only=True)
class ElementStrategy(OverElements):
    """Cuts between elements, and splits only those over the limit.

    Elements are joined, with the text between them, as long as ``soft_max`` is not exceeded and the
    limit holds. An element over the limit is split at paragraphs, lines, sentences and words; a
    table is split between rows, and its header is repeated.

    Parameters
    ----------
    soft_max
        The size from which on nothing is added to a chunk; the limit itself by default. 1 leaves
        each element by itself.
    min_size
        The smallest size of a chunk: a smaller one joins a neighbour if both are whole elements,
        fit into one chunk, and nothing keeps them apart; 0 by default. In the unit of the limit.
    overlap
        How much of a part is repeated in the next one where an element is split; it counts towards
        the limit.
    overlap_all
        Whether chunks of whole elements also repeat the end of the previous chunk, as far as the
        limit allows.
    isolate_tables
        Whether each table is a chunk of its own.
    skip_tables
        Whether tables that are chunks of their own stay whole, whatever their size;
        :attr:`chunkwright.Chunk.oversize` marks those over the limit.
    repeat_headers
        Whether each part of a split table repeats the header, unless the header takes more than
        half of the limit. Cells that are merged with rows of an earlier part are repeated all the
        same.
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

    takes: ClassVar[tuple[Takes, ...]] = ("elements",)

    overlap_all: bool = False
    isolate_tables: bool = True
    skip_tables: bool = False
    repeat_headers: bool = True
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Basic(ElementStrategy):
    r"""Join elements as long as they fit, whatever they are.

    After Unstructured's ``chunk_elements``.

    Parameters
    ----------
    soft_max, min_size, overlap, split_at, keep_mark, overlap_all, isolate_tables, skip_tables
        See :class:`chunkwright.chunking.ElementStrategy`.
    repeat_headers, language
        See :class:`chunkwright.chunking.ElementStrategy`.
    max_tokens, max_chars, tokenizer, overlap_at
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> splitter = cw.Basic(max_chars=30)
    >>> texts = ["Rain", "It rained.", "It rained for days and nights."]
    >>> splitter([{"type": "Text", "text": text} for text in texts]).texts()
    ['Rain\n\nIt rained.', 'It rained for days and nights.']
    """

    name = "basic"


@dataclass(frozen=True, kw_only=True)
class ByTitle(ElementStrategy):
    r"""Join elements as long as they fit; a title begins a new chunk.

    Sections are those of Unstructured's ``chunk_by_title``; for its chunks byte for byte, see
    :mod:`chunkwright.compat.unstructured`. A line that ends in a colon stays with the list, the
    code or the table below it. A title right above another one may be a chunk of its own.

    Parameters
    ----------
    multipage_sections
        Whether a section may continue on the next page.
    min_size
        The smallest size of a chunk: a smaller one joins the next one, even across a title, if both
        fit into one chunk. By default the limit, so that small sections are joined; 0 keeps all
        sections apart.
    soft_max, overlap, split_at, keep_mark, overlap_all, isolate_tables, skip_tables
        See :class:`chunkwright.chunking.ElementStrategy`.
    repeat_headers, language
        See :class:`chunkwright.chunking.ElementStrategy`.
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
    ...     {"type": "Title", "text": "Sun"},
    ...     {"type": "NarrativeText", "text": "It shone."},
    ... ]
    >>> cw.ByTitle(max_chars=100, min_size=0)(elements).texts()
    ['Rain\n\nIt rained.', 'Sun\n\nIt shone.']
    >>> cw.ByTitle(max_chars=100)(elements).texts()
    ['Rain\n\nIt rained.\n\nSun\n\nIt shone.']
    """

    name = "by_title"

    multipage_sections: bool = True


@dataclass(frozen=True, kw_only=True)
class ByPage(ElementStrategy):
    r"""Join elements as long as they fit and the page is the same.

    No chunk holds text of two pages, not even as an overlap. An element without a page counts as
    on the page of the element before it.

    Parameters
    ----------
    soft_max, min_size, overlap, split_at, keep_mark, overlap_all, isolate_tables, skip_tables
        See :class:`chunkwright.chunking.ElementStrategy`.
    repeat_headers, language
        See :class:`chunkwright.chunking.ElementStrategy`.
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
    ...     {"type": "NarrativeText", "text": text, "metadata": {"page_number": page}}
    ...     for text, page in [("One.", 1), ("Two.", 1), ("Three.", 2)]
    ... ]
    >>> chunks = cw.ByPage(max_chars=100)(elements)
    >>> chunks.texts(), chunks[1].pages
    (['One.\n\nTwo.', 'Three.'], (2,))
    """

    name = "by_page"


@dataclass(frozen=True, kw_only=True)
class BySimilarity(ElementStrategy):
    r"""Join elements as long as they fit and each is similar to the one before it.

    Two neighbours are never in one chunk, not even as an overlap, if the cosine of their vectors is
    below the threshold. There are two exceptions: a heading stays with the element after it, and a
    line that ends in a colon with the list, code, table or formula below it. Elements without text
    stay with the one before them; a vector of zeros is similar to nothing.

    :attr:`chunkwright.Chunk.reason` says why a chunk ends: ``"score"``, for a cosine below the
    threshold, ``"structure"``, for a table that stands alone, or ``"limit"``.

    Parameters
    ----------
    embedder
        The embedder: the path of a model's folder, an object such as :class:`chunkwright.Onnx`,
        ``"lexical"`` (the document's own words; few elements share many, so set a low threshold),
        or a callable ``list[str] -> array`` that returns a row for each text. It is called once for
        each document, with the texts of all elements that have any, and never by two threads at
        once.
    similarity_threshold
        The lowest cosine similarity at which elements are joined, between 0 and 1, both excluded.
    soft_max, min_size, overlap, split_at, keep_mark, overlap_all, isolate_tables, skip_tables
        See :class:`chunkwright.chunking.ElementStrategy`.
    repeat_headers, language
        See :class:`chunkwright.chunking.ElementStrategy`.
    max_tokens, max_chars, tokenizer, overlap_at
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    ModelError
        If the folder of a model cannot be read.

    Examples
    --------
    >>> import chunkwright as cw
    >>> texts = ["Cats purr.", "Cats sleep.", "Engines hum."]
    >>> def embedder(texts):
    ...     return [[1.0, 0.0] if "Cats" in text else [0.0, 1.0] for text in texts]
    >>> splitter = cw.BySimilarity(max_chars=100, embedder=embedder)
    >>> splitter([{"type": "NarrativeText", "text": text} for text in texts]).texts()
    ['Cats purr.\n\nCats sleep.', 'Engines hum.']
    """

    name = "by_similarity"
    models: ClassVar[tuple[str, ...]] = ("embedder",)
    columns: ClassVar[tuple[str, ...]] = (*OF_ELEMENTS, *OF_ENDINGS)

    embedder: EmbedderLike | None = None
    similarity_threshold: float = 0.5


@dataclass(frozen=True, kw_only=True)
class Structural(ElementStrategy):
    r"""Keep the author's blocks; with an embedder, merge similar neighbours under one heading.

    An atomic block is the smallest unit that makes sense by itself: a paragraph; headings and the
    block after them; a list, with the line above it that ends in a colon; a table or a figure with
    its captions. No block crosses a heading. Headings with nothing after them are a block.

    Without an embedder, each atomic block is a chunk. With one, neighbours are merged if they have
    the same parent (a heading, or a list that was split), are no larger than ``soft_max`` together,
    and the cosine of the vectors of the two atomic blocks that meet is at least ``merge_at``.

    :attr:`chunkwright.Chunk.reason` says why a chunk ends: ``"structure"`` before another parent or
    beside a table; ``"score"`` for a cosine below ``merge_at``; ``"limit"`` where the two would be
    too large together, or inside a text that was split.

    Rows have four more columns. ``block_type`` is ``"heading_para"``, ``"list"``, ``"table"``,
    ``"figure"``, ``"diagram"`` (a figure with text elements in it), ``"code"`` or ``"text"``.
    ``parent`` is the ``index`` of the chunk that holds the heading above the first element; for the
    first chunk of a section, that is the heading of the section around it. ``page_start`` and
    ``page_end`` are the first and the last page.

    Parameters
    ----------
    list_max
        Lists up to this size stay whole. Larger ones are split between items, each with all that is
        nested in it; an item that does not fit is split between its nested items. 200 tokens or 800
        characters by default, but at most the limit.
    table_max
        Tables up to this size stay whole, if they fit together with the text that introduces them.
        Larger ones are split between rows, into parts up to this size. 400 tokens or 1,600
        characters by default, but at most the limit.
    embedder
        The embedder of blocks: the path of a model's folder, an object such as
        :class:`chunkwright.Onnx`, ``"lexical"`` (the document's own words; set a low ``merge_at``),
        or a callable ``list[str] -> array`` that returns a row for each text. With None, the
        default, nothing is merged. It is called once for the blocks of many documents.
    merge_at
        The lowest cosine similarity at which neighbours are merged, from -1 to 1. Each model needs
        its own threshold; ``chunkwright eval`` compares thresholds.
    split_above
        With an embedder, texts over this size are split between sentences: neighbours stay together
        while their cosine similarity is at least ``merge_at`` and their size at most ``soft_max``.
        800 tokens or 3,200 characters by default. Without an embedder, or below this size, only
        texts over the limit are split.
    soft_max
        The size up to which blocks are merged, and that the parts of a text over the limit may
        reach. 350 tokens or 1,400 characters by default, but at most the limit.
    isolate_tables
        Whether tables are kept apart from other blocks; the text that introduces a table, and its
        captions, stay in its chunk all the same.
    min_size, overlap, split_at, keep_mark, overlap_all, skip_tables, repeat_headers, language
        See :class:`chunkwright.chunking.ElementStrategy`.
    max_tokens, max_chars, tokenizer, overlap_at
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    ModelError
        If the folder of a model cannot be read.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = "# Cats\n\nA cat naps.\n\nA cat purrs.\n\nIt rains.\n\n# Dogs\n\nA dog runs."
    >>> document = cw.read_markdown(text)
    >>> cw.Structural(max_chars=200)(document).texts()
    ['# Cats\n\nA cat naps.', 'A cat purrs.', 'It rains.', '# Dogs\n\nA dog runs.']
    >>> def embedder(texts):
    ...     return [[1.0, 0.0] if "cat" in text else [0.0, 1.0] for text in texts]
    >>> chunks = cw.Structural(max_chars=200, embedder=embedder)(document)
    >>> chunks.texts()
    ['# Cats\n\nA cat naps.\n\nA cat purrs.', 'It rains.', '# Dogs\n\nA dog runs.']
    >>> chunks.reasons
    ['score', 'structure', 'end']
    >>> [(row["block_type"], row["parent"]) for row in chunks.to_dicts()]
    [('heading_para', None), ('text', 0), ('heading_para', None)]
    """

    name = "structural"
    models: ClassVar[tuple[str, ...]] = ("embedder",)
    columns: ClassVar[tuple[str, ...]] = (*OF_ELEMENTS, *OF_BLOCKS, *OF_ENDINGS)

    list_max: Size | None = None
    table_max: Size | None = None
    embedder: EmbedderLike | None = None
    merge_at: float = 0.74
    split_above: Size | None = None
