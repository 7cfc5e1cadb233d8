"""Signatures of files that hold no text: the first bytes by which each is known."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.errors import OptionName, ReadError
from chunkwright.readers.compound import MAGIC, stream_names

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import BinaryIO

HEAD_BYTES = 8192
"""So many bytes of a file tell what it is."""


class Format(NamedTuple):
    """A format that is no text, the kind that it is read as, and what makes text of it.

    Its media type is empty where its content alone tells it.
    """

    name: str
    kind: str | None
    remedy: str
    media_type: str = ""


def _readable(  # noqa: PLR0913 - what differs between formats
    kind: str,
    name: str,
    by: str,
    *,
    by_docling: bool = False,
    extra: str | None = None,
    media_type: str = "",
) -> Format:
    """Return a format that is read here, perhaps with an extra, and elsewhere."""
    tools = f'Unstructured (pip install "unstructured[{by}]")'
    if by_docling:
        tools = f"Docling (pip install docling) or {tools}"
    ours = "read the file with cw.read"
    if extra:
        ours += f' (pip install "chunkwright[{extra}]")'
    then = "and read the document or elements that it gives"
    return Format(name, kind, f"{ours}, or convert it with {tools}, {then}", media_type)


_ZIP = b"PK\x03\x04"
# A directory that is larger is none of a document; where it stands, the end of a ZIP says.
_MAX_DIRECTORY, _MAX_END = 1 << 22, (1 << 16) + 22
_DAMAGED = Format(
    "a damaged ZIP archive, or a document that is one", None, "get the whole file again"
)
_ENCRYPTED = Format("an encrypted Office document", None, "save it without its password")
_MS = "application/vnd.openxmlformats-officedocument"
# In the ZIP of an Office document, what its parts are below.
_OFFICE = {
    "word/": _readable("docx", "a Word document (DOCX)", "docx", by_docling=True),
    "xl/": _readable(
        "office",
        "an Excel workbook (XLSX)",
        "xlsx",
        by_docling=True,
        media_type=f"{_MS}.spreadsheetml.sheet",
    ),
    "ppt/": _readable(
        "office",
        "a PowerPoint presentation (PPTX)",
        "pptx",
        by_docling=True,
        media_type=f"{_MS}.presentationml.presentation",
    ),
}
# In compound files, what they are by the name of a stream.
_STREAMS = {
    "EncryptedPackage": _ENCRYPTED,
    **dict.fromkeys(
        ("__properties_version1.0", "__nameid_version1.0"),
        _readable(
            "mail",
            "an Outlook message (MSG)",
            "msg",
            media_type="application/vnd.ms-outlook",
            extra="office",
        ),
    ),
    "WordDocument": _readable(
        "office", "a Word document (DOC)", "doc", media_type="application/msword", extra="office"
    ),
    "PowerPoint Document": _readable(
        "office",
        "a PowerPoint presentation (PPT)",
        "ppt",
        media_type="application/vnd.ms-powerpoint",
        extra="office",
    ),
    **dict.fromkeys(
        ("Workbook", "Book", "WORKBOOK", "BOOK"),
        _readable(
            "office",
            "an Excel workbook (XLS)",
            "xlsx",
            media_type="application/vnd.ms-excel",
            extra="office",
        ),
    ),
}
_ODF, _LEAF = "application/vnd.oasis.opendocument", "-template"
# Formats of other ZIPs, by what their first file says.
_MIME_TYPES = {
    media_type.encode(): _readable("office", name, by, media_type=media_type.removesuffix(_LEAF))
    for media_type, name, by in (
        ("application/epub+zip", "an EPUB book", "epub"),
        (f"{_ODF}.text", "an OpenDocument text (ODT)", "odt"),
        (f"{_ODF}.spreadsheet", "an OpenDocument spreadsheet (ODS)", "xlsx"),
        (f"{_ODF}.presentation", "an OpenDocument presentation (ODP)", "pptx"),
        (f"{_ODF}.text{_LEAF}", "an OpenDocument text (OTT)", "odt"),
        (f"{_ODF}.spreadsheet{_LEAF}", "an OpenDocument spreadsheet (OTS)", "xlsx"),
        (f"{_ODF}.presentation{_LEAF}", "an OpenDocument presentation (OTP)", "pptx"),
    )
}
# How a mail begins: with a field of its head, behind the line that a mailbox puts before it.
_MAIL_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:From [^\n]*\n)?[A-Za-z0-9_-]+[ \t]*:")
# A head without a field: a blank line is the end of it.
_EMPTY_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?(?:From [^\n]*\n)?[ \t\r]*\n\s*\S")
_MAIL = Format("a mail (EML)", "mail", "", "message/rfc822")
_UTF_32, _UTF_16 = (b"\xff\xfe\0\0", b"\0\0\xfe\xff"), (b"\xff\xfe", b"\xfe\xff")


def format_of(data: bytes) -> Format | None:
    """Return the format of a file that holds no text, by its content; None if it is not known."""
    return _format(data[:HEAD_BYTES], BytesIO(data))


def office_format(data: bytes) -> Format:
    """Return the format of an office file, a book or a mail, by its content.

    Raises
    ------
    ReadError
        If it is none of these.
    """
    known = format_of(data)
    if known is not None and data.startswith(MAGIC) and not known.media_type:
        raise ReadError(
            f"this is {known.name}: {known.remedy}"
            if known.kind is None
            else "a compound file (OLE2) without a Word, Excel or PowerPoint document or an "
            "Outlook message in it, or a damaged one"
        )
    if known is None and not _MAIL_HEAD.match(data):
        raise ReadError(
            "not an office file, book or mail: it has the content of none, and does not begin with "
            "the headers of a mail"
        )
    return known or _MAIL


def is_rtf_part(data: bytes) -> bool:
    """Return whether bytes begin as a group of RTF, without the head that names the format.

    Some programs store or pass on parts of documents so.
    """
    return data[:HEAD_BYTES].lstrip().startswith(b"{\\") and _core.signature(data.lstrip()) is None


def is_mail(data: bytes) -> bool:
    """Return whether a file is a mail, by its content: as a file of text it may be another."""
    known = format_of(data)
    return bool(_MAIL_HEAD.match(data)) if known is None else known.kind == "mail"


def mail_format(data: bytes) -> Format:
    """Return the format of a mail, by its content.

    Raises
    ------
    ReadError
        If it is none.
    """
    is_headless = format_of(data) is None and _EMPTY_HEAD.match(data)
    found = _MAIL if is_headless else office_format(data)
    if found.kind != "mail":
        raise ReadError(f"not a mail: this is {found.name}")
    return found


def kind_of_bytes(data: bytes) -> str | None:
    """Return the kind that a file of a format without text is read as, by its content."""
    found = format_of(data)
    return None if found is None else found.kind


def refuse(
    head: bytes, name: str, file: BinaryIO | None = None, *, allowed: Collection[str] = ()
) -> None:
    """Refuse what its first bytes show to be no text, in whatever encoding.

    Parameters
    ----------
    head
        The first bytes, :data:`HEAD_BYTES` of them or all that there are.
    name
        What they are called in the error's message.
    file
        All of them, where it is to be told what is in a ZIP; by default ``head`` is all.
    allowed
        Kinds of files that are not refused.

    Raises
    ------
    ReadError
        If they are known; says what they are, and what makes text of it.
    """
    found = _format(head, file)
    if found is not None and found.kind not in allowed:
        raise ReadError(f"{name}: this is {found.name}, not text: {found.remedy}")


def refuse_binary(data: bytes, name: str, encoding: str) -> None:
    """Refuse bytes that no text in this encoding begins with: a NUL, or the mark of another one.

    Parameters
    ----------
    data
        The bytes.
    name
        What they are called in the error's message.
    encoding
        The encoding that they should be in.

    Raises
    ------
    ReadError
        If there is a NUL among the first, or a byte order mark that is no text in this encoding;
        names the offset of the NUL, or the encoding that the mark tells of.
    """
    if _has_wide_units(encoding):
        return
    at = data.find(0, 0, HEAD_BYTES)
    marks = {"utf-32": _UTF_32, "utf-16": _UTF_16}
    wide = next((known for known, mark in marks.items() if data.startswith(mark)), None)
    if wide is not None and (at >= 0 or not _is_text(data[:2], encoding)):
        reason = f"{name}: this is {wide.upper()} text: read it with "
        raise ReadError(reason, OptionName("encoding", wide))
    if at < 0:
        return
    raise ReadError(
        f"{name}: this is binary data, not text (a NUL at byte {at}); to read a text with NULs, "
        "give ",
        OptionName("kind", "text"),
        "; for another encoding, give that, such as ",
        OptionName("encoding", "utf-16"),
    )


def _format(head: bytes, file: BinaryIO | None) -> Format | None:
    found = _core.signature(head)
    known = None if found is None else Format(*found)
    if head.startswith(_ZIP):
        return _in_zip(BytesIO(head) if file is None else file) or known
    if head.startswith(MAGIC):
        names = stream_names(BytesIO(head) if file is None else file)
        return next((of for name, of in _STREAMS.items() if name in names), known)
    return known


def _in_zip(file: BinaryIO) -> Format | None:
    """Return the format of a document that is a ZIP by the names of its parts."""
    import struct
    import zipfile
    import zlib

    damage = (struct.error, zlib.error, EOFError, LookupError)
    try:
        if _directory_bytes(file) > _MAX_DIRECTORY:
            return None
        with zipfile.ZipFile(file) as archive:
            # Some programs write them in small letters, and as Windows writes paths.
            names = [name.replace("\\", "/").lower() for name in archive.namelist()]
            for below, known in _OFFICE.items():
                if any(name.startswith(below) for name in names):
                    return known
            if archive.getinfo("mimetype").file_size < HEAD_BYTES:
                return _MIME_TYPES.get(archive.read("mimetype").strip())
    except zipfile.BadZipFile:
        return _DAMAGED
    except (*damage, OSError, ValueError, NotImplementedError, OverflowError, RuntimeError):
        # A ZIP of another kind, or an encrypted one.
        return None
    return None


def _directory_bytes(file: BinaryIO) -> int:
    """Return the size of the directory of a ZIP as it is stated, all of which is read at once."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _MAX_END))
    end = file.read()
    at = end.rfind(b"PK\x05\x06")
    return int.from_bytes(end[at + 12 : at + 16], "little") if at >= 0 else 0


def _has_wide_units(encoding: str) -> bool:
    try:
        return b"\0" in "a".encode(encoding)
    except (LookupError, ValueError):
        return False


def _is_text(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except (LookupError, ValueError):
        return False
    return True
