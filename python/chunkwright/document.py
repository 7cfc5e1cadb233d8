"""Document: a text with a name, an id, metadata, and the elements that a reader found in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from chunkwright import _core
from chunkwright.errors import ConfigError, OptionName
from chunkwright.rows import RESERVED

if TYPE_CHECKING:
    from chunkwright.elements.elements import Elements

Scalar: TypeAlias = str | int | float | bool | list[str | int | float | bool | None] | None
"""A value of metadata: a single one, or a list of such, which is a text of JSON in tables."""

_NO_METADATA: Mapping[str, Scalar] = MappingProxyType({})


class Labels(NamedTuple):
    """Id and metadata of a document, as its caller gave them, and the encoding that it was in."""

    id: str | None
    metadata: Mapping[str, Scalar]
    encoding: str | None = None


class Page(NamedTuple):
    """A page that a reader has read.

    Attributes
    ----------
    number
        Its number, from 1.
    width, height
        Its size in points, as boxes of elements have it.
    confidence
        How sure it is that its text is what one sees on it, from 0 to 1.
    needs_ocr
        Whether its text has to be recognised in a picture of it: it has none, or none to rely on.
    ocr
        Whether its text was recognised in a picture of it; its confidence is the engine's then.
    """

    number: int
    width: float
    height: float
    confidence: float
    needs_ocr: bool
    ocr: bool = False


class Document:
    """A text to be cut, and what is known about it.

    Any strategy takes it. Strategies over elements cut between them, all others cut the text.
    Documents are frozen, and equal if all of these are.

    Parameters
    ----------
    text
        The text. Offsets of chunks are code points of it. Left out where there are elements, which
        know it.
    name
        What the document is called, say its path; chunk ids are derived from it.
    elements
        The headings, paragraphs, tables and so on that the text is made of, as a reader found
        them; None for a plain text.
    id
        An id that stays the same while the document changes, such as a key of a database. Without,
        :attr:`id` is derived from the text.
    metadata
        Values to be carried along, by name: rows and tables of chunks have a column for each. They
        are ``str``, ``int``, ``float``, ``bool`` or None; no name is one of the columns that chunks
        have by themselves.

    Raises
    ------
    ConfigError
        If name or id is no text, the text is not that of the elements, or a name or value of the
        metadata is none of these.

    Examples
    --------
    >>> import chunkwright as cw
    >>> report = cw.Document(text="One two three.", name="report.txt", metadata={"team": "sales"})
    >>> chunk = cw.chunk(report, "window", max_chars=7)[0]
    >>> chunk.text, chunk.metadata["team"], chunk["team"]
    ('One two', 'sales', 'sales')
    """

    __slots__ = ("_text", "elements", "labels", "name")
    _text: str | None
    name: str | None
    # What is known of it, if anything: most documents of a batch are made for one call.
    labels: Labels | None
    # Elements, or None where the text has none.
    elements: Any

    def __init__(
        self,
        *,
        text: str | None = None,
        name: str | None = None,
        elements: Elements | None = None,
        id: str | None = None,  # noqa: A002 - as chunks and rows have it
        metadata: Mapping[str, Scalar] | None = None,
    ) -> None:
        if not isinstance(name, str | None):
            raise ConfigError(f"name must be a str or None, got {name!r}", option="name")
        if not isinstance(id, str | None):
            raise ConfigError(f"id must be a str or None, got {id!r}", option="id")
        if elements is None and text is None:
            raise ConfigError("text must be given where there are no elements")
        if elements is not None and text is not None and text != elements.text:
            raise ConfigError("text must be that of the elements, and can be left out")
        object.__setattr__(self, "_text", text)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "elements", elements)
        labels = None
        if id is not None or metadata is not None:
            labels = Labels(id, _NO_METADATA if metadata is None else checked_metadata(metadata))
        object.__setattr__(self, "labels", labels)

    @property
    def text(self) -> str:
        """The text that offsets count in."""
        if self.elements is not None:
            of_elements: str = self.elements.text
            return of_elements
        text: str = self._text  # type: ignore[assignment]
        return text

    @property
    def body(self) -> str:
        """The text without page headers and footers, which stand behind it: what is cut."""
        return self.text if self.elements is None else self.text[: self.elements.core.body_end]

    @property
    def id(self) -> str:
        """The id: the caller's, or else 32 hexadecimal digits derived from the text.

        They are the first half of its SHA-256: equal texts have equal ids, whatever their names.
        """
        return _core.document_id(self.text) if self.given_id is None else self.given_id

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages that were read, if its reader looks at pages, as that of PDF does."""
        core = None if self.elements is None else self.elements.core
        return () if core is None else tuple(Page(*page) for page in core.pages_read())

    @property
    def confidence(self) -> float | None:
        """How sure it is that the text is what one sees on the pages, from 0 to 1.

        It is the mean of the pages; None if the reader does not look at pages.
        """
        pages = self.pages
        return sum(page.confidence for page in pages) / len(pages) if pages else None

    @property
    def given_id(self) -> str | None:
        """The id that the caller gave, if it gave one."""
        return None if self.labels is None else self.labels.id

    @property
    def metadata(self) -> Mapping[str, Scalar]:
        """The values that are carried along, by name."""
        return _NO_METADATA if self.labels is None else self.labels.metadata

    @property
    def encoding(self) -> str | None:
        """The encoding of the bytes that the text was decoded from, as Python calls it.

        None if there were none: a text of the caller's own, or a file that holds no text. It says
        nothing of what the document is: equal ones may have had several.
        """
        return None if self.labels is None else self.labels.encoding

    def named(self, name: str | None) -> Document:
        """Return the document under another name."""
        return self._with(name=name)

    def with_id(self, id: str | None) -> Document:  # noqa: A002 - as chunks and rows have it
        """Return the document with another id; None derives it from the text."""
        return self._with(id=id)

    def with_encoding(self, encoding: str | None) -> Document:
        """Return the document with another encoding of the bytes that it was decoded from.

        Raises
        ------
        ConfigError
            If it is neither a text nor None.
        """
        if not isinstance(encoding, str | None):
            raise ConfigError.refused("encoding", "a str or None", encoding)
        return self._with(encoding=encoding)

    def with_metadata(self, metadata: Mapping[str, Scalar]) -> Document:
        r"""Return the document with more metadata, which come before those of the same names.

        Raises
        ------
        ConfigError
            If a name or value is none that metadata can have; names it.

        Examples
        --------
        >>> import chunkwright as cw
        >>> document = cw.read(b"# Rain\n\nIt rained.").with_metadata({"year": 1921})
        >>> [(row["text"], row["year"]) for row in cw.chunk(document, "hybrid").to_dicts()]
        [('# Rain\n\nIt rained.', 1921)]
        """
        return self._with(metadata={**self.metadata, **checked_metadata(metadata)})

    def without_metadata(self) -> Document:
        """Return the document without the values that are carried along."""
        return self._with(metadata=None)

    def _with(self, **changed: Any) -> Document:
        own = {
            "text": self._text,
            "name": self.name,
            "elements": self.elements,
            "id": self.given_id,
            "metadata": None if self.labels is None else self.metadata,
        }
        encoding = changed.pop("encoding", self.encoding)
        made = Document(**{**own, **changed})
        if encoding is not None:
            labels = Labels(made.given_id, made.metadata, encoding)
            object.__setattr__(made, "labels", labels)
        return made

    def _identity(self) -> tuple[object, ...]:
        of = self._text if self.elements is None else self.elements
        return (self.name, of, self.given_id, dict(self.metadata))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.name, self.text))

    def __reduce__(self) -> tuple[Any, ...]:
        known = self.labels and self.labels._replace(metadata=dict(self.metadata))
        return _document, (self._text, self.name, self.elements, known)

    def _repr_html_(self) -> str:
        from chunkwright.render.notebook import document_display

        return document_display(self)

    def __repr__(self) -> str:
        held = f"text={self._text!r}" if self.elements is None else f"elements={self.elements!r}"
        own = f", id={self.given_id!r}" if self.given_id is not None else ""
        more = f", metadata={dict(self.metadata)!r}" if self.metadata else ""
        told = f", encoding={self.encoding!r}" if self.encoding is not None else ""
        return f"Document({held}, name={self.name!r}{own}{more}{told})"


