"""Row schema of chunks: the columns that rows have in tables, JSON lines and Arrow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright import _core
from chunkwright.errors import ConfigError
from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BASE, OF_ELEMENTS, OF_BLOCKS, OF_CODE, OF_ENDINGS, OF_BOUNDARIES, OF_CONTEXTS, OF_SHADOWS = map(
    tuple, _core.row_columns()
)
"""Columns of every row, of elements, of blocks of their author, of source code, of strategies that
score boundaries, of boundaries that a model set, of contexts, and of shadows."""

_OF_BOUNDARIES = (*OF_ENDINGS, *OF_BOUNDARIES)
_MORE = (*_OF_BOUNDARIES, *OF_CONTEXTS, *OF_SHADOWS, "error")
ALL = (*BASE, *OF_ELEMENTS, *OF_BLOCKS, *OF_CODE, *_MORE)
"""Names of all columns, in the order in which rows have them."""
RESERVED = frozenset(ALL) - frozenset(OF_CODE)
"""Names that no other column can have; those of source code are common ones."""

ContextRow: TypeAlias = "tuple[str | None, int, str, str | None, str]"
"""A context, the tokens of context and text, its outcome, why there is none, the prompt's
fingerprint."""

Shadows: TypeAlias = "tuple[str | None, str | None]"
"""The shadows of a chunk, before and behind it."""


def arrow_metadata(provenance: Mapping[str, str]) -> dict[str, str]:
    """Return what tables of chunks say of themselves: what models and prompts they depend on."""
    return {f"chunkwright.{name}": fingerprint for name, fingerprint in provenance.items()}


def boundaries_of(provenance: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the fingerprints of the model and the prompt that set boundaries, if one did."""
    if OF_BOUNDARIES[0] not in provenance:
        return None
    model, prompt = (provenance[name] for name in OF_BOUNDARIES)
    return model, prompt


_SCALARS = (bool, int, float, str)
# Up to here, each integer is a float, too.
_EXACT = 2**53


def types_of(metadata: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return the type of the values under each name: that of all documents, None if all are None.

    Raises
    ------
    ConfigError
        If there are values of two types under one name, other than integers and floats, or an
        integer beside floats is none of them.
    """
    types: dict[str, str | None] = {}
    # Under each name, an integer that no float is.
    between: dict[str, int] = {}
    for of in metadata:
        for name, value in of.items():
            # A bool is an int, too; an enumeration may be a str.
            own = next((each.__name__ for each in _SCALARS if isinstance(value, each)), None)
            own = "str" if isinstance(value, list) else own
            before = types.get(name)
            if own is None or own == before:
                types.setdefault(name, None)
            elif before is None:
                types[name] = own
            elif {own, before} == {"int", "float"}:
                types[name] = "float"
            else:
                raise ConfigError(
                    f"metadata {name!r} is of type {before} in one document, {own} in another",
                    option="metadata",
                )
            if own == "int" and not -_EXACT <= value <= _EXACT and int(float(value)) != value:
                between[name] = value
    for name, value in between.items():
        if types[name] == "float":
            message = f"metadata {name!r} has floats, and the int {value}, which no float is"
            raise ConfigError(message, option="metadata")
    return types


def well_formed(value: Any) -> Any:
    """Return a value as UTF-8 can say it; a list as JSON."""
    if isinstance(value, list):
        value = json.dumps(value, ensure_ascii=False)
    return without_surrogates(value) if isinstance(value, str) else value
