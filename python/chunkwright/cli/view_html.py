"""Pages of `chunkwright view --html`: of a file, or of a document in a store."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.cli.files import cuts_elements_only, reading_of
from chunkwright.cli.settings.embedder import named_embedder, takes_embedder
from chunkwright.cli.settings.spec import settings_of
from chunkwright.cli.settings.strategy import strategies_of
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.page import STDOUT, Shown, check_page, write_page
from chunkwright.cli.show.plotting import write_plot
from chunkwright.cli.show.report import Report
from chunkwright.cli.storing.opening import embedder_of, existing
from chunkwright.cli.syntax.options import Resolved
from chunkwright.errors import ConfigError, ReadError
from chunkwright.io.documents import whole
from chunkwright.io.page_images import page_images
from chunkwright.io.sources import STDIN, Source
from chunkwright.messages.terminal_text import counted
from chunkwright.server.stored.changes import change_rows

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.embed import Embedder


@dataclass(frozen=True)
class Asked:
    """What a page is asked to show.

    Parameters
    ----------
    out
        The file to write; None: there is no page.
    compare
        Other settings.
    questions
        Questions.
    store
        The store that has the document.
    since
        The version that its current one is compared with.
    pages_as_images
        Whether there are pictures of pages.
    """

    out: Path | None
    compare: str | None
    questions: tuple[str, ...]
    store: str | None
    since: int | None
    pages_as_images: bool

    def check(self, *, force: bool) -> None:
        """Check that all of it goes together, and that the page can be written.

        Raises
        ------
        ConfigError
            If it does not; names the flags.
        """
        if self.out is None:
            named = next((flag for flag, given in self._of_pages().items() if given), None)
            if named is not None:
                raise ConfigError(f"{named} is shown on a page: say --html OUT")
            return
        if self.since is not None and self.store is None:
            raise ConfigError(f"--from {self.since} needs --in: a store knows versions")
        not_stored = {"--compare": self.compare, "--pages-as-images": self.pages_as_images}
        if self.store is not None and any(not_stored.values()):
            named = next(flag for flag, given in not_stored.items() if given)
            raise ConfigError(f"{named} needs a file, and --in names a store")
        if any(not question.strip() for question in self.questions):
            raise ConfigError("--question must be a question, got an empty one")
        check_page(self.out, force=force)

    def _of_pages(self) -> dict[str, bool]:
        return {
            "--compare": self.compare is not None,
            "--question": bool(self.questions),
            "--in": self.store is not None,
            "--from": self.since is not None,
            "--pages-as-images": self.pages_as_images,
        }


def view_stored(address: str, asked: Asked) -> int:
    """Write a page of a document in a store; return the exit code.

    Raises
    ------
    StoreError
        If there is no such document or version.
    """
    assert asked.store is not None  # noqa: S101 - the caller looked
    embedder = embedder_of(asked.store, None) if asked.questions else None
    with existing(asked.store) as store:
        since = asked.since
        shown = Shown(
            store.chunks(address),
            questions=asked.questions,
            embedder=embedder,
            changes=None if since is None else change_rows(store, address, since),
        )
    return _write(shown, address, asked, Report(quiet=False, to_stdout=asked.out == STDOUT))


def view_file(path: str, resolved: Resolved, asked: Asked, plot: Path | None) -> int:
    """Write a page of a file; return the exit code."""
    own, embedder_name = _without_unused_embedder(resolved.merged())
    levels = [] if asked.compare is None else settings_of(asked.compare, resolved.tables)
    second = (
        [] if asked.compare is None else [_without_unused_embedder(resolved.merged(*levels))[0]]
    )
    report = Report(quiet=own.quiet, to_stdout=asked.out == STDOUT)
    # Who needs elements says how the document is read; texts have no use for them.
    needs = next((one for one in (own, *second) if cuts_elements_only(one.strategy)), own)
    reading, source = reading_of(needs), Source(path)
    keys = {key for level in levels for key in level}
    made = [
        strategies_of(own, report.embedded),
        *(strategies_of(one, report.embedded, keys) for one in second),
    ]
    embedder = _embedder(embedder_name, own, asked, report)

    def cut() -> tuple[Shown, str]:
        entry = whole(source, reading)
        strategies = [make(entry.language) for make in made]
        (chunks, strategy), *others = [(each(entry.document), each) for each in strategies]
        images = _images(source, entry.document, own, report) if asked.pages_as_images else None
        name = "standard input" if path == STDIN else path
        shown = Shown(
            chunks,
            strategy,
            others=others,
            questions=asked.questions,
            embedder=embedder,
            images=images,
        )
        return shown, name

    with report.bars():
        found = report.attempt(source, cut)
    if found is None:
        return report.exit_code
    shown, name = found
    if plot is not None:
        write_plot(shown.chunks, plot)
    return _write(shown, name, asked, report)


def _write(shown: Shown, title: str, asked: Asked, report: Report) -> int:
    assert asked.out is not None  # noqa: S101 - the caller looked
    write_page(shown.page(title), asked.out)
    if asked.out != STDOUT:
        report.close(f"{asked.out}: {counted(len(shown.chunks), 'chunk')}")
    return report.exit_code


def _without_unused_embedder(settings: Settings) -> tuple[Settings, str | None]:
    """Return settings without an embedder that their strategy has no use for, and its name."""
    options = dict(settings.options)
    name = options.get("embedder")
    if not takes_embedder(settings.strategy):
        options.pop("embedder", None)
    return replace(settings, options=options), name


def _embedder(
    name: str | None, settings: Settings, asked: Asked, report: Report
) -> "Embedder | None":
    """Return what gives questions their vectors, if there are any."""
    if name is None or not asked.questions:
        return None
    return named_embedder(name, is_cached=settings.vector_cache, progress=report.embedded)


def _images(
    source: Source, document: "Document", settings: Settings, report: Report
) -> dict[int, str]:
    """Return pictures of the pages of a PDF.

    Raises
    ------
    ReadError
        If it is none.
    """
    pages = [page.number for page in document.pages]
    if not pages:
        raise ReadError("--pages-as-images: only PDF documents have pages to draw")
    if source.path == STDIN:
        raise ReadError("--pages-as-images: the pages of a file are drawn, not of standard input")
    images = page_images(Path(source.path).read_bytes(), pages, settings.password)
    if len(images) < len(pages):
        report.warn(f"Pictures: of the first {len(images)} of {counted(len(pages), 'page')}")
    return images
