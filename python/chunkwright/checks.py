"""Checks of options: each returns the value, or raises an error that names option and value."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import TypeVar

from chunkwright.errors import ConfigError, OptionName

T = TypeVar("T")

MAX_SIZE = 2**62
"""The largest int that an option takes: a larger limit is no limit, and would not fit the core."""


def checked_int(name: str, value: object, *, least: int, most: int = MAX_SIZE) -> int:
    """Return ``value`` as an int between ``least`` and ``most``; one of NumPy is an int, too.

    Raises
    ------
    ConfigError
        If it is none, naming option and value.
    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise ConfigError.refused(name, "an int", value)
    if not least <= number <= most:
        is_open = number < least and most == MAX_SIZE
        limits = f"at least {least}" if is_open else f"between {least} and {most}"
        raise ConfigError.refused(name, limits, number)
    return number


def checked_index(index: object, n: int, what: str) -> int:
    """Return the number, from 0, of one of ``n`` things; a negative one counts from the end.

    Raises
    ------
    IndexError
        If there is no such thing; names it by ``what`` it is, say ``"chunk"``.
    TypeError
        If it is no int.
    """
    try:
        return range(n)[operator.index(index)]  # type: ignore[arg-type]
    except IndexError:
        raise IndexError(f"there is no {what} {index} among {n}") from None
    except TypeError:
        kind = type(index).__name__
        raise TypeError(f"a {what} has a number, an int or a slice of them: got {kind}") from None


def checked_number(
    name: str, value: object, *, least: float = -math.inf, most: float = math.inf
) -> float:
    """Return ``value`` as a finite float between ``least`` and ``most``.

    Raises
    ------
    ConfigError
        If it is none, naming option and value.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ConfigError.refused(name, "a number", value)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ConfigError.refused(name, "finite", value)
    if not least <= number <= most:
        limits = f"at least {least:g}" if most == math.inf else f"between {least:g} and {most:g}"
        raise ConfigError.refused(name, limits, value)
    return number


def checked_name(name: str, value: object, known: Sequence[str]) -> str:
    """Return ``value`` if it is one of the ``known`` names.

    Raises
    ------
    ConfigError
        If it is none, naming option and value, with the nearest right one.
    """
    if isinstance(value, str) and value in known:
        return value
    raise ConfigError.unknown(name, value, known)


def checked_flag(name: str, value: object) -> bool:
    """Return ``value`` if it is true or false.

    Raises
    ------
    ConfigError
        If it is neither, naming option and value.
    """
    if isinstance(value, bool):
        return value
    raise ConfigError.refused(name, "True or False", value)


def checked_callable(name: str, value: T) -> T:
    """Return ``value`` if it can be called.

    Raises
    ------
    ConfigError
        If it cannot, naming option and value.
    """
    if callable(value):
        return value
    raise ConfigError.refused(name, "callable", value)


def each_once(
    own: Mapping[str, T],
    others: Mapping[str, T],
    *,
    place: str,
    names: Mapping[str, str] | None = None,
) -> dict[str, T]:
    """Return options that are given by themselves together with those of a mapping.

    Parameters
    ----------
    own
        Those that are given by themselves.
    others
        Those in the mapping.
    place
        What the mapping is called.
    names
        What options are called by themselves, where that is not their name in the mapping.

    Raises
    ------
    ConfigError
        If one is given in both ways; names it.

    Examples
    --------
    >>> each_once({"text_column": "a"}, {"id_column": "b"}, place="reading")
    {'text_column': 'a', 'id_column': 'b'}
    """
    for name, value in own.items():
        if name in others:
            called = (names or {}).get(name, name)
            twice = f"={value!r} is given in {place}, too, as {name}={others[name]!r}"
            raise ConfigError(OptionName(called), f"{twice}: give it once", value=value)
    return {**own, **others}


def checked_text(name: str, value: object, *, is_secret: bool = False) -> str:
    """Return ``value`` if it is a str that is not empty, and can be written down.

    Raises
    ------
    ConfigError
        If it is not; names the option, and the value unless it `is_secret`.
    """
    if not isinstance(value, str) or not value.strip():
        shown = type(value).__name__ if is_secret else None
        given = None if is_secret else value
        raise ConfigError.refused(name, "a str that is not empty", given, shown=shown)
    try:
        value.encode()
    except UnicodeEncodeError:
        shown = "" if is_secret else f", got {value!r}"
        raise ConfigError(OptionName(name), f" must have no surrogates{shown}") from None
    return value


def checked_language(language: object) -> str:
    """Return a code of a language; whether it is known, the core says.

    Raises
    ------
    ConfigError
        If it is no text.
    """
    if isinstance(language, str) and language.isascii():
        return language
    raise ConfigError.refused("language", "a code such as 'en'", language)


def checked_path(name: str, path: object, *, what: str = "a folder") -> Path:
    """Return the path of a folder, or of ``what`` else it is.

    Raises
    ------
    ConfigError
        If it is no path, or empty: that would be the current folder.
    """
    named = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(named, str) or not named or "\0" in named or not _is_encodable(named):
        raise ConfigError.refused(name, f"the path of {what}", path)
    return Path(named)


def _is_encodable(path: str) -> bool:
    """Return whether the system can be asked for a path: half of a surrogate pair has no bytes."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
