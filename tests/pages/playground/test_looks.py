"""The playground in a browser: dark, narrow, by keyboard, for all, and unmoved by hostile texts."""

import json
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from tests.pages.browser import CANARY, Browser, Page
from tests.pages.playground.opening import body_of, playing
from tests.server.running import Running

NEEDS_AXE = pytest.mark.skipif(
    find_spec("axe_playwright_python") is None, reason="axe finds what is not accessible"
)
RUNS = f"window.{CANARY}=1"
HOSTILE = [
    f"<script>{RUNS}</script>",
    f"<img src=x onerror={RUNS}>",
    f"</textarea></script><svg onload={RUNS}>",
    f"[a](javascript:{RUNS}) <a href='javascript:{RUNS}'>b</a>",
    f"'-{RUNS}-'\"+{RUNS}+\"${{{RUNS}}}{{{{{RUNS}}}}}",
    "a\u2028b\u2029c\u202ed\u2066e\x1b[31m\x07 f\x00g",
    "\ud83c\udf1e and \ufeff",
]


@NEEDS_AXE
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_nothing_wrong(
    browser: Browser, service: Running, width: int, *, dark: bool
) -> None:
    with playing(browser, service, width=width, dark=dark) as playground:
        playground.open(a="kamradt", b="recursive", **{"b.overlap": "5", "b.max_tokens": "50"})
        assert playground.page.is_visible(".cw-pairs")
        playground.page.click("#pg-take summary")
        playground.draw()
        playground.page.click("#pg-setting-a .pg-more summary")
        assert playground.watched.violations_of_axe() == []


@NEEDS_AXE
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_wrong_with_errors(
    browser: Browser, service: Running, *, dark: bool
) -> None:
    with playing(browser, service, dark=dark) as playground:
        playground.open(a="recursive")
        playground.page.fill("#pg-a-overlap", "9999")
        assert playground.problem_at("#pg-a-overlap-problem")
        assert playground.page.is_visible(".pg-stale .cw-chunk")
        assert playground.watched.violations_of_axe() == []
        playground.open(kind="pdf")
        assert playground.problem_at(".pg-nothing [role=alert]")
        assert playground.watched.violations_of_axe() == []


@pytest.mark.parametrize("strategy", ["recursive", "structural", "kamradt"])
def test_a_narrow_screen_scrolls_in_one_direction(
    browser: Browser, service: Running, strategy: str
) -> None:
    with playing(browser, service, width=360) as playground:
        playground.open(a=strategy, b="sentence")
        playground.put("A" * 400 + " " + "words and words " * 40)
        playground.wait()
        playground.draw()
        playground.page.click("#pg-setting-a .pg-more summary")
        assert playground.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert playground.page.evaluate("document.querySelector('.pg-side').scrollWidth") <= 360


def test_dark_is_dark(browser: Browser, service: Running) -> None:
    backgrounds = []
    for dark in (False, True):
        with playing(browser, service, dark=dark) as playground:
            playground.open()
            backgrounds.append(
                playground.page.evaluate("getComputedStyle(document.body).backgroundColor")
            )
    light, dark_one = ([int(part) for part in each[4:-1].split(",")] for each in backgrounds)
    assert min(light) > 200
    assert max(dark_one) < 60


def test_everything_is_reached_by_keys(browser: Browser, service: Running) -> None:
    with playing(browser, service) as playground:
        playground.open(a="recursive", **{"a.max_tokens": "60"})
        playground.page.click("#pg-take summary")
        reached = set(_walked(playground.page))
        needed = {"pg-text", "pg-open", "pg-kind", "pg-a-strategy", "pg-a-max_tokens"}
        assert needed | {"pg-second", "pg-vectors", "pg-copy"} <= reached
        playground.page.focus("#pg-second")
        playground.page.keyboard.press("Space")
        playground.wait()
        assert playground.page.is_visible("#pg-b-strategy")


def _walked(page: Page) -> Iterator[str]:
    """Yield the ids of what the tabulator reaches."""
    page.focus("#pg-text")
    for _ in range(60):
        yield page.evaluate("document.activeElement.id")
        page.keyboard.press("Tab")


