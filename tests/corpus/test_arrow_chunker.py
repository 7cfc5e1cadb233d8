"""Chunker of Arrow batches: rows, columns, errors, vectors, and pickles of configuration only."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.corpus.arrow.chunker import ArrowChunker
from chunkwright.corpus.arrow.sending import MOST_BYTES, received
from chunkwright.corpus.arrow.vectors import Vectors
from chunkwright.llm import ModelAccessError
from tests.corpus import engine_documents
from tests.corpus.engine_documents import documents, rows_of
from tests.support.texts import TEXTS
from tests.support.toy_embedders import dice, zeros

pa = pytest.importorskip("pyarrow")

WORDS = cw.Recursive(max_tokens=4)
BAD = "Nobody can embed this."


def batch_of(**columns: Any) -> Any:
    return pa.record_batch(columns)


def rows(chunks: Any, *names: str) -> list[tuple[Any, ...]]:
    """Return some columns as tuples."""
    return [tuple(row[name] for name in names) for row in chunks.to_pylist()]


def no_bad(texts: list[str]) -> Any:
    """Give each text a direction, but for one."""
    if BAD in texts:
        raise ValueError("bad text")
    return dice(texts)


def refused(texts: list[str]) -> Any:
    """Refuse all but the first request."""
    if texts == ["text"]:
        return dice(texts)
    raise ModelAccessError("401: no key")


class Heavy:
    """An embedder that has its numbers with it."""

    fingerprint = "heavy"

    def __init__(self) -> None:
        self.numbers = bytes(MOST_BYTES)

    def embed(self, texts: list[str]) -> Any:
        return dice(texts)


# ---------------------------------------------------------------------- rows


@given(texts=st.lists(st.none() | TEXTS, max_size=6), is_table=st.booleans())
def test_rows_are_those_of_the_strategy(texts: list[str | None], is_table: bool) -> None:
    batch = batch_of(text=pa.array(texts, pa.string()), n=range(len(texts)))
    found = ArrowChunker(WORDS)(pa.Table.from_batches([batch]) if is_table else batch)
    assert type(found) is (pa.Table if is_table else pa.RecordBatch)
    found.validate(full=True)
    options: dict[str, Any] = {"errors": "collect"}
    expected = pa.table(WORDS.arrow(pa.Table.from_batches([batch]), **options)).to_pylist()
    for row in expected:
        number = row.pop("doc_index")
        # A document without a name is called by its id.
        row["document"] = row["document_id"]
        if row["error"] is not None:
            row["error"] = row["error"].removeprefix(f"row {number}: ")
    same = [name for name in found.schema.names if name != "chunk_id"]
    assert rows(found, *same) == [tuple(row[name] for name in same) for row in expected]
    assert found.schema.names[-2:] == ["n", "error"]


@given(
    numbers=st.lists(st.integers(0, 99), max_size=9),
    ends=st.lists(st.integers(0, 9), max_size=3),
    batch_bytes=st.integers(1, 2000),
)
def test_rows_do_not_depend_on_batches(
    numbers: list[int], ends: list[int], batch_bytes: int
) -> None:
    table = documents().take(pa.array(numbers, pa.int64()))
    chunker = engine_documents.chunker(n_tokens=True, batch_bytes=batch_bytes)
    whole = chunker(table)
    cuts = [0, *sorted(min(end, len(table)) for end in ends), len(table)]
    parts = [table.slice(a, b - a) for a, b in itertools.pairwise(cuts)]
    assert pa.concat_tables(map(chunker, parts)).to_pylist() == whole.to_pylist()
    batches = list(chunker.map_iter(batch for part in parts for batch in part.to_batches()))
    assert [row for batch in batches for row in batch.to_pylist()] == whole.to_pylist()
    assert all(batch.schema == whole.schema for batch in batches)
    wholes = list(chunker.whole_documents(table, batch_bytes))
    assert [row for batch in wholes for row in batch.to_pylist()] == whole.to_pylist()


@pytest.mark.parametrize("name", sorted({*cw.chunking.ALL_STRATEGIES} - {"llm"}))
def test_every_strategy_has_one_schema(name: str) -> None:
    strategy = cw.chunking.ALL_STRATEGIES[name]
    models: dict[str, Any] = {"embedder": "lexical"} if "embedder" in strategy.models else {}
    chunker = ArrowChunker({"strategy": name, "max_chars": 40} | models, id_column="id")
    schema = chunker.schema(documents().schema)
    assert chunker(documents()).schema == schema
    assert chunker(documents().slice(0, 0)).schema == schema
    assert chunker(documents().to_batches()[0].slice(0, 0)).schema == schema
    assert chunker(documents().slice(engine_documents.EMPTY, 1)).num_rows == 0
    assert "doc_index" not in schema.names


def test_batches_are_small() -> None:
    table = pa.table({"id": ["a", "b"], "text": ["It rained. " * 4000] * 2, "raw": ["x" * 999] * 2})
    chunker = ArrowChunker(WORDS, id_column="id", batch_bytes=200_000)
    batches = list(chunker.map_iter(table.to_batches()))
    assert len(batches) > 20
    assert max(batch.nbytes for batch in batches) <= 200_000
    assert pa.Table.from_batches(batches) == chunker(table).combine_chunks()


def test_whole_documents_are_in_one_batch() -> None:
    texts = ["It rained. " * n for n in (1, 400, 1, 1, 900, 1, 2, 3)]
    table = pa.table({"id": [str(i) for i in range(8)], "text": texts})
    chunker = ArrowChunker(WORDS, id_column="id")
    batches = list(chunker.whole_documents(table, 20_000))
    ids = [batch["document_id"].unique().to_pylist() for batch in batches]
    assert sorted(each for of in ids for each in of) == table["id"].to_pylist()
    # Only a document by itself is larger.
    assert {len(of) for of, batch in zip(ids, batches, strict=True) if batch.nbytes > 20_000} == {1}
    assert max(map(len, ids)) > 1


def test_a_document_that_the_core_gives_in_parts_is_put_together() -> None:
    # The core gives at most 64 MB at once.
    table = pa.table({"text": ["It rained. " * 900, "Dry."], "raw": ["x" * 300_000, "y"]})
    chunker = ArrowChunker(cw.Recursive(max_chars=30))
    assert len(list(chunker.map_iter(table.to_batches()))) > 1
    first, last = chunker.whole_documents(table, 1_000)
    assert len(first["document_id"].unique()) == 1
    assert last["text"].to_pylist() == ["Dry."]


# ---------------------------------------------------------------------- ids and columns


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint64(), pa.string(), pa.large_string()])
def test_ids_may_be_strings_or_integers(kind: Any) -> None:
    ids = pa.array(["1", "2"], pa.string()).cast(kind)
    chunks = ArrowChunker(WORDS, id_column="id")(batch_of(id=ids, text=["Same.", "Same."]))
    assert rows(chunks, "document", "document_id") == [("1", "1"), ("2", "2")]
    assert "id" not in chunks.schema.names
    assert chunks.schema.field("document_id").type == pa.string()
    # Of equal texts only the ids differ.
    assert len(set(chunks["chunk_id"].to_pylist())) == 2


def test_without_ids_they_are_derived_from_texts() -> None:
    chunks = ArrowChunker(WORDS)(batch_of(text=["Same.", "Same.", "Other."]))
    one, two, other = rows(chunks, "document", "document_id")
    assert one == two != other
    assert one[0] == one[1]
    assert len(one[0]) == 32


def test_the_column_of_ids_may_be_called_as_that_of_chunks() -> None:
    chunks = ArrowChunker(WORDS, id_column="document_id")(
        batch_of(document_id=["a"], text=["One."])
    )
    assert rows(chunks, "document_id", "text") == [("a", "One.")]


def test_a_document_without_an_id_is_told() -> None:
    batch = batch_of(id=["a", None, None], text=["One.", "Two.", None], n=[1, 2, 3])
    chunks = ArrowChunker(WORDS, id_column="id")(batch)
    assert rows(chunks, "document_id", "document", "text", "n", "error") == [
        ("a", "a", "One.", 1, None),
        (None, None, None, 2, "column 'id' is null"),
        (None, None, None, 3, "column 'id' is null"),
    ]
    with pytest.raises(cw.ReadError, match="column 'id' is null in row 1"):
        ArrowChunker(WORDS, id_column="id", errors="raise")(batch)


def test_texts_may_be_of_dictionaries_and_of_nothing() -> None:
    encoded = pa.array(["One.", None, "One."]).dictionary_encode()
    assert rows(ArrowChunker(WORDS)(batch_of(text=encoded)), "text", "error") == [
        ("One.", None),
        (None, "the text is null"),
        ("One.", None),
    ]
    assert rows(ArrowChunker(WORDS)(batch_of(text=[None])), "error") == [("the text is null",)]


def test_columns_are_dropped() -> None:
    batch = batch_of(text=["One."], score=[0.5], n=[1])
    chunks = ArrowChunker(WORDS, drop_columns=["score", "text"])(batch)
    assert chunks.schema.names[-2:] == ["n", "error"]
    assert "score" not in chunks.schema.names


@pytest.mark.parametrize(
    ("options", "columns", "message"),
    [
        ({}, {"body": ["x"], "n": [1]}, "no column 'text' among the columns 'body', 'n'"),
        ({"id_column": "id"}, {"text": ["x"]}, "no column 'id' among the columns 'text'"),
        ({"drop_columns": ["m"]}, {"text": ["x"]}, "no column 'm' among"),
        ({}, {"text": [1]}, 'column "text" must hold strings'),
        ({"id_column": "id"}, {"text": ["x"], "id": [1.5]}, "'id' must hold strings or integers"),
        (
            {},
            {"text": ["x"], "start": [1]},
            r"'start' cannot be carried .*drop_columns=\['start'\]",
        ),
        ({}, {"text": ["x"], "doc_index": [1]}, "'doc_index' cannot be carried along"),
        ({}, {"text": ["x"], "error": [1]}, "'error' cannot be carried along"),
        ({"embedder": dice}, {"text": ["x"], "vector": [1]}, "'vector' cannot be carried along"),
        ({"embedder": dice, "vector_column": "text"}, {"text": ["x"]}, "vector_column='text' is"),
    ],
)
def test_columns_that_will_not_do(
    options: dict[str, Any], columns: dict[str, Any], message: str
) -> None:
    chunker = ArrowChunker(WORDS, **options)
    calls: list[Callable[[Any], Any]] = [chunker, lambda batch: chunker.schema(batch.schema)]
    for call in calls:
        with pytest.raises(cw.ConfigError, match=message):
            call(batch_of(**columns))


def test_two_columns_of_one_name() -> None:
    column = pa.array(["a"])
    batch = pa.RecordBatch.from_arrays([column, column], ["text", "text"])
    with pytest.raises(cw.ConfigError, match="two columns 'text' among the columns"):
        ArrowChunker(WORDS)(batch)


@pytest.mark.parametrize("batch", ["text", {"text": ["One."]}, [1]])
def test_what_is_no_batch(batch: Any) -> None:
    with pytest.raises(cw.ConfigError, match=r"must be a pyarrow.RecordBatch or a pyarrow.Table"):
        ArrowChunker(WORDS)(batch)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "recursiv"}, "did you mean 'recursive'"),
        ({"strategy": {"strategy": "window", "max_words": 3}}, "unknown option 'max_words'"),
        ({"strategy": 3}, "unknown strategy 3"),
        ({"text_column": ""}, "text_column must be"),
        ({"id_column": 1}, "id_column must be"),
        ({"kind": "markdwon"}, "markdown"),
        ({"drop_columns": "score"}, "drop_columns must be a list of str"),
        ({"drop_columns": [1]}, "drop_columns must be"),
        ({"embedder": "lexical"}, "vectors would depend on the batch"),
        ({"embedder": 3}, "is no embedder"),
        ({"n_tokens": "yes"}, "n_tokens must be True or False"),
        ({"workers": 0}, "workers must be"),
        ({"errors": "ignore"}, "unknown errors"),
        ({"batch_bytes": 2**31}, "batch_bytes must be between"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=message):
        ArrowChunker(**{"strategy": WORDS, **options})


# ---------------------------------------------------------------------- documents that fail


def test_documents_that_fail_keep_what_is_known_of_them() -> None:
    batch = batch_of(id=["a", "b"], text=["{", '"yes"'], n=[1, 2])
    chunks = ArrowChunker(cw.Json(max_tokens=9), id_column="id")(batch)
    failed, cut = chunks.to_pylist()
    assert (failed["document_id"], failed["document"], failed["n"]) == ("a", "a", 1)
    assert failed["error"].startswith("invalid JSON at line 1")
    assert {failed[name] for name in ("chunk_id", "index", "text", "start", "n_tokens")} == {None}
    assert (cut["text"], cut["error"]) == ('"yes"', None)


def test_texts_that_are_no_utf8_are_told_without_a_row() -> None:
    good = pa.array(["abc"])
    bad = pa.Array.from_buffers(
        good.type, 1, [None, good.buffers()[1], pa.py_buffer(b"\xff\xfe\xfd")]
    )
    for before in ([], [good]):
        table = pa.table({"text": pa.chunked_array([*before, bad])})
        error = ArrowChunker(WORDS)(table)["error"].to_pylist()[-1]
        assert error == "the string is not valid UTF-8 from byte 0 on"


class OddError(Exception):
    """An error of the caller's own, with a field."""

    code = 7


