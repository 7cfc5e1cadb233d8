"""Pages on paper: all chunks, not only those near the viewport."""

from __future__ import annotations

from pathlib import Path

import pytest

import chunkwright as cw
from tests.pages.browser import Browser, Page
from tests.pages.viewer.opening import opened

N_SECTIONS = 120
TEXT = "".join(f"# Section {i}\n\nIt rained on day {i} of the year.\n\n" for i in range(N_SECTIONS))


def _printed(page: Page) -> list[str]:
    pdfium = pytest.importorskip("pypdfium2", reason="what is printed is read by PDFium")
    document = pdfium.PdfDocument(page.pdf(print_background=True))
    found = [each.get_textpage().get_text_range() for each in document]
    document.close()
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_chunks_are_printed(browser: Browser, tmp_path: Path, *, dark: bool) -> None:
    chunks = cw.strategy("hybrid", max_tokens=20)(cw.read(TEXT.encode(), name="days.md"))
    with opened(browser, tmp_path, chunks, dark=dark) as found:
        before = found.page.locator(".cw-chunk").count()
        assert before < N_SECTIONS
        pages = _printed(found.page)
        assert len(pages) > 5
        text = " ".join(pages)
        for i in range(N_SECTIONS):
            assert f"It rained on day {i} of the year." in text
        # Behind that, the page shows what it showed.
        assert found.page.locator(".cw-chunk").count() == before
