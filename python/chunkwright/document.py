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
    """A text to be cut, with its name, id, elements and metadata.

    Every strategy takes it. Strategies over elements cut between the elements, all others cut the
    text. Documents are frozen, and compare by value.

    Parameters
    ----------
    text
        The text. Offsets of chunks are code points of it. Leave it out if you pass elements, which
        have the text.
    name
        The name of the document, such as its path; chunk ids are derived from it.
    elements
        The headings, paragraphs, tables and so on that a reader found in the text; None for a
        plain text.
    id
        An id that stays the same while the document changes, such as a key of a database. Without
        it, :attr:`id` is derived from the text.
    metadata
        Values by name, which rows and tables of chunks repeat in a column each. A value is a
        ``str``, ``int``, ``float``, ``bool``, None, or a list of these. A name must not be a column
        that chunks have anyway.

    Raises
    ------
    ConfigError
        If the name or the id is not a text, the text is not that of the elements, or a name or
        value of the metadata is not allowed.

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
        """The text, in which all offsets count."""
        if self.elements is not None:
            of_elements: str = self.elements.text
            return of_elements
        text: str = self._text  # type: ignore[assignment]
        return text

    @property
    def body(self) -> str:
        """The text that is cut: without page headers and footers, which stand at the end."""
        return self.text if self.elements is None else self.text[: self.elements.core.body_end]

    @property
    def id(self) -> str:
        """The id that the caller gave, or else 32 hexadecimal digits derived from the text.

        These are the first half of its SHA-256, so equal texts have equal ids, whatever their
        names.
        """
        return _core.document_id(self.text) if self.given_id is None else self.given_id

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages that were read, if the reader knows pages, as that of PDF does."""
        core = None if self.elements is None else self.elements.core
        return () if core is None else tuple(Page(*page) for page in core.pages_read())

    @property
    def confidence(self) -> float | None:
        """The reader's confidence, from 0 to 1, that the text is what the pages show.

        It is the mean of the pages; None if the reader states none.
        """
        pages = self.pages
        return sum(page.confidence for page in pages) / len(pages) if pages else None

    @property
    def given_id(self) -> str | None:
        """The id that the caller gave, if it gave one."""
        return None if self.labels is None else self.labels.id

    @property
    def metadata(self) -> Mapping[str, Scalar]:
        """The metadata: values by name."""
        return _NO_METADATA if self.labels is None else self.labels.metadata

    @property
    def encoding(self) -> str | None:
        """The encoding from which the text was decoded, by Python's name.

        None if nothing was decoded: for a text of the caller's own, or a file such as PDF.
        Documents with different encodings can be equal.
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
            If the encoding is neither a text nor None.
        """
        if not isinstance(encoding, str | None):
            raise ConfigError.refused("encoding", "a str or None", encoding)
        return self._with(encoding=encoding)

    def with_metadata(self, metadata: Mapping[str, Scalar]) -> Document:
        r"""Return the document with more metadata, which replace values of the same names.

        Raises
        ------
        ConfigError
            If a name or value is not allowed; names it.

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
