"""Generated pages of which a part is seen: a glyph is read if its middle is."""

from __future__ import annotations

from collections import Counter
from random import Random

import pypdfium2
import pytest

import chunkwright as cw
from tests.readers.pdf.damaged import FONT, stream, written

Box = tuple[float, float, float, float]


def cropped(random: Random, rotation: int) -> tuple[bytes, Box]:
    """Return a page with words on it and around it, and the part of it that is seen."""
    width, height = random.randint(300, 900), random.randint(300, 900)
    left, bottom = random.randint(-200, 200), random.randint(-200, 200)
    crop = (
        left + random.choice([-50, 0, 60]),
        bottom + random.choice([0, 90]),
        left + width - random.choice([0, 100]),
        bottom + height - random.choice([-40, 0, 120]),
    )
    drawn = []
    for number in range(24):
        x = left + (number % 6) * (width + 60) / 5 - 40
        y = bottom + (number // 6) * (height + 60) / 3 - 30
        drawn.append(f"BT /F 10 Tf {x} {y} Td (w{chr(97 + number)}z) Tj ET")
    # A ruled line, a frame and a filled area that reach out of the page.
    drawn += [f"{left - 90} {bottom + 99} 2000 1 re f", f"{left - 99} {bottom - 99} 150 150 re S"]
    media = f"/MediaBox [{left} {bottom} {left + width} {bottom + height}]"
    unit = random.choice(["", "/UserUnit 1", "/UserUnit 2.5"])
    more = f"{media} /CropBox [{' '.join(map(str, crop))}] /Rotate {rotation} {unit}"
    page = b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>"
    data = written(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page + more.encode() + b">>",
        stream("\n".join(drawn).encode()),
        FONT,
    )
    seen = (
        max(crop[0], left),
        max(crop[1], bottom),
        min(crop[2], left + width),
        min(crop[3], bottom + height),
    )
    return data, seen


def letters_in(data: bytes, seen: Box) -> Counter[str]:
    """Return the letters whose middle lies in a part of the page."""
    pdf = pypdfium2.PdfDocument(data)
    text = pdf[0].get_textpage()
    found: Counter[str] = Counter()
    for i in range(text.count_chars()):
        letter = text.get_text_range(i, 1)
        left, bottom, right, top = text.get_charbox(i)
        x, y = (left + right) / 2, (bottom + top) / 2
        is_seen = seen[0] <= x <= seen[2] and seen[1] <= y <= seen[3]
        found.update([letter] if is_seen and letter.strip() else [])
    pdf.close()
    return found


def check(seed: int) -> None:
    """Check a page."""
    rotation = [0, 90, 180, 270][seed % 4]
    data, seen = cropped(Random(seed), rotation)
    document, expected = cw.read_pdf(data), letters_in(data, seen)
    assert Counter("".join(document.text.split())) - Counter("|-") == expected - Counter("|-")
    size = (seen[2] - seen[0], seen[3] - seen[1])
    (page,) = document.pages
    assert (page.width, page.height) == pytest.approx(size[:: -1 if rotation % 180 else 1])
    for element in document.elements:
        for box in element.boxes:
            assert -12 <= box.left <= box.right <= page.width + 12, seed
            assert -12 <= box.top <= box.bottom <= page.height + 12, seed


@pytest.mark.parametrize("part", range(4))
def test_what_is_not_seen_is_not_read(part: int) -> None:
    for seed in range(part * 15, part * 15 + 15):
        check(seed)


@pytest.mark.slow
def test_what_is_not_seen_of_many_pages_is_not_read() -> None:
    for seed in range(1000, 3000):
        check(seed)