def odd(text: str) -> int:
    raise OddError(text)


def test_documents_that_fail_have_their_errors() -> None:
    texts = ["One.", None, "Two.", "{"] * 3
    chunker = ArrowChunker(cw.Window(max_tokens=9, tokenizer=odd), id_column="id")
    table = pa.table({"text": texts, "id": [None, *range(11)]})
    failures = {n: error for each in chunker.numbered(table) for n, error in each.failures.items()}
    kinds = [OddError, cw.ReadError, OddError, OddError] * 3
    assert [type(failures[n]) for n in range(12)] == [cw.ReadError, *kinds[1:]]
    assert str(failures[0]) == "column 'id' is null"
    assert str(failures[5]) == "the text is null"
    assert str(failures[11]) == "{"


def test_errors_are_raised_as_what_they_are() -> None:
    def count(text: str) -> Any:
        return text

    batch = batch_of(text=["{"])
    with pytest.raises(cw.ReadError, match="invalid JSON at line 1"):
        ArrowChunker(cw.Json(max_tokens=9), errors="raise")(batch)
    with pytest.raises(cw.TokenizerError, match=r"'\{'"):
        ArrowChunker(cw.Window(max_tokens=9, tokenizer=count), errors="raise")(batch)
    with pytest.raises(OddError) as caught:
        ArrowChunker(cw.Window(max_tokens=9, tokenizer=odd), errors="raise")(batch)
    assert caught.value.code == 7
    chunks = ArrowChunker("recursive", errors="raise")(batch_of(text=["One.", None]))
    assert rows(chunks, "text") == [("One.",)]
    assert "error" not in chunks.schema.names


