"""Recognised words as elements: they go the way of the words that a file has."""

from __future__ import annotations

import logging
import pickle
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.readers.ocr import engines
from tests.readers.ocr.engines import HEIGHT, WIDTH, Line, engine, image, scan
from tests.support.mostly_slow import mostly_slow

PROSE = [
    "The mill was built in the year of the great flood and stood",
    "by the river that had risen so high that the bridge was gone",
    "and nobody in the village knew who owned the water of it.",
]
LETTER = [
    Line("The mill", 72, 100, 18, 0.99),
    *(Line(text, 72, 130 + 12 * i) for i, text in enumerate(PROSE)),
]
ROWS = [
    ("Port", "Foreign", "Own"),
    ("Manila", "24", "61"),
    ("Cebu", "11", "79"),
    ("Subic", "3", "13"),
]


def kinds(document: cw.Document) -> list[tuple[str, str]]:
    """Return kind and text of the elements of a document."""
    return [(element.kind, element.text) for element in document.elements]


def test_words_become_headings_and_paragraphs_with_boxes_in_points() -> None:
    document = cw.read(scan(), name="scan.pdf", ocr_engine=engine(LETTER))
    assert kinds(document) == [("heading", "The mill"), ("paragraph", " ".join(PROSE))]
    heading, paragraph = document.elements
    assert (heading.ocr, paragraph.ocr) == (True, True)
    assert (heading.confidence, paragraph.confidence) == pytest.approx((0.99, 0.9))
    (box,) = paragraph.boxes
    edges = (box.left, box.top, box.bottom)
    assert edges == pytest.approx((72, 130 - 7, 154 + 2.1), abs=0.5)
    (page,) = document.pages
    assert (page.ocr, page.needs_ocr) == (True, False)
    assert page.confidence == document.confidence == pytest.approx(0.905, abs=0.01)


@pytest.mark.parametrize("askew", mostly_slow([-3, 2, 5], quick=1))
def test_lines_askew_are_lines_and_their_boxes_lie_where_they_are(askew: float) -> None:
    straight = cw.read(scan(), name="a.pdf", ocr_engine=engine(LETTER))
    turned = cw.read(scan(), name="a.pdf", ocr_engine=engine(LETTER, askew=askew))
    assert kinds(turned) == kinds(straight)
    (box,), (upright,) = turned.elements[0].boxes, straight.elements[0].boxes
    # The upper left of the page goes up and to the right where it is turned clockwise.
    assert (box.top < upright.top) == (askew > 0)
    assert box.bottom - box.top > upright.bottom - upright.top


@pytest.mark.parametrize("quarter", mostly_slow([90, 180, 270], quick=1))
def test_pages_on_their_side_are_turned_by_what_they_are_askew_as_well(quarter: int) -> None:
    straight = cw.read(scan(), name="a.pdf", ocr_engine=engine(LETTER, askew=quarter))
    turned = cw.read(scan(), name="a.pdf", ocr_engine=engine(LETTER, askew=quarter + 7))
    assert kinds(turned) == kinds(straight)
    assert [text for _, text in kinds(straight)] == ["The mill", " ".join(PROSE)]


def test_columns_stay_apart_where_some_rows_stand_in_one_of_them() -> None:
    both = [0, 1, 2, 6, 7, 8]
    left = [Line("left hand words stand here", 72, 130 + 12 * row) for row in both]
    right = [Line("right hand words stand there", 199.5, 130 + 12 * row) for row in range(9)]
    # An engine that reads across: the words of both columns are one line.
    lines = sorted([*left, *right], key=lambda line: (line.baseline, line.left))

    def across(picture: Any) -> list[cw.OcrWord]:
        words = list(engine(lines)(picture))
        return [word._replace(line=round(word.box[0][1])) for word in words]  # type: ignore[index]

    document = cw.read(scan(), name="a.pdf", ocr_engine=across)
    assert document.text.split() == " ".join(line.text for line in [*left, *right]).split()


@pytest.mark.parametrize("askew", [0, 2])
def test_words_in_columns_are_a_table(askew: float) -> None:
    cells = [
        Line(text, 72 + 120 * column, 200 + 14 * row)
        for row, texts in enumerate(ROWS)
        for column, text in enumerate(texts)
    ]
    document = cw.read(scan(), name="a.pdf", ocr_engine=engine(cells, askew=askew))
    (table,) = document.elements
    assert table.kind == "table"
    lines = [line.strip("| ").split(" | ") for line in table.text.splitlines()]
    assert [lines[0], *lines[2:]] == [list(row) for row in ROWS]
    assert table.confidence == pytest.approx(0.9)


