"""Elements of a document, for where Unstructured is not installed."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from typing import Any, ClassVar

from .metadata import CoordinatesMetadata, CoordinateSystem, ElementMetadata


class Element:
    """A part of a document that says one thing.

    Parameters
    ----------
    element_id
        Its name; one is made up when it is asked for.
    coordinates, coordinate_system
        Where it stands on its page.
    metadata
        What else is known of it.
    detection_origin
        Accepted, as in Unstructured, where only debugging keeps it.

    Raises
    ------
    ValueError
        For an ``element_id`` that is no ``str``.
    """

    text: str
    category = "UncategorizedText"

    def __init__(
        self,
        element_id: str | None = None,
        coordinates: tuple[tuple[float, float], ...] | None = None,
        coordinate_system: CoordinateSystem | None = None,
        metadata: ElementMetadata | None = None,
        detection_origin: str | None = None,
    ) -> None:
        if element_id is not None and not isinstance(element_id, str):
            raise ValueError("element_id must be of type str or None.")
        del detection_origin
        self._element_id = element_id
        self.metadata: ElementMetadata = ElementMetadata() if metadata is None else metadata
        if coordinates is not None or coordinate_system is not None:
            self.metadata.coordinates = CoordinatesMetadata(coordinates, coordinate_system)
        self.text = getattr(self, "text", "")

    def __str__(self) -> str:
        return self.text

    @property
    def id(self) -> str:
        """Its name; a random one unless it was given or derived."""
        if self._element_id is None:
            self._element_id = str(uuid.uuid4())
        return self._element_id

    def id_to_hash(self, sequence_number: int) -> str:
        """Derive its name from what it says and where.

        Parameters
        ----------
        sequence_number
            Its place among the elements of its page.

        Returns
        -------
        str
            The name: 32 hexadecimal digits.
        """
        metadata = self.metadata
        source = f"{metadata.filename}{self.text}{metadata.page_number}{sequence_number}"
        self._element_id = hashlib.sha256(source.encode()).hexdigest()[:32]
        return self._element_id

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds."""
        return {
            "type": None,
            "element_id": self.id,
            "text": self.text,
            "metadata": self.metadata.to_dict(),
        }


class CheckBox(Element):
    """A box that is checked or not; it has no text.

    Parameters
    ----------
    element_id, coordinates, coordinate_system, metadata, detection_origin
        As for `Element`.
    checked
        Whether it is.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - Unstructured's signature
        self,
        element_id: str | None = None,
        coordinates: tuple[tuple[float, float], ...] | None = None,
        coordinate_system: CoordinateSystem | None = None,
        checked: bool = False,
        metadata: ElementMetadata | None = None,
        detection_origin: str | None = None,
    ) -> None:
        super().__init__(element_id, coordinates, coordinate_system, metadata, detection_origin)
        self.checked = checked

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CheckBox):
            return False
        same_place = self.metadata.coordinates == other.metadata.coordinates
        return self.checked == other.checked and same_place

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds."""
        return {**super().to_dict(), "type": "CheckBox", "checked": self.checked}


class Text(Element):
    """An element with text.

    Parameters
    ----------
    text
        What it says.
    element_id, coordinates, coordinate_system, metadata, detection_origin
        As for `Element`.
    embeddings
        A vector that stands for it.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - Unstructured's signature
        self,
        text: str,
        element_id: str | None = None,
        coordinates: tuple[tuple[float, float], ...] | None = None,
        coordinate_system: CoordinateSystem | None = None,
        metadata: ElementMetadata | None = None,
        detection_origin: str | None = None,
        embeddings: list[float] | None = None,
    ) -> None:
        self.text = "" if text is None else text
        self.embeddings = embeddings
        super().__init__(element_id, coordinates, coordinate_system, metadata, detection_origin)

    def _key(self) -> tuple[Any, ...]:
        return self.text, self.metadata.coordinates, self.category, self.embeddings

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self._key() == other._key()

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def apply(self, *cleaners: Callable[[str], str]) -> None:
        """Put the text through functions, one after the other.

        Raises
        ------
        ValueError
            If what comes out is no text.
        """
        text = self.text
        for cleaner in cleaners:
            text = cleaner(text)
        if not isinstance(text, str):
            raise ValueError("Cleaner produced a non-string output.")  # noqa: TRY004 - its own
        self.text: str = text

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds."""
        found = {**super().to_dict(), "type": self.category}
        return {**found, "embeddings": self.embeddings} if self.embeddings else found


class Formula(Text):
    """A formula."""

    category = "Formula"


class CompositeElement(Text):
    """A chunk of one or more elements, or of a part of one."""

    category = "CompositeElement"


class FigureCaption(Text):
    """Text under a figure."""

    category = "FigureCaption"


class NarrativeText(Text):
    """A paragraph of sentences."""

    category = "NarrativeText"


class Form(Text):
    """A form."""

    category = "Form"


class ListItem(Text):
    """An item of a list."""

    category = "ListItem"


class Title(Text):
    """A title, which begins a section."""

    category = "Title"


class Address(Text):
    """A postal address."""

    category = "Address"


class EmailAddress(Text):
    """An address for e-mail."""

    category = "EmailAddress"


class Image(Text):
    """A picture, with what can be read in it."""

    category = "Image"


class PageBreak(Text):
    """The end of a page."""

    category = "PageBreak"


class Table(Text):
    """A table."""

    category = "Table"


class TableChunk(Table):
    """A part of a table."""

    category = "TableChunk"


class Header(Text):
    """Text at the head of a page."""

    category = "Header"


class Footer(Text):
    """Text at the foot of a page."""

    category = "Footer"


class CodeSnippet(Text):
    """Code, whose whitespace is kept."""

    category = "CodeSnippet"


class PageNumber(Text):
    """The number of a page."""

    category = "PageNumber"


class FormKeysValues(Text):
    """Keys of a form and what was filled in."""

    category = "FormKeysValues"


class DocumentData(Text):
    """Facts about the whole document."""

    category = "DocumentData"


# Types in JSON that are not the names of their classes, by class.
_OTHER_NAMES: dict[type[Text], tuple[str, ...]] = {
    Title: ("Section-header", "Headline", "Subheadline", "Field-Name"),
    NarrativeText: ("Text", "Paragraph", "Abstract", "Threading", "Value", "Link"),
    ListItem: ("BulletedText", "List-item"),
    Header: ("Page-header",),
    Footer: ("Page-footer", "Footnote"),
    FigureCaption: ("Caption",),
    Image: ("Figure", "Picture"),
}

_CLASSES: tuple[type[Text], ...] = (
    Text, Formula, CompositeElement, FigureCaption, NarrativeText, Form, ListItem, Title, Address,
    EmailAddress, Image, PageBreak, Table, TableChunk, Header, Footer, CodeSnippet, PageNumber,
    FormKeysValues, DocumentData,
)  # fmt: skip

# The class for each type that JSON may name.
TYPES: dict[str, type[Text]] = {
    **{cls.category: cls for cls in _CLASSES},
    **{name: cls for cls, names in _OTHER_NAMES.items() for name in names},
}
