"""The page of a store in a browser: its documents, citations and edits, whatever they say."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

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


def _open_block(playground: Playground, index: int) -> None:
    playground.page.click(f"article[data-chunk='{index}'] .cw-text")
    if not playground.page.is_visible("#st-block textarea"):
        playground.page.click("#st-block summary")


def test_a_text_that_somebody_else_overtook_is_kept(
    page: Playground, browser: Browser, stored: tuple[Running, str]
) -> None:
    with playing(browser, stored[0]) as other:
        for each in (page, other):
            each.page.goto("about:blank")
            each.page.goto(f"{page.address}store#document={quote(HOSTILE)}.md")
            shown(each)
            _open_block(each, 1)
        page.page.fill("#st-block textarea", "The text of one.")
        other.page.fill("#st-block textarea", "The text of two.")
        page.page.click("#st-block button[type=submit]")
        page.page.wait_for_selector("#st-block-name:has-text('edited by hand')")
        other.page.click("#st-block button[type=submit]")
        said = other.problem_at("#st-block [role=alert]")
        assert said == "Somebody else has edited this block meanwhile. Now it says:"
        assert other.page.inner_text("#st-block .st-quote") == "The text of one."
        assert other.page.input_value("#st-block textarea") == "The text of two."
        assert "Not saved yet." in other.page.inner_text("#st-block")
        # Whoever has seen both may save over it.
        other.page.click("#st-block button[type=submit]")
        other.page.wait_for_selector("#st-block .st-quote:has-text('The text of two.')")
        assert "meanwhile" not in other.page.inner_text("#st-block")
        version = other.page.input_value("#st-version")
        assert f"version {version} " in other.page.inner_text("#st-documents [aria-current=true]")


def test_a_text_that_is_not_saved_is_kept_while_other_blocks_are_looked_at(
    page: Playground,
) -> None:
    page.page.click("#st-documents button")
    shown(page)
    _open_block(page, 0)
    before = page.page.input_value("#st-block textarea")
    page.page.fill("#st-block textarea", "Work of an hour.")
    asks = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert page.page.evaluate(asks)
    _open_block(page, 1)
    assert page.page.input_value("#st-block textarea") != "Work of an hour."
    _open_block(page, 0)
    assert page.page.input_value("#st-block textarea") == "Work of an hour."
    page.page.click("#st-block button:has-text('Discard')")
    assert page.page.input_value("#st-block textarea") == before
    assert not page.page.evaluate(asks)


def test_the_address_names_the_block(page: Playground) -> None:
    page.page.click("#st-documents button")
    shown(page)
    page.page.click("article[data-chunk='1'] .cw-text")
    assert "block=" in page.fragment
    page.page.reload()
    page.page.wait_for_selector("article[data-chunk='1'][aria-current=true]")
    assert "Block 1" in page.page.inner_text("#st-block summary")


def test_rows_are_called_blocks(page: Playground) -> None:
    page.page.click("#st-documents button")
    shown(page)
    page.page.click("article[data-chunk='0'] .cw-text")
    assert "blocks of" in page.page.inner_text(".cw-about")
    assert "chunk" not in page.page.inner_text("#pg-view").lower()


def test_a_service_that_is_gone_can_be_asked_again(page: Playground) -> None:
    page.page.route("**/v1/store/document?*", lambda route: route.abort("connectionrefused"))
    page.page.click("#st-documents button")
    page.page.wait_for_selector(".pg-nothing:has-text('The service does not answer.')")
    page.page.unroute("**/v1/store/document?*")
    page.watched.wrong.clear()
    page.page.click("#pg-retry")
    assert shown(page)
    assert page.page.is_hidden("#pg-retry")


def test_what_is_not_there_is_said(page: Playground) -> None:
    page.page.fill("#st-citation", "nothing")
    page.page.click("#st-cite button")
    page.page.wait_for_selector("#st-resolved .pg-problem:has-text('no citation')")
    page.page.goto("about:blank")
    page.page.goto(f"{page.address}store#document=no.md")
    page.page.wait_for_selector(".pg-nothing:has-text('The store has no document called no.md.')")
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
