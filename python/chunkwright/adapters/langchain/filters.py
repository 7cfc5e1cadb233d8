"""Filters of LangChain as those of a store."""

from __future__ import annotations

from datetime import date
from typing import Any

from chunkwright.adapters.texts import stored_name
from chunkwright.errors import ConfigError
from chunkwright.store.searching.conditions import Compare, Operator
from chunkwright.store.searching.filters import Filter

_COMPARES: dict[str, Operator] = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


def filter_of(like: Any) -> Filter:
    """Return a filter of a search: a :class:`Filter`, or values of metadata by name.

    In the place of a value may stand what it is compared by: ``{"$gt": 3}``, and so ``$gte``,
    ``$lt``, ``$lte``, ``$eq``, ``$ne``, ``$in``, ``$nin`` and ``$exists``, all of which must be
    true. In the place of a name may stand ``$and`` and ``$or`` with a list of filters, and ``$not``
    with one. A value of metadata that is a list is true where an item is.

    Raises
    ------
    ConfigError
        If it is neither.
    """
    if like is None or isinstance(like, Filter):
        return like or Filter()
    if not isinstance(like, dict):
        kind = type(like).__name__
        raise ConfigError(f"filter must be a Filter or a dict, got {kind}", option="filter")
    return Filter(all_of=[each for of in like.items() for each in _filters(*of)])


def _filters(name: str, wanted: Any) -> list[Filter]:
    """Return what must be true of a value of metadata, or of other filters."""
    if name.startswith("$"):
        return [_group(name, wanted)]
    if not isinstance(wanted, dict):
        return [Filter(metadata={stored_name(name): _plain(wanted)})]
    filters = []
    for operator, given_value in wanted.items():
        value = _plain(given_value)
        if operator in _COMPARES:
            value = Compare(_COMPARES[operator], value)
        elif operator == "$exists":
            value = None
        elif operator not in {"$eq", "$ne", "$in", "$nin"}:
            raise ConfigError(f"unknown operator {operator!r} of {name!r}", option="filter")
        elif operator in {"$in", "$nin"} and not isinstance(value, list):
            message = f"{operator!r} of {name!r} needs a list, got {value!r:.80}"
            raise ConfigError(message, option="filter")
        where = Filter(metadata={stored_name(name): value})
        is_negated = bool(given_value) if operator == "$exists" else operator in {"$ne", "$nin"}
        filters.append(Filter(none_of=[where]) if is_negated else where)
    return filters


def _group(operator: str, wanted: Any) -> Filter:
    """Return that filters are true: each of them, one of them, or that one is not."""
    if operator == "$not":
        return Filter(none_of=[filter_of(wanted)])
    if operator not in {"$and", "$or"}:
        message = f"unknown operator {operator!r}: of filters there are $and, $or and $not"
        raise ConfigError(message, option="filter")
    if not isinstance(wanted, list):
        message = f"{operator!r} needs a list of filters, got {wanted!r:.80}"
        raise ConfigError(message, option="filter")
    within = [filter_of(each) for each in wanted]
    return Filter(any_of=within) if operator == "$or" else Filter(all_of=within)


def _plain(value: Any) -> Any:
    """Return a value with texts in the place of dates, as they are stored."""
    if isinstance(value, list | tuple | set):
        return [_plain(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value
