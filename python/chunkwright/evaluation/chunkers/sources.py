"""Sources of chunks: what a chunker is given of each corpus, its text or the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.contextual import Contextual
from chunkwright.messages.logs import warn

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.evaluation.data.dataset import Dataset


def sources_for(chunker: object, dataset: Dataset) -> dict[str, str | Document]:
    """Return what a chunker cuts, by the names of the corpora.

    Parameters
    ----------
    chunker
        See :func:`chunkwright.evaluation.evaluate`. What is no strategy is given the texts of
        files, even of those that a strategy is given as documents: it was written for texts.
    dataset
        The corpora, and those of them that are documents.
    """
    takes_documents = isinstance(chunker, Strategy | Contextual)
    sources: dict[str, str | Document] = dict(dataset.corpora)
    for name, document in dataset.documents.items():
        is_text = name in dataset.found_structured and not takes_documents
        sources[name] = document.body if is_text else document
    return sources


def warn_of_lost_structure(name: str, chunker: object, dataset: Dataset) -> None:
    """Warn of a strategy that cuts by headings and tables where no corpus has any.

    Parameters
    ----------
    name
        That of the run.
    chunker, dataset
        What cuts, and what is cut.
    """
    cuts = chunker.strategy if isinstance(chunker, Contextual) else chunker
    # What takes JSON as well is for whatever there is; what takes elements alone refuses texts.
    if not isinstance(cuts, Strategy) or set(cuts.takes) != {"text", "elements"}:
        return
    if any(document.elements is not None for document in dataset.documents.values()):
        return
    warn(
        f"the run {name!r} is measured on plain texts: it sees no headings and no tables, so its "
        "chunks are others than those of documents; give files such as Markdown, or what cw.read "
        "returns"
    )
