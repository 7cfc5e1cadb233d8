"""The playground of a service in a browser, and what tests do on it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import chunkwright as cw
from tests.pages.browser import Browser, Page, Watched, watched
from tests.server.running import Reachable

if TYPE_CHECKING:
    from playwright.sync_api import Request

# A browser says so of each answer that is no success, which tests bring about.
_NOT_WRONG = "console: Failed to load resource: the server responded with a status of 4"
_PUT = """
(area, text) => {
  area.value = text;
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
"""
_DROP = """
([name, bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(bytes)], name));
  for (const kind of ["dragover", "drop"]) {
    document.body.dispatchEvent(
      new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}
"""


def cut(text: str, strategy: str, **options: Any) -> list[str]:
    """Return the texts of the chunks that the page is to show of what was typed."""
    return cw.strategy(strategy, **options)(cw.read(text.encode(), name="text.md")).texts()


def body_of(request: Request) -> Any:
    """Return what a request says."""
    return json.loads(request.post_data or "null")


class Playground:
    """The page of a service, and what stands on it."""

    def __init__(self, watched: Watched, service: Reachable) -> None:
        self.watched = watched
        self.page: Page = watched.page
        self.address = f"http://127.0.0.1:{service.port}/"

    def open(self, **said: Any) -> None:
        """Open the page with settings in its address, and wait for the chunks."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#{urlencode(said)}" if said else self.address)
        self.wait()

    def put(self, text: str) -> None:
        """Put a text in the place of the one that is there."""
        self.page.eval_on_selector("#pg-text", _PUT, text)

    def drop(self, name: str, data: bytes) -> None:
        """Drop a file."""
        self.page.evaluate(_DROP, [name, list(data)])

    def wait(self) -> None:
        """Wait until what was changed has been answered."""
        self.page.wait_for_selector("#pg-view[aria-busy=false]")
        # Rows are laid out in the next frame.
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    @property
    def texts(self) -> list[str]:
        """The texts of the chunks that are shown, once what was changed has been answered."""
        self.wait()
        found: list[str] = self.page.eval_on_selector_all(
            ".cw-chunk .cw-text", "all => all.map(each => each.textContent)"
        )
        return found

    def check_shows(self, expected: list[str]) -> None:
        """Check that chunks of these texts are shown; those far down by their number alone."""
        seen = self.texts
        assert seen
        assert seen == expected[: len(seen)]
        assert int(self.page.inner_text("#pg-status").split()[0]) == len(expected)

    def await_value(self, field: str, value: str) -> None:
        """Wait until a field has a value, as it has some time after a step back."""
        self.page.wait_for_function(
            "([field, value]) => document.querySelector(field).value === value", arg=[field, value]
        )

    def draw(self) -> None:
        """Open the drawer of the settings, if it is closed."""
        if self.page.get_attribute("#pg-drawer", "aria-expanded") == "false":
            self.page.click("#pg-drawer")

    def problem_at(self, field: str) -> str:
        """Return what is said to be wrong at a field, once something is."""
        found = self.page.wait_for_selector(f"{field}:visible:not(:empty)")
        return "" if found is None else found.inner_text()

    def call(self, form: str, side: str = "a") -> str:
        """Return the call that is offered in a form."""
        if not self.page.is_visible("#pg-forms"):
            self.page.click("#pg-take summary")
        self.page.check(f"#pg-forms input[value={form}]")
        if self.page.is_visible("#pg-sides"):
            self.page.check(f"#pg-sides input[value={side}]")
        return self.page.text_content("#pg-code") or ""

    @property
    def fragment(self) -> str:
        """What the address says behind ``#``."""
        # What playwright says of the address is told to it later.
        found: str = self.page.evaluate("location.hash")
        return found.removeprefix("#")


@contextmanager
def playing(browser: Browser, service: Reachable, **options: Any) -> Iterator[Playground]:
    """Give a new page of a service that has its playground; at the end nothing went wrong on it."""
    address = f"http://127.0.0.1:{service.port}/"
    with watched(browser, allowed=(address, "blob:", "data:"), **options) as found:
        yield Playground(found, service)
        found.wrong[:] = [each for each in found.wrong if not each.startswith(_NOT_WRONG)]
        found.check()
