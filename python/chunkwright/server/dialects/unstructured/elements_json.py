"""Elements as JSON has them: those read before, texts of any other JSON, and their ids."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from uuid import uuid4

from chunkwright.compat.unstructured.elements import TYPES
from chunkwright.compat.unstructured.metadata import CoordinatesMetadata, DataSourceMetadata
from chunkwright.compat.unstructured.staging import pairs_from_dicts, pairs_to_dicts
from chunkwright.errors import ReadError
from chunkwright.readers.orig_elements import Allowance, check

_DIGITS = 32


def random_ids(n: int) -> list[str]:
    """Return ids that no others have, as UUIDs of version 4; all at once, which takes a tenth."""
    digits = os.urandom(16 * n).hex()
    return [_uuid(digits[at : at + _DIGITS]) for at in range(0, len(digits), _DIGITS)]


def _uuid(digits: str) -> str:
    variant = "89ab"[int(digits[16], 16) % 4]
    first, second, third = digits[:8], digits[8:12], digits[13:16]
    return f"{first}-{second}-4{third}-{variant}{digits[17:20]}-{digits[20:]}"


def derive_ids(elements: Sequence[dict[str, Any]], *, in_runs: bool = False) -> None:
    """Give elements ids of their file, text, page and place on it; parents are named by theirs.

    Parameters
    ----------
    elements
        All elements of a file, in order, as dicts, which are changed.
    in_runs
        Whether places are counted anew wherever the page changes, as Unstructured does for elements
        that come as JSON. Else each page has one count, so that no two ids are equal.
    """
    derived = {}
    for element, place in zip(elements, _places(elements, in_runs=in_runs), strict=True):
        metadata = element["metadata"]
        page = metadata.get("page_number")
        said = f"{metadata.get('filename')}{element['text']}{page}{place}"
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        before, element["element_id"] = element["element_id"], digest
        derived[before] = digest
    for element in elements:
        parent = element["metadata"].get("parent_id")
        if parent is not None:
            element["metadata"]["parent_id"] = derived.get(parent, parent)


def _places(elements: Sequence[dict[str, Any]], *, in_runs: bool) -> list[int]:
    pages = [element["metadata"].get("page_number") for element in elements]
    if in_runs:
        return [place for _, run in groupby(pages) for place, _ in enumerate(run)]
    counts: dict[object, int] = {}
    places = []
    for page in pages:
        places.append(counts.get(page, 0))
        counts[page] = places[-1] + 1
    return places


_SPACES = 2
# Fields of metadata that hold objects.
_FORMS: dict[str, Callable[[Any], Any]] = {
    "coordinates": lambda value: CoordinatesMetadata.from_dict(value).to_dict(),
    "data_source": lambda value: DataSourceMetadata.from_dict(value).to_dict(),
    "key_value_pairs": lambda value: pairs_to_dicts(pairs_from_dicts(value)),
}
_LEFT_OUT = frozenset({"orig_elements", "detection_origin"})
CATEGORIES = {name: kind.category for name, kind in TYPES.items()}
"""What Unstructured calls each type that JSON may name."""


class ReadElements(NamedTuple):
    """Elements that JSON holds.

    Attributes
    ----------
    elements
        The elements, as Unstructured writes them to JSON, without what they were made of.
    originals
        ``metadata.orig_elements`` of each, as it was written; None for those without.
    have_ids
        Whether they have ids that they keep as long as they are not cut.
    unread
        Numbers of pages whose text is in pictures, which are not read.
    warnings
        What else is not read of the file, and why.
    """

    elements: list[dict[str, Any]]
    originals: list[str | None]
    have_ids: bool
    unread: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


def json_of(text: str, name: str) -> Any:
    """Parse JSON; ``NaN`` and ``Infinity`` are none.

    Raises
    ------
    ReadError
        If it is no JSON: names the file and the place.
    """
    try:
        return json.loads(text, parse_constant=_refuse) if text.strip() else []
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ReadError(f"{name}: not JSON at {place}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{name}: not JSON: {error}") from error


def json_lines_of(text: str, name: str) -> list[Any]:
    """Parse a text of one JSON value a line; blank lines are none.

    Raises
    ------
    ReadError
        If a line is no JSON: names the file and the line.
    """
    lines = enumerate(text.split("\n"), 1)
    return [json_of(line, f"{name}, line {at}") for at, line in lines if line.strip()]


def elements_of_json(value: Any, name: str, most: int) -> ReadElements:
    """Return the elements of a JSON value.

    A list of nothing but elements gives them; a list of other objects a text for each; all else
    one text. The texts are the JSON, indented.

    Parameters
    ----------
    value
        The value.
    name
        What the file is called, for messages.
    most
        Bytes that all ``orig_elements`` may hold when they are decoded.

    Raises
    ------
    ReadError
        If a list of elements has fields that are none of theirs.
    """
    if isinstance(value, list) and value and all(map(_is_element, value)):
        return _rehydrated(value, name, most)
    of_objects = isinstance(value, list) and all(isinstance(each, dict) for each in value)
    return _texts(value if of_objects else [value])


def elements_of_json_lines(values: Sequence[Any], name: str, most: int) -> ReadElements:
    """Return the elements of JSON lines: elements if all are, else a text for each line."""
    return _rehydrated(values, name, most) if all(map(_is_element, values)) else _texts(values)


def _is_element(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    metadata, kind = item.get("metadata"), item.get("type")
    if not (metadata is None or isinstance(metadata, dict)) or not isinstance(kind, str):
        return False
    if kind == "CheckBox":
        return isinstance(item.get("checked"), bool)
    return kind in CATEGORIES and isinstance(item.get("text"), str)


def _texts(values: Sequence[Any]) -> ReadElements:
    texts = [json.dumps(value, indent=_SPACES, sort_keys=True) for value in values]
    made = [element("UncategorizedText", text, {}) for text in texts]
    return ReadElements(made, [None] * len(texts), have_ids=False)


def element(
    kind: str, text: str, metadata: dict[str, Any], element_id: str | None = None
) -> dict[str, Any]:
    """Return an element; without an id of its own it has one that no other has."""
    named = str(uuid4()) if element_id is None else element_id
    return {"type": kind, "element_id": named, "text": text, "metadata": metadata}


def _rehydrated(items: Sequence[dict[str, Any]], name: str, most: int) -> ReadElements:
    allowance = Allowance(most)
    originals = [(item.get("metadata") or {}).get("orig_elements") for item in items]
    for at, payload in enumerate(originals):
        if payload is not None:
            # Chunks of chunks hold no originals, and other answers hold them as they came.
            _check_payload(payload, allowance, f"{name}: elements[{at}]")
    elements = []
    for at, item in enumerate(items):
        try:
            elements.append(_canonical(item))
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
            reason = f"it is no element that can be read: {error}"
            raise ReadError(f"{name}: elements[{at}]: {reason}") from error
    return ReadElements(elements, originals, have_ids=True)


def _canonical(item: dict[str, Any]) -> dict[str, Any]:
    """Return an element as Unstructured would write it, had it read it."""
    given = item.get("element_id")
    if not (given is None or isinstance(given, str)):
        raise TypeError(f"element_id must be a str, got {given!r}")
    metadata = {}
    for key, value in (item.get("metadata") or {}).items():
        if key in _LEFT_OUT or (not value and _says_nothing(key, value)):
            continue
        metadata[key] = _object(key, value) if key in _FORMS else value
    if item["type"] == "CheckBox":
        return {**element("CheckBox", "", metadata, given), "checked": item["checked"]}
    return element(CATEGORIES[item["type"]], item["text"], metadata, given)


def _says_nothing(key: str, value: object) -> bool:
    """Whether a field is not written again; of all that says nothing, an empty source is."""
    return value is None or value == [] or (value == {} and key != "data_source")


def _object(key: str, value: object) -> Any:
    kind = list if key == "key_value_pairs" else dict
    if not isinstance(value, kind):
        raise TypeError(f"{key} must be a {kind.__name__}, got {type(value).__name__}")
    return _FORMS[key](value)


def _check_payload(payload: object, allowance: Allowance, place: str) -> None:
    """Check what an element says it was made of.

    Raises
    ------
    ReadError
        If it is none, or too large; names the place.
    """
    if not isinstance(payload, str):
        kind = type(payload).__name__
        raise ReadError(f"{place}: orig_elements must be a str, got {kind}")
    check(payload, allowance, f"{place}: orig_elements")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is none of its values")
