"""Ray Data and Spark: the rows of the chunker itself, also after a run that failed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.corpus.arrow.chunker import ArrowChunker
from chunkwright.corpus.ray_data import chunk_dataset
from chunkwright.corpus.spark_frames import chunk_frame
from tests.corpus import engine_documents
from tests.corpus.engine_documents import COLUMNS, N_DOCUMENTS, documents, rows_of

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

pytestmark = [
    pytest.mark.slow,
    # Of Ray's own options, and of PySpark beside pandas 3.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

N_FILES = 10
# Documents on the way to the eighth file, when a run fails.
LATE = "d075"


@pytest.fixture(scope="module")
def chunker(tmp_path_factory: pytest.TempPathFactory) -> ArrowChunker:
    return engine_documents.chunker(engine_documents.write_model(tmp_path_factory.mktemp("model")))


@pytest.fixture(scope="module")
def expected(chunker: ArrowChunker) -> list[dict[str, Any]]:
    return rows_of(chunker(documents()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of Parquet files, one older than the next."""
    found = tmp_path / "documents"
    found.mkdir()
    n_rows = N_DOCUMENTS // N_FILES
    for i in range(N_FILES):
        file = found / f"{i}.parquet"
        pq.write_table(documents().slice(i * n_rows, n_rows), file)
        os.utime(file, (i, i))
    return found


def failing(flag: Path, late: str) -> Callable[[Any], Any]:
    """Make a function that fails on the chunks of a document as long as there is a file."""
    # Pickled as a whole: workers cannot import tests.

    def check(chunks: Any) -> Any:
        if flag.exists() and late in chunks["document"].to_pylist():
            raise RuntimeError("the machine is gone")
        return chunks

    return check


def written(folder: Path) -> Any:
    return pa.concat_tables(pq.read_table(file) for file in sorted(folder.glob("*.parquet")))


# ---------------------------------------------------------------------- Ray Data


@pytest.fixture
def context(ray: Any) -> Iterator[Any]:
    """The options of Ray Data, which are restored."""
    context = ray.data.DataContext.get_current()
    size = context.target_max_block_size
    yield context
    context.target_max_block_size, context.checkpoint_config = size, None


def test_ray_data(ray: Any, chunker: ArrowChunker, expected: list[dict[str, Any]]) -> None:
    blocks = [documents().slice(start, 30) for start in range(0, N_DOCUMENTS, 30)]
    chunks = chunk_dataset(ray.data.from_arrow(blocks), chunker, concurrency=2)
    table = pa.concat_tables(ray.get(chunks.to_arrow_refs()))
    assert rows_of(table) == expected
    assert table.schema == chunker.schema(documents().schema)


def test_ray_data_without_rows(ray: Any, chunker: ArrowChunker) -> None:
    empty = documents().slice(engine_documents.EMPTY, 1)
    chunks = chunk_dataset(ray.data.from_arrow(empty), chunker, concurrency=(1, 2), batch_size=8)
    assert chunks.schema().names == chunker.schema(empty.schema).names
    assert chunks.count() == 0


def test_ray_data_goes_on_where_it_failed(ray: Any, context: Any, tmp_path: Path) -> None:
    from ray.data.checkpoint import CheckpointConfig

    texts = [f"It rained on day {i}. " * 400 for i in range(N_DOCUMENTS)]
    ids = [f"d{i:03}" for i in range(N_DOCUMENTS)]
    given = pa.table({"document_id": ids, "text": texts})
    source, out = tmp_path / "documents", tmp_path / "chunks"
    source.mkdir()
    pq.write_table(given, source / "all.parquet")
    # Of both a checkpoint wants the column of ids: a document is done when its chunks are written.
    chunker = ArrowChunker(cw.Recursive(max_tokens=50), id_column="document_id")
    context.target_max_block_size = 100_000
    context.checkpoint_config = CheckpointConfig(
        id_column="document_id",
        checkpoint_path=str(tmp_path / "checkpoint"),
        delete_checkpoint_on_success=False,
    )
    flag = tmp_path / "fails"
    check = failing(flag, LATE)

    def run() -> int:
        chunks = chunk_dataset(ray.data.read_parquet(str(source)), chunker, concurrency=1)
        checked = chunks.map_batches(check, batch_format="pyarrow", batch_size=None)
        checked.write_parquet(str(out))
        return len(list(out.glob("*.parquet")))

    flag.touch()
    with pytest.raises(ray.exceptions.RayTaskError, match="the machine is gone"):
        run()
    n_before = len(written(out))
    assert 0 < n_before < len(chunker(given))
    flag.unlink()
    n_files = run()
    assert rows_of(written(out)) == rows_of(chunker(given))
    # No file has a part of a document.
    parts = [set(pq.read_table(file)["document_id"].to_pylist()) for file in out.glob("*.parquet")]
    assert sum(map(len, parts)) == N_DOCUMENTS
    assert run() == n_files


