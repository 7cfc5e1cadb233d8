"""Layout of all pages, measured: nothing is cut off, nothing lies over anything else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import chunkwright as cw
from tests.pages.browser import Browser, Page
from tests.pages.playground.opening import Playground, playing
from tests.pages.viewer.opening import opened
from tests.server.running import Running, serving

RAIN = Path("docs/pipeline/rain.pdf")
# A phone, a small laptop, a large screen: width and height, and whether the scheme is dark.
SIZES = pytest.mark.parametrize(
    ("width", "height", "dark"),
    [(390, 844, False), (390, 844, True), (1280, 720, False), (1920, 1080, True)],
)
# What must not lie over each other, from the outside to the inside.
PARTS = (
    *(".pg-header", ".pg-side", ".pg-main", ".pg-view", ".pg-take", ".st-head"),
    *(
        ".cw-bar",
        ".cw-middle",
        ".cw-pages",
        ".cw-side-panels",
        ".cw-curve",
        ".cw-roles",
        ".cw-list",
    ),
    *(".cw-pages-bar", ".cw-frame", ".cw-panel", ".cw-panel-body", ".cw-form", ".cw-toggles"),
    *(".cw-parts", ".pg-control", ".pg-part", ".cw-sizes", ".cw-outline"),
)
MEASURE = Path(__file__).with_name("measure_layout.js").read_text("utf-8")


def measured(page: Page, *, drawn: bool = False) -> list[str]:
    """Return what is out of place; `drawn`: a drawer lies over the page, as it is meant to."""
    page.wait_for_function("() => !document.getAnimations().length")
    found: list[str] = page.evaluate(MEASURE, [PARTS, drawn])
    return found


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service with a store."""
    for library in ("fastapi", "httptools", "jinja2", "pypdfium2"):
        pytest.importorskip(library, reason="the pages need the extra server, and show a PDF")
    path = tmp_path_factory.mktemp("layout") / "kb.db"
    with cw.Store.open(path) as store:
        store.add(cw.read(RAIN.read_bytes(), name="rain.pdf"))
        store.add(cw.read(b"# " + b"long" * 60 + b"\n\nShort.", name="x" * 200, kind="markdown"))
    with serving("--store", str(path)) as running:
        yield running


def sized(playground: Playground, width: int, height: int) -> Page:
    playground.page.set_viewport_size({"width": width, "height": height})
    return playground.page


@SIZES
def test_the_playground_has_all_in_its_place(
    browser: Browser, service: Running, width: int, height: int, *, dark: bool
) -> None:
    with playing(browser, service, width=width, dark=dark) as playground:
        page = sized(playground, width, height)
        playground.open()
        assert measured(page) == []
        first = page.locator(".cw-chunk").first.bounding_box()
        assert first is not None
        assert first["y"] + 60 < height
        if width > 640:
            # The panel of sizes is seen, and nothing covers it.
            chart = page.locator(".cw-sizes")
            chart.scroll_into_view_if_needed()
            box = chart.bounding_box()
            assert box is not None
            assert page.evaluate(
                "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.cw-sizes-panel'))",
                [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2],
            )
        playground.drop("rain.pdf", RAIN.read_bytes())
        playground.wait()
        page.wait_for_selector(".cw-page", state="attached")
        for part in page.locator(".cw-part:visible").all():
            part.click()
            assert measured(page) == []
        page.click("#pg-take summary")
        assert measured(page) == []
        page.click("#pg-take summary")
        playground.draw()
        assert measured(page, drawn=width < 900) == []
        page.click("#pg-setting-a .pg-more summary")
        page.check("#pg-second")
        playground.wait()
        assert measured(page, drawn=width < 900) == []
        page.keyboard.press("Escape")
        assert measured(page, drawn=width < 900) == []


@SIZES
def test_the_viewer_has_all_in_its_place(
    browser: Browser, tmp_path: Path, width: int, height: int, *, dark: bool
) -> None:
    pytest.importorskip("pypdfium2", reason="PDF documents are read by PDFium")
    strategy = cw.strategy("hybrid", max_tokens=120)
    for source in (RAIN, Path("docs/quickstart.md")):
        chunks = strategy(cw.read(source))
        with opened(browser, tmp_path, chunks, strategy=strategy, width=width, dark=dark) as found:
            page = found.page
            page.set_viewport_size({"width": width, "height": height})
            page.keyboard.press("n")
            assert measured(page) == []
            for part in page.locator(".cw-part:visible").all():
                part.click()
                assert measured(page) == []


@SIZES
def test_the_store_has_all_in_its_place(
    browser: Browser, service: Running, width: int, height: int, *, dark: bool
) -> None:
    with playing(browser, service, width=width, dark=dark) as playground:
        page = sized(playground, width, height)
        page.goto(f"{playground.address}store")
        page.wait_for_selector("#st-documents button")
        assert measured(page, drawn=width < 900) == []
        for row in range(2):
            playground.draw()
            page.locator("#st-documents button").nth(row).click()
            page.wait_for_selector("#pg-view[aria-busy=false] .cw-chunk")
            page.wait_for_function("() => !document.getAnimations().length")
            page.click(".cw-chunk >> nth=0")
            page.click("#st-block summary")
            assert measured(page) == []


@pytest.mark.parametrize(("width", "height"), [(640, 360), (844, 390)], ids=["zoomed", "phone"])
def test_a_low_screen_scrolls_to_what_has_no_room(
    browser: Browser, service: Running, width: int, height: int
) -> None:
    """A small laptop at 200 %, and a phone that lies on its side."""
    with playing(browser, service) as playground:
        page = sized(playground, width, height)
        playground.open()
        page.click("#pg-take summary")
        assert measured(page) == []
        page.locator("#pg-copy").scroll_into_view_if_needed()
        assert page.locator("#pg-copy").is_visible()
        page.goto(f"{playground.address}store#document=rain.pdf")
        page.wait_for_selector(".cw-chunk")
        page.click(".cw-chunk >> nth=0")
        page.click("#st-block summary")
        assert measured(page) == []
        box = page.locator(".cw-list").bounding_box()
        assert box is not None
        assert box["height"] > 50


def test_what_is_out_of_place_is_found(browser: Browser, service: Running) -> None:
    with playing(browser, service) as playground:
        playground.open()
        page = playground.page
        page.evaluate("document.querySelector('.cw-side-panels').style.marginLeft = '-5rem'")
        assert any("over" in each for each in measured(page))
        page.evaluate("document.querySelector('.cw-bar').style.width = '200vw'")
        assert any("beyond" in each for each in measured(page))
