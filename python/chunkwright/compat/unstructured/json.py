"""Elements of either family, and native chunks, as dicts and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.unstructured import UnstructuredElements, kinds_of

from .staging import rounded

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks
    from chunkwright.columns import Columns
    from chunkwright.document import Document


def elements_to_dicts(elements: Iterable[Any]) -> list[dict[str, Any]]:
    r"""Return what JSON holds of elements.

    Parameters
    ----------
    elements
        Elements, also chunks. What ``to_dict`` of each would give is given; but
        ``metadata.orig_elements``, which is JSON, compressed and in base64, is made once for all
        chunks that hold the same list, as the parts of a table do.

    Returns
    -------
    list[dict]
        A ``dict`` for each element.

    Examples
    --------
    >>> from chunkwright.compat.unstructured import chunk_elements, elements_to_dicts, Text
    >>> chunks = chunk_elements([Text("one"), Text("two")], include_orig_elements=False)
    >>> [item["text"] for item in elements_to_dicts(chunks)]
    ['one\n\ntwo']
    """
    # Lists are held by their elements, so none takes the place of another meanwhile.
    held = list(elements)
    payloads: dict[int, str] = {}
    return [_dict(element, payloads) for element in held]


def elements_to_json(
    elements: Iterable[Any],
    filename: str | None = None,
    indent: int = 4,
    encoding: str = "utf-8",
) -> str:
    """Return elements as a JSON array, and write it to a file if one is named.

    Parameters
    ----------
    elements
        The elements. Coordinates are rounded to a hundredth (of a pixel: to a tenth), class
        probabilities to five digits.
    filename
        Where to write it.
    indent
        Blanks before each level.
    encoding
        Of the file.
    """
    dicts = elements_to_dicts(map(rounded, elements))
    found = json.dumps(dicts, indent=indent, sort_keys=True)
    if filename is not None:
        Path(filename).write_text(found, encoding)
    return found


def _dict(element: Any, payloads: dict[int, str]) -> dict[str, Any]:
    fields = vars(element.metadata)
    originals = fields.get("orig_elements")
    if not originals or id(originals) not in payloads:
        row: dict[str, Any] = element.to_dict()
        payloads[id(originals)] = row["metadata"].get("orig_elements", "")
        return row
    row = _without_originals(element).to_dict()
    metadata = {**row["metadata"], "orig_elements": payloads[id(originals)]}
    # The payload stands where the list does among the fields.
    row["metadata"] = {name: metadata[name] for name in fields if name in metadata}
    return row


def _without_originals(element: Any) -> Any:
    """Return a copy that shares all but the list of originals."""
    _ = element.id  # made up once, for the copy too
    metadata, copy = _twin(element.metadata), _twin(element)
    del vars(metadata)["orig_elements"]
    vars(copy)["metadata"] = metadata
    return copy


def _twin(source: Any) -> Any:
    found = object.__new__(type(source))
    vars(found).update(vars(source))
    return found


def chunks_to_dicts(chunks: Chunks, *, originals: bool = True) -> list[dict[str, Any]]:
    """Return chunks as the dicts that Unstructured's own chunks have, which its tools read.

    Texts are of the type ``CompositeElement``, tables of ``Table``, rows of one of ``TableChunk``.
    Metadata are put together as Unstructured does.

    Parameters
    ----------
    chunks
        What strategies made of Unstructured's elements, be it of several documents.
    originals
        Whether ``metadata.orig_elements`` holds what a chunk was made of, compressed.

    Returns
    -------
    list[dict]
        A ``dict`` for each chunk; ``element_id`` is the chunk's id.

    Raises
    ------
    ConfigError
        If the chunks are not made of Unstructured's elements.
    ReadError
        If the elements' metadata cannot be put together, or said in JSON.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.compat.unstructured import chunks_to_dicts
    >>> chunks = cw.chunk([{"type": "Title", "text": "Rain"}], "basic", max_chars=50)
    >>> [(row["type"], row["text"]) for row in chunks_to_dicts(chunks)]
    [('CompositeElement', 'Rain')]
    """
    columns = chunks.columns
    row_ends = columns.core.row_ends()
    dicts: list[dict[str, Any]] = []
    for doc, document in enumerate(chunks.documents):
        if len(dicts) < row_ends[doc]:
            dicts += _dicts(columns, doc, document, originals=originals)
    rows = chunks.rows
    return dicts if rows == range(len(dicts)) else [dicts[row] for row in rows]


def _dicts(
    columns: Columns, doc: int, document: Document, *, originals: bool
) -> list[dict[str, Any]]:
    elements = document.elements
    if not isinstance(elements, UnstructuredElements):
        raise ConfigError("chunks must be made of Unstructured's elements")
    items, name = elements.items, document.name or ""
    try:
        kinds = None if isinstance(items[0], Mapping) else kinds_of(items[0])
        first, end = [0, *columns.core.row_ends()][doc : doc + 2]
        ids = columns.ids[first:end]
        return _core.native_dicts(columns.core, doc, items, kinds, ids, originals=originals)
    except (AttributeError, TypeError, ValueError) as error:
        reason = f"the metadata of elements is not what Unstructured's is: {error}"
        raise ReadError(f"{name}: {reason}" if name else reason) from error
