"""The site's search: what people type finds the guide that answers it, first of all results.

The questions are in ``site_questions.toml``. They are asked of the built site in a browser, so the
search is the site's own, with its index and its order.
"""

import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.pages.browser import CHROMIUM, NO_CHROMIUM, PATIENCE
from tests.support.markdown import ROOT

QUESTIONS = tomllib.loads(Path(__file__).with_name("site_questions.toml").read_text("utf-8"))
FOUND = "#search-results ul.search > li > a"


class Handler(SimpleHTTPRequestHandler):
    """What serves the files of the site, silently."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A server that a browser may leave while it answers."""

    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Say nothing: the browser has gone on to the next page."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of the built site."""
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name, reason="the site is built with the extra docs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "docs", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    server = Server(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """Give a page of a headless browser."""
    api = pytest.importorskip("playwright.sync_api", reason="the site is searched with playwright")
    if not CHROMIUM.exists():
        pytest.skip(NO_CHROMIUM)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        found = browser.new_page()
        found.set_default_timeout(PATIENCE)
        yield found
        browser.close()


def first_found(page: Any, site: str, question: str) -> str:
    """Return the name of the page that a search shows first."""
    page.goto(f"{site}/search.html?q={quote(question)}")
    # Results are shown one after another; the summary stands there once all are found.
    page.wait_for_selector(f"{FOUND}, #search-results p.search-summary:has-text('did not match')")
    links = page.eval_on_selector_all(FOUND, "all => all.map(each => each.getAttribute('href'))")
    return links[0].partition("?")[0].partition("#")[0].removesuffix(".html") if links else ""


def test_questions_are_about_all_rooms() -> None:
    pages = set(QUESTIONS["questions"].values())
    assert len(QUESTIONS["questions"]) >= 40
    assert len(pages) >= 30
    assert [name for name in pages if not (ROOT / "docs" / f"{name}.md").is_file()] == []


@pytest.mark.slow
def test_the_search_finds_the_right_guide_first(page: Any, site: str) -> None:
    asked = QUESTIONS["questions"]
    found = {question: first_found(page, site, question) for question in asked}
    assert found == asked


@pytest.mark.slow
def test_a_name_of_the_code_finds_the_reference_first(page: Any, site: str) -> None:
    names = QUESTIONS["names"]
    assert {name: first_found(page, site, name) for name in names} == names
