"""Conditions of SQL over the metadata of documents, and conditions put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, get_args

from chunkwright.checks import checked_name, checked_number
from chunkwright.errors import ConfigError
from chunkwright.store.drafts import stored_text

Condition = tuple[str, list[object]]
Operator = Literal["<", "<=", ">", ">=", "contains"]
# Asked once for all documents: asked of each, it would go over all that have the value each time.
_HAS = "d.id IN (SELECT m.document FROM metadata_items m WHERE m.name = ?"
_IS_NUMBER, _IS_TEXT = "m.kind IN ('int', 'float')", "m.kind = 'str'"
_HAS_SOME = "SELECT m.document FROM metadata m WHERE m.name = ? AND m.kind <> 'none'"
_HAS_NONE = f"d.id NOT IN ({_HAS_SOME})"
_IS_EMPTY = (
    f"d.id NOT IN ({_HAS_SOME} AND NOT (m.kind = 'str' AND m.text = '')"
    " AND NOT (m.kind = 'list' AND m.text = '[]'))"
)


class Special(Enum):
    """Values of metadata that are told by no value of their own."""

    EMPTY = "empty"
    """No value of that name, None, or a text or a list with nothing in it."""


@dataclass(frozen=True)
class Compare:
    """A comparison with a metadata value, true only for values of the same type.

    Texts are compared by code points, so dates in ISO 8601 compare in their order.

    Parameters
    ----------
    operator
        ``"<"``, ``"<="``, ``">"`` or ``">="``; ``"contains"`` for texts that contain this one,
        letter for letter.
    value
        A number or a text; for ``"contains"`` a text.

    Raises
    ------
    ConfigError
        If the operator is unknown, or the value has a wrong type.
    """

    operator: Operator
    value: float | str

    def __post_init__(self) -> None:
        checked_name("operator", self.operator, list(get_args(Operator)))
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            message = f"{self.operator} needs a number or a text, got {self.value!r}"
            raise ConfigError(message, option="where")
        if self.operator == "contains" and not isinstance(self.value, str):
            raise ConfigError(f"contains needs a text, got {self.value!r}", option="where")


def of_metadata(name: str, wanted: object) -> Condition:
    """Return the condition that a document's value, or an item of it, is that or one of these."""
    values = wanted if isinstance(wanted, list | tuple | set) else [wanted]
    absent = {None: _HAS_NONE, Special.EMPTY: _IS_EMPTY}
    known = list(
        _values(name, [each for each in values if each is not None and each is not Special.EMPTY])
    )
    parts: list[Condition] = [
        (sql, [stored_text(name)])
        for special, sql in absent.items()
        if any(each is special for each in values)
    ]
    if known:
        one_of, parameters = joined(known, " OR ")
        parts.append((f"{_HAS} AND {one_of})", [stored_text(name), *parameters]))
    sql, parameters = joined(parts, " OR ")
    return sql or "1 = 0", parameters


def _values(name: str, wanted: list[object]) -> Iterator[Condition]:
    """Yield conditions of which one is true of a row of metadata with one of some values."""
    equal: dict[str, list[object]] = {}
    for each in wanted:
        if isinstance(each, Compare):
            yield _compared(name, each)
        elif isinstance(each, bool):
            equal.setdefault("m.kind = 'bool' AND m.text", []).append(str(each).lower())
        elif isinstance(each, int | float):
            number = checked_number(f"metadata {name!r}", each)
            equal.setdefault(f"{_IS_NUMBER} AND m.number", []).append(number)
        elif isinstance(each, str):
            equal.setdefault(f"{_IS_TEXT} AND m.text", []).append(stored_text(each))
        else:
            kind = type(each).__name__
            message = f"metadata {name!r} must be a str, int, float, bool or None, got {kind}"
            raise ConfigError(message, option="where")
    for sql, parameters in equal.items():
        yield f"{sql} IN ({marks(parameters)})", parameters


def _compared(name: str, wanted: Compare) -> Condition:
    """Return the condition that a row of metadata compares so."""
    operator, value = wanted.operator, wanted.value
    if not isinstance(value, str):
        number = checked_number(f"metadata {name!r}", value)
        return f"{_IS_NUMBER} AND m.number {operator} ?", [number]
    if operator != "contains":
        return f"{_IS_TEXT} AND m.text {operator} ?", [stored_text(value)]
    if not value:
        return _IS_TEXT, []
    # Both databases have this one, and both tell letters of other cases apart in it.
    return f"{_IS_TEXT} AND replace(m.text, ?, '') <> m.text", [stored_text(value)]


def joined(parts: list[Condition], word: str) -> Condition:
    """Return conditions as one; empty for none."""
    parameters = [value for _, values in parts for value in values]
    return _balanced([sql for sql, _ in parts], word), parameters


def _balanced(conditions: list[str], word: str) -> str:
    """Return conditions as one, halves of halves: a long chain is too deep for SQLite.

    What has an OR is in brackets.
    """
    if len(conditions) <= 1:
        return "".join(conditions)
    middle = len(conditions) // 2
    halves = (_balanced(conditions[:middle], word), _balanced(conditions[middle:], word))
    return f"({word.join(halves)})"


def marks(values: Sequence[object]) -> str:
    """Return marks for the parameters of a list."""
    return ", ".join("?" * len(values))
