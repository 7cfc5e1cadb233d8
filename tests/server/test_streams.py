"""Streams of documents: the rows of the library, in order, whatever the stream is cut into."""

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

import chunkwright as cw
from chunkwright.corpus import ArrowChunker
from chunkwright.server.problems import Problem
from tests.server.calls import ARROW, LINES, chunking, lines, problem, served

ROUTE = "/v1/chunk:batch"
WINDOW = {"chunking": json.dumps(chunking("window", max_chars=8))}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served() as client:
        yield client


@pytest.fixture(scope="module")
def small() -> Iterator[TestClient]:
    with served(max_body=1 << 20, max_unpacked=1 << 20) as client:
        yield client


def cut_lines(client: TestClient, body: Any, **params: str) -> list[dict[str, Any]]:
    answer = client.post(
        ROUTE, params={**WINDOW, **params}, content=body, headers={"content-type": LINES}
    )
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.content.splitlines()]


def cut_arrow(client: TestClient, body: Any, **params: str) -> Any:
    return client.post(
        ROUTE, params={**WINDOW, **params}, content=body, headers={"content-type": ARROW}
    )


def arrow(table: pa.Table, compression: str | None = None, rows: int = 2) -> bytes:
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table, rows)
    return bytes(sink.getvalue())


@given(texts=st.lists(st.text(st.characters(codec="utf-8"), max_size=30), max_size=8))
def test_lines_are_cut_as_by_the_library(client: TestClient, texts: list[str]) -> None:
    rows = cut_lines(client, lines(*({"text": text} for text in texts)))
    expected = cw.Window(max_chars=8).batch(texts).to_dicts()
    assert rows == json.loads(json.dumps(expected))


SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
METADATA = st.dictionaries(st.sampled_from(["a", "b", "c"]), SCALARS | FINITE)


@given(given=st.lists(METADATA, max_size=5))
def test_metadata_come_back_as_they_were_sent(
    client: TestClient, given: list[dict[str, Any]]
) -> None:
    """Whatever other lines have under the same names."""
    sent = [{"text": "One.", "metadata": metadata} for metadata in given]
    rows = cut_lines(client, lines(*sent))
    answers = [client.post("/v1/chunk", json=each).json()["chunks"][0] for each in sent]
    for found in (rows, answers):
        carried = [{name: row[name] for name in "abc" if name in row} for row in found]
        # One, 1.0 and true are equal, but not the same.
        assert [_said(each) for each in carried] == [_said(each) for each in given]


def _said(metadata: dict[str, Any]) -> str:
    return json.dumps(metadata, sort_keys=True)


def test_a_line_that_is_no_document_has_a_row_that_says_why(client: TestClient) -> None:
    good, bad = {"text": "One two three."}, [b"{\n", b"[]\n", lines({"txt": 1})]
    bad.append(lines({"data": "AAAA", "name": "x.bin"}))
    body = lines(good) + b"".join(bad) + b"\n\n" + lines(good)
    rows = cut_lines(client, body)
    assert [(row["doc_index"], "error" in row) for row in rows] == [
        *((0, False), (0, False), (1, True), (2, True), (3, True), (4, True)),
        *((5, False), (5, False)),
    ]
    assert rows[4]["error"] == {
        "code": "invalid_value",
        "message": "unknown field 'txt': did you mean 'text'?",
        "field": "txt",
    }


def test_many_lines_come_in_parts(client: TestClient) -> None:
    one = lines({"text": "The quick brown fox jumps over the lazy dog. " * 40})

    def parts() -> Iterator[bytes]:
        whole = one * 300
        for at in range(0, len(whole), 77_777):
            yield whole[at : at + 77_777]

    rows = cut_lines(client, parts())
    n = len(cw.Window(max_chars=8)("The quick brown fox jumps over the lazy dog. " * 40))
    assert len(rows) == n * 300
    assert [row["doc_index"] for row in rows] == [i for i in range(300) for _ in range(n)]


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_tables_are_cut_as_by_the_library(client: TestClient, compression: str | None) -> None:
    texts = ["One two three.", None, "", "Four five six.", "# Rain\n\nIt rained."]
    table = pa.table({"id": list("abcde"), "body": texts, "year": [1, 2, 3, 4, 5]})
    params = {"text_column": "body", "id_column": "id"}
    answer = cut_arrow(client, arrow(table, compression), **params)
    chunker = ArrowChunker(cw.Window(max_chars=8), text_column="body", id_column="id")
    rows = pa.ipc.open_stream(answer.content).read_all()
    assert rows.equals(chunker(table))


def test_chunks_of_a_table_come_as_lines_if_that_is_what_the_client_accepts(
    client: TestClient,
) -> None:
    table = pa.table({"text": ["One two three.", None, "Four five six."]})
    headers = {"content-type": ARROW, "accept": f"image/png, {LINES};q=0.5"}
    answer = client.post(ROUTE, params=WINDOW, content=arrow(table), headers=headers)
    assert answer.headers["content-type"] == LINES
    rows = [json.loads(line) for line in answer.content.splitlines()]
    assert (
        rows == pa.ipc.open_stream(cut_arrow(client, arrow(table)).content).read_all().to_pylist()
    )


