"""Strategies by meaning on a page: scores, the curve, and why each chunk ends."""

from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.reasons import Reasons
from tests.pages.browser import Browser
from tests.pages.viewer.opening import opened

TEXT = "".join(
    f"The cat number {i} sleeps and purrs. Cats like milk. Every engine hums. Engines need oil. "
    for i in range(30)
)
STRATEGY = cw.strategy("kamradt", max_tokens=60, embedder="lexical")


@pytest.fixture(scope="module")
def chunks() -> cw.Chunks:
    return STRATEGY(TEXT)


def test_endings_are_said_as_the_command_says_them(
    browser: Browser, tmp_path: Path, chunks: cw.Chunks
) -> None:
    said = Reasons(chunks, Settings(strategy="kamradt"))
    with opened(browser, tmp_path, chunks, strategy=STRATEGY) as watched:
        for article in watched.page.locator(".cw-chunk:has(.cw-words)").all():
            number = int(article.get_attribute("data-chunk") or -1)
            words = article.locator(".cw-words").inner_text()
            assert said.ending(number)[1].endswith(words)
            assert words in (article.locator(".cw-ending").get_attribute("title") or "")


def test_scores_inside_chunks_are_a_layer(
    browser: Browser, tmp_path: Path, chunks: cw.Chunks
) -> None:
    with opened(browser, tmp_path, chunks, strategy=STRATEGY) as watched:
        page = watched.page
        assert page.locator(".cw-score").count() == 0
        page.click("[data-layer=similarity]")
        scores = page.eval_on_selector_all(
            ".cw-score", "all => all.map(each => Number(each.dataset.said.slice(1)))"
        )
        assert chunks.boundaries is not None
        known = {f"{score:.2f}" for score in chunks.boundaries.scores.tolist()}
        assert scores
        assert {f"{score:.2f}" for score in scores} <= known
        title = page.locator(".cw-score").first.get_attribute("title") or ""
        assert title.startswith("not cut here: distance ")
        # What is said between characters is no text of the document.
        body = page.locator(".cw-chunk >> nth=0 >> .cw-text").text_content()
        assert body == chunks[0].text


def test_a_click_on_the_curve_goes_there(
    browser: Browser, tmp_path: Path, chunks: cw.Chunks
) -> None:
    with opened(browser, tmp_path, chunks, strategy=STRATEGY) as watched:
        page = watched.page
        label = page.get_attribute(".cw-curve svg", "aria-label") or ""
        assert chunks.boundaries is not None
        assert f"threshold {chunks.boundaries.thresholds[0]:.2f}" in label
        assert page.locator(".cw-curve .cw-tick").count() > 0
        box = page.locator(".cw-curve svg").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
        number = int(page.get_attribute("article[aria-current=true]", "data-chunk") or -1)
        place = 0.75 * len(TEXT)
        assert chunks[number].start - 20 <= place <= chunks[number].end + 20


def test_a_chunk_says_where_it_was_not_cut(
    browser: Browser, tmp_path: Path, chunks: cw.Chunks
) -> None:
    with opened(browser, tmp_path, chunks, strategy=STRATEGY) as watched:
        watched.page.keyboard.press("n")
        assert "Not cut at" in watched.page.inner_text(".cw-details")
        assert "ends" in watched.page.inner_text(".cw-details dl")
