"""Settings as they are typed: names of flags and variables, and values that are given as text."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import Any

from chunkwright.chunking.peer_terms import peers_option
from chunkwright.cli.settings.table import row_of
from chunkwright.errors import ChunkwrightError, ConfigError, OptionName
from chunkwright.io.toml import KINDS, Kind
from chunkwright.settings import bytes_of

# Options of `cw.read` that are settings by another name.
OF_READING = {"kind": "input_format"}
PREFIX = "CHUNKWRIGHT_"
# Read by other parts of the package, by its tests, or by its benchmarks.
_OTHERS = {
    "BENCH_FILES",
    "CACHE",
    "CHROMA_DATA",
    "CONFIG",
    "DOCLING_GRID",
    "DOCLING_RS",
    "EXAMPLES",
    "SEMCHUNK",
    "SHARED",
    "STORE",
}
# Variables of other programs may begin so, too: few letters are alike by chance.
_ALIKE = 0.8
BOOLEANS = {"true": True, "false": False}
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\r": "\r", r"\\": "\\"}


def flag_of(option: OptionName) -> str:
    """Return the flag of an option that is a setting, with a value that is advised.

    Examples
    --------
    >>> flag_of(OptionName("max_tokens")), flag_of(OptionName("kind", "text"))
    ('--max-tokens', '--input-format text')
    """
    row = row_of(OF_READING.get(option, option))
    if row is None:
        return option
    return row.flag if option.advised in {None, ...} else f"{row.flag} {option.advised}"


def told(error: Exception) -> str:
    """Return what an error says, its options called by their flags."""
    return str(error.spell(flag_of) if isinstance(error, ChunkwrightError) else error)


@contextmanager
def calling(names: Mapping[str, str] | None) -> Iterator[None]:
    """Let errors that leave the block call options by other names than their flags.

    Parameters
    ----------
    names
        Those names by the options; other options are called as ever. None: all keep the names that
        the library has, say as keys of a file.
    """
    try:
        yield
    except ChunkwrightError as error:
        error.spell(str if names is None else lambda option: names.get(option, option))
        raise


def variable(name: str) -> str:
    """Return the variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def misspelt(environment: Iterable[str], settings: Iterable[str]) -> Iterator[str]:
    """Yield for each variable that is nearly that of a setting what it should be called.

    Parameters
    ----------
    environment
        The names of the variables that are set.
    settings
        The names of all settings.
    """
    known = [*settings]
    for called in sorted(environment):
        if not called.startswith(PREFIX):
            continue
        name = called.removeprefix(PREFIX)
        if name in _OTHERS or name.lower() in known:
            continue
        if hint := peers_option(name.lower(), known):
            yield f"{called} is no setting: {''.join(hint)}"
        elif close := get_close_matches(name.lower(), known, n=1, cutoff=_ALIKE):
            yield f"{called} is no setting: did you mean {variable(close[0])}?"


def parsed(kind: Kind, text: str) -> Any:
    """Read a text as a value of that kind, but a list.

    Raises
    ------
    ValueError
        If it is none.
    """
    if kind is bool:
        if text not in BOOLEANS:
            raise ValueError(text)
        return BOOLEANS[text]
    return int(text) if kind is int else float(text) if kind is float else text


def read_value(kind: Kind, text: str, called: str) -> Any:
    """Read a text as a value of that kind, but a list.

    Raises
    ------
    ConfigError
        If it is none; names what it was `called`, a flag or a variable.
    """
    try:
        return parsed(kind, text)
    except ValueError:
        raise ConfigError(f"{called}: {text!r} is not {KINDS[kind]}") from None


def read_size(text: str, called: str) -> int:
    """Read a number of bytes, with a unit or without.

    Raises
    ------
    ConfigError
        If it is none, or 0; names what it was `called`.
    """
    with suppress(ValueError):
        if n_bytes := bytes_of(text):
            return n_bytes
    raise ConfigError(f"{called}: {text!r} is no number of bytes, such as 64MB")


def unescape(text: str) -> str:
    r"""Understand `\n`, `\t`, `\r` and `\\`, which a shell cannot easily type."""
    return re.sub(r"\\[ntr\\]", lambda match: ESCAPES[match[0]], text)
