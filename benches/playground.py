"""Playground of the service: from a key to the chunks that have changed, in a headless browser.

A text of some size is typed into, and each key is timed until the browser has painted the chunks
that it gives. ``python benches/playground.py`` needs the extra ``server``, ``playwright`` and a
Chromium at ``/usr/bin/chromium``, and prints a Markdown table.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import numpy as np
from lib.table import Table, at_most, say, versions
from playwright.sync_api import Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
LISTENING = re.compile(r"listening on http://127\.0\.0\.1:(\d+) ")
TEXT = "\n\n".join(
    (Path(__file__).parent.parent / "docs" / name).read_text("utf-8")
    for name in ("cli.md", "choosing.md", "store.md")
)
WANTED_MS = 100
SETTINGS = (
    "a=recursive&a.max_tokens=120",
    "a=structural&a.max_tokens=120",
    "a=kamradt",
    "a=recursive&a.max_tokens=120&b=hybrid&b.max_tokens=120",
)
# The status says how many chunks there are: its next change is the answer's.
WATCH = """
() => {
  const area = document.getElementById("pg-text");
  const status = document.getElementById("pg-status");
  let began = null;
  let told = null;
  addEventListener("keydown", () => { began = performance.now(); }, true);
  new MutationObserver(() => requestAnimationFrame(() => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => told?.(performance.now() - began);
    painted.port2.postMessage(null);
  })).observe(status, { childList: true, characterData: true, subtree: true });
  globalThis.waitForChunks = () => {
    globalThis.taken = new Promise((resolve) => { told = resolve; });
  };
  area.focus();
  // Keys are pressed here.
  area.setSelectionRange(400, 400);
}
"""
PUT = """
(area, text) => {
  area.value = text;
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
"""


@contextmanager
def serving() -> Iterator[str]:
    """Start a service, and give its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "chunkwright", "serve", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        log = cast("IO[str]", process.stderr)
        found = next(filter(None, map(LISTENING.search, log)))
        drain = subprocess.Popen(["cat"], stdin=log, stdout=subprocess.DEVNULL)
        yield f"http://127.0.0.1:{found[1]}/"
    finally:
        process.terminate()
        process.wait()
        drain.wait()
        log.close()


def timed(page: Page, address: str, text: str, n_keys: int) -> np.ndarray:
    """Return the milliseconds from each key to the painted chunks."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".cw-viewer")
    # A key for each character, as Playwright's `fill` presses them, would take seconds.
    page.eval_on_selector("#pg-text", PUT, text)
    page.wait_for_selector(f"#pg-facts:has-text('{len(text):,} characters')")
    page.evaluate(WATCH)
    return np.array([_pressed(page) for _ in range(n_keys + 1)][1:])


def _pressed(page: Page) -> float:
    page.evaluate("waitForChunks()")
    page.keyboard.press("x")
    return float(page.evaluate("taken"))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="characters of the text")
    parser.add_argument("--keys", type=int, default=30)
    given = parser.parse_args()
    text = (TEXT * (given.size // len(TEXT) + 1))[: given.size]
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        say(
            f"{versions()}, Chromium {browser.version}, headless. From a key to its painted "
            f"chunks, a text of {given.size:,} characters, {given.keys} keys, by the clock."
        )
        columns = ("median (ms)", "95 % within (ms)", "wanted", "longest (ms)")
        table = Table("settings", *columns)
        for setting in SETTINGS:
            taken = timed(page, f"{address}#{setting}", text, given.keys)
            p50, p95 = np.percentile(taken, 50), np.percentile(taken, 95)
            wanted = at_most(WANTED_MS, p95, "ms")
            table.row(f"`{setting}`", f"{p50:.0f}", f"{p95:.0f}", wanted, f"{taken.max():.0f}")
        browser.close()


if __name__ == "__main__":
    main()
