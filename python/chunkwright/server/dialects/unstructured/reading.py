"""Reading of a file: the elements that it holds, by the reader of its type."""

from __future__ import annotations

from typing import Any

from chunkwright.document import Document
from chunkwright.errors import (
    ConfigError,
    EncryptedError,
    MissingExtraError,
    NeedsOcrError,
    NoTextError,
    ReadError,
)
from chunkwright.readers.encodings import decode_as_read
from chunkwright.readers.kinds import is_docling
from chunkwright.readers.ocr.languages import LATIN_AND_CJK, checked_languages
from chunkwright.readers.pages import shown_pages, unread_pages
from chunkwright.readers.read import Read, read_data
from chunkwright.server.answers import needs_ocr
from chunkwright.server.bodies.uploads import Upload
from chunkwright.server.dialects.unstructured.elements import Wanted, elements_of
from chunkwright.server.dialects.unstructured.elements_json import (
    ReadElements,
    derive_ids,
    element,
    elements_of_json,
    elements_of_json_lines,
    json_lines_of,
    json_of,
)
from chunkwright.server.dialects.unstructured.fields import Fields, FileType, file_type_of_format
from chunkwright.server.dialects.unstructured.mail import Readers, read_mail
from chunkwright.server.dialects.unstructured.sources import (
    FAST,
    HI_RES,
    OCR_ONLY,
    Source,
    sources_of,
)
from chunkwright.server.problems import Problem


def texts_of_xml(source: Source) -> list[str]:
    """Return the texts between the tags of an XML file.

    Raises
    ------
    ReadError
        If it is no XML: names the file.
    MissingExtraError
        If lxml is not installed.
    """
    try:
        from lxml import etree
    except ImportError as error:
        raise MissingExtraError("reading XML", "xml") from error
    safe = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    safe |= {"remove_comments": True, "remove_pis": True}
    if not source.data.strip():
        return []
    parser = etree.XMLParser(**safe)
    try:
        root = etree.fromstring(source.data, parser)
    except etree.XMLSyntaxError as error:
        # A prefix that no one declares changes no text.
        kinds = {each.domain for each in parser.error_log}
        if kinds != {etree.ErrorDomains.NAMESPACE}:
            raise ReadError(f"{source.name}: not XML: {error.msg}") from error
        root = etree.fromstring(source.data, etree.XMLParser(recover=True, **safe))
    return [" ".join(text.split()) for text in root.itertext() if text.strip()]


# Which pages are recognised by the strategy; `fast` promises to be so.
_OCR = {"fast": "off", OCR_ONLY: "all"}
_ENCRYPTED = "File is encrypted. Please decrypt it with password."
_NO_PDF = "File does not appear to be a valid PDF."
JSON = frozenset({"json", "ndjson"})
"""What is read of elements, or of other JSON."""


# Presentations, whose footnotes are notes of the speaker.
_SLIDES = frozenset({"pptx", "ppt", "odp"})


def read_source(source: Source, fields: Fields, most: int) -> tuple[ReadElements, FileType]:
    """Return the elements of a file, and its type, which may be known only then.

    Parameters
    ----------
    source
        The file.
    fields
        How it is read.
    most
        Bytes that compressed parts of it may hold when they are decoded.

    Raises
    ------
    ReadError
        If it cannot be read; names it.
    MissingExtraError
        If the library that reads such files is not installed.
    Problem
        422, if it is no PDF document though it should be one, or an encrypted one.
    """
    file_type = source.file_type
    if file_type is not None and file_type.format in JSON:
        return _read_json(source, fields, file_type, most)
    if file_type is not None and file_type.format == "xml":
        return _read_xml(source, fields, file_type), file_type
    if file_type is not None and file_type.format == "mail":
        return _read_mail(source, fields, file_type, most), file_type
    kind = None if file_type is None else file_type.format
    try:
        read, warnings = _document(source, kind, fields)
    except ConfigError as error:
        field = "languages" if error.option == "ocr_languages" else "strategy"
        raise Problem(422, "unsupported", f"{source.name}: {error}", field=field) from error
    if read.kind == "elements":
        return _read_json(source, fields, file_type_of_format("json"), most)
    told = "json" if read.kind == "docling" else read.kind
    file_type = file_type or file_type_of_format(told)
    made = _of_document(read, source, fields, file_type)
    return made._replace(warnings=tuple(warnings)), file_type


def _read_xml(source: Source, fields: Fields, file_type: FileType) -> ReadElements:
    """Return the texts between the tags, or the whole source if the tags are wanted."""
    if fields.xml_keep_tags:
        text = _text_of(source, fields)
        made = [element("UncategorizedText", text, {})] if text.strip() else []
    else:
        made = [element("NarrativeText", text, {}) for text in texts_of_xml(source)]
    return _stamped(made, source, file_type, fields)


def _text_of(source: Source, fields: Fields) -> str:
    decoded = decode_as_read(
        source.data, encoding=fields.encoding, errors=None, is_html=False, name=source.name
    )
    return decoded.text.removeprefix("\ufeff")


