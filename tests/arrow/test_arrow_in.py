"""Arrow in, Arrow out: a table of documents becomes one of chunks."""

import datetime as dt
import decimal
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.rows import BASE
from tests.support.texts import TEXTS

STRATEGY = cw.Recursive(max_tokens=6, overlap=2)
STRINGS = [pa.string(), pa.large_string(), pa.string_view()]
SOME: list[str | None] = [
    "One sentence here. And another one.",
    None,
    "",
    "Über größe 漢字 and some more text.",
]
ROWS = {"id": [1, 2, 3, 4], "text": SOME}


def expected(texts: Sequence[str | None], strategy: Any = STRATEGY) -> dict[str, list[Any]]:
    chunks = strategy.batch([text or "" for text in texts])
    return {
        "text": chunks.texts(),
        "document": [None] * len(chunks),
        "document_id": chunks.document_ids,
        "doc_index": chunks.doc_index.tolist(),
        "chunk_id": chunks.ids,
        "start": chunks.starts.tolist(),
        "end": chunks.ends.tolist(),
        "byte_start": chunks.byte_starts.tolist(),
        "byte_end": chunks.byte_ends.tolist(),
        "index": [row["index"] for row in chunks.to_dicts()],
        "line_start": chunks.line_starts.tolist(),
        "line_end": chunks.line_ends.tolist(),
        "source_start": chunks.starts.tolist(),
        "source_end": chunks.ends.tolist(),
        "source_line_start": chunks.line_starts.tolist(),
        "source_line_end": chunks.line_ends.tolist(),
        "oversize": [chunk.oversize for chunk in chunks],
        "n_tokens": chunks.n_tokens.tolist(),
    }


def read(chunks: Any) -> Any:
    """A result as one table, which is what Arrow says it must be."""
    table = pa.table(chunks)
    table.validate(full=True)
    assert pa.schema(chunks) == table.schema
    return table


# ---------------------------------------------------------------------- the rows


@given(
    texts=st.lists(st.none() | TEXTS, max_size=8),
    kind=st.sampled_from(STRINGS),
    workers=st.none() | st.integers(1, 4),
    start=st.integers(0, 3),
    max_chunksize=st.integers(1, 9),
)
def test_rows_are_those_of_a_batch(
    texts: list[str | None], kind: Any, workers: int | None, start: int, max_chunksize: int
) -> None:
    # What is cut off in front is in the buffers all the same.
    batch = pa.record_batch({"text": pa.array(texts, kind)}).slice(start)
    rows = expected(texts[start:])
    assert read(STRATEGY.arrow(batch, workers=workers)).to_pydict() == rows
    table = pa.Table.from_batches(
        [batch.slice(at, max_chunksize) for at in range(0, len(batch), max_chunksize)],
        batch.schema,
    )
    assert read(STRATEGY.arrow(table, workers=workers)).to_pydict() == rows


def test_other_columns_are_carried_along() -> None:
    numbers = range(5)
    texts = [f"Text {i}. " * 3 for i in numbers]
    columns = {
        "null": pa.nulls(5),
        "bool": pa.array([True, None, False, True, None]),
        "float": pa.array([0.5, None, 1.5, 2.0, -1.0], pa.float16()),
        "decimal": pa.array([decimal.Decimal(i) for i in numbers], pa.decimal128(9, 2)),
        "date": pa.array([dt.date(2026, 1, i + 1) for i in numbers]),
        "time": pa.array([i * 10**6 for i in numbers], pa.timestamp("us", "Europe/Berlin")),
        "binary": pa.array([b"\xff" * i for i in numbers]),
        "fixed": pa.array([bytes([i, i]) for i in numbers], pa.binary(2)),
        "view": pa.array(["x" * 5 * i for i in numbers], pa.string_view()),
        "text": pa.array(texts),
        "dictionary": pa.array(["a", "b", None, "a", "b"]).dictionary_encode(),
        "list": pa.array([[i] * i for i in numbers]),
        "large_list": pa.array([[f"{i}"] for i in numbers], pa.large_list(pa.string())),
        "pair": pa.array([[i, i] for i in numbers], pa.list_(pa.int8(), 2)),
        "struct": pa.array([{"a": i, "b": {"c": [str(i)]}} for i in numbers]),
        "map": pa.array([[("key", i)] for i in numbers], pa.map_(pa.string(), pa.int64())),
    }
    batch = pa.record_batch(columns).slice(1)
    chunks = pa.record_batch(STRATEGY.arrow(batch))
    chunks.validate(full=True)
    assert chunks.schema.names == [*BASE, *(name for name in columns if name != "text")]
    assert chunks["text"].to_pylist() == expected(texts[1:])["text"]
    rows = [batch.slice(i, 1).to_pydict() for i in chunks["doc_index"].to_pylist()]
    for name in set(columns) - {"text"}:
        assert chunks.schema.field(name).type == columns[name].type
        assert chunks[name].to_pylist() == [row[name][0] for row in rows]


