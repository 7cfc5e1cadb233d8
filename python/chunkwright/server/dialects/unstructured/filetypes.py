"""Types of files: the media type of each, how names of its files end, and what reads it."""

from __future__ import annotations

import os
from typing import NamedTuple

from chunkwright.readers.kinds import LANGUAGES


class FileType(NamedTuple):
    """A type of files.

    Attributes
    ----------
    mime
        Its media type, as ``metadata.filetype`` says it.
    format
        What it is read as: a kind of :data:`chunkwright.readers.kinds.KINDS` or
        :data:`chunkwright.readers.kinds.FILES`, or ``"json"``, ``"ndjson"``, ``"xml"`` or
        ``"image"``.
    suffixes
        How names of its files end.
    aliases
        Other media types of it.
    """

    mime: str
    format: str
    suffixes: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    @property
    def short_name(self) -> str:
        """What ``skip_infer_table_types`` calls it: ``"pdf"``, ``"docx"``."""
        return self.suffixes[0].removeprefix(".")


_MS = "application/vnd.openxmlformats-officedocument"
_ODF = "application/vnd.oasis.opendocument"
# Office files of macros and templates are told by their content, as those without are.
_TYPES = (
    FileType("application/pdf", "pdf", (".pdf",)),
    FileType(f"{_MS}.wordprocessingml.document", "docx", (".docx", ".docm", ".dotx", ".dotm")),
    FileType(f"{_MS}.presentationml.presentation", "office", (".pptx", ".pptm")),
    FileType(f"{_MS}.spreadsheetml.sheet", "office", (".xlsx", ".xlsm")),
    FileType("application/msword", "office", (".doc",)),
    FileType("application/vnd.ms-powerpoint", "office", (".ppt",)),
    FileType("application/vnd.ms-excel", "office", (".xls",)),
    FileType("application/vnd.ms-outlook", "office", (".msg",), ("application/x-ole-storage",)),
    FileType("message/rfc822", "office", (".eml",)),
    FileType(f"{_ODF}.text", "office", (".odt",)),
    FileType(f"{_ODF}.spreadsheet", "office", (".ods",)),
    FileType(f"{_ODF}.presentation", "office", (".odp",)),
    FileType("application/epub", "office", (".epub",), ("application/epub+zip",)),
    FileType("text/rtf", "office", (".rtf",), ("application/rtf",)),
    FileType("text/html", "html", (".html", ".htm", ".xhtml"), ("application/xhtml+xml",)),
    FileType(
        "text/markdown",
        "markdown",
        (".md", ".markdown", ".mdown", ".mkd", ".mdx"),
        ("text/x-markdown",),
    ),
    FileType(
        "text/csv",
        "csv",
        (".csv",),
        (
            *("application/csv", "application/x-csv", "text/x-csv"),
            *("text/comma-separated-values", "text/x-comma-separated-values"),
        ),
    ),
    FileType("text/tsv", "tsv", (".tsv", ".tab"), ("text/tab-separated-values",)),
    FileType("application/json", "json", (".json",)),
    FileType("application/x-ndjson", "ndjson", (".ndjson", ".jsonl"), ("application/jsonl",)),
    FileType("application/xml", "xml", (".xml",), ("text/xml",)),
    FileType(
        "text/plain",
        "text",
        (".txt", ".text", ".log", ".yaml", ".yml", *(f".{each}" for each in LANGUAGES)),
        ("text/yaml", "application/yaml", "text/x-rst", "text/org"),
    ),
    FileType("image/png", "image", (".png",)),
    FileType("image/jpeg", "image", (".jpg", ".jpeg")),
    FileType("image/tiff", "image", (".tiff", ".tif")),
    FileType("image/bmp", "image", (".bmp",)),
    FileType("image/heic", "image", (".heic",)),
    FileType("image/webp", "image", (".webp",)),
    FileType("image/gif", "image", (".gif",)),
)
FILE_TYPES = {mime: each for each in _TYPES for mime in (each.mime, *each.aliases)}
"""The types by their media types."""
_BY_SUFFIX = {suffix: each for each in _TYPES for suffix in each.suffixes}
_BY_FORMAT = {each.format: each for each in reversed(_TYPES)}


def file_type_of_mime(mime: str) -> FileType | None:
    """Return the type of a media type, parameters such as ``; charset=utf-8`` aside."""
    return FILE_TYPES.get(mime.partition(";")[0].strip().lower())


def file_type_of_name(name: str) -> FileType | None:
    """Return the type that a file's name tells."""
    return _BY_SUFFIX.get(os.path.splitext(name)[1].lower())  # noqa: PTH122 - no name is too odd


def file_type_of_format(read_as: str) -> FileType:
    """Return the first type that is read so."""
    return _BY_FORMAT[read_as]
