"""Files as text: exactly what they hold, or an error that says where they do not hold text."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from chunkwright.document import Document
from chunkwright.errors import ConfigError, OptionName, ReadError
from chunkwright.readers.signatures import HEAD_BYTES, refuse, refuse_binary

UTF_8 = "utf-8"

ERROR_HANDLERS = (
    "strict",
    "replace",
    "ignore",
    "backslashreplace",
    "surrogateescape",
    "surrogatepass",
)
"""Ways to treat bytes that are no text; as in `bytes.decode`."""


# Names that are compared with an unknown one.
CLOSE = 5


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


def read_bytes(path: str | os.PathLike[str], *, allowed: Collection[str] = ()) -> bytes:
    """Read a file that is to hold text, or is of one of the ``allowed`` kinds, as bytes.

    Raises
    ------
    ReadError
        If the file cannot be read, or its first bytes are those of a format that is no text; names
        the file, and the format with what makes text of it.
    """
    try:
        with Path(path).open("rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISCHR(status.st_mode) and os.fspath(path) != os.devnull and not file.isatty():
                raise ReadError(f"{os.fspath(path)}: a device, which may never end, is not read")
            # A pipe is read whole: the directory of a ZIP stands at its end.
            head = file.read(HEAD_BYTES) if file.seekable() else file.read()
            refuse(head, os.fspath(path), file if file.seekable() else None, allowed=allowed)
            if file.seekable():
                # What a ZIP holds was looked up at its end.
                file.seek(len(head))
            return head + file.read()
    except OSError as error:
        raise ReadError(f"{os.fspath(path)}: {error.strerror or error}") from error
    except MemoryError as error:
        raise ReadError(f"{os.fspath(path)}: it is too large for the memory") from error
    except ValueError as error:
        # A path with a NUL, which no system takes.
        raise ReadError(f"{os.fspath(path)!r}: no such file: {error}") from error


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
        If the bytes are not `encoding`: names the first offending byte's offset, or the format that
        they are in.
    ConfigError
        If `encoding` or `errors` is unknown.
    """
    check_decoding(encoding, errors)
    try:
        return data.decode(encoding, errors)
    except UnicodeDecodeError as error:
        refuse(data, name)
        refuse_binary(data, name, encoding)
        raise ReadError(f"{name}: ", *_reason(data, encoding, error)) from error
    except UnicodeError as error:
        raise ReadError(f"{name}: not valid {encoding}: {error}") from error


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Name the file in the message of each error of reading that leaves the block."""
    try:
        yield
    except ReadError as error:
        if str(error).startswith(place):
            raise
        raise type(error)(f"{place}: ", *error.parts) from error


def check_decoding(encoding: str | None, errors: str | None) -> None:
    """Check the name of an encoding, if one is given, and what is to be done with other bytes.

    Raises
    ------
    ConfigError
        If either is unknown; names it and the nearest known one.
    """
    if not isinstance(encoding, str | None):
        raise ConfigError.refused("encoding", "a str", encoding)
    if encoding is not None and not _is_text_encoding(encoding):
        of_text = "" if _codec(encoding) is None else " of text"
        hint = f"{of_text} {encoding!r}: {_nearest_encoding(encoding)}"
        raise ConfigError("unknown ", OptionName("encoding"), hint, value=encoding)
    if errors is not None and errors not in ERROR_HANDLERS:
        raise ConfigError.unknown("errors", errors, ERROR_HANDLERS)


def _reason(data: bytes, encoding: str, error: UnicodeDecodeError) -> tuple[str, ...]:
    # A codec that drops a byte order mark first counts from behind it.
    offset = len(data) - len(error.object) + error.start
    what = f"not valid {encoding} at byte {offset} (0x{data[offset]:02x}: {error.reason})"
    names = OptionName("encoding"), ", or ", OptionName("errors")
    return (f"{what}; set ", *names, " to 'replace', to read it")


def _codec(encoding: str) -> codecs.CodecInfo | None:
    try:
        return codecs.lookup(encoding)
    except (LookupError, ValueError):
        return None


def _is_text_encoding(encoding: str) -> bool:
    if _codec(encoding) is None:
        return False
    try:
        # Some codecs turn bytes into bytes: only decoding tells.
        b" ".decode(encoding, "ignore")
    except (LookupError, ValueError) as error:
        # A text encoding may still find that one space is too little.
        return isinstance(error, UnicodeDecodeError)
    return True


def _nearest_encoding(encoding: str) -> str:
    from difflib import get_close_matches
    from encodings.aliases import aliases

    common = ["utf-8", "utf-16", "latin-1", "cp1252"]
    names = sorted({*aliases, *aliases.values()} - set(common))
    for close in get_close_matches(encoding.lower(), [*common, *names], n=CLOSE):
        # Some names are those of codecs that read no text, or that this system lacks.
        if _is_text_encoding(close):
            return f"did you mean {close!r}?"
    return f"such as {', '.join(common)}"


def plain(text: str, *, name: str | None = None) -> Document:
    """Return a text as a document without elements."""
    return Document(text=text, name=name)
