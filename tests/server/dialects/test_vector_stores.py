"""OpenAI's search of vector stores, asked by OpenAI's own client over a connection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.server import Settings
from chunkwright.server.stored.knowledge import scored
from tests.server.running import serving_here

from .conftest import DOCUMENTS, KEY

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from starlette.testclient import TestClient

openai = pytest.importorskip("openai", reason="its client is what is tested")

MILL, POND, FIRST, SECOND = DOCUMENTS


@pytest.fixture(scope="module")
def stores(knowledge: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return what OpenAI's client has for vector stores: only its address is ours."""
    tasks = str(tmp_path_factory.mktemp("tasks") / "tasks.db")
    settings = Settings(store=str(knowledge), keys=(KEY,), tasks_file=tasks)
    with serving_here(settings) as running:
        address = f"http://127.0.0.1:{running.port}/v1"
        with openai.OpenAI(api_key=KEY, base_url=address, max_retries=0) as client:
            yield client.vector_stores


def test_results_are_what_the_client_reads(stores: Any) -> None:
    page = stores.search("*", query="two wheels", max_num_results=1)
    assert page.object == "vector_store.search_results.page"
    assert (page.has_more, page.next_page) == (False, None)
    assert page.search_query == ["two wheels"]
    assert len(page.data) == 1
    result = page.data[0]
    assert (result.file_id, result.filename) == (MILL, "mill.md")
    assert 0 < result.score <= 1
    # Attributes are texts, numbers and truth values; the list of tags is none.
    day = {"year": 1743, "place": "Northford", "day": "1743-05-01"}
    assert result.attributes == day
    assert [content.type for content in result.content] == ["text"]
    assert "The mill has two wheels." in result.content[0].text


def test_several_questions_are_one_answer(stores: Any) -> None:
    page = stores.search(
        "*", query=["two wheels", "sold to the Millers"], max_num_results=2, rewrite_query=True
    )
    assert page.search_query == ["two wheels", "sold to the Millers"]
    assert {result.file_id for result in page} == {MILL, FIRST}
    scores = [result.score for result in page]
    assert scores == sorted(scores, reverse=True)


def test_hits_below_the_threshold_are_left_out(stores: Any) -> None:
    scores = [result.score for result in stores.search("*", query="the mill")]
    least = scores[1]
    options = {"score_threshold": least, "ranker": "auto"}
    fewer = stores.search("*", query="the mill", ranking_options=options)
    assert [result.score for result in fewer] == [score for score in scores if score >= least]


def compare(kind: str, key: str, value: Any) -> dict[str, Any]:
    return {"type": kind, "key": key, "value": value}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (compare("eq", "place", "Northford"), {MILL}),
        (compare("eq", "open", value=True), {POND}),
        (compare("eq", "year", 1743), {MILL}),
        (compare("ne", "year", 1743), {POND, FIRST, SECOND}),
        (compare("gt", "year", 1801), {FIRST}),
        (compare("gte", "year", 1801), {POND, FIRST}),
        (compare("lt", "day", "1800"), {MILL}),
        (compare("lte", "year", 1801), {MILL, POND}),
        (compare("in", "place", ["Northford", "Fordham"]), {MILL, SECOND}),
        (compare("nin", "place", ["Northford", "Fordham"]), {POND, FIRST}),
        (
            {
                "type": "and",
                "filters": [
                    compare("gt", "year", 1700),
                    {
                        "type": "or",
                        "filters": [compare("eq", "open", value=True), compare("eq", "place", "")],
                    },
                ],
            },
            {POND, FIRST},
        ),
        ({"type": "and", "filters": []}, {*DOCUMENTS}),
        ({"type": "or", "filters": []}, set()),
    ],
)
def test_filters_are_true_of_these_files(
    stores: Any, filters: dict[str, Any], found: set[str]
) -> None:
    page = stores.search("*", query="the mill", filters=filters, max_num_results=50)
    assert {result.file_id for result in page} == found


def test_ids_name_files_with_slashes_and_stars(stores: Any) -> None:
    for name, found in (("letters/*", {FIRST, SECOND}), (POND, {POND})):
        assert {result.file_id for result in stores.search(name, query="the mill")} == found


@pytest.mark.parametrize(
    ("asked", "error", "param", "said"),
    [
        ({"max_num_results": 51}, "BadRequestError", "max_num_results", "50"),
        ({"max_num_results": 0}, "BadRequestError", "max_num_results", "1"),
        ({"query": " "}, "BadRequestError", "query", "query has no words"),
        ({"query": []}, "BadRequestError", None, "query"),
        ({"filters": compare("in", "a", "b")}, "BadRequestError", "filters", "'in' needs a list"),
        ({"filters": compare("eq", "a", ["b"])}, "BadRequestError", "filters", "a value"),
        ({"filters": compare("gt", "a", value=True)}, "BadRequestError", "where", "number or a"),
        ({"filters": compare("like", "a", "b")}, "BadRequestError", None, "filters"),
        ({"vector_store_id": "vs_1"}, "NotFoundError", "document", "no document 'vs_1'"),
    ],
)
def test_errors_are_those_of_the_client(
    stores: Any, asked: dict[str, Any], error: str, param: str | None, said: str
) -> None:
    given = {"vector_store_id": "*", "query": "the mill", **asked}
    with pytest.raises(getattr(openai, error)) as caught:
        stores.search(given.pop("vector_store_id"), **given)
    assert caught.value.type == "invalid_request_error"
    assert said in caught.value.body["message"]
    assert param is None or caught.value.param == param


def test_a_wrong_key_is_an_error_of_its_own(stores: Any) -> None:
    client = stores._client.with_options(api_key="another key")
    with pytest.raises(openai.AuthenticationError) as caught:
        client.vector_stores.search("*", query="the mill")
    assert caught.value.code == "invalid_api_key"


def test_filters_within_filters_end_somewhere(client: TestClient) -> None:
    for depth in (30, 300, 20_000):
        body = '{"query":"x","filters":' + '{"type":"and","filters":[' * depth
        body += '{"type":"eq","key":"a","value":1}' + "]}" * depth + "}"
        headers = {"Content-Type": "application/json"}
        answer = client.post("/v1/vector_stores/*/search", content=body, headers=headers)
        assert answer.status_code == 400, (depth, answer.text[:200])
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


def test_routes_that_are_not_there_are_refused_as_openai_does(client: TestClient) -> None:
    answer = client.get("/v1/vector_stores/vs_1")
    assert answer.status_code == 404
    assert answer.json()["error"]["type"] == "invalid_request_error"


def letters(texts: list[str]) -> NDArray[np.float32]:
    """Return the counts of letters of each text."""
    return np.array([[text.count(letter) for letter in "aehilmortw"] for text in texts], "f4")


def test_a_store_with_vectors_scores_from_0_to_1(tmp_path: Path) -> None:
    with cw.Store.open(tmp_path / "kb.db", embedder=letters) as store:
        for name, (text, _) in DOCUMENTS.items():
            store.add(cw.read(text.encode(), name=name))
        own = store.search("The mill has two wheels.", 10)
        found = scored(store, ["The mill has two wheels."], 10, {}, 0.0)
    assert [each.hit.block for each in found] == [hit.block for hit in own]
    assert all(0 <= each.score <= 1 for each in found)
    assert found[0].score > found[-1].score
