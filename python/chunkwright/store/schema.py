"""Tables of a store, the same in every database."""

from __future__ import annotations

from typing import Final, NamedTuple

VERSION: Final = 1
"""Of the tables, and of what stands in them."""


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
    """

    name: str
    type: str
    is_optional: bool = False


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
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    unique: tuple[str, ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]


def _columns(**types: str) -> tuple[Column, ...]:
    """Return columns by their names and types; one with a question mark may be empty."""
    return tuple(
        Column(name, type_.removesuffix("?"), type_.endswith("?")) for name, type_ in types.items()
    )


TABLES: Final = (
    # What the store says of itself: the version of its tables, options of its search.
    Table("state", _columns(name="text", value="text"), ("name",)),
    # What versions of documents depend on: reader, strategy, tokenizer and every option, as JSON.
    Table("fingerprints", _columns(id="integer", description="text"), ("id",), ("description",)),
    # `current_version` is empty once the document is removed; `revision` grows with every change
    # of what is searched.
    Table(
        "documents",
        _columns(
            id="integer",
            uri="text",
            current_version="integer?",
            source_hash="text",
            fingerprint="integer",
            revision="integer",
        ),
        ("id",),
        ("uri",),
    ),
    # Values of a document by name: each is a text or a number, and `kind` says which type.
    Table(
        "metadata",
        _columns(document="integer", name="text", kind="text", text="text?", number="real?"),
        ("document", "name"),
    ),
    # What filters look at: items of values that are lists (JSON in `metadata`), and single values.
    Table(
        "metadata_items",
        _columns(
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
        _columns(
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
        _columns(
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
        indexes=(("document", "content_hash"), ("base",)),
    ),
    # Where a block stands in a version: places in code points of the version's text, bytes where
    # they are named so, lines from 1; `chunk` restores the chunk.
    Table(
        "placements",
        _columns(
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
        ),
        ("document", "version", "ordinal"),
        indexes=(("block",),),
    ),
    # A quote: a part of a block's text in a version, in code points of that text.
    Table(
        "citations",
        _columns(
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
        indexes=(("document",),),
    ),
    # What embedded the inputs of blocks; the vectors themselves are as each database keeps them.
    Table(
        "models",
        _columns(id="integer", fingerprint="text", n_dims="integer"),
        ("id",),
        ("fingerprint",),
    ),
    # The words of documents in a row, derived from their blocks: `state` says of which revisions.
    Table(
        "word_segments",
        _columns(first="integer", subwords="text", state="bytes", data="bytes"),
        ("first", "subwords"),
    ),
    # Signatures of blocks, and pairs whose texts are nearly the same.
    Table("signatures", _columns(block="text", data="bytes"), ("block",)),
    Table(
        "duplicates",
        _columns(block="text", other="text", similarity="real"),
        ("block", "other"),
        indexes=(("other",),),
    ),
)

BY_NAME: Final = {table.name: table for table in TABLES}
"""The tables by their names."""


def create_statements(types: dict[str, str], more: str = "") -> list[str]:
    """Return the statements that make the tables.

    Parameters
    ----------
    types
        The database's name of each type of column.
    more
        What follows the columns of a table.
    """
    return [statement for table in TABLES for statement in _creating(table, types, more)]


def _creating(table: Table, types: dict[str, str], more: str) -> list[str]:
    columns = [
        f"{column.name} {types[column.type]}{'' if column.is_optional else ' NOT NULL'}"
        for column in table.columns
    ]
    columns.append(f"PRIMARY KEY ({', '.join(table.key)})")
    if table.unique:
        columns.append(f"UNIQUE ({', '.join(table.unique)})")
    return [
        f"CREATE TABLE {table.name} ({', '.join(columns)}){more}",
        *(
            f"CREATE INDEX {table.name}_by_{'_'.join(index)} ON {table.name} ({', '.join(index)})"
            for index in table.indexes
        ),
    ]
