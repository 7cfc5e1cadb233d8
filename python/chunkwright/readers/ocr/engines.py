"""Engines that recognise text: one row each, and how one is chosen."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from chunkwright.checks import checked_name
from chunkwright.errors import ConfigError
from chunkwright.readers.ocr.languages import checked_languages
from chunkwright.readers.ocr.words import OcrEngine


class EngineRow(NamedTuple):
    """An engine: its module in this package, and the pictures that it does best with.

    The module has a function ``engine`` from codes of languages to an `OcrEngine`.

    Attributes
    ----------
    module
        The name of the module.
    dpi
        Pixels of an inch of a page that it is shown.
    most_pixels
        So many pixels the longer side of a picture has at most.
    """

    module: str
    dpi: int
    most_pixels: int


OCR = ("auto", "all", "off")
"""Which pages are recognised: those that need it, all, or none."""
ENGINES = {
    # It makes longer pictures smaller by itself.
    "rapidocr": EngineRow("rapid", 200, 2000),
    "tesseract": EngineRow("tesseract", 300, 5000),
}
"""The engines by name, the one first that is taken unless another is named."""
# What a function of the caller's is shown.
_OF_CALLER = EngineRow("", 300, 5000)


class Engine(NamedTuple):
    """An engine that was chosen, and the pictures that it is shown."""

    row: EngineRow
    make: Callable[[], OcrEngine]


def is_installed() -> bool:
    """Return whether the extra is installed that brings the engine that is taken by default."""
    return find_spec("rapidocr") is not None


def chosen(engine: object, languages: object) -> Engine:
    """Return the engine of a name, or the caller's own.

    Parameters
    ----------
    engine
        A name of :data:`ENGINES`, or an `OcrEngine`; None: the first of them.
    languages
        Codes of languages; None: what the engine has by default.

    Raises
    ------
    ConfigError
        If there is no such engine, or it has no languages to choose from.
    """
    codes = checked_languages(languages)
    if callable(engine):
        if codes:
            raise ConfigError("ocr_languages needs an engine by name", option="ocr_languages")
        own: OcrEngine = engine
        return Engine(_OF_CALLER, lambda: own)
    name = next(iter(ENGINES)) if engine is None else checked_name("ocr_engine", engine, [*ENGINES])
    row = ENGINES[name]

    def make() -> OcrEngine:
        module = import_module(f"{__package__}.{row.module}")
        made: OcrEngine = module.engine(codes)
        return made

    return Engine(row, make)
