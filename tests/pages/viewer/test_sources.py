"""Pages of documents with pages, and of documents in a store."""

from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.io.page_images import page_images
from chunkwright.server.stored.changes import change_rows
from chunkwright.store import Store
from tests.pages.browser import Browser, Page
from tests.pages.viewer.opening import NOTES, opened

RAIN = Path("docs/pipeline/rain.pdf")
STRATEGY = cw.strategy("hybrid", max_tokens=120)


def selected(page: Page) -> int:
    return int(page.get_attribute("article[aria-current=true]", "data-chunk") or -1)


@pytest.fixture(scope="module")
def images() -> dict[int, str]:
    pytest.importorskip("pypdfium2", reason="PDF documents are drawn by PDFium")
    return page_images(RAIN.read_bytes(), [1, 2, 3])


def test_a_box_selects_its_chunk_and_a_chunk_shows_its_boxes(
    browser: Browser, tmp_path: Path, images: dict[int, str]
) -> None:
    chunks = STRATEGY(cw.read(str(RAIN)))
    with opened(browser, tmp_path, chunks, images=images) as watched:
        page = watched.page
        assert page.locator(".cw-page image").count() == 1
        page.wait_for_function(
            "() => { const i = new Image(); i.src = document.querySelector('.cw-page image')"
            ".getAttribute('href'); return i.decode().then(() => i.naturalWidth > 500); }"
        )
        page.locator(".cw-page [data-box='3']").first.click()
        assert selected(page) == 3
        shown = page.locator(".cw-page .cw-box-now")
        assert shown.count() == len([box for box in chunks[3].boxes if box.page == 1])
        last = len(chunks) - 1
        page.keyboard.press("G")
        assert f"page {chunks[last].pages[0]} of 3" in page.inner_text(".cw-turn")
        page.locator(f".cw-page [data-box='{last}']").first.press("Enter")
        assert selected(page) == last


def test_pages_without_pictures_have_boxes_too(browser: Browser, tmp_path: Path) -> None:
    chunks = STRATEGY(cw.read(str(RAIN)))
    with opened(browser, tmp_path, chunks) as watched:
        page = watched.page
        assert page.locator(".cw-page image").count() == 0
        assert page.locator(".cw-page .cw-box").count() > 5
        page.click("[aria-label='Next page']")
        assert "page 2 of 3" in page.inner_text(".cw-turn")


def test_what_a_re_import_changed_is_shown(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text(NOTES)
    with Store.open(tmp_path / "s.db") as store:
        store.add(file)
        (address,) = [each.uri for each in store.documents()]
        (broken,) = [each for each in store.blocks(address) if "Monday" in each.text]
        (kept,) = [each for each in store.blocks(address) if "Reactors" in each.text]
        store.cite(broken.id, "It rained on Monday", by="the report")
        store.cite(kept.id, "Reactors upstream")
        file.write_text(NOTES.replace("It rained on Monday, and the rivers rose", "It snowed"))
        store.add(file)
        changes = change_rows(store, address, 1)
        chunks = store.chunks(address)
    with opened(browser, tmp_path, chunks, changes=changes) as watched:
        page = watched.page
        said = page.inner_text(".cw-changes")
        assert "Version 1 to 2" in said
        assert "1 new" in said
        assert "1 resolve, 0 moved, 1 broken" in said
        assert "“It rained on Monday”, cited by the report" in said
        assert "Monday" in page.inner_text(".cw-gone")
        new = page.locator(".cw-chunk:has(.cw-change-new)")
        assert [("It snowed" in text) for text in new.all_inner_texts()] == [True]
        page.click(".cw-changes .cw-places button")
        assert "It snowed" in chunks[selected(page)].text
