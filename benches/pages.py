"""HTML pages read to text: ours, with all elements, and parsers of Python, the text alone.

The pages are made: prose as pandoc writes it, one table, and headings that are nested and never
closed. Ours goes on from a file to chunks as well. ``python benches/pages.py`` needs ``lxml``,
``beautifulsoup4`` and ``html5lib`` installed, and takes about two minutes; html5lib reads a
fourteenth of each page. lxml leaves out what is nested deeper than some 250 elements. What is
printed is Markdown.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.table import (
    NOTHING,
    Table,
    at_least,
    at_most,
    duration,
    say,
    three_digits,
    times,
    versions,
)

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable

WANTED_MB_PER_S = 100
WANTED_SECONDS = 5
# The slowest peer reads so small a part of a page.
PART_OF_SLOW = 14
PARAGRAPH = (
    "It rained over the old town, and nobody knew when it would stop; the "
    '<a href="https://example.org/{i}?a=b&amp;c=d">river</a> rose\nfor <b>three</b> days &mdash; '
    "\u201cso they said\u201d. A second sentence stands here to fill the line."
)
SECTION = (
    '<h{level} class="title" id="s{i}">Section {i} &amp; more</h{level}>\n'
    f'<p class="body text">{PARAGRAPH}</p>\n'
    "<ul><li>one thing</li><li>another thing, which is longer</li></ul>\n"
)
ROW = '<tr><td>{i}</td><td>row {i} of many</td><td colspan="2">x &lt; y</td></tr>\n'


def pages(n_bytes: int) -> dict[str, str]:
    """Return pages of about so many bytes each."""

    def many(part: str) -> str:
        n = n_bytes // len(part)
        return "".join(part.format(i=i, level=1 + i % 6) for i in range(n))

    return {
        "prose": f"<!DOCTYPE html><html><body>{many(SECTION)}</body></html>",
        "table": f"<!DOCTYPE html><html><body><table>{many(ROW)}</table></body></html>",
        "nested headings": many("<section><h{level}>Heading {i}</h{level}>"),
    }


def _lxml(page: str) -> str:
    import lxml.html

    return str(lxml.html.document_fromstring(page).text_content())


def _beautiful_soup(page: str) -> str:
    import bs4

    return bs4.BeautifulSoup(page, "lxml").get_text()


def _html5lib(page: str) -> str:
    import bs4

    return bs4.BeautifulSoup(page[: len(page) // PART_OF_SLOW], "html5lib").get_text()


def _ours(page: str) -> str:
    return cw.read_html(page).text


def _links(page: str) -> int:
    elements = cw.read_html(page).elements
    return 0 if elements is None else len(elements.links)


def _by_title(page: str) -> str:
    return cw.chunk(cw.read_html(page), "by_title", max_tokens=256)[0].text


def _hybrid(path: Path) -> str:
    return cw.chunk(cw.read(path), "hybrid", max_tokens=256)[0].text


CALLS: dict[str, Callable[[str], Any]] = {
    "ours": _ours,
    "ours, with links": _links,
    "ours, to chunks by_title": _by_title,
    "lxml, text_content": _lxml,
    "Beautiful Soup on lxml": _beautiful_soup,
    "html5lib": _html5lib,
}


def main() -> None:
    """Print the speed of each on each page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=float, default=14, help="megabytes of a page")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    say(
        f"{versions('lxml', 'beautifulsoup4', 'html5lib')}. CPU time; ours gives elements, the "
        f"peers the text alone. html5lib reads the first fourteenth of each page, and lxml leaves "
        f"out what is nested deeper than some 250 elements."
    )
    table = Table("page", "by", "CPU time", "MB/s", "ours is", "wanted")
    for name, page in pages(int(options.size * 1e6)).items():
        _print_page(name, page, options.rounds, table)


def _print_page(name: str, page: str, rounds: int, table: Table) -> None:
    title, ours = f"{name}, {len(page.encode()) / 1e6:.1f} MB", 0.0
    for label, call in CALLS.items():
        is_ours = call is _ours
        try:
            seconds = min(_seconds(call, page) for _ in range(rounds if is_ours else 1))
        except Exception as error:  # noqa: BLE001 - a peer may refuse a page
            table.row(title, label, f"{type(error).__name__}: {error}"[:100], *[NOTHING] * 3)
            continue
        speed = len(page.encode()) / 1e6 / (PART_OF_SLOW if call is _html5lib else 1) / seconds
        ours, title = (speed if is_ours else ours), ("" if ours else title)
        ratio = NOTHING if label.startswith("ours") else times(ours / speed)
        wanted = at_least(WANTED_MB_PER_S if is_ours else None, speed, "MB/s")
        table.row(title, label, duration(seconds), three_digits(speed), ratio, wanted)
    _print_file(page, table)


def _print_file(page: str, table: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(page, encoding="utf-8")
        seconds = _seconds(_hybrid, path)
    label = "ours, file to hybrid chunks"
    speed = three_digits(len(page.encode()) / 1e6 / seconds)
    wanted = at_most(WANTED_SECONDS, seconds, "s")
    table.row("", label, duration(seconds), speed, NOTHING, wanted)


def _seconds(call: Callable[[Any], Any], given: Any) -> float:
    """Return the CPU time of a call."""
    start = time.process_time()
    call(given)
    return time.process_time() - start


if __name__ == "__main__":
    main()
