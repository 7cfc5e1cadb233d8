"""Reading of a file: the elements that it holds, by the reader of its type."""

from __future__ import annotations

from typing import Any

from chunkwright.document import Document
from chunkwright.errors import ConfigError, MissingExtraError, ReadError
from chunkwright.readers.kinds import is_docling
from chunkwright.readers.pages import shown_pages, unread_pages
from chunkwright.readers.read import Read, read_data
from chunkwright.readers.text import decode
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
from chunkwright.server.dialects.unstructured.sources import HI_RES, OCR_ONLY, Source
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
    parser = etree.XMLParser(remove_comments=True, remove_pis=True, **safe)
    if not source.data.strip():
        return []
    try:
        root = etree.fromstring(source.data, parser)
    except etree.XMLSyntaxError as error:
        raise ReadError(f"{source.name}: not XML: {error.msg}") from error
    return [" ".join(text.split()) for text in root.itertext() if text.strip()]


# Which pages are recognised by the strategy; `fast` promises to be so.
_OCR = {"fast": "off", OCR_ONLY: "all"}
JSON = frozenset({"json", "ndjson"})
"""What is read of elements, or of other JSON."""


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
    """
    file_type = source.file_type
    if file_type is not None and file_type.format in JSON:
        return _read_json(source, fields, file_type, most)
    if file_type is not None and file_type.format == "xml" and not fields.xml_keep_tags:
        made = [element("NarrativeText", text, {}) for text in texts_of_xml(source)]
        return _stamped(made, source, file_type, fields), file_type
    kind = None if file_type is None else "text" if file_type.format == "xml" else file_type.format
    document, kind = _document(source, kind, fields)
    if kind == "elements":
        return _read_json(source, fields, file_type_of_format("json"), most)
    file_type = file_type or file_type_of_format("json" if kind == "docling" else kind)
    return _of_document(document, kind, source, fields, file_type), file_type


def _read_json(
    source: Source, fields: Fields, file_type: FileType, most: int
) -> tuple[ReadElements, FileType]:
    text = decode(source.data, encoding=fields.encoding or "utf-8-sig", name=source.name)
    if file_type.format == "ndjson":
        values = json_lines_of(text, source.name)
        return elements_of_json_lines(values, source.name, most), file_type
    value = json_of(text, source.name)
    if not is_docling(value):
        return elements_of_json(value, source.name, most), file_type
    document, kind = _document(source, "docling", fields)
    return _of_document(document, kind, source, fields, file_type), file_type


def _document(source: Source, kind: str | None, fields: Fields) -> Read:
    place, name = source.name or "the file", source.name or None
    decoding: dict[str, Any] = {"encoding": fields.encoding}
    options = {"ocr": _OCR.get(fields.strategy), "ocr_languages": languages_of(fields) or None}
    # Unstructured leaves out navigation as well.
    try:
        read = read_data(source.data, kind, place, name, drop=("nav",), options=options, **decoding)
    except ConfigError as error:
        field = "languages" if error.option == "ocr_languages" else "strategy"
        raise Problem(422, "unsupported", f"{place}: {error}", field=field) from error
    if fields.strategy == HI_RES:
        _check_pages(read.document, place)
    return read


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


def _of_document(
    document: Document, kind: str, source: Source, fields: Fields, told: FileType
) -> ReadElements:
    made = elements_of(document, kind, _wanted(fields, told))
    stamped = _stamped(made, source, told, fields)
    return stamped._replace(unread=tuple(unread_pages(document)))


def _wanted(fields: Fields, file_type: FileType) -> Wanted:
    skipped = {each.lower().removeprefix(".") for each in fields.skip_infer_table_types}
    is_pdf = file_type.format == "pdf"
    return Wanted(
        coordinates=fields.coordinates,
        page_breaks=fields.include_page_breaks,
        tables=file_type.short_name not in skipped
        and (fields.pdf_infer_table_structure or not is_pdf),
        first_page=fields.starting_page_number,
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
    metadata["filetype"] = file_type.mime


def _stamped(
    elements: list[dict[str, Any]], source: Source, file_type: FileType, fields: Fields
) -> ReadElements:
    """Say of which file elements are, so that originals of chunks say it too."""
    for each in elements:
        stamp(each["metadata"], source, file_type)
    if not fields.unique_element_ids:
        derive_ids(elements)
    return ReadElements(elements, [None] * len(elements), have_ids=True)
