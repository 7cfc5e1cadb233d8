"""Options of the reader of PDF, what it refuses, and what it says of pages."""

from __future__ import annotations

import logging
import pickle
import sys
from itertools import permutations
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

import chunkwright as cw
from tests.readers.pdf.damaged import written
from tests.readers.pdf.drawing import HEIGHT, WIDTH, Sheets, prose, scanned

LOGGER = "chunkwright"


def pages(n: int = 7) -> bytes:
    """Return a document with a text of its own on each page."""
    sheets = Sheets()
    for page in range(n):
        sheets.paragraph(100, f"Page {'ABCDEFG'[page]} begins. " + prose(page, 5))
        sheets.next()
    return sheets.data()


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("3-5", [3, 4, 5]),
        ("2", [2]),
        ("1,6-", [1, 6, 7]),
        ("-2", [1, 2]),
        ([7, 2, 2], [2, 7]),
        ((4,), [4]),
        (None, [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_pages_that_are_read(wanted: str | list[int] | None, expected: list[int]) -> None:
    document = cw.read_pdf(pages(), pages=wanted)
    assert [page.number for page in document.pages] == expected
    assert [e.pages for e in document.elements] == [(page,) for page in expected]
    starts = [e.text.split(" begins")[0] for e in document.elements]
    assert starts == [f"Page {'ABCDEFG'[page - 1]}" for page in expected]


@pytest.mark.parametrize(
    "wanted", ["8", "0", "5-3", "a", "", "1-9", [0], [8], [1.0], [True], [], 3]
)
def test_pages_that_are_not_there(wanted: object) -> None:
    with pytest.raises(cw.ConfigError) as caught:
        cw.read_pdf(pages(), pages=wanted)  # type: ignore[arg-type]
    assert caught.value.option == "pages"


def opened(data: bytes, password: str, name: str | None = None) -> cw.Document:
    return cw.read_pdf(data, password=password, name=name)


def test_passwords() -> None:
    sheets = Sheets(encrypt=StandardEncryption("open sesame", ownerPassword="own", strength=128))
    sheets.line(72, 100, "A secret.")
    data = sheets.data()
    assert opened(data, "open sesame").body == "A secret."
    assert opened(data, "own").body == "A secret."
    with pytest.raises(cw.ReadError, match=r"encrypted.*password="):
        cw.read_pdf(data)
    with pytest.raises(cw.ReadError, match="password is wrong") as caught:
        opened(data, "open barley", "secret.pdf")
    assert str(caught.value).startswith("secret.pdf")
    assert "barley" not in str(caught.value)


def test_an_error_is_that_of_its_own_file() -> None:
    """Whatever was read before: PDFium keeps its last error."""
    sheets = Sheets(encrypt=StandardEncryption("open sesame", ownerPassword="own", strength=128))
    sheets.line(72, 100, "A secret.")
    endings = {
        sheets.data(): "it is encrypted: give its password, password=...",
        written(b"<</Type/Catalog/Pages 9 0 R>>"): "not a PDF document, or a damaged one",
        b"%PDF-1.7\nnothing": "not a PDF document, or a damaged one",
    }
    for order in permutations(endings):
        for data in (*order, *order):
            with pytest.raises(cw.ReadError) as caught:
                cw.read_pdf(data, name="a.pdf")
            assert str(caught.value) == f"a.pdf: {endings[data]}"


def test_a_password_that_is_not_needed_is_no_error() -> None:
    assert opened(pages(1), "anything").body.startswith("Page A")


def test_files_that_only_forbid_printing_are_read() -> None:
    sheets = Sheets(encrypt=StandardEncryption("", ownerPassword="own", canPrint=0, strength=128))
    sheets.line(72, 100, "No secret.")
    assert cw.read_pdf(sheets.data()).body == "No secret."


def test_pictures_alone_are_refused_with_a_way_out(tmp_path: Path) -> None:
    sheets = Sheets()
    scanned(sheets)
    scanned(sheets)
    file = tmp_path / "scan.pdf"
    file.write_bytes(sheets.data())
    with pytest.raises(cw.ReadError, match=r"pages 1-2: .*chunkwright\[ocr\]") as caught:
        cw.read(file)
    assert str(file) in str(caught.value)


def test_one_scanned_page_is_marked_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    sheets = Sheets()
    for page in range(4):
        if page == 2:
            scanned(sheets)
            continue
        sheets.paragraph(100, prose(page, 20))
        sheets.next()
    with caplog.at_level(logging.WARNING, logger=LOGGER):
        document = sheets.read(name="mixed.pdf")
    assert [page.needs_ocr for page in document.pages] == [False, False, True, False]
    assert document.pages[2].confidence < 0.5 < document.pages[0].confidence
    assert document.confidence is not None
    assert document.confidence == pytest.approx(sum(p.confidence for p in document.pages) / 4)
    (record,) = [r for r in caplog.records if r.name.startswith(LOGGER)]
    assert "mixed.pdf" in record.getMessage()
    assert "page 3" in record.getMessage()


@pytest.mark.parametrize(("n_rows", "n_columns"), [(2, 1), (1, 2), (9, 1), (60, 1), (3, 4), (8, 8)])
@pytest.mark.parametrize("margin", [0, 60])
@pytest.mark.parametrize("number", ["", "- 12 -"])
def test_scans_in_strips_and_tiles_are_scans(
    n_rows: int, n_columns: int, margin: int, number: str
) -> None:
    sheets = Sheets()
    wide, high = (WIDTH - 2 * margin) / n_columns, (HEIGHT - 2 * margin) / n_rows
    for row in range(n_rows):
        for column in range(n_columns):
            left, top = margin + wide * column, margin + high * row
            sheets.picture((left, top, left + wide, top + high))
    sheets.line(280, HEIGHT - 20, number)
    sheets.next()
    sheets.paragraph(100, prose(1, 5))
    document = sheets.read()
    assert [page.needs_ocr for page in document.pages] == [True, False]
    assert document.pages[0].confidence == 0


def test_a_picture_alone_is_text_to_recognise_where_it_is_no_ornament() -> None:
    sheets = Sheets()
    for high in (20, 200):
        sheets.picture((40, 100, WIDTH - 40, 100 + high))
        sheets.next()
    for _ in range(2):
        sheets.picture((40, 100, WIDTH - 40, HEIGHT / 3))
        sheets.paragraph(HEIGHT / 2, prose(1, 5))
        sheets.next()
    assert [page.needs_ocr for page in sheets.read().pages] == [False, True, False, False]


def test_what_stands_in_front_of_a_pdf_is_left_out() -> None:
    data = pages(1)
    for front in (b"some junk\n", b"HTTP/1.1 200 OK\r\n\r\n", b"\0" * 99, b"x" * 1019):
        assert cw.read(front + data, name="a.pdf").text == cw.read(data, name="a.pdf").text
    said = "A file begins with %PDF-1.7, or it is none."
    assert cw.read(said.encode(), name="a.md").text == said


def test_good_text_is_sure_and_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger=LOGGER):
        document = cw.read_pdf(pages())
    assert caplog.records == []
    assert document.confidence is not None
    assert document.confidence > 0.9


def test_noise_is_less_sure_than_text() -> None:
    clear, noisy = Sheets(), Sheets()
    for i in range(20):
        clear.line(72, 100 + 12 * i, prose(i, 1))
        noisy.line(72, 100 + 12 * i, "x~ ;q#| %zz^ \\k}{ qx_ ~~ ]w[ *&^ xz;; |||| ~}")
    sure, unsure = clear.read().confidence, noisy.read().confidence
    assert sure is not None
    assert unsure is not None
    assert unsure < 0.8 * sure


@pytest.mark.parametrize("n", [1, 3])
def test_blank_pages_alone_have_no_text(n: int) -> None:
    sheets = Sheets()
    for _ in range(n):
        sheets.canvas.circle(-90, -90, 1)
        sheets.next()
    with pytest.raises(cw.ReadError, match="no text: there is no letter"):
        sheets.read()


def test_a_blank_page_among_others_needs_nothing() -> None:
    sheets = Sheets()
    sheets.paragraph(100, prose(1, 5))
    sheets.next()
    sheets.canvas.circle(-90, -90, 1)
    sheets.next()
    sheets.paragraph(100, prose(2, 5))
    document = sheets.read()
    assert [page.needs_ocr for page in document.pages] == [False] * 3


def test_sources_give_the_same_document(tmp_path: Path) -> None:
    data = pages(2)
    file = tmp_path / "two.pdf"
    file.write_bytes(data)
    expected = cw.read_pdf(data, name="two.pdf")
    for source in (file, str(file), data, bytearray(data), memoryview(data)):
        assert cw.read_pdf(source, name="two.pdf") == expected  # type: ignore[arg-type]
    assert cw.read(file, name="two.pdf") == cw.read(data, name="two.pdf") == expected
    assert cw.read(file).name == file.as_posix()
    assert cw.read_pdf(str(file)).name == file.as_posix()
    assert cw.read_pdf(data).name is None


def test_read_passes_options_on(tmp_path: Path) -> None:
    file = tmp_path / "seven.pdf"
    file.write_bytes(pages())
    assert cw.read(file, pages="2-3") == cw.read_pdf(file, pages="2-3")


def test_kind_is_told_by_the_bytes(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_bytes(pages(1))
    assert cw.read(file).body.startswith("Page A")


def test_wrong_options() -> None:
    with pytest.raises(cw.ConfigError, match="name"):
        cw.read_pdf(b"%PDF-", name=3)  # type: ignore[arg-type]
    with pytest.raises(cw.ConfigError, match="password"):
        cw.read_pdf(b"%PDF-", password=b"x")  # type: ignore[arg-type]
    with pytest.raises(cw.ConfigError, match="source"):
        cw.read_pdf(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"It rained.", b"%PDF-1.7\n" + bytes(999)])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    with pytest.raises(cw.ReadError, match=r"rain\.pdf"):
        cw.read_pdf(data, name="rain.pdf")


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(cw.ReadError, match=r"none\.pdf"):
        cw.read_pdf(tmp_path / "none.pdf")


def test_without_pypdfium2_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(cw.MissingExtraError, match=r"chunkwright\[pdf\]"):
        cw.read_pdf(pages(1))


def test_documents_survive_pickling() -> None:
    document = cw.read_pdf(pages(), name="seven.pdf")
    again = pickle.loads(pickle.dumps(document))
    assert again == document
    assert again.pages == document.pages
    assert [e.boxes for e in again.elements] == [e.boxes for e in document.elements]
    assert again.body == document.body


def test_pages_have_the_sizes_that_one_sees() -> None:
    sheets = Sheets()
    sizes = [(595.0, 842.0), (842.0, 595.0), (200.0, 300.0)]
    for width, height in sizes:
        sheets.canvas.setPageSize((width, height))
        sheets.canvas.drawString(50, 200, "A page of some size.")
        sheets.next()
    document = sheets.read()
    assert [(page.width, page.height) for page in document.pages] == sizes
    assert [page.number for page in document.pages] == [1, 2, 3]


def test_chunks_have_pages_and_boxes() -> None:
    chunks = cw.chunk(cw.read_pdf(pages()), "basic", max_chars=5000)
    assert [page for chunk in chunks for page in chunk.pages] == list(range(1, 8))


@pytest.mark.parametrize("name", ["a.pdf", "a.txt", "a"])
def test_a_document_behind_other_bytes_is_read_whatever_its_name(name: str) -> None:
    sheets = Sheets()
    sheets.line(72, 100, "Rain fell on the mill.")
    data = b"HTTP/1.1 200 OK\r\nServer: mill\r\n\r\n" + sheets.data()
    assert cw.read(data, name=name).text == "Rain fell on the mill."