# ---------------------------------------------------------------------- vectors


def test_vectors_are_of_unit_length_and_one_call() -> None:
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> Any:
        asked.append(texts)
        return dice(texts) * 7

    texts = pa.array(["One two three four five.", None, "Six."])
    parts = [batch_of(text=texts.slice(i, 1)) for i in range(3)]
    chunks = ArrowChunker(WORDS, embedder=embed)(pa.Table.from_batches(parts))
    cut = chunks["text"].drop_null().to_pylist()
    assert len(cut) > 2
    # One word, which tells the dimensions, and all chunks.
    assert asked == [["text"], cut]
    assert chunks.schema.field("vector").type == pa.list_(pa.float32(), 8)
    vectors = chunks["vector"].drop_null().to_pylist()
    expected = dice(cut) / np.linalg.norm(dice(cut), axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, rtol=1e-6)
    assert chunks["vector"].null_count == 1


def test_contexts_are_embedded_with_their_texts() -> None:
    asked: list[str] = []

    def embed(texts: list[str]) -> Any:
        asked.extend(texts)
        return dice(texts)

    strategy = cw.Contextual(WORDS, context="structure")
    chunks = ArrowChunker(strategy, embedder=embed)(batch_of(text=["One two. Three four. Five."]))
    assert asked[1:] == chunks["contextual_text"].to_pylist() != chunks["text"].to_pylist()


