"""Two cuts side by side on a page: what differs is marked, and both scroll together."""

from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.render.comparison import boundaries
from chunkwright.render.viewing import view_of
from tests.pages.browser import Browser
from tests.pages.viewer.opening import opened

TEXT = "".join(f"Sentence {i} of rain and rivers 🌧.\n\n" for i in range(120))
STRATEGIES = [cw.strategy("recursive", max_chars=n) for n in (300, 240)]


@pytest.fixture
def both() -> list[cw.Chunks]:
    return [strategy(TEXT) for strategy in STRATEGIES]


def shown(both: list[cw.Chunks]) -> dict[str, Any]:
    return {"strategy": STRATEGIES[0], "other": view_of(both[1], strategy=STRATEGIES[1])}


def test_boundaries_are_those_of_compare(
    browser: Browser, tmp_path: Path, both: list[cw.Chunks]
) -> None:
    a, b = (boundaries(TEXT, chunks).keys() for chunks in both)
    with opened(browser, tmp_path, both[0], **shown(both)) as watched:
        page = watched.page
        sizes = page.inner_text(".cw-sizes-panel")
        counts = f"{len(a & b)} shared", f"{len(a - b)} only in A", f"{len(b - a)} only in B"
        assert all(count in sizes for count in counts)
        seen = set()
        for _ in range(len(a ^ b)):
            page.keyboard.press("]")
            seen.add(page.inner_text(".cw-status"))
        assert len(seen) == len(a ^ b)
        assert page.locator(".cw-differs .cw-only").count() > 0


def test_both_sides_have_the_whole_text(browser: Browser, tmp_path: Path) -> None:
    # No more than is near the viewport.
    short = TEXT[:700]
    both = [strategy(short) for strategy in STRATEGIES]
    with opened(browser, tmp_path, both[0], **shown(both)) as watched:
        for side in (0, 1):
            parts = watched.page.locator(f".cw-side-{side} .cw-text").all_text_contents()
            assert "".join("".join(parts).split()) == "".join(short.split())


def test_side_by_side_is_switched_off_at_the_same_place(
    browser: Browser, tmp_path: Path, both: list[cw.Chunks]
) -> None:
    with opened(browser, tmp_path, both[0], **shown(both)) as watched:
        page = watched.page
        page.keyboard.press("G")
        page.click("[data-layer='side by side']")
        assert page.locator(".cw-pair").count() == 0
        assert page.locator(f"article[data-chunk='{len(both[0]) - 1}']").count() == 1


def test_on_a_narrow_screen_the_text_stands_once(
    browser: Browser, tmp_path: Path, both: list[cw.Chunks]
) -> None:
    with opened(browser, tmp_path, both[0], width=360, **shown(both)) as watched:
        page = watched.page
        assert page.locator(".cw-side-0 .cw-text >> visible=true").count() > 0
        assert page.locator(".cw-side-1 .cw-text >> visible=true").count() == 0
        page.keyboard.press("]")
        assert page.locator(".cw-only >> visible=true").count() > 0
