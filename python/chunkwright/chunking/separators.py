"""Separators: what marks a place to cut, and where it goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal, TypeGuard, get_args

from chunkwright.checks import checked_flag, checked_name
from chunkwright.errors import ConfigError

Keep = Literal["start", "end", "drop"]


_PARAMETERS = {"pattern", "regex", "keep"}


@dataclass(frozen=True, slots=True)
class Separator:
    """A mark at which a text may be cut.

    Parameters
    ----------
    pattern
        The text of the mark, or a regular expression.
    regex
        Whether ``pattern`` is a regular expression, in the syntax of Rust's ``regex`` crate: no
        look-around and no back-references, but linear time on every text. ``^`` and ``$`` match at
        lines.
    keep
        Where the mark goes when the text is cut there: to the ``"start"`` of the chunk after, to
        the ``"end"`` of the chunk before, or into neither (``"drop"``).

    Examples
    --------
    >>> import chunkwright as cw
    >>> rule = cw.Separator("---", keep="drop")
    >>> cw.chunk("one --- two", "recursive", max_chars=5, separators=[rule]).texts()
    ['one', 'two']
    """

    pattern: str
    regex: bool = False
    keep: Keep = "start"

    def __post_init__(self) -> None:
        if not isinstance(self.pattern, str):
            raise ConfigError(
                f"a separator must be a str, got {self.pattern!r}", option="separators"
            )
        checked_flag("regex", self.regex)
        checked_name("keep", self.keep, get_args(Keep))


def checked_marks(marks: object) -> str | Separator | tuple[str | Separator, ...]:
    """Return the marks that `split_at` is: one, or several, each as a separator is.

    Raises
    ------
    ConfigError
        If one is no separator.
    """
    if isinstance(marks, str | Separator | dict):
        return _checked(marks, "split_at")
    if not _is_list(marks):
        raise ConfigError.refused("split_at", "a str, a Separator or a list of them", marks)
    return tuple(_checked(mark, "split_at") for mark in marks)


def marks_as_data(
    marks: str | Separator | tuple[str | Separator, ...],
) -> str | dict[str, str | bool] | list[str | dict[str, str | bool]]:
    """Return marks as JSON has them."""
    return list(map(as_data, marks)) if isinstance(marks, tuple) else as_data(marks)


def checked_separators(separators: object) -> tuple[str | Separator, ...]:
    """Return separators, of which each may also be a dict of the parameters of one.

    Raises
    ------
    ConfigError
        If they are no list, or one is no separator.
    """
    if not _is_list(separators):
        allowed = "a list, or a name such as 'python'"
        raise ConfigError.refused("separators", allowed, separators)
    return tuple(_checked(separator, "separators") for separator in separators)


def _is_list(given: object) -> TypeGuard[Iterable[object]]:
    """Return whether separators may be in it: a text and bytes are none, though they have items."""
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | bytearray | dict)


def _checked(separator: object, option: str) -> str | Separator:
    if isinstance(separator, str | Separator):
        return separator
    if isinstance(separator, dict) and "pattern" in separator and {*separator} <= _PARAMETERS:
        return Separator(**separator)
    raise ConfigError(f"a separator must be a str, got {separator!r}", option=option)


def as_data(separator: str | Separator) -> str | dict[str, str | bool]:
    """Return a separator as JSON has it."""
    return separator if isinstance(separator, str) else asdict(separator)
