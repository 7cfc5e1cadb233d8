"""Front door of the readers: a path, bytes or objects of any kind as one document."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from chunkwright.checks import checked_flag
from chunkwright.document import Document
from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.encodings import decode_as_read, encoding_of_text, marked_encoding
from chunkwright.readers.kinds import (
    FILES,
    KINDS,
    Kind,
    checked_kind,
    is_docling,
    kind_of,
    kind_of_file,
    never_empty,
)
from chunkwright.readers.signatures import HEAD_BYTES, is_mail, refuse, refuse_binary
from chunkwright.readers.text import check_decoding, naming, read_bytes

if TYPE_CHECKING:
    from chunkwright.readers.ocr.words import OcrEngine

# No file has a longer name; a text may.
_MAX_PATH = 4096
_SHOWN_CHARS = 40
# Kinds whose text is the source itself, a byte order mark included.
_SOURCES = frozenset({"text", "markdown", "rst"})
_NO_OPTIONS: Mapping[str, object] = MappingProxyType({})


class Read(NamedTuple):
    """A document, and the kind that it was read as."""

    document: Document
    kind: str


def read(  # noqa: PLR0913 - options, all by name
    source: str | os.PathLike[str] | bytes | Document | Iterable[Any],
    *,
    kind: str | None = None,
    name: str | None = None,
    encoding: str | None = None,
    errors: str | None = None,
    pages: str | Sequence[int] | None = None,
    password: str | None = None,
    attachments: bool = False,
    hidden: bool = False,
    ocr: str | None = None,
    ocr_engine: str | OcrEngine | None = None,
    ocr_languages: Sequence[str] | None = None,
) -> Document:
    r"""Read a file, bytes or objects of any kind as a document.

    The kind is recognised by content first: an HTML page called ``page.txt`` is read as HTML, a
    list of Unstructured's elements in JSON as elements, a Word file called ``report.txt`` as a Word
    file, and an image by OCR. Otherwise the name decides: ``.md`` is Markdown, ``.csv`` a table.
    Everything else is text.

    Parameters
    ----------
    source
        The path of a file, as ``str`` or ``os.PathLike``; the contents of a file, as ``bytes``; a
        list, or another iterable, of Unstructured's elements, as dicts or objects; a
        DoclingDocument, as dict or object; or a `Document`, which is returned. A ``str`` is always
        a path: pass a text as ``text.encode()``, or as ``Document(text=text)``.
    kind
        The kind to read it as, whatever it looks like: one of
        :data:`chunkwright.readers.kinds.KINDS` or, for files that are not text,
        :data:`chunkwright.readers.kinds.FILES`. ``"text"`` reads any source as it is.
    name
        The name of the document, from which ids are derived; by default the path as given, without
        ``./``, or the name in the elements or the DoclingDocument. For ``bytes`` it also helps to
        recognise the kind.
    encoding
        The encoding of bytes: any text encoding of Python. By default it is detected: by a byte
        order mark, the statement of an HTML page (see :func:`chunkwright.read_html`), as UTF-8 if
        the bytes are valid, else by the sequences of letters. The log names any but UTF-8.
    errors
        What to do with invalid bytes: one of :data:`chunkwright.readers.text.ERROR_HANDLERS`. By
        default they are replaced in HTML pages, as in browsers, and logged; in other files the
        first of them is an error.
    pages
        The pages to read of PDF documents, images or slides, such as ``"3-7"``, or numbers.
    password
        The password of encrypted files; others ignore it.
    attachments
        Whether to read the files and messages that are attached to a mail as well: each follows
        the text of the mail, under a heading with its name.
    hidden
        Whether to read hidden slides, sheets, rows and columns of office files, and hidden text of
        OpenDocument files. Other kinds ignore it.
    ocr, ocr_engine, ocr_languages
        Which pages of PDF documents and images to recognise by OCR, with which engine and
        languages; see :func:`chunkwright.read_pdf`. Other kinds ignore them.

    Returns
    -------
    Document
        Its text, its elements unless it is plain text, its name, and the encoding of its bytes.

    Raises
    ------
    ReadError
        If the file does not exist, is not text in this encoding or not of this kind, or has no
        pages to choose from; names the file, and the byte, line or element.
    MissingExtraError
        If the reader needs an extra that is not installed; names it.
    ConfigError
        If an option makes no sense, or ``source`` cannot be read.

    Examples
    --------
    >>> import chunkwright as cw
    >>> stones = cw.read(b"stone,kg\nslate,7\n", name="stones.csv")
    >>> stones.text, stones.elements[0].kind
    ('stone\tkg\nslate\t7', 'table')
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"name must be a str or None, got {name!r}")
    check_decoding(encoding, errors)
    kind = checked_kind(kind)
    checked_flag("attachments", attachments)
    options = {
        "pages": pages,
        "password": password,
        "attachments": attachments or None,
        "hidden": hidden or None,
        "ocr": ocr,
        "ocr_engine": ocr_engine,
        "ocr_languages": ocr_languages,
    }
    if isinstance(source, str | os.PathLike):
        path = _checked_path(source)
        is_file = kind is None or kind in FILES
        data = read_bytes(path, allowed=FILES if is_file else ())
        name = PurePath(path).as_posix() if name is None else name
        made = read_data(data, kind, path, name, encoding=encoding, errors=errors, options=options)
        return made.document
    if isinstance(source, bytes | bytearray | memoryview):
        data, is_named = bytes(source), name is not None
        made = read_data(
            data,
            kind,
            name or "input",
            name,
            encoding=encoding,
            errors=errors,
            is_named=is_named,
            options=options,
        )
        return made.document
    for option in (each for each, value in options.items() if value is not None):
        kind_of_source = type(source).__name__
        raise ConfigError(f"{option} is for bytes and files, got {kind_of_source}", option=option)
    return _of_objects(source, kind, name)


