"""Elements of either family as JSON: originals that chunks share are encoded once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .staging import rounded


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
        found: dict[str, Any] = element.to_dict()
        payloads[id(originals)] = found["metadata"].get("orig_elements", "")
        return found
    found = _without_originals(element).to_dict()
    metadata = {**found["metadata"], "orig_elements": payloads[id(originals)]}
    # The payload stands where the list does among the fields.
    found["metadata"] = {name: metadata[name] for name in fields if name in metadata}
    return found


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