def test_vectors_without_a_direction_stay() -> None:
    chunks = ArrowChunker(WORDS, embedder=zeros)(batch_of(text=["One."]))
    assert chunks["vector"].to_pylist() == [[0.0, 0.0]]


@pytest.mark.parametrize("n_rows", [1, 2, 5, 99])
def test_only_documents_that_cannot_be_embedded_fail(n_rows: int) -> None:
    texts = [f"Text {i} is fine. And more." for i in range(20)]
    texts[7] = texts[12] = f"One. {BAD} Two."
    table = pa.table({"id": [f"{i:02}" for i in range(20)], "text": texts, "n": range(20)})
    chunker = ArrowChunker(cw.Sentence(sentences=1), id_column="id", embedder=no_bad)
    batches = [table.slice(start, n_rows) for start in range(0, 20, n_rows)]
    chunks = pa.concat_tables(map(chunker, batches)).to_pylist()
    failed = [row for row in chunks if row["error"] is not None]
    assert [(row["document"], row["document_id"], row["n"]) for row in failed] == [
        ("07", "07", 7),
        ("12", "12", 12),
    ]
    assert {row["error"] for row in failed} == {
        "embed: the embedder failed on 3 texts: ValueError('bad text')"
    }
    assert {(row["text"], row["chunk_id"], row["index"]) for row in failed} == {(None, None, None)}
    assert all((row["vector"] is None) == (row["error"] is not None) for row in chunks)
    assert len(chunks) == 18 * 2 + 2
    with pytest.raises(cw.ModelError, match="bad text"):
        ArrowChunker(cw.Sentence(sentences=1), embedder=no_bad, errors="raise")(table)