def test_what_is_known_about_columns_is_carried_along() -> None:
    fields = [
        pa.field("id", pa.int64(), nullable=False, metadata={"unit": "none"}),
        pa.field("text", pa.large_string(), metadata={"language": "en"}),
    ]
    batch = pa.record_batch([[1], ["One two."]], schema=pa.schema(fields, {"pandas": "{}"}))
    schema = pa.record_batch(STRATEGY.arrow(batch)).schema
    assert schema.field("id").equals(fields[0], check_metadata=True)
    # The text is another one, and its rows have nothing to do with an index any more.
    assert schema.field("text").equals(
        pa.field("text", pa.string(), nullable=False), check_metadata=True
    )
    assert schema.metadata is None


def test_a_text_without_words_has_no_rows() -> None:
    for texts in ([None], [""], [" \n"], []):
        batch = pa.record_batch({"text": pa.array(texts, pa.string())})
        assert read(STRATEGY.arrow(batch)).num_rows == 0
        assert read(STRATEGY.arrow(pa.Table.from_batches([batch]))).num_rows == 0
    assert read(STRATEGY.arrow(pa.schema({"text": pa.string()}).empty_table())).num_rows == 0


def test_a_null_row_has_no_chunks() -> None:
    rows = pa.array([{"text": "One two."}, None, {"text": "Three."}])
    hidden = pa.StructArray.from_arrays(
        [pa.array(["One two.", "hidden", "Three."])], ["text"], mask=pa.array([False, True, False])
    )
    for array in (rows, hidden):
        assert read(STRATEGY.arrow(array))["text"].to_pylist() == ["One two.", "Three."]
        chunked = pa.chunked_array([array, array])
        assert read(STRATEGY.arrow(chunked))["doc_index"].to_pylist() == [0, 2, 3, 5]


def test_names_and_ids() -> None:
    batch = pa.record_batch(
        {"path": ["a", "b", None], "text": ["same", "same", "same"], "chunk_id": [1, 2, 3]}
    )
    chunks = read(STRATEGY.arrow(batch, name_column="path", id_column="id"))
    assert chunks.column_names == ["id", *BASE[1:], "path", "chunk_id"]
    assert chunks["document"].to_pylist() == chunks["path"].to_pylist() == ["a", "b", None]
    assert chunks["id"].to_pylist() == [STRATEGY("same", name=n)[0].id for n in ("a", "b", None)]
    without = read(STRATEGY.arrow(batch, name_column="path", id_column=None))
    left = {"id", "document_id"}
    assert without.column_names == [name for name in chunks.column_names if name not in left]
    known = read(STRATEGY.arrow(batch, document_id_column="path", id_column=None))
    assert known["document_id"].to_pylist() == ["a", "b", cw.Document(text="same").id]


def test_documents_have_ids() -> None:
    columns = {"document": ["a", "b"], "document_id": ["A", None], "body": ["One.", "Two."]}
    batch = pa.record_batch(columns)
    options: Any = {"text_column": "body", "name_column": "document"}
    chunks = read(STRATEGY.arrow(batch, **options, document_id_column="document_id"))
    # The columns become those of rows, and are not there twice.
    assert chunks.column_names == [*BASE]
    assert chunks["text"].to_pylist() == ["One.", "Two."]
    assert chunks["document"].to_pylist() == ["a", "b"]
    assert chunks["document_id"].to_pylist() == ["A", cw.Document(text="Two.").id]
    with pytest.raises(cw.ConfigError, match='column "document_id" would appear twice'):
        STRATEGY.arrow(batch, **options)
    other = read(STRATEGY.arrow(batch.rename_columns(["document", "key", "body"]), **options))
    assert other.column_names == [*BASE, "key"]


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "bytes", len])
def test_tokens_are_counted_if_they_are_wanted(tokenizer: Any) -> None:
    batch = pa.record_batch(ROWS)
    strategy = cw.Window(max_chars=9, tokenizer=tokenizer)
    counted = read(strategy.arrow(batch, n_tokens=True))
    texts = [text or "" for text in SOME]
    assert counted["n_tokens"].to_pylist() == strategy.batch(texts).n_tokens.tolist()
    without = read(cw.Window(max_tokens=3).arrow(batch, n_tokens=False))
    assert without.column_names == [*(name for name in BASE if name != "n_tokens"), "id"]


