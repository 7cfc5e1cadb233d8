"""Origin of chunks: the documents that were cut, and what their chunks depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from chunkwright.document import Document, Labels, Scalar
    from chunkwright.elements.elements import Elements

NO_METADATA: Mapping[str, Scalar] = MappingProxyType({})


class Described(Protocol):
    """A strategy, or what knows the same of its chunks."""

    @property
    def provenance(self) -> Mapping[str, str]:
        """Fingerprints of the models and prompts that its chunks depend on."""

    @property
    def columns(self) -> Sequence[str]:
        """Columns that its chunks have beside those of every row."""


class Origin(NamedTuple):
    """What columns were made from.

    Attributes
    ----------
    names
        The documents' names.
    of_batch
        Whether a batch was cut, of however many documents.
    errors
        For each document that could not be cut, its number and why.
    elements
        For each document its elements, None where it has none; empty if none has any.
    provenance
        The fingerprints of models and prompts that the chunks depend on, by what they are.
    labels
        For each document the id and the metadata that the caller gave it, and its encoding, None
        where there are none; empty if no document has any.
    columns
        The columns that the strategy's chunks have beside those of every row.
    """

    names: list[str | None]
    of_batch: bool = False
    errors: Mapping[int, Exception] = MappingProxyType({})
    elements: Sequence[Elements | None] = ()
    provenance: Mapping[str, str] = MappingProxyType({})
    labels: Sequence[Labels | None] = ()
    columns: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        document: Document,
        name: str | None,
        strategy: Described,
        errors: Mapping[int, Exception] = MappingProxyType({}),
    ) -> Origin:
        """Return the origin of the chunks of one document, which is called so."""
        elements = () if document.elements is None else (document.elements,)
        labels = () if document.labels is None else (document.labels,)
        provenance, columns = strategy.provenance, strategy.columns
        # By position: short texts are cut in a few microseconds.
        return cls([name], False, errors, elements, provenance, labels, columns)  # noqa: FBT003

    @classmethod
    def of_many(
        cls,
        documents: Sequence[Document],
        names: list[str | None],
        strategy: Described,
        errors: Mapping[int, Exception],
    ) -> Origin:
        """Return the origin of the chunks of a batch of documents, which are called so."""
        elements = [document.elements for document in documents]
        labels = [document.labels for document in documents]
        return cls(
            names,
            of_batch=True,
            errors=errors,
            elements=elements if any(of is not None for of in elements) else (),
            provenance=strategy.provenance,
            labels=labels if any(of is not None for of in labels) else (),
            columns=strategy.columns,
        )

    def given_id(self, doc: int) -> str | None:
        """Return the id that the caller gave a document, if it gave one."""
        labels = self.labels[doc] if self.labels else None
        return None if labels is None else labels.id

    def metadata(self, doc: int) -> Mapping[str, Scalar]:
        """Return the metadata of a document."""
        labels = self.labels[doc] if self.labels else None
        return NO_METADATA if labels is None else labels.metadata

    def encoding(self, doc: int) -> str | None:
        """Return the encoding of the bytes that a document was decoded from, if there were any."""
        labels = self.labels[doc] if self.labels else None
        return None if labels is None else labels.encoding
