"""Chunkers that Unstructured's platform has and its package lacks: by page, by similarity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Unpack

from chunkwright.errors import ConfigError

from .engine import ElementRun, by_similarity, fresh_pages
from .options import ChunkingOptions, checked, filled, takes

if TYPE_CHECKING:
    from chunkwright.embed import EmbedderLike

# The cosine under which neighbours are not about the same thing, unless it is given.
_THRESHOLD = 0.5


@takes(ChunkingOptions)
def chunk_by_page(
    elements: Iterable[Any],
    **options: Unpack[ChunkingOptions],
) -> list[Any]:
    r"""Put neighbouring elements together, but never of two pages, overlaps included.

    An element that names no page is on that of the one before it.

    Parameters
    ----------
    elements
        The elements, in reading order.
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
        For options that make no sense.
    ReadError
        For what is no element.

    Examples
    --------
    >>> from chunkwright.compat.unstructured import chunk_by_page, elements_from_dicts
    >>> elements = elements_from_dicts([
    ...     {"type": "Text", "text": text, "metadata": {"page_number": page}}
    ...     for text, page in [("One.", 1), ("Two.", 1), ("Three.", 2)]
    ... ])
    >>> [(chunk.text, chunk.metadata.page_number) for chunk in chunk_by_page(elements)]
    [('One.\n\nTwo.', 1), ('Three.', 2)]
    """
    return _by_page(filled(chunk_by_page, options)).all(elements)


@takes(ChunkingOptions)
def iter_chunks_by_page(
    elements: Iterable[Any],
    **options: Unpack[ChunkingOptions],
) -> Iterator[Any]:
    """Do as `chunk_by_page`, chunk by chunk; as lazily as `iter_chunk_elements`."""
    return _by_page(filled(iter_chunks_by_page, options)).each(elements)


@takes(ChunkingOptions)
def chunk_by_similarity(
    elements: Iterable[Any],
    *,
    embedder: EmbedderLike,
    similarity_threshold: float | None = None,
    **options: Unpack[ChunkingOptions],
) -> list[Any]:
    r"""Put neighbouring elements together that are about the same thing.

    Parameters
    ----------
    elements
        The elements, in reading order.
    embedder
        A function from texts to vectors, one row for each, or what else
        :func:`chunkwright.embed.as_embedder` takes. It is given the texts of all elements that have
        one, whitespace normalised, in one call.
    similarity_threshold
        The least cosine of the vectors of two neighbours in one chunk, more than 0 and less than
        1; 0.5 by default.
    include_orig_elements, max_characters, max_tokens, new_after_n_chars, new_after_n_tokens
        As for `chunk_elements`.
    overlap, overlap_all, tokenizer, repeat_table_headers, skip_table_chunking, isolate_table
        As for `chunk_elements`; no overlap reaches over a place where the similarity is too low.

    Returns
    -------
    list[Element]
        As for `chunk_elements`.

    Raises
    ------
    ValueError
        For options that make no sense.
    ModelError
        For vectors that cannot be used.
    ReadError
        For what is no element.

    Examples
    --------
    >>> from chunkwright.compat.unstructured import chunk_by_similarity, elements_from_dicts
    >>> texts = ["Cats purr.", "Cats sleep.", "Rust compiles."]
    >>> elements = elements_from_dicts([{"type": "Text", "text": text} for text in texts])
    >>> def about_cats(texts):
    ...     return [[1.0, 0.0] if "Cats" in text else [0.0, 1.0] for text in texts]
    >>> [chunk.text for chunk in chunk_by_similarity(elements, embedder=about_cats)]
    ['Cats purr.\n\nCats sleep.', 'Rust compiles.']
    """
    return _by_similarity(filled(chunk_by_similarity, options), embedder, similarity_threshold).all(
        elements
    )


@takes(ChunkingOptions)
def iter_chunks_by_similarity(
    elements: Iterable[Any],
    *,
    embedder: EmbedderLike,
    similarity_threshold: float | None = None,
    **options: Unpack[ChunkingOptions],
) -> Iterator[Any]:
    """Do as `chunk_by_similarity`, once the first chunk is asked for: all texts are embedded then.

    Options are checked at once.
    """
    return _all_at_first(
        _by_similarity(filled(iter_chunks_by_similarity, options), embedder, similarity_threshold),
        elements,
    )


def _all_at_first(run: ElementRun, elements: Iterable[Any]) -> Iterator[Any]:
    yield from run.all(elements)


def _by_page(given: Mapping[str, Any]) -> ElementRun:
    options = checked(given)
    return ElementRun(options, options.cutter.by_page, fresh_pages)


def _by_similarity(
    given: Mapping[str, Any], embedder: EmbedderLike, similarity_threshold: float | None
) -> ElementRun:
    options = checked(given)
    threshold = _THRESHOLD if similarity_threshold is None else similarity_threshold
    if not 0 < threshold < 1:
        raise ConfigError(
            f"similarity_threshold must be more than 0 and less than 1, got {threshold}"
        )
    return ElementRun(options, by_similarity(options.cutter, embedder, threshold))
