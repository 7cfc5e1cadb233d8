"""Recognition of the pages of one document: which pages, by which engine, and how it went."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from chunkwright.checks import checked_name
from chunkwright.errors import MissingExtraError
from chunkwright.messages.logs import logger
from chunkwright.readers.ocr import engines
from chunkwright.readers.ocr.engines import OCR, EngineRow, chosen
from chunkwright.readers.ocr.words import OcrEngine, WordRow, word_rows

PageWords: TypeAlias = tuple[list[WordRow], bytes, int, int]
"""The words of a page; a picture of it, a byte of grey for each pixel; its width and height."""


class Recognition:
    """Recognises the text of pages, one picture after the other.

    Parameters
    ----------
    row
        What pictures the engine is shown.
    make
        Makes the engine, once a page needs it.
    all_pages
        Whether all pages are recognised.
    name
        What the document is called in messages.
    """

    def __init__(
        self, row: EngineRow, make: Callable[[], OcrEngine], *, all_pages: bool, name: str | None
    ) -> None:
        self.row = row
        self.all_pages = all_pages
        self._make = make
        self._engine: OcrEngine | None = None
        self._name = name or "document"

    def scale(self, width: float, height: float) -> float:
        """Return how many pixels a point of a page has."""
        longest = max(width, height, 1.0)
        return min(self.row.dpi / 72, self.row.most_pixels / longest)

    def words(
        self, picture: np.ndarray[Any, Any], page: int, width: float, height: float
    ) -> PageWords:
        """Return the words of a page, whose width and height are stated in points.

        Raises
        ------
        ConfigError
            If the engine gives what are no words.
        MissingExtraError
            If the engine is not installed.
        """
        began = perf_counter()
        if self._engine is None:
            self._engine = self._make()
        n_rows, n_columns = picture.shape[:2]
        words = word_rows(self._engine(picture), width / n_columns, height / n_rows)
        logger().info(
            "%s: page %d: %d words recognised in %.1f s",
            self._name,
            page,
            len(words),
            perf_counter() - began,
        )
        # As the eye weighs red, green and blue.
        grey = (picture @ np.array([0.299, 0.587, 0.114], np.float32)).astype(np.uint8)
        return words, grey.tobytes(), n_columns, n_rows


class OcrOptions(NamedTuple):
    """What a caller asks for.

    Attributes
    ----------
    ocr
        One of :data:`chunkwright.readers.ocr.engines.OCR`; None: ``"auto"`` where an engine is
        installed or given.
    engine
        The name of an engine, or a function; see :func:`chunkwright.readers.ocr.engines.chosen`.
    languages
        Codes of languages.
    """

    ocr: object = None
    engine: object = None
    languages: object = None

    def recognition(self, name: str | None) -> Recognition | None:
        """Return what recognises pages; None if none is recognised.

        Raises
        ------
        ConfigError
            If an option makes no sense.
        MissingExtraError
            If all pages are to be recognised, and the engine is not installed.
        """
        mode = None if self.ocr is None else checked_name("ocr", self.ocr, OCR)
        engine = chosen(self.engine, self.languages)
        if mode == "off" or (mode is None and self.engine is None and not engines.is_installed()):
            return None
        if mode == "all" and self.engine is None and not engines.is_installed():
            raise MissingExtraError("recognising text", "ocr")
        return Recognition(engine.row, engine.make, all_pages=mode == "all", name=name)