def read_data(  # noqa: PLR0913 - what is read, as what, and what it is called
    data: bytes,
    kind: str | None,
    place: str,
    name: str | None,
    *,
    encoding: str | None,
    errors: str | None = None,
    is_named: bool = True,
    drop: Sequence[str] = (),
    options: Mapping[str, object] = _NO_OPTIONS,
) -> Read:
    """Read what a file holds, and tell the kind of it.

    Parameters
    ----------
    data
        The bytes.
    kind
        What they are read as; None: what they look like.
    place
        What they are called in messages; if it is the path of a file, it may tell the kind.
    name
        What the document is called.
    encoding, errors
        How the bytes are decoded, as :func:`read`.
    is_named
        Whether ``place`` is a name.
    drop
        Parts of an HTML page to leave out; see :func:`chunkwright.read_html`.
    options
        Options of readers of some kinds, by name; None is as if it was left out.

    Raises
    ------
    ReadError
        As :func:`read`.
    """
    file = kind or kind_of_file(data, place if is_named else None)
    _check_not_empty(data, file, place, is_named=is_named)
    if file == "office" and is_mail(data):
        file = "mail"
    if file in FILES:
        taken = _taken(FILES[file], options, place)
        with naming(place):
            return Read(FILES[file].read(data, name=name, **taken), file)
    refuse(data, place)
    is_html = _is_html(data, kind, encoding, place if is_named else None)
    if kind is None and b"\0" in data[:HEAD_BYTES]:
        refuse_binary(data, place, encoding or encoding_of_text(data))
    text, known = decode_as_read(
        data, encoding=encoding, errors=errors, is_html=is_html, name=place
    )
    told = kind or kind_of(text, place if is_named else None)
    _taken(KINDS[told], options, place)
    made = _read_as(told, text, place, name, drop=drop)
    return made._replace(document=made.document.with_encoding(known))


def _check_not_empty(data: bytes, kind: str | None, place: str, *, is_named: bool) -> None:
    """Refuse a file without content of a kind that has some: a download that failed, say."""
    said = never_empty(kind, place if is_named else None)
    if said is not None and not data.removeprefix(codecs.BOM_UTF8).strip():
        problem = f"it is empty (0 bytes), which no {said} can be: download it again"
        raise ReadError(f"{place}: {problem}")


