"""Viewer of a long document: time until it can be used, and frames while it scrolls.

Each run opens the page anew in a headless Chromium. ``painted`` is from the start of the navigation
until the first frame with a chunk, ``usable`` until a key has selected one and that is painted too.
Frames are counted while the list scrolls by more than a viewport every ten frames.
``python benches/viewer.py`` needs ``playwright`` and a Chromium at ``/usr/bin/chromium``. It prints
a Markdown table; the exit status is 3 if an aim is missed.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

from lib.table import MISSED, Table, at_least, at_most, say, versions
from playwright.sync_api import Browser, sync_playwright

import chunkwright as cw
from chunkwright.render.viewing import page_of

CHROMIUM = "/usr/bin/chromium"
WANTED_SECONDS, WANTED_FRAMES = 2.0, 50.0
GUIDES = sorted((Path(__file__).parent.parent / "docs").glob("*.md"))

NEXT_FRAME = """
() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))
"""
SCROLL = """
async () => {
  const list = document.querySelector(".cw-list");
  const step = list.clientHeight / 8;
  const times = [];
  for (let i = 0; i <= 240; i += 1) {
    list.scrollTop += step;
    times.push(await new Promise((done) => requestAnimationFrame(done)));
  }
  const spans = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
  const sum = spans.reduce((all, span) => all + span, 0);
  return [1000 * spans.length / sum, spans[Math.floor(spans.length * 0.99)]];
}
"""


class Run(NamedTuple):
    """What one run took.

    Attributes
    ----------
    painted, usable
        Seconds since the navigation began.
    find, ask
        Seconds until the first match is shown, and until a question is answered for the first time.
    frames
        Frames a second while scrolling.
    worst
        Milliseconds of the frame that 1 % of all are longer than.
    """

    painted: float
    usable: float
    find: float
    ask: float
    frames: float
    worst: float


def measured(browser: Browser, address: str) -> Run:
    """Open the page, and use it."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    try:
        page.goto(address, wait_until="commit")
        page.wait_for_selector(".cw-chunk")
        painted = page.evaluate(NEXT_FRAME) / 1000
        page.keyboard.press("n")
        page.wait_for_selector("article[aria-current=true]")
        usable = page.evaluate(NEXT_FRAME) / 1000
        frames, worst = page.evaluate(SCROLL)
        began = page.evaluate("performance.now()")
        page.fill("[aria-label='Find in the text'][type=search]", "chunkwright index")
        page.wait_for_selector(".cw-hit-now")
        found = page.evaluate(NEXT_FRAME)
        page.fill("[aria-label=Question][type=search]", "How do I keep ids across an edit?")
        page.keyboard.press("Enter")
        page.wait_for_selector(".cw-hits li")
        asked = page.evaluate(NEXT_FRAME)
        return Run(painted, usable, (found - began) / 1000, (asked - found) / 1000, frames, worst)
    finally:
        page.close()


def main() -> int:
    """Measure, print, and return `MISSED` if an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=5.0)
    parser.add_argument("--max-tokens", type=int, nargs="+", default=[64, 512])
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    guides = "\n\n".join(file.read_text("utf-8") for file in GUIDES)
    text = guides * (1 + int(asked.megabytes * 1e6 / len(guides)))
    text = text[: int(asked.megabytes * 1e6)]
    misses = False
    table = None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for max_tokens in asked.max_tokens:
            strategy = cw.strategy("hybrid", max_tokens=max_tokens)
            chunks = cw.shadows(strategy(cw.read(text.encode(), kind="markdown")))
            file = Path(folder) / "view.html"
            n_bytes = file.write_text(page_of(chunks, strategy=strategy), "utf-8")
            runs = [measured(browser, file.as_uri()) for _ in range(asked.runs)]
            mid = Run(*(median(column) for column in zip(*runs, strict=True)))
            misses |= mid.usable > WANTED_SECONDS or mid.frames < WANTED_FRAMES
            table = table or _table(browser, asked)
            table.row(
                max_tokens,
                f"{len(chunks):,}",
                f"{n_bytes / 1e6:.1f}",
                f"{mid.painted:.2f}",
                f"{mid.usable:.2f}",
                at_most(WANTED_SECONDS, mid.usable, "s"),
                f"{mid.find:.2f}",
                f"{mid.ask:.2f}",
                f"{mid.frames:.1f}",
                at_least(WANTED_FRAMES, mid.frames, "frames/s"),
                f"{mid.worst:.1f}",
            )
        browser.close()
    return MISSED if misses else 0


def _table(browser: Browser, asked: argparse.Namespace) -> Table:
    say(
        f"{versions()}, Chromium {browser.version}, headless. A page of a text of "
        f"{asked.megabytes:g} MB, the median of {asked.runs} runs, by the clock."
    )
    of_page = ("chunks", "page (MB)", "painted (s)", "usable (s)", "wanted")
    return Table(
        "tokens a chunk at most",
        *of_page,
        "first match (s)",
        "first answer (s)",
        "frames/s",
        "wanted",
        "99 % of frames within (ms)",
    )


if __name__ == "__main__":
    sys.exit(main())
