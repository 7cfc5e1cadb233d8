"""Signatures of files that hold no text: the first bytes by which each is known."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.errors import ReadError

if TYPE_CHECKING:
    from typing import BinaryIO

HEAD_BYTES = 8192
"""So many bytes of a file tell what it is."""


class Format(NamedTuple):
    """A format that is no text, and what makes one of it."""

    name: str
    remedy: str


def _converted(name: str, extra: str, *, by_docling: bool = True) -> Format:
    tools = f'Unstructured (pip install "unstructured[{extra}]")'
    if by_docling:
        tools = f"Docling (pip install docling) or {tools}"
    return Format(name, f"convert it with {tools}, and read the document or elements that it gives")


def _saved(name: str, as_: str) -> Format:
    remedy = _converted(name, as_.lower()).remedy
    return Format(name, f"save it as {as_}, say with LibreOffice; {remedy}")


def _unpacked(name: str) -> Format:
    return Format(name, "unpack it, and read what is in it")


def _image(name: str) -> Format:
    return _converted(name, "image")


def _rows(name: str, format_: str) -> Format:
    reads = f"the command line reads its rows: --input-format {format_}"
    return Format(name, f"{reads}; in Python a strategy's arrow takes it as a table")


_ZIP = b"PK\x03\x04"
_SIGNATURES = {
    _ZIP: _unpacked("a ZIP archive"),
    b"PK\x05\x06": _unpacked("an empty ZIP archive"),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": _converted(
        "an Office document of before 2007 (.doc, .xls, .ppt, .msg)",
        "doc,ppt,xlsx,msg",
        by_docling=False,
    ),
    b"{\\rtf": _converted("an RTF document", "rtf", by_docling=False),
    b"\x89PNG\r\n\x1a\n": _image("a PNG image"),
    b"\xff\xd8\xff": _image("a JPEG image"),
    b"GIF87a": _image("a GIF image"),
    b"GIF89a": _image("a GIF image"),
    b"II*\0": _image("a TIFF image"),
    b"MM\0*": _image("a TIFF image"),
    b"II+\0": _image("a TIFF image"),
    b"MM\0+": _image("a TIFF image"),
    b"\x1f\x8b\x08": _unpacked("a gzip archive"),
    b"\xfd7zXZ\0": _unpacked("an xz archive"),
    b"\x28\xb5\x2f\xfd": _unpacked("a Zstandard archive"),
    b"7z\xbc\xaf\x27\x1c": _unpacked("a 7-Zip archive"),
    b"Rar!\x1a\x07": _unpacked("a RAR archive"),
    b"PAR1\x15": _rows("a Parquet table", "parquet"),
    b"ARROW1\0\0": _rows("an Arrow table", "arrow"),
    b"SQLite format 3\0": Format(
        "an SQLite database", "select the texts from it, and give them to a strategy's batch"
    ),
}
# Readers of PDF look for its signature behind what stands before it; no text begins so either.
_BEFORE_PDF = b"\xef\xbb\xbf \t\r\n"
# In the box that a file of the ISO base media format begins with, those of pictures.
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"avif")
# In the ZIP of an Office document, what its parts are below.
_OFFICE = {
    "word/": _converted("a Word document (DOCX)", "docx"),
    "xl/": _converted("an Excel workbook (XLSX)", "xlsx"),
    "ppt/": _converted("a PowerPoint presentation (PPTX)", "pptx"),
}
# In other ZIPs, what their first file says that they are.
_MIME_TYPES = {
    b"application/epub+zip": _converted("an EPUB book", "epub", by_docling=False),
    b"application/vnd.oasis.opendocument.text": _converted(
        "an OpenDocument text (ODT)", "odt", by_docling=False
    ),
    b"application/vnd.oasis.opendocument.spreadsheet": _saved(
        "an OpenDocument spreadsheet (ODS)", "XLSX"
    ),
    b"application/vnd.oasis.opendocument.presentation": _saved(
        "an OpenDocument presentation (ODP)", "PPTX"
    ),
}
_UTF_32, _UTF_16 = (b"\xff\xfe\0\0", b"\0\0\xfe\xff"), (b"\xff\xfe", b"\xfe\xff")


def refuse(head: bytes, name: str, file: BinaryIO | None = None) -> None:
    """Refuse what its first bytes show to be no text, in whatever encoding.

    Parameters
    ----------
    head
        The first bytes, :data:`HEAD_BYTES` of them or all that there are.
    name
        What they are called in the error's message.
    file
        All of them, where it is to be told what is in a ZIP; by default ``head`` is all.

    Raises
    ------
    ReadError
        If they are known; says what they are, and what makes text of it.
    """
    found = _format(head, file)
    if found is not None:
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
        raise ReadError(f"{name}: this is {wide.upper()} text: read it with encoding={wide!r}")
    if at < 0:
        return
    raise ReadError(
        f"{name}: these are binary data, not text (a NUL at byte {at}); a text with NULs is read "
        "with kind='text', and one in another encoding with that, such as encoding='utf-16'"
    )


def _format(head: bytes, file: BinaryIO | None) -> Format | None:
    found = _by_what_follows(head)
    if found is None:
        found = next((known for mark, known in _SIGNATURES.items() if head.startswith(mark)), None)
    if head.startswith(_ZIP):
        return _in_zip(BytesIO(head) if file is None else file) or found
    return found


def _by_what_follows(head: bytes) -> Format | None:
    """Return a format whose first bytes are not enough, or not the first."""
    found = None
    if head.lstrip(_BEFORE_PDF).startswith(b"%PDF-"):
        found = _converted("a PDF document", "pdf")
    elif head.startswith(b"BZh") and head[4:10] == b"1AY&SY":
        found = _unpacked("a bzip2 archive")
    elif head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        found = _image("a WebP image")
    elif head.startswith(b"BM") and head[6:10] == bytes(4):
        found = _image("a BMP image")
    elif head[4:8] == b"ftyp" and head[8:12] in _HEIF_BRANDS:
        found = _image("a HEIF image")
    elif head[257:262] == b"ustar" and b"\0" in head[:257]:
        found = _unpacked("a tar archive")
    return found


def _in_zip(file: BinaryIO) -> Format | None:
    """Return the format of a document that is a ZIP by the names of its parts."""
    import struct
    import zipfile
    import zlib

    damage = (zipfile.BadZipFile, struct.error, zlib.error, EOFError, LookupError)
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            for below, known in _OFFICE.items():
                if any(name.startswith(below) for name in names):
                    return known
            if archive.getinfo("mimetype").file_size < HEAD_BYTES:
                return _MIME_TYPES.get(archive.read("mimetype").strip())
    except (*damage, OSError, ValueError, NotImplementedError, OverflowError, RuntimeError):
        # Another one, or cut off, damaged or encrypted: a ZIP it is.
        return None
    return None


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
