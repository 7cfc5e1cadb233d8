"""The playground in a browser: its address has the settings, and nothing of the text."""

from collections.abc import Iterator
from urllib.parse import parse_qsl

import pytest

from tests.pages.browser import Browser
from tests.pages.playground.opening import Playground, cut, playing
from tests.server.running import Running

WORDS = "One two three. Four five six. Seven eight nine. Ten eleven twelve."


@pytest.fixture
def playground(browser: Browser, service: Running) -> Iterator[Playground]:
    """A new page."""
    with playing(browser, service) as found:
        yield found


def test_an_address_gives_the_same_chunks_elsewhere(playground: Playground) -> None:
    page = playground.page
    playground.open(a="recursive", **{"a.max_chars": 20})
    page.fill("#pg-a-overlap", "5")
    page.select_option("#pg-kind", "markdown")
    page.check("#pg-second")
    page.select_option("#pg-b-strategy", "sentence")
    page.select_option("#pg-vectors", "lexical")
    said = dict(parse_qsl(playground.fragment))
    assert said == {
        "a": "recursive",
        "a.max_chars": "20",
        "a.overlap": "5",
        "b": "sentence",
        "b.max_chars": "20",
        "b.overlap": "5",
        "kind": "markdown",
        "vectors": "lexical",
    }
    playground.open(**said)
    assert page.input_value("#pg-a-overlap") == "5"
    assert page.input_value("#pg-kind") == "markdown"
    assert page.input_value("#pg-vectors") == "lexical"
    assert page.input_value("#pg-b-strategy") == "sentence"
    page.uncheck("#pg-second")
    playground.put(WORDS)
    assert playground.texts == cut(WORDS, "recursive", max_chars=20, overlap=5)


def test_nothing_of_the_text_is_in_the_address_or_kept(playground: Playground) -> None:
    playground.open()
    playground.put("quixotic words")
    playground.page.fill("#pg-a-max_tokens", "50")
    playground.wait()
    assert "quixotic" not in playground.page.url
    kept = playground.page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")
    assert kept == [0, 0, ""]
    playground.page.reload()
    assert "quixotic" not in playground.page.input_value("#pg-text")


def test_back_and_forward_go_through_the_settings(playground: Playground) -> None:
    page = playground.page
    playground.open(a="recursive", **{"a.max_chars": 20})
    playground.put(WORDS)
    page.select_option("#pg-a-strategy", "window")
    windows = playground.texts
    assert windows == cut(WORDS, "window", max_chars=20)
    page.go_back()
    playground.await_value("#pg-a-strategy", "recursive")
    assert playground.texts == cut(WORDS, "recursive", max_chars=20)
    page.go_forward()
    playground.await_value("#pg-a-strategy", "window")
    assert playground.texts == windows


def test_a_slider_that_is_drawn_is_one_step(playground: Playground) -> None:
    page = playground.page
    playground.open(a="recursive", **{"a.max_chars": 20})
    before = page.evaluate("history.length")
    page.locator("#pg-setting-a [data-option=max_chars] input[type=range]").evaluate(
        """each => {
          for (const value of [30, 40, 50]) {
            each.value = value;
            each.dispatchEvent(new Event("input"));
          }
          each.dispatchEvent(new Event("change"));
        }"""
    )
    assert page.evaluate("history.length") == before + 1
    page.go_back()
    playground.await_value("#pg-a-max_chars", "20")


@pytest.mark.parametrize(
    ("said", "unknown"),
    [
        ({"a": "<img src=x onerror=canaryRan=1>"}, "<img src=x onerror=canaryRan=1>"),
        ({"a": "recursive", "a.nonsense": "1"}, "a.nonsense"),
        ({"a": "recursive", "a.max_tokens": "many"}, "a.max_tokens"),
        ({"a": "recursive", "a.__proto__": "1"}, "a.__proto__"),
        ({"a": "constructor"}, "constructor"),
        ({"kind": "javascript:canaryRan=1"}, "kind"),
        ({"chunk": "3"}, "chunk"),
    ],
)
def test_what_an_address_says_that_nobody_knows_is_told(
    playground: Playground, said: dict[str, str], unknown: str
) -> None:
    playground.open(**said)
    status = playground.page.inner_text("#pg-status")
    assert "does not know" in status
    assert unknown in status


def test_a_value_that_is_wrong_is_said_at_its_field(playground: Playground) -> None:
    playground.open(a="recursive", **{"a.overlap": "-3", "a.tokenizer": "/etc/passwd"})
    # The service says one at a time.
    assert "/etc/passwd" in playground.problem_at("#pg-a-tokenizer-problem")
    playground.page.select_option("#pg-a-tokenizer", "cl100k_base")
    assert "overlap" in playground.problem_at("#pg-a-overlap-problem")
    playground.page.fill("#pg-a-overlap", "0")
    assert playground.texts
    assert playground.page.locator(".pg-problem:visible").count() == 0
