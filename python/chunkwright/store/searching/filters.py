"""Filters of a search: which blocks are candidates, as a condition of SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from chunkwright.checks import MAX_SIZE, checked_int, checked_number
from chunkwright.errors import ConfigError
from chunkwright.store.drafts import named_speakers, stored_text
from chunkwright.store.reading import spellings_of
from chunkwright.store.searching.conditions import (
    Compare,
    Condition,
    Special,
    joined,
    marks,
    of_metadata,
)

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.document import Scalar
    from chunkwright.store.searching.segments import Line

    Wanted: TypeAlias = "Scalar | Compare | Special"
    Documents: TypeAlias = Callable[["Condition"], NDArray[np.bool_]]

# Depth of filters within filters: databases have limits of their own.
_MOST_DEPTH = 20
_TOO_DEEP = f"filters in where may be nested at most {_MOST_DEPTH} deep"
# SQLite takes 32,766 values in a statement and PostgreSQL 65,535; others stand beside the filter's.
_MOST_VALUES = 30_000
# Each is looked up among the values of all documents.
_MOST_METADATA = 250
_GROUPS = ("all_of", "any_of", "none_of")
OF_BLOCKS = ("types", "pages", "speaker", "min_confidence")
"""What blocks of one document differ in."""


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A filter of blocks: all of its conditions must be true.

    Parameters
    ----------
    documents
        Addresses of documents, with composed or decomposed letters; ``*`` at the end matches all
        addresses that begin with the text before it.
    types
        Types of blocks, including ``"page header"`` and ``"page footer"``.
    pages
        Pages; the block is on at least one of them.
    speaker
        Names of speakers; at least one of them speaks in the block.
    min_confidence
        The lowest confidence of the block's text, from 0 to 1, as readers state it for OCR. Blocks
        without a confidence match.
    metadata
        Values of the document by name, each a value, a :class:`Compare` or :class:`Special`, or a
        list of alternatives. If the document's value is a list, one item is enough. None means that
        the document has no value of that name.
    all_of, any_of, none_of
        Other filters, or their options by name, of which all, at least one, or none must be true.

    Raises
    ------
    ConfigError
        If a value is none of these.
    """

    documents: Iterable[str] | str | None = None
    types: Iterable[str] | str | None = None
    pages: Iterable[int] | int | None = None
    speaker: Iterable[str] | str | None = None
    min_confidence: float | None = None
    metadata: Mapping[str, Wanted | Sequence[Wanted]] = field(default_factory=dict)
    all_of: Iterable[Filter | Mapping[str, Any]] = ()
    any_of: Iterable[Filter | Mapping[str, Any]] | None = None
    none_of: Iterable[Filter | Mapping[str, Any]] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.metadata, Mapping):
            kind = type(self.metadata).__name__
            message = f"metadata must be a mapping of names to values, got {kind}"
            raise ConfigError(message, option="where")
        for name in self.metadata:
            if not isinstance(name, str):
                message = f"names of metadata must be str, got {name!r}"
                raise ConfigError(message, option="where")
        # A filter is asked several times, and an iterator gives its values once.
        metadata = {name: _frozen(wanted) for name, wanted in self.metadata.items()}
        object.__setattr__(self, "metadata", metadata)
        for name in ("documents", "types", "pages", "speaker"):
            object.__setattr__(self, name, _frozen(getattr(self, name)))
        for name in _GROUPS:
            object.__setattr__(self, name, self._parsed(name, getattr(self, name)))

    @classmethod
    def _parsed(cls, name: str, given: Any, depth: int = _MOST_DEPTH) -> tuple[Filter, ...] | None:
        """Return the filters of a group; None for none."""
        if given is None and name == "any_of":
            return None
        if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
            message = f"{name} must be a list of filters, got {given!r:.80}"
            raise ConfigError(message, option="where")
        return tuple(cls.of(each, depth) for each in given)

    @classmethod
    def of(cls, like: Filter | Mapping[str, Any] | None, depth: int = _MOST_DEPTH) -> Filter:
        """Return a filter, made of its options by name if need be.

        Parameters
        ----------
        like
            The filter, or its options.
        depth
            How deep filters may be nested.

        Raises
        ------
        ConfigError
            If it is not a filter.
        """
        if like is None or isinstance(like, Filter):
            return like or cls()
        if not isinstance(like, Mapping):
            kind = type(like).__name__
            raise ConfigError(f"where must be a Filter or a mapping, got {kind}", option="where")
        unknown = [name for name in like if name not in cls.__dataclass_fields__]
        if unknown:
            known = ", ".join(cls.__dataclass_fields__)
            own = f"a document's own values go into metadata={{{unknown[0]!r}: ...}}"
            message = f"unknown name {unknown[0]!r} in where; known are {known}; {own}"
            raise ConfigError(message, option="where")
        if not depth:
            raise ConfigError(_TOO_DEEP, option="where")
        given = {name: like[name] for name in _GROUPS if name in like}
        groups = {name: cls._parsed(name, each, depth - 1) for name, each in given.items()}
        return cls(**{**like, **groups})

    @property
    def condition(self) -> Condition:
        """The condition over ``p`` (placements) and ``d`` (documents), and its parameters.

        Empty where all blocks are searched.

        Raises
        ------
        ConfigError
            If there are more values than a database takes, or more names of metadata than it looks
            up in time, or filters are nested too deep.
        """
        if (n_names := self.names_within(_MOST_DEPTH)) > _MOST_METADATA:
            message = f"where asks for {n_names:,} names of metadata: take {_MOST_METADATA} or less"
            raise ConfigError(message, option="where")
        sql, parameters = self.condition_within(_MOST_DEPTH)
        if len(parameters) > _MOST_VALUES:
            message = (
                f"where compares with {len(parameters):,} values: take {_MOST_VALUES:,} or less"
            )
            raise ConfigError(message, option="where")
        return sql, parameters

    def names_within(self, depth: int) -> int:
        """Return how often metadata is asked for, in filters so deep within this one, too."""
        within = (*self.all_of, *(self.any_of or ()), *self.none_of) if depth else ()
        return len(self.metadata) + sum(Filter.of(each).names_within(depth - 1) for each in within)

    @property
    def document_condition(self) -> Condition:
        """The condition over ``d`` (documents): of a filter of blocks, that one is in it."""
        sql, parameters = self.condition
        if not sql or self.is_of_documents:
            return sql, parameters
        of_blocks = "p.document = d.id AND p.version = d.current_version"
        sql = f"EXISTS (SELECT 1 FROM placements p WHERE {of_blocks} AND {sql})"  # noqa: S608 - its own
        return sql, parameters

    def condition_within(self, depth: int) -> Condition:
        """Return :attr:`condition`, if filters stand at most so deep within each other.

        Raises
        ------
        ConfigError
            If they stand deeper.
        """
        if not depth:
            raise ConfigError(_TOO_DEEP, option="where")
        within = [Filter.of(each).condition_within(depth - 1) for each in self.all_of]
        parts = [
            self._documents(),
            self._types(),
            self._pages(),
            self._speaker(),
            self._confidence(),
            *(of_metadata(name, value) for name, value in self.metadata.items()),
            *(part for part in within if part[0]),
            *self._groups(depth - 1),
        ]
        return joined([part for part in parts if part is not None], " AND ")

    def _groups(self, depth: int) -> Iterator[Condition]:
        """Yield that one of some filters is true, and that none of others is."""
        if self.any_of is not None:
            some = [Filter.of(each).condition_within(depth) for each in self.any_of]
            if all(sql for sql, _ in some):
                sql, parameters = joined(some, " OR ")
                yield sql or "1 = 0", parameters
        for each in self.none_of:
            sql, parameters = Filter.of(each).condition_within(depth)
            # What is not known of a block, as its page, is not true of it.
            yield (f"({sql}) IS NOT TRUE" if sql else "1 = 0"), parameters

    @property
    def without_blocks(self) -> Filter:
        """The same without what is asked of blocks, but within other filters."""
        return replace(self, types=None, pages=None, speaker=None, min_confidence=None)

    @property
    def is_of_documents(self) -> bool:
        """Whether it has only conditions that all blocks of a document share."""
        within = (*self.all_of, *(self.any_of or ()), *self.none_of)
        own = all(getattr(self, name) is None for name in OF_BLOCKS)
        return own and all(Filter.of(each).is_of_documents for each in within)

    def holds(self, lines: Sequence[Line], documents: Documents) -> NDArray[np.bool_]:
        """Return for each of some page headers and footers whether the filter is true of it.

        Parameters
        ----------
        lines
            The headers and footers.
        documents
            Returns for each line whether a condition is true of its document.
        """
        import numpy as np

        def held(filters: Iterable[Filter | Mapping[str, Any]]) -> list[NDArray[np.bool_]]:
            return [Filter.of(each).holds(lines, documents) for each in filters]

        found = np.ones(len(lines), bool)
        condition = replace(self.without_blocks, all_of=(), any_of=None, none_of=())
        if condition.condition[0]:
            found &= documents(condition.condition)
        types, on = _listed("types", self.types, str), _listed("pages", self.pages, int)
        if types is not None:
            found &= np.array([line.kind in types for line in lines], bool)
        if on is not None:
            found &= np.array([not set(on).isdisjoint(line.pages) for line in lines], bool)
        if self._speaker() is not None:
            # Nobody speaks in a header.
            found[:] = False
        if self._confidence() is not None:
            stated = [1.0 if line.confidence is None else line.confidence for line in lines]
            found &= np.array(stated, float) >= self.min_confidence
        for each in held(self.all_of):
            found &= each
        if self.any_of is not None:
            found &= np.any([np.zeros_like(found), *held(self.any_of)], axis=0)
        for each in held(self.none_of):
            found &= ~each
        return found

    def _documents(self) -> Condition | None:
        uris = _listed("documents", self.documents, str)
        if uris is None:
            return None
        exact: list[object] = [
            form for uri in uris if not uri.endswith("*") for form in spellings_of(uri)
        ]
        begins = [form for uri in uris if uri.endswith("*") for form in spellings_of(uri[:-1])]
        parts: list[Condition] = [(f"d.uri IN ({marks(exact)})", exact)] if exact else []
        parts += [("substr(d.uri, 1, ?) = ?", [len(begin), begin]) for begin in begins]
        sql, parameters = joined(parts, " OR ")
        return sql or "1 = 0", parameters

    def _types(self) -> Condition | None:
        types = _listed("types", self.types, str)
        if types is None:
            return None
        return (f"p.block_type IN ({marks(types)})" if types else "1 = 0"), types

    def _pages(self) -> Condition | None:
        pages = _listed("pages", self.pages, int)
        if pages is None:
            return None
        for page in pages:
            checked_int("pages", page, least=-MAX_SIZE)
        on_page = "p.page_start <= ? AND p.page_end >= ?"
        sql, parameters = joined([(on_page, [page, page]) for page in pages], " OR ")
        return sql or "1 = 0", parameters

    def _speaker(self) -> Condition | None:
        names = _listed("speaker", self.speaker, str)
        if names is None:
            return None
        # The names of a block are a list in JSON: one begins behind the bracket or a comma.
        listed = [name for each in names if (name := named_speakers([each])) is not None]
        begun = [name for each in listed for name in (each[:-1], f",{each[1:-1]}")]
        parts: list[Condition] = [
            ("replace(p.speakers, ?, '') <> p.speakers", [name]) for name in begun
        ]
        sql, parameters = joined(parts, " OR ")
        return sql or "1 = 0", parameters

    def _confidence(self) -> Condition | None:
        if self.min_confidence is None:
            return None
        least = checked_number("min_confidence", self.min_confidence, least=0, most=1)
        return "(p.confidence IS NULL OR p.confidence >= ?)", [least]


def _frozen(given: Any) -> Any:
    """Return a value as it is, and several as a list of their own."""
    is_several = isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)
    return list(given) if is_several else given


def _listed(name: str, given: Any, kind: type) -> list[Any] | None:
    if given is None:
        return None
    values = [given] if isinstance(given, kind) else given
    is_list = isinstance(values, Iterable) and not isinstance(values, str | bytes)
    found = list(values) if is_list else []
    if not is_list or not all(isinstance(each, kind) for each in found):
        message = f"{name} must be {kind.__name__} or a list of them, got {given!r}"
        raise ConfigError(message, option="where")
    return [stored_text(each) if isinstance(each, str) else each for each in found]
