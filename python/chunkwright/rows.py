"""Row schema of chunks: the columns that rows have in tables, JSON lines and Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright import _core
from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE, OF_ELEMENTS, OF_ENDINGS, OF_BOUNDARIES, OF_CONTEXTS = map(tuple, _core.row_columns())
"""Columns of every row, of elements, of strategies that score boundaries, of boundaries that a
model set, and of contexts."""

ALL = (*BASE, *OF_ELEMENTS, *OF_ENDINGS, *OF_BOUNDARIES, *OF_CONTEXTS, "error")
"""Names that no other column can have."""

ContextRow: TypeAlias = "tuple[str | None, int, str, str | None, str]"
"""A context, the tokens of context and text, its outcome, why there is none, the prompt's
fingerprint."""


def arrow_metadata(provenance: Mapping[str, str]) -> dict[str, str]:
    """Return what tables of chunks say of themselves: what models and prompts they depend on."""
    return {f"chunkwright.{name}": fingerprint for name, fingerprint in provenance.items()}


def boundaries_of(provenance: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the fingerprints of the model and the prompt that set boundaries, if one did."""
    if OF_BOUNDARIES[0] not in provenance:
        return None
    model, prompt = (provenance[name] for name in OF_BOUNDARIES)
    return model, prompt


def carried(metadata: list[Mapping[str, Any]]) -> list[tuple[str, list[Any]]]:
    """Return the metadata of documents as columns: a value, or None, for each document."""
    names = dict.fromkeys(name for of in metadata for name in of)
    return [(name, [well_formed(of.get(name)) for of in metadata]) for name in names]


def well_formed(value: Any) -> Any:
    """Return a value as UTF-8 can say it."""
    return without_surrogates(value) if isinstance(value, str) else value
