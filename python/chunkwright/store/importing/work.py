"""Work of an import: a document on its way into a store, from its source to its new version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkwright.store.importing.planning import Plan
from chunkwright.store.importing.report import DocumentReport, Outcome
from chunkwright.store.importing.sources import Item
from chunkwright.store.state import Before, DocumentState

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.document import Document
    from chunkwright.store.content import Content


@dataclass(eq=False)
class Work:
    """A document on its way into a store.

    Attributes
    ----------
    item
        Its source.
    state
        The document as the store has it; None if it does not.
    fingerprint
        What its blocks depend on; None if that is not known.
    document, content
        The document, as it was read; None where nothing was.
    metadata
        Its metadata.
    plan
        Its new version; None if there is none.
    missing
        What has to be embedded, by its hash.
    vectors
        Its vectors.
    error
        Why it fails.
    before
        The current version, as far as the new one depends on it; None if there is no document.
    key
        What the ids of its blocks are derived from.
    same_bytes
        Documents with the same bytes whose files are gone, if it is a new one.
    """

    item: Item
    state: DocumentState | None
    fingerprint: str | None
    document: Document | None = None
    content: Content | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    plan: Plan | None = None
    missing: dict[bytes, str] = field(default_factory=dict)
    vectors: dict[bytes, NDArray[np.float32]] = field(default_factory=dict)
    error: Exception | None = None
    before: Before | None = None
    key: str = ""
    same_bytes: Sequence[str] = ()

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to write."""
        is_same = self.document is None and self.plan is None and not self.vectors
        return (is_same and not self._is_elsewhere) or self.error is not None

    @property
    def renamed_from(self) -> str | None:
        """The address that the document has had until now, if it was another one."""
        return None if self.state is None or self.state.uri == self.item.uri else self.state.uri

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the document was read from another place than before."""
        state = self.state
        return state is not None and (state.uri, state.origin) != (self.item.uri, self.item.origin)

    def report(self, version: int | None = None, **more: Any) -> DocumentReport:
        """Return what becomes of the document."""
        if self.error is not None:
            return DocumentReport(self.item.uri, "failed", error=self.error)
        before = None if self.state is None else self.state.version
        if self.renamed_from is not None:
            more["renamed_from"] = self.renamed_from
        if self.plan is None:
            return DocumentReport(
                self.item.uri,
                "unchanged" if self.renamed_from is None else "renamed",
                before,
                n_embedded=len(self.missing),
                **more,
            )
        plan = self.plan
        known: Outcome = "changed" if self.renamed_from is None else "renamed"
        return DocumentReport(
            self.item.uri,
            "new" if before is None else known,
            version,
            kept=plan.kept,
            new=[block.id for block, _ in plan.new],
            gone=plan.gone,
            moved=plan.moved,
            n_embedded=len(self.missing),
            stale_edits=plan.stale,
            same_bytes=self.same_bytes,
            **more,
        )
