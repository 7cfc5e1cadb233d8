"""Images as documents: which are read, how large their pages are, and what is refused."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zlib import crc32

import pytest
from PIL import Image

import chunkwright as cw
from tests.readers.ocr.engines import Line, engine, image

PAGE = [Line("Rain fell for days", 72, 100)]


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "BMP", "WEBP"])
def test_images_are_told_by_content(form: str) -> None:
    document = cw.read(image(form), name="notes.txt", ocr_engine=engine(PAGE))
    assert (document.text, document.elements[0].ocr) == ("Rain fell for days", True)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_images_of_all_modes_are_shown_to_the_engine(mode: str) -> None:
    seen: list[Any] = []

    def look(picture: Any) -> list[cw.OcrWord]:
        seen.append(picture)
        return [cw.OcrWord("Rain", (1, 1, 40, 12), 0.9)]

    file = BytesIO()
    Image.new(mode, (60, 80)).save(file, "TIFF" if mode in {"CMYK", "I;16"} else "PNG")
    assert cw.read(file.getvalue(), ocr_engine=look).text == "Rain"
    assert [(picture.shape, str(picture.dtype)) for picture in seen] == [((80, 60, 3), "uint8")]
    # What shows through is paper.
    assert seen[0].mean() == (255 if mode in {"LA", "RGBA", "CMYK"} else 0)


def test_each_page_of_a_tiff_is_a_page() -> None:
    data = image("TIFF", n_pages=3)
    document = cw.read(data, name="a.tif", ocr_engine=engine(PAGE, PAGE, PAGE))
    assert [page.number for page in document.pages] == [1, 2, 3]
    some = cw.read(data, name="a.tif", pages="2-", ocr_engine=engine(PAGE, PAGE))
    assert [page.number for page in some.pages] == [2, 3]
    with pytest.raises(cw.ConfigError, match="no page 4"):
        cw.read(data, name="a.tif", pages="4", ocr_engine=engine(PAGE))


@pytest.mark.parametrize(
    ("dpi", "width"), [(150, 595 * 72 / 150), (None, 595.0), (7, 595.0), (4800, 595.0)]
)
def test_a_page_is_as_large_as_its_resolution_says_if_that_can_be(
    dpi: int | None, width: float
) -> None:
    saved: dict[str, Any] = {} if dpi is None else {"dpi": (dpi, dpi)}
    document = cw.read(image(**saved), name="a.png", ocr_engine=engine(PAGE))
    assert document.pages[0].width == pytest.approx(width, abs=0.5)


def test_a_photo_is_seen_as_its_camera_was_held() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    seen: list[Any] = []

    def look(picture: Any) -> list[cw.OcrWord]:
        seen.append(picture.shape[:2])
        return [cw.OcrWord("Rain", (1, 1, 40, 12), 0.9)]

    document = cw.read(image("JPEG", exif=exif), name="a.jpg", ocr_engine=look)
    page = document.pages[0]
    assert (seen, page.width > page.height) == ([(595, 842)], True)


def test_an_image_of_too_many_pixels_is_refused_before_it_is_unpacked() -> None:
    # A PNG of one byte for 400 million pixels.
    file = BytesIO()
    Image.new("1", (4, 4)).save(file, "PNG")
    data = bytearray(file.getvalue())
    data[16:24] = (20_000).to_bytes(4, "big") * 2
    data[29:33] = crc32(data[12:29]).to_bytes(4, "big")
    with pytest.raises(cw.ReadError, match="too large: more than 150 million pixels"):
        cw.read(bytes(data), name="a.png", ocr_engine=engine(PAGE))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "WEBP", "BMP"])
def test_a_damaged_image_is_refused(form: str) -> None:
    data = image(form)
    for cut in (len(data) // 2, 20):
        with pytest.raises(cw.ReadError, match=r"a\.x"):
            cw.read(data[:cut], name="a.x", kind="image", ocr_engine=engine(PAGE))


def test_an_image_without_a_text_is_refused() -> None:
    with pytest.raises(cw.ReadError, match="no text was found in the image"):
        cw.read(image(), name="a.png", ocr_engine=engine([]))


def test_without_an_engine_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkwright.readers.ocr.engines.is_installed", lambda: False)
    with pytest.raises(cw.MissingExtraError, match=r'pip install "chunkwright\[ocr\]"'):
        cw.read(image(), name="a.png")
    with pytest.raises(cw.ReadError, match="ocr='off'"):
        cw.read(image(), name="a.png", ocr="off")
