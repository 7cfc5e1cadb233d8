"""A headless browser for tests of pages, and pages that note all that goes wrong on them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request, Route
else:
    # Without playwright tests are collected as well, to be skipped.
    Browser = BrowserContext = Dialog = Page = Request = Route = Any

__all__ = ["CANARY", "CHROMIUM", "NO_CHROMIUM", "PATIENCE", "Browser", "Page", "Watched", "watched"]

CHROMIUM = Path("/usr/bin/chromium")
NO_CHROMIUM = "no headless Chromium: install Debian's package chromium"
# What a document's script would leave behind, if one ran.
CANARY = "canaryRan"
_WIDTH, _HEIGHT = 1280, 800
# What is not there within so many milliseconds will not come, however busy the machine is.
PATIENCE = 60_000
_NOTE_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
});
"""


@dataclass
class Watched:
    """A page, and what went wrong on it.

    Attributes
    ----------
    page
        The page.
    wrong
        Errors of scripts, messages of the console, dialogs, and requests to elsewhere.
    """

    page: Page
    wrong: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Check that nothing went wrong: no error, no violation of the policy, no foreign script.

        What a dialog says counts too: nobody but a foreign script opens one.
        """
        assert self.page.evaluate("window.violations") == []
        assert self.page.evaluate(f"window.{CANARY} === undefined")
        assert self.wrong == []

    def violations_of_axe(self) -> list[str]:
        """Return what axe finds wrong, and where."""
        from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

        # The policy refuses scripts that are put into the page, but not those of the debugger.
        response = Axe().run(self.page).response
        assert response["passes"], "axe has looked at nothing"
        found = response["violations"]
        return [
            f"{each['id']}: {json.dumps([node['target'] for node in each['nodes']])}"
            f" {each['nodes'][0].get('failureSummary')}"
            for each in found
        ]


@contextmanager
def watched(
    browser: Browser,
    *,
    width: int = _WIDTH,
    dark: bool = False,
    allowed: tuple[str, ...] = ("file:", "data:"),
    **options: Any,
) -> Iterator[Watched]:
    """Give a new page of a browser, in a context of its own.

    Parameters
    ----------
    browser
        The browser.
    width
        The width of the viewport in pixels.
    dark
        Whether the dark scheme is preferred.
    allowed
        What addresses of requests may begin with; others are refused and noted.
    options
        More options of the context.
    """
    context = browser.new_context(
        viewport={"width": width, "height": _HEIGHT},
        color_scheme="dark" if dark else "light",
        **options,
    )
    try:
        yield _page_in(context, allowed)
    finally:
        context.close()


def _refuse_dialog(dialog: Dialog, found: Watched) -> None:
    found.wrong.append(f"dialog: {dialog.message}")
    dialog.dismiss()


def _page_in(context: BrowserContext, allowed: tuple[str, ...]) -> Watched:
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    found = Watched(page)

    def refuse(route: Route, request: Request) -> None:
        if request.url.startswith(allowed):
            route.continue_()
            return
        found.wrong.append(f"request: {request.url}")
        route.abort()

    page.add_init_script(_NOTE_VIOLATIONS)
    page.route("**/*", refuse)
    page.on("pageerror", lambda error: found.wrong.append(f"error: {error}"))
    page.on(
        "console",
        lambda said: (
            found.wrong.append(f"console: {said.text}")
            if said.type in {"error", "warning"}
            else None
        ),
    )
    page.on("dialog", lambda dialog: _refuse_dialog(dialog, found))
    return found
