"""Forms of PDF documents: values at their place, what is chosen, and notes on the page."""

from __future__ import annotations

import pytest

import chunkwright as cw
from tests.readers.pdf.damaged import written
from tests.readers.pdf.drawing import Sheets, body


def note(flags: int, kind: bytes = b"FreeText") -> bytes:
    """Return a document with nothing but a note on its page."""
    return written(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Annots[4 0 R]>>",
        b"<</Type/Annot/Subtype/%b/Rect[72 700 300 740]/DA(/Helv 10 Tf 0 g)/F %d"
        b"/Contents(The wheel is to be mended before the winter)>>" % (kind, flags),
    )


def test_values_stand_behind_their_labels() -> None:
    sheets = Sheets()
    form = sheets.canvas.acroForm
    for i, (label, value) in enumerate(
        [("Name of the miller:", "Johanna Brandt"), ("Town:", "Ulm")]
    ):
        sheets.line(72, 142 + 40 * i, label)
        form.textfield(name=label, value=value, x=200, y=694 - 40 * i, width=200, height=18)
    texts = [text for _, text in body(sheets.read())]
    assert texts == ["Name of the miller: Johanna Brandt", "Town: Ulm"]


@pytest.mark.parametrize("is_checked", [True, False])
def test_boxes_say_whether_they_are_checked(is_checked: bool) -> None:
    sheets = Sheets()
    sheets.canvas.acroForm.checkbox(name="ok", checked=is_checked, x=200, y=640, size=14)
    sheets.line(220, 842 - 642, "I agree")
    assert body(sheets.read()) == [("list item", f"{'☒' if is_checked else '☐'} I agree")]


def test_one_of_several_buttons_and_options_is_chosen() -> None:
    sheets = Sheets()
    form = sheets.canvas.acroForm
    for y, value in [(540, "oak"), (500, "elm")]:
        form.radio(name="wood", value=value, selected=value == "elm", x=100, y=y, size=14)
        sheets.line(120, 842 - y - 3, value)
    sheets.line(72, 842 - 446, "Wheel:")
    options = ["great", "middle", "small"]
    form.choice(name="wheel", value="middle", options=options, x=120, y=440, width=80, height=20)
    text = sheets.read().text
    assert "☐ oak" in text
    assert "☒ elm" in text
    assert "Wheel: middle" in text
    assert "great" not in text


def test_passwords_are_not_read() -> None:
    sheets = Sheets()
    sheets.line(72, 142, "Word:")
    sheets.canvas.acroForm.textfield(
        name="p", value="secret", x=200, y=694, width=200, height=18, fieldFlags="password"
    )
    assert sheets.read().text == "Word:"


def test_a_note_on_the_page_is_read_at_its_place() -> None:
    document = cw.read_pdf(note(4))
    assert document.text == "The wheel is to be mended before the winter"
    (box,) = document.elements[0].boxes
    assert 70 < box.left < box.right < 302
    assert 100 < box.top < box.bottom < 144


@pytest.mark.parametrize("data", [note(2), note(32), note(4, b"Text")])
def test_what_is_not_seen_on_the_page_is_not_read(data: bytes) -> None:
    with pytest.raises(cw.ReadError):
        cw.read_pdf(data)
