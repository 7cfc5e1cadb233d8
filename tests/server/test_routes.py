"""Our own routes: the same rows as the library gives, and problems that name the field."""

import json
from base64 import b64encode
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

import chunkwright as cw
from chunkwright.server.schemas.requests import offered
from tests.server.calls import ARROW, LINES, chunking, problem, served

TEXT = "One two three. Four five six.\n\nSeven eight nine. Ten eleven twelve.\n" * 3
MARKDOWN = (
    "# Rain\n\nIt rained.\n\n| town | mm |\n|---|---|\n| Bern | 7 |\n\n## Snow\n\n- one\n- two\n"
)
ELEMENTS = [
    {"type": "Title", "element_id": "1", "text": "Rain", "metadata": {}},
    {"type": "NarrativeText", "element_id": "2", "text": "It rained all day.", "metadata": {}},
]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served() as client:
        yield client


def said(rows: Any) -> Any:
    """Return rows as JSON gives them back."""
    return json.loads(json.dumps(rows))


@pytest.mark.parametrize("strategy", [name for name in offered() if name != "json"])
def test_chunks_are_those_of_the_library(client: TestClient, strategy: str) -> None:
    asked = {"text": MARKDOWN, "kind": "markdown", "name": "rain.md"}
    options: dict[str, Any] = {"max_chars": 30}
    if strategy == "by_similarity":
        options["embedder"] = "lexical"
    answer = client.post("/v1/chunk", json={**asked, "chunking": chunking(strategy, **options)})
    document = cw.read(MARKDOWN.encode(), kind="markdown", name="rain.md")
    expected = cw.strategy(strategy, **options)(document)
    assert answer.json()["chunks"] == said(expected.to_dicts())
    assert answer.json()["document"]["id"] == document.id


@given(text=st.text(max_size=200), limit=st.integers(1, 40), overlap=st.integers(0, 5))
def test_any_text_is_cut_as_by_the_library(
    client: TestClient, text: str, limit: int, overlap: int
) -> None:
    asked = {"text": text, "chunking": chunking("recursive", max_chars=limit, overlap=overlap)}
    answer = client.post("/v1/chunk", content=json.dumps(asked), headers=JSON_BODY)
    if overlap >= limit:
        assert problem(answer) == (422, "invalid_value", "chunking.options.overlap")
    else:
        strategy = cw.Recursive(max_chars=limit, overlap=overlap)
        rows = strategy(text.encode("utf-8", "replace").decode()).to_dicts()
        assert [row["text"] for row in answer.json()["chunks"]] == [row["text"] for row in rows]


JSON_BODY = {"content-type": "application/json"}


