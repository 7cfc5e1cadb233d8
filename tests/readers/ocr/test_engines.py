"""Engines by name: what each gives of a picture that was drawn."""

from __future__ import annotations

import shutil
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

import chunkwright as cw
from chunkwright.readers.ocr import engines, rapid, tesseract
from chunkwright.readers.ocr.words import word_rows

LINES = [
    "The mill was built in the year of the great flood and stood by",
    "the river that had risen so high that nobody in the village knew",
    "who owned the water of the upper pond, which was 12 feet deep.",
]
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="needs the command tesseract"
)


def drawn(degrees: float = 0, dpi: int = 200) -> bytes:
    """Return an image of a heading and a paragraph, turned by so many degrees."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=(595, 300))
    canvas.setFont("Times-Bold", 18)
    canvas.drawString(72, 250, "The water mill")
    canvas.setFont("Times-Roman", 11)
    for i, line in enumerate(LINES):
        canvas.drawString(72, 220 - 13 * i, line)
    canvas.save()
    page = pypdfium2.PdfDocument(file.getvalue())[0]
    seen: Image.Image = page.render(scale=dpi / 72).to_pil()
    seen = seen.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor="white")
    file = BytesIO()
    seen.save(file, "PNG", dpi=(dpi, dpi))
    return file.getvalue()


def check(document: cw.Document) -> None:
    """Compare with what was drawn."""
    heading, paragraph = document.elements
    assert (heading.kind, heading.text) == ("heading", "The water mill")
    assert (paragraph.kind, paragraph.text) == ("paragraph", " ".join(LINES))
    assert document.confidence is not None
    assert document.confidence > 0.85


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [0, 2, -2])
def test_rapidocr_reads_pages_straight_and_askew(degrees: float) -> None:
    document = cw.read(drawn(degrees), name="a.png")
    check(document)
    (box,) = document.elements[0].boxes
    if not degrees:
        edges = (box.left, box.top, box.bottom)
        assert edges == pytest.approx((72, 300 - 250 - 12.6, 300 - 250 + 3.8), abs=2)


@needs_tesseract
def test_tesseract_reads_pages() -> None:
    check(cw.read(drawn(dpi=300), name="a.png", ocr_engine="tesseract", ocr_languages=["en"]))


@needs_tesseract
def test_languages_without_data_are_refused() -> None:
    with pytest.raises(cw.ConfigError, match="tesseract has no data of 'xyz' here"):
        cw.read(drawn(), name="a.png", ocr_engine="tesseract", ocr_languages=["xyz"])


def test_without_the_command_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(cw.ConfigError, match="there is no command tesseract"):
        cw.read(drawn(), name="a.png", ocr_engine="tesseract")


def test_languages_that_the_models_have_no_letters_of_are_refused() -> None:
    with pytest.raises(cw.ConfigError, match="do not read 'rus'"):
        cw.read(drawn(), name="a.png", ocr_engine="rapidocr", ocr_languages=["ru"])


def test_the_table_of_tesseract_is_words_with_lines() -> None:
    head = "level page_num block_num par_num line_num word_num left top width height conf text"
    rows = [
        "5 1 1 1 1 1 10 20 30 8 96.5 Rain",
        "4 1 1 1 2 0 10 30 60 8 -1",
        "5 1 1 1 2 1 10 30 9 8 -1 x",
    ]
    table = "\n".join("\t".join(row.split()) for row in [head, *rows])
    assert list(tesseract._words(table)) == [
        cw.OcrWord("Rain", (10, 20, 40, 28), 0.965, 0),
        cw.OcrWord("x", (10, 30, 19, 38), 0.0, 1),
    ]


def test_the_words_of_a_line_stand_where_its_pieces_do() -> None:
    box = np.array([[100, 10], [300, 10], [300, 40], [100, 40]], float)
    quad = [[110, 10], [150, 10], [150, 40], [110, 40]]
    later = [[200, 10], [290, 10], [290, 40], [200, 40]]
    pieces = [("Ra", 0.9, quad), ("in", 0.8, quad), ("fell", 0.7, later)]
    words: list[Any] = list(rapid._words(rapid._Line(box, "Rain fell", 0.6, pieces), 3))
    assert [(word.text, word.confidence, word.line) for word in words] == [
        ("Rain", 0.8, 3),
        ("fell", 0.7, 3),
    ]
    assert [word.box[0][0] for word in words] == pytest.approx([110, 200], abs=1)
    # Without pieces letters share the line.
    shared: list[Any] = list(rapid._words(rapid._Line(box, "Rain fell", 0.6, ()), 3))
    assert [word.confidence for word in shared] == [0.6, 0.6]
    assert shared[0].box[1][0] == pytest.approx(shared[1].box[0][0])


def test_words_without_lines_are_lines_of_their_own() -> None:
    words = [cw.OcrWord("a", (0, 0, 1, 1), 1), cw.OcrWord("b", (2, 0, 3, 1), 1)]
    assert [line for *_, line in word_rows(words, 1, 1)] == [0, 1]
    assert [line for *_, line in word_rows([each._replace(line=7) for each in words], 1, 1)] == [
        0,
        0,
    ]


def test_each_engine_has_a_module_with_a_maker() -> None:
    for name, row in engines.ENGINES.items():
        assert callable(engines.chosen(name, None).make), row.module


class _Turning:
    """A model that reads lines which stand on their heads."""

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def __call__(self, _picture: Any, **_: object) -> SimpleNamespace:
        boxes = [[(10, y), (190, y), (190, y + 20), (10, y + 20)] for y in (10, 40)]
        return SimpleNamespace(
            boxes=np.array(boxes, float), txts=("o n", "ll!"), scores=self._scores, word_results=()
        )

    def crop_text_regions(self, picture: Any, boxes: Any) -> list[Any]:
        return [picture for _ in boxes]

    def recognize_txt(self, _crops: list[Any]) -> SimpleNamespace:
        return SimpleNamespace(txts=("no mill",), scores=(0.7,))

    def calc_word_boxes(self, *_: Any) -> tuple[Any, ...]:
        quads = [[(x, 10), (x + 60, 10), (x + 60, 30), (x, 30)] for x in (130, 10)]
        return ((("no", 0.7, quads[0]), ("mill", 0.7, quads[1])),)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((0.9, 0.95), ["o", "n", "ll!"]),
        ((0.6, 0.95), ["no", "mill", "ll!"]),
        ((0.75, 0.3), ["o", "n", "no", "mill"]),
    ],
)
def test_unsure_lines_are_read_on_their_heads(
    monkeypatch: pytest.MonkeyPatch, scores: tuple[float, float], expected: list[str]
) -> None:
    monkeypatch.setattr(rapid, "_model", lambda _: _Turning(*scores))
    words: list[Any] = list(rapid.engine(("eng",))(np.zeros((100, 200, 3), np.uint8)))
    assert [word.text for word in words] == expected
    # The first corner is the upper left one as the word is read.
    for word in words:
        first, second = word.box[0], word.box[1]
        assert (first[0] > second[0]) == (word.text in {"no", "mill"})


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_rapidocr_reads_pages_on_their_sides_and_heads(degrees: float) -> None:
    with Image.open(BytesIO(drawn())) as page:
        file = BytesIO()
        page.rotate(degrees, expand=True).save(file, "PNG", dpi=(200, 200))
    check(cw.read(file.getvalue(), name="a.png"))
