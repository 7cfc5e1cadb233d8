"""The playground in a browser, of a service that wants a key."""

from collections.abc import Iterator

import pytest

from tests.pages.browser import Browser
from tests.pages.playground.opening import Playground, cut, playing
from tests.server.running import Running, serving

KEY = "a-key-of-the-service"
WORDS = "One two three. Four five six."

# It takes a Chromium of its own to start; the viewer's is in the quick run.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def locked() -> Iterator[Running]:
    """A service that wants a key."""
    for library in ("fastapi", "httptools", "jinja2"):
        pytest.importorskip(library, reason="the page needs the extra server")
    with serving(CHUNKWRIGHT_KEYS=KEY) as running:
        yield running


@pytest.fixture
def playground(browser: Browser, locked: Running) -> Iterator[Playground]:
    """The page, which asks for the key."""
    with playing(browser, locked) as found:
        found.page.goto(found.address)
        found.page.wait_for_selector("#pg-key-dialog[open]")
        yield found


def give(playground: Playground, key: str) -> None:
    playground.page.fill("#pg-key", key)
    playground.page.press("#pg-key", "Enter")


def test_the_key_is_asked_for_once(playground: Playground) -> None:
    give(playground, KEY)
    playground.wait()
    playground.put(WORDS)
    assert playground.texts == cut(WORDS, "recursive", max_tokens=120)
    playground.page.check("#pg-second")
    playground.page.fill("#pg-a-max_tokens", "8")
    playground.wait()
    assert playground.page.is_visible(".cw-pairs .cw-pair")
    assert playground.page.locator("#pg-key-dialog[open]").count() == 0


def test_the_key_is_kept_in_memory_alone(playground: Playground) -> None:
    give(playground, KEY)
    playground.wait()
    page = playground.page
    kept = page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")
    assert kept == [0, 0, ""]
    assert KEY not in page.content()
    assert KEY not in page.url
    assert page.input_value("#pg-key") == ""
    page.reload()
    page.wait_for_selector("#pg-key-dialog[open]")


def test_a_wrong_key_is_asked_for_again(playground: Playground) -> None:
    assert "was started with" in playground.page.inner_text("#pg-key-message")
    give(playground, "a-wrong-key")
    playground.page.wait_for_selector("#pg-key-message:has-text('not one of')")
    give(playground, KEY)
    playground.wait()
    assert playground.page.locator(".cw-chunk").count() > 0


@pytest.mark.parametrize("way", ["Cancel", "Escape"])
def test_who_has_no_key_can_try_later(playground: Playground, way: str) -> None:
    page = playground.page
    if way == "Cancel":
        page.click("#pg-key-cancel")
    else:
        page.keyboard.press("Escape")
    assert "key" in playground.problem_at("#pg-problem")
    page.click("#pg-retry")
    give(playground, KEY)
    playground.wait()
    assert page.is_hidden("#pg-problem")
    assert page.is_hidden("#pg-retry")


def test_a_key_that_no_header_can_have_is_not_sent(playground: Playground) -> None:
    asked: list[str] = []
    playground.page.on("request", lambda request: asked.append(request.url))
    give(playground, "schlüssel-🔑")
    assert playground.page.locator("#pg-key:invalid").count() == 1
    assert playground.page.is_visible("#pg-key-dialog[open]")
    assert asked == []
