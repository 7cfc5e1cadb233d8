"""Report of an import: which documents and blocks were kept, new, gone or moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args, overload

Outcome = Literal["new", "changed", "unchanged", "renamed", "removed", "failed"]
"""What an import made of a document."""


@dataclass(frozen=True)
class DocumentReport:
    """The outcome of an import for one document.

    Attributes
    ----------
    uri
        The address of the document in the store.
    outcome
        ``"new"``, ``"changed"`` (there is a new version), ``"unchanged"``, ``"renamed"`` (the same
        document at another address), ``"removed"`` or ``"failed"``: the store keeps what it had
        before.
    version
        The current version; None if there is none.
    kept, new, gone
        Ids of blocks: those that kept their id and history, new ones, and those that the document
        no longer has.
    moved
        Those of ``kept`` whose order has changed.
    n_embedded
        The number of texts that were embedded.
    citations_resolved, citations_moved, citations_broken
        Numbers of citations of the document: those whose words stand where they were cited, those
        whose words stand elsewhere now, and those whose words no longer stand letter for letter.
    citations_altered
        The number of broken citations whose words stand in an altered form.
    citation_changes
        The number of citations with a change around their words, by the kind of change: a heading,
        a sentence, a negation; see :attr:`Resolution.changes <chunkwright.store.Resolution>`.
    stale_edits
        Blocks that were edited by hand, and whose source has changed since.
    error
        The error of a document that failed.
    renamed_from
        The address that a renamed document had before.
    same_bytes
        For a new document, the addresses of documents whose file is gone and had the same bytes:
        it may be one of them, renamed.
    """

    uri: str
    outcome: Outcome
    version: int | None = None
    kept: Sequence[str] = ()
    new: Sequence[str] = ()
    gone: Sequence[str] = ()
    moved: Sequence[str] = ()
    n_embedded: int = 0
    citations_resolved: int = 0
    citations_moved: int = 0
    citations_broken: int = 0
    citations_altered: int = 0
    citation_changes: Mapping[str, int] = field(default_factory=dict)
    stale_edits: Sequence[str] = ()
    error: Exception | None = None
    renamed_from: str | None = None
    same_bytes: Sequence[str] = ()


class Left(NamedTuple):
    """Documents that were not found and stay, because they could not be looked for.

    Attributes
    ----------
    place
        The folder or table that they were looked for in.
    why
        Why they may still exist.
    uris
        Their addresses.
    """

    place: str
    why: str
    uris: Sequence[str]

    def __str__(self) -> str:
        return f"{len(self.uris)} of {self.place}: {self.why}"


@dataclass(frozen=True)
class Report(Sequence[DocumentReport]):
    """The outcome of an import: a sequence of :class:`DocumentReport`, with totals.

    Attributes
    ----------
    documents
        One for each document.
    is_dry_run
        Whether nothing was written.
    left
        Documents that were not found, but that ``remove_missing`` did not remove, and why.
    """

    documents: list[DocumentReport] = field(default_factory=list)
    is_dry_run: bool = False
    left: Sequence[Left] = ()

    def of(self, outcome: Outcome) -> list[DocumentReport]:
        """Return the documents with an outcome."""
        return [each for each in self.documents if each.outcome == outcome]

    @property
    def n_kept(self) -> int:
        """The number of blocks that changed documents kept."""
        return sum(len(each.kept) for each in self.documents)

    @property
    def n_new(self) -> int:
        """How many blocks are new."""
        return sum(len(each.new) for each in self.documents)

    @property
    def n_gone(self) -> int:
        """How many blocks are gone."""
        return sum(len(each.gone) for each in self.documents)

    @property
    def n_moved(self) -> int:
        """How many of the kept blocks stand in another order."""
        return sum(len(each.moved) for each in self.documents)

    @property
    def n_embedded(self) -> int:
        """How many texts were embedded."""
        return sum(each.n_embedded for each in self.documents)

    @property
    def citations(self) -> str:
        """A sentence about the citations of all documents; empty if there are none."""
        return said_of_citations(self.documents)

    @property
    def errors(self) -> dict[str, Exception]:
        """The errors of failed documents, by their addresses."""
        return {each.uri: each.error for each in self.documents if each.error is not None}

    def __len__(self) -> int:
        return len(self.documents)

    @overload
    def __getitem__(self, index: int) -> DocumentReport: ...
    @overload
    def __getitem__(self, index: slice) -> list[DocumentReport]: ...
    def __getitem__(self, index: int | slice) -> DocumentReport | list[DocumentReport]:
        return self.documents[index]

    def __iter__(self) -> Iterator[DocumentReport]:
        return iter(self.documents)

    def __str__(self) -> str:
        counts = [
            f"{len(found)} {outcome}"
            for outcome in get_args(Outcome)
            if (found := self.of(outcome))
        ]
        documents = ", ".join(counts) or "none"
        blocks = f"{self.n_new} new, {self.n_kept} kept, {self.n_gone} gone, {self.n_moved} moved"
        cited = self.citations
        lines = [f"documents: {documents}", f"blocks: {blocks}", f"embedded: {self.n_embedded}"]
        if cited:
            lines.append(f"citations: {cited}")
        return "\n".join([*lines, *(f"not found, but left: {each}" for each in self.left)])


def said_of_citations(reports: Sequence[DocumentReport]) -> str:
    """Return what became of citations, in words; empty if there are none."""
    n_resolved = sum(each.citations_resolved for each in reports)
    n_moved = sum(each.citations_moved for each in reports)
    n_broken = sum(each.citations_broken for each in reports)
    if not n_resolved + n_moved + n_broken:
        return ""
    n_altered = sum(each.citations_altered for each in reports)
    altered = f" ({n_altered} altered)" if n_altered else ""
    changes = Counter[str]()
    for each in reports:
        changes.update(each.citation_changes)
    said = ", ".join(f"{n} {name}" for name, n in sorted(changes.items()))
    around = f"; around them changed: {said}" if said else ""
    return f"{n_resolved} resolve, {n_moved} moved, {n_broken} broken{altered}{around}"
