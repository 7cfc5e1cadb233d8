"""PDF documents that are damaged or hostile: mutations of good ones, and some written by hand."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from random import Random

from tests.readers.pdf.drawing import Sheets, prose


def good() -> bytes:
    """Return a document of several pages with all that the reader looks for, uncompressed."""
    sheets = Sheets(pageCompression=0)
    for page in range(3):
        sheets.canvas.bookmarkPage(f"p{page}")
        sheets.canvas.addOutlineEntry(f"Part {page}", f"p{page}", level=min(page, 1))
        sheets.line(72, 90, f"Part {page}", size=16)
        y = sheets.paragraph(120, prose(page, 12))
        sheets.grid([72, 172, 272], [y, y + 20, y + 40])
        for i, cell in enumerate(["a", "b", "c", "d"]):
            sheets.line(75 + 100 * (i % 2), y + 14 + 20 * (i // 2), cell)
        sheets.picture((100, 500, 200, 600))
        sheets.next()
    return sheets.data()


def compressed() -> bytes:
    """Return a document with compressed streams."""
    sheets = Sheets(pageCompression=1)
    for page in range(4):
        sheets.paragraph(100, prose(page, 30))
        sheets.next()
    return sheets.data()


def mutated(seed: int) -> bytes:
    """Return a good document with damage that depends on the seed alone."""
    random = Random(seed)
    data = bytearray(compressed() if seed % 3 == 0 else good())
    kind = seed % 5
    if kind == 0:
        for _ in range(random.choice([1, 5, 50, 500])):
            data[random.randrange(len(data))] = random.randrange(256)
    elif kind == 1:
        del data[random.randrange(len(data)) :]
    elif kind == 2:
        at = random.randrange(len(data))
        del data[at : at + random.choice([1, 10, 1000])]
    elif kind == 3:
        return number_changed(bytes(data), random)
    else:
        return reference_changed(bytes(data), random)
    return bytes(data)


def number_changed(data: bytes, random: Random) -> bytes:
    """Return a document with other numbers in it: none, large, negative, or no numbers."""
    new = [b"0", b"-1", b"2147483647", b"99999999999999999999", b"1e38", b"nan", b"-0.0001", b"/X"]
    share = random.choice([0.002, 0.02, 0.2])
    change = lambda found: random.choice(new) if random.random() < share else found[0]  # noqa: E731
    return re.sub(rb"(?<![\w.])\d+(?![\w.])", change, data)


def reference_changed(data: bytes, random: Random) -> bytes:
    """Return a document whose objects refer to others than they should: cycles, and to none."""
    n = data.count(b" obj")
    share = random.choice([0.05, 0.3, 1.0])

    def change(found: re.Match[bytes]) -> bytes:
        other = b"%d 0 R" % random.randrange(n + 2)
        return other if random.random() < share else found[0]

    return re.sub(rb"\d+ 0 R", change, data)


def written(*objects: bytes, root: int = 1) -> bytes:
    """Return a document of objects, numbered from 1."""
    data = bytearray(b"%PDF-1.7\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF"
    return bytes(data) + trailer % (len(objects) + 1, root, start)


def stream(content: bytes, more: bytes = b"", *, packed: bool = False) -> bytes:
    """Return a stream with its dictionary."""
    if packed:
        content, more = zlib.compress(content, 9), more + b"/Filter/FlateDecode"
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (more, len(content), content)


FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def page_of(
    content: bytes, *, box: bytes = b"0 0 595 842", font: bytes = FONT, packed: bool = True
) -> bytes:
    """Return a document of one page with this content."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
    return written(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page % box,
        stream(content, packed=packed),
        font,
    )


def text_at(x: object, y: object, text: str = "It rained for days.", size: object = 10) -> bytes:
    return f"BT /F {size} Tf {x} {y} Td ({text}) Tj ET\n".encode()


def pages_in_a_circle() -> bytes:
    kids = b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2/Parent 2 0 R>>"
    return written(b"<</Type/Catalog/Pages 2 0 R>>", kids, kids)


def pages_deep_down() -> bytes:
    n = 20_000
    inner = [b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (i + 3) for i in range(n)]
    page = b"<</Type/Page/MediaBox[0 0 9 9]>>"
    return written(b"<</Type/Catalog/Pages 2 0 R>>", *inner, page)


def count_of_pages(n: int) -> Callable[[], bytes]:
    def make() -> bytes:
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"
        kids = b"<</Type/Pages/Kids[3 0 R]/Count %d>>" % n
        return written(b"<</Type/Catalog/Pages 2 0 R>>", kids, page)

    return make