def test_a_counter_that_fails_is_an_error_of_its_row() -> None:
    def count(text: str) -> Any:
        return "many" if "漢" in text else len(text)

    strategy = cw.Window(max_chars=9, tokenizer=count)
    batch = pa.record_batch({"text": ["One.", "漢字", "Two."]})
    with pytest.raises(cw.TokenizerError, match="the token counter returned 'many'"):
        strategy.arrow(batch, n_tokens=True)
    rows = read(strategy.arrow(batch, n_tokens=True, errors="collect")).to_pylist()
    assert [row["n_tokens"] for row in rows] == [4, None, 4]
    assert "the token counter returned 'many'" in rows[1]["error"]
    assert [row["document_id"] is not None for row in rows] == [True] * 3


def test_sizes_are_there_if_the_limit_is_in_tokens() -> None:
    batch = pa.record_batch(ROWS)
    chunks = read(cw.Window(max_chars=9).arrow(batch))
    assert chunks.column_names == [*(name for name in BASE if name != "n_tokens"), "id"]
    texts = [text or "" for text in SOME]
    assert chunks["text"].to_pylist() == cw.Window(max_chars=9).batch(texts).texts()


def test_a_callers_counter() -> None:
    strategy = cw.Recursive(max_tokens=3, tokenizer=lambda text: len(text.split()))
    rows = expected(SOME, strategy)
    for data in (pa.record_batch(ROWS), pa.table(ROWS)):
        chunks = read(strategy.arrow(data)).to_pydict()
        assert {name: chunks[name] for name in rows} == rows


def test_a_long_text_is_indexed_in_parts() -> None:
    text = "Words in a line, Wörter, 漢字, and then 12 more.\n\n" * 30_000
    strategy = cw.Recursive(max_tokens=100)
    batch = pa.record_batch({"text": ["short", text, "short"]})
    chunks = read(strategy.arrow(batch, workers=3))
    assert chunks["text"].to_pylist() == strategy.batch(["short", text, "short"]).texts()
    assert chunks.equals(read(strategy.arrow(batch, workers=1)))


# ---------------------------------------------------------------------- streams


def test_a_stream_is_read_as_it_is_asked_for() -> None:
    n_read = 0

    def batches() -> Iterator[Any]:
        nonlocal n_read
        for i in itertools.count():
            n_read = i + 1
            yield pa.record_batch({"text": [f"Text number {i}."]})

    schema = pa.schema({"text": pa.string()})
    chunks = STRATEGY.arrow(pa.RecordBatchReader.from_batches(schema, batches()))
    assert n_read == 0
    reader = pa.RecordBatchReader.from_stream(chunks)
    assert reader.read_next_batch()["text"].to_pylist() == ["Text number 0."]
    assert n_read == 1
    for i in range(1, 5):
        assert reader.read_next_batch()["doc_index"].to_pylist() == [i]
    assert n_read == 5


def test_what_is_cut_at_once_is_bounded() -> None:
    text = "word " * 3_000_000
    table = pa.table({"text": [text, text, "", text, text]})
    strategy = cw.Window(max_chars=5_000_000)
    batches = list(pa.RecordBatchReader.from_stream(strategy.arrow(table)))
    assert [batch["doc_index"].to_pylist() for batch in batches] == [
        [0, 0, 0, 1, 1, 1],
        [3, 3, 3, 4, 4, 4],
    ]
    # With such an overlap a text of 45 MB becomes one of 75, which are two batches.
    text *= 3
    strategy = cw.Window(max_chars=5_000_000, overlap=4_500_000)
    chunks = strategy.arrow(pa.table({"text": [text]}))
    batches = list(pa.RecordBatchReader.from_stream(chunks))
    assert len(batches) == 2
    starts = [start for batch in batches for start in batch["start"].to_pylist()]
    assert starts == strategy(text).starts.tolist()