def read_text(
    text: str, kind: str | None, place: str, name: str | None, *, drop: Sequence[str] = ()
) -> Read:
    """Read a text that stands in a table, and tell the kind of it.

    Parameters
    ----------
    text
        The text.
    kind
        What it is read as; None: what it looks like.
    place
        What it is called in messages.
    name
        What the document is called.
    drop
        Parts of an HTML page to leave out.

    Raises
    ------
    ReadError
        As :func:`read`.
    """
    head = text[:HEAD_BYTES].encode("utf-8", "replace")
    refuse(head, place)
    if kind is None:
        refuse_binary(head, place, "utf-8")
    return _read_as(kind or kind_of(text, None), text, place, name, drop=drop)


def _read_as(kind: str, text: str, place: str, name: str | None, *, drop: Sequence[str]) -> Read:
    given = text if kind in _SOURCES else text.removeprefix("\ufeff")
    options = {"drop": drop} if drop and kind == "html" else {}
    with naming(place):
        return Read(KINDS[kind].read(given, name=name, **options), kind)


def _taken(kind: Kind, options: Mapping[str, object], place: str) -> dict[str, object]:
    """Return the options that were given and that the reader of a kind takes.

    Raises
    ------
    ReadError
        If pages were given and the kind has none.
    """
    given = {option: value for option, value in options.items() if value is not None}
    taken = {option: value for option, value in given.items() if kind.takes(option)}
    # A password may be given for many files of which few need it.
    if "pages" in given and "pages" not in taken:
        raise ReadError(f"{place}: it is read as {kind.name}, which has no pages to select")
    return taken


def _is_html(data: bytes, kind: str | None, encoding: str | None, name: str | None) -> bool:
    """Return whether what a file holds is an HTML page, before it is decoded."""
    if kind is None:
        known = encoding or marked_encoding(data) or "latin-1"
        kind = kind_of(data[:HEAD_BYTES].decode(known, "replace"), name)
    return kind == "html"


def _checked_path(source: str | os.PathLike[str]) -> str:
    """Return the path of a file that is there.

    Raises
    ------
    ReadError
        If it is none; says how a text is given.
    """
    path = os.fspath(source)
    if not isinstance(path, str):
        raise ConfigError(f"a path must be a str, got {path!r}")
    is_name = len(path) <= _MAX_PATH and not any(each in path for each in "\0\n")
    if isinstance(source, str) and not (is_name and os.path.lexists(path)):
        shown = path if len(path) <= _SHOWN_CHARS else f"{path[:_SHOWN_CHARS]}..."
        hint = (
            "a str is the path of a file; give a text as text.encode(), or as Document(text=text)"
        )
        raise ReadError(f"{shown!r}: no such file: {hint}")
    return path


def _of_objects(source: object, kind: str | None, name: str | None) -> Document:
    if isinstance(source, Document):
        kind_of_source, document = None, source if name is None else source.named(name)
    elif "docling" in KINDS and is_docling(source):
        kind_of_source, document = "docling", KINDS["docling"].read(source, name=name)
    elif _is_list(source):
        from chunkwright.readers.unstructured import read_elements

        kind_of_source, document = "elements", read_elements(source, name=name)
    else:
        allowed = "a path, bytes, a list of elements, a DoclingDocument or a Document"
        hint = "; give what its read() returns, as bytes" if hasattr(source, "read") else ""
        raise ConfigError(f"source must be {allowed}, got {type(source).__name__}{hint}")
    if kind not in {None, kind_of_source}:
        raise ConfigError(f"kind {kind!r} is for bytes and files, got {type(source).__name__}")
    return document


def _is_list(source: object) -> TypeGuard[Iterable[Any]]:
    """Return whether it has items in an order; an open file, whose items are lines, is none."""
    is_other = isinstance(source, Mapping | set | frozenset) or hasattr(source, "read")
    return isinstance(source, Iterable) and not is_other