def nested(opening: bytes, closing: bytes) -> Callable[[], bytes]:
    def make() -> bytes:
        deep = opening * 200_000 + b"0" + closing * 200_000
        return written(b"<</Type/Catalog/Pages 2 0 R/X %s>>" % deep, b"<</Kids[]/Count 0>>")

    return make


def forms(n_levels: int, n_calls: int) -> bytes:
    """Return a page whose forms call those of the next level several times; the last, the first."""
    resources = b"/Resources<</XObject<</X %d 0 R>>/Font<</F 5 0 R>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R%s>>" % (resources % 6),
        stream(b"/X Do\n" + text_at(72, 700)),
        FONT,
    ]
    for level in range(n_levels):
        called = 6 + (level + 1) % n_levels
        more = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]" + resources % called
        objects.append(stream(b"/X Do\n" * n_calls + text_at(72, 600 - level), more))
    return written(*objects)


def outline_in_a_circle(title: bytes = b"(It rained)") -> bytes:
    item = b"<</Title%s/Parent 6 0 R/Next 7 0 R/First 7 0 R/Last 7 0 R/Dest[3 0 R/Fit]>>" % title
    return written(
        b"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>>>>>",
        stream(text_at(1, 1)),
        FONT,
        b"<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 2147483647>>",
        item,
    )


def tags_in_a_circle() -> bytes:
    tag = b"<</Type/StructElem/S/P/P 6 0 R/K[7 0 R 6 0 R]/Pg 3 0 R>>"
    return written(
        b"<</Type/Catalog/Pages 2 0 R/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0"
        b"/Resources<</Font<</F 5 0 R>>>>>>",
        stream(b"/P <</MCID 0>> BDC " + text_at(72, 700) + b" EMC"),
        FONT,
        b"<</Type/StructTreeRoot/K 7 0 R/ParentTree<</Nums[0 [7 0 R]]>>>>",
        tag,
    )


def numbers(*values: str) -> Callable[[], bytes]:
    def make() -> bytes:
        content = text_at(72, 700)
        for value in values:
            content += text_at(value, 500) + text_at(72, value) + text_at(72, 400, size=value)
            content += f"{value} 0 0 {value} 0 0 cm {value} {value} 10 10 re S\n".encode()
            content += f"0 0 m {value} {value} l S\n".encode() + text_at(72, 300)
        return page_of(content)

    return make


def repeated(content: bytes, n: int) -> Callable[[], bytes]:
    return lambda: page_of(text_at(72, 800) + content * n)


