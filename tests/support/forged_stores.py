"""Stores that somebody has forged: any value in any column, and bytes that were changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import chunkwright as cw
from chunkwright.errors import ModelError, StoreError
from chunkwright.store.store import Store
from tests.support import old_store
from tests.support.stores import Words, documents, with_lines

# As SQL, of the value that is there.
VALUES = (
    *("NULL", "'x'", "''", "x'00'", "x''", "0", "-1", "7", "1.5", "4611686018427387904", "1e300"),
    *("'[]'", "'{}'", "'null'", "'[[1]]'", "'{\"strategy\": 7}'", '\'["a", {"b": []}]\'', "'1'"),
    *("zeroblob(40)", "CAST({} AS BLOB)", "CAST({} AS TEXT)", "substr({}, 1, length({}) / 2)"),
    *("{} || {}", "-{}", "replace({}, '1', '900')", "replace({}, '[', '')", "hex(zeroblob(50000))"),
    *("replace({}, ',', ', null, ')", "'[' || {} || ']'", "x'ff' || {}"),
)


class Forgery(NamedTuple):
    """A change of a column: of all rows, or of one."""

    table: str
    column: str
    value: str
    is_of_all: bool

    def apply(self, path: Path) -> bool:
        """Change a file; return whether the database takes the value."""
        value = self.value.replace("{}", self.column)
        where = (
            ""
            if self.is_of_all
            else f" WHERE {self.column} = (SELECT max({self.column}) FROM {self.table})"
        )
        sql = f"UPDATE OR IGNORE {self.table} SET {self.column} = {value}{where}"
        with closing(sqlite3.connect(path)) as connection:
            try:
                connection.execute(sql)
            except sqlite3.IntegrityError:
                return False
            connection.commit()
        return True


class Deletion(NamedTuple):
    """A table without its rows, or without one."""

    table: str
    is_of_all: bool

    def apply(self, path: Path) -> bool:
        """Change a file."""
        with closing(sqlite3.connect(path)) as connection:
            some = "" if self.is_of_all else f" WHERE {self._first(connection)}"
            connection.execute(f"DELETE FROM {self.table}{some}")
            connection.commit()
        return True

    def _first(self, connection: sqlite3.Connection) -> str:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({self.table})")]
        return f"{columns[0]} = (SELECT min({columns[0]}) FROM {self.table})"


def forgeries(path: Path) -> list[Forgery | Deletion]:
    """Return every change of every column of a store."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        columns = [
            (table, row[1])
            for table in tables
            for row in connection.execute(f"PRAGMA table_info({table})")
        ]
    found: list[Forgery | Deletion] = [
        Forgery(table, column, value, is_of_all)
        for table, column in columns
        for value in VALUES
        for is_of_all in (True, False)
    ]
    return found + [Deletion(table, each) for table in tables for each in (True, False)]


def make(path: Path) -> None:
    """Write a store that has rows in all tables."""
    with Store.open(path, embedder=Words()) as store:
        old_store.make(store)
        store.add(headed())
        lost = store.cite(store.blocks("letter-mill")[0].id)
        store.erase("letter-shed", keep_citations=True)
        store.resolve(lost)
        store.verify("Nobody has ever said this here.")


def headed() -> cw.Document:
    """Return a document with a page header."""
    document = cw.Document(text="Slate on the roof.", name="headed")
    return with_lines(document, [("page header", "Of slates", page) for page in (1, 2)])


def acts() -> dict[str, Callable[[Store], object]]:
    """Return what is done with a store."""
    return {
        "search": lambda store: list(store.search("copper ledger of winter")),
        "words": lambda store: store.search(
            "harbour", retriever=cw.Retriever(), floor=0.0, gate=9.0, expand="neighbours"
        ),
        "filled": lambda store: store.search("roof", max_tokens=50, compose=True),
        "filtered": lambda store: store.search("roof", where={"metadata": {"year": 2024}}),
        "lines": lambda store: store.search("of slates", where={"types": "page header"}),
        "resolve": lambda store: each(store.citations(), store.resolve),
        "verify": lambda store: store.verify("The same everywhere."),
        "missing": lambda store: store.verify("Nobody has ever said this here."),
        "documents": lambda store: store.documents(),
        "versions": lambda store: each(
            store.documents(), lambda one: (store.versions(one.uri), store.blocks(one.uri))
        ),
        "diff": lambda store: store.diff("report-0.md", 1),
        "export": lambda store: list(store.rows()),
        "edits": lambda store: store.edits(),
        "models": lambda store: (store.models(), store.note("embedder")),
        "same": lambda store: added(store.add(documents(2, 2))),
        "changed": lambda store: added(store.add(documents(3, 3))),
        "embed": lambda store: store.embed(),
        "edit": lambda store: each(
            store.blocks("report-1.md")[:2], lambda one: store.edit(one.id, "By hand, again.")
        ),
        "link": lambda store: store.link_duplicates(),
        "cite": lambda store: each(store.blocks("report-2.md")[:2], lambda one: store.cite(one.id)),
        "remove": lambda store: store.remove("report-2.md"),
        "prune": lambda store: store.prune(),
        "erase": lambda store: store.erase("report-0.md"),
        "again": lambda store: list(store.search("copper ledger of winter")),
    }


def each(items: Sequence[Any], act: Callable[[Any], object]) -> None:
    """Do something with each of some things, also where it fails with one before."""
    errors: list[StoreError] = []
    for item in items:
        try:
            act(item)
        except StoreError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def added(report: Any) -> None:
    """Raise what is no error of a store or a document."""
    for one in report:
        if one.error is not None and not isinstance(one.error, cw.ChunkwrightError):
            raise one.error


def wrong(path: Path) -> Iterator[str]:
    """Do everything with a store; yield what raises anything but an error that names it."""
    try:
        store = Store.open(path, embedder=Words())
    except StoreError as error:
        if path.name not in str(error):
            yield f"open: {error!r}"
        return
    with store:
        for name, act in acts().items():
            try:
                act(store)
            except StoreError as error:
                if path.name not in str(error):
                    yield f"{name}: {error!r}"
            except ModelError:
                pass
            except Exception as error:  # noqa: BLE001 - that is what is looked for
                yield f"{name}: {error!r}"
