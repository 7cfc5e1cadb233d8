"""Dify's External Knowledge API, asked as ``external_knowledge_service.py`` of Dify asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

import chunkwright as cw
from chunkwright.server.dialects.dify.conditions import Comparison
from chunkwright.server.stored import knowledge as knowing
from tests.server.calls import served

from .conftest import DOCUMENTS, KEY

if TYPE_CHECKING:
    from starlette.testclient import TestClient

MILL, POND, FIRST, SECOND = DOCUMENTS


def ask(
    client: TestClient, *, top_k: Any = 10, threshold: float = 0.0, **more: Any
) -> tuple[int, Any]:
    """Ask as Dify does: JSON with its headers, and the condition only if there is one."""
    body = {
        "retrieval_setting": {"top_k": top_k, "score_threshold": threshold},
        "query": "the mill",
        "knowledge_id": "*",
        **more,
    }
    headers = {"Content-Type": "application/json"}
    answer = client.post("/retrieval", content=json.dumps(body), headers=headers)
    return answer.status_code, answer.json()


def paths(client: TestClient, *conditions: Any, operator: str | None = "and") -> set[str]:
    """Return the documents for which conditions are true."""
    rows = [
        dict(zip(("name", "comparison_operator", "value"), each, strict=True))
        for each in conditions
    ]
    condition = {"logical_operator": operator, "conditions": rows}
    status, answer = ask(client, metadata_condition=condition, top_k=10)
    assert status == 200, answer
    return {record["metadata"]["path"] for record in answer["records"]}


def test_records_are_what_dify_reads(client: TestClient) -> None:
    status, answer = ask(client, top_k=1, query="two wheels")
    assert status == 200
    (record,) = answer["records"]
    assert set(record) == {"content", "score", "title", "metadata"}
    assert "The mill has two wheels." in record["content"]
    assert record["title"] == "mill.md"
    assert 0 < record["score"] <= 1
    metadata = record["metadata"]
    assert metadata["path"] == MILL
    assert metadata["headings"] == ["The mill", "Wheels"]
    assert (metadata["year"], metadata["place"]) == (1743, "Northford")


def test_truth_values_are_no_numbers(client: TestClient) -> None:
    assert paths(client, ("open", "is", True)) == {POND}
    assert paths(client, ("open", "is", "true")) == {POND}
    assert paths(client, ("open", "is", False)) == paths(client, ("open", "is", 1)) == set()


def test_nothing_found_is_an_empty_list(client: TestClient) -> None:
    assert ask(client, query="zeppelins") == (200, {"records": []})


def test_scores_are_from_0_to_1_and_in_the_order_of_the_store(
    client: TestClient, knowledge: Path
) -> None:
    _, answer = ask(client)
    scores = [record["score"] for record in answer["records"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    with cw.Store.open(knowledge, read_only=True) as store:
        own = [hit.block for hit in store.search("the mill", 10)]
    assert [record["metadata"]["block"] for record in answer["records"]] == own
    middle = scores[len(scores) // 2]
    _, fewer = ask(client, threshold=middle)
    assert [record["score"] for record in fewer["records"]] == [s for s in scores if s >= middle]


@pytest.mark.parametrize(
    ("knowledge_id", "found"),
    [
        ("*", {*DOCUMENTS}),
        ("letters/*", {FIRST, SECOND}),
        (POND, {POND}),
    ],
)
def test_an_id_names_documents(client: TestClient, knowledge_id: str, found: set[str]) -> None:
    _, answer = ask(client, knowledge_id=knowledge_id)
    assert {record["metadata"]["path"] for record in answer["records"]} == found


CASES: list[tuple[str, str, Any, set[str]]] = [
    ("contains", "place", "ford", {MILL, POND}),
    ("contains", "tags", "oa", {MILL}),
    ("not contains", "place", "ford", {FIRST, SECOND}),
    ("start with", "place", "Ford", {SECOND}),
    ("start with", "place", "%", set()),
    ("end with", "place", "ford", {MILL, POND}),
    ("end with", "tags", "ak", {MILL}),
    ("is", "place", "Northford", {MILL}),
    ("is", "tags", "oak", {MILL}),
    ("is", "year", "1743", {MILL}),
    ("is", "open", "true", {POND}),
    ("is not", "place", "Northford", {POND, FIRST, SECOND}),
    ("is not", "year", "1743", {POND, FIRST}),
    ("in", "place", ["Northford", "Fordham"], {MILL, SECOND}),
    ("in", "place", "Northford, Fordham", {MILL, SECOND}),
    ("in", "place", [], set()),
    ("in", "year", 1743, {MILL}),
    ("in", "year", [1743, "1801"], {MILL, POND}),
    ("not in", "place", ["Northford", "Fordham"], {POND, FIRST}),
    ("empty", "place", None, {FIRST}),
    ("empty", "tags", None, {POND, FIRST, SECOND}),
    ("not empty", "year", None, {MILL, POND, FIRST}),
    ("=", "year", 1743, {MILL}),
    ("=", "year", "1850.5", {FIRST}),
    ("≠", "year", 1743, {POND, FIRST}),
    (">", "year", "1743", {POND, FIRST}),
    ("<", "year", 1801, {MILL}),
    ("≥", "year", 1801, {POND, FIRST}),
    ("≤", "year", 1801, {MILL, POND}),
    ("before", "day", "1800-01-01", {MILL}),
    ("after", "day", "1800-01-01", {POND}),
    ("after", "day", -5_350_000_000, {POND}),
    ("after", "added", "2023-01-01", {FIRST}),
    ("before", "added", "1700000001", {FIRST}),
]


@pytest.mark.parametrize(("operator", "name", "value", "found"), CASES)
def test_conditions_are_true_of_these_documents(
    client: TestClient, operator: str, name: str, value: Any, found: set[str]
) -> None:
    assert paths(client, (name, operator, value)) == found


def test_all_operators_of_dify_are_tried() -> None:
    assert {operator for operator, *_ in CASES} == set(get_args(Comparison))


def test_conditions_are_put_together(client: TestClient) -> None:
    both = (("place", "contains", "ford"), ("year", ">", 1750))
    assert paths(client, *both) == {POND}
    assert paths(client, *both, operator=None) == {POND}
    assert paths(client, *both, operator="or") == {MILL, POND, FIRST}
    assert paths(client, (["year", "place"], "is", "Fordham")) == {SECOND}
    assert paths(client) == {*DOCUMENTS}


def test_conditions_leave_as_many_records_as_are_asked_for(tmp_path: Path) -> None:
    """The filter is the store's own: rare documents fill the records, however many are better."""
    path = tmp_path / "many.db"
    with cw.Store.open(path) as store:
        for number in range(24):
            rare = number % 10 == 0
            text = f"A mill, {number}." if rare else f"The mill, the mill {number}."
            name = f"{number:02}.md"
            store.add(cw.read(text.encode(), name=name), metadata={"code": f"{number:02}-x{rare}"})
    with served(store=str(path)) as client:
        for operator, value in (("end with", "xTrue"), ("contains", "xTr")):
            found = paths(client, ("code", operator, value))
            assert found == {"00.md", "10.md", "20.md"}


