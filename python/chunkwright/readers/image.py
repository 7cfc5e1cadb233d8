"""Images as documents: scans and photos of pages, whose text is recognised."""

from __future__ import annotations

import re
import struct
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import numpy as np

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements
from chunkwright.errors import (
    ConfigError,
    MissingExtraError,
    NeedsOcrError,
    NoTextError,
    OptionName,
    ReadError,
)
from chunkwright.readers.ocr.recognition import OcrOptions, PageWords, Recognition
from chunkwright.readers.ocr.words import OcrEngine
from chunkwright.readers.pages import checked_pages

_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP")
_MAX_PIXELS = 150_000_000
"""An image of more is refused before it is unpacked: a page of A3 at 600 dpi has 70 million."""
_MAX_PAGES = 10_000
_POINTS = 72
# What Pillow raises for files that are damaged.
_DAMAGE = (OSError, SyntaxError, ValueError, LookupError, TypeError, EOFError, struct.error)
# Resolutions that scanners and cameras state where they know none lie outside of these.
_LEAST_DPI, _MOST_DPI = 50, 2400
# The longer side of a page: of A4, where none is stated; and the longest that is believed.
_A4_POINTS, _MOST_POINTS = 842.0, 2400.0
# What the library says of the file object that it was given.
_ADDRESS = re.compile(r"<[^<>]*object at 0x[^<>]*>")


def document_in(  # noqa: PLR0913 - options, all by name
    data: bytes,
    *,
    name: str | None = None,
    pages: str | Sequence[int] | None = None,
    ocr: str | None = None,
    ocr_engine: str | OcrEngine | None = None,
    ocr_languages: Sequence[str] | None = None,
) -> Document:
    """Read the bytes of an image; see :func:`chunkwright.read`.

    A page is as large as the resolution says that the image states; without one its longer side is
    that of a page of A4.

    Raises
    ------
    ReadError
        If it is damaged, too large, or no text is found in it.
    ConfigError
        If an option makes no sense, or images are not to be recognised (``ocr="off"``).
    MissingExtraError
        If no engine is installed: ``pip install "chunkwright[ocr]"``.
    """
    recognition = OcrOptions(ocr, ocr_engine, ocr_languages).recognition(name)
    if recognition is None:
        if ocr is None:
            raise MissingExtraError("recognising the text of images", "ocr")
        raise NeedsOcrError("an image has only recognised text: read it without ", _OFF)
    with _opened(data) as image:
        wanted = checked_pages(pages, _n_pages(image))
        sizes = [(number, *_size(_page(image, number))) for number in wanted]

        def recognise(number: int, width: float, height: float) -> PageWords:
            picture = _picture(_page(image, number), recognition)
            return recognition.words(picture, number, width, height)

        core = _core.read_pictures(sizes, recognise)
    document = Document(elements=Elements(core), name=name)
    if not document.text.strip():
        raise NoTextError("no text was found in the image")
    return document


_OFF = OptionName("ocr", "off")


@contextmanager
def _opened(data: bytes) -> Iterator[Any]:
    """Open an image.

    Raises
    ------
    ReadError
        If it cannot be read: says why.
    MissingExtraError
        If Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("reading images", "ocr") from error
    # What Pillow warns of is checked here, or harmless: tags that it does not know.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(BytesIO(data), formats=_FORMATS) as image:
                yield image
        except (ConfigError, ReadError, MissingExtraError):
            raise
        except Image.DecompressionBombError as error:
            raise ReadError(_too_large()) from error
        except _DAMAGE as error:
            raise ReadError(f"a damaged image: {_ADDRESS.sub('', str(error)).strip()}") from error


def _n_pages(image: Any) -> int:
    """Return how many pages an image has: several in TIFF alone.

    Raises
    ------
    ReadError
        If they are too many.
    """
    n: int = image.n_frames if image.format == "TIFF" else 1
    if n > _MAX_PAGES:
        raise ReadError(f"it has {n:,} pages; up to {_MAX_PAGES:,} are read")
    return n


def _page(image: Any, number: int) -> Any:
    """Return the image at a page of it, whose pixels are not yet unpacked.

    Raises
    ------
    ReadError
        If it has too many.
    """
    if image.tell() != number - 1:
        image.seek(number - 1)
    if image.width * image.height > _MAX_PIXELS:
        raise ReadError(_too_large())
    return image


def _too_large() -> str:
    return f"the image is too large: more than {_MAX_PIXELS // 10**6} million pixels"


def _size(page: Any) -> tuple[float, float]:
    """Return width and height of a page in points, as it is seen."""
    width, height = page.size
    if page.getexif().get(0x0112, 1) in {5, 6, 7, 8}:
        width, height = height, width
    longest = max(width, height, 1)
    stated = page.info.get("dpi") or (0, 0)
    try:
        x, y = (float(each) for each in stated)
    except (TypeError, ValueError, ZeroDivisionError):
        x, y = 0.0, 0.0
    is_known = all(_LEAST_DPI <= each <= _MOST_DPI for each in (x, y))
    if is_known and max(width / x, height / y) * _POINTS <= _MOST_POINTS:
        return width * _POINTS / x, height * _POINTS / y
    return width * _A4_POINTS / longest, height * _A4_POINTS / longest


def _picture(page: Any, recognition: Recognition) -> np.ndarray[Any, Any]:
    """Return the pixels of a page on white, no more than the engine is shown."""
    from PIL import Image, ImageOps

    most = recognition.row.most_pixels
    # JPEG is unpacked smaller at once.
    page.draft("RGB", (most, most))
    seen = ImageOps.exif_transpose(page)
    if seen.mode.startswith("I;16"):
        seen = Image.fromarray((np.asarray(seen) >> 8).astype(np.uint8))
    if "A" in seen.getbands() or "transparency" in seen.info:
        seen = seen.convert("RGBA")
        seen = Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen)
    seen = seen.convert("RGB")
    seen.thumbnail((most, most), Image.Resampling.BOX)
    return np.asarray(seen)
