"""Chunkers of Unstructured's package: basic and by title, each at once or lazily."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Unpack

from .engine import Run, fresh_pages
from .options import (
    CHUNK_MULTI_PAGE_DEFAULT,
    ChunkingOptions,
    TitleOptions,
    checked,
    filled,
    flag,
    takes,
)


@takes(ChunkingOptions)
def chunk_elements(
    elements: Iterable[Any],
    **options: Unpack[ChunkingOptions],
) -> list[Any]:
    """Put neighbouring elements together, as many as a chunk may hold.

    Of every option None is the default.

    Parameters
    ----------
    elements
        The elements, in reading order.
    include_orig_elements
        Whether ``metadata.orig_elements`` of a chunk holds what it was made of; True by default.
    max_characters
        The largest size of a chunk, in code points; 500 by default. What is larger is split: texts
        at newlines and blanks, tables between rows.
    max_tokens
        The same in tokens of ``tokenizer``, in place of ``max_characters``.
    new_after_n_chars
        A chunk of more code points than this takes no further element; 0 leaves each element by
        itself. ``max_characters`` by default.
    new_after_n_tokens
        The same in tokens.
    overlap
        How much of a part of a split text is repeated in the next part; 0 by default.
    overlap_all
        Whether chunks of whole elements repeat as much of the one before too, in code points.
    tokenizer
        A model (``"gpt-4"``) or an encoding (``"o200k_base"``), as tiktoken names it. Those of
        ``cl100k_base``, ``o200k_base``, ``gpt2`` and ``r50k_base`` are counted without tiktoken.
    repeat_table_headers
        Whether parts of a table repeat its header; True by default.
    skip_table_chunking
        Whether tables are passed on as they are.
    isolate_table
        Whether tables stand alone; True by default.

    Returns
    -------
    list[Element]
        Elements of the classes ``CompositeElement``, ``Table`` and ``TableChunk``.

    Raises
    ------
    ValueError
        For options that make no sense; the message is Unstructured's.
    ReadError
        For what is no element.
    """
    return _basic(filled(chunk_elements, options)).all(elements)


@takes(ChunkingOptions)
def iter_chunk_elements(
    elements: Iterable[Any],
    **options: Unpack[ChunkingOptions],
) -> Iterator[Any]:
    """Do as `chunk_elements`, chunk by chunk.

    Elements are read as chunks are asked for, a few chunks ahead, so they may come without end;
    options are checked at once. With ``overlap_all`` elements are held until a table stands alone,
    where no chunk repeats the one before.
    """
    return _basic(filled(iter_chunk_elements, options)).each(elements)


@takes(TitleOptions)
def chunk_by_title(
    elements: Iterable[Any],
    **options: Unpack[TitleOptions],
) -> list[Any]:
    """Put neighbouring elements together, but begin a new chunk at each title.

    Parameters
    ----------
    elements
        The elements, in reading order.
    combine_text_under_n_chars
        Chunks of fewer code points are combined with the next one if both fit, whatever stands
        between them; by default as many as the limit says. 0 combines none.
    multipage_sections
        Whether a chunk may go on over the end of a page; True by default.
    include_orig_elements, max_characters, max_tokens, new_after_n_chars, new_after_n_tokens
        As for `chunk_elements`.
    overlap, overlap_all, tokenizer, repeat_table_headers, skip_table_chunking, isolate_table
        As for `chunk_elements`.

    Returns
    -------
    list[Element]
        As for `chunk_elements`.

    Raises
    ------
    ValueError
        For options that make no sense; the message is Unstructured's.
    ReadError
        For what is no element.
    """
    return _by_title(filled(chunk_by_title, options)).all(elements)


@takes(TitleOptions)
def iter_chunks_by_title(
    elements: Iterable[Any],
    **options: Unpack[TitleOptions],
) -> Iterator[Any]:
    """Do as `chunk_by_title`, chunk by chunk; as lazily as `iter_chunk_elements`."""
    return _by_title(filled(iter_chunks_by_title, options)).each(elements)


def _basic(given: Mapping[str, Any]) -> Run:
    options = checked(given)
    return Run(options, options.cutter.basic)


def _by_title(given: Mapping[str, Any]) -> Run:
    options = checked(given, combines=True)
    multipage = flag(given["multipage_sections"], default=CHUNK_MULTI_PAGE_DEFAULT)
    cut = partial(options.cutter.by_title, multipage=multipage)
    return Run(options, cut, None if multipage else fresh_pages)
