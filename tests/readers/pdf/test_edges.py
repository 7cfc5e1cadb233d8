"""Generated pages: what other pages prove is furniture, lines of the body never are."""

from __future__ import annotations

from random import Random

import pytest

import chunkwright as cw
from tests.readers.pdf.drawing import HEIGHT, WIDTH, Sheets, body, furniture, prose

ROMAN = ["", "i", "ii", "iii", "iv", "v", "vi"]
NAMES = ["", "Ada Bell", "Carl Dorn", "Eve Frost", "Guy Hale", "Ida Jung", "Kim Lund"]
WATERS = ["", "river", "pond", "sea", "mill", "well", "lake"]
# The same sum on two pages.
SUMS = [0, 22, 31, 22, 47, 12, 63]
# What heads and feet say, left, in the middle and right.
HEADS = {
    "constant": ("{title}", "", ""),
    "page n": ("", "Page {number}", ""),
    "n / N": ("", "", "{page} / {n}"),
    "roman": ("", "{roman}", ""),
    "title and number": ("{title}", "", "{number}"),
    "bar": ("{title} | {number}", "", ""),
    "sides": ("{left}", "{page}", "{right}"),
}
# Lines of the body that say something else on each page.
RECORDS = [
    "Invoice {record}",
    "Invoice {record} of 12 May 2026",
    "Berlin, {day} May 2024",
    "Total due: {amount}.25 EUR, payable within 30 days.",
    "Total to be paid in EUR: {record}",
    "Question {record}: how many crates are in store?",
    "Meeting of {day} May 2023",
    "Paid: {sum}.50 EUR",
    "Clause {page}. The supplier delivers the goods of lot {page} within {day} days.",
    "Article {page}. The parties agree on lot {page} as follows:",
    "Harvest of the year {year}",
    "{page} Wheel of the {water}",
    "Dear Sir,",
    "{name}",
]


def said(seed: int, page: int, n: int) -> dict[str, object]:
    """Return what the parts of heads and lines say on a page."""
    random = Random(seed)
    title = random.choice(["The Book of Rain", "Rain Press", "A. Writer"])
    first, start, by = random.choice([0, 40]), random.randint(11, 4000), random.choice([1, 1, 7])
    return {
        "title": title,
        "left": title if page % 2 else "",
        "right": "" if page % 2 else title,
        "number": page + first,
        "roman": ROMAN[page],
        "page": page,
        "n": n,
        "record": start + by * page,
        "day": page + 2,
        "amount": 411 * page,
        "sum": SUMS[page],
        "year": 1911 + page,
        "water": WATERS[page],
        "name": NAMES[page],
    }


def drawn(seed: int) -> tuple[cw.Document, list[str], list[str]]:
    """Return a document, lines of its body at the edges, and furniture that has a proof."""
    random = Random(seed)
    n, sheets = random.randint(1, 6), Sheets()
    told: list[str] = []
    around: list[str] = []
    kinds = [random.choice([None, *HEADS]) for _ in range(2)]
    upper, lower = random.choice(RECORDS), random.choice(RECORDS)
    top, bottom = random.choice([66.0, 80.0, 100.0]), random.choice([70.0, 90.0])
    for page in range(1, n + 1):
        parts = said(seed, page, n)
        for kind, y in zip(kinds, (34.0, HEIGHT - 26), strict=True):
            for x, form in zip(
                (72.0, WIDTH / 2 - 12, 480.0), HEADS[kind] if kind else "", strict=False
            ):
                if text := form.format_map(parts):
                    sheets.line(x, y, text, size=8)
                    around.append(text)
        lines = [upper.format_map(parts), lower.format_map(parts)]
        sheets.line(72, top, lines[0], size=11)
        sheets.paragraph(top + 46, prose(seed * 10 + page, 8), size=11)
        sheets.line(72, HEIGHT - bottom, lines[1], size=11)
        told += lines
        sheets.next()
    # A title that alternates is on one page of two.
    has_proof = n > 1 and not (n < 4 and "sides" in kinds)
    return sheets.read(), told, around if has_proof else []


def check(seed: int) -> None:
    """Check one document."""
    document, told, around = drawn(seed)
    found = [text for _, text in furniture(document)]
    left = [text for text in around if text not in found]
    wrong = set(found) & set(told)
    assert not wrong, (seed, found)
    assert not left, (seed, left, found)
    read = " ".join(text for _, text in body(document))
    assert all(text in read for text in told), (seed, told)
    text = " ".join(cw.chunk(document, "hybrid", max_tokens=64).texts())
    assert all(line in text for line in told), seed


@pytest.mark.parametrize("part", range(4))
def test_no_line_of_the_body_is_furniture(part: int) -> None:
    for seed in range(part * 15, part * 15 + 15):
        check(seed)


@pytest.mark.parametrize("title", ["Harvest of the year {}", "harvest of {}", "Year {}, in tons"])
def test_tables_under_titles_of_their_own_stay_apart(title: str) -> None:
    sheets = Sheets()
    for page in range(3):
        sheets.line(72, 52, title.format(1911 + page))
        sheets.grid([72, 222, 372], [62, 82, 102, 122])
        rows = [("Field", "Corn"), ("north", str(10 + page)), ("south", str(20 + page))]
        for y, row in enumerate(rows):
            for x, text in enumerate(row):
                sheets.line(78 + 150 * x, 76 + 20 * y, text)
        sheets.next()
    document = sheets.read()
    assert furniture(document) == []
    assert [kind for kind, _ in body(document)].count("table") == 3
    assert all(title.format(1911 + page) in document.body for page in range(3))


@pytest.mark.slow
def test_no_line_of_many_bodies_is_furniture() -> None:
    for seed in range(1000, 3000):
        check(seed)