def test_too_many_values_are_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowing, "MOST_VALUES", 1)
    condition = {"name": "place", "comparison_operator": "end with", "value": "ford"}
    status, answer = ask(client, metadata_condition={"conditions": [condition]})
    assert status == 422
    assert "2 values of 'place' fit" in answer["error_msg"]


def test_filters_are_bounded_before_they_are_made(client: TestClient) -> None:
    row = {"name": ["a"] * 20, "comparison_operator": "in", "value": ["b"] * 500}
    status, _ = ask(client, metadata_condition={"conditions": [row]})
    assert status == 200
    status, answer = ask(client, metadata_condition={"conditions": [row] * 2})
    assert status == 422
    few = {"name": ["a"] * 20, "comparison_operator": "empty"}
    assert ask(client, metadata_condition={"conditions": [few] * 5})[0] == 200
    status, refused = ask(client, metadata_condition={"conditions": [few] * 100})
    assert (status, "2,000 names: at most 100" in refused["error_msg"]) == (422, True)
    assert "20,000 values are compared with names" in answer["error_msg"]


@pytest.mark.parametrize(
    ("authorization", "code"),
    [(None, 1001), (KEY, 1001), (f"Basic {KEY}", 1001), ("Bearer another key", 1002)],
)
def test_keys_are_refused_with_dify_s_numbers(
    client: TestClient, authorization: str | None, code: int
) -> None:
    headers = {"Content-Type": "application/json", "Authorization": authorization or ""}
    answer = client.post("/retrieval", content="{}", headers=headers)
    # By this status alone Dify tells a key that is refused, when the address is entered.
    assert answer.status_code == 403
    assert set(answer.json()) == {"error_code", "error_msg"}
    assert answer.json()["error_code"] == code


def test_an_address_is_accepted_as_dify_tries_it(client: TestClient) -> None:
    # It sends nothing but the key; 403, 404 and 502 say that there is no such address or key.
    answer = client.post("/retrieval", headers={"Authorization": f"Bearer {KEY}"})
    assert answer.status_code not in {403, 404, 502}
    assert "error_msg" in answer.json()


@pytest.mark.parametrize(
    ("changed", "status", "code", "said"),
    [
        ({"knowledge_id": "none"}, 404, 2001, "no document 'none'"),
        ({"knowledge_id": "none/*"}, 404, 2001, "* alone stands for all"),
        ({"knowledge_id": None}, 422, 422, "knowledge_id"),
        ({"query": " "}, 422, 422, "query has no words"),
        ({"top_k": 0}, 422, 422, "top_k"),
        ({"top_k": 10**9}, 422, 422, "top_k"),
        ({"threshold": 1.5}, 422, 422, "score_threshold"),
    ],
)
def test_errors_are_in_dify_s_form(
    client: TestClient, changed: dict[str, Any], status: int, code: int, said: str
) -> None:
    answered, answer = ask(client, **changed)
    assert (answered, answer["error_code"]) == (status, code)
    assert said in answer["error_msg"]


@pytest.mark.parametrize(
    ("operator", "value", "said"),
    [
        ("like", "x", "comparison_operator"),
        ("before", "soon", "'soon' is no time"),
        ("before", 1e300, "is no time"),
        (">", None, "'>' needs one value"),
        ("in", None, "'in' needs one value"),
        ("contains", ["a"], "'contains' needs one value"),
        ("is", {"a": 1}, "value"),
    ],
)
def test_conditions_that_make_no_sense_are_refused(
    client: TestClient, operator: str, value: Any, said: str
) -> None:
    condition = {"name": "year", "comparison_operator": operator, "value": value}
    status, answer = ask(client, metadata_condition={"conditions": [condition]})
    assert status == 422
    assert said in answer["error_msg"]


def test_what_dify_leaves_open_has_defaults(client: TestClient) -> None:
    status, answer = ask(client, top_k=None, metadata_condition=None, inputs={"unknown": 1})
    assert status == 200
    assert len(answer["records"]) == 5


def test_without_a_store_the_answer_says_so() -> None:
    with served() as client:
        status, answer = ask(client)
    assert (status, answer["error_code"]) == (501, 501)
    assert "start it with --store" in answer["error_msg"]
