"""Page headers, footers and numbers: told from what is text, and kept behind the body."""

from __future__ import annotations

import pytest

import chunkwright as cw
from tests.readers.pdf.drawing import HEIGHT, WIDTH, Sheets, body, furniture, prose, texts

BOLD = "Helvetica-Bold"


def book(
    n_pages: int,
    *,
    header: bool = True,
    first_differs: bool = False,
    even_odd: bool = False,
    number: str = "{}",
) -> tuple[cw.Document, list[tuple[str, str]], list[tuple[str, str]]]:
    """Return a document whose pages have one shape, its body and what stands around it."""
    sheets = Sheets()
    expected, around = [], []
    for page in range(1, n_pages + 1):
        if header and not (first_differs and page == 1):
            name = "The Book of Rain"
            x = 72.0
            if even_odd and page % 2:
                name, x = "By A. Writer", 450
            sheets.line(x, 40, name, size=8)
            around.append(("page header", name))
        title = f"{page} A section of its own"
        sheets.line(72, 90, title, size=14, font=BOLD)
        texts = [prose(10 * page + i, 5) for i in range(3)]
        y = 115.0
        for text in texts:
            y = sheets.paragraph(y, text) + 4
        last = f"The last line of page {'ABCDEFGHIJ'[page - 1]} stands here."
        sheets.paragraph(y, last)
        shown = number.format(page)
        sheets.line(WIDTH / 2 - 10, HEIGHT - 30, shown, size=8)
        around.append(("page footer", shown))
        expected += [("heading", title), *(("paragraph", text) for text in [*texts, last])]
        sheets.next()
    return sheets.read(), expected, around


@pytest.mark.parametrize("number", ["{}", "- {} -", "Page {}", "Page {} of 6", "{} | Rain Press"])
@pytest.mark.parametrize("n_pages", [2, 3, 6])
def test_pages_of_one_shape_lose_nothing(n_pages: int, number: str) -> None:
    document, expected, around = book(n_pages, number=number)
    assert body(document) == expected
    assert sorted(furniture(document)) == sorted(around)


def test_furniture_stands_behind_the_body() -> None:
    document, expected, around = book(4)
    assert document.body == document.text[: len(document.body)]
    chunks = cw.chunk(document, "basic", max_chars=400)
    words = " ".join(text for _, text in expected).split()
    assert " ".join(chunks.texts()).split() == words
    assert sorted(set(texts(document, "page header"))) == ["The Book of Rain"]
    pages = [e.pages for e in document.elements if e.kind == "page footer"]
    assert pages == [(1,), (2,), (3,), (4,)]
    assert all(not chunk.text.startswith("The Book of Rain") for chunk in chunks)
    assert len(around) == 8


def test_the_first_page_may_differ() -> None:
    document, expected, around = book(5, first_differs=True)
    assert body(document) == expected
    assert sorted(furniture(document)) == sorted(around)


def test_even_and_odd_pages_may_differ() -> None:
    document, expected, around = book(6, even_odd=True)
    assert body(document) == expected
    assert sorted(furniture(document)) == sorted(around)


def test_headers_of_chapters_are_told_by_the_number_beside_them() -> None:
    """The running head has the name of the chapter, which is on two pages at most."""
    sheets = Sheets()
    for page in range(1, 7):
        chapter = ["Of Rain", "Of Snow", "Of Sun"][(page - 1) // 2]
        sheets.line(72, 40, chapter, size=8)
        sheets.line(500, 40, str(page), size=8)
        y = sheets.paragraph(90, prose(page, 8))
        sheets.paragraph(y, prose(50 + page, 8))
        sheets.next()
    document = sheets.read()
    assert len(body(document)) == 12
    assert len(texts(document, "page header")) in {6, 12}


def test_one_page_alone_keeps_what_stands_at_its_edges() -> None:
    sheets = Sheets()
    sheets.line(72, 40, "To whom it may concern")
    sheets.paragraph(90, prose(1, 8))
    sheets.line(72, HEIGHT - 40, "With kind regards, A. Writer")
    document = sheets.read()
    assert furniture(document) == []
    assert document.body.startswith("To whom it may concern")
    assert document.body.endswith("With kind regards, A. Writer")


def test_a_paragraph_at_the_edge_of_all_pages_stays() -> None:
    """Pages are filled from edge to edge: other words stand there on each page."""
    sheets = Sheets()
    expected = []
    for page in range(5):
        y = 30.0
        for part in range(9):
            text = prose(20 * page + part, 6)
            if y + 12 * (len(text) // 80 + 2) > HEIGHT - 20:
                break
            y = sheets.paragraph(y, text)
            expected.append(("paragraph", text))
        sheets.next()
    document = sheets.read()
    assert furniture(document) == []
    assert body(document) == expected


def test_repeated_headings_are_no_furniture() -> None:
    """Each page begins with the same heading, in large letters and below the running head."""
    sheets = Sheets()
    for page in range(4):
        sheets.line(72, 40, "Catalogue of stones", size=8)
        sheets.line(72, 150, "Description", size=14, font=BOLD)
        sheets.paragraph(180, prose(page, 8))
        sheets.next()
    document = sheets.read()
    assert texts(document, "heading") == ["Description"] * 4
    assert texts(document, "page header") == ["Catalogue of stones"] * 4


def test_large_running_heads_with_the_number_of_the_page_are_furniture() -> None:
    sheets = Sheets()
    for page in range(1, 7):
        name = "Of Rain and Stones" if page % 2 else "A. Writer and others"
        x = 380.0 if page % 2 else 110.0
        sheets.line(x, 60, name, size=13)
        sheets.line(550 if page % 2 else 72, 60, str(page), size=13)
        sheets.paragraph(78, prose(page, 20))
        sheets.next()
    document = sheets.read()
    assert {kind for kind, _ in body(document)} == {"paragraph"}


def test_what_pages_repeat_in_a_side_margin_is_furniture() -> None:
    sheets = Sheets()
    for page in range(1, 5):
        sheets.line(20, 300, "JOURNAL", size=9, font=BOLD)
        sheets.line(20, 312, "OF RAIN", size=9, font=BOLD)
        sheets.line(20, 500, f"Note {'ABCD'[page - 1]}", size=9)
        sheets.paragraph(100, prose(page, 40), x=100)
        sheets.next()
    document = sheets.read()
    texts = [text for kind, text in body(document) if kind != "paragraph" or len(text) < 40]
    assert texts == [f"Note {letter}" for letter in "ABCD"]
