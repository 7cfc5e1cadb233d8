"""Pages and boxes of parts: each names only what it holds, in PDFs of words at known places."""

from __future__ import annotations

import io
import random
import zlib
from typing import Any

import pytest

import chunkwright as cw
from tests import laws
from tests.support.examples import n_examples
from tests.support.mostly_slow import mostly_slow

canvas = pytest.importorskip("reportlab.pdfgen.canvas")

STRATEGIES = ["basic", "by_title", "by_page", "structural", "hierarchical", "hybrid", "recursive"]
Places = dict[str, tuple[int, float]]


def made(seed: int) -> tuple[cw.Document, Places]:
    """Make pages of headings, paragraphs and ruled tables; each word is said once."""
    rng, file, places = random.Random(seed), io.BytesIO(), Places()
    page, size = canvas.Canvas(file, pagesize=(400, 400)), 10
    for number in range(1, rng.randint(2, 4) + 1):
        top = 40.0
        while top < 330:
            kind = rng.choice(["heading", "paragraph", "table"])
            n_lines = 1 if kind == "heading" else rng.randint(2, 7)
            scale = 16 if kind == "heading" else size
            page.setFont("Helvetica-Bold" if kind == "heading" else "Helvetica", scale)
            for line in range(n_lines):
                words = [f"w{len(places) + i:04}x" for i in range(2 if kind == "heading" else 6)]
                places.update(dict.fromkeys(words, (number, top)))
                if kind == "table":
                    for column, word in enumerate(words):
                        page.drawString(42 + 50 * column, 400 - top, word)
                        page.rect(40 + 50 * column, 400 - top - 3, 50, 13)
                    top += 13
                else:
                    ends = "." if line == n_lines - 1 and kind == "paragraph" else ""
                    page.drawString(40, 400 - top, " ".join(words) + ends)
                    top += 12
            top += 30
        page.showPage()
    page.save()
    return cw.read(file.getvalue(), name=f"{seed}.pdf"), places


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("seed", mostly_slow(range(6), quick=2))
def test_boxes_and_pages_hold_words_of_their_chunk(strategy: Any, seed: int) -> None:
    document, places = made(seed)
    for limit in (30, 80, 200):
        chunks = cw.chunk(document, strategy, max_tokens=limit)
        laws.names_only_what_it_holds(chunks)
        for chunk in chunks:
            said = "".join(text for role, text in chunk.piece_texts() if role == "body")
            own = [place for word, place in places.items() if word in said]
            if not own:
                continue
            assert set(chunk.pages) == {page for page, _ in own}
            for box in chunk.boxes:
                assert any(_is_in(place, box) for place in own)
            assert all(any(_is_in(place, box) for box in chunk.boxes) for place in own)


def _is_in(place: tuple[int, float], box: cw.Box) -> bool:
    page, baseline = place
    return box.page == page and box.top - 1 <= baseline <= box.bottom + 4


def test_a_row_has_a_box_of_its_own() -> None:
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(400, 400))
    for row in range(20):
        for column, word in enumerate(("stone", "kg", f"row{row}")):
            page.drawString(42 + 80 * column, 380 - 15 * row, word)
            page.rect(40 + 80 * column, 376 - 15 * row, 80, 15)
    page.save()
    chunks = cw.chunk(cw.read(file.getvalue()), "basic", max_tokens=40)
    heights = [box.bottom - box.top for chunk in chunks for box in chunk.boxes]
    assert len(chunks) > 3
    assert max(heights) < 120


@pytest.mark.parametrize("seed", range(8))
def test_a_row_has_the_words_of_its_merged_cells(seed: int) -> None:
    """A cell over several rows is said with the first, but may be written in any of them."""
    rng, file, places = random.Random(seed), io.BytesIO(), Places()
    page = canvas.Canvas(file, pagesize=(400, 700))

    def write(column: int, row: int) -> None:
        word = f"w{len(places):04x}"
        places[word] = (1, 50.0 + 20 * row)
        page.drawString(42 + 80 * column, 650 - 20 * row, word)

    row = 0
    while row < 24:
        n_rows = rng.randint(1, 4)
        page.rect(40, 645 - 20 * (row + n_rows - 1), 80, 20 * n_rows)
        write(0, row + rng.randrange(n_rows))
        for one in range(row, row + n_rows):
            is_blank = rng.random() < 0.2
            for column in (1, 2, 3):
                page.rect(40 + 80 * column, 645 - 20 * one, 80, 20)
                if not is_blank:
                    write(column, one)
        row += n_rows
    page.save()
    document = cw.read(file.getvalue(), name="merged.pdf")
    assert document.elements is not None
    assert [one.kind for one in document.elements] == ["table"]
    for limit in (20, 40, 90):
        chunks = cw.chunk(document, "basic", max_tokens=limit)
        laws.names_only_what_it_holds(chunks)
        for chunk in chunks:
            said = "".join(text for role, text in chunk.piece_texts() if role == "body")
            own = [place for word, place in places.items() if word in said]
            assert all(any(_is_in(place, box) for box in chunk.boxes) for place in own), chunk.text


