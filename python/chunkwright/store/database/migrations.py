"""Migrations of a store's tables: what an older version lacks, and what its rows are filled with.

Missing tables, columns and indexes follow from the schema. A column that is not optional names the
default of rows that are there; what needs more than that is a row of `FILLS`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from chunkwright.errors import StoreError
from chunkwright.store import schema
from chunkwright.store.model import FILE, GIVEN, ROW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chunkwright.store.database.protocol import Session
    from chunkwright.store.schema import Table

OLDEST: Final = 1
"""The version of the oldest tables that are migrated."""


class Fill(NamedTuple):
    """Rows of older tables that are filled when these are migrated.

    Attributes
    ----------
    version
        The first version of the tables whose rows are right.
    run
        Fills them, in the transaction of the migration, when all tables and columns are there.
    """

    version: int
    run: Callable[[Session], None]


def _fill_origins(session: Session) -> None:
    """Say what documents were read from, as far as what they depend on says it.

    A file whose path is not known is never missing; the next import of it tells the path.
    """
    rows = session.rows(
        "SELECT d.id, d.uri, f.description FROM documents d"
        " JOIN fingerprints f ON f.id = d.fingerprint"
    )
    for document, uri, described in rows:
        kind = _origin(described)
        file = uri if kind == FILE and Path(uri).is_absolute() and "\\" not in uri else None
        sql = "UPDATE documents SET origin = ?, file = ? WHERE id = ?"
        session.run(sql, (kind, file, document))


def _origin(described: str) -> str | None:
    """Return the kind of origin that the description of a fingerprint of version 1 tells."""
    try:
        reader = json.loads(described).get("reader")
    except (AttributeError, ValueError):
        return None
    if isinstance(reader, str) and reader.startswith("chunkwright "):
        return FILE
    return {"document": GIVEN, "row of a table": ROW}.get(reader)


def _forget_links(session: Session) -> None:
    """Forget which blocks are nearly the same, by signatures of terms that are others now.

    Blocks that contradict each other were linked, too; the next call links anew.
    """
    for table in ("duplicates", "signatures"):
        session.run(f"DELETE FROM {table}")  # noqa: S608 - named above
    session.run("DELETE FROM state WHERE name = 'duplicates threshold'")


def _fill_items(session: Session) -> None:
    """Let filters, which look at items, find the single values that there are."""
    session.run(
        "INSERT INTO metadata_items (document, name, item, kind, text, number)"
        " SELECT document, name, 0, kind, text, number FROM metadata"
    )


FILLS: Final[tuple[Fill, ...]] = (
    Fill(2, _fill_origins),
    Fill(2, _forget_links),
    Fill(2, _fill_items),
)
"""In the order in which they are run."""


class Present(NamedTuple):
    """Tables that a database has.

    Attributes
    ----------
    columns
        The columns of each table, by its name.
    indexes
        The names of all indexes.
    """

    columns: Mapping[str, Sequence[str]]
    indexes: frozenset[str]


def migrate(
    session: Session,
    version: str,
    present: Present,
    tables: Sequence[Table],
    types: Mapping[str, str],
) -> None:
    """Bring the tables of a store up to date.

    Parameters
    ----------
    session
        The transaction.
    version
        That of its tables.
    present
        The tables as they are.
    tables
        The tables as they are to be.
    types
        The database's name of each type of column.
    """
    for statement in statements(present, tables, types):
        session.run(statement)
    for fill in FILLS:
        if fill.version > int(version):
            fill.run(session)
    session.run("UPDATE state SET value = ? WHERE name = 'version'", (str(schema.VERSION),))


def statements(present: Present, tables: Sequence[Table], types: Mapping[str, str]) -> list[str]:
    """Return the statements that make tables what the schema says."""
    new = [table for table in tables if table.name not in present.columns]
    old = [table for table in tables if table.name in present.columns]
    return schema.create_statements(new, types) + [
        statement for table in old for statement in _changing(table, present, types)
    ]


def _changing(table: Table, present: Present, types: Mapping[str, str]) -> list[str]:
    """Return the statements that change a table; an index that it has no more is dropped."""
    known = set(present.columns[table.name])
    own = {each for each in present.indexes if each.startswith(f"{table.name}_by_")}
    wanted = schema.index_statements(table)
    found = [
        f"ALTER TABLE {table.name} ADD COLUMN {schema.described(column, types)}"
        + ("" if column.default is None else f" DEFAULT {column.default}")
        for column in table.columns
        if column.name not in known
    ]
    found += [f"DROP INDEX {name}" for name in sorted(own - wanted.keys())]
    found += [sql for name, sql in wanted.items() if name not in own]
    return found


def check_migratable(name: str, version: str | None, *, is_read_only: bool) -> None:
    """Raise unless tables of another version can be brought up to date.

    Parameters
    ----------
    name
        The store's, for messages.
    version
        What it says of its tables.
    is_read_only
        Whether it is opened for reading only.

    Raises
    ------
    StoreError
        If its version is not known, or an older one may not be written.
    """
    message = f"it is a store of version {version}, this is version {schema.VERSION}"
    number = int(version) if version is not None and version.isdecimal() else 0
    if number > schema.VERSION:
        message = f"{message}: a later chunkwright wrote it, and that is needed to open it"
    elif number < OLDEST:
        message = f"{message}: no chunkwright has written such a one"
    elif is_read_only:
        message = f"{message}: open it for writing once, which brings its tables up to date"
    else:
        return
    raise StoreError(message, store=name)
