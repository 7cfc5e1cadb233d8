"""PDF read as elements, by ours, and as plain text by pypdfium2, pdfplumber and xberg.

``python benches/read_pdf.py`` draws a book of 600 pages (running heads, headings, paragraphs,
lists, tables), reads it in a process for each reader, and prints a Markdown table: pages a second
and peak memory.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections import Counter
from io import BytesIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from lib.contenders import OURS, installed
from lib.memory import kilobytes, settle
from lib.table import NOTHING, Table, named_version, say, three_digits, times, versions

if TYPE_CHECKING:
    from collections.abc import Callable

    from reportlab.pdfgen.canvas import Canvas
    from reportlab.platypus import Flowable

_SENTENCE = "rain falls on the stones of an old bridge while nobody counts the days until summer"
WORDS = _SENTENCE.split()
PARTS = 4
ROUNDS = 3
# The peer takes a tenth of a second for a page.
PAGES_OF_SLOW_PEER = 30


def main() -> None:
    """Print a row for each reader, or be the process of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--file", type=Path, help="a PDF of yours instead of the book")
    parser.add_argument("--reader", choices=READERS, help="that alone, in this process")
    options = parser.parse_args()
    if options.reader:
        _measure(options.reader, options.file, options.pages)
        return
    say(f"{versions()}. A reader is a process of its own; CPU time of the best of {ROUNDS} runs.")
    with tempfile.TemporaryDirectory() as folder:
        file = options.file or Path(folder) / "book.pdf"
        if options.file is None:
            file.write_bytes(book(options.pages))
        _compare(file, options.pages)


def _compare(file: Path, n_pages: int) -> None:
    ours = 0.0
    table = Table("reader", "gives", "pages a second", "ours is", "peak memory (KB a page)")
    for name in READERS:
        if installed(name) is None:
            continue
        command = [sys.executable, __file__, "--reader", name, "--file", str(file)]
        command += ["--pages", str(n_pages)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            failed = f"failed: {done.stderr.strip()[-80:]}"
            table.row(named_version(name), GIVES[name], failed, NOTHING, NOTHING)
            continue
        rate, memory = map(float, done.stdout.split())
        ours = rate if name == OURS else ours
        ratio = NOTHING if name == OURS else times(ours / rate)
        table.row(named_version(name), GIVES[name], three_digits(rate), ratio, f"{memory:.0f}")


def _measure(name: str, file: Path, n_pages: int) -> None:
    """Print pages a second, and kilobytes a page that are taken at most."""
    if name == "pdfplumber":
        file, n_pages = _first_pages(file, PAGES_OF_SLOW_PEER), PAGES_OF_SLOW_PEER
    read = READERS[name]
    if name == "chunkwright":
        _check(_first_pages(file, 50))
    read(_first_pages(file, 1))
    settle()
    before = kilobytes("VmRSS")
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        read(file)
        times.append(time.process_time() - start)
    print(n_pages / min(times), (kilobytes("VmHWM") - before) / n_pages)


def _check(file: Path) -> None:
    """Look whether ours has all letters that are drawn, and no others.

    Raises
    ------
    SystemExit
        If it has not.
    """
    import chunkwright as cw

    letters = [
        Counter(filter(str.isalnum, text))
        for text in (cw.read_pdf(file).text, "".join(_pypdfium2(file)))
    ]
    if letters[0] != letters[1]:
        raise SystemExit("letters differ")


def _first_pages(file: Path, n: int) -> Path:
    import pypdfium2

    short = Path(tempfile.gettempdir()) / f"chunkwright-{file.stem}-{n}.pdf"
    with pypdfium2.PdfDocument(file) as of, pypdfium2.PdfDocument.new() as to:
        to.import_pages(of, list(range(min(n, len(of)))))
        to.save(short)
    return short


def _ours(file: Path) -> object:
    import chunkwright as cw

    return cw.read_pdf(file)


def _pypdfium2(file: Path) -> list[str]:
    import pypdfium2

    with pypdfium2.PdfDocument(file) as pdf:
        return [pdf[i].get_textpage().get_text_bounded() for i in range(len(pdf))]


def _pdfplumber(file: Path) -> object:
    import pdfplumber  # type: ignore[import-not-found]

    with pdfplumber.open(file) as pdf:
        return [page.extract_text() for page in pdf.pages]


def _xberg(file: Path) -> object:
    import xberg

    config = xberg.ExtractionConfig(
        disable_ocr=True, include_document_structure=True, use_cache=False
    )
    source = xberg.ExtractInput(kind="uri", uri=str(file))
    return asyncio.run(xberg.extract(source, config)).results[0].document


READERS: dict[str, Callable[[Path], object]] = {
    "chunkwright": _ours,
    "pypdfium2": _pypdfium2,
    "xberg": _xberg,
    "pdfplumber": _pdfplumber,
}
GIVES = {
    "chunkwright": "elements, pages, boxes",
    "pypdfium2": "plain text, in the order of the file",
    "xberg": "nodes, some of them with boxes",
    "pdfplumber": "plain text",
}


def book(n_pages: int) -> bytes:
    """Return a book of so many pages, the same each time."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, SimpleDocTemplate

    def around(canvas: Canvas, _: object) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(72, 800, "The Book of Rain")
        canvas.drawString(500, 30, f"Page {canvas.getPageNumber()}")

    random = Random(7)  # noqa: S311 - a book, the same each time
    styles = getSampleStyleSheet()
    story: list[Flowable] = []
    for page in range(n_pages):
        story += [*_page(page, random, styles), PageBreak()]
    file = BytesIO()
    template = SimpleDocTemplate(file, pagesize=(595, 842), invariant=1)
    template.build(story, onFirstPage=around, onLaterPages=around)
    return file.getvalue()


def _page(page: int, random: Random, styles: dict[str, object]) -> list[Flowable]:
    from reportlab.platypus import ListFlowable, Paragraph, Spacer, Table

    story: list[Flowable] = []
    if page % 8 == 0:
        story.append(Paragraph(f"{page // 8 + 1} Of Rain and Stones", styles["Heading1"]))
    story.append(Paragraph(_prose(random, 4)[:-1], styles["Heading2"]))
    for _ in range(PARTS):
        story += [Paragraph(_prose(random, 90), styles["BodyText"]), Spacer(1, 6)]
    if page % 3 == 0:
        items = [Paragraph(_prose(random, 12), styles["BodyText"]) for _ in range(4)]
        story.append(ListFlowable(items, bulletType="bullet"))
    if page % 3 == 1:
        rows = [["Stone", "Weight", "Year"]]
        rows += [[random.choice(WORDS), str(random.random())[:5], str(1900 + i)] for i in range(6)]
        story.append(Table(rows, style=[("GRID", (0, 0), (-1, -1), 0.5, (0, 0, 0))]))
    return story


def _prose(random: Random, n_words: int) -> str:
    return " ".join(random.choice(WORDS) for _ in range(n_words)).capitalize() + "."


if __name__ == "__main__":
    main()
