"""The page of a store in a browser: its documents, citations and edits, whatever they say."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import chunkwright as cw
from tests.pages.browser import CANARY, Browser
from tests.pages.playground.opening import Playground, playing
from tests.server.running import Running, serving

RUN = f"window.{CANARY}=1"
HOSTILE = f"<img src=x onerror={RUN}><script>{RUN}</script>\"'"
TEXT = f"# {HOSTILE}\n\nBuilt in 1743 by {HOSTILE} the miller.\n\n## Wheels\n\nIt has two wheels.\n"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, str]]:
    """A service with a store that may be edited, and the id of a citation whose words changed."""
    for library in ("fastapi", "httptools", "jinja2"):
        pytest.importorskip(library, reason="the page needs the extra server")
    path: Path = tmp_path_factory.mktemp("store") / "kb.db"
    with cw.Store.open(path) as store:
        store.add(cw.read(TEXT.encode(), name=f"{HOSTILE}.md"))
        block = next(each for each in store.blocks(f"{HOSTILE}.md") if "two wheels" in each.text)
        cited = store.cite(block.id, "It has two wheels", by=HOSTILE)
        store.add(cw.read(TEXT.replace("two", "three").encode(), name=f"{HOSTILE}.md"))
    with serving("--store", str(path), "--allow-edits") as running:
        yield running, cited.id


@pytest.fixture
def page(browser: Browser, stored: tuple[Running, str]) -> Iterator[Playground]:
    with playing(browser, stored[0]) as found:
        found.page.goto(f"{found.address}store")
        found.page.wait_for_selector("#st-documents button")
        yield found


def shown(playground: Playground) -> str:
    """Return what is shown of a document, once it is there."""
    playground.page.wait_for_selector("#pg-view[aria-busy=false] .cw-chunk")
    return playground.page.inner_text("#pg-view .cw-list")


def test_a_citation_is_shown_where_it_stands_with_what_changed(
    page: Playground, stored: tuple[Running, str]
) -> None:
    page.page.fill("#st-citation", stored[1])
    page.page.click("#st-cite button")
    assert "It has three wheels." in shown(page)
    said = page.page.inner_text("#st-resolved")
    assert "It stands with other words." in said
    assert "“two” is now “three”." in said
    assert page.page.inner_text(".cw-hit-now") == "It has three wheels"
    assert page.page.input_value("#st-since") == "1"
    assert "1 new" in page.page.inner_text(".cw-changes")
    page.page.click("text=Show version 1")
    page.page.wait_for_selector(".cw-list :text('It has two wheels.')")
    assert page.page.input_value("#st-version") == "1"
    # The address says what is shown: it can be shared, and gone back from.
    page.page.go_back()
    page.page.wait_for_selector(".cw-list :text('It has three wheels.')")


def test_a_block_is_edited_by_hand(page: Playground) -> None:
    page.page.click("#st-documents button")
    shown(page)
    page.page.click("article[data-chunk='0'] .cw-text")
    page.page.click("#st-block summary")
    page.page.fill("#st-block textarea", "Built in 1744.")
    page.page.click("#st-block button[type=submit]")
    page.page.wait_for_selector("#st-block-name:has-text('edited by hand')")
    assert page.page.inner_text("#st-block .st-quote") == "Built in 1744."


def test_what_is_not_there_is_said(page: Playground) -> None:
    page.page.fill("#st-citation", "nothing")
    page.page.click("#st-cite button")
    page.page.wait_for_selector("#st-resolved .pg-problem:has-text('no citation')")
    page.page.fill("#st-filter", "no such address")
    page.page.wait_for_selector("#st-documents :text('None is called so.')")
    page.page.click("#st-review")
    page.page.wait_for_selector("#st-doubts :text('There are none.')")


def test_no_text_of_a_store_is_markup(page: Playground, stored: tuple[Running, str]) -> None:
    page.page.fill("#st-citation", stored[1])
    page.page.click("#st-cite button")
    assert HOSTILE in shown(page)
    assert page.page.locator("script").count() == 2
    assert page.page.locator("img, iframe, svg[onload]").count() == 0
    assert HOSTILE in page.page.inner_text("#st-documents")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_wrong(
    browser: Browser, stored: tuple[Running, str], width: int, *, dark: bool
) -> None:
    if find_spec("axe_playwright_python") is None:
        pytest.skip("axe finds what is not accessible")
    with playing(browser, stored[0], width=width, dark=dark) as found:
        found.page.goto(f"{found.address}store#citation={stored[1]}")
        shown(found)
        found.page.click(".cw-chunk >> nth=0")
        found.page.click("#st-block summary")
        assert found.watched.violations_of_axe() == []
        found.draw()
        found.page.wait_for_function("() => !document.getAnimations().length")
        assert found.watched.violations_of_axe() == []