def _read_mail(source: Source, fields: Fields, file_type: FileType, most: int) -> ReadElements:
    # Ids are derived once, of all elements together.
    unnamed = fields.model_copy(update={"unique_element_ids": True, "content_type": None})

    def of_document(read: Read) -> list[dict[str, Any]]:
        return elements_of(read.document, read.kind, _wanted(fields, file_type))

    def of_file(name: str, data: bytes) -> ReadElements:
        (attached,) = sources_of([Upload("files", name, "", data)], unnamed, most)
        read, _ = read_source(attached, unnamed, most)
        if fields.strategy != FAST and read.unread:
            return read._replace(warnings=(*read.warnings, needs_ocr(name, read.unread)))
        return read

    read = read_mail(source, Readers(of_document, of_file))
    stamped = _stamped(read.elements, source, file_type, fields)
    return stamped._replace(warnings=read.warnings)


def _read_json(
    source: Source, fields: Fields, file_type: FileType, most: int
) -> tuple[ReadElements, FileType]:
    text = _text_of(source, fields)
    if file_type.format == "ndjson":
        values = json_lines_of(text, source.name)
        return elements_of_json_lines(values, source.name, most), file_type
    value = json_of(text, source.name)
    if not is_docling(value):
        return elements_of_json(value, source.name, most), file_type
    read, _ = _document(source, "docling", fields)
    return _of_document(read, source, fields, file_type), file_type


def _document(source: Source, kind: str | None, fields: Fields) -> tuple[Read, list[str]]:
    """Read a file, and say what of the request is passed over for it."""
    warnings: list[str] = []
    codes = [*languages_of(fields)]
    try:
        read = _read_in(source, kind, fields, codes)
    except ConfigError as error:
        readable = [code for code in checked_languages(codes) if code in LATIN_AND_CJK]
        if error.option != "ocr_languages" or not readable:
            raise
        warnings.append(f"{source.name}: it is recognised in {readable} alone: {error}")
        read = _read_in(source, kind, fields, readable)
    if fields.strategy in HI_RES:
        _check_pages(read.document, source.name)
    return read, warnings


def _read_in(source: Source, kind: str | None, fields: Fields, codes: list[str]) -> Read:
    """Read a file whose pictures are recognised in these languages; one of no text is empty."""
    place, name = source.name or "the file", source.name or None
    options = {"ocr": _OCR.get(fields.strategy), "ocr_languages": codes or None}
    try:
        # Unstructured leaves out navigation as well.
        return read_data(
            source.data,
            kind,
            place,
            name,
            drop=("nav",),
            options=options,
            encoding=fields.encoding,
        )
    except NeedsOcrError:
        raise
    except NoTextError:
        return Read(Document(text=""), kind or "text")
    except ReadError as error:
        if kind != "pdf":
            raise
        # As the original says it, by which clients know it.
        is_encrypted = isinstance(error, EncryptedError)
        said = _ENCRYPTED if is_encrypted else f"{_NO_PDF} Error: {error}"
        raise Problem(422, "unreadable", said) from error


def _check_pages(document: Document, place: str) -> None:
    """Refuse pages that are pictures: their layout is found, but not what they say.

    Raises
    ------
    Problem
        422, naming the strategy and the pages.
    """
    pages = unread_pages(document)
    if pages:
        message = (
            f"strategy='hi_res' is not done for {place}: its pages {shown_pages(pages)} need OCR,"
            " which the service has none of without the extra ocr; send 'fast' to read the other"
            " pages, or have it read elsewhere, and send the elements or the document"
        )
        raise Problem(422, "unsupported", message, field="strategy")


def _of_document(read: Read, source: Source, fields: Fields, told: FileType) -> ReadElements:
    made = elements_of(read.document, read.kind, _wanted(fields, told))
    stamped = _stamped(made, source, told, fields)
    return stamped._replace(unread=tuple(unread_pages(read.document)))


def _wanted(fields: Fields, file_type: FileType) -> Wanted:
    skipped = {each.lower().removeprefix(".") for each in fields.skip_infer_table_types}
    is_pdf = file_type.format == "pdf"
    return Wanted(
        coordinates=fields.coordinates,
        page_breaks=fields.include_page_breaks,
        tables=not any(suffix.removeprefix(".") in skipped for suffix in file_type.suffixes)
        and (fields.pdf_infer_table_structure or not is_pdf),
        first_page=fields.starting_page_number,
        notes=fields.include_slide_notes if file_type.short_name in _SLIDES else None,
        languages=languages_of(fields),
    )


def languages_of(fields: Fields) -> tuple[str, ...]:
    """Return the languages that a request states, by Tesseract's codes."""
    stated = [code for each in fields.languages or fields.ocr_languages for code in each.split("+")]
    return tuple(each for each in stated if each not in {"", "auto"})


def stamp(metadata: dict[str, Any], source: Source, file_type: FileType) -> None:
    """Say in metadata of which file, and of which type of files, an element is."""
    if source.name:
        metadata["filename"] = source.name
    # What is attached to a mail has a type of its own.
    if file_type.format != "mail" or "attached_to_filename" not in metadata:
        metadata["filetype"] = file_type.mime


def _stamped(
    elements: list[dict[str, Any]], source: Source, file_type: FileType, fields: Fields
) -> ReadElements:
    """Say of which file elements are, so that originals of chunks say it too."""
    for each in elements:
        if "attached_to_filename" not in each["metadata"]:
            stamp(each["metadata"], source, file_type)
    if not fields.unique_element_ids:
        derive_ids(elements)
    return ReadElements(elements, [None] * len(elements), have_ids=True)
