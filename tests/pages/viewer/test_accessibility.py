"""The viewer for all: contrast, names, the keyboard alone, narrow screens."""

from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.render.viewing import view_of
from chunkwright.retrieval.question_scores import question_scores
from tests.pages.browser import Browser
from tests.pages.viewer.opening import notes, opened

pytest.importorskip("axe_playwright_python", reason="axe finds what is not accessible")

QUESTION = "Which reactor was shut down?"


def full() -> tuple[cw.Chunks, dict[str, Any]]:
    """Return chunks with all that a page can show."""
    strategies = [cw.strategy("hybrid", max_tokens=n) for n in (20, 14)]
    chunks, other = (cw.shadows(strategy(notes()), chars=30) for strategy in strategies)
    return chunks, {
        "strategy": strategies[0],
        "other": view_of(other, strategy=strategies[1]),
        "questions": question_scores(chunks, [QUESTION], cw.embed.as_embedder("lexical")),
        "changes": {
            "from": 1,
            "to": 2,
            "chunks": [["kept", "new", "moved"][i % 3] for i in range(len(chunks))],
            "gone": [{"text": "What was there."}],
            "citations": {"resolved": 1, "moved": 0, "broken": [{"quote": "was there"}]},
        },
    }


LOOKS = pytest.mark.parametrize(
    ("width", "dark"), [(360, False), (1280, True)], ids=["narrow-light", "wide-dark"]
)


@LOOKS
def test_axe_finds_nothing_side_by_side(
    browser: Browser, tmp_path: Path, width: int, *, dark: bool
) -> None:
    chunks, shown = full()
    with opened(browser, tmp_path, chunks, width=width, dark=dark, **shown) as watched:
        assert watched.violations_of_axe() == []


@LOOKS
def test_axe_finds_nothing_where_all_is_shown(
    browser: Browser, tmp_path: Path, width: int, *, dark: bool
) -> None:
    chunks, shown = full()
    with opened(browser, tmp_path, chunks, width=width, dark=dark, **shown) as watched:
        page = watched.page
        page.click("[data-layer='side by side']")
        page.click("[data-layer=structure]")
        page.click("[data-layer=shadows]")
        page.fill("[aria-label='Find in the text'][type=search]", "on")
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        if page.is_visible("[data-part=side]"):
            page.click("[data-part=side]")
        page.locator(".cw-given button").first.click()
        page.wait_for_selector(".cw-hits li")
        assert watched.violations_of_axe() == []


@LOOKS
def test_axe_finds_nothing_about_scores_and_keys(
    browser: Browser, tmp_path: Path, width: int, *, dark: bool
) -> None:
    text = "The cat sleeps. Cats like milk. Every engine hums. Engines need oil. " * 5
    chunks = cw.strategy("kamradt", max_tokens=30, embedder="lexical")(text)
    with opened(browser, tmp_path, chunks, width=width, dark=dark) as watched:
        watched.page.click("[data-layer=similarity]")
        watched.page.keyboard.press("n")
        assert watched.violations_of_axe() == []
        watched.page.keyboard.press("?")
        assert watched.violations_of_axe() == []


@LOOKS
def test_axe_finds_nothing_about_pages(
    browser: Browser, tmp_path: Path, width: int, *, dark: bool
) -> None:
    pytest.importorskip("pypdfium2", reason="PDF documents are read by PDFium")
    rain = cw.strategy("hybrid", max_tokens=120)(cw.read("docs/pipeline/rain.pdf"))
    with opened(browser, tmp_path, rain, width=width, dark=dark) as watched:
        watched.page.keyboard.press("n")
        assert watched.violations_of_axe() == []


def test_axe_would_find_something(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, full()[0]) as watched:
        watched.page.evaluate("document.querySelector('input').removeAttribute('aria-label')")
        watched.page.evaluate("document.querySelector('input').removeAttribute('placeholder')")
        assert any("label" in each for each in watched.violations_of_axe())


def test_a_narrow_screen_needs_no_sideways_scrolling(browser: Browser, tmp_path: Path) -> None:
    chunks, shown = full()
    long = cw.strategy("hybrid", max_tokens=300)(
        cw.read(f"# {'x' * 300}\n\n{'y' * 900}".encode(), kind="markdown", name="z" * 200)
    )
    for some, more in ((chunks, shown), (long, {})):
        with opened(browser, tmp_path, some, width=360, **more) as watched:
            page = watched.page
            page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
            page.keyboard.press("n")
            widths = page.evaluate(
                "[document.documentElement.scrollWidth, "
                "document.querySelector('.cw-list').scrollWidth]"
            )
            assert max(widths) <= 360


def test_the_keyboard_reaches_all_controls_and_shows_where_it_is(
    browser: Browser, tmp_path: Path
) -> None:
    chunks, shown = full()
    with opened(browser, tmp_path, chunks, **shown) as watched:
        page = watched.page
        wanted = page.evaluate(
            "[...document.querySelectorAll('main button:not([disabled]), main input, main summary,"
            " main .cw-list')].filter(each => each.checkVisibility()).length"
        )
        reached = set()
        for _ in range(wanted + 40):
            page.keyboard.press("Tab")
            seen, outlined = page.evaluate(
                """() => {
                  const at = document.activeElement;
                  const all = [...document.querySelectorAll('main *')];
                  return [all.indexOf(at), getComputedStyle(at).outlineStyle !== 'none'];
                }"""
            )
            if seen < 0:
                break
            assert outlined
            reached.add(seen)
        assert len(reached) >= wanted


def test_a_selection_is_announced(browser: Browser, tmp_path: Path) -> None:
    chunks, shown = full()
    with opened(browser, tmp_path, chunks, **shown) as watched:
        watched.page.keyboard.press("n")
        assert "Chunk 0, " in watched.page.inner_text("[role=status]")
        assert f"{chunks[0].n_tokens} tokens" in watched.page.inner_text("[role=status]")
