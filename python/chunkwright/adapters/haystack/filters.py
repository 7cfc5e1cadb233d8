"""Filters of Haystack as those of a store."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from haystack.errors import FilterError

from chunkwright.adapters.texts import stored_name, with_ids
from chunkwright.store.searching.filters import Compare, Filter

_COMPARES = (">", ">=", "<", "<=")
_NOTHING = Filter(none_of=[Filter()])


def where_of(filters: dict[str, Any] | None) -> Filter:
    """Return the filter of a store that means the same.

    Metadata that are scalars are filtered by, and the id of documents. Dates are texts in ISO 8601,
    compared as texts: give all of them in one form and one time zone.

    Raises
    ------
    FilterError
        If they are none, or ask for something else.
    """
    if not filters:
        return Filter()
    if not isinstance(filters, dict):
        raise FilterError(f"filters must be a dict, got {filters!r:.80}")
    return _condition(filters) if "field" in filters else _group(filters)


def _group(of: dict[str, Any]) -> Filter:
    operator, conditions = _member(of, "operator"), _member(of, "conditions")
    within = [where_of(each) for each in conditions]
    if operator == "AND":
        return Filter(all_of=within)
    if operator == "OR":
        return Filter(any_of=within)
    if operator == "NOT":
        return Filter(none_of=[Filter(all_of=within)])
    raise FilterError(f"unknown operator {operator!r}: there are AND, OR and NOT")


def _condition(of: dict[str, Any]) -> Filter:
    field, operator, value = (_member(of, name) for name in ("field", "operator", "value"))
    is_negated = operator in {"!=", "not in"}
    if operator in _COMPARES:
        return _compared(field, operator, value)
    if operator in {"in", "not in"}:
        if not isinstance(value, list):
            raise FilterError(f"{operator!r} of {field!r} needs a list, got {value!r:.80}")
    elif operator not in {"==", "!="}:
        raise FilterError(f"unknown operator {operator!r} of {field!r}")
    elif isinstance(value, list | dict):
        raise FilterError(f"{field!r}: only single values are filtered by, got {value!r:.80}")
    where = _equal(field, value if isinstance(value, list) else [value])
    return Filter(none_of=[where]) if is_negated else where


def _equal(field: str, values: list[Any]) -> Filter:
    if field == "id":
        return with_ids(values)
    return Filter(metadata={_name(field): values})


def _compared(field: str, operator: Any, value: Any) -> Filter:
    if value is None:
        return _NOTHING
    if isinstance(value, datetime):
        value = value.isoformat()
    if isinstance(value, str):
        try:
            datetime.fromisoformat(value)
        except ValueError as error:
            message = f"{operator!r} of {field!r} needs a number or a date, got {value!r:.80}"
            raise FilterError(message) from error
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise FilterError(f"{operator!r} of {field!r} needs a number or a date, got {value!r:.80}")
    return Filter(metadata={_name(field): Compare(operator, value)})


def _name(field: str) -> str:
    if field in {"content", "embedding", "score", "blob"}:
        raise FilterError(f"a store filters by id and meta, not by {field!r}")
    return stored_name(field.removeprefix("meta."))


def _member(of: dict[str, Any], name: str) -> Any:
    if name not in of:
        raise FilterError(f"{name!r} is missing in {of!r:.80}")
    return of[name]
