"""Arguments of tools and prompts, checked: what is wrong is said so that it can be put right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from chunkwright.errors import nearest
from chunkwright.server.problems import Problem

Shape = TypeVar("Shape", bound=BaseModel)

# Characters of a wrong value that an error repeats.
_SHOWN = 100


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
        mistake = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, mistake["loc"]))
        known = [*shape.model_fields]
        if mistake["type"] == "extra_forbidden" and len(mistake["loc"]) == 1:
            message = f"{name} has no argument {field!r}: {nearest(field, known)}"
        elif mistake["type"] == "missing":
            message = f"{name} needs the argument {field!r}"
        else:
            message = f"{field}: {mistake['msg']}{_got(mistake['input'])}"
        raise Problem(422, "invalid_value", message, field=field) from None


def _got(value: Any) -> str:
    shown = repr(value)
    return f", got {shown}" if len(shown) <= _SHOWN else ""
