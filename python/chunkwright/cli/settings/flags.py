"""Messages of the library with the command line's names of options."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from chunkwright.cli.settings.table import READING, ROWS, cutting, row_of
from chunkwright.errors import ConfigError, ReadError, TokenizerError

# What is quoted is a value. A name may be followed by its value, but is no part of a path.
QUOTED = r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""

# Options of `cw.read` with the values that its errors advise.
ADVICE = re.compile(r"(?<!\w)(kind|encoding|password)=('[\w-]+'|\.{3})")


@cache
def named_options() -> tuple[str, ...]:
    """Return the settings that the library knows, too, and names in its messages."""
    return (*cutting(), *READING, *ROWS, "workers")


@cache
def _named(options: tuple[str, ...]) -> re.Pattern[str]:
    # The longest first: one may be the beginning of another.
    names = "|".join(sorted(options, key=len, reverse=True))
    return re.compile(rf"{QUOTED}|did you mean|(?<![\w./=$-])({names})(?![\w/-]|\.\w)")


def in_flags(message: str, keys: Collection[str] = (), among: Collection[str] = ()) -> str:
    """Name options by their flags, except those that were given as keys.

    Examples
    --------
    >>> in_flags("overlap must be less than max_tokens=5, got 9")
    '--overlap must be less than --max-tokens=5, got 9'
    >>> in_flags("unknown encoding 'encoding'")
    "unknown --encoding 'encoding'"
    """

    def called(match: re.Match[str]) -> str:
        name = match[1]
        row = None if name is None or name in keys else row_of(name)
        return match[0] if row is None else row.flag

    named = _named(tuple(among or named_options()))
    return named.sub(called, message)


@contextmanager
def named_as_flags(keys: Collection[str] = ()) -> Iterator[None]:
    """Let errors that the library raises in the block name options as `in_flags` does."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(in_flags(str(error), keys), option=error.option) from error
    except TokenizerError as error:
        raise TokenizerError(in_flags(str(error), keys)) from error


@contextmanager
def begun_with_flags(flags: Mapping[str, str]) -> Iterator[None]:
    """Let errors that begin with the name of an option begin with its flag.

    Parameters
    ----------
    flags
        Those of options that are no settings, by the names that the library has for them.
    """
    try:
        yield
    except ConfigError as error:
        match = re.match(rf"(unknown )?({'|'.join(flags)})\b", str(error))
        if match is None:
            raise
        shown = f"{match[1] or ''}{flags[match[2]]}{str(error)[match.end() :]}"
        raise ConfigError(shown, option=error.option) from error


def read_error(error: ReadError, place: str) -> ReadError:
    """Return an error of reading that names options by their flags, its place being no option."""
    message = str(error)
    begin = len(place) if message.startswith(place) else 0
    # Of other errors, others have said the reason in words of their own.
    among = () if isinstance(error.__cause__, UnicodeError) else ROWS
    reason = in_flags(ADVICE.sub(_advice, message[begin:]), among=among)
    return ReadError(message[:begin] + reason)


def _advice(match: re.Match[str]) -> str:
    flag = "--input-format" if match[1] == "kind" else f"--{match[1]}"
    value = match[2].strip("'.")
    return f"{flag} {value}" if value else flag