def test_a_model_that_refuses_all_ends_the_run() -> None:
    with pytest.raises(ModelAccessError, match="no key"):
        ArrowChunker(WORDS, embedder=refused)(batch_of(text=["One."]))


def test_a_model_must_keep_its_dimensions() -> None:
    def embed(texts: list[str]) -> Any:
        return np.ones((len(texts), len(texts)))

    batch = batch_of(text=["One two three. Four five six."])
    with pytest.raises(cw.ModelError, match="gave vectors of 2 dimensions, before of 1"):
        ArrowChunker(WORDS, embedder=embed, errors="raise")(batch)


# ---------------------------------------------------------------------- columns of lists


def test_lists_are_the_rows_of_each_text() -> None:
    chunker = engine_documents.chunker()
    table = documents()
    lists = chunker.column(table["text"], table["id"])
    assert isinstance(lists, pa.ChunkedArray)
    assert lists.type == chunker.column_type
    chunks = chunker(table.select(["id", "text"]))
    assert [row for of in lists.to_pylist() for row in of] == chunks.to_pylist()
    for row_id, of in zip(table["id"].to_pylist(), lists.to_pylist(), strict=True):
        assert {row["document_id"] for row in of} <= {row_id}
    assert lists[engine_documents.EMPTY].as_py() == []
    (failed,) = lists[engine_documents.NULL].as_py()
    assert failed["error"] == "the text is null"


def test_lists_of_an_array() -> None:
    chunker = ArrowChunker(WORDS, embedder=dice, errors="raise")
    lists = chunker.column(pa.array(["One.", None, ""]))
    assert isinstance(lists, pa.ListArray)
    assert [len(of) for of in lists.to_pylist()] == [1, 0, 0]
    empty = chunker.column(pa.array([], pa.string()))
    assert (len(empty), empty.type) == (0, lists.type)
    assert len(chunker.column(pa.chunked_array([], pa.string()))) == 0


def test_lists_need_ids_where_the_chunker_has_them() -> None:
    chunker = ArrowChunker(WORDS, id_column="id")
    with pytest.raises(cw.ConfigError, match="id_column='id' need ids"):
        chunker.column(pa.array(["One."]))
    with pytest.raises(cw.ConfigError, match="1 texts need as many ids, got 2"):
        chunker.column(pa.array(["One."]), [1, 2])
    assert chunker.column(pa.array(["One."]), [7])[0].as_py()[0]["document_id"] == "7"


