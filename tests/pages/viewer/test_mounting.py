"""The viewer in a browser: what it shows of chunks, and what its controls do."""

from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.render.viewing import view_of
from tests.pages.browser import Browser, Page
from tests.pages.viewer.opening import notes, opened

STRATEGY = cw.strategy("hybrid", max_tokens=32)
WORDS = "One two three. Four five six. Seven eight nine. Ten eleven twelve."


def texts(page: Page) -> list[str]:
    """Return the texts of the chunks that the page shows."""
    found: list[str] = page.eval_on_selector_all(
        ".cw-chunk .cw-text", "all => all.map(each => each.textContent)"
    )
    return found


def selected(page: Page) -> int:
    return int(page.get_attribute("article[aria-current=true]", "data-chunk") or -1)


def test_all_chunks_are_there_as_they_are(browser: Browser, tmp_path: Path) -> None:
    chunks = STRATEGY(notes())
    with opened(browser, tmp_path, chunks) as watched:
        assert texts(watched.page) == chunks.texts()


@pytest.mark.parametrize("name", ["recursive", "window", "sentence", "hierarchical"])
def test_every_strategy_is_shown(browser: Browser, tmp_path: Path, name: str) -> None:
    strategy = cw.strategy(name, max_chars=60)
    chunks = strategy(notes())
    with opened(browser, tmp_path, chunks, strategy=strategy) as watched:
        assert texts(watched.page) == chunks.texts()
        assert name in watched.page.inner_text(".cw-about")


def test_offsets_are_code_points(browser: Browser, tmp_path: Path) -> None:
    text = "😀😀 one. 北京 two 𠀀. 👩‍👩‍👧 three. é́ four."
    strategy = cw.strategy("recursive", max_chars=9)
    chunks = strategy(text)
    with opened(browser, tmp_path, chunks) as watched:
        assert texts(watched.page) == chunks.texts()
        watched.page.fill("[aria-label='Find in the text'][type=search]", "𠀀")
        assert watched.page.inner_text(".cw-hit-now") == "𠀀"


def test_roles_have_colours_and_names(browser: Browser, tmp_path: Path) -> None:
    chunks = cw.strategy("window", max_chars=20, overlap=8)(WORDS)
    repeated = [text for chunk in chunks for role, text in chunk.piece_texts() if role == "overlap"]
    with opened(browser, tmp_path, chunks) as watched:
        found = watched.page.eval_on_selector_all(
            ".cw-text .cw-role-overlap", "all => all.map(each => each.textContent)"
        )
        assert found == repeated
        overlap, body = (
            watched.page.eval_on_selector(
                f".cw-text .cw-role-{role}", "each => getComputedStyle(each).backgroundColor"
            )
            for role in ("overlap", "body")
        )
        assert overlap != body


def test_a_chunk_is_selected_by_keys_by_mouse_and_by_address(
    browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, STRATEGY(notes()), after="#chunk=2") as watched:
        page = watched.page
        assert selected(page) == 2
        page.keyboard.press("p")
        assert selected(page) == 1
        assert page.evaluate("location.hash") == "#chunk=1"
        page.click("article[data-chunk='0'] .cw-text")
        assert selected(page) == 0
        assert "Chunk 0 (of" in page.inner_text(".cw-details")
        page.evaluate("location.hash = '#chunk=2'")
        page.wait_for_selector("article[data-chunk='2'][aria-current=true]")


def test_keys_are_listed_and_go_everywhere(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, STRATEGY(notes())) as watched:
        page = watched.page
        page.keyboard.press("?")
        assert page.is_visible("dialog.cw-keys")
        assert "next chunk" in page.inner_text("dialog.cw-keys")
        page.keyboard.press("Escape")
        assert not page.is_visible("dialog.cw-keys")
        page.keyboard.press("/")
        page.keyboard.type("n")
        assert page.input_value("[aria-label='Find in the text'][type=search]") == "n"
        page.keyboard.press("Escape")
        page.keyboard.press("G")
        assert selected(page) == len(STRATEGY(notes())) - 1
        page.keyboard.press("g")
        assert selected(page) == 0


def test_find_goes_from_match_to_match(browser: Browser, tmp_path: Path) -> None:
    text = "".join(f"Line {i} of rain.\n" for i in range(4_000))
    chunks = cw.strategy("recursive", max_chars=400)(text)
    with opened(browser, tmp_path, chunks) as watched:
        page = watched.page
        page.keyboard.press("/")
        page.keyboard.type("LINE 3999")
        assert page.inner_text(".cw-count") == "1 of 1"
        assert page.is_visible(".cw-hit-now")
        page.fill("[aria-label='Find in the text'][type=search]", "line 399")
        first = int(page.inner_text(".cw-count").split()[0])
        for _ in range(first - 1):
            page.keyboard.press("Shift+Enter")
        assert page.inner_text("article:has(.cw-hit-now) .cw-hit-now") == "Line 399"
        page.keyboard.press("Shift+Enter")
        assert page.inner_text(".cw-count") == "11 of 11"
        page.click("[aria-label='Next match']")
        assert page.inner_text(".cw-count") == "1 of 11"