def test_ray_data_refuses_what_a_checkpoint_would_lose(
    ray: Any, context: Any, tmp_path: Path
) -> None:
    from ray.data.checkpoint import CheckpointConfig

    given = pa.table({"document_id": ["long"], "text": ["It rained. " * 20_000]})
    pq.write_table(given, tmp_path / "all.parquet")
    chunker = ArrowChunker(cw.Recursive(max_tokens=50), id_column="document_id")
    context.target_max_block_size = 100_000
    chunks = chunk_dataset(ray.data.read_parquet(str(tmp_path / "all.parquet")), chunker)
    assert chunks.count() == len(chunker(given))
    context.checkpoint_config = CheckpointConfig("document_id", str(tmp_path / "checkpoint"))
    chunks = chunk_dataset(ray.data.read_parquet(str(tmp_path / "all.parquet")), chunker)
    with pytest.raises(
        ray.exceptions.RayTaskError, match=r"'long'.* half of target_max_block_size"
    ):
        chunks.write_parquet(str(tmp_path / "chunks"))


# ---------------------------------------------------------------------- Spark


def test_spark(
    spark: Any, chunker: ArrowChunker, expected: list[dict[str, Any]], folder: Path
) -> None:
    chunks = chunk_frame(spark.read.parquet(str(folder)), chunker)
    assert [field.name for field in chunks.schema] == chunker.schema(documents().schema).names
    assert rows_of(chunks.toArrow()) == expected


def test_spark_carries_columns_of_all_types(spark: Any) -> None:
    frame = spark.sql(
        "SELECT 7 AS id, 'One. Two.' AS text, 1 AS an_int, 1.5D AS a_double, true AS a_bool,"
        " 12.34BD AS a_decimal, DATE '2026-11-26' AS a_date, X'00FF' AS some_bytes,"
        " TIMESTAMP '2026-11-26 08:00:00' AS an_instant, map('a', 1) AS a_map,"
        " TIMESTAMP_NTZ '2026-11-26 08:00:00' AS a_time, array(struct(1 AS x, 'b' AS y)) AS nested"
    )
    carried = frame.columns[2:]
    chunks = chunk_frame(frame, ArrowChunker(cw.Sentence(sentences=1), id_column="id"))
    assert (
        chunks.select(carried).schema.simpleString() == frame.select(carried).schema.simpleString()
    )
    assert chunks.select(carried).collect() == 2 * frame.select(carried).collect()
    assert [row.text for row in chunks.select("text").collect()] == ["One.", "Two."]


def test_spark_says_what_is_wrong_at_once(spark: Any) -> None:
    with pytest.raises(cw.ConfigError, match="no column 'text' among the columns 'id'"):
        chunk_frame(spark.range(3), ArrowChunker("recursive", id_column="id"))


def test_spark_goes_on_where_it_failed(
    spark: Any, chunker: ArrowChunker, expected: list[dict[str, Any]], folder: Path, tmp_path: Path
) -> None:
    schema = spark.read.parquet(str(folder)).select(COLUMNS).schema
    out, flag = tmp_path / "chunks", tmp_path / "fails"
    check = failing(flag, LATE)

    def checked(batches: Iterator[Any]) -> Iterator[Any]:
        return map(check, batches)

    def run() -> int:
        documents = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1)
        chunks = chunk_frame(documents.parquet(str(folder)), chunker)
        query = (
            chunks.mapInArrow(checked, chunks.schema)
            .writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start(str(out))
        )
        query.awaitTermination()
        return sum(progress.numInputRows for progress in query.recentProgress)

    from pyspark.errors import StreamingQueryException

    flag.touch()
    with pytest.raises(StreamingQueryException, match="the machine is gone"):
        run()
    before = spark.read.parquet(str(out)).select("document_id").distinct().count()
    # Seven of ten files, but for the document that is empty.
    assert before == 69
    flag.unlink()
    assert run() == 30
    assert rows_of(spark.read.parquet(str(out)).toArrow()) == expected
    assert run() == 0
