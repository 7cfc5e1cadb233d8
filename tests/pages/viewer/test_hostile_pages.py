"""Hostile documents on a page: nothing of them runs, and all of them is shown."""

from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ChunkwrightError
from chunkwright.render.viewing import page_of
from chunkwright.retrieval.question_scores import question_scores
from tests.pages.browser import CANARY, Browser, watched
from tests.pages.viewer.opening import opened
from tests.support import hostile_cases
from tests.support.long_texts import NO_SHARED_DATA

RUN = f"window.{CANARY}=1"
# What runs a script where a text is taken for markup, for an attribute, or for a script.
CANARIES = {
    "script": f"<script>{RUN}</script>",
    "closing": f"</script><script>{RUN}</script>",
    "comment": f"<!--<script>--></script><script>{RUN}</script>",
    "image": f"<img src=x onerror={RUN}>",
    "attribute": f"\" onmouseover={RUN} autofocus onfocus={RUN} x=\"' onerror='{RUN}",
    "address": f"javascript:{RUN}",
    "style": f"</style><style>*{{display:none}}</style><script>{RUN}</script>",
    "title": f"</title><script>{RUN}</script>",
    "svg": f"<svg onload={RUN}><animate onbegin={RUN} attributeName=x></svg>",
    "lines": f"\u2028{RUN}//\u2029{RUN}",
    "template": f"${{{RUN}}} {{{{ {RUN} }}}} {{% x %}} __proto__ constructor",
    "bidi": f"\u202e<script>{RUN}</script>\u2066\u200f\u061c",
    "controls": "\x00\x07\x1b[31m\x7f\x85\ufeff\ufffe\ud800 text",
}
SCALE = 0.01


def everywhere(canary: str) -> tuple[cw.Chunks, dict[str, Any]]:
    """Return chunks and more to show, with a text at each place where a page shows one."""
    well_formed = canary.encode("utf-8", "replace").decode()
    heading = " ".join(well_formed.split()).replace("\x00", "")
    source = f"# {heading}\n\n{well_formed}\n\nPlain words.\n\n## Second {heading}\n\n{well_formed}"
    metadata = {f"name {heading}": well_formed, "link": f"javascript:{RUN}"}
    document = cw.read(source.encode(), kind="markdown", name=canary).with_metadata(metadata)
    chunks = cw.shadows(cw.strategy("hybrid", max_tokens=12)(document), chars=40)
    rows = question_scores(chunks, [well_formed, "plain words"], None)
    other = chunks
    return chunks, {
        "title": canary,
        "questions": rows,
        "changes": {
            "from": 1,
            "to": 2,
            "chunks": ["new" for _ in other],
            "gone": [{"text": canary}],
            "citations": {"broken": [{"quote": canary, "cited_by": canary}]},
        },
        "images": {1: canary},
    }


@pytest.mark.parametrize("name", CANARIES)
def test_no_text_runs_wherever_it_stands(browser: Browser, tmp_path: Path, name: str) -> None:
    chunks, shown = everywhere(CANARIES[name])
    with opened(browser, tmp_path, chunks, **shown) as page_watched:
        page = page_watched.page
        page.click("[data-layer=structure]")
        page.click("[data-layer=shadows]")
        page.keyboard.press("n")
        page.fill("[aria-label='Find in the text'][type=search]", CANARIES[name][:20])
        for row in page.locator(".cw-given button").all():
            row.click()
            page.wait_for_selector(".cw-asked-for")
        page.hover(".cw-chunk .cw-text >> nth=0")
        assert page.locator("script").count() == 2
        assert page.locator("main img, main iframe, main a:not([href^='#chunk='])").count() == 0
        assert page.evaluate("document.querySelectorAll('main *').length") > 50


def test_the_text_of_a_canary_is_shown_as_it_is(browser: Browser, tmp_path: Path) -> None:
    text = " ".join(CANARIES[name] for name in ("script", "closing", "image", "style", "svg"))
    chunks = cw.strategy("recursive", max_chars=4000)(text)
    with opened(browser, tmp_path, chunks) as page_watched:
        shown = page_watched.page.locator(".cw-chunk .cw-text").all_text_contents()
        assert shown == chunks.texts()


def test_characters_that_steer_are_shown_as_pictures(browser: Browser, tmp_path: Path) -> None:
    chunks = cw.strategy("recursive", max_chars=400)("a\u202eb\x1bc\x00d\x7fe")
    with opened(browser, tmp_path, chunks) as page_watched:
        shown = page_watched.page.locator(".cw-chunk .cw-text").all_text_contents()
        assert shown == ["a\ufffdb\u241bc\u2400d\u2421e"]


def test_a_script_that_is_put_in_is_refused(browser: Browser, tmp_path: Path) -> None:
    chunks, shown = everywhere("text")
    file = tmp_path / "view.html"
    page = page_of(chunks, **shown)
    file.write_text(page.replace("<main", f"<script>{RUN}</script><main"), "utf-8")
    with watched(browser) as found:
        found.page.goto(file.as_uri())
        found.page.wait_for_selector("html[data-ready=true]")
        # The policy is what stops it, and what says so.
        assert len(found.page.evaluate("window.violations")) == 1
        assert found.page.evaluate(f"window.{CANARY} === undefined")


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("kind", ["text", "markdown", "html"])
def test_hostile_documents_are_shown_and_run_nothing(
    browser: Browser, tmp_path: Path, kind: str
) -> None:
    hostile = hostile_cases.load()
    if hostile is None:
        pytest.skip(NO_SHARED_DATA)
    strategy = cw.strategy("recursive", max_tokens=200)
    with watched(browser) as found:
        for case in hostile.cases(kind=kind):
            source = case.make(scale=SCALE)
            if kind != "text":
                try:
                    source = cw.read(source.encode("utf-8", "replace"), kind=kind)
                except ChunkwrightError:
                    continue
            chunks = strategy(source)
            file = tmp_path / f"{case.name}.html"
            file.write_text(page_of(chunks), "utf-8")
            found.page.goto(file.as_uri())
            found.page.wait_for_selector("html[data-ready=true]")
            found.page.keyboard.press("G")
            shown = found.page.locator("article[aria-current=true]").count()
            assert bool(shown) == bool(len(chunks)), case.name
            found.check()
