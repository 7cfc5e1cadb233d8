"""Screenshots of the viewer and of the service's pages for the guides, of this repository's files.

``python scripts/draw_screenshots.py`` writes ``docs/viewer/*.webp``; it needs ``playwright``, the
extras ``pdf``, ``report`` and ``server``, and a Chromium at ``/usr/bin/chromium``.
"""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import chunkwright as cw
from chunkwright.io.page_images import page_images
from chunkwright.render.viewing import page_of, view_of
from chunkwright.retrieval.question_scores import question_scores
from chunkwright.server.stored.changes import change_rows
from chunkwright.store import Store

ROOT = Path(__file__).parent.parent
GUIDE, RAIN = ROOT / "docs" / "choosing.md", ROOT / "docs" / "pipeline" / "rain.pdf"
OUT = ROOT / "docs" / "viewer"
CHROMIUM = "/usr/bin/chromium"
MOST_BYTES = 60_000
# Colours of a picture: the first number with which it is small enough. A page has few of its own,
# beside the edges of letters.
N_COLOURS = (128, 64, 32, 16)
WIDTH, HEIGHT = 1280, 720
PHONE, SCREEN = (390, 844), (1920, 1080)
SAMPLE = ROOT / "python" / "chunkwright" / "render" / "assets" / "playground-sample.md"
# Words of the handbook about rain, which are cited where they are printed.
PRINTED = "Read it at eye level, at the bottom of the curve"
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
        _store(draw, Path(folder))
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
        **shown: Any,
    ) -> None:
        file = self._folder / f"{name}.html"
        file.write_text(page_of(chunks, **shown), "utf-8")
        with self.page((WIDTH, HEIGHT), dark=dark) as page:
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=true]")
            act(page)
            self.save(name, page)

    def save(self, name: str, page: Page) -> None:
        """Write what a page shows."""
        picture = page.screenshot(animations="disabled", caret="hide")
        file = OUT / f"{name}.webp"
        with Image.open(BytesIO(picture)) as image:
            for n_colours in N_COLOURS:
                few = image.convert("RGB").quantize(n_colours, dither=Image.Dither.NONE)
                few.convert("RGB").save(file, lossless=True, quality=80, method=4)
                n_bytes = file.stat().st_size
                if n_bytes <= MOST_BYTES:
                    print(f"{file.name}: {n_bytes:,} bytes, {n_colours} colours")
                    return
        raise SystemExit(f"{file.name} is over {MOST_BYTES:,} bytes: {n_bytes:,}")

    @contextmanager
    def page(self, size: tuple[int, int], *, dark: bool) -> Iterator[Page]:
        """Give an empty page."""
        scheme: Any = "dark" if dark else "light"
        width, height = size
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        yield context.new_page()
        context.close()


@contextmanager
def _serving(*options: str) -> Iterator[str]:
    """Give the address of a service."""
    command = [sys.executable, "-m", "chunkwright", "serve", "--port", "0", *options]
    # A pipe that nobody reads would fill up with the lines of its log.
    with tempfile.TemporaryFile("w+") as log, subprocess.Popen(command, stderr=log) as service:  # noqa: S603
        try:
            yield _address(log, service)
        finally:
            service.terminate()


def _address(log: IO[str], service: "subprocess.Popen[bytes]") -> str:
    while service.poll() is None:
        log.seek(0)
        found = re.search(r"http://\S+[^/\s]", log.read())
        if found is not None:
            return found[0]
        time.sleep(0.1)
    raise SystemExit("the service does not start")


def _playground(draw: _Drawing) -> None:
    with _serving() as address:
        for name, size, dark in (
            ("playground", (WIDTH, HEIGHT), False),
            ("playground-phone", PHONE, True),
            ("playground-screen", SCREEN, True),
        ):
            with draw.page(size, dark=dark) as page:
                page.goto(address)
                page.wait_for_selector("#pg-view[aria-busy=false] .cw-chunk")
                if name == "playground-screen":
                    page.set_input_files("#pg-file", RAIN)
                    page.wait_for_selector(".cw-pictured")
                    # The last page has few words: its picture is small.
                    for _ in range(2):
                        page.click("[aria-label='Next page']")
                    page.wait_for_selector("[aria-label^='Page 3'].cw-pictured")
                draw.save(name, page)


def _store(draw: _Drawing, folder: Path) -> None:
    notes, path = folder / "notes", folder / "notes.db"
    notes.mkdir()
    text = SAMPLE.read_text("utf-8")
    with Store.open(path) as store:
        (notes / "mill.md").write_text(text)
        (notes / "rain.pdf").write_bytes(RAIN.read_bytes())
        store.add(notes, root=notes)
        block = next(each for each in store.blocks("mill.md") if "ice broke" in each.text)
        cited = store.cite(block.id, "the ice broke four of the paddles", by="the report")
        (notes / "mill.md").write_text(text.replace("broke four of", "broke five of"))
        store.add(notes, root=notes)
        printed = next(each for each in store.blocks("rain.pdf") if PRINTED in each.text)
        in_print = store.cite(printed.id, PRINTED, by="the report")
    with _serving("--store", str(path), "--originals", str(notes)) as address:
        for name, size, dark in (("store", (WIDTH, HEIGHT), False), ("store-phone", PHONE, True)):
            with draw.page(size, dark=dark) as page:
                page.goto(f"{address}/store#citation={cited.id}")
                page.wait_for_selector(".cw-hit-now")
                draw.save(name, page)
        with draw.page((WIDTH, HEIGHT), dark=False) as page:
            page.goto(f"{address}/store#citation={in_print.id}")
            page.wait_for_selector(".cw-pictured .cw-box-now")
            draw.save("store-original", page)


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
        page.locator(".cw-questions").scroll_into_view_if_needed()

    draw("question", chunks, act, dark=True, strategy=strategy, questions=rows)


def _pages(draw: _Drawing) -> None:
    strategy = cw.strategy("hybrid", max_tokens=120)
    chunks = strategy(cw.read(RAIN).named("rain.pdf"))
    images = page_images(RAIN.read_bytes(), [1, 2, 3])

    def act(page: Page) -> None:
        for _ in range(2):
            page.keyboard.press("n")

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
        page.locator(".cw-broken").last.scroll_into_view_if_needed()

    draw("re-import", chunks, act, title="choosing.md", changes=changes)


if __name__ == "__main__":
    main()
