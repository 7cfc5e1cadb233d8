"""Columns of the rows of a corpus: those of chunks, those that are carried, vectors."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.corpus.arrow.chunker import ArrowChunker
from chunkwright.corpus.planning.duplicates import DUPLICATE_OF
from chunkwright.corpus.reading.json_lines import sample
from chunkwright.corpus.reading.tables import schema_of
from chunkwright.errors import ConfigError, OptionName
from chunkwright.frames import without_surrogates
from chunkwright.io.rows import clashing
from chunkwright.rows import ALL, OF_ELEMENTS, RESERVED

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.corpus.inputs.splitting import Unit
    from chunkwright.embed import EmbedderLike
    from chunkwright.io.sources import Reading


# Depends on what is cut together; errors have files of their own.
_LEFT_OUT = {"doc_index", "error"}


def own_schema(
    strategy: Chunker, *, kind: str | None, n_tokens: bool | None, may_have_elements: bool
) -> Any:
    """Return the columns that chunks have by themselves.

    Parameters
    ----------
    strategy
        What cuts.
    kind
        What texts of rows are read as.
    n_tokens
        Whether tokens are counted; None: where the limit is in tokens.
    may_have_elements
        Whether there are documents with elements, such as files of PDF, whatever the strategy.
    """
    import pyarrow as pa

    of_tables = ArrowChunker(strategy, kind=kind, n_tokens=n_tokens).schema(
        pa.schema([("text", pa.string())])
    )
    names = [name for name in of_tables.names if name not in _LEFT_OUT]
    if may_have_elements:
        with_elements = {*names, *OF_ELEMENTS}
        names = [name for name in ALL if name in with_elements and name not in _LEFT_OUT]
    plain = pa.schema(_core.no_rows(names))
    # Rows of tables have nulls where those of files have elements.
    fields = [
        field if field.name in of_tables.names else field.with_nullable(nullable=True)
        for field in plain
    ]
    return pa.schema(fields, of_tables.metadata)


def joined_schema(
    own: Any, carried: Any, *, marks: bool, embedder: EmbedderLike | None, vector_column: str
) -> Any:
    """Return all columns of the rows, in order.

    Raises
    ------
    ConfigError
        If one that is carried has the name of another.
    ModelError
        If the embedder, which tells how many dimensions there are, fails.
    """
    import pyarrow as pa

    behind = [pa.field(DUPLICATE_OF, pa.string())] if marks else []
    if embedder is not None:
        from chunkwright.corpus.arrow.vectors import Vectors, vector_type

        n_dims = Vectors(embedder, collects=True).n_dims
        behind.append(pa.field(vector_column, vector_type(n_dims)))
    if clash := clashing({*RESERVED, *own.names, *(field.name for field in behind)}, carried.names):
        raise ConfigError("column ", *clash, option="drop_columns")
    nullable = [field.with_nullable(nullable=True) for field in carried]
    return pa.schema([*own, *nullable, *behind], own.metadata)


# So many rows of JSON lines say which fields there are, and of what types, of so many parts.
SAMPLE_ROWS, SAMPLE_UNITS = 1000, 100


def carried_schema(units: Sequence[Unit], reading: Reading) -> Any:
    """Return the columns that chunks carry.

    Those of Parquet and Arrow files are told by their schemas, those of JSON lines by a
    thousand rows: the first ones of each part of a file, or of a hundred parts that are spread.

    Returns
    -------
    pyarrow.Schema
        All columns but those of text and id, and those that are dropped.

    Raises
    ------
    ConfigError
        If a column has types in two files that no type holds both of; names it and both files. If
        no table has the column of texts, or that of ids; names it. If a field of JSON has a name
        that UTF-8 does not have.
    """
    import pyarrow as pa

    known: dict[str, tuple[Any, str]] = {}
    schemas = list(_schemas(units, reading))
    if not any(unit.format == "jsonl" for unit in units):
        for option in ("text_column", "id_column"):
            _check_somewhere(option, getattr(reading, option), schemas)
    for name, schema in schemas:
        for field in schema:
            if field.name in reading.not_carried:
                continue
            found = _plain(field.type), name
            if (first := known.get(field.name)) is not None:
                found = _joined(field.name, first, found), name
            known[field.name] = found
    return pa.schema([(name, type_) for name, (type_, _) in known.items()])


def _check_somewhere(option: str, column: str | None, schemas: list[tuple[str, Any]]) -> None:
    if column is None or not schemas or any(column in schema.names for _, schema in schemas):
        return
    name, schema = schemas[0]
    there = ", ".join(map(repr, schema.names)) or "none"
    message = f"no table has a column {column!r}: in {name} there are {there}"
    raise ConfigError(message, option=option)


def _schemas(units: Iterable[Unit], reading: Reading) -> Iterable[tuple[str, Any]]:
    import pyarrow as pa

    seen: set[str] = set()
    of_json: list[Unit] = []
    for unit in units:
        if unit.format == "jsonl":
            of_json.append(unit)
        elif unit.format != "file" and unit.path not in seen:
            seen.add(unit.path)
            # What cannot be read is told of when its rows are.
            with suppress(OSError, pa.ArrowException):
                yield unit.name, schema_of(unit)
    if rows := _sampled(of_json, reading):
        yield of_json[0].name, _json_schema(rows, reading.not_carried)


def _sampled(units: Sequence[Unit], reading: Reading) -> list[dict[str, Any]]:
    n = min(len(units), SAMPLE_UNITS)
    spread = [units[i * (len(units) - 1) // max(1, n - 1)] for i in range(n)]
    n_rows = SAMPLE_ROWS // max(1, n)
    return [row for unit in spread for row in sample(unit, reading, n_rows)]


def _json_schema(rows: Sequence[dict[str, Any]], not_carried: Container[str | None]) -> Any:
    import pyarrow as pa

    names = dict.fromkeys(name for row in rows for name in row if name not in not_carried)
    for name in names:
        # JSON has lone surrogates, which UTF-8 has not.
        if without_surrogates(name) != name:
            message = f"column {name!r} has no name in UTF-8: leave it out with "
            raise ConfigError(message, OptionName("drop_columns"))
    return pa.schema([(name, _type_of([row.get(name) for row in rows])) for name in names])


def _type_of(values: list[Any]) -> Any:
    """Return the type of values of JSON; text, where they are of many types or of none."""
    import pyarrow as pa

    try:
        return pa.array(values).type
    except (pa.ArrowException, OverflowError, UnicodeEncodeError):
        return pa.string()


def _plain(type_: Any) -> Any:
    """Return the type that a column has in the output."""
    import pyarrow as pa

    if pa.types.is_dictionary(type_):
        return _plain(type_.value_type)
    # Where nothing is known yet, text is the likeliest.
    return pa.string() if pa.types.is_null(type_) else type_


def _joined(column: str, first: tuple[Any, str], second: tuple[Any, str]) -> Any:
    import pyarrow as pa

    schemas = [pa.schema([(column, type_)]) for type_, _ in (first, second)]
    try:
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except pa.ArrowException as error:
        types = f"{first[0]} in {first[1]} and {second[0]} in {second[1]}"
        message = f"column {column!r} is {types}: leave it out with "
        raise ConfigError(message, OptionName("drop_columns")) from error
