"""Messages of the library with the command line's names of options."""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import fields

from chunkwright.cli.settings.table import CUTTING, READING, ROWS, Settings
from chunkwright.errors import ConfigError, ReadError, TokenizerError

FLAGS: dict[str, tuple[str, ...]] = {
    field.name: field.metadata["flags"] or (f"--{field.name.replace('_', '-')}",)
    for field in fields(Settings)
}
"""The flags of each setting, the first of which names it in messages."""

# Options that the library knows.
OPTIONS = {*CUTTING, *READING, *ROWS, "workers"}
# What is quoted is a value. A name may be followed by its value, but is no part of a path.
QUOTED = r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""


def _named(options: Collection[str]) -> re.Pattern[str]:
    # The longest first: one may be the beginning of another.
    names = "|".join(sorted(options, key=len, reverse=True))
    return re.compile(rf"{QUOTED}|did you mean|(?<![\w./=-])({names})(?![\w/-]|\.\w)")


NAMED, NAMED_OF_ROWS = _named(OPTIONS), _named(ROWS)


def in_flags(message: str, keys: Collection[str] = (), named: re.Pattern[str] = NAMED) -> str:
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
        return match[0] if name is None or name in keys else FLAGS[name][0]

    return named.sub(called, message)


@contextmanager
def named_as_flags(keys: Collection[str] = ()) -> Iterator[None]:
    """Let errors that the library raises in the block name options as `in_flags` does."""
    try:
        yield
    except (ConfigError, TokenizerError) as error:
        raise type(error)(in_flags(str(error), keys)) from error


def read_error(error: ReadError, place: str) -> ReadError:
    """Return an error of reading that names options by their flags, its place being no option."""
    message = str(error)
    begin = len(place) if message.startswith(place) else 0
    # Of other errors, others have said the reason in words of their own.
    named = NAMED if isinstance(error.__cause__, UnicodeError) else NAMED_OF_ROWS
    return ReadError(message[:begin] + in_flags(message[begin:], named=named))
