"""Files as text: exactly what they hold, or an error that says where they do not hold text."""

import codecs
import os
from pathlib import Path

from chunkwright.errors import ConfigError, ReadError, nearest

ERROR_HANDLERS = (
    "strict",
    "replace",
    "ignore",
    "backslashreplace",
    "surrogateescape",
    "surrogatepass",
)
"""What may be done with bytes that are no text; as in `bytes.decode`."""


def read_text(
    path: str | os.PathLike[str], *, encoding: str = "utf-8", errors: str = "strict"
) -> str:
    r"""Read a file as text.

    Nothing is changed on the way: newlines stay as they are, and so does a byte order mark
    (``encoding="utf-8-sig"`` drops it).

    Parameters
    ----------
    path
        The file.
    encoding
        Any text encoding that Python knows.
    errors
        What to do with bytes that are no text: one of `ERROR_HANDLERS`.

    Returns
    -------
    str
        The text of the whole file.

    Raises
    ------
    ReadError
        If the file cannot be read, or if its bytes are not `encoding`: names the file and the
        first offending byte's offset.
    ConfigError
        If `encoding` or `errors` is unknown.
    """
    return decode(read_bytes(path), encoding=encoding, errors=errors, name=os.fspath(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a file as bytes.

    Raises
    ------
    ReadError
        If the file cannot be read; names it.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ReadError(f"{os.fspath(path)}: {error.strerror or error}") from error


def decode(
    data: bytes, *, encoding: str = "utf-8", errors: str = "strict", name: str = "input"
) -> str:
    """Decode bytes as text.

    Parameters
    ----------
    data
        The bytes.
    encoding
        Any text encoding that Python knows.
    errors
        What to do with bytes that are no text: one of `ERROR_HANDLERS`.
    name
        What the bytes are called in an error's message.

    Raises
    ------
    ReadError
        If the bytes are not `encoding`: names the first offending byte's offset.
    ConfigError
        If `encoding` or `errors` is unknown.
    """
    check_decoding(encoding, errors)
    try:
        return data.decode(encoding, errors)
    except UnicodeDecodeError as error:
        raise ReadError(f"{name}: {_where(data, encoding, error)}") from error
    except UnicodeError as error:
        raise ReadError(f"{name}: not valid {encoding}: {error}") from error


def check_decoding(encoding: str, errors: str) -> None:
    """Check the name of an encoding and what is to be done with bytes that are not in it.

    Raises
    ------
    ConfigError
        If either is unknown; names it and the nearest known one.
    """
    if not _is_text_encoding(encoding):
        raise ConfigError(f"unknown encoding {encoding!r}; {_nearest_encoding(encoding)}")
    if errors not in ERROR_HANDLERS:
        raise ConfigError(f"unknown errors {errors!r}; {nearest(errors, list(ERROR_HANDLERS))}")


def _where(data: bytes, encoding: str, error: UnicodeDecodeError) -> str:
    # A codec that drops a byte order mark first counts from behind it.
    offset = len(data) - len(error.object) + error.start
    return (
        f"not valid {encoding} at byte {offset} (0x{data[offset]:02x}: {error.reason}); "
        "set encoding, or errors to 'replace', to read it"
    )


def _is_text_encoding(encoding: str) -> bool:
    try:
        codecs.lookup(encoding)
        # Some codecs turn bytes into bytes: only decoding tells.
        b" ".decode(encoding, "ignore")
    except (LookupError, ValueError) as error:
        # A text encoding may still find that one space is too little.
        return isinstance(error, UnicodeDecodeError)
    return True


def _nearest_encoding(encoding: str) -> str:
    from encodings.aliases import aliases

    names = {*aliases, *aliases.values()}
    common = ["utf-8", "utf-16", "latin-1", "cp1252"]
    hint = nearest(encoding.lower(), [*common, *sorted(names - set(common))])
    return hint if hint.startswith("did") else f"such as {', '.join(common)}"