@pytest.mark.parametrize(
    ("form", "accept", "status"),
    [
        (LINES, "", 200),
        (LINES, ARROW, 406),
        (LINES, "image/png", 406),
        (LINES, f"{LINES};q=0, text/plain", 406),
        (ARROW, "image/png", 406),
        (LINES, f"{ARROW}, {LINES}", 200),
        (LINES, "text/html, */*;q=0.1", 200),
        (ARROW, "application/*", 200),
    ],
)
def test_the_answer_has_a_form_that_the_client_accepts(
    client: TestClient, form: str, accept: str, status: int
) -> None:
    body = lines({"text": "One."}) if form == LINES else arrow(pa.table({"text": ["One."]}))
    headers = {"content-type": form, "accept": accept}
    answer = client.post(ROUTE, params=WINDOW, content=body, headers=headers)
    assert answer.status_code == status
    if status == 200:
        assert answer.headers["content-type"] == form
    else:
        assert problem(answer) == (406, "not_acceptable", "Accept")


def test_a_table_without_rows_has_a_schema(client: TestClient) -> None:
    table = pa.table({"text": pa.array([], pa.string())})
    found = pa.ipc.open_stream(cut_arrow(client, arrow(table)).content)
    assert found.schema.names[:3] == ["chunk_id", "document", "document_id"]
    assert found.read_all().num_rows == 0


def test_a_kind_is_read(client: TestClient) -> None:
    table = pa.table({"text": ["# Rain\n\nIt rained."]})
    answer = cut_arrow(
        client, arrow(table), kind="markdown", chunking=json.dumps(chunking("hybrid"))
    )
    rows = pa.ipc.open_stream(answer.content).read_all().to_pylist()
    assert [row["headings"] for row in rows] == [["Rain"]]


def test_damaged_tables_are_refused(client: TestClient) -> None:
    whole = arrow(pa.table({"text": ["One two three."] * 100}), rows=10)
    for body in (b"", b"x" * 100, whole[:40], b"\xff" * 64, b"\xff\xff\xff\xff" + b"\x7f" * 60):
        assert problem(cut_arrow(client, body))[0] in {413, 422}


@given(at=st.integers(0, 2000), bits=st.integers(1, 255))
def test_any_damage_to_a_table_is_an_answer(small: TestClient, at: int, bits: int) -> None:
    whole = bytearray(arrow(pa.table({"text": ["One two three."] * 4, "n": [1, 2, 3, 4]})))
    whole[at % len(whole)] ^= bits
    try:
        answer = cut_arrow(small, bytes(whole))
    except Problem as problem:
        # An answer that has begun is broken off.
        assert problem.status in {413, 422}  # noqa: PT017
    else:
        assert answer.status_code in {200, 413, 422}


def test_packed_tables_cannot_grow_beyond_a_limit() -> None:
    table = pa.table({"text": ["a" * 5_000_000]})
    with served(max_unpacked=1_000_000) as client:
        assert problem(cut_arrow(client, arrow(table, "zstd")))[:2] == (413, "too_large")
    with served(max_body=1_000_000) as client:
        assert problem(cut_arrow(client, arrow(table)))[:2] == (413, "too_large")


def test_a_line_cannot_be_larger_than_a_body() -> None:
    with served(max_body=1000) as client:
        answer = client.post(
            ROUTE, content=lines({"text": "a" * 2000}), headers={"content-type": LINES}
        )
        assert problem(answer)[:2] == (413, "too_large")


def test_what_begins_well_says_how_it_ends() -> None:
    body = lines(*({"text": "One two three. " * 2000} for _ in range(60)), {"text": "b" * 300_000})
    with served(max_body=200_000) as client:
        rows = cut_lines(client, body)
    assert rows[0]["doc_index"] == 0
    assert rows[-1]["error"]["code"] == "too_large"


@pytest.mark.parametrize(
    ("params", "headers", "expected"),
    [
        ({"chunking": "{"}, {"content-type": LINES}, (422, "invalid_json", "chunking")),
        (
            {"chunking": '{"strategy": "x"}'},
            {"content-type": LINES},
            (422, "invalid_value", "chunking.strategy"),
        ),
        (
            {"chunking": '{"strat": "x"}'},
            {"content-type": LINES},
            (422, "invalid_value", "chunking.strat"),
        ),
        ({}, {"content-type": "text/csv"}, (415, "unsupported_body", None)),
        (
            {},
            {"content-type": LINES, "content-encoding": "gzip"},
            (415, "unsupported_encoding", None),
        ),
        ({"kind": "pfd"}, {"content-type": ARROW}, (422, "invalid_value", "kind")),
    ],
)
def test_what_is_wrong_is_said_before_any_work(
    client: TestClient, params: dict[str, str], headers: dict[str, str], expected: Any
) -> None:
    answer = client.post(ROUTE, params=params, content=b"{}", headers=headers)
    assert problem(answer) == expected


def test_a_missing_column_is_named(client: TestClient) -> None:
    answer = cut_arrow(client, arrow(pa.table({"body": ["a"]})))
    assert problem(answer)[0] == 422
    assert "'text'" in answer.json()["error"]["message"]