def rules(n: int) -> bytes:
    """Return a page with lines that cross each other, a few points apart."""
    lines = []
    for i in range(n // 2):
        x, y = i % 590, (7 * i) % 840
        lines.append(f"{x} 0 m {x} 842 l S 0 {y} m 595 {y} l S\n")
    return page_of(text_at(72, 700) + "".join(lines).encode())


def short_rules(n: int) -> bytes:
    """Return a page with short lines, no two of which touch."""
    lines = (f"{i * 7 % 590} {i * 13 % 840 + i / n} m 6 0 l S\n" for i in range(n))
    return page_of(text_at(72, 700) + "".join(lines).encode())


def rectangles(n: int) -> bytes:
    boxes = (f"{i * 7 % 590} {i * 13 % 840} {20 + i % 90} {20 + i % 70} re S\n" for i in range(n))
    return page_of(text_at(72, 700) + "".join(boxes).encode())


def curves(n: int) -> bytes:
    content = (f"{i * 7 % 590} {i * 13 % 840} m 9 9 30 9 40 {i % 99} c S\n" for i in range(n))
    return page_of(text_at(72, 700) + "".join(content).encode())


def small_print(n: int) -> bytes:
    """Return a page of lines of a hundred letters each, no two of which overlap."""
    line = "rain and sun " * 8
    lines = (
        f"1 0 0 1 9 {14000 - 1.3 * i} Tm ({line[i % 7 :][:100]}) Tj\n" for i in range(n // 100)
    )
    return page_of(b"BT /F 1 Tf " + "".join(lines).encode() + b"ET", box=b"0 0 14400 14400")


def scattered(n: int) -> bytes:
    """Return a page of single letters at places that are not in order."""
    places = (text_at(i * 37 % 590, i * 101 % 840, "ab"[i % 2]) for i in range(n))
    return page_of(b"".join(places))


def one_line(n: int) -> bytes:
    return page_of(b"".join(text_at(i * 0.7, 500, "a b") for i in range(n)))


def unmapped() -> bytes:
    font = b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 1"
    font += b"/LastChar 3/Widths[1 1 1]/Encoding<</Differences[1/g1/g2/g3]>>/CharProcs<<>>>>"
    return page_of(b"BT /F 10 Tf 72 700 Td <010203010203> Tj ET", font=font)


def stream_of_objects(n: int) -> bytes:
    """Return a document whose stream of objects states more than it holds, and itself."""
    more = b"/Type/ObjStm/N %d/First 2147483647/Extends 3 0 R" % n
    return written(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Kids[9 0 R]/Count 1>>", stream(b"9 0", more)
    )


def bomb() -> bytes:
    """Return a page whose content grows a thousandfold, twice."""
    inner = zlib.compress(b" " * 200_000_000, 9)
    more = b"/Filter[/FlateDecode/FlateDecode]"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>"
    return written(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page,
        stream(zlib.compress(inner, 9), more),
    )


HOSTILE: dict[str, Callable[[], bytes]] = {
    "pages in a circle": pages_in_a_circle,
    "pages deep down": pages_deep_down,
    "no page": count_of_pages(0),
    "fewer pages than none": count_of_pages(-5),
    "a million pages": count_of_pages(1_000_000),
    "two billion pages": count_of_pages(2_147_483_647),
    "ninety thousand pages": count_of_pages(90_000),
    "deep arrays": nested(b"[", b"]"),
    "deep dictionaries": nested(b"<</A ", b">>"),
    "open arrays": nested(b"[", b""),
    "a form that calls itself": lambda: forms(1, 1),
    "a form that calls itself twice": lambda: forms(1, 2),
    "forms that call forms": lambda: forms(10, 10),
    "a few forms that call forms": lambda: forms(3, 40),
    "an outline in a circle": outline_in_a_circle,
    "half a character in an outline": lambda: outline_in_a_circle(b"<FEFFD83D0041DC00>"),
    "tags in a circle": tags_in_a_circle,
    "numbers that are none": numbers("NaN", "inf", "-inf", "--1"),
    "large numbers": numbers("1e38", "-99999999999999999999999999999999999999.0", "3e9"),
    "small numbers": numbers("0.00000000001", "0", "-0.0"),
    "a million glyphs in lines": lambda: small_print(1_000_000),
    "a million glyphs in one place": repeated(b"(It rained for days. And days.) Tj\n", 33_000),
    "a million glyphs in one line": lambda: page_of(text_at(0, 500, "a" * 1_000_000)),
    "one line of pieces": lambda: one_line(50_000),
    "scattered letters": lambda: scattered(100_000),
    "letters at many angles": lambda: page_of(
        b"".join(
            b"BT /F 9 Tf 0.7 %.4f %.4f 0.7 %d %d Tm (It rained) Tj ET\n"
            % (0.2 + i % 977 / 1000, -0.2 - i % 977 / 1000, 50 + i % 400, 50 + i // 60)
            for i in range(40_000)
        )
    ),
    "a hundred thousand lines": lambda: rules(100_000),
    "short lines": lambda: short_rules(100_000),
    "rectangles": lambda: rectangles(50_000),
    "curves": lambda: curves(50_000),
    "letters without a meaning": unmapped,
    "a page without a size": lambda: page_of(text_at(0, 0), box=b"0 0 0 0"),
    "a page of no numbers": lambda: page_of(text_at(0, 0), box=b"/A (b) null 3"),
    "a page of large numbers": lambda: page_of(text_at(0, 0), box=b"-1e38 -1e38 1e38 1e38"),
    "a page upside down": lambda: page_of(text_at(72, 700), box=b"595 842 0 0"),
    "a negative page": lambda: page_of(text_at(-500, -700), box=b"-595 -842 -10 -10"),
    "a stream of objects": lambda: stream_of_objects(2_000_000_000),
    "a bomb": bomb,
    "states without end": repeated(b"q ", 1_000_000),
    "text without end": repeated(b"BT ", 300_000),
    "no object": lambda: b"%PDF-1.7\ntrailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF",
    "an endless table": lambda: good().replace(b"startxref", b"startxref\n0\nxref\n0 99999999"),
}
"""Documents written by hand, by what is wrong with them."""


def cases(n_mutated: int) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Return all documents by name."""
    yield from HOSTILE.items()
    for seed in range(n_mutated):
        yield f"mutation {seed}", lambda seed=seed: mutated(seed)  # type: ignore[misc]
