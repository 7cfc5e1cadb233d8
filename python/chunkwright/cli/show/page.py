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
    from chunkwright.store.store import Store

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


def change_rows(store: "Store", address: str, before: int) -> dict[str, Any]:
    """Return what became of a document since a version.

    Parameters
    ----------
    store
        The store.
    address
        The address of the document.
    before
        The number of the version.

    Returns
    -------
    dict
        As :func:`chunkwright.render.viewing.view_of` takes ``changes``.

    Raises
    ------
    StoreError
        If there is no such document or version.
    """
    found = store.diff(address, before)
    new, moved = set(found.new), set(found.moved)
    kinds = [
        "new" if block.id in new else "moved" if block.id in moved else "kept"
        for block in store.blocks(address)
    ]
    gone = set(found.gone)
    texts = [{"text": block.text} for block in store.blocks(address, before) if block.id in gone]
    return {
        "from": before,
        "to": found.version,
        "chunks": kinds,
        "gone": texts,
        "citations": {
            "resolved": found.citations_resolved,
            "moved": found.citations_moved,
            **_cited(store, address),
        },
    }


def _cited(store: "Store", address: str) -> dict[str, list[dict[str, Any]]]:
    """Return the citations that are broken, and those around whose words something changed."""
    broken, changed = [], []
    for citation in store.citations(address):
        now = store.resolve(citation)
        row = {"quote": citation.quote, "cited_by": citation.cited_by, "status": now.status}
        if not now.resolves:
            stands = now.place.text if now.status == "altered" and now.place is not None else None
            broken.append(row | {"stands": stands})
        elif now.changes:
            changed.append(row | {"changes": list(now.changes)})
    return {"broken": broken, "changed": changed}
