"""The playground in a browser: chunks follow what is typed and chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.pages.browser import Browser
from tests.pages.playground.opening import Playground, cut, playing
from tests.server.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Route

WORDS = "One two three. Four five six. Seven eight nine. Ten eleven twelve."
CUT = cut(WORDS, "recursive", max_chars=20)


@pytest.fixture
def playground(browser: Browser, service: Running) -> Iterator[Playground]:
    """The page, with a short text."""
    with playing(browser, service) as found:
        found.open(a="recursive", **{"a.max_chars": 20})
        found.put(WORDS)
        found.wait()
        yield found


def test_the_sample_is_cut_at_once(browser: Browser, service: Running) -> None:
    with playing(browser, service) as playground:
        playground.open()
        sample = playground.page.input_value("#pg-text")
        expected = cut(sample, "auto", max_tokens=120)
        playground.check_shows(expected)


def test_chunks_change_as_one_types(playground: Playground) -> None:
    assert playground.texts == CUT
    playground.page.focus("#pg-text")
    playground.page.keyboard.press("Control+End")
    playground.page.keyboard.type(" Thirteen fourteen.")
    more = f"{WORDS} Thirteen fourteen."
    assert playground.texts == cut(more, "recursive", max_chars=20)


def test_an_empty_text_has_no_chunks(playground: Playground) -> None:
    playground.page.click("#pg-clear")
    assert playground.texts == []
    assert playground.page.evaluate("document.activeElement.id") == "pg-text"
    playground.page.click("#pg-sample")
    assert playground.texts[0] == "# The mill at Ford"


def test_a_slider_and_its_field_say_the_same(playground: Playground) -> None:
    page = playground.page
    slider = page.locator("[data-option=max_chars] input[type=range]").first
    slider.evaluate("each => { each.value = 40; each.dispatchEvent(new Event('input')); }")
    assert page.input_value("#pg-a-max_chars") == "40"
    assert playground.texts == cut(WORDS, "recursive", max_chars=40)
    page.fill("#pg-a-max_chars", "9999")
    assert playground.texts == [WORDS]
    assert slider.input_value() == "9999"


def test_a_limit_in_tokens_takes_the_place_of_one_in_characters(playground: Playground) -> None:
    page = playground.page
    page.check("#pg-setting-a [aria-label='Largest chunk (tokens), on']")
    page.fill("#pg-a-max_tokens", "4")
    expected = cut(WORDS, "recursive", max_tokens=4)
    assert playground.texts == expected
    assert page.input_value("#pg-a-max_chars") == ""
    assert page.is_disabled("[data-option=max_chars] input[type=range]")


def test_what_is_turned_off_is_the_default_again(playground: Playground) -> None:
    page = playground.page
    page.uncheck("#pg-setting-a [aria-label='Largest chunk (characters), on']")
    assert playground.texts == [WORDS]
    assert playground.fragment == "a=recursive"


@pytest.mark.parametrize(
    "options", [{"repeat_headers": False}, {"overlap": 20, "overlap_at": "any"}, {"soft_max": 30}]
)
def test_names_and_switches_change_the_chunks(
    browser: Browser, service: Running, options: dict[str, object]
) -> None:
    rows = "".join(f"| {i} | row |\n" for i in range(6))
    text = f"| a | b |\n|---|---|\n{rows}\n{WORDS}"
    expected = cut(text, "recursive", max_chars=60, **options)
    assert expected != cut(text, "recursive", max_chars=60)
    with playing(browser, service) as playground:
        playground.open(a="recursive", **{"a.max_chars": 60})
        playground.put(text)
        for name, value in options.items():
            _choose(playground, name, value)
        playground.check_shows(expected)


def _choose(playground: Playground, name: str, value: object) -> None:
    field = playground.page.locator(f"#pg-a-{name}")
    if not field.is_visible():
        playground.page.click("#pg-setting-a .pg-more summary")
    if isinstance(value, bool):
        field.set_checked(value)
    elif isinstance(value, int):
        switch = playground.page.locator(
            f"#pg-setting-a [data-option={name}] .pg-switch[aria-label$=', on']"
        )
        if switch.count():
            switch.check()
        field.fill(str(value))
    else:
        field.select_option(str(value))


def test_every_option_of_every_strategy_has_a_control(browser: Browser, service: Running) -> None:
    strategies = service.ask("GET", "/v1/capabilities").json["strategies"]
    with playing(browser, service) as playground:
        playground.open()
        for strategy in strategies:
            playground.page.select_option("#pg-a-strategy", strategy["name"])
            options = strategy["options"]["properties"]
            found = playground.page.eval_on_selector_all(
                "#pg-setting-a [data-option]",
                """all => all.map(each => [each.dataset.option, [".pg-label", ".pg-help"].map(
                  name => each.querySelector(name).textContent)])""",
            )
            assert {name for name, _ in found} == options.keys()
            for name, (label, about) in found:
                # What has no words of its own is shown as it is called in code.
                assert label != name, "write words for it in playground-words.js"
                assert about
                assert "`" not in label + about


def test_options_that_another_strategy_has_too_are_kept(playground: Playground) -> None:
    playground.page.select_option("#pg-a-strategy", "sentence")
    assert playground.texts == cut(WORDS, "sentence", max_chars=20)
    assert playground.fragment == "a=sentence&a.max_chars=20"
    playground.page.select_option("#pg-a-strategy", "structural")
    assert playground.texts == cut(WORDS, "structural", max_chars=20)


def test_a_second_setting_begins_as_another_one(playground: Playground) -> None:
    begun = (("auto", "balanced"), ("recursive", "balanced"), ("balanced", "recursive"))
    for first, second in begun:
        playground.open(a=first, **{"a.max_chars": 20})
        playground.page.check("#pg-second")
        playground.wait()
        assert playground.page.input_value("#pg-b-strategy") == second
        assert playground.page.input_value("#pg-b-max_chars") == "20"


def test_a_second_setting_stands_beside_the_first(playground: Playground) -> None:
    page = playground.page
    page.check("#pg-second")
    page.select_option("#pg-b-strategy", "recursive")
    page.fill("#pg-b-max_chars", "40")
    page.wait_for_selector("#pg-status:text-matches('^4 chunks and 2 chunks in')")
    playground.wait()
    assert page.is_visible(".cw-pairs")
    assert "4 and 2 chunks, 2 boundaries differ" in page.inner_text(".cw-about")
    assert page.locator(".cw-only").all_inner_texts() == ["only in A", "only in A"]
    page.uncheck("#pg-second")
    assert playground.texts == CUT


def test_a_later_change_ends_what_was_asked_before(browser: Browser, service: Running) -> None:
    with playing(browser, service) as playground:
        playground.open(a="recursive", **{"a.max_chars": 20})
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        playground.page.route("**/v1/preview", hold, times=1)
        with playground.page.expect_request("**/v1/preview"):
            playground.put("An earlier text.")
        with playground.page.expect_event("requestfailed") as ended:
            playground.put(WORDS)
        assert playground.texts == CUT
        assert len(held) == 1
        assert ended.value.failure == "net::ERR_ABORTED"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("overlap", "20", "overlap must be less than max_chars=20"),
        ("overlap", "-1", "overlap must be at least 0"),
        ("max_chars", "1.5", "max_chars must be an int"),
        ("soft_max", "21", "soft_max"),
    ],
)
def test_errors_stand_at_the_field_that_they_name(
    playground: Playground, field: str, value: str, said: str
) -> None:
    page = playground.page
    if field == "soft_max":
        page.click("#pg-setting-a .pg-more summary")
        page.check("#pg-setting-a [aria-label='Size to aim for, on']")
    page.fill(f"#pg-a-{field}", value)
    assert said in playground.problem_at(f"#pg-a-{field}-problem")
    assert page.get_attribute(f"#pg-a-{field}", "aria-invalid") == "true"
    described = page.get_attribute(f"#pg-a-{field}", "aria-describedby") or ""
    assert f"pg-a-{field}-problem" in described.split()
    assert page.inner_text("#pg-status").startswith("Not cut: ")
    # What was there before stands there still, and is said to be old.
    assert page.locator(".pg-stale .cw-chunk").count() >= 4
    page.fill(f"#pg-a-{field}", "10")
    page.wait_for_selector(f"#pg-a-{field}-problem", state="hidden")
    assert page.locator(".pg-stale").count() == 0


def test_an_error_of_the_second_setting_stands_there(playground: Playground) -> None:
    page = playground.page
    page.check("#pg-second")
    page.fill("#pg-b-overlap", "20")
    assert "overlap must be less" in playground.problem_at("#pg-b-overlap-problem")
    assert page.is_hidden("#pg-a-overlap-problem")
    assert playground.texts == CUT


def test_a_list_of_separators_is_json(playground: Playground) -> None:
    page = playground.page
    page.click("#pg-setting-a .pg-more summary")
    page.fill("#pg-a-separators", '["e", ')
    assert "a list in JSON is needed" in playground.problem_at("#pg-a-separators-problem")
    page.fill("#pg-a-separators", '["e", "i"]')
    expected = cut(WORDS, "recursive", max_chars=20, separators=["e", "i"])
    assert playground.texts == expected
    assert page.is_hidden("#pg-a-separators-problem")
    page.fill("#pg-a-separators", "nonsense")
    assert "separators" in playground.problem_at("#pg-a-separators-problem")


def test_a_kind_that_the_text_is_not_is_said(playground: Playground) -> None:
    playground.page.select_option("#pg-kind", "pdf")
    assert "PDF" in playground.problem_at("#pg-problem, #pg-source-problem")
    playground.page.select_option("#pg-kind", "text")
    assert playground.texts == CUT
    assert playground.page.is_hidden("#pg-problem")


def test_what_was_cleared_can_be_brought_back(playground: Playground) -> None:
    page = playground.page
    page.click("#pg-text")
    page.keyboard.press("Control+End")
    page.keyboard.type(" Words of one's own.")
    playground.wait()
    page.click("#pg-clear")
    playground.wait()
    assert page.input_value("#pg-text") == ""
    page.keyboard.press("Control+z")
    playground.wait()
    assert page.input_value("#pg-text").endswith(" Words of one's own.")
    assert playground.texts[-1].endswith("one's own.")


def test_a_service_that_is_gone_is_said(playground: Playground) -> None:
    playground.page.route("**/v1/preview", lambda route: route.abort("connectionrefused"))
    playground.put("Another text.")
    assert playground.problem_at("#pg-problem") == "The service does not answer."
    playground.page.unroute("**/v1/preview")
    playground.watched.wrong.clear()
    playground.page.click("#pg-retry")
    assert playground.texts == ["Another text."]
    assert playground.page.is_hidden("#pg-retry")
    playground.put("Another text again.")
    assert playground.texts == ["Another text again."]
