"""Pages of the viewer in a browser, opened as a file is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chunkwright as cw
from chunkwright.render.viewing import page_of
from tests.pages.browser import Browser, Watched, watched

NOTES = """# Rain

It rained on Monday, and the rivers rose. It stopped on Tuesday.

## Rivers

The Aare carried 560 cubic metres a second. Reactors upstream were shut down.

# Sun

On Wednesday the sun shone, and 🌞 was seen in 北京.
"""


def notes() -> cw.Document:
    """A short document with headings."""
    return cw.read(NOTES.encode(), name="notes.md")


@contextmanager
def opened(
    browser: Browser, folder: Path, chunks: cw.Chunks, *, after: str = "", **shown: Any
) -> Iterator[Watched]:
    """Open the page of some chunks.

    Parameters
    ----------
    browser
        The browser.
    folder
        Where the file lies.
    chunks
        The chunks.
    after
        What stands behind the address of the file.
    shown
        Options of the page by their names, and `width` and `dark` of the browser.
    """
    looks = {name: shown.pop(name) for name in ("width", "dark") if name in shown}
    file = folder / "view.html"
    file.write_text(page_of(chunks, **shown), "utf-8")
    with watched(browser, **looks) as found:
        found.page.goto(file.as_uri() + after)
        found.page.wait_for_selector("html[data-ready=true]")
        yield found
        found.check()