# ---------------------------------------------------------------------- pickles


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return engine_documents.write_model(tmp_path_factory.mktemp("model"))


def test_pickles_are_configuration_also_after_use(model: Path) -> None:
    tokenizer = str(model / "tokenizer.json")
    strategy = cw.Kamradt(max_tokens=30, tokenizer=tokenizer, embedder=str(model))
    chunker = ArrowChunker(
        cw.Contextual(strategy, context="structure"), embedder=cw.Static(model), drop_columns=["n"]
    )
    batch = batch_of(text=["It rained for days. Then it was dry."], n=[1])
    expected = chunker(batch)
    pickled = pickle.dumps(chunker)
    assert len(pickled) < 2_000
    again = pickle.loads(pickled)
    assert again == chunker
    assert again(batch) == expected
    # A process that is sent it twice makes it once.
    assert pickle.loads(pickled) is again
    assert pickle.loads(pickle.dumps(ArrowChunker("recursive"))) is not again


def test_a_process_builds_models_once(model: Path) -> None:
    pickled = pickle.dumps(ArrowChunker(WORDS, embedder=str(model)))
    found: list[ArrowChunker] = []
    threads = [
        threading.Thread(target=lambda: found.append(pickle.loads(pickled))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({id(each) for each in found}) == 1


def test_a_process_forgets_chunkers_that_are_not_used() -> None:
    pickled = [pickle.dumps(ArrowChunker(cw.Window(max_chars=n))) for n in range(50, 60)]
    first = pickle.loads(pickled[0])
    for each in pickled:
        pickle.loads(each)
    assert pickle.loads(pickled[0]) is not first
    assert pickle.loads(pickled[0]) == first


def test_another_process_cuts_alike(model: Path, tmp_path: Path) -> None:
    chunker = engine_documents.chunker(model)
    table = documents().slice(30, 20)
    (tmp_path / "chunker").write_bytes(pickle.dumps(chunker))
    (tmp_path / "table").write_bytes(pickle.dumps(table))
    script = (
        "import pickle, sys, pathlib\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "chunker, table = (pickle.loads((folder / n).read_bytes()) for n in ('chunker', 'table'))\n"
        "(folder / 'chunks').write_bytes(pickle.dumps(chunker(table)))\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)
    assert rows_of(pickle.loads((tmp_path / "chunks").read_bytes())) == rows_of(chunker(table))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("embedder", Heavy, "too large to be sent .*give the folder of a model"),
        ("embedder", lambda: lambda texts: dice(texts) * 2, "cannot be sent .*give the folder"),
        (
            "strategy",
            lambda: cw.Window(max_tokens=9, tokenizer=lambda text: len(text) + 1),
            "cannot be sent .*name tokenizers and models of a strategy by their files",
        ),
    ],
)
def test_what_is_no_configuration_is_not_sent(
    option: str, value: Callable[[], Any], message: str
) -> None:
    chunker = ArrowChunker(**{"strategy": WORDS, option: value()})
    assert len(chunker(batch_of(text=["One."]))) == 1
    with pytest.raises(cw.ConfigError, match=message) as caught:
        pickle.dumps(chunker)
    assert caught.value.option == option


def test_options_that_do_not_pickle_here_are_made_each_time() -> None:
    # As a function of a notebook is, which was sent as a whole.
    options = {"strategy": WORDS, "embedder": lambda texts: dice(texts) * 2}
    one, two = received(ArrowChunker, options), received(ArrowChunker, options)
    assert one is not two
    assert isinstance(one, ArrowChunker)


def test_dimensions_are_asked_for_once() -> None:
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> Any:
        asked.append(texts)
        return dice(texts)

    vectors = Vectors(embed, collects=True)
    assert (vectors.n_dims, vectors.n_dims) == (8, 8)
    none, failures = vectors.of_documents([], np.zeros(0, np.int64))
    assert (none.shape, failures) == ((0, 8), {})
    assert len(asked) == 1