def test_the_outline_jumps(browser: Browser, tmp_path: Path) -> None:
    chunks = STRATEGY(notes())
    with opened(browser, tmp_path, chunks) as watched:
        page = watched.page
        assert page.locator(".cw-outline li").all_inner_texts() == ["Rain", "Rivers", "Sun"]
        page.click(".cw-outline >> text=Sun")
        assert "Sun" in chunks[selected(page)].text


def test_layers_are_switched(browser: Browser, tmp_path: Path) -> None:
    chunks = cw.shadows(cw.strategy("recursive", max_chars=60)(notes()), chars=20)
    shadow = next(chunk.suffix_shadow for chunk in chunks if chunk.suffix_shadow)
    with opened(browser, tmp_path, chunks) as watched:
        page = watched.page
        assert page.locator(".cw-text .cw-shadow").count() == 0
        page.click("[data-layer=shadows]")
        assert shadow in page.locator(".cw-text .cw-shadow").all_inner_texts()
        page.click("[data-layer=structure]")
        assert page.locator(".cw-text .cw-kind-heading").count() >= 3
        page.click("[data-layer=structure]")
        assert page.locator(".cw-text .cw-kind-heading").count() == 0


def test_the_limit_stands_in_the_sizes(browser: Browser, tmp_path: Path) -> None:
    chunks = STRATEGY(notes())
    with opened(browser, tmp_path, chunks, strategy=STRATEGY) as watched:
        label = watched.page.get_attribute(".cw-sizes", "aria-label") or ""
        assert "the limit is 32" in label
        bars = watched.page.locator(".cw-sizes .cw-column title").all_text_contents()
        assert sum(int(bar.split(": ")[1].split()[0]) for bar in bars) == len(chunks)


def test_a_document_without_chunks_is_shown(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, cw.strategy("recursive", max_chars=9)("")) as watched:
        assert "0 chunks" in watched.page.inner_text(".cw-about")


def test_other_data_are_shown_at_the_same_place(browser: Browser, tmp_path: Path) -> None:
    text = "".join(f"Line {i} of rain.\n" for i in range(3_000))
    few, many = (cw.strategy("recursive", max_chars=n)(text) for n in (900, 300))
    with opened(browser, tmp_path, few) as watched:
        page = watched.page
        page.evaluate(
            """data => {
              document.getElementById("viewer").replaceChildren();
              const place = document.createElement("div");
              document.getElementById("viewer").append(place);
              window.mounted = ChunkwrightViewer.mount(place, data);
              window.mounted.select(20);
            }""",
            view_of(few),
        )
        before = few[20].start
        page.evaluate("data => window.mounted.update(data)", view_of(many))
        shown = page.eval_on_selector_all(
            ".cw-chunk", "all => all.map(each => Number(each.dataset.chunk))"
        )
        assert any(many[i].start <= before < many[i].end for i in shown)
        page.evaluate("window.mounted.destroy()")
        assert page.locator(".cw-viewer").count() == 0


def test_a_document_of_5_mb_opens_and_few_rows_are_in_the_page(
    browser: Browser, tmp_path: Path
) -> None:
    text = "".join(f"Sentence {i} tells of rain on hill {i % 97}. " for i in range(124_000))
    assert len(text) > 5_000_000
    chunks = cw.strategy("recursive", max_chars=1_000)(text)
    with opened(browser, tmp_path, chunks) as watched:
        page = watched.page
        assert page.locator(".cw-chunk").count() < 60
        page.keyboard.press("G")
        assert selected(page) == len(chunks) - 1
        assert page.locator(".cw-chunk").count() < 60
        page.fill("[aria-label='Find in the text'][type=search]", "Sentence 60000 ")
        assert page.inner_text(".cw-count") == "1 of 1"
        assert "Sentence 60000 " in page.inner_text("article:has(.cw-hit-now)")


@pytest.mark.slow
def test_one_chunk_of_much_text_is_shown_in_parts(browser: Browser, tmp_path: Path) -> None:
    text = "😀 word " * 100_000
    chunks = cw.strategy("recursive", max_chars=1_000_000)(text)
    with opened(browser, tmp_path, chunks) as watched:
        page = watched.page
        parts = page.locator("article[data-chunk='0']")
        assert 1 < parts.count() < 60
        shown = "".join(page.locator(".cw-text").all_text_contents())
        assert text.startswith(shown)
        assert len(shown) > 2_000
