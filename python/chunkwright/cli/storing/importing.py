"""Imports of the command line: settings as options of an import, and its report as lines."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from chunkwright.chunking.registry import options_of
from chunkwright.cli.files import cuts_elements_only, reading_of
from chunkwright.cli.language_model import Asking
from chunkwright.cli.settings.embedder import takes_embedder
from chunkwright.cli.settings.flags import calling
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.strategy import strategy_of
from chunkwright.cli.settings.table import (
    AUTO,
    DROP,
    READING,
    ROWS,
    Settings,
    cutting,
)
from chunkwright.cli.show.report import Report
from chunkwright.cli.show.tables import write_table
from chunkwright.cli.storing.opening import EMBEDDER_HELP, embedder_of, remembered_embedder
from chunkwright.cli.syntax.options import Resolved, configured
from chunkwright.cli.syntax.setting_options import Command
from chunkwright.errors import ConfigError, MissingExtraError, ReadError
from chunkwright.io.sources import PAGED, STDIN, Reading
from chunkwright.store.settings import METADATA, NO_EMBEDDER, SHADOWS

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.embed import Embedder
    from chunkwright.io.progress import Step
    from chunkwright.store.importing.report import DocumentReport
    from chunkwright.store.importing.report import Report as Imported
    from chunkwright.store.store import Store

STRATEGY = "structural"
"""What cuts where no setting names a strategy."""
FLAGS = {METADATA.name: METADATA.flag, "sources": "PATH"}
ABOUT = {
    "strategy": f"What cuts documents, as for chunk. Default: {STRATEGY}, and {AUTO} for texts "
    "without elements.",
    "embedder": f"{EMBEDDER_HELP} Strategies that embed take it, too.",
    "shadows": SHADOWS.help,
    "verbose": "Show each document that changed, what takes long and what is skipped.",
}
importing: Callable[[Command], Command] = configured(
    *cutting(),
    *MODEL,
    *READING,
    *DROP,
    *PAGED,
    *ROWS,
    *("shadows", "root", "vector_cache", "fail_fast", "quiet", "verbose"),
    about=ABOUT,
)
"""Gives a command the settings of an import."""


@dataclass(frozen=True)
class Job:
    """An import of files into a store.

    Parameters
    ----------
    settings
        The settings.
    target
        The store.
    embedder
        The name of its embedder.
    report
        Says how far it is, and what fails.
    is_dry_run
        Whether nothing is written.
    """

    settings: Settings
    target: str
    embedder: str | None
    report: Report
    is_dry_run: bool

    @classmethod
    def of(cls, resolved: Resolved, target: str, *, is_dry_run: bool) -> "Job":
        """Return the import that settings describe."""
        named = [level["embedder"] for level in resolved.levels if level.get("embedder")]
        levels = [{"strategy": STRATEGY}, *resolved.levels[1:]]
        settings = replace(resolved, levels=levels).merged()
        embedder = named[-1] if named else remembered_embedder(target)
        options = {**settings.options}
        options.pop("embedder", None)
        if embedder not in {None, NO_EMBEDDER} and takes_embedder(settings.strategy):
            options["embedder"] = embedder
        report = Report(quiet=settings.quiet, fail_fast=settings.fail_fast, to_stdout=is_dry_run)
        return cls(replace(settings, options=options), target, embedder, report, is_dry_run)

    def run(self, paths: Sequence[str], **options: Any) -> "tuple[Imported, int]":
        """Import files; return what became of each, and the exit code.

        Raises
        ------
        ConfigError
            If a setting or a path makes no sense.
        ModelError, StoreError
            If a model or the database fails.
        """
        from chunkwright.store.store import note_embedder

        if STDIN in paths:
            raise ConfigError(f"PATH: {STDIN!r}: a store knows documents by their paths")
        settings, report = self.settings, self.report
        # What has no elements is cut as well.
        reading = replace(reading_of(settings), elements_for=None)
        asking = Asking(settings, report)
        strategy = strategy_of(settings, report.embedded, llm=lambda: asking.runner)
        embedder = embedder_of(self.target, self.embedder, report.embedded)
        told, shadows = _Told(report, is_verbose=settings.verbose), settings.shadows
        if shadows is not None:
            options["shadows"] = shadows or None
        with self._opened(embedder) as store, asking.told(), report.bars():
            with calling(FLAGS):
                found = store.add(
                    list(paths),
                    strategy=strategy,
                    for_texts=self._for_texts(),
                    root=settings.root,
                    reading={each.name: getattr(reading, each.name) for each in fields(Reading)},
                    dry_run=self.is_dry_run,
                    progress=told,
                    **options,
                )
            if not self.is_dry_run and self.embedder is not None:
                note_embedder(store, self.embedder)
        return found, asking.exit_code()

    def _for_texts(self) -> "Chunker | None":
        """Return what cuts texts without elements where the strategy cannot."""
        settings = self.settings
        if not cuts_elements_only(settings.strategy):
            return None
        known = options_of(AUTO)
        shared = {name: value for name, value in settings.options.items() if name in known}
        return strategy_of(replace(settings, strategy=AUTO, options=shared))

    @contextmanager
    def _opened(self, embedder: "Embedder | None") -> "Iterator[Store]":
        """Open the store; one that is not there is made elsewhere if nothing is to be written."""
        from chunkwright.store.store import Store, is_there

        if self.is_dry_run and not is_there(self.target):
            with (
                TemporaryDirectory() as folder,
                Store.open(Path(folder, "new.db"), embedder=embedder) as store,
            ):
                yield store
            return
        with Store.open(self.target, embedder=embedder, read_only=self.is_dry_run) as store:
            yield store


class _Told:
    """Tells of each document how it went."""

    def __init__(self, report: Report, *, is_verbose: bool) -> None:
        self._report, self._is_verbose = report, is_verbose
        self._n = 0

    def __call__(self, step: "Step[DocumentReport]") -> None:
        """Take note of a document."""
        of = step.about
        self._n += 1
        self._report.show("documents", self._n, of.uri)
        if of.error is not None:
            # Other documents may do without an extra.
            is_missing = isinstance(of.error, MissingExtraError)
            error = ReadError(f"{of.uri}: {of.error}") if is_missing else of.error
            self._report.fail(of.uri, error)
            return
        self._report.done += 1
        if of.renamed_from is not None:
            self._report.note(f"Renamed: {of.renamed_from} is {of.uri} now")
        elif of.same_bytes:
            before = ", ".join(of.same_bytes)
            self._report.note(f"{of.uri}: the same bytes as {before}, whose file is gone")
        if self._is_verbose and of.outcome != "unchanged":
            self._report.warn(f"{of.uri}: {described(of)}")


def described(of: "DocumentReport") -> str:
    """Return what became of a document, in one line."""
    counts = {
        "new": len(of.new),
        "kept": len(of.kept),
        "gone": len(of.gone),
        "moved": len(of.moved),
    }
    blocks = ", ".join(f"{n:,} {name}" for name, n in counts.items() if n)
    return f"{of.outcome}, blocks: {blocks}" if blocks else of.outcome


COLUMNS: "dict[str, Callable[[DocumentReport], object]]" = {
    "outcome": lambda of: of.outcome,
    "new": lambda of: len(of.new),
    "kept": lambda of: len(of.kept),
    "gone": lambda of: len(of.gone),
    "moved": lambda of: len(of.moved),
    "document": lambda of: of.uri,
}


def announced(report: Report) -> "Callable[[Sequence[str]], bool]":
    """Return what names documents before they are removed."""

    def announce(uris: Sequence[str]) -> bool:
        for uri in uris:
            report.note(f"To be removed, its file is gone: {uri}")
        return True

    return announce


def write_changes(found: "Imported") -> None:
    """Write what an import changes, a line a document that it does not leave as it is."""
    changed = [of for of in found if of.outcome != "unchanged"]
    rows = [[value(of) for value in COLUMNS.values()] for of in changed]
    write_table(list(COLUMNS), rows, is_table=sys.stdout.isatty())


def closed(report: Report, found: "Imported") -> None:
    """Say the sums of an import at its end."""
    for line in str(found).splitlines():
        report.close(line)
