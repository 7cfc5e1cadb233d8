"""Dify's conditions on metadata as filters of a store."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, Field

from chunkwright.server.problems import Problem
from chunkwright.server.schemas.requests import Text
from chunkwright.server.schemas.store import MetadataValue
from chunkwright.server.stored.knowledge import values_that
from chunkwright.store import Compare
from chunkwright.store.searching.conditions import Special

if TYPE_CHECKING:
    from chunkwright.store import Store
    from chunkwright.store.searching.conditions import Operator

Named = Annotated[Text, Field(min_length=1, max_length=200)]
_OfTexts = Literal["contains", "not contains", "start with", "end with", "is", "is not"]
_OfValues = Literal["in", "not in", "empty", "not empty"]
_OfOrder = Literal["=", "≠", ">", "<", "≥", "≤", "before", "after"]
Comparison = Literal[_OfTexts, _OfValues, _OfOrder]
_FIELD = "metadata_condition"
# A filter has up to three forms of each.
_MOST_COMPARED = 10_000
# Each is looked up among the values of all documents, twice where it is negated.
_MOST_NAMES = 100
_ORDERS: dict[str, Operator] = {">": ">", "<": "<", "≥": ">=", "≤": "<="}
_TIMES: dict[str, Operator] = {"before": "<", "after": ">"}
# False where the other one is true, and both false of a document without such a value.
_NEGATIONS = {"not contains": "contains", "is not": "is", "not in": "in", "≠": "="}


class Condition(BaseModel):
    """A condition on a value of metadata."""

    name: Named | Annotated[list[Named], Field(max_length=20)] = Field(
        description="Of several names, it is true of one."
    )
    comparison_operator: Comparison
    value: MetadataValue | Annotated[list[MetadataValue], Field(max_length=1000)] | None = None


class Conditions(BaseModel):
    """Conditions of which all or one have to be true."""

    logical_operator: Literal["and", "or"] | None = "and"
    conditions: list[Condition] | None = Field(None, max_length=100)


def filter_of_conditions(store: Store, given: Conditions) -> dict[str, Any]:
    """Return conditions as a filter of a store.

    Raises
    ------
    Problem
        If a value does not go with its operator, or there are too many.
    """
    n_names = sum(len(_names(each)) for each in given.conditions or ())
    if n_names > _MOST_NAMES:
        message = f"the conditions have {n_names:,} names: at most {_MOST_NAMES:,} may be"
        raise _wrong(message)
    n_compared = sum(map(_n_compared, given.conditions or ()))
    if n_compared > _MOST_COMPARED:
        message = f"{n_compared:,} values are compared with names: at most {_MOST_COMPARED:,} may"
        raise _wrong(message)
    group = "any_of" if given.logical_operator == "or" else "all_of"
    filters = [_filter(store, each) for each in given.conditions or ()]
    return {group: filters} if filters else {}


def _n_compared(condition: Condition) -> int:
    n_values = len(condition.value) if isinstance(condition.value, list) else 1
    return len(_names(condition)) * n_values


def _names(condition: Condition) -> list[str]:
    return condition.name if isinstance(condition.name, list) else [condition.name]


def _filter(store: Store, condition: Condition) -> dict[str, Any]:
    return {"any_of": [_of_name(store, name, condition) for name in _names(condition)]}


def _of_name(store: Store, name: str, condition: Condition) -> dict[str, Any]:
    operator, value = condition.comparison_operator, condition.value
    if operator in {"empty", "not empty"}:
        is_empty = {"metadata": {name: Special.EMPTY}}
        return is_empty if operator == "empty" else {"none_of": [is_empty]}
    if operator in _NEGATIONS:
        values = _values(store, name, _NEGATIONS[operator], value)
        return {"none_of": [{"metadata": {name: values}}, {"metadata": {name: None}}]}
    return {"metadata": {name: _values(store, name, operator, value)}}


def _values(store: Store, name: str, operator: str, value: Any) -> list[Any]:
    """Return what a value of metadata may be for a condition to be true."""
    if operator == "in" and value is not None:
        listed = value if isinstance(value, list) else str(value).split(",")
        parts = [each.strip() if isinstance(each, str) else each for each in listed]
        return [form for each in parts for form in _forms(each)]
    if isinstance(value, list) or value is None:
        raise _wrong(f"{operator!r} needs one value, got {value!r:.80}")
    if operator in {"is", "="}:
        return _forms(value)
    if operator in _ORDERS:
        number = _number(value)
        return [Compare(_ORDERS[operator], value if number is None else number)]
    if operator in _TIMES:
        return [Compare(_TIMES[operator], each) for each in _times(value)]
    text = str(value)
    if operator == "contains":
        return [Compare("contains", text)]
    ends = str.startswith if operator == "start with" else str.endswith
    return [*values_that(store, name, text, lambda item: ends(item, text), field=_FIELD)]


def _wrong(message: str) -> Problem:
    return Problem(422, "invalid_value", message, field=_FIELD)


def _number(value: str | float) -> float | None:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _forms(value: str | float) -> list[Any]:
    """Return the values that are written as this one is: Dify sends most as texts."""
    if isinstance(value, bool):
        return [value, str(value).lower()]
    number = _number(value)
    forms: list[Any] = [str(value), *([] if number is None else [number])]
    if str(value).lower() in {"true", "false"}:
        forms.append(str(value).lower() == "true")
    return forms


def _times(value: str | float) -> list[Any]:
    """Return a time as documents may have it: seconds since 1970, and ISO 8601."""
    seconds = _number(value)
    try:
        if seconds is None:
            moment = datetime.fromisoformat(str(value))
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return [moment.timestamp(), str(value)]
        return [seconds, datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")]
    except (ValueError, OverflowError, OSError):
        raise _wrong(f"{value!r:.80} is no time: take ISO 8601, or seconds since 1970") from None