MEGABYTES = 10_000_000
LARGE: dict[str, Callable[[], tuple[Any, Any]]] = {
    "string": lambda: ("x" * MEGABYTES, pa.string()),
    "large_string": lambda: ("x" * MEGABYTES, pa.large_string()),
    "binary": lambda: (b"x" * MEGABYTES, pa.binary()),
    "large_binary": lambda: (b"x" * MEGABYTES, pa.large_binary()),
    "numbers": lambda: (range(MEGABYTES // 8), pa.list_(pa.int64())),
    "strings": lambda: (["x" * 1000] * (MEGABYTES // 1000), pa.large_list(pa.string())),
    "fixed": lambda: (range(MEGABYTES // 8), pa.list_(pa.int64(), MEGABYTES // 8)),
    "map": lambda: ([("key", "x" * MEGABYTES)], pa.map_(pa.string(), pa.string())),
    "struct": lambda: (
        {"a": {"b": "x" * MEGABYTES}},
        pa.struct({"a": pa.struct({"b": pa.string()})}),
    ),
}


@pytest.mark.parametrize("kind", LARGE)
def test_what_is_carried_along_is_bounded(kind: str) -> None:
    value, of_type = LARGE[kind]()
    # The one whose columns are large is not the only row, nor the first one of its table.
    columns = {
        "text": ["", "cut", "few", "1234567"],
        "more": pa.array([None, None, None, value], of_type),
    }
    table = pa.table(columns).slice(1)
    chunks = cw.Window(max_chars=1).arrow(table)
    batches = list(pa.RecordBatchReader.from_stream(chunks))
    # A list of fixed size takes as much where it is null.
    n_rows = [6, 6, 1] if kind == "fixed" else [12, 1]
    assert [len(batch) for batch in batches] == n_rows
    assert batches[-1]["more"][0] == columns["more"][3]
    assert batches[-1]["doc_index"].to_pylist() == [2]


def test_what_is_too_much_for_a_column_names_it() -> None:
    columns = {"text": ["x" * 220], "more": ["x" * MEGABYTES]}
    strategy = cw.Window(max_chars=1)
    with pytest.raises(ValueError, match=r'column "more" cannot be copied: .*2200000000'):
        strategy.arrow(pa.record_batch(columns))
    reader = pa.RecordBatchReader.from_stream(strategy.arrow(pa.table(columns)))
    assert len(reader.read_next_batch()) == 6


def test_a_table_can_be_read_again() -> None:
    chunks = STRATEGY.arrow(pa.table(ROWS))
    assert read(chunks) == read(chunks)
    assert repr(chunks) == "<chunks of a Table as a stream of Arrow record batches>"
    batch = STRATEGY.arrow(pa.record_batch(ROWS))
    assert repr(batch) == f"<{len(batch)} chunks as an Arrow record batch>"
    assert pa.record_batch(batch) == pa.record_batch(batch)


def test_chunks_of_chunks() -> None:
    chunks = cw.Window(max_chars=20).batch(["One sentence here. And another."])
    table = pa.table(chunks).select(["chunk_id", "text"]).rename_columns(["id", "text"])
    small = read(cw.Window(max_chars=9).arrow(table))
    assert "".join(small["text"].to_pylist()) == chunks.source


# ---------------------------------------------------------------------- other libraries


def test_polars() -> None:
    pl = pytest.importorskip("polars")
    chunks = pl.DataFrame(STRATEGY.arrow(pl.DataFrame(ROWS)))
    assert chunks.columns == [*BASE, "id"]
    assert {name: chunks[name].to_list() for name in expected([])} == expected(SOME)


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    table = pa.table(ROWS)
    # A connection has one open result at a time.
    with duckdb.connect() as source, duckdb.connect() as sink:
        source.register("documents", table)
        chunks = STRATEGY.arrow(source.sql("select * from documents"))
        sink.register("chunks", chunks)
        query = "select list(text order by doc_index, start), sum(n_tokens) from chunks"
        ((texts, n_tokens),) = sink.sql(query).fetchall()
        # DuckDB reads our stream while we wait for what it makes of it.
        again = read(STRATEGY.arrow(sink.sql("select text from chunks")))
    rows = expected(SOME)
    assert (texts, n_tokens) == (rows["text"], sum(rows["n_tokens"]))
    assert sorted(again["text"].to_pylist()) == sorted(texts)


def test_pandas() -> None:
    pd = pytest.importorskip("pandas")
    chunks = read(STRATEGY.arrow(pd.DataFrame(ROWS).convert_dtypes(dtype_backend="pyarrow")))
    assert {name: chunks[name].to_pylist() for name in expected([])} == expected(SOME)


# ---------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text_column": "nope"}, 'no column "nope"; the columns are "id", "text"'),
        ({"text_column": "id"}, 'column "id" must hold strings, but is of type Int64'),
        ({"text_column": 3}, "text_column must be a str, got 3"),
        ({"name_column": "id"}, 'column "id" must hold strings'),
        ({"name_column": "nope"}, 'no column "nope"'),
        ({"id_column": "id"}, 'column "id" would appear twice'),
        ({"id_column": "start"}, 'column "start" would appear twice'),
        ({"workers": 0}, "workers must be between 1 and 1024, got 0"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    for data in (pa.record_batch(ROWS), pa.table(ROWS)):
        with pytest.raises(cw.ConfigError, match=message):
            STRATEGY.arrow(data, **options)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": pa.array(["a"]).dictionary_encode()}, "strings, but is of type Dictionary"),
        ({"text": pa.array([b"a"])}, "strings, but is of type Binary"),
        ({"text": pa.array([["a"]])}, "strings, but is of type List"),
        ({"text": ["a"], "n_tokens": [1]}, 'column "n_tokens" would appear twice'),
        ({}, 'no column "text"'),
    ],
)
def test_columns_that_will_not_do(columns: dict[str, Any], message: str) -> None:
    for data in (pa.record_batch(columns), pa.table(columns)):
        with pytest.raises(cw.ConfigError, match=message):
            STRATEGY.arrow(data)


def test_two_columns_of_one_name() -> None:
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    with pytest.raises(cw.ConfigError, match='more than one column "text"'):
        STRATEGY.arrow(table)


@pytest.mark.parametrize("data", [{"text": ["a"]}, ["a"], "a", None])
def test_what_is_not_arrow(data: Any) -> None:
    with pytest.raises(
        cw.ConfigError, match=f"PyCapsule interface, which {type(data).__name__} lacks"
    ):
        STRATEGY.arrow(data)


def test_capsules_are_read_once() -> None:
    class Once:
        """As a producer that keeps what it gave, which whoever reads it takes away."""

        def __init__(self) -> None:
            self.capsules = pa.record_batch(ROWS).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return self.capsules

    ours, another = Once(), Once()
    STRATEGY.arrow(ours)
    pa.record_batch(another)
    for source in (ours, another):
        with pytest.raises(ValueError, match="have been read before"):
            STRATEGY.arrow(source)


def test_an_array_is_no_table() -> None:
    with pytest.raises(cw.ConfigError, match="a table is needed, got an array of Utf8"):
        STRATEGY.arrow(pa.array(["a"]))


@pytest.mark.parametrize("kind", STRINGS)
def test_bytes_that_are_no_utf8(kind: Any) -> None:
    binary = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    damaged = [b"fine", b"a\xff", b"\xe6\xbc"]
    array = pa.array(damaged, binary.get(kind, pa.binary_view())).view(kind)
    message = "the string in row {} is not valid UTF-8 from byte 1 on"
    with pytest.raises(cw.ReadError, match=message.format(1)):
        STRATEGY.arrow(pa.record_batch({"text": array}))
    table = pa.table({"text": pa.chunked_array([pa.array(["a", "b"], kind), array])})
    with pytest.raises(pa.ArrowInvalid, match=message.format(3)):
        pa.table(STRATEGY.arrow(table))
    named = pa.record_batch({"text": ["a", "b", "c"], "name": array})
    with pytest.raises(cw.ReadError, match=message.format(1)):
        STRATEGY.arrow(named, name_column="name")


def test_a_counter_that_fails() -> None:
    def count(text: str) -> int:
        raise ZeroDivisionError(f"with a \0 in {text!r}")

    strategy = cw.Window(max_tokens=4, tokenizer=count)
    with pytest.raises(ZeroDivisionError, match="with a \0 in"):
        strategy.arrow(pa.record_batch(ROWS))
    reader = pa.RecordBatchReader.from_stream(strategy.arrow(pa.table(ROWS)))
    with pytest.raises(pa.ArrowInvalid, match=r"ZeroDivisionError: with a \\0 in"):
        reader.read_next_batch()
    # Rows may be missing: nothing follows.
    with pytest.raises(StopIteration):
        reader.read_next_batch()


def test_an_error_of_the_source() -> None:
    def batches() -> Iterator[Any]:
        yield pa.record_batch({"text": ["One."]})
        raise LookupError("the source is gone")

    source = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    reader = pa.RecordBatchReader.from_stream(STRATEGY.arrow(source))
    assert reader.read_next_batch()["text"].to_pylist() == ["One."]
    with pytest.raises(pa.ArrowInvalid, match="the source is gone"):
        reader.read_next_batch()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_a_fork() -> None:
    batch = pa.record_batch(ROWS)
    rows = pa.record_batch(STRATEGY.arrow(batch, workers=2))
    child = os.fork()
    if child == 0:
        os._exit(0 if pa.record_batch(STRATEGY.arrow(batch, workers=2)) == rows else 1)
    assert os.waitpid(child, 0)[1] == 0