def test_only_pages_that_need_it_are_recognised_unless_all_are() -> None:
    data = scan(text="Rain fell on the roof of the mill all day and all night.")
    document = cw.read(data, name="a.pdf", ocr="auto", ocr_engine=engine(LETTER))
    assert [(page.number, page.ocr) for page in document.pages] == [(1, False), (2, True)]
    first, *others = document.elements
    assert (first.ocr, first.confidence) == (False, None)
    assert all(element.ocr for element in others)
    every = cw.read(data, name="a.pdf", ocr="all", ocr_engine=engine(LETTER, LETTER))
    assert [page.ocr for page in every.pages] == [True, True]
    assert "Rain" not in every.text
    with pytest.raises(cw.ReadError, match="pictures on page 1: "):
        cw.read(scan(), name="a.pdf", ocr="off", ocr_engine=engine(LETTER))


def test_pages_are_chosen_before_they_are_recognised() -> None:
    document = cw.read_pdf(scan(5), pages="2,4", ocr_engine=engine(LETTER, LETTER))
    assert [page.number for page in document.pages] == [2, 4]
    assert {element.pages[0] for element in document.elements} <= {2, 4}


def test_what_was_recognised_stays_known_in_pickles_rows_and_tables() -> None:
    document = cw.read(scan(), name="a.pdf", ocr_engine=engine(LETTER))
    again = pickle.loads(pickle.dumps(document))
    assert [(each.ocr, each.confidence) for each in again.elements] == [
        (each.ocr, each.confidence) for each in document.elements
    ]
    assert again.pages == document.pages
    chunks = cw.chunk(document, "hybrid", max_chars=400)
    assert [chunk.confidence for chunk in chunks] == [pytest.approx(0.9)]
    assert chunks.to_arrow()["confidence"].to_pylist() == [pytest.approx(0.9)]
    assert pickle.loads(pickle.dumps(chunks[0])).confidence == pytest.approx(0.9)
    plain = cw.chunk(cw.read(b"# Rain\n\nIt fell.", name="a.md"), "hybrid", max_chars=40)
    assert [chunk.confidence for chunk in plain] == [None]


def test_a_page_without_words_is_read_and_a_file_without_any_is_refused() -> None:
    document = cw.read(scan(2), name="a.pdf", ocr_engine=engine(LETTER, []))
    assert [page.confidence for page in document.pages] == [pytest.approx(0.9, abs=0.02), 0.0]
    with pytest.raises(cw.ReadError, match="none is recognised in pictures of pages 1-2"):
        cw.read(scan(2), name="a.pdf", ocr_engine=engine([], []))


def test_a_message_tells_each_page_and_how_well_all_were_read(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, logger="chunkwright"):
        cw.read(scan(2), name="a.pdf", ocr_engine=engine(LETTER, LETTER))
    said = [record.getMessage() for record in caplog.records]
    assert [text.partition(" in ")[0] for text in said[:2]] == [
        "a.pdf: page 1: 40 words recognised",
        "a.pdf: page 2: 40 words recognised",
    ]
    assert said[2] == "a.pdf: the text of pages 1-2 was recognised (OCR); mean confidence 0.90"


def test_what_an_engine_raises_ends_the_reading() -> None:
    def broken(_picture: object) -> list[cw.OcrWord]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cw.read(scan(2), name="a.pdf", ocr_engine=broken)


@pytest.mark.parametrize(
    "given",
    [
        ("Rain", (1, 2, 3), 0.5),
        ("Rain", (1, 2, 3, float("nan")), 0.5),
        ("Rain", (1, 2, 3, 4), 50),
        ("Rain", (1, 2, 3, 4)),
        (None, (1, 2, 3, 4), 0.5),
        7,
    ],
)
def test_what_is_no_word_is_refused(given: object) -> None:
    with pytest.raises(cw.ConfigError, match="ocr_engine must be a function that gives OcrWord"):
        cw.read(image(), name="a.png", ocr_engine=lambda _picture: [given])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ocr": "yes"}, "ocr"),
        ({"ocr_engine": "rapid"}, "ocr_engine"),
        ({"ocr_languages": "en"}, "ocr_languages"),
        ({"ocr_languages": ["en"], "ocr_engine": engine()}, "ocr_languages"),
    ],
)
def test_options_that_make_no_sense_are_refused_by_their_name(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(cw.ConfigError, match=message):
        cw.read(scan(), name="a.pdf", **options)  # type: ignore[arg-type]


def test_the_picture_is_bounded_whatever_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, ...]] = []

    def look(picture: Any) -> list[cw.OcrWord]:
        seen.append(picture.shape)
        return [cw.OcrWord("Rain", (10, 10, 60, 30), 0.9)]

    small = engines.EngineRow("", 300, 400)
    monkeypatch.setattr(engines, "_OF_CALLER", small)
    cw.read(scan(), name="a.pdf", ocr_engine=look)
    cw.read(image(), name="a.png", ocr_engine=look)
    for height, width, n in seen:
        assert (max(height, width) <= 401, n) == (True, 3)
        assert width / height == pytest.approx(WIDTH / HEIGHT, abs=0.01)
