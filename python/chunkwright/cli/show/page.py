"""Page of a document's chunks, and of what became of them, in a file or on standard output."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.cli.files import check_new
from chunkwright.cli.streams import piped
from chunkwright.errors import ConfigError
from chunkwright.files.atomic import replacing
from chunkwright.io.sources import STDIN
from chunkwright.render import check_pages
from chunkwright.render.viewing import page_of_view, view_of

if TYPE_CHECKING:
    from chunkwright.chunking import AnyStrategy
    from chunkwright.chunks import Chunks
    from chunkwright.embed import Embedder

STDOUT = Path(STDIN)


@dataclass(frozen=True)
class Shown:
    """What a page shows.

    Parameters
    ----------
    chunks
        The chunks of one document.
    strategy
        What cut them; None if nobody knows.
    others
        Other chunks of the document, each with what cut them, to be shown beside them.
    questions
        Questions whose scores are shown.
    embedder
        Gives the vectors for these; None: words alone count.
    changes
        What a re-import changed.
    images
        Pictures of pages, by their numbers.
    """

    chunks: "Chunks"
    strategy: "AnyStrategy | None" = None
    others: "Sequence[tuple[Chunks, AnyStrategy]]" = ()
    questions: Sequence[str] = ()
    embedder: "Embedder | None" = None
    changes: Mapping[str, Any] | None = None
    images: Mapping[int, str] | None = None

    def page(self, title: str) -> str:
        """Return the page.

        Raises
        ------
        ConfigError, ModelError
            If a question makes no sense, or the embedder fails.
        """
        from chunkwright.retrieval.question_scores import question_scores

        other = next((_view(chunks, strategy=strategy) for chunks, strategy in self.others), None)
        view = _view(
            self.chunks,
            strategy=self.strategy,
            other=other,
            questions=question_scores(self.chunks, self.questions, self.embedder),
            changes=self.changes,
            images=self.images,
        )
        return page_of_view(view, title=title)


def _view(chunks: "Chunks", **shown: Any) -> dict[str, Any]:
    from chunkwright.retrieval.shadows import shadows

    has_shadows = any(chunks.prefix_shadows) or any(chunks.suffix_shadows)
    return view_of(chunks if has_shadows else shadows(chunks), with_texts=False, **shown)


def check_page(out: Path, *, force: bool) -> None:
    """Check that a page can be written, before anything is read.

    Raises
    ------
    ConfigError
        If a file is there already that nobody asked to replace.
    MissingExtraError
        If Jinja2 is not installed.
    """
    check_pages()
    if out != STDOUT:
        check_new(out, "--html", force=force)
        if out.is_dir():
            raise ConfigError(f"cannot write {out}: it is a folder")


def write_page(page: str, out: Path) -> None:
    """Write a page to a file, or to standard output.

    Raises
    ------
    ConfigError
        If the file cannot be written; names it.
    """
    data = page.encode()
    if out == STDOUT:
        with piped():
            sys.stdout.buffer.write(data)
        return
    with replacing(out) as file:
        file.write(data)