def test_no_text_runs(browser: Browser, service: Running) -> None:
    with playing(browser, service) as playground:
        playground.open(a="recursive", b="sentence")
        for text in HOSTILE:
            playground.put(text)
            playground.wait()
            playground.page.fill("input[aria-label=Question]", text)
            playground.page.press("input[aria-label=Question]", "Enter")
            # A file's name cannot have a slash, and is shown wherever the file is.
            name = f"{text.replace('/', '∕')}.md"
            playground.drop(name, text.encode("utf-8", "replace"))
            playground.wait()
            # Of a file that is not shown there are no calls.
            for form in ("python", "command", "http") if _is_shown(playground.page) else ():
                playground.call(form)
            _check_nothing_was_made(playground.page)


def _is_shown(page: Page) -> bool:
    return page.locator(".pg-nothing").count() == 0


def _check_nothing_was_made(page: Page) -> None:
    """Check that there are no elements beside those of the page."""
    assert page.locator("script").count() == 2
    assert page.locator("img, svg[onload], iframe").count() == 0


@pytest.mark.parametrize("message", HOSTILE[:2])
def test_no_answer_of_a_service_runs(browser: Browser, service: Running, message: str) -> None:
    capabilities = service.ask("GET", "/v1/capabilities").json
    for strategy in capabilities["strategies"]:
        strategy["about"] = message
        for option in strategy["options"]["properties"].values():
            option["description"] = message
    capabilities["tokenizers"].append(message)
    capabilities["strategies"].append(
        {"name": message, "about": message, "takes": [], "options": {"properties": {message: {}}}}
    )
    error = {"code": "invalid_value", "message": message, "field": "chunking.strategy"}
    with playing(browser, service) as playground:
        page = playground.page
        page.route("**/v1/capabilities", lambda route: route.fulfill(body=json.dumps(capabilities)))
        playground.open()
        page.route(
            "**/v1/preview",
            lambda route: route.fulfill(status=422, body=json.dumps({"error": error})),
        )
        page.select_option("#pg-a-strategy", index=len(capabilities["strategies"]) - 1)
        assert playground.problem_at("#pg-a-strategy-problem")
        _check_nothing_was_made(page)


def test_a_script_of_a_stranger_is_refused(browser: Browser, service: Running) -> None:
    with playing(browser, service) as playground:
        playground.open()
        playground.page.evaluate(
            f"""() => {{
              const script = document.createElement("script");
              script.textContent = "{RUNS}";
              document.body.append(script);
            }}"""
        )
        violations = playground.page.evaluate("window.violations.splice(0)")
        assert violations == ["script-src-elem: inline "]
        playground.watched.wrong.clear()


def test_a_question_finds_its_chunk(browser: Browser, service: Running) -> None:
    with playing(browser, service) as playground:
        playground.open(a="recursive", **{"a.max_tokens": "60"})
        playground.page.fill("input[aria-label=Question]", "When may children feed the hens?")
        playground.page.press("input[aria-label=Question]", "Enter")
        best = playground.page.wait_for_selector("article[aria-current=true]")
        assert best is not None
        assert "Children may feed the hens" in best.inner_text()


def test_a_question_is_asked_of_a_model_that_is_chosen(browser: Browser, service: Running) -> None:
    with playing(browser, service) as playground:
        page = playground.page
        playground.open(a="recursive", vectors="lexical", **{"a.max_tokens": "60"})
        page.fill("input[aria-label=Question]", "When may children feed the hens?")
        with page.expect_request("**/v1/preview") as asked:
            page.press("input[aria-label=Question]", "Enter")
        assert body_of(asked.value)["questions"] == ["When may children feed the hens?"]
        assert body_of(asked.value)["embedder"] == "lexical"
        page.wait_for_selector(".cw-questions :text('vectors')")
        best = page.wait_for_selector("article[aria-current=true]")
        assert best is not None
        assert "Children may feed the hens" in best.inner_text()
