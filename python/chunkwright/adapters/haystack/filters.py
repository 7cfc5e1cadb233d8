"""Filters of Haystack as those of a store."""

from __future__ import annotations

from dataclasses import fields
from datetime import date, datetime
from typing import Any

from haystack import Document
from haystack.errors import FilterError

from chunkwright.adapters.texts import alike, compared, is_id, stored_name, with_ids
from chunkwright.errors import ConfigError
from chunkwright.store.searching.filters import Filter

_COMPARES = (">", ">=", "<", "<=")
_NOTHING = Filter(none_of=[Filter()])


def where_of(filters: dict[str, Any] | None) -> Filter:
    """Return the filter of a store that means the same.

    Metadata that are scalars are filtered by, also those in dicts by their path, as in
    ``meta.person.name``, and the id of documents. Dates are texts in ISO 8601, compared as texts:
    give all of them in one form and one time zone.

    Raises
    ------
    FilterError
        If they are none, or ask for something else.
    """
    if not filters:
        return Filter()
    where = _where(filters)
    try:
        # What a store does not take is said here, as Haystack says it.
        _ = where.condition
    except ConfigError as error:
        raise FilterError(str(error)) from error
    return where


def _where(filters: Any) -> Filter:
    if not isinstance(filters, dict):
        raise FilterError(f"filters must be a dict, got {filters!r:.80}")
    return _condition(filters) if "field" in filters else _group(filters)


def _group(of: dict[str, Any]) -> Filter:
    operator, conditions = _member(of, "operator"), _member(of, "conditions")
    if not isinstance(conditions, list):
        raise FilterError(f"'conditions' must be a list, got {conditions!r:.80}")
    within = [_where(each) for each in conditions]
    if operator == "AND":
        return Filter(all_of=within)
    if operator == "OR":
        return Filter(any_of=within)
    if operator == "NOT":
        return Filter(none_of=[Filter(all_of=within)])
    raise FilterError(f"unknown operator {operator!r}: there are AND, OR and NOT")


def _condition(of: dict[str, Any]) -> Filter:
    field, operator, value = (_member(of, name) for name in ("field", "operator", "value"))
    if not isinstance(field, str) or not isinstance(operator, str):
        raise FilterError(f"'field' and 'operator' must be str, got {field!r:.80} and {operator!r}")
    is_negated = operator in {"!=", "not in"}
    if operator in _COMPARES:
        return _compared(field, operator, value)
    if operator in {"in", "not in"}:
        if not isinstance(value, list):
            raise FilterError(f"{operator!r} of {field!r} needs a list, got {value!r:.80}")
    elif operator not in {"==", "!="}:
        raise FilterError(f"unknown operator {operator!r} of {field!r}")
    where = _equal(field, value if operator.endswith("in") else [value])
    return Filter(none_of=[where]) if is_negated else where


def _equal(field: str, values: list[Any]) -> Filter:
    for value in values:
        if not isinstance(value, str | bool | int | float | date | None):
            raise FilterError(f"{field!r}: only single values are filtered by, got {value!r:.80}")
    if field == "id":
        return with_ids(value for value in values if is_id(value))
    return Filter(metadata={_name(field): alike(values)})


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
    return Filter(metadata={_name(field): compared(operator, value)})


def _name(field: str) -> str:
    if field.partition(".")[0] in {f.name for f in fields(Document)} - {"meta"} or field == "meta":
        raise FilterError(f"a store filters by id and what is in meta, not by {field!r}")
    return stored_name(field.removeprefix("meta."))


def _member(of: dict[str, Any], name: str) -> Any:
    if name not in of:
        raise FilterError(f"{name!r} is missing in {of!r:.80}")
    return of[name]
