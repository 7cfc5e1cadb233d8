"""HTML pages read to text: ours, with all elements, and lxml and Beautiful Soup, the text alone.

``python benches/pages.py`` needs ``lxml`` and ``beautifulsoup4`` installed; about a minute.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

import chunkwright as cw
from chunkwright.readers.html import read_html

if TYPE_CHECKING:
    from collections.abc import Callable

WANTED_MB_PER_S = 100
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


def _ours(page: str) -> str:
    return read_html(page).text


def _by_title(page: str) -> str:
    return cw.chunk(read_html(page), "by_title", max_tokens=256)[0].text


CALLS: dict[str, Callable[[str], Any]] = {
    "ours": _ours,
    "ours, to chunks by_title": _by_title,
    "lxml, text_content": _lxml,
    "Beautiful Soup on lxml": _beautiful_soup,
}


def main() -> None:
    """Print the speed of each on each page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=float, default=14, help="megabytes of a page")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for name, page in pages(int(options.size * 1e6)).items():
        size = len(page.encode()) / 1e6
        print(f"{name}, {size:.1f} MB")
        for label, call in CALLS.items():
            seconds = []
            for _ in range(options.rounds if call is _ours else 1):
                start = time.process_time()
                try:
                    call(page)
                except Exception as error:  # noqa: BLE001 - a peer may refuse a page
                    print(f"  {label:26} {type(error).__name__}: {error}"[:100])
                    break
                seconds.append(time.process_time() - start)
            if seconds:
                wanted = f", {WANTED_MB_PER_S} wanted" if call is _ours else ""
                speed = f"{size / min(seconds):6.0f} MB/s{wanted}"
                print(f"  {label:26} {min(seconds):6.2f} s {speed}")


if __name__ == "__main__":
    main()
