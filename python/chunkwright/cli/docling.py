"""Chunks of DoclingDocument JSON as Docling's own command writes them (``docling --to chunks``)."""

import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import typer

from chunkwright.cli.settings.table import Settings, row_of
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.errors import ConfigError, ReadError
from chunkwright.files.atomic import replacing
from chunkwright.io.sources import Reading, Source
from chunkwright.messages.terminal_text import printable
from chunkwright.tokens.tokenizer import Tokenizer

if TYPE_CHECKING:
    from chunkwright.compat.docling.rows import ChunkRow

FORMAT = "docling"
"""The name of the format."""

# By strategy: Docling's names of the options that its chunker of that name has, by ours.
_OPTIONS = {
    "hybrid": {
        "tokenizer": "tokenizer",
        "max_tokens": "max_tokens",
        "merge_peers": "merge_peers",
        "repeat_headers": "repeat_table_header",
        "omit_header_on_overflow": "omit_header_on_overflow",
        "always_emit_headings": "always_emit_headings",
    },
    "hierarchical": {"always_emit_headings": "always_emit_headings"},
}


class Cutting:
    """Options of the chunkers.

    Parameters
    ----------
    settings
        The settings of the run.

    Raises
    ------
    ConfigError, TokenizerError
        If Docling has no chunker of that strategy's name, or not the option; names it.
    """

    def __init__(self, settings: Settings) -> None:
        self._chunker: Any = settings.strategy
        known = _OPTIONS.get(settings.strategy)
        if known is None:
            given, names = settings.strategy, " or ".join(_OPTIONS)
            raise ConfigError(f"--format {FORMAT} needs --strategy {names}, got {given!r}")
        for name in settings.options:
            if name not in known:
                row = row_of(name)
                flag = name if row is None else row.flag
                raise ConfigError(f"{flag} is no option of Docling's {settings.strategy} chunker")
        options: Any = {known[name]: value for name, value in settings.options.items()}
        self._tokenizer: Tokenizer | None = None
        from chunkwright.compat.docling.rows import checked_options

        checked_options(self._chunker, options)
        if "tokenizer" in known:
            self._tokenizer = options["tokenizer"] = Tokenizer(settings.tokenizer)
        self._options = options

    def records(self, source: Source, reading: Reading) -> list[dict[str, Any]]:
        """Return what is written of the chunks of a source.

        Raises
        ------
        ReadError
            If it cannot be read, or is no DoclingDocument; names it.
        """
        from chunkwright.compat.docling.rows import chunk_json

        text = reading.decode(source.read(), source.name).removeprefix("\ufeff")
        try:
            rows = chunk_json(text, self._chunker, **self._options)
        except ReadError as error:
            raise ReadError(f"{source.name}: ", *error.parts) from error
        stem = Path(source.path).stem
        return [self._record(stem, index, row) for index, row in enumerate(rows)]

    def _record(self, filename: str, index: int, row: "ChunkRow") -> dict[str, Any]:
        meta, text = row["meta"], row["contextualized"]
        origin = meta.get("origin")
        items = meta["doc_items"]
        return {
            "filename": filename,
            "chunk_index": index,
            "text": text,
            "raw_text": row["text"],
            "num_tokens": None if self._tokenizer is None else self._tokenizer.count(text),
            "headings": meta.get("headings"),
            "captions": None,
            "doc_items": [item["self_ref"] for item in items],
            "page_numbers": sorted({prov["page_no"] for item in items for prov in item["prov"]}),
            "metadata": {} if origin is None else {"origin": {**origin, "uri": origin.get("uri")}},
        }


def write(
    sources: Sequence[Source], reading: Reading, cutting: Cutting, out: Path | None, report: Report
) -> int:
    """Write a line for each chunk of the sources, and return how many.

    Raises
    ------
    typer.Exit
        If no source could be read: an output from before stays.
    """
    written = 0
    with _opened(out) as file, report.bars():
        for source in report.track(sources):
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always", UserWarning)
                records = report.attempt(source, lambda: cutting.records(source, reading))  # noqa: B023 - called at once
            for warning in heard:
                report.note(f"{printable(source.path)}: {warning.message}")
            for record in records or ():
                file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
                written += 1
        if report.failed and not report.done:
            raise typer.Exit(1)
    return written


@contextmanager
def _opened(out: Path | None) -> Iterator[BinaryIO]:
    if out is None:
        with piped():
            yield sys.stdout.buffer
    else:
        with replacing(out) as file:
            yield file