@pytest.mark.parametrize("below", [-1, 0, 2, 3])
def test_a_row_reaches_around_words_that_stand_on_its_lines(below: int) -> None:
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(400, 400))
    for row in range(12):
        for column in range(3):
            page.rect(40 + 80 * column, 300 - 16 * row, 80, 16)
            page.drawString(42 + 80 * column, 300 - 16 * row - below, f"w{row:02}{column}")
    page.save()
    chunks = cw.chunk(cw.read(file.getvalue()), "basic", max_tokens=20)
    assert len(chunks) > 5
    for chunk in chunks:
        rows = [int(word[1:3]) for word in chunk.text.split() if word.startswith("w")]
        if rows:
            # Letters such as these stand on their baseline.
            lowest = 400 - (300 - 16 * max(rows) - below)
            assert max(box.bottom for box in chunk.boxes) >= lowest - 0.5, chunk.text


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("n_blank", [1, 2, 3])
def test_rows_and_objects_agree_on_tables_that_begin_with_rows_without_text(
    n_blank: int, strategy: Any
) -> None:
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(400, 700))
    page.setFont("Helvetica-Bold", 20)
    page.drawString(40, 660, "Wards")
    page.setFont("Helvetica", 10)
    for row in range(20):
        for column in range(3):
            page.rect(40 + 80 * column, 600 - 20 * row, 80, 20)
            if row >= n_blank:
                page.drawString(42 + 80 * column, 605 - 20 * row, f"w{row:02}{column}")
    page.save()
    document = cw.read(file.getvalue(), name="blank.pdf")
    for limit in (20, 40, 500):
        laws.names_only_what_it_holds(cw.chunk(document, strategy, max_tokens=limit))


def test_a_part_behind_a_heading_of_another_page_is_on_its_own() -> None:
    text = "It rained for days. Then it rained for weeks. Then the sun came out."
    items = [
        {"type": "Title", "text": "Rain", "metadata": {"page_number": 1}},
        {"type": "NarrativeText", "text": text, "metadata": {"page_number": 2}},
    ]
    for strategy in ("basic", "by_title"):
        chunks = cw.chunk(items, strategy, max_chars=30)
        assert [chunk.pages for chunk in chunks] == [(1,), (2,), (2,), (2,)]
        assert [len(chunk.elements) for chunk in chunks] == [1] * 4


@pytest.mark.parametrize("strategy", ["basic", "by_title", "structural", "hierarchical", "hybrid"])
def test_parts_hold_what_they_name_however_a_counter_counts(strategy: Any) -> None:
    """A counter may say less of more text, as no limit expects: then leads are cut, too."""
    for seed in range(n_examples(10)):
        rng = random.Random(seed)
        blocks = []
        for _ in range(rng.randint(2, 7)):
            words = " ".join(
                rng.choices(["rain", "a", "sun.", "led:", "漢字"], k=rng.randint(1, 12))
            )
            front = rng.choice(["", "", "- ", f"{'#' * rng.randint(1, 3)} "])
            row = f"| a | b |\n|---|---|\n| {words} | x |\n| y | {words} |"
            blocks.append(row if rng.random() < 0.1 else front + words)
        document = cw.read("\n\n".join(blocks).encode(), name="a.md")

        def count(text: str, seed: int = seed) -> int:
            return zlib.crc32(f"{seed}{len(text) % 7}".encode()) % 9 + len(text) // 9

        limit = rng.randint(3, 12)
        laws.names_only_what_it_holds(
            cw.chunk(document, strategy, max_tokens=limit, tokenizer=count)
        )
