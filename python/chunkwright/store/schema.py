"""Tables of a store, the same in every database."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

VERSION: Final = 4
"""Of the tables and of what stands in them, to which migrations lead."""


class Column(NamedTuple):
    """A column of a table.

    Attributes
    ----------
    name
        Its name.
    type
        ``"integer"`` (64 bits), ``"real"``, ``"text"``, ``"bytes"`` or ``"json"``, which is a
        ``str`` in Python.
    is_optional
        Whether a row may have no value in it.
    default
        The value of rows that were written before there was such a column, as SQL; needed where it
        is not optional and its table is older.
    """

    name: str
    type: str
    is_optional: bool = False
    default: str | None = None


class Table(NamedTuple):
    """A table.

    Attributes
    ----------
    name
        Its name.
    columns
        Its columns, in the order in which rows are written.
    key
        The columns of its primary key.
    unique
        Other columns that are unique together.
    indexes
        Columns that rows are searched by.
    more
        What follows the columns in SQL.
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    unique: tuple[str, ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()
    more: str = ""

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    @property
    def named_indexes(self) -> dict[str, tuple[str, ...]]:
        """The columns of the indexes by the names of these."""
        return {f"{self.name}_by_{'_'.join(index)}": index for index in self.indexes}


def columns(**types: str) -> tuple[Column, ...]:
    """Return columns by their names and types; one with a question mark may be empty."""
    return tuple(
        Column(name, type_.removesuffix("?"), type_.endswith("?")) for name, type_ in types.items()
    )


TABLES: Final = (
    # What the store says of itself: the version of its tables, options of its search, and what
    # erased documents leave behind: that their numbers are not given again.
    Table("state", columns(name="text", value="text"), ("name",)),
    # What versions of documents depend on: reader, strategy, tokenizer and every option, as JSON.
    Table("fingerprints", columns(id="integer", description="text"), ("id",), ("description",)),
    # `current_version` is empty once the document is removed; `revision` grows with every change
    # of what is searched. `key` is what ids of blocks are derived from, empty where that is the
    # address; `origin`, `file`, `row_key` and `id_column` say what the document was read from.
    Table(
        "documents",
        columns(
            id="integer",
            uri="text",
            current_version="integer?",
            source_hash="text",
            fingerprint="integer",
            revision="integer",
            key="text?",
            origin="text?",
            file="text?",
            row_key="text?",
            id_column="text?",
        ),
        ("id",),
        ("uri",),
        indexes=(("key",), ("source_hash",)),
    ),
    # Values of a document by name: each is a text or a number, and `kind` says which type.
    Table(
        "metadata",
        columns(document="integer", name="text", kind="text", text="text?", number="real?"),
        ("document", "name"),
    ),
    # What filters look at: items of values that are lists (JSON in `metadata`), and single values.
    Table(
        "metadata_items",
        columns(
            document="integer",
            name="text",
            item="integer",
            kind="text",
            text="text?",
            number="real?",
        ),
        ("document", "name", "item"),
        indexes=(("name", "text"), ("name", "number")),
    ),
    # `content` is the document as it was read, empty where it is that of `content_version`.
    Table(
        "versions",
        columns(
            document="integer",
            version="integer",
            content_hash="bytes",
            content_version="integer",
            content="bytes?",
            fingerprint="integer",
            confidence="real?",
            created_at="text",
        ),
        ("document", "version"),
    ),
    # Identity: a text of a document that stays the same block wherever it stands. `base` is the
    # block that one of origin "manual" stands for.
    Table(
        "blocks",
        columns(
            id="text",
            document="integer",
            content_hash="bytes",
            occurrence="integer",
            origin="text",
            base="text?",
            is_stale="integer",
            text="text",
            n_tokens="integer",
            first_version="integer",
            last_version="integer",
            superseded_by="text?",
        ),
        ("id",),
        indexes=(("document", "content_hash"), ("base",), ("superseded_by",)),
    ),
    # Where a block stands in a version: places in code points of the version's text, bytes where
    # they are named so, lines from 1; `chunk` restores the chunk. `confidence` is that of the
    # reader, empty where it states none and where the text was written by hand. `speakers` are the
    # names of those who speak, as a list in JSON without blanks; empty where nobody is named.
    Table(
        "placements",
        columns(
            document="integer",
            version="integer",
            ordinal="integer",
            block="text",
            block_type="text",
            parent="integer?",
            headings="json",
            page_start="integer?",
            page_end="integer?",
            pages="json",
            boxes="json",
            char_start="integer",
            char_end="integer",
            line_start="integer",
            line_end="integer",
            source_start="integer?",
            source_end="integer?",
            chunk="json",
            prefix_shadow="text?",
            suffix_shadow="text?",
            context="json?",
            input_hash="bytes",
            n_tokens="integer",
            confidence="real?",
            speakers="text?",
            time_start="real?",
            time_end="real?",
        ),
        ("document", "version", "ordinal"),
        indexes=(("block",), ("input_hash",)),
    ),
    # A quote: a part of a block's text in a version, in code points of that text.
    Table(
        "citations",
        columns(
            id="text",
            document="integer",
            version="integer",
            block="text",
            quote="text",
            char_start="integer",
            char_end="integer",
            cited_by="text?",
            created_at="text",
        ),
        ("id",),
        indexes=(("document", "version"), ("block",)),
    ),
    # What is kept of citations that were erased: nothing but that they were.
    Table("tombstones", columns(id="text", erased_at="text"), ("id",)),
    # What embedded the inputs of blocks; the vectors themselves are as each database keeps them.
    Table(
        "models",
        columns(id="integer", fingerprint="text", n_dims="integer"),
        ("id",),
        ("fingerprint",),
    ),
    # The words of documents in a row, derived from their blocks: `state` says of which revisions.
    Table(
        "word_segments",
        columns(first="integer", subwords="text", state="bytes", data="bytes"),
        ("first", "subwords"),
    ),
    # Which runs of letters contents may have, derived from their texts by the hashes of these;
    # `version` is that of the filters.
    Table(
        "quote_filters",
        columns(content_hash="bytes", version="integer", data="bytes"),
        ("content_hash",),
    ),
    # Signatures of blocks, and pairs whose texts are nearly the same.
    Table("signatures", columns(block="text", data="bytes"), ("block",)),
    Table(
        "duplicates",
        columns(block="text", other="text", similarity="real"),
        ("block", "other"),
        indexes=(("other",),),
    ),
)

BY_NAME: Final = {table.name: table for table in TABLES}
"""The tables by their names."""


def create_statements(tables: Iterable[Table], types: Mapping[str, str]) -> list[str]:
    """Return the statements that make tables with their indexes.

    Parameters
    ----------
    tables
        The tables.
    types
        The database's name of each type of column.
    """
    return [
        statement
        for table in tables
        for statement in (_creating(table, types), *index_statements(table).values())
    ]


def index_statements(table: Table) -> dict[str, str]:
    """Return the statements that make the indexes of a table, by the names of these."""
    return {
        name: f"CREATE INDEX {name} ON {table.name} ({', '.join(of)})"
        for name, of in table.named_indexes.items()
    }


def described(column: Column, types: Mapping[str, str]) -> str:
    """Return a column as SQL declares it."""
    return f"{column.name} {types[column.type]}{'' if column.is_optional else ' NOT NULL'}"


def _creating(table: Table, types: Mapping[str, str]) -> str:
    parts = [described(column, types) for column in table.columns]
    parts.append(f"PRIMARY KEY ({', '.join(table.key)})")
    if table.unique:
        parts.append(f"UNIQUE ({', '.join(table.unique)})")
    return f"CREATE TABLE {table.name} ({', '.join(parts)}){table.more}"


def now() -> str:
    """Return the time in UTC, as columns have it: in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