def checked_metadata(metadata: object) -> Mapping[str, Scalar]:
    """Return a read-only copy of metadata.

    Raises
    ------
    ConfigError
        If they are no mapping of names to scalars, or a name is a column that chunks have.
    """
    if not isinstance(metadata, Mapping):
        raise _wrong(f" must be a dict, got {metadata!r}")
    for name, value in metadata.items():
        if not isinstance(name, str):
            message = f"names of metadata must be str, got {name!r}"
            raise ConfigError(message, option="metadata")
        if name in RESERVED:
            raise _wrong(f" {name!r} is a column of chunks too: take another name")
        if isinstance(value, list | tuple):
            checked_metadata(
                {name: None} | {f"{name}[{at}]": item for at, item in enumerate(value)}
            )
            if any(isinstance(item, list | tuple) for item in value):
                raise _wrong(f" {name!r} must be a list of single values, got {value!r:.80}")
            continue
        if not isinstance(value, str | int | float | None):
            kind = type(value).__name__
            raise _wrong(
                f" {name!r} must be a str, int, float, bool or None, or a list, got {kind}"
            )
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            n_bits = value.bit_length()
            raise _wrong(f" {name!r} must be an int of 64 bits, got one of {n_bits} bits")
    return MappingProxyType(
        {name: list(item) if isinstance(item, tuple) else item for name, item in metadata.items()}
    )


def _wrong(message: str) -> ConfigError:
    return ConfigError(OptionName("metadata"), message)


def _document(
    text: str | None, name: str | None, elements: Elements | None, known: Labels | None
) -> Document:
    if known is None:
        return Document(text=text, name=name, elements=elements)
    id_, metadata, encoding = known
    made = Document(text=text, name=name, elements=elements, id=id_, metadata=metadata)
    return made.with_encoding(encoding)
