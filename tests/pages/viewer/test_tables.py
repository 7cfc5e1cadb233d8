"""Tables of chunks in the viewer: what keys reach, and what is drawn of numbers."""

from __future__ import annotations

from pathlib import Path

import chunkwright as cw
from tests.pages.browser import Browser
from tests.pages.viewer.opening import opened

NARROW = "| year | sacks |\n|---|---|\n| 1889 | 4,120 |\n"
WIDE = "|".join(f" a column of number {i} " for i in range(40))
TEXT = f"# Mill\n\n{NARROW}\n## Years\n\n|{WIDE}|\n|{'---|' * 40}\n|{' 5.39E-05 |' * 40}\n"


def test_a_table_is_a_tab_stop_where_it_scrolls(browser: Browser, tmp_path: Path) -> None:
    chunks = cw.strategy("hybrid", max_tokens=2000)(cw.read(TEXT.encode(), name="mill.md"))
    with opened(browser, tmp_path, chunks) as found:
        page = found.page
        page.wait_for_selector(".cw-table[tabindex]")
        stops = page.eval_on_selector_all(".cw-table", "all => all.map(each => each.tabIndex)")
        assert stops == [-1, 0]
        wide = page.locator(".cw-table").nth(1)
        assert "cw-goes-on" in (wide.get_attribute("class") or "")
        wide.evaluate("each => { each.scrollLeft = each.scrollWidth; }")
        page.wait_for_selector(".cw-table[tabindex]:not(.cw-goes-on)")
        assert wide.evaluate("each => each.role") == "group"


def test_a_number_with_an_exponent_stays_on_its_line(browser: Browser, tmp_path: Path) -> None:
    chunks = cw.strategy("hybrid", max_tokens=2000)(cw.read(TEXT.encode(), name="mill.md"))
    with opened(browser, tmp_path, chunks, width=390) as found:
        heights = found.page.eval_on_selector_all(
            "td.cw-figure", "all => all.map(each => each.offsetHeight)"
        )
        assert len(heights) == 42
        assert max(heights) < 40
