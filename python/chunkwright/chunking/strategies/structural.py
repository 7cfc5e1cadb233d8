"""Structural strategy: blocks as their author has them, neighbours that are alike made one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from chunkwright.checks import MAX_SIZE, checked_int
from chunkwright.chunking.bases.elementwise import ElementStrategy
from chunkwright.chunking.bases.options import Size
from chunkwright.embed import EmbedderLike, core_embedder
from chunkwright.errors import ConfigError
from chunkwright.rows import OF_BLOCKS, OF_ELEMENTS, OF_ENDINGS


@dataclass(frozen=True, kw_only=True)
class Structural(ElementStrategy):
    r"""Keep together what the author did; merge neighbours under one heading that are alike.

    An atomic block is the least that says something by itself: a paragraph; headings and the block
    behind them; a list, with the line that ends in a colon above it; a table or a figure with its
    captions. No block goes over a heading. Headings with nothing behind them stand by themselves.

    Without an embedder the atomic blocks are the chunks. With one, neighbours are merged if they
    have the same parent (a heading, or a list that was split), have no more than ``soft_max``
    together, and the cosine of their vectors, each that of an atomic block, is at least
    ``merge_at``.

    :attr:`chunkwright.Chunk.reason` says why a chunk ends: ``"structure"``, for another parent or
    a table; ``"score"``, for a cosine below ``merge_at``; ``"limit"``, because it would be too
    large, or is a part of what was.

    Rows have four columns more. ``block_type`` is ``"heading_para"``, ``"list"``, ``"table"``,
    ``"figure"``, ``"diagram"`` (a figure with text elements in it), ``"code"`` or ``"text"``.
    ``parent`` is the ``index`` of the chunk that holds the heading above the first element, so
    that of the first chunk of the section, or of the one around it. ``page_start`` and
    ``page_end`` are the first and the last page.

    Parameters
    ----------
    list_max
        Lists up to this size stay whole. Larger ones are split between items with all that is
        nested in them, as many as fit; where a single one does not fit, between what is nested.
        200 tokens or 800 characters by default, but at most the limit.
    table_max
        Tables up to this size stay whole, if they fit with what leads to them. Larger ones are
        split between rows, into parts up to this size. 400 tokens or 1,600 characters by default,
        but at most the limit.
    embedder
        What gives atomic blocks their vectors: the path of a folder with a model, an embedder such
        as :class:`chunkwright.Onnx`, ``"lexical"`` (the document's own words, for which
        ``merge_at`` must be low), or a callable ``list[str] -> array`` with a row for each text.
        None, the default, merges nothing. Asked once for the blocks of many documents.
    merge_at
        The least cosine of neighbours that are merged, from -1 to 1. Each model needs its own;
        ``chunkwright eval`` compares them.
    split_above
        Texts over this size are split between sentences, where an embedder is given: sentences
        stay together as long as the cosine of neighbours is at least ``merge_at`` and they have no
        more than ``soft_max``. 800 tokens or 3,200 characters by default. Without an embedder, and
        below this size, only what is over the limit is split.
    soft_max
        The size up to which blocks are merged, and at which the parts of a text over the limit are
        full. 350 tokens or 1,400 characters by default, but at most the limit.
    isolate_tables
        Whether tables are merged with nothing; what leads to a table, and its captions, are in the
        same chunk all the same.
    max_tokens, max_chars, min_size, overlap, overlap_at, overlap_all
        See :class:`chunkwright.chunking.bases.elementwise.ElementStrategy`.
    skip_tables, repeat_headers, language, tokenizer
        See :class:`chunkwright.chunking.bases.elementwise.ElementStrategy`.

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

    def _checked(self) -> dict[str, Any]:
        spec = super()._checked()
        most = self._checked_limit()[1]
        for name, largest in (("list_max", most), ("table_max", most), ("split_above", MAX_SIZE)):
            if (size := getattr(self, name)) is not None:
                spec[name] = checked_int(name, size, least=1, most=largest)
        is_number = isinstance(self.merge_at, int | float) and not isinstance(self.merge_at, bool)
        if not (is_number and -1 <= self.merge_at <= 1):
            message = f"merge_at must be between -1 and 1, got {self.merge_at!r}"
            raise ConfigError(message, option="merge_at")
        return {**spec, "merge_at": float(self.merge_at)}

    def _beside(self) -> dict[str, Any]:
        return {} if self.embedder is None else {"embedder": core_embedder(self.embedder)}
