"""Arguments of tools and prompts, checked: what is wrong is said so that it can be put right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from chunkwright.errors import OptionName, ReadError, nearest
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Shape = TypeVar("Shape", bound=BaseModel)

# Characters of a wrong value that an error repeats.
_SHOWN = 100
# Mistakes that an error names.
_MOST = 4
_UNKNOWN = "extra_forbidden"
_SHORT = frozenset({"string_too_short", "too_short"})


def checked(name: str, shape: type[Shape], arguments: Mapping[str, Any]) -> Shape:
    """Return the arguments of a tool or prompt, checked.

    Parameters
    ----------
    name
        What the tool or prompt is called.
    shape
        The shape of its arguments.
    arguments
        The arguments.

    Raises
    ------
    Problem
        If a name is unknown, or a value does not fit: says which, and what would.
    """
    try:
        return shape.model_validate(dict(arguments))
    except ValidationError as error:
        mistakes = error.errors(include_url=False, include_context=False)
        # Wrong names first: they are why others are missing.
        mistakes.sort(key=lambda each: each["type"] != _UNKNOWN)
        said = dict.fromkeys(_said(name, each, [*shape.model_fields]) for each in mistakes[:_MOST])
        field = ".".join(map(str, mistakes[0]["loc"]))
        raise Problem(422, "invalid_value", "; ".join(said), field=field) from None


def lacks_option(name: str, shape: type[BaseModel], error: Exception) -> str:
    """Return that a tool lacks what an error of a reader advises; empty if it has it.

    Parameters
    ----------
    name, shape
        As for :func:`checked`.
    error
        What a call raised.
    """
    parts = error.parts if isinstance(error, ReadError) else ()
    advised = {str(part) for part in parts if isinstance(part, OptionName)}
    return f" ({name} has no such argument)" if advised - shape.model_fields.keys() else ""


def _said(name: str, mistake: ErrorDetails, known: list[str]) -> str:
    field = ".".join(map(str, mistake["loc"]))
    if mistake["type"] == _UNKNOWN and len(mistake["loc"]) == 1:
        return f"{name} has no argument {field!r}: {nearest(field, known)}"
    if mistake["type"] == "missing":
        return f"{name} needs the argument {field!r}"
    if mistake["type"] in _SHORT and not mistake["input"]:
        return f"{field} must not be empty"
    return f"{field}: {mistake['msg']}{_got(mistake['input'])}"


def _got(value: Any) -> str:
    shown = repr(value)
    return f", got {shown}" if len(shown) <= _SHOWN else ""
