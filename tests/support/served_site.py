"""A folder of pages on an address of this machine, and what the site's search shows on it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

_FOUND = "#search-results ul.search > li > a"
_NOTHING = "#search-results p.search-summary:has-text('did not match')"


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Say nothing: the browser has gone on to the next page."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Give the address at which the files of a folder are served."""
    with _Server(("127.0.0.1", 0), partial(_Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def first_found(page: Any, address: str, question: str) -> str:
    """Return the name of the page of the site that its search shows first, empty for none."""
    page.goto(f"{address}/search.html?q={quote(question)}")
    page.wait_for_selector(f"{_FOUND}, {_NOTHING}")
    links = page.eval_on_selector_all(_FOUND, "all => all.map(each => each.getAttribute('href'))")
    return links[0].partition("?")[0].partition("#")[0].removesuffix(".html") if links else ""
