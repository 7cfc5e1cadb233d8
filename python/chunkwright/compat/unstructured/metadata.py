"""Metadata of elements, for where Unstructured is not installed."""

from __future__ import annotations

import copy
import os
import pathlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, Self

# In the order in which Unstructured sets them, which is that of keys in its JSON.
_FIELDS = (
    "attached_to_filename", "bcc_recipient", "category_depth", "cc_recipient", "coordinates",
    "data_source", "detection_class_prob", "enrichment_origins", "emphasized_text_contents",
    "emphasized_text_tags", "file_directory", "filename", "filetype", "header_footer_type",
    "image_base64", "image_mime_type", "image_url", "image_path", "is_continuation", "languages",
    "last_modified", "link_texts", "link_urls", "link_start_indexes", "links", "email_message_id",
    "orig_elements", "page_name", "page_number", "parent_id", "routing", "routing_score",
    "sent_from", "sent_to", "signature", "subject", "text_as_html", "table_as_cells",
    "table_extraction_method", "table_id", "chunk_index", "num_carried_over_header_rows", "url",
    "segment_end_seconds", "segment_start_seconds", "style_name",
)  # fmt: skip

# Never written to JSON, and in Unstructured not even kept unless it debugs.
_DEBUG = "detection_origin"

_KNOWN = frozenset([*_FIELDS, _DEBUG, "is_extracted", "key_value_pairs"])


class CoordinateSystem:
    """A plane in which coordinates are given.

    Parameters
    ----------
    width, height
        Its extent, in its own unit.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CoordinateSystem):
            return False
        return type(self).__name__ == type(other).__name__ and vars(self) == vars(other)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]


class RelativeCoordinateSystem(CoordinateSystem):
    """Shares of a page, from 0 to 1."""

    def __init__(self) -> None:
        super().__init__(1, 1)


class PixelSpace(CoordinateSystem):
    """Pixels of an image, from its top left."""


class PointSpace(CoordinateSystem):
    """Points of a page, from its bottom left."""


_SYSTEMS = {cls.__name__: cls for cls in (CoordinateSystem, PixelSpace, PointSpace)}


@dataclass
class CoordinatesMetadata:
    """Where an element stands on its page.

    Parameters
    ----------
    points
        The corners.
    system
        What they are given in.

    Raises
    ------
    ValueError
        For one without the other.
    """

    points: tuple[tuple[float, ...], ...] | None
    system: CoordinateSystem | None

    def __post_init__(self) -> None:
        if (self.points is None) != (self.system is None):
            raise ValueError(
                "Coordinates points should not exist without coordinates system and vice versa."
            )

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds."""
        system = self.system
        return {
            "points": self.points,
            "system": None if system is None else type(system).__name__,
            "layout_width": None if system is None else system.width,
            "layout_height": None if system is None else system.height,
        }

    @classmethod
    def from_dict(cls, input_dict: dict[str, Any]) -> Self:
        """Read what JSON holds."""
        points = input_dict.get("points")
        if points is not None:
            points = tuple(tuple(point) for point in points if isinstance(point, (list, tuple)))
        name, width, height = map(input_dict.get, ("system", "layout_width", "layout_height"))
        if name == RelativeCoordinateSystem.__name__:
            return cls(points, RelativeCoordinateSystem())
        if name not in _SYSTEMS or width is None or height is None:
            return cls(points, None)
        return cls(points, _SYSTEMS[name](width, height))


@dataclass
class DataSourceMetadata:
    """Where a document comes from."""

    url: str | None = None
    version: str | None = None
    record_locator: dict[str, Any] | None = None
    date_created: str | None = None
    date_modified: str | None = None
    date_processed: str | None = None
    permissions_data: list[dict[str, Any]] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds: all that is there."""
        return {name: value for name, value in vars(self).items() if value is not None}

    @classmethod
    def from_dict(cls, input_dict: dict[str, Any]) -> Self:
        """Read what JSON holds; what is not known is left out."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: input_dict[name] for name in names if name in input_dict})


class ElementMetadata:
    """Metadata of an element; a field that is not known is None.

    Any other attribute can be set too.

    Parameters
    ----------
    filename
        A name, or a path, which is taken apart.
    **known
        The other fields that Unstructured knows.

    Raises
    ------
    TypeError
        For a field that it does not know.
    """

    def __init__(self, *, filename: str | pathlib.Path | None = None, **known: Any) -> None:
        if unknown := known.keys() - set(_FIELDS):
            raise TypeError(
                f"ElementMetadata() got an unexpected keyword argument {min(unknown)!r}"
            )
        directory, name = os.path.split(filename or "")
        known["file_directory"] = known.get("file_directory") or str(directory) or None
        known["filename"] = str(name) or None
        for field in _FIELDS:
            setattr(self, field, known.get(field))

    def __getattr__(self, name: str) -> None:
        if name in _KNOWN:
            return
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if value is None:
            self.__dict__.pop(name, None)
        elif name != _DEBUG:
            super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ElementMetadata) and self.fields == other.fields

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def fields(self) -> MappingProxyType[str, Any]:
        """All fields that are there."""
        held = vars(self).items()
        return MappingProxyType({name: value for name, value in held if name[:1] != "_"})

    @property
    def known_fields(self) -> MappingProxyType[str, Any]:
        """The fields that are there and that Unstructured knows."""
        return MappingProxyType({k: v for k, v in vars(self).items() if k in _KNOWN})

    def update(self, other: ElementMetadata) -> None:
        """Set all fields that ``other`` has.

        Raises
        ------
        ValueError
            If it is something else.
        """
        if not isinstance(other, ElementMetadata):
            raise ValueError(  # noqa: TRY004 - Unstructured's own
                "argument to '.update()' must be an instance of 'ElementMetadata'"
            )
        for name, value in other.fields.items():
            setattr(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds: all that is there and not empty."""
        from .staging import encoded, pairs_to_dicts

        special: dict[str, Callable[[Any], Any]] = {
            "coordinates": CoordinatesMetadata.to_dict,
            "data_source": DataSourceMetadata.to_dict,
            "orig_elements": encoded,
            "key_value_pairs": pairs_to_dicts,
        }
        row = {}
        for name, value in self.fields.items():
            if name in special:
                row[name] = special[name](value)
            elif value not in ([], {}):
                row[name] = copy.deepcopy(value)
        return row

    @classmethod
    def from_dict(cls, meta_dict: dict[str, Any]) -> Self:
        """Read what JSON holds."""
        from .staging import decoded, pairs_from_dicts

        special: dict[str, Callable[[Any], Any]] = {
            "coordinates": CoordinatesMetadata.from_dict,
            "data_source": DataSourceMetadata.from_dict,
            "orig_elements": decoded,
            "key_value_pairs": pairs_from_dicts,
        }
        self = cls()
        for name, value in meta_dict.items():
            if name in special:
                setattr(self, name, special[name](value))
            else:
                setattr(self, name, copy.deepcopy(value))
        return self
