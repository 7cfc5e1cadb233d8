"""Recipes of docs/engines.md: engines on one machine give the rows of the chunker itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chunkwright.corpus.arrow.chunker import ArrowChunker
from tests.corpus import engine_documents
from tests.corpus.engine_documents import FAILING, NULL, documents, rows_of

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def chunker(tmp_path_factory: pytest.TempPathFactory) -> ArrowChunker:
    return engine_documents.chunker(engine_documents.write_model(tmp_path_factory.mktemp("model")))


@pytest.fixture(scope="module")
def expected(chunker: ArrowChunker) -> list[dict[str, Any]]:
    """The rows of all documents, which must have what engines could lose."""
    rows = rows_of(chunker(documents()))
    failed = {row["document_id"]: row["error"] for row in rows if row["error"] is not None}
    assert failed.keys() == {f"d{NULL:03}", f"d{FAILING:03}"}
    for name in ("pages", "boxes", "html", "headings", "context", "vector", "year", "tags"):
        assert any(row[name] for row in rows), name
    return rows


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A Parquet file with the documents."""
    found = tmp_path / "documents.parquet"
    pq.write_table(documents(), found, row_group_size=30)
    return str(found)


def test_polars(chunker: ArrowChunker, expected: list[dict[str, Any]], path: str) -> None:
    pl = pytest.importorskip("polars", reason="Polars is not installed")

    def chunk_parquet(path: str, n_rows: int) -> Iterator[Any]:
        documents = pl.scan_parquet(path)
        n_documents = documents.select(pl.len()).collect().item()
        for start in range(0, n_documents, n_rows):
            yield pl.from_arrow(chunker(documents.slice(start, n_rows).collect().to_arrow()))

    chunks = pl.concat(chunk_parquet(path, 16))
    assert rows_of(chunks.to_arrow()) == expected
    assert chunks.schema["vector"] == pl.Array(pl.Float32, 6)


def test_duckdb(chunker: ArrowChunker, expected: list[dict[str, Any]], path: str) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    connection = duckdb.connect()
    documents = connection.read_parquet(path).to_arrow_reader(16)
    chunks = pa.RecordBatchReader.from_batches(
        chunker.schema(documents.schema), chunker.map_iter(documents)
    )
    # The connection is busy with the documents as long as their chunks are read.
    writing = connection.cursor()
    writing.register("chunks", chunks)
    writing.execute("CREATE TABLE stored AS FROM chunks")
    assert rows_of(writing.table("stored").to_arrow_table()) == expected


def test_daft(chunker: ArrowChunker, expected: list[dict[str, Any]], path: str) -> None:
    daft = pytest.importorskip("daft", reason="Daft is not installed")

    kind = daft.DataType.from_arrow_type(chunker.column_type)

    @daft.func.batch(return_dtype=kind)  # type: ignore[untyped-decorator]
    def chunks_of(texts: Any, ids: Any) -> Any:
        return daft.Series.from_arrow(chunker.column(texts.to_arrow(), ids.to_arrow()))

    documents = daft.read_parquet(path).into_batches(16)
    lists = documents.with_column("chunk", chunks_of(documents["text"], documents["id"]))
    rows = lists.exclude("id", "text").explode("chunk")
    # A document without chunks has a row without any.
    rows = rows.where(rows["chunk"]["document_id"].not_null() | rows["chunk"]["error"].not_null())
    chunks = rows.select(daft.col("chunk").unnest(), "year", "tags")
    assert rows_of(chunks.to_arrow()) == expected


def test_hugging_face(
    chunker: ArrowChunker, expected: list[dict[str, Any]], path: str, tmp_path: Path
) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    documents = datasets.Dataset.from_parquet(path, cache_dir=str(tmp_path / "cache"))
    arrow = documents.with_format("arrow")
    for removed in (None, documents.column_names):
        chunks = arrow.map(chunker, batched=True, batch_size=16, remove_columns=removed)
        assert rows_of(chunks.with_format("arrow")[:]) == expected


def test_streams_of_hugging_face(
    chunker: ArrowChunker, expected: list[dict[str, Any]], path: str
) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    documents = datasets.load_dataset("parquet", data_files=path, split="train", streaming=True)
    arrow = documents.with_format("arrow")
    chunks = arrow.map(chunker, batched=True, batch_size=16)
    assert rows_of(pa.concat_tables(chunks.iter(batch_size=50))) == expected
    # With remove_columns a stream drops columns of the result: the chunks' texts are gone.
    without = arrow.map(chunker, batched=True, batch_size=16, remove_columns=["id", "text"])
    assert "text" not in pa.concat_tables(without.iter(batch_size=50)).column_names


def test_pandas(chunker: ArrowChunker, expected: list[dict[str, Any]], path: str) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    documents = pd.read_parquet(path, dtype_backend="pyarrow")
    chunks = chunker(pa.Table.from_pandas(documents, preserve_index=False))
    frame = chunks.to_pandas(types_mapper=pd.ArrowDtype)
    assert rows_of(pa.Table.from_pandas(frame, preserve_index=False)) == expected


def test_pyarrow(chunker: ArrowChunker, expected: list[dict[str, Any]], path: str) -> None:
    batches = list(chunker.map_iter(pq.ParquetFile(path).iter_batches(16)))
    chunks = pa.Table.from_batches(batches)
    assert rows_of(chunks) == expected
    assert chunks.schema == chunker.schema(documents().schema)
