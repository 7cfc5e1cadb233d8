"""Names of options in errors of the library, as the command line has them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from chunkwright.cli.settings.table import row_of
from chunkwright.errors import ChunkwrightError, OptionName

# Options of `cw.read` that are settings by another name.
OF_READING = {"kind": "input_format"}


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