def test_documents_come_in_many_ways(client: TestClient) -> None:
    docling: dict[str, Any] = {"schema_name": "DoclingDocument", "version": "1.0.0", "name": "rain"}
    docling |= {"body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}]}}
    text = {"self_ref": "#/texts/0", "label": "text", "orig": "It rained.", "text": "It rained."}
    docling["texts"] = [text | {"parent": {"$ref": "#/body"}, "prov": []}]
    ways: dict[str, Any] = {
        "text": {"text": "It rained."},
        "elements": {"elements": ELEMENTS},
        "docling": {"docling": docling},
        "csv": {"data": b64encode(b"town,mm\nBern,7\n").decode(), "name": "rain.csv"},
    }
    found = {}
    for name, way in ways.items():
        answer = client.post("/v1/chunk", json={**way, "chunking": chunking("hybrid")})
        assert answer.status_code == 200, answer.text
        found[name] = [row["text"] for row in answer.json()["chunks"]]
    assert found == {
        "text": ["It rained."],
        "elements": ["Rain\n\nIt rained all day."],
        "docling": ["It rained."],
        "csv": ["town\tmm\nBern\t7"],
    }


def test_ids_metadata_and_shadows_are_columns(client: TestClient) -> None:
    asked = {"text": TEXT, "id": "doc-7", "metadata": {"team": "sales"}, "shadows": {"tokens": 3}}
    asked["chunking"] = chunking("window", max_tokens=10)
    rows = client.post("/v1/chunk", json=asked).json()["chunks"]
    document = cw.Document(text=TEXT, id="doc-7", metadata={"team": "sales"})
    expected = cw.shadows(cw.Window(max_tokens=10)(document), tokens=3)
    assert rows == said(expected.to_dicts())
    assert {row["team"] for row in rows} == {"sales"}


@pytest.mark.parametrize("form", [LINES, ARROW])
def test_rows_come_in_other_forms(client: TestClient, form: str) -> None:
    asked = {"text": TEXT, "chunking": chunking("window", max_tokens=10)}
    answer = client.post("/v1/chunk", json=asked, headers={"accept": form})
    assert answer.headers["content-type"] == form
    expected = cw.Window(max_tokens=10)(TEXT)
    if form == ARROW:
        assert pa.ipc.open_stream(answer.content).read_all().equals(expected.to_arrow())
    else:
        rows = [json.loads(line) for line in answer.content.splitlines()]
        assert rows == said(expected.to_dicts())


@pytest.mark.parametrize(
    ("asked", "field", "hint"),
    [
        ({"chunking": {"strategy": "recursiv"}}, "chunking.strategy", "'recursive'"),
        ({"chunking": {"strategie": "x"}}, "chunking.strategie", "'strategy'"),
        ({"chunkin": {}}, "chunkin", "'chunking'"),
        ({"chunking": chunking("recursive", max_token=3)}, "max_token", "'max_tokens'"),
        ({"chunking": chunking("recursive", chunk_size=3)}, "chunk_size", "max_tokens"),
        ({"chunking": chunking("recursive", max_tokens="3")}, "max_tokens", "'3'"),
        ({"chunking": chunking("recursive", max_tokens=0)}, "max_tokens", "at least 1"),
        ({"chunking": chunking("recursive", merge_peers=True)}, "merge_peers", "'hybrid'"),
        ({"chunking": chunking("window", tokenizer="/etc/passwd")}, "tokenizer", "cl100k_base"),
        ({"chunking": chunking("window", tokenizer="a/b")}, "tokenizer", "--tokenizer a/b=PATH"),
        ({"chunking": chunking("window", tokenizer={"a": 1})}, "tokenizer", "cl100k_base"),
        ({"chunking": chunking("cluster", embedder="../x")}, "embedder", "'lexical'"),
        ({"chunking": chunking("llm")}, "chunking.strategy", "language model"),
        ({"kind": "markdwn"}, "kind", "markdown"),
        ({"metadata": {"text": "x"}}, "metadata", "'text'"),
        ({"shadows": {}}, "shadows", "tokens and chars"),
    ],
)
def test_what_is_wrong_is_named(
    client: TestClient, asked: dict[str, Any], field: str, hint: str
) -> None:
    answer = client.post("/v1/chunk", json={"text": "It rained.", **asked})
    status, _, named = problem(answer)
    assert status == 422
    assert str(named).endswith(field)
    assert hint in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "asked",
    [{}, {"text": "a", "data": "YQ=="}, {"text": None}, {"elements": None}],
)
def test_exactly_one_document_is_needed(client: TestClient, asked: dict[str, Any]) -> None:
    assert problem(client.post("/v1/chunk", json=asked))[:2] == (422, "invalid_value")


@pytest.mark.parametrize("data", ["R0lGODlhAQABAIAAAA==", "AAAA", "UmFyIRoHAAA=", "?", "YQ"])
def test_bytes_that_are_no_document_are_refused(client: TestClient, data: str) -> None:
    assert problem(client.post("/v1/read", json={"data": data}))[:2] == (422, "unreadable")


def test_paths_and_addresses_are_not_asked_for_unless_allowed(client: TestClient) -> None:
    for asked in ({"path": "/etc/passwd"}, {"url": "http://127.0.0.1/x"}):
        status, _, field = problem(client.post("/v1/chunk", json=asked))
        assert status in {403, 422}
        assert field == next(iter(asked))


@pytest.mark.parametrize("url", ["http://[::1/", "http://[localhost]/", "http://[/", "http://a:b/"])
@pytest.mark.parametrize("path", ["/v1/chunk", "/v1/read", "/v1/preview"])
def test_what_is_no_address_is_said(client: TestClient, path: str, url: str) -> None:
    answer = client.post(path, json={"url": url})
    assert problem(answer) == (422, "invalid_value", "url")


