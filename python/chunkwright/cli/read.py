"""`chunkwright read`: see what is read of a document."""

import json
import sys
from typing import Annotated

import typer

from chunkwright.checks import checked_name
from chunkwright.cli.files import reading_of
from chunkwright.cli.settings.table import DROP, READING, Settings
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.cli.syntax.options import File, configured
from chunkwright.elements.rows import element_rows
from chunkwright.io.documents import whole
from chunkwright.io.sources import PAGED, Entry, Source

TABLE, JSON_LINES, MARKDOWN = "table", "jsonl", "markdown"
FORMATS = (TABLE, JSON_LINES, MARKDOWN)
FORMAT_HELP = f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}. Default: {TABLE} on a terminal, else "
Form = Annotated[
    str | None,
    typer.Option(
        "--format", metavar="TEXT", help=f"{FORMAT_HELP}{JSON_LINES}.", show_default=False
    ),
]


@configured(*READING, *DROP, *PAGED, "input_format", "quiet", "verbose")
def read(settings: Settings, path: File, form: Form = None) -> int:
    """Run `chunkwright read`; return its exit code."""
    form = form or (TABLE if sys.stdout.isatty() else JSON_LINES)
    checked_name("--format", form, list(FORMATS))
    source, report = Source(path), Report(quiet=settings.quiet, to_stdout=False)
    reading = reading_of(settings)
    with report.bars():
        entry = report.attempt(source, lambda: whole(source, reading))
    if entry is not None:
        _write(entry, form)
    return report.exit_code


def _write(entry: Entry, form: str) -> None:
    if form == JSON_LINES:
        with piped():
            for row in element_rows(entry.document):
                typer.echo(json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace"))
        return
    from chunkwright.cli.show.pager import paged

    with piped(), paged() as console:
        if form == MARKDOWN:
            from chunkwright.render.markdown import markdown_of

            # Nothing in it is markup of Rich's.
            shown = markdown_of(entry.document, is_markdown=entry.language == "markdown")
            console.print(shown, markup=False, soft_wrap=True)
        else:
            from chunkwright.cli.show.elements import table_of

            console.print(table_of(entry, console.width))
