"""PDF documents, read by PDFium: headings, paragraphs, lists, tables with pages and boxes."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from types import ModuleType
from typing import Any

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements
from chunkwright.errors import (
    ConfigError,
    EncryptedError,
    MissingExtraError,
    NeedsOcrError,
    NoTextError,
    OptionName,
    ReadError,
)
from chunkwright.messages.logs import logger
from chunkwright.readers.files import file_of
from chunkwright.readers.ocr import engines
from chunkwright.readers.ocr.recognition import OcrOptions, PageWords, Recognition
from chunkwright.readers.ocr.words import OcrEngine
from chunkwright.readers.pages import checked_pages, shown_pages
from chunkwright.readers.pdf.pictures import drawn_page
from chunkwright.readers.text import naming

# PDFium is not safe for threads: one document at a time is read in a process.
PDFIUM_LOCK = Lock()
_ENCRYPTED = 4
_MAX_PAGES = 100_000
_MAX_OUTLINE = 20_000
_MAX_DEPTH = 15


def read_pdf(  # noqa: PLR0913 - options, all by name
    source: str | os.PathLike[str] | bytes,
    *,
    name: str | None = None,
    pages: str | Sequence[int] | None = None,
    password: str | None = None,
    ocr: str | None = None,
    ocr_engine: str | OcrEngine | None = None,
    ocr_languages: Sequence[str] | None = None,
) -> Document:
    """Read a PDF document by its glyphs and boxes, without a model.

    Headings are recognised by the outline and the tags of the file, else by size, weight and
    numbering; their ``level`` is consistent in the whole file. A paragraph or table that continues
    in another column or on another page is one element with all of its ``pages`` and ``boxes``;
    hyphens at the ends of lines are removed. Page headers and footers are elements after the body,
    which no strategy cuts. The order is that of the file, unless the boxes prove it wrong.

    Boxes are in points (1/72 inch) from the top left corner of the visible page. ``document.pages``
    has the size of each page, a confidence from 0 to 1, and whether the page needs OCR
    (``needs_ocr``); a log message names such pages.

    The text of pages that are pictures is recognised if an engine is installed (``pip install
    "chunkwright[ocr]"``), and its words are laid out like those of a file. ``element.ocr`` marks
    recognised text, and ``element.confidence`` says how certain it is.

    PDFium is not thread-safe, so a process reads one file at a time, while other threads run. To
    read many at once, use several processes. Nothing is fetched or executed.

    Parameters
    ----------
    source
        The path of a file, or its contents, as bytes.
    name
        The name of the document, from which ids are derived; by default the path.
    pages
        The pages to read, from 1: ``"3-7"``, ``"1,4-"``, or numbers. By default all.
    password
        The password of an encrypted file.
    ocr
        The pages to recognise: ``"auto"``, those that need it (the default if an engine is
        installed); ``"all"``, whatever text they have; ``"off"``, none.
    ocr_engine
        The engine: ``"rapidocr"``, ``"tesseract"``, or a function that takes a picture, an array of
        shape ``(height, width, 3)``, and returns a list of ``OcrWord``.
    ocr_languages
        The languages of the text, by ISO 639: ``["de", "en"]``. By default those of the engine.

    Returns
    -------
    Document
        Its text, its elements, its pages and its name.

    Raises
    ------
    ReadError
        If the file is damaged; if the password of an encrypted file is wrong; if it draws or
        unpacks without end; if it has no text, because its pages are pictures. It names the file,
        and the remedy.
    ConfigError
        If an option makes no sense, or a page does not exist.
    MissingExtraError
        If pypdfium2 is not installed (``pip install "chunkwright[pdf]"``), or the OCR engine for a
        page.

    Examples
    --------
    >>> import chunkwright as cw
    >>> document = cw.read_pdf("docs/pipeline/rain.pdf")
    >>> document.elements[0].kind, document.elements[0].pages, document.confidence
    ('heading', (1,), 1.0)
    """
    if not isinstance(password, str | None):
        raise ConfigError(OptionName("password"), " must be a str or None")
    file = file_of(source, name)
    with naming(file.place):
        return document_in(
            file.data,
            name=file.name,
            pages=pages,
            password=password,
            ocr=ocr,
            ocr_engine=ocr_engine,
            ocr_languages=ocr_languages,
        )


def document_in(  # noqa: PLR0913 - options, all by name
    data: bytes,
    *,
    name: str | None = None,
    pages: str | Sequence[int] | None = None,
    password: str | None = None,
    ocr: str | None = None,
    ocr_engine: str | OcrEngine | None = None,
    ocr_languages: Sequence[str] | None = None,
) -> Document:
    """Read the bytes of a PDF document; see :func:`read_pdf`.

    Raises
    ------
    ReadError
        As there, without the file's name.
    """
    try:
        import pypdfium2
        from pypdfium2 import raw
    except ImportError as error:
        raise MissingExtraError("reading PDF documents", "pdf") from error
    recognition = OcrOptions(ocr, ocr_engine, ocr_languages).recognition(name)
    _core.check_pdf(data)
    with PDFIUM_LOCK, _opened(pypdfium2, data, password) as pdf:
        n_pages = len(pdf)
        if not 0 < n_pages <= _MAX_PAGES:
            raise ReadError(f"it has {n_pages:,} pages; from 1 to {_MAX_PAGES:,} are read")
        wanted = checked_pages(pages, n_pages)
        core = _core.read_pdf(
            _addresses(raw),
            _address(pdf.raw),
            [page - 1 for page in wanted],
            _outline(pdf),
            None if recognition is None else partial(_recognised, pdf, recognition),
            all_pages=recognition is not None and recognition.all_pages,
        )
    document = Document(elements=Elements(core), name=name)
    _judge(document)
    return document


def _recognised(
    pdf: Any, recognition: Recognition, number: int, width: float, height: float
) -> PageWords:
    """Return the words that are recognised in a picture of a page."""
    page = pdf[number - 1]
    try:
        picture = drawn_page(page, recognition.scale(width, height))
    finally:
        page.close()
    # It takes seconds, in which other threads may read.
    PDFIUM_LOCK.release()
    try:
        return recognition.words(picture, number, width, height)
    finally:
        PDFIUM_LOCK.acquire()


@contextmanager
def _opened(pypdfium2: ModuleType, data: bytes, password: str | None) -> Iterator[Any]:
    """Open a document.

    Raises
    ------
    ReadError
        If PDFium cannot; says why.
    """
    # PDFium keeps its last error, which may be of another file, where it fails without one.
    pypdfium2.raw.FPDF_LoadMemDocument(b"", 0, None)
    try:
        pdf = pypdfium2.PdfDocument(data, password=password)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _ENCRYPTED:
            if password is not None:
                raise EncryptedError("it is encrypted, and the password is wrong") from error
            needed = OptionName("password", ...)
            raise EncryptedError("it is encrypted: give its password, ", needed) from error
        raise ReadError("not a PDF document, or a damaged one") from error
    try:
        yield pdf
    except pypdfium2.PdfiumError as error:
        raise ReadError(f"a damaged PDF document: {error}") from error
    finally:
        pdf.close()


def _addresses(raw: ModuleType) -> list[int]:
    """Return the addresses of the functions of PDFium that the core calls.

    Raises
    ------
    ReadError
        If this PDFium lacks one.
    """
    try:
        return [_address(getattr(raw, name)) for name in _core.pdfium_functions()]
    except AttributeError as error:
        raise ReadError(f"pypdfium2 is too old: {error}") from error


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _outline(pdf: Any) -> list[tuple[str, int, int]]:
    """Return titles, pages (from 1; 0 if there is none) and levels of the outline."""
    outline: list[tuple[str, int, int]] = []
    for entry in pdf.get_toc(max_depth=_MAX_DEPTH):
        place = entry.get_dest()
        index = None if place is None else place.get_index()
        page = 0 if index is None else index + 1
        outline.append((_title(entry), page, min(entry.level + 1, _MAX_DEPTH)))
        if len(outline) >= _MAX_OUTLINE:
            break
    return outline


def _title(entry: Any) -> str:
    """Return the title of an entry; pypdfium2's own method fails for halves of a surrogate pair."""
    from pypdfium2 import raw

    n_bytes = raw.FPDFBookmark_GetTitle(entry.raw, None, 0)
    buffer = ctypes.create_string_buffer(max(n_bytes, 2))
    raw.FPDFBookmark_GetTitle(entry.raw, buffer, n_bytes)
    return buffer.raw[: max(n_bytes, 2) - 2].decode("utf-16-le", "replace")


