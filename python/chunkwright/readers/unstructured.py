"""Unstructured's elements, in whatever form they are at hand, as a document."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.box import Box
from chunkwright.elements.elements import Elements
from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.orig_elements import (
    MAX_DECODED_BYTES,
    Allowance,
    check,
    decoded,
    is_payload,
)
from chunkwright.readers.text import decode, read_bytes

Source = str | bytes | os.PathLike[str] | Iterable[Any]


def read_elements(
    source: Source,
    *,
    name: str | None = None,
    max_decoded_bytes: int = MAX_DECODED_BYTES,
) -> Document:
    r"""Read elements of Unstructured as a document, without needing Unstructured.

    Nothing is lost: ``element.item`` is the caller's own dict or object.

    Parameters
    ----------
    source
        A list, or another iterable, of dicts as ``Element.to_dict`` makes them
        (``{"type", "element_id", "text", "metadata"}``) or of the objects themselves; the path of
        a JSON file with a list of such dicts; the JSON itself, or the value of a chunk's
        ``orig_elements``, as ``str`` or ``bytes``. An element of an unknown type is read as text.
    name
        The name of the document, from which ids are derived; by default the file's path, else the
        ``filename`` of the first element.
    max_decoded_bytes
        The most bytes of all ``orig_elements`` together once they are decoded.

    Returns
    -------
    Document
        Its text, its elements, and its name.

    Raises
    ------
    ReadError
        If it cannot be read, or has other items than elements; names the element and the field.

    Examples
    --------
    >>> import chunkwright as cw
    >>> document = cw.read_elements(
    ...     [
    ...         {"type": "Title", "text": "Rain"},
    ...         {"type": "NarrativeText", "text": "It  rained.", "metadata": {"page_number": 2}},
    ...     ]
    ... )
    >>> document.text
    'Rain\n\nIt rained.'
    >>> document.elements[1].pages, document.elements[1].headings
    ((2,), ('Rain',))
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"name must be a str or None, got {name!r}")
    allowance = Allowance(_checked_bytes(max_decoded_bytes))
    items, path = _items(source, allowance)
    elements = elements_of(items)
    _check_originals(items, elements.core.with_originals(), allowance)
    if name is None:
        name = path if path is not None else _stated_name(items)
    return Document(elements=elements, name=name)


def read_element_json(text: str, *, name: str | None = None) -> Document:
    """Read a JSON list of elements; see :func:`read_elements`, which takes paths as well."""
    return read_elements(text.encode("utf-8", "surrogatepass"), name=name)


def elements_of(items: Sequence[Any]) -> UnstructuredElements:
    """Return the element table of dicts, or of Unstructured's objects or what looks like them.

    Raises
    ------
    ReadError
        If an item is no element; names its number.
    """
    if not items or isinstance(items[0], Mapping):
        return UnstructuredElements(_core.Elements.of_dicts(items), items)
    return UnstructuredElements(_core.Elements.of_objects(items, kinds_of(items[0])), items)


# Fields of the metadata that say where an element stands, and how sure its source is.
PLACES = ("coordinates", "page_number", "detection_class_prob")


class UnstructuredElements(Elements):
    """Elements of Unstructured: their HTML and boxes are looked up in the caller's own objects."""

    def html_of(self, index: int) -> str | None:
        """Return ``text_as_html``."""
        html = of_metadata(self.items[index], "text_as_html")
        return html if isinstance(html, str) else super().html_of(index)

    def _short_item(self, row: int) -> dict[str, Any]:
        """Return where an element stands, without its text and its HTML."""
        known = {name: of_metadata(self.items[row], name) for name in PLACES}
        return {"metadata": {name: value for name, value in known.items() if value is not None}}

    def confidence_of(self, index: int) -> float | None:
        """Return ``detection_class_prob``."""
        confidence = of_metadata(self.items[index], "detection_class_prob")
        return confidence if isinstance(confidence, float) else None

    def boxes_of(self, index: int) -> tuple[Box, ...]:
        """Return the rectangle around the points of ``coordinates``.

        Raises
        ------
        ReadError
            If they are no points.
        """
        coordinates = of_metadata(self.items[index], "coordinates")
        if coordinates is None:
            return ()
        try:
            box = _box(of_metadata(self.items[index], "page_number"), coordinates)
        except (TypeError, ValueError, AttributeError) as error:
            reason = f"coordinates are no points: {error}"
            raise ReadError(f"elements[{self.number(index)}]: {reason}") from error
        return () if box is None else (box,)


