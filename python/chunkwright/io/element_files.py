"""Elements of Unstructured on the command line: how they are told from text."""

import json
from typing import TYPE_CHECKING

from chunkwright.errors import ReadError

if TYPE_CHECKING:
    from chunkwright.document import Document


def elements_in(text: str, name: str, place: str) -> "Document":
    """Read a JSON list of elements.

    Raises
    ------
    ReadError
        If it is none; names the place.
    """
    from chunkwright.readers.unstructured import read_elements

    try:
        return read_elements(text.encode("utf-8", "surrogatepass"), name=name)
    except ReadError as error:
        raise ReadError(f"{place}: {error}") from error


def no_elements(strategy: str, place: str) -> ReadError:
    """Return why a strategy over elements cannot cut a text, and what can be done."""
    remedy = "give a JSON list of elements, or a --strategy for texts such as recursive or balanced"
    return ReadError(f"{place}: strategy {strategy!r} cuts elements, and this is text: {remedy}")


def looks_like_elements(text: str) -> bool:
    """Whether a text is a JSON list whose first item has a type and a text."""
    if not text.lstrip("\ufeff \t\r\n").startswith("["):
        return False
    try:
        items = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    first = items[0] if items else {"type": "", "text": ""}
    return isinstance(first, dict) and {"type", "text"} <= first.keys()
