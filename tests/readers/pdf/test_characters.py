"""Characters of all planes, in fonts that say which they are by halves of UTF-16."""

from __future__ import annotations

from random import Random

import pytest

import chunkwright as cw
from tests.readers.pdf.damaged import stream, written

RANGES = [
    *((0x41, 0x5A), (0x3B1, 0x3C9), (0x4E00, 0x9FA5), (0x1D400, 0x1D454), (0x1F600, 0x1F640)),
    *((0x20000, 0x2A6D6), (0x30000, 0x3134A), (0x11C00, 0x11C08), (0x10330, 0x1034A)),
]
FROM_RIGHT = (0x10C80, 0x10CB2)
CODES = list(range(0x41, 0x5B))


def mapped(units: list[bytes]) -> bytes:
    """Return a document that says one character after the other, each by units of UTF-16."""
    pairs = zip(CODES, units, strict=False)
    each = "".join(f"<{code:02X}> <{unit.hex()}>\n" for code, unit in pairs)
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def "
        "1 begincodespacerange <00> <FF> endcodespacerange "
        f"{len(units)} beginbfchar\n{each}endbfchar endcmap end end"
    )
    said = bytes(CODES[: len(units)])
    return written(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>>>>>",
        stream(b"BT /F 12 Tf 72 700 Td (" + said + b") Tj ET"),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        stream(cmap.encode()),
    )


def text_of(seed: int) -> str:
    """Return characters of any plane."""
    random = Random(seed)
    chosen = (random.choice(RANGES) for _ in range(random.randint(1, len(CODES))))
    return "".join(chr(random.randint(*each)) for each in chosen)


@pytest.mark.parametrize("part", range(4))
def test_characters_of_all_planes_are_read(part: int) -> None:
    for seed in range(part * 25, part * 25 + 25):
        text = text_of(seed)
        document = cw.read_pdf(mapped([c.encode("utf-16-be") for c in text]))
        assert "".join(document.text.split()) == text, (seed, ascii(document.text))


@pytest.mark.parametrize("first", [0x1D41A, 0x20000, 0x30000, 0x10330])
def test_they_are_no_unknown_characters(first: int) -> None:
    text = "".join(map(chr, range(first, first + 8)))
    document = cw.read_pdf(mapped([c.encode("utf-16-be") for c in text]))
    assert (document.text, document.confidence) == (text, 1.0)


def test_letters_that_run_from_right_to_left_are_read() -> None:
    text = "".join(map(chr, range(*FROM_RIGHT)))[: len(CODES)]
    document = cw.read_pdf(mapped([c.encode("utf-16-be") for c in text]))
    assert sorted("".join(document.text.split())) == sorted(text)


def test_a_half_alone_is_one_unknown_character() -> None:
    for half in (b"\xd8\x35", b"\xdf\x07"):
        document = cw.read_pdf(mapped([b"\0A", half, b"\0B"]))
        assert document.text == "A\ufffdB"
