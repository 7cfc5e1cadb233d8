"""Elements to and from JSON, for where Unstructured is not installed."""

from __future__ import annotations

import base64
import copy
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from chunkwright.readers.orig_elements import Allowance
from chunkwright.readers.orig_elements import decoded as read_payload

from .elements import TYPES, CheckBox, Element
from .metadata import ElementMetadata


def elements_from_dicts(element_dicts: Iterable[dict[str, Any]]) -> list[Element]:
    """Make elements of what JSON holds; those of unknown type are left out, as Unstructured does.

    Parameters
    ----------
    element_dicts
        A ``dict`` for each element.

    Returns
    -------
    list[Element]
        The elements.
    """
    made = map(_element, element_dicts)
    return [element for element in made if element is not None]


def _element(item: dict[str, Any]) -> Element | None:
    held = item.get("metadata")
    metadata = ElementMetadata() if held is None else ElementMetadata.from_dict(held)
    common: dict[str, Any] = {"element_id": item.get("element_id"), "metadata": metadata}
    if (cls := TYPES.get(item.get("type", ""))) is not None:
        return cls(text=item["text"], **common)
    return CheckBox(checked=item["checked"], **common) if item.get("type") == "CheckBox" else None


def elements_from_json(
    filename: str = "", text: str = "", encoding: str = "utf-8"
) -> list[Element]:
    """Read elements from a file of JSON, or from a text of it.

    Raises
    ------
    ValueError
        Unless exactly one of both is given, or for what is no JSON.
    """
    if bool(filename) == bool(text):
        raise ValueError("Exactly one of filename and text must be specified.")
    source = Path(filename).read_text(encoding) if filename else text
    try:
        items = json.loads(source)
    except RecursionError as error:
        raise ValueError("The JSON is nested too deeply.") from error
    return elements_from_dicts(items)


def encoded(elements: Iterable[Element]) -> str:
    """Return elements as JSON, compressed and in base64, as metadata of a chunk holds them."""
    dicts = [rounded(element).to_dict() for element in elements]
    return base64.b64encode(zlib.compress(json.dumps(dicts, sort_keys=True).encode())).decode()


def decoded(payload: str) -> list[Element]:
    """Read what `encoded` wrote.

    Raises
    ------
    ReadError
        If it is something else, or takes more than 200 MB.
    """
    return elements_from_dicts(read_payload(payload, Allowance(), "orig_elements"))


def rounded(element: Any) -> Any:
    """Return a copy of an element of either family, coordinates and probability rounded.

    One that has neither is returned itself.
    """
    coordinates = element.metadata.coordinates
    probability = element.metadata.detection_class_prob
    if not coordinates and not probability:
        return element
    _ = element.id  # made up once, for the copy too
    element = copy.copy(element)
    element.metadata = copy.copy(element.metadata)
    if coordinates:
        digits = 1 if type(coordinates.system).__name__ == "PixelSpace" else 2
        coordinates = copy.copy(coordinates)
        points = coordinates.points or ()
        coordinates.points = tuple(tuple(round(x, digits) for x in point) for point in points)
        element.metadata.coordinates = coordinates
    if probability:
        element.metadata.detection_class_prob = round(probability, 5)
    return element


def pairs_to_dicts(pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what JSON holds of the keys and values of a form."""
    return [_pair(pair, lambda element: element.to_dict()) for pair in pairs]


def pairs_from_dicts(pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Read what JSON holds of the keys and values of a form."""
    return [_pair(pair, lambda item: elements_from_dicts([item])[0]) for pair in pairs]


def _pair(pair: dict[str, Any], convert: Any) -> dict[str, Any]:
    pair = copy.deepcopy(pair)
    for side in ("key", "value"):
        if pair[side] is not None and pair[side]["custom_element"] is not None:
            pair[side]["custom_element"] = convert(pair[side]["custom_element"])
    return pair
