"""PDF documents drawn for tests: places are measured from the top left corner, as boxes are."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

import chunkwright as cw

WIDTH, HEIGHT = map(float, A4)
_COMMON = (
    "river stone winter meadow lantern harbor copper valley timber orchard engine bridge "
    "market window garden thunder silver forest castle pepper ribbon saddle temple violet "
    "walnut anchor basket candle desert ember falcon glacier hollow island jacket kettle "
    "ladder mirror needle ocean pocket quarry rocket summer tunnel umbrella village wagon "
    "yellow zephyr barley cedar dragon eagle feather grain carries crosses follows gathers "
    "holds keeps leaves moves paints reaches shows turns under between"
)
WORDS = _COMMON.split()


def prose(seed: int, n_sentences: int = 4) -> str:
    """Return sentences of common words, always the same for a seed."""
    random = Random(seed)
    sentences = []
    for _ in range(n_sentences):
        words = [random.choice(WORDS) for _ in range(random.randint(8, 14))]
        sentences.append(" ".join(words).capitalize() + ".")
    return " ".join(sentences)


class Sheets:
    """Pages that are drawn one after the other."""

    def __init__(self, size: tuple[float, float] = A4, **options: Any) -> None:
        self.file = BytesIO()
        self.width: float = size[0]
        self.height: float = size[1]
        self.canvas = Canvas(self.file, pagesize=size, invariant=1, **options)

    def line(self, x: float, y: float, text: str, *, size: float = 10, font: str = "") -> None:
        """Draw a line whose baseline is ``y`` below the top of the page."""
        self.canvas.setFont(font or "Helvetica", size)
        self.canvas.drawString(x, self.height - y, text)

    def lines(
        self, x: float, y: float, texts: Sequence[str], *, size: float = 10, font: str = ""
    ) -> float:
        """Draw lines below each other; return where the next one would stand."""
        for text in texts:
            self.line(x, y, text, size=size, font=font)
            y += 1.2 * size
        return y

    def paragraph(
        self,
        y: float,
        text: str,
        *,
        x: float = 72,
        width: float = 450,
        size: float = 10,
    ) -> float:
        """Draw a paragraph, broken into lines; return where the next one would stand."""
        return self.lines(x, y, broken(text, width, size), size=size) + 0.8 * size

    def picture(self, box: tuple[float, float, float, float]) -> None:
        """Draw a picture: left, top, right, bottom."""
        left, top, right, bottom = box
        self.canvas.drawImage(
            picture(), left, self.height - bottom, width=right - left, height=bottom - top
        )

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        """Draw the lines of a table."""
        self.canvas.grid(list(xs), [self.height - y for y in ys])

    def next(self) -> None:
        """Begin another page."""
        self.canvas.showPage()

    def data(self) -> bytes:
        """End the document, and return it."""
        self.canvas.save()
        return self.file.getvalue()

    def read(self, **options: Any) -> cw.Document:
        """End the document, and read it."""
        return cw.read_pdf(self.data(), **options)


def picture() -> Any:
    """Return a picture of some colors."""
    from PIL import Image

    image = Image.new("RGB", (16, 16))
    image.putdata([(x * 16, y * 16, 128) for y in range(16) for x in range(16)])
    return ImageReader(image)


def dejavu_file() -> Path:
    """Return the file of a font with letters of many scripts, that matplotlib brings."""
    found = find_spec("matplotlib")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"


def dejavu() -> str:
    """Return the name of that font."""
    pdfmetrics.registerFont(TTFont("DejaVu", str(dejavu_file())))
    return "DejaVu"


def broken(text: str, width: float, size: float = 10, font: str = "Helvetica") -> list[str]:
    """Return the lines of a text in a column."""
    lines: list[str] = simpleSplit(text, font, size, width)
    return lines


def body(document: cw.Document) -> list[tuple[str, str]]:
    """Return kinds and texts of a document's body, without the lists around items."""
    elements = document.elements
    return [(e.kind, e.text) for e in elements if e.in_body and e.kind != "list"]


def texts(document: cw.Document, kind: str) -> list[str]:
    """Return the texts of all elements of a kind."""
    return [element.text for element in document.elements if element.kind == kind]


def furniture(document: cw.Document) -> list[tuple[str, str]]:
    """Return kinds and texts of the page headers and footers."""
    return [(e.kind, e.text) for e in document.elements if not e.in_body]


def scanned(sheets: Sheets) -> None:
    """Draw a page that is nothing but a picture."""
    sheets.picture((0, 0, WIDTH, HEIGHT))
    sheets.next()
