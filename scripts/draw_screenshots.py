"""Screenshots of the viewer and the playground for the guides, of this repository's own documents.

``python scripts/draw_screenshots.py`` writes ``docs/viewer/*.png``; it needs ``playwright``, the
extras ``pdf`` and ``report``, and a Chromium at ``/usr/bin/chromium``.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import chunkwright as cw
from chunkwright.cli.show.page import change_rows
from chunkwright.io.page_images import page_images
from chunkwright.render.viewing import page_of, view_of
from chunkwright.retrieval.question_scores import question_scores
from chunkwright.store import Store

ROOT = Path(__file__).parent.parent
GUIDE, RAIN = ROOT / "docs" / "choosing.md", ROOT / "docs" / "pipeline" / "rain.pdf"
OUT = ROOT / "docs" / "viewer"
CHROMIUM = "/usr/bin/chromium"
MOST_BYTES = 150_000
N_COLOURS = 128
WIDTH, HEIGHT = 1120, 680
QUESTION = "Which strategy should I take for a handbook with tables?"


def main() -> None:
    """Draw all of them."""
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        draw = _Drawing(browser, Path(folder))
        guide = cw.read(GUIDE).named("choosing.md")
        _meaning(draw, guide)
        _side_by_side(draw, guide)
        _question(draw, guide)
        _pages(draw)
        _changes(draw, Path(folder))
        _playground(draw)
        browser.close()


class _Drawing:
    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser, self._folder = browser, folder

    def __call__(
        self,
        name: str,
        chunks: cw.Chunks,
        act: Callable[[Page], object],
        *,
        dark: bool = False,
        width: int = WIDTH,
        **shown: Any,
    ) -> None:
        file = self._folder / f"{name}.html"
        file.write_text(page_of(chunks, **shown), "utf-8")
        with self.page(width, dark=dark) as page:
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=true]")
            act(page)
            self.save(name, page)

    def save(self, name: str, page: Page) -> None:
        """Write what a page shows."""
        picture = page.screenshot(animations="disabled", caret="hide")
        with Image.open(BytesIO(picture)) as image:
            # A page has few colours beside the edges of letters.
            image.convert("RGB").quantize(N_COLOURS).save(OUT / f"{name}.png", optimize=True)
        n_bytes = (OUT / f"{name}.png").stat().st_size
        print(f"{name}.png: {n_bytes:,} bytes")
        if n_bytes > MOST_BYTES:
            raise SystemExit(f"{name}.png is over {MOST_BYTES:,} bytes")

    @contextmanager
    def page(self, width: int, *, dark: bool) -> Iterator[Page]:
        """Give an empty page."""
        scheme: Any = "dark" if dark else "light"
        context = self._browser.new_context(
            viewport={"width": width, "height": HEIGHT}, color_scheme=scheme
        )
        yield context.new_page()
        context.close()


def _playground(draw: _Drawing) -> None:
    command = [sys.executable, "-m", "chunkwright", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:  # noqa: S603
        line = "" if service.stderr is None else service.stderr.readline()
        address = re.search(r"http://\S+", line)
        if address is None:
            raise SystemExit(f"the service does not start: {line}")
        with draw.page(WIDTH, dark=False) as page:
            page.goto(address[0])
            page.wait_for_selector("#pg-view[aria-busy=false] .cw-chunk")
            draw.save("playground", page)
        service.terminate()


def _meaning(draw: _Drawing, guide: cw.Document) -> None:
    strategy = cw.strategy("kamradt", max_tokens=160, embedder="lexical")

    def act(page: Page) -> None:
        page.click("[data-layer=similarity]")
        for _ in range(3):
            page.keyboard.press("n")

    draw("scores", strategy(guide), act, strategy=strategy)


def _side_by_side(draw: _Drawing, guide: cw.Document) -> None:
    a, b = cw.strategy("hybrid", max_tokens=160), cw.strategy("recursive", max_tokens=160)
    other = view_of(b(guide), strategy=b)
    draw("side-by-side", a(guide), lambda page: page.keyboard.press("]"), strategy=a, other=other)


def _question(draw: _Drawing, guide: cw.Document) -> None:
    strategy = cw.strategy("hybrid", max_tokens=120)
    chunks = strategy(guide)
    rows = question_scores(chunks, [QUESTION], cw.embed.as_embedder("lexical"))

    def act(page: Page) -> None:
        page.click(".cw-given button")
        page.wait_for_selector(".cw-hits li")
        page.evaluate("document.querySelector('.cw-right').scrollTop = 260")

    draw("question", chunks, act, dark=True, strategy=strategy, questions=rows)


def _pages(draw: _Drawing) -> None:
    strategy = cw.strategy("hybrid", max_tokens=120)
    chunks = strategy(cw.read(RAIN).named("rain.pdf"))
    images = page_images(RAIN.read_bytes(), [1, 2, 3])

    def act(page: Page) -> None:
        for _ in range(2):
            page.keyboard.press("n")
        page.evaluate("document.querySelector('.cw-right').scrollTop = 9999")

    draw("pages", chunks, act, strategy=strategy, images=images)


def _changes(draw: _Drawing, folder: Path) -> None:
    file = folder / "choosing.md"
    text = GUIDE.read_text("utf-8")
    first = next(line for line in text.split("\n") if len(line) > len(QUESTION))
    with chdir(folder), Store.open("s.db") as store:
        file.write_text(text.replace(first, "What stood here before the guide was written anew."))
        store.add(file.name)
        (address,) = [each.uri for each in store.documents()]
        (block,) = [each for each in store.blocks(address) if "written anew" in each.text]
        store.cite(block.id, "before the guide was written anew", by="the handbook")
        file.write_text(text)
        store.add(file.name)
        chunks, changes = store.chunks(address), change_rows(store, address, 1)

    def act(page: Page) -> None:
        page.evaluate("document.querySelector('.cw-left').scrollTop = 9999")

    draw("re-import", chunks, act, title="choosing.md", changes=changes)


if __name__ == "__main__":
    main()
