"""Files of a request: what each holds, once it is unpacked, and of which type it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chunkwright.errors import ReadError
from chunkwright.readers.kinds import FILES, kind_of_file
from chunkwright.readers.signatures import format_of, refuse
from chunkwright.server.bodies.uploads import Upload, unpacked
from chunkwright.server.dialects.unstructured.fields import (
    Fields,
    FileType,
    file_type_of_format,
    file_type_of_mime,
    file_type_of_name,
)
from chunkwright.server.problems import Problem

_GZIP = frozenset({"application/gzip", "application/x-gzip"})
# Clients give this type to files of which they know no better.
_VAGUE = frozenset({"text/plain"})
# How files begin whose media type no signature has.
_BEGINNINGS = {
    b"{\\rtf": "text/rtf",
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"II": "image/tiff",
    b"MM": "image/tiff",
    b"BM": "image/bmp",
    b"RIFF": "image/webp",
}
FAST = "fast"
"""The strategy that recognises nothing."""
HOSTED = frozenset({"vlm", "od_only"})
"""Strategies of Unstructured's hosted service, which have models look at pages."""
HI_RES = HOSTED | {"hi_res"}
"""Strategies that read pictures of pages as well, where a page has no text.

Unstructured's client sends the last by itself.
"""
OCR_ONLY = "ocr_only"
"""The strategy that recognises all pages, whatever text they have."""


class Source(NamedTuple):
    """A file to read.

    Attributes
    ----------
    name
        Its name, without folders.
    data
        Its bytes.
    file_type
        Its type; None if only reading it can tell.
    """

    name: str
    data: bytes
    file_type: FileType | None


def sources_of(files: Sequence[Upload], fields: Fields, most: int) -> list[Source]:
    """Return the files of a request, unpacked, each with its type.

    Parameters
    ----------
    files
        The files of the form, whatever their fields are called.
    fields
        The other fields.
    most
        Bytes that a file may hold when it is unpacked.

    Raises
    ------
    Problem
        422 if there is none; 400 for a type that is not read; 413 for one that is too large.
    """
    sent = [file for file in files if is_sent_as_file(file)]
    if not sent:
        others = ", ".join(dict.fromkeys(repr(file.field) for file in files))
        instead = f", not in {others}" if others else ""
        message = f"a request needs a file: send it in the field 'files'{instead}"
        raise Problem(422, "missing", message, field="files")
    return [_source(file, fields, most) for file in sent]


def is_sent_as_file(file: Upload) -> bool:
    """Return whether a file stands in the field in which files are sent."""
    return file.field.removesuffix("[]") == "files"


def _source(upload: Upload, fields: Fields, most: int) -> Source:
    name, data, declared = upload.name, upload.data, upload.content_type or ""
    if declared.lower() in _GZIP or name.lower().endswith(".gz"):
        name = name[: -len(".gz")] if name.lower().endswith(".gz") else name
        data = unpacked(data, most)
        declared = fields.gz_uncompressed_content_type or ""
    hint = fields.content_type or ""
    if file_type_of_mime(hint) is None:
        hint = ""
    source = Source(name, data, _file_type(name, data, hint or declared, is_hint=bool(hint)))
    _check_type(source, fields)
    return source


def _file_type(name: str, data: bytes, declared: str, *, is_hint: bool) -> FileType | None:
    """Return the type of a file: by its content, else as declared, else by its name."""
    by_mime, named = file_type_of_mime(declared), file_type_of_name(name)
    if (kind := kind_of_file(data, name)) is not None:
        is_vague = by_mime is not None and by_mime.mime in _VAGUE
        if kind == "mail" and is_vague and kind_of_file(data, None) is None:
            # Only the name calls it a mail: who says that it is a text wants all of its lines.
            return by_mime
        told = (_type_of_content(data), by_mime, named)
        alike = [each for each in told if each is not None and each.format == kind]
        return alike[0] if alike else file_type_of_format(kind)
    if by_mime is not None and (is_hint or by_mime.mime not in _VAGUE):
        return by_mime
    # A file named as text may be of a more specific type by its content.
    return None if named is None or named.mime in _VAGUE else named


def _type_of_content(data: bytes) -> FileType | None:
    """Return the type of a file that holds no text, as far as its content tells it."""
    known = format_of(data)
    if known is None:
        return None
    begun = (mime for begins, mime in _BEGINNINGS.items() if data.startswith(begins))
    return file_type_of_mime(known.media_type or next(begun, ""))


def _check_type(source: Source, fields: Fields) -> None:
    """Refuse what cannot be read.

    Raises
    ------
    Problem
        400, naming the file or the strategy.
    """
    name, data, file_type = source
    try:
        refuse(data, name, allowed=FILES)
        refused = None
    except ReadError as error:
        refused = error
    is_image = file_type is not None and file_type.format == "image"
    is_picture = kind_of_file(data, name) == "image"
    if refused is not None or is_image != is_picture:
        reason = str(refused) if refused else f"{name}: no image, though it is called one"
        raise Problem(400, "unsupported_file", reason, field="files")
    if is_picture and fields.strategy == FAST:
        # As the original says it, by which clients know it.
        message = f"The fast strategy is not available for image files, such as {name}"
        raise Problem(400, "unsupported", message, field="strategy")
