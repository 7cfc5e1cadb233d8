"""What `arrow` is given: data sets, scanners and relations as they are, and hints for the rest."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import chunkwright as cw

STRATEGY = cw.Window(max_chars=9)
TABLE = pa.table({"year": [1, 1, 2], "text": ["One sentence.", "Two.", "Three and more."]})
TEXTS = [row["text"] for row in pa.table(STRATEGY.arrow(TABLE)).to_pylist()]


# ---------------------------------------------------------------------- data sets of pyarrow


@pytest.fixture
def dataset(tmp_path: Path) -> Any:
    ds.write_dataset(TABLE, tmp_path, format="parquet", partitioning=["year"])
    partitioning = ds.partitioning(
        pa.schema({"year": pa.dictionary(pa.int32(), pa.int64())}),
        dictionaries={"year": pa.array([1, 2])},
    )
    return ds.dataset(tmp_path, format="parquet", partitioning=partitioning)


def test_a_dataset_is_scanned(dataset: Any) -> None:
    chunks = STRATEGY.arrow(dataset)
    table = pa.table(chunks)
    table.validate(full=True)
    assert sorted(table["text"].to_pylist()) == sorted(TEXTS)
    assert table.schema == pa.schema(chunks)
    # The column that is in the names of files only.
    assert {*table["year"].to_pylist()} == {1, 2}
    assert pa.table(chunks).num_rows == table.num_rows
    assert "chunks of a Scanner" in repr(chunks)


def test_a_scanner_chooses_columns_and_rows(dataset: Any) -> None:
    scanner = dataset.scanner(columns=["text"], filter=ds.field("year") == 2)
    table = pa.table(STRATEGY.arrow(scanner))
    assert table["text"].to_pylist() == STRATEGY("Three and more.").texts()
    assert "year" not in table.column_names
    with pytest.raises(cw.ConfigError, match='no column "body"; the columns are "text"'):
        STRATEGY.arrow(scanner, text_column="body")


def test_a_dataset_is_opened_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "documents.parquet"
    ds.write_dataset(TABLE, path, format="parquet")
    chunks = STRATEGY.arrow(ds.dataset(path, format="parquet"))
    for file in path.iterdir():
        file.unlink()
    with pytest.raises(pa.ArrowInvalid, match="Failed to open local file"):
        pa.table(chunks)


def test_polars_reads_a_dataset(dataset: Any) -> None:
    pl = pytest.importorskip("polars")
    assert sorted(pl.DataFrame(STRATEGY.arrow(dataset))["text"].to_list()) == sorted(TEXTS)


def test_a_source_that_changes_its_columns_is_refused() -> None:
    class Changing:
        """A producer whose second stream is of another type."""

        def __init__(self) -> None:
            self.tables = iter([TABLE, TABLE.drop_columns(["year"])])

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return next(self.tables).__arrow_c_stream__()

    chunks = STRATEGY.arrow(Changing())
    assert pa.table(chunks)["text"].to_pylist() == TEXTS
    with pytest.raises(cw.ReadError, match=r"the source had the columns .*year.*, now .*text"):
        pa.table(chunks)


# ---------------------------------------------------------------------- DuckDB


@pytest.fixture
def connection() -> Any:
    duckdb = pytest.importorskip("duckdb", reason="the tests of DuckDB need it")
    with duckdb.connect() as connection:
        connection.execute(
            "create table documents as select 'Text number ' || range as text from range(3000)"
        )
        yield connection


@pytest.fixture
def strict(connection: Any) -> Any:
    """Return a connection that has one open result at a time."""
    duckdb = pytest.importorskip("duckdb")
    if not hasattr(duckdb, "ResourceInUseException"):
        pytest.skip("DuckDB before 2.0 ends an open result instead")
    return connection


RELATION = "select * from documents"
KEPT = "create table chunks as select * from rows"


def test_a_query_that_reads_chunks_of_its_own_connection_is_told_what_to_do(strict: Any) -> None:
    rows = STRATEGY.arrow(strict.sql(RELATION))
    with pytest.raises(Exception, match=r"ConfigError: DuckDB runs one query at a time on a conn"):
        strict.execute(KEPT)
    strict.register("registered", rows)
    with pytest.raises(Exception, match=r"connection\.cursor\(\)\.sql\(\.\.\.\), or give relation"):
        strict.sql("select count(*) from registered").fetchall()


RECIPES: dict[str, Callable[[Any], Any]] = {
    "a second connection": lambda connection: connection.cursor().sql(RELATION),
    "a table first": lambda connection: connection.sql(RELATION).to_arrow_table(),
}


@pytest.mark.parametrize("recipe", RECIPES)
def test_documents_and_chunks_of_one_database(connection: Any, recipe: str) -> None:
    rows = STRATEGY.arrow(RECIPES[recipe](connection))
    assert pa.schema(rows).names[0] == "chunk_id"
    connection.execute(KEPT)
    counts = connection.sql("select count(*), count(distinct doc_index) from chunks").fetchall()
    expected = STRATEGY.batch(f"Text number {i}" for i in range(3000))
    assert counts == [(len(expected), 3000)]


def test_a_connection_is_free_until_chunks_are_read(strict: Any) -> None:
    rows = STRATEGY.arrow(strict.sql(RELATION))
    assert strict.execute("select count(*) from documents").fetchall() == [(3000,)]
    n_rows = pa.table(rows).num_rows
    assert strict.execute("select 1").fetchall() == [(1,)]
    assert pa.table(rows).num_rows == n_rows


# ---------------------------------------------------------------------- what is not Arrow


def lazy_frame() -> Any:
    return pytest.importorskip("polars").LazyFrame({"text": ["a"]})


def connection_alone() -> Any:
    return pytest.importorskip("duckdb").connect()


def pandas_before_arrow() -> Any:
    return type("DataFrame", (), {"__module__": "pandas.core.frame"})()


@pytest.mark.parametrize(
    ("made", "kind", "hint"),
    [
        (lazy_frame, "LazyFrame", r"data\.collect\(\).*data\.collect_batches\(\)"),
        (connection_alone, "DuckDBPyConnection", r"connection\.sql\(query\)"),
        (pandas_before_arrow, "DataFrame", r"pyarrow\.Table\.from_pandas\(data\)"),
        (lambda: "a.parquet", "str", r"pyarrow\.dataset\.dataset\(path\)"),
        (lambda: Path("a.parquet"), "Path", r"pyarrow\.dataset\.dataset\(path\)"),
        (lambda: [{"text": "a"}], "list", r"pyarrow\.Table\.from_pylist\(data\)"),
        (lambda: ["a"], "list", r"batch\(texts\)"),
        (lambda: {"text": ["a"]}, "dict", r"pyarrow\.table\(data\)"),
        (TABLE.to_batches, "list", r"pyarrow\.Table\.from_batches\(data\)"),
        (lambda: iter(TABLE.to_batches()), "iterator", r"RecordBatchReader\.from_batches\("),
    ],
)
def test_what_is_not_arrow_is_named_with_what_could_be_given(
    made: Callable[[], Any], kind: str, hint: str
) -> None:
    with pytest.raises(cw.ConfigError, match=rf"interface, which \w*{kind} lacks: .*{hint}"):
        STRATEGY.arrow(made())
