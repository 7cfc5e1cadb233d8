"""Partition of a file: its elements, or the chunks that they are put together to."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import _core, telemetry
from chunkwright.compat.unstructured.engine import by_similarity, recover
from chunkwright.compat.unstructured.options import TitleOptions, checked
from chunkwright.errors import ChunkwrightError, ReadError
from chunkwright.server.dialects.unstructured.elements_json import (
    CATEGORIES,
    ReadElements,
    derive_ids,
    random_ids,
)
from chunkwright.server.dialects.unstructured.fields import Fields, FileType
from chunkwright.server.dialects.unstructured.reading import JSON, read_source, stamp
from chunkwright.server.dialects.unstructured.sources import Source

if TYPE_CHECKING:
    from chunkwright.embed import EmbedderLike


# Neighbours below this cosine similarity are not alike, by default.
_THRESHOLD = 0.5


@telemetry.spanned("chunk")
def chunks_of(
    elements: Sequence[dict[str, Any]],
    fields: Fields,
    embedder: Callable[[str], EmbedderLike],
) -> list[dict[str, Any]]:
    """Return the chunks of elements by the strategy that a request names.

    Parameters
    ----------
    elements
        The elements, as Unstructured writes them to JSON.
    fields
        The fields of the request.
    embedder
        Finds an embedder by its name.

    Returns
    -------
    list[dict]
        The chunks in the same form, under ids that no others have.

    Raises
    ------
    Problem
        If there is no such embedder.
    ModelError
        If it gives no vectors that can be used.
    """
    cutter = _cutter(fields)
    held = _core.UnstructuredElements.of_dicts(elements, recover())
    match fields.chunking_strategy:
        case "by_title":
            chunks = cutter.by_title(held, multipage=fields.multipage_sections)
        case "by_page":
            chunks = cutter.by_page(held)
        case "by_similarity":
            given = fields.similarity_threshold
            threshold = _THRESHOLD if given is None else given
            chunks = by_similarity(cutter, embedder(fields.embedder), threshold)(held)
        case _:
            chunks = cutter.basic(held)
    # The id of a table that is cut is derived from the ids of its parts.
    ids = random_ids(len(chunks))
    return chunks.dicts(ids, originals=fields.include_orig_elements)


def _cutter(fields: Fields) -> _core.UnstructuredCutter:
    combines = fields.chunking_strategy == "by_title"
    given: dict[str, Any] = dict.fromkeys(TitleOptions.__annotations__)
    given |= {
        "max_characters": fields.max_characters,
        "new_after_n_chars": fields.new_after_n_chars,
        "overlap": fields.overlap,
        "overlap_all": fields.overlap_all,
        "combine_text_under_n_chars": fields.combine_under_n_chars,
    }
    return checked(given, combines=combines).cutter


class WrittenChunks(NamedTuple):
    """Chunks of a file as JSON, and how many there are."""

    json: bytes
    n_chunks: int


_SEED_BYTES = 32


def written_chunks(source: Source, fields: Fields) -> WrittenChunks | None:
    """Return the chunks of a file of elements as JSON, made without objects in between.

    Parameters
    ----------
    source
        The file.
    fields
        How it is read and cut.

    Returns
    -------
    WrittenChunks or None
        What :func:`partition` gives, written; None for a file that is no JSON of elements or has
        what is only said by way of objects, and for a strategy that needs more than the elements.

    Raises
    ------
    ChunkwrightError
        As :func:`partition`.
    """
    file_type, strategy = source.file_type, fields.chunking_strategy
    if file_type is None or file_type.format not in JSON:
        return None
    if strategy is None or fields.encoding is not None:
        return None
    with telemetry.span("chunk", strategy=strategy):
        found = _json_cutter().chunks(
            source.data,
            _cutter(fields),
            strategy,
            multipage=fields.multipage_sections,
            lines=file_type.format == "ndjson",
            filename=source.name,
            filetype=file_type.mime,
            originals=fields.include_orig_elements,
            unique_ids=fields.unique_element_ids,
            seed=os.urandom(_SEED_BYTES),
        )
    return None if found is None else WrittenChunks(*found)


@cache
def _json_cutter() -> _core.UnstructuredJson:
    return _core.UnstructuredJson(CATEGORIES, recover())


# What the unstructured-api takes out of its answers.
_TAKEN_OUT = ("last_modified", "file_directory", "detection_class_prob")
# Errors that metadata of wrong types lead to.
_ODD = (AttributeError, TypeError, ValueError, LookupError)


def partition(
    source: Source,
    fields: Fields,
    *,
    embedder: Callable[[str], EmbedderLike],
    most: int,
) -> tuple[list[dict[str, Any]], ReadElements]:
    """Read a file, and cut it if a strategy is named.

    Parameters
    ----------
    source
        The file.
    fields
        How it is read and cut.
    embedder
        Finds an embedder by its name.
    most
        Bytes that compressed parts of it may hold when they are decoded.

    Returns
    -------
    tuple of a list of dict and of ReadElements
        Its elements or chunks, as Unstructured writes them to JSON; and what was read, which says
        what is not.

    Raises
    ------
    ReadError
        If it cannot be read; names it.
    Problem
        If there is no such embedder.
    """
    read, file_type = read_source(source, fields, most)
    try:
        return _cut(read, source, file_type, fields, embedder), read
    except ReadError as error:
        raise ReadError(f"{source.name}: {error}") from error
    except ChunkwrightError:
        raise
    except _ODD as error:
        if file_type.format not in JSON:
            raise
        reason = f"its elements have fields that are not Unstructured's: {error}"
        raise ReadError(f"{source.name}: {reason}") from error


def _cut(
    read: ReadElements,
    source: Source,
    file_type: FileType,
    fields: Fields,
    embedder: Callable[[str], EmbedderLike],
) -> list[dict[str, Any]]:
    """Cut elements if a strategy is named, say of which file the result is, and derive ids."""
    is_cut = fields.chunking_strategy is not None
    elements = chunks_of(read.elements, fields, embedder) if is_cut else read.elements
    for element in elements:
        named = element["metadata"].get("filename")
        stamp(element["metadata"], source, file_type)
        if "attached_to_filename" in element["metadata"]:
            # An attachment keeps the name that the mail gives it until its id is derived.
            element["metadata"]["filename"] = named
    if not fields.unique_element_ids and (is_cut or not read.have_ids):
        derive_ids(elements, in_runs=file_type.format in JSON)
    for at, element in enumerate(elements):
        stamp(element["metadata"], source, file_type)
        _take_out(element["metadata"], fields)
        if not is_cut and (payload := read.originals[at]) is not None:
            element["metadata"]["orig_elements"] = payload
    return elements


def _take_out(metadata: dict[str, Any], fields: Fields) -> None:
    for name in _TAKEN_OUT:
        metadata.pop(name, None)
    if not fields.coordinates:
        metadata.pop("coordinates", None)
