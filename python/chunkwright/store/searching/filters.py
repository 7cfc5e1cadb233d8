"""Filters of a search: which blocks are candidates, as a condition of SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from chunkwright.document import Scalar

Condition = tuple[str, list[object]]


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Which blocks are searched: those for which all that is named is true.

    Parameters
    ----------
    documents
        Addresses of documents; one that ends with ``*`` stands for all that begin so.
    types
        Types of blocks.
    pages
        Pages: a block is on one of them.
    metadata
        Values of metadata of its document by name; a list means one of its values.

    Raises
    ------
    ConfigError
        If a value is none of these.
    """

    documents: Iterable[str] | str | None = None
    types: Iterable[str] | str | None = None
    pages: Iterable[int] | int | None = None
    metadata: Mapping[str, Scalar | list[Scalar]] = field(default_factory=dict)

    @classmethod
    def of(cls, like: Filter | Mapping[str, Any] | None) -> Filter:
        """Return a filter, or one of its options by name.

        Raises
        ------
        ConfigError
            If it is none.
        """
        if like is None or isinstance(like, Filter):
            return like or cls()
        if not isinstance(like, Mapping):
            kind = type(like).__name__
            raise ConfigError(f"where must be a Filter or a mapping, got {kind}", option="where")
        unknown = [name for name in like if name not in cls.__dataclass_fields__]
        if unknown:
            known = ", ".join(cls.__dataclass_fields__)
            message = f"unknown name {unknown[0]!r} in where; known are {known}"
            raise ConfigError(message, option="where")
        return cls(**like)

    @property
    def condition(self) -> Condition:
        """The condition over ``p`` (placements) and ``d`` (documents), and its parameters.

        Empty where all blocks are searched.
        """
        parts = [
            self._documents(),
            self._types(),
            self._pages(),
            *(_metadata(name, value) for name, value in self.metadata.items()),
        ]
        given = [part for part in parts if part is not None]
        parameters = [value for _, values in given for value in values]
        return " AND ".join(f"({sql})" for sql, _ in given), parameters

    def _documents(self) -> Condition | None:
        uris = _listed("documents", self.documents, str)
        if uris is None:
            return None
        exact = [uri for uri in uris if not uri.endswith("*")]
        begins = [uri[:-1] for uri in uris if uri.endswith("*")]
        parts = [f"d.uri IN ({_marks(exact)})"] if exact else []
        parts += ["substr(d.uri, 1, ?) = ?"] * len(begins)
        values: list[object] = [*exact]
        for begin in begins:
            values += [len(begin), begin]
        return " OR ".join(parts) or "1 = 0", values

    def _types(self) -> Condition | None:
        types = _listed("types", self.types, str)
        if types is None:
            return None
        return (f"p.block_type IN ({_marks(types)})" if types else "1 = 0"), types

    def _pages(self) -> Condition | None:
        pages = _listed("pages", self.pages, int)
        if pages is None:
            return None
        parts = ["(p.page_start <= ? AND p.page_end >= ?)"] * len(pages)
        return " OR ".join(parts) or "1 = 0", [page for page in pages for _ in range(2)]


def _metadata(name: str, value: object) -> Condition:
    """Return the condition that a document's value is that, or one of these."""
    values = value if isinstance(value, list | tuple | set) else [value]
    parts, parameters = [], list[object]([name])
    for each in values:
        if each is None:
            parts.append("m.kind = 'none'")
        elif isinstance(each, bool):
            parts.append("(m.kind = 'bool' AND m.text = ?)")
            parameters.append(str(each).lower())
        elif isinstance(each, int | float):
            parts.append("(m.kind IN ('int', 'float') AND m.number = ?)")
            parameters.append(float(each))
        elif isinstance(each, str):
            parts.append("(m.kind = 'str' AND m.text = ?)")
            parameters.append(each)
        else:
            kind = type(each).__name__
            message = f"metadata {name!r} must be a str, int, float, bool or None, got {kind}"
            raise ConfigError(message, option="where")
    one_of = " OR ".join(parts) or "1 = 0"
    begin = "EXISTS (SELECT 1 FROM metadata m WHERE m.document = d.id AND m.name = ?"
    return f"{begin} AND ({one_of}))", parameters


def _listed(name: str, given: Any, kind: type) -> list[Any] | None:
    if given is None:
        return None
    values = [given] if isinstance(given, kind) else given
    is_list = isinstance(values, Iterable) and not isinstance(values, str | bytes)
    found = list(values) if is_list else []
    if not is_list or not all(isinstance(each, kind) for each in found):
        message = f"{name} must be {kind.__name__} or a list of them, got {given!r}"
        raise ConfigError(message, option="where")
    return found


def _marks(values: list[Any]) -> str:
    return ", ".join("?" * len(values))
