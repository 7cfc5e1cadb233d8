"""Cutting of elements into chunks, both as dicts, by Unstructured's strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.compat.unstructured.engine import by_similarity, recover
from chunkwright.compat.unstructured.options import TitleOptions, checked
from chunkwright.server.dialects.unstructured.fields import Fields
from chunkwright.server.dialects.unstructured.ids import random_ids

if TYPE_CHECKING:
    from chunkwright.embed import EmbedderLike

# The cosine under which neighbours are not alike, unless a request says another.
_THRESHOLD = 0.5


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
            found = cutter.by_title(held, multipage=fields.multipage_sections)
        case "by_page":
            found = cutter.by_page(held)
        case "by_similarity":
            given = fields.similarity_threshold
            threshold = _THRESHOLD if given is None else given
            found = by_similarity(cutter, embedder(fields.embedder), threshold)(held)
        case _:
            found = cutter.basic(held)
    # Tables that are cut are named by the ids of their parts.
    ids = random_ids(len(found))
    return found.dicts(ids, originals=fields.include_orig_elements)


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
