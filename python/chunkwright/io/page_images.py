"""Pictures of the pages of a PDF document, small enough to stand in a page of HTML."""

import struct
import zlib
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from chunkwright import _core
from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.readers.pdf.pictures import drawn_page
from chunkwright.readers.pdf.reader import PDFIUM_LOCK

# Pages are drawn this wide, in pixels; more than so many are not, nor beyond so many bytes.
WIDTH = 900
PAGE_WIDTH = 1400
"""How wide a page is drawn that is looked at alone: its words can be read where it is enlarged."""
MOST_PAGES = 100
MOST_BYTES = 30_000_000
# The mark of a PDF document begins within so many bytes.
_MARKED = 1024
# How many times as high as wide a picture may be.
_MOST_HEIGHT = 4
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY, _RGB = 0, 2


def is_pdf(data: bytes) -> bool:
    """Return whether a file is a PDF document, whose mark may follow some other bytes."""
    return b"%PDF-" in data[:_MARKED]


def page_images(
    data: bytes, pages: Sequence[int], password: str | None = None, *, width: int = WIDTH
) -> dict[int, str]:
    """Draw pages.

    Parameters
    ----------
    data
        A PDF document.
    pages
        Numbers of pages, from 1.
    password
        That of an encrypted file.
    width
        How wide the pictures are, in pixels.

    Returns
    -------
    dict
        A picture for each page, by its number, as a URI; for the first pages, where there are more
        than `MOST_PAGES` or the pictures take more than `MOST_BYTES`.

    Raises
    ------
    ReadError
        If the document cannot be opened, or a page is not there or cannot be drawn.
    MissingExtraError
        If pypdfium2 is not installed.
    """
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingExtraError("drawing the pages of PDF documents", "pdf") from error
    _core.check_pdf(data)
    images: dict[int, str] = {}
    size = 0
    try:
        with PDFIUM_LOCK, pypdfium2.PdfDocument(data, password=password) as document:
            for number in pages[:MOST_PAGES]:
                image = _drawn(document, number, width)
                size += len(image)
                if size > MOST_BYTES:
                    break
                images[number] = image
    except pypdfium2.PdfiumError as error:
        raise ReadError(f"its pages cannot be drawn: {error}") from error
    return images


def _drawn(document: Any, number: int, most: int) -> str:
    if number > len(document):
        raise ReadError(f"there is no page {number}: it has {len(document)}")
    page = document[number - 1]
    width, height = page.get_size()
    scale = min(most / width, _MOST_HEIGHT * most / height)
    try:
        png = _png(drawn_page(page, scale))
    finally:
        page.close()
    return f"data:image/png;base64,{b64encode(png).decode()}"


def _png(pixels: Any) -> bytes:
    """Return a PNG of pixels, shape ``(height, width)`` or ``(height, width, channels)``."""
    import numpy as np

    is_coloured = pixels.shape[2:] != () and bool((pixels[:, :, :3] != pixels[:, :, :1]).any())
    # Most pages are black on white.
    pixels = pixels[:, :, :3] if is_coloured else pixels.reshape(*pixels.shape[:2], -1)[:, :, 0]
    height, width = pixels.shape[:2]
    colour = _RGB if is_coloured else _GREY
    rows = np.ascontiguousarray(pixels).reshape(height, -1)
    # Each row begins with its filter: none.
    raw = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(raw, 6)), (b"IEND", b"")]
    return _SIGNATURE + b"".join(_chunk(name, held) for name, held in chunks)


def _chunk(name: bytes, held: bytes) -> bytes:
    return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))
