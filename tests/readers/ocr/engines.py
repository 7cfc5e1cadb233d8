"""Engines of tests: they say at once what stands in a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from math import cos, radians, sin
from typing import Any, NamedTuple

import numpy as np  # noqa: TC002 - annotations stay resolvable
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

import chunkwright as cw

WIDTH, HEIGHT = 595.0, 842.0


class Line(NamedTuple):
    """A line of a page, in points: its words, where it begins, its baseline and its size."""

    text: str
    left: float
    baseline: float
    size: float = 10
    confidence: float = 0.9


def engine(
    *pages: list[Line], askew: float = 0.0
) -> Callable[[np.ndarray[Any, Any]], Iterator[cw.OcrWord]]:
    """Return an engine that sees these pages, one after the other, turned by so many degrees."""
    left = iter(pages)

    def recognise(picture: np.ndarray[Any, Any]) -> Iterator[cw.OcrWord]:
        scale = picture.shape[1] / WIDTH
        for number, line in enumerate(next(left)):
            x = line.left
            for word in line.text.split():
                width = 0.5 * line.size * len(word)
                top, bottom = line.baseline - 0.7 * line.size, line.baseline + 0.21 * line.size
                corners = [(x, top), (x + width, top), (x + width, bottom), (x, bottom)]
                box = [turned(corner, askew) for corner in corners]
                scaled = [(scale * at_x, scale * at_y) for at_x, at_y in box]
                yield cw.OcrWord(word, scaled, line.confidence, number)
                x += width + 0.3 * line.size

    return recognise


def turned(point: tuple[float, float], degrees: float) -> tuple[float, float]:
    """Return a point of a page that is turned about its middle, clockwise."""
    x, y = point[0] - WIDTH / 2, point[1] - HEIGHT / 2
    angle = radians(degrees)
    return (
        WIDTH / 2 + x * cos(angle) - y * sin(angle),
        HEIGHT / 2 + x * sin(angle) + y * cos(angle),
    )


def ruled(
    across: list[float],
    down: list[float],
    lines: list[Line],
    askew: float = 0.0,
) -> bytes:
    """Return a page as an image: lines ruled from edge to edge, and texts, turned clockwise."""
    scale = 200 / 72
    page = Image.new("RGB", (round(WIDTH * scale), round(HEIGHT * scale)), "white")
    draw = ImageDraw.Draw(page)
    for y in across:
        draw.line([(x * scale, y * scale) for x in (down[0], down[-1])], "black", 2)
    for x in down:
        draw.line([(x * scale, y * scale) for y in (across[0], across[-1])], "black", 2)
    for line in lines:
        font = ImageFont.load_default(line.size * scale)
        place = (line.left * scale, line.baseline * scale)
        draw.text(place, line.text, "black", font, anchor="ls")
    file = BytesIO()
    turned = page.rotate(-askew, Image.Resampling.BICUBIC, fillcolor="white")
    turned.save(file, "PNG", dpi=(200, 200))
    return file.getvalue()


def image(form: str = "PNG", n_pages: int = 1, **saved: Any) -> bytes:
    """Return a white page of A4 as an image."""
    file, page = BytesIO(), Image.new("RGB", (595, 842), "white")
    more = {"save_all": True, "append_images": [page] * (n_pages - 1)} if n_pages > 1 else {}
    page.save(file, form, **more, **saved)
    return file.getvalue()


def scan(n_pages: int = 1, text: str = "") -> bytes:
    """Return a PDF document of pictures, behind a page with a text if one is given."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH, HEIGHT))
    if text:
        canvas.drawString(72, 700, text)
        canvas.showPage()
    picture = ImageReader(Image.new("RGB", (60, 84), "white"))
    for _ in range(n_pages):
        canvas.drawImage(picture, 0, 0, WIDTH, HEIGHT)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