def _named(pages: list[int]) -> str:
    return f"page{'s' if len(pages) > 1 else ''} {shown_pages(pages)}"


def _judge(document: Document) -> None:
    """Refuse a document without any text, and log the pages whose text has to be recognised.

    Raises
    ------
    ReadError
        If no page has a text.
    """
    pages = document.pages
    pictures = [page.number for page in pages if page.needs_ocr]
    if not document.text.strip():
        if pictures:
            said = f"it has no text, but pictures on {_named(pictures)}: "
            if engines.is_installed():
                raise NeedsOcrError(said, "read it without ", OptionName("ocr", "off"))
            raise NeedsOcrError(f'{said}pip install "chunkwright[ocr]" has their text recognised')
        recognised = [page.number for page in pages if page.ocr]
        where = f", and none is recognised in pictures of {_named(recognised)}"
        raise NoTextError(
            f"it has no text: there is no letter on its pages{where if recognised else ''}"
        )
    if recognised := [page.number for page in pages if page.ocr]:
        logger().info(
            "%s: the text of %s was recognised (OCR); mean confidence %.2f",
            document.name or "PDF document",
            _named(recognised),
            document.confidence,
        )
    if pictures:
        logger().warning(
            "%s: the text of %s has to be recognised (OCR); mean confidence %.2f",
            document.name or "PDF document",
            _named(pictures),
            document.confidence,
        )