def test_files_under_a_root_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "rain.md").write_text(MARKDOWN, "utf-8")
    with served(roots=(str(tmp_path),)) as client:
        asked = {"path": "rain.md", "chunking": chunking("hybrid", max_chars=40)}
        rows = client.post("/v1/chunk", json=asked).json()["chunks"]
        outside = client.post("/v1/chunk", json={"path": "../rain.md"})
    assert rows[0]["headings"] == ["Rain"]
    assert problem(outside)[0] in {403, 404}


def test_more_chunks_than_are_allowed_are_refused() -> None:
    with served(max_chunks=3) as client:
        asked = {"text": TEXT, "chunking": chunking("window", max_chars=2)}
        assert problem(client.post("/v1/chunk", json=asked))[:2] == (413, "too_many_chunks")


def test_tokens_are_counted(client: TestClient) -> None:
    texts = ["", "a", "naïve\n", "a\nb"]
    answer = client.post("/v1/count", json={"texts": texts, "tokenizer": "gpt2"}).json()
    assert answer["counts"] == [
        {
            "tokens": cw.count_tokens(text, "gpt2"),
            "chars": len(text),
            "bytes": len(text.encode()),
            "lines": len(text.splitlines()),
        }
        for text in texts
    ]


def test_named_models_are_those_that_it_was_started_with(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    vocabulary = {"<unk>": 0, "rain": 1, "snow": 2}
    model = {"type": "WordLevel", "vocab": vocabulary, "unk_token": "<unk>"}
    spaces = {"type": "Whitespace"}
    file.write_text(json.dumps({"version": "1.0", "model": model, "pre_tokenizer": spaces}))
    with served(tokenizers={"words": str(file)}) as client:
        answer = client.post("/v1/count", json={"text": "rain snow rain", "tokenizer": "words"})
        assert answer.json()["counts"][0]["tokens"] == 3
        asked = chunking("window", max_tokens=2, tokenizer="words")
        rows = client.post("/v1/chunk", json={"text": "rain snow rain", "chunking": asked})
        assert [row["text"] for row in rows.json()["chunks"]] == ["rain snow ", "rain"]
        assert str(file) not in rows.text
        assert "words" in client.get("/v1/capabilities").json()["tokenizers"]


@pytest.mark.parametrize("form", ["elements", "markdown", "text"])
def test_documents_are_read(client: TestClient, form: str) -> None:
    asked = {"text": MARKDOWN, "kind": "markdown", "format": form}
    answer = client.post("/v1/read", json=asked).json()
    assert (answer["text"], answer["encoding"]) == (MARKDOWN, None)
    if form == "elements":
        kinds = [row["kind"] for row in answer["elements"]]
        assert kinds[:3] == ["heading", "paragraph", "table"]
    assert ("elements" in answer, "markdown" in answer) == (form == "elements", form == "markdown")


def test_a_preview_says_why(client: TestClient) -> None:
    asked = {"text": TEXT, "chunking": chunking("kamradt", max_chars=60)}
    answer = client.post("/v1/preview", json=asked).json()
    chunks = cw.Kamradt(max_chars=60)(TEXT)
    assert [row["reason"] for row in answer["chunks"]] == said(chunks.to_columns()["reason"])
    assert chunks.boundaries is not None
    assert [row["position"] for row in answer["boundaries"]] == chunks.boundaries.positions.tolist()
    assert answer["sizes"]["chunks"] == len(chunks)
    assert sum(each["counts"][0] for each in answer["histogram"]) == len(chunks)
    assert [
        "".join(answer["text"][piece["start"] : piece["end"]] for piece in row["pieces"])
        for row in answer["chunks"]
    ] == [row["text"] for row in answer["chunks"]]


def test_two_ways_are_compared(client: TestClient) -> None:
    asked = {"text": TEXT, "a": chunking("sentence", max_chars=30)}
    asked["b"] = chunking("recursive", max_chars=60)
    answer = client.post("/v1/compare", json=asked).json()
    n_a, n_b = (len(answer[side]["only_here"]) + answer["shared"] for side in "ab")
    assert (n_a, n_b) == (answer["a"]["sizes"]["chunks"] - 1, answer["b"]["sizes"]["chunks"] - 1)
    wrong = client.post("/v1/compare", json={**asked, "b": chunking("recursive", max_chars=0)})
    assert problem(wrong)[2] == "b.options.max_chars"


def test_the_service_says_what_it_can_do(client: TestClient) -> None:
    answer = client.get("/v1/capabilities").json()
    strategies = {row["name"]: row for row in answer["strategies"]}
    assert list(strategies) == offered()
    options = strategies["recursive"]["options"]["properties"]
    assert options["overlap"]["type"] == "integer"
    assert options["overlap_at"]["enum"] == ["word", "sentence", "any"]
    assert all(each["description"] for each in options.values())
    assert client.get("/health").json() == client.get("/ready").json() == {"status": "ok"}
    assert client.get("/version").json() == {"version": cw.__version__}
    assert b"chunkwright_requests_total" in client.get("/metrics").content


def test_routes_that_are_not_there(client: TestClient) -> None:
    assert problem(client.get("/v2/chunk"))[:2] == (404, "not_found")
    assert problem(client.get("/v1/chunk"))[:2] == (405, "method_not_allowed")


@pytest.mark.parametrize(
    ("path", "ways"),
    [
        ("/v1/chunk", "POST"),
        ("/health", "GET, HEAD"),
        ("/", "GET, HEAD"),
        ("/docs", "GET, HEAD"),
        ("/openapi.json", "GET, HEAD"),
        ("/v1/tasks/none", "DELETE, GET, HEAD"),
        ("/v1/result/none", "GET, HEAD"),
        ("/general/v0/general", "POST"),
        ("/v1/convert/file", "POST"),
        ("/process", "PUT"),
    ],
)
def test_all_methods_of_a_path_are_named(client: TestClient, path: str, ways: str) -> None:
    for way in {"PATCH", "OPTIONS", "DELETE"} - set(ways.split(", ")):
        answer = client.request(way, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, ways)


@pytest.mark.parametrize("path", ["/", "/health", "/metrics", "/docs", "/v1/tasks/none", "/nope"])
def test_a_head_is_that_of_the_whole_answer(client: TestClient, path: str) -> None:
    head, whole = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert client.head("/v1/chunk").status_code == 405


def test_what_is_attached_to_mail_is_read_where_it_is_wanted(client: TestClient) -> None:
    mail = EmailMessage()
    mail["Subject"] = "Rain"
    mail.set_content("It rained.")
    mail.add_attachment(b"day,mm\nMon,3\n", maintype="text", subtype="csv", filename="a.csv")
    asked = {"data": b64encode(mail.as_bytes()).decode(), "name": "a.eml"}
    for attachments in (False, True):
        answer = client.post("/v1/read", json={**asked, "attachments": attachments}).json()
        document = cw.read(mail.as_bytes(), name="a.eml", attachments=attachments)
        assert answer["text"] == document.text
        assert ("a.csv" in document.text) is attachments


@pytest.mark.parametrize("route", ["/v1/chunk", "/v1/read", "/v1/count"])
@pytest.mark.parametrize("form", ["application/x-www-form-urlencoded", "text/plain", None])
def test_a_body_of_another_kind_is_said_to_be_one(
    client: TestClient, route: str, form: str | None
) -> None:
    headers = {} if form is None else {"content-type": form}
    answer = client.post(route, content=b'{"text": "Rain fell."}', headers=headers)
    assert problem(answer)[:2] == (415, "unsupported_body")
    message = answer.json()["error"]["message"]
    assert (
        message == f"a body of application/json is needed, with files in Base64; got {form or ''!r}"
    )
    for json_form in ("application/json; charset=utf-8", "application/vnd.api+json"):
        answer = client.post(route, content=b"[]", headers={"content-type": json_form})
        assert problem(answer)[:2] == (422, "invalid_value")


def test_an_unknown_field_says_more_than_the_one_that_is_missing(client: TestClient) -> None:
    error = client.post("/v1/count", json={"txts": ["a"]}).json()["error"]
    assert (error["field"], error["message"]) == (
        "txts",
        "unknown field 'txts': did you mean 'texts'?",
    )
