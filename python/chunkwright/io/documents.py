"""What is to be cut: whole inputs, and the rows of those that are tables."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from chunkwright.cli.settings.strategy import entry_of
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.report import Report
from chunkwright.errors import ConfigError, ReadError, nearest
from chunkwright.io.entry import Entry
from chunkwright.io.inputs import STDIN, Source

FORMATS = {
    "text": (),
    "elements": (),
    "jsonl": (".jsonl", ".ndjson"),
    "parquet": (".parquet",),
    "arrow": (".arrow", ".feather"),
}


def documents(
    sources: Sequence[Source], settings: Settings, report: Report
) -> Iterator[Entry | None]:
    """Read the inputs one after another; what cannot be read is reported and left out.

    Yields
    ------
    Entry or None
        A None says that what follows may take long to come.
    """
    for source in report.track(sources):
        if source.name == STDIN:
            yield None
        failed_before, is_empty = report.failed, True
        try:
            for entry in _entries(source, settings):
                if isinstance(entry, Entry):
                    is_empty = False
                    yield entry
                else:
                    report.fail(source.name, entry)
        except ReadError as error:
            report.fail(source.name, error)
        if is_empty and report.failed == failed_before:
            report.done += 1


def check_input_format(format_: str | None) -> None:
    """Check the name of an input format.

    Raises
    ------
    ConfigError
        If it is unknown; names it.
    """
    if format_ is not None and format_ not in FORMATS:
        raise ConfigError(f"unknown --input-format {format_!r}; {nearest(format_, list(FORMATS))}")


def _entries(source: Source, settings: Settings) -> Iterator[Entry | ReadError]:
    """Yield what an input holds; a row that cannot be used as the reason why.

    Raises
    ------
    ReadError
        If it cannot be read further.
    """
    from chunkwright.chunking import ELEMENT_STRATEGIES
    from chunkwright.io.element_files import no_elements

    format_ = settings.input_format or _format_of(source)
    if format_ in {"text", "elements"}:
        yield entry_of(source, settings)
    elif settings.strategy in ELEMENT_STRATEGIES:
        raise no_elements(settings.strategy, source.name)
    elif format_ == "jsonl":
        from chunkwright.io.json_lines_in import json_rows

        yield from json_rows(source, settings)
    else:
        from chunkwright.io.parquet_in import table_rows

        yield from table_rows(source, settings, format_)


def _format_of(source: Source) -> str:
    if source.name == STDIN:
        return "text"
    name = Path(source.name)
    suffix = (name.with_suffix("") if name.suffix.lower() == ".gz" else name).suffix.lower()
    return next((format_ for format_, known in FORMATS.items() if suffix in known), "text")