def _box(page: int | None, coordinates: Any) -> Box | None:
    if isinstance(coordinates, Mapping):
        points, system = coordinates.get("points"), coordinates
        width, height = system.get("layout_width"), system.get("layout_height")
    else:
        points, system = coordinates.points, coordinates.system
        width, height = getattr(system, "width", None), getattr(system, "height", None)
    if not points:
        return None
    across, down = zip(*((float(x), float(y)) for x, y in points), strict=True)
    return Box(page, min(across), min(down), max(across), max(down), width, height)


def of_metadata(item: Any, key: str) -> Any:
    """Return a field of an element's metadata, None if it has none."""
    if isinstance(item, Mapping):
        metadata = item.get("metadata")
        return metadata.get(key) if isinstance(metadata, Mapping) else None
    return getattr(getattr(item, "metadata", None), key, None)


def kinds_of(item: object) -> _core.ElementKinds:
    """Return the classes that titles, tables and so on are of, where an item's class is from.

    Raises
    ------
    ReadError
        If the item is no element.
    """
    for class_ in type(item).__mro__:
        module = sys.modules.get(class_.__module__)
        named = (getattr(module, name, None) for name in ("Title", "Table", "CodeSnippet"))
        kinds = [kind for kind in named if isinstance(kind, type)]
        if len(kinds) == 3:  # noqa: PLR2004 - all of them
            return _core.ElementKinds(*kinds)
    reason = "must be a dict or an element of Unstructured"
    raise ReadError(f"elements[0] {reason}, got {type(item).__name__}")


def _items(source: Source, allowance: Allowance) -> tuple[list[Any], str | None]:
    """Return the items that a source holds, and its path if it is a file."""
    if isinstance(source, bytes | bytearray):
        return _held(decode(bytes(source), encoding="utf-8-sig"), allowance), None
    if isinstance(source, str):
        # No file's name begins as JSON does, or is blank.
        if is_payload(source) or source.lstrip("\ufeff \t\r\n")[:1] in ("[", "{", ""):
            return _held(source, allowance), None
        source = Path(source)
    if isinstance(source, os.PathLike):
        path = os.fspath(source)
        text = decode(read_bytes(path), encoding="utf-8-sig", name=path)
        return _parsed(text, path), path
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        kind = type(source).__name__
        raise ReadError(f"elements must be a list, a path or JSON, got {kind}")
    return list(source), None


def _held(text: str, allowance: Allowance) -> list[Any]:
    if is_payload(text):
        return list(decoded(text, allowance, "orig_elements"))
    return _parsed(text, "the JSON")


def _parsed(text: str, place: str) -> list[Any]:
    try:
        items = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ReadError(f"{place}: not JSON at {where}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{place}: not JSON: {error}") from error
    if not isinstance(items, list):
        kind = type(items).__name__
        raise ReadError(f"{place}: must hold a list of elements, got {kind}")
    return items


def _check_originals(
    items: Sequence[Any], with_originals: Sequence[int], allowance: Allowance
) -> None:
    """Check what items say they were made of, to know now whether it can be decoded."""
    for at in with_originals:
        payload = of_metadata(items[at], "orig_elements")
        if isinstance(payload, str):
            check(payload, allowance, f"elements[{at}]: orig_elements")
        elif not isinstance(payload, list):
            kind = type(payload).__name__
            raise ReadError(f"elements[{at}]: orig_elements must be a str or a list, got {kind}")


def _stated_name(items: Sequence[Any]) -> str | None:
    name = of_metadata(items[0], "filename") if items else None
    return name if isinstance(name, str) else None


def _checked_bytes(max_bytes: object) -> int:
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 0:
        raise ConfigError(f"max_decoded_bytes must be an int of at least 0, got {max_bytes!r}")
    return max_bytes
