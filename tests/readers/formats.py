"""Files that hold no text, small ones, by what an error calls them."""

import zipfile
from io import BytesIO


def zipped(**parts: bytes) -> bytes:
    """Make a ZIP of parts; in their names `__` is a slash."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/"), data)
    return file.getvalue()


CONVERTED = {
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
    "a Word document (DOCX)": zipped(Content_Types=b"<Types/>", word__document=b"<w/>"),
    "an Excel workbook (XLSX)": zipped(Content_Types=b"<Types/>", xl__workbook=b"<w/>"),
    "a PowerPoint presentation (PPTX)": zipped(Content_Types=b"", ppt__presentation=b"<p/>"),
    "an EPUB book": zipped(mimetype=b"application/epub+zip", OEBPS__content=b""),
    "an OpenDocument text (ODT)": zipped(mimetype=b"application/vnd.oasis.opendocument.text"),
    "an OpenDocument spreadsheet (ODS)": zipped(
        mimetype=b"application/vnd.oasis.opendocument.spreadsheet"
    ),
    "an OpenDocument presentation (ODP)": zipped(
        mimetype=b"application/vnd.oasis.opendocument.presentation"
    ),
    "an RTF document": b"{\\rtf1\\ansi It rained.\\par}",
    "an Office document of before 2007": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100),
    "a PNG image": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a JPEG image": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
    "a GIF image": b"GIF89a\x01\0\x01\0",
    "a WebP image": b"RIFF\x24\0\0\0WEBPVP8 ",
    "a TIFF image": b"II*\0\x08\0\0\0",
    "a BMP image": b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0",
    "a HEIF image": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
}
"""Documents that Docling or Unstructured makes text of."""
PACKED = {
    "a ZIP archive": zipped(notes=b"text"),
    "a gzip archive": b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
    "a bzip2 archive": b"BZh91AY&SY\0",
    "an xz archive": b"\xfd7zXZ\0\0\x04",
    "a Zstandard archive": b"\x28\xb5\x2f\xfd\x04",
    "a 7-Zip archive": b"7z\xbc\xaf\x27\x1c\0\x04",
    "a RAR archive": b"Rar!\x1a\x07\x01\0",
    "a tar archive": b"notes.txt".ljust(257, b"\0") + b"ustar\x0000",
}
"""Files with files in them."""
BINARY = {
    **CONVERTED,
    **PACKED,
    "a Parquet table": b"PAR1\x15\x04\x15",
    "an Arrow table": b"ARROW1\0\0\xff",
    "an SQLite database": b"SQLite format 3\0\x10\0",
}
