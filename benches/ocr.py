"""Scanned pages: words, reading order, tables and CPU seconds a page, beside RapidOCR alone.

Pages of PDF documents are drawn as scanners have them: straight and askew, in colour and in grey,
with noise. What is recognised is compared with the words and the tables that are read from the
documents themselves. Tables are compared by pairs of cells that are next to each other, as at ICDAR
2013: F1.

    python benches/ocr.py FOLDER... [--pages 12] [--dpi 300] [--engine rapidocr] [--look straight]
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter
from rapidfuzz.distance import LCSseq

import chunkwright as cw

WORD = re.compile(r"\w+")
# A page of fewer words says little.
MIN_WORDS = 40
COLUMNS = ("recall", "order", "tables", "CPU seconds", "alone", "confidence")


def _straight(image: Image.Image) -> Image.Image:
    return image


def _askew(image: Image.Image) -> Image.Image:
    return image.rotate(2, Image.Resampling.BICUBIC, expand=True, fillcolor="white")


def _grey(image: Image.Image) -> Image.Image:
    return image.convert("L").point(lambda value: 40 + value * 180 // 255)


def _noisy(image: Image.Image) -> Image.Image:
    drawn = np.random.default_rng(7)
    pixels = np.asarray(image.filter(ImageFilter.GaussianBlur(0.8)), np.float32)
    noise = drawn.normal(0, 22, pixels.shape[:2])[:, :, None]
    return Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8))


LOOKS: dict[str, Callable[[Image.Image], Image.Image]] = {
    "straight": _straight,
    "askew": _askew,
    "grey": _grey,
    "noisy": _noisy,
}


def words(text: str) -> list[str]:
    """Return the words of a text, in small letters."""
    return [word.lower() for word in WORD.findall(text)]


def recall(truth: list[str], found: list[str]) -> float:
    """Return the share of words that were found, each as often as it is there."""
    return sum((Counter(truth) & Counter(found)).values()) / len(truth)


def order(truth: list[str], found: list[str]) -> float:
    """Return the share of the words of both that stand in the same order."""
    common = Counter(truth) & Counter(found)
    both = []
    for text in (truth, found):
        left = Counter(common)
        kept = []
        for word in text:
            if left[word] > 0:
                left[word] -= 1
                kept.append(word)
        both.append(kept)
    return float(LCSseq.similarity(*both) / max(len(both[0]), 1))


def pairs(document: cw.Document) -> Counter[tuple[str, str, bool]]:
    """Return the texts of cells that follow each other in a row or in a column of a table."""
    found: Counter[tuple[str, str, bool]] = Counter()
    for element in document.elements:
        if element.table is None:
            continue
        texts = {
            (cell.row, cell.column): " ".join(words(document.text[cell.start : cell.end]))
            for cell in element.table.cells
        }
        filled = {place: text for place, text in sorted(texts.items()) if text}
        last: dict[tuple[bool, int], str] = {}
        for (row, column), text in filled.items():
            for key in ((False, row), (True, column)):
                if key in last:
                    found[last[key], text, key[0]] += 1
                last[key] = text
    return found


def f1(truth: Counter[Any], found: Counter[Any]) -> float | None:
    """Return the harmonic mean of recall and precision; None if there is no truth."""
    if not truth:
        return None
    return 2 * (truth & found).total() / (truth.total() + found.total())


def pages(folders: list[Path], most: int) -> Iterator[tuple[str, pypdfium2.PdfDocument, int]]:
    """Yield pages of documents that have words of their own: spread over all files."""
    files = sorted(path for folder in folders for path in folder.rglob("*.pdf"))
    step = max(1, len(files) // most)
    for path in files[::step][:most]:
        yield path.name, pypdfium2.PdfDocument(path), 0


def scanned(page: Any, dpi: int, look: str) -> tuple[bytes, Image.Image]:
    """Return a page as an image of that resolution, and its pixels."""
    image = LOOKS[look](page.render(scale=dpi / 72).to_pil().convert("RGB"))
    file = BytesIO()
    image.save(file, "PNG", dpi=(dpi, dpi), compress_level=1)
    return file.getvalue(), image


def alone(image: Image.Image) -> float:
    """Return the CPU seconds that RapidOCR takes by itself, as it comes."""
    from rapidocr import RapidOCR

    engine = RapidOCR(params={"Global.log_level": "error"})
    engine(np.asarray(Image.new("RGB", (200, 60), "white")))
    began = time.process_time()
    engine(np.asarray(image.convert("RGB")))
    return time.process_time() - began


def main() -> None:
    """Print a row for each look and resolution."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--dpi", type=int, nargs="*", default=[150, 300])
    parser.add_argument("--look", nargs="*", default=list(LOOKS), choices=list(LOOKS))
    parser.add_argument("--engine", default=None)
    parser.add_argument("--alone", action="store_true", help="also time RapidOCR by itself")
    parser.add_argument("--each", action="store_true", help="print each page")
    given = parser.parse_args()
    for dpi in given.dpi:
        for look in given.look:
            rows = []
            for name, pdf, number in pages(given.folders, given.pages):
                file = Path(name)
                own = _read(pdf, number)
                truth = words(own.text)
                if len(truth) < MIN_WORDS:
                    continue
                data, image = scanned(pdf[number], dpi, look)
                began = time.process_time()
                document = cw.read(data, name="scan.png", ocr="all", ocr_engine=given.engine)
                seconds = time.process_time() - began
                found = words(document.text)
                tables = f1(pairs(own), pairs(document))
                row = (recall(truth, found), order(truth, found), tables, seconds)
                rows.append((*row, alone(image) if given.alone else None, document.confidence))
                if given.each:
                    print(
                        f"  {file.stem[:24]:24}",
                        *map(_shown, rows[-1]),
                        flush=True,
                    )
            shown = " ".join(_mean(column) for column in zip(*rows, strict=True))
            print(f"{dpi} dpi {look:9} {len(rows)} pages: {' '.join(COLUMNS)}")
            print(f"    {shown}", flush=True)


def _mean(column: tuple[float | None, ...]) -> str:
    known = [value for value in column if value is not None]
    return _shown(mean(known) if known else None)


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _read(pdf: Any, number: int) -> cw.Document:
    file = BytesIO()
    one = pypdfium2.PdfDocument.new()
    one.import_pages(pdf, [number])
    one.save(file)
    return cw.read_pdf(file.getvalue(), ocr="off")


if __name__ == "__main__":
    main()
