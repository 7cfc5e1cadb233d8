"""Answers: their forms for one file and several, what is accepted, and how large they may be."""

from __future__ import annotations

import base64
import csv
import json
from email import message_from_bytes
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.server.dialects.unstructured.answers import Answer, FileLimits
from chunkwright.server.problems import Problem

from .asking import asked, elements

RAIN = ("rain.md", b"# Rain\n\nIt rained.")
SNOW = ("snow.csv", b"day,cm\nMon,7\n")


def table(answer: Answer) -> list[dict[str, str]]:
    assert answer.media_type == "text/csv; charset=utf-8"
    return list(csv.DictReader(StringIO(answer.body.decode())))


def parts(answer: Answer) -> list[tuple[str, bytes]]:
    head = f"Content-Type: {answer.media_type}\r\n\r\n".encode()
    message: Any = message_from_bytes(head + answer.body)
    assert not message.defects
    found = []
    for part in message.get_payload():
        assert part["Content-Transfer-Encoding"] == "base64"
        assert int(part["Content-Length"]) == len(part.get_payload())
        found.append((part.get_content_type(), part.get_payload(decode=True)))
    return found


def test_one_file_is_answered_by_a_list_and_several_by_a_list_of_lists() -> None:
    one, other = elements(*RAIN), elements(*SNOW)
    assert json.loads(asked(RAIN).body) == one
    assert json.loads(asked(RAIN, SNOW).body) == [one, other]


def test_several_files_are_one_table_of_csv() -> None:
    rows = table(asked(RAIN, SNOW, output_format="text/csv"))
    said = [(row["filename"], row["type"], row["text"]) for row in rows]
    assert said == [
        ("rain.md", "Title", "Rain"),
        ("rain.md", "NarrativeText", "It rained."),
        ("snow.csv", "Table", "day cm Mon 7"),
    ]


@pytest.mark.parametrize("files", [(RAIN,), (RAIN, SNOW)])
def test_parts_are_given_if_they_are_accepted(files: tuple[tuple[str, bytes], ...]) -> None:
    answer = asked(*files, accept="multipart/mixed")
    assert answer.media_type.startswith("multipart/mixed; boundary=")
    wanted = [elements(*file) for file in files]
    assert [(kind, json.loads(body)) for kind, body in parts(answer)] == [
        ("application/json", each) for each in wanted
    ]


def test_parts_can_be_csv() -> None:
    answer = asked(RAIN, SNOW, accept="multipart/mixed", output_format="text/csv")
    assert [kind for kind, _ in parts(answer)] == ["text/csv", "text/csv"]
    assert parts(answer)[0][1] == asked(RAIN, output_format="text/csv").body


@pytest.mark.parametrize(
    "accept",
    [
        None,
        "",
        "*/*",
        "application/json",
        "text/csv",
        "application/json;q=1, text/csv;q=0",
        "text/html, */*;q=0.1",
    ],
)
def test_several_files_are_answered_by_json_to_whom_accepts_it(accept: str | None) -> None:
    assert asked(RAIN, SNOW, accept=accept).media_type == "application/json"


@pytest.mark.parametrize("accept", ["image/png", "text/html", "application/json;q=0"])
def test_several_files_are_not_answered_to_whom_accepts_none_of_it(accept: str) -> None:
    if "q=0" in accept:
        # What is not wanted is no wish for anything else.
        assert asked(RAIN, SNOW, accept=accept).media_type == "application/json"
        return
    with pytest.raises(Problem, match=accept) as raised:
        asked(RAIN, SNOW, accept=accept)
    assert raised.value.status == 406
    assert asked(RAIN, accept=accept).media_type == "application/json"


def test_an_answer_has_no_more_elements_than_are_allowed() -> None:
    limits = FileLimits(max_unpacked=1000, max_chunks=2)
    assert asked(RAIN, limits=limits).body
    with pytest.raises(Problem) as raised:
        asked(RAIN, SNOW, limits=limits)
    assert (raised.value.status, raised.value.code) == (413, "too_large")


def test_half_a_character_is_answered_as_json_says_it() -> None:
    data = b'[{"type": "Text", "text": "half \\ud83d"}]'
    assert json.loads(asked(("half.json", data)).body)[0]["text"] == "half \ud83d"
    assert b"half" in asked(("half.json", data), output_format="text/csv").body


FIELDS = st.fixed_dictionaries(
    {"data_source": st.just({"version": "1", "record_locator": {"a": 1}})},
    optional={
        "page_number": st.integers(1, 9),
        "languages": st.lists(st.sampled_from("ab"), min_size=1),
        "subject": st.text('a,"\n é', min_size=1),
    },
)


@pytest.mark.differential
@pytest.mark.filterwarnings("ignore:Passing a list to DataFrame.from_dict")
@pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.dropna")
@given(st.lists(st.tuples(st.text('ab ,"\n', max_size=6), FIELDS), min_size=1, max_size=4))
def test_a_table_is_that_of_the_server(rows: list[tuple[str, dict[str, Any]]]) -> None:
    pandas = pytest.importorskip("pandas", reason="the server writes its table with it")
    from .peer import served, staging

    items = [{"type": "Text", "text": text, "metadata": held} for text, held in rows]
    data = json.dumps(items).encode()
    wanted = staging.convert_to_dataframe(served("a.json", data, "application/json"))
    found = pandas.read_csv(
        StringIO(asked(("a.json", data), output_format="text/csv").body.decode()), dtype=str
    )
    again = pandas.read_csv(StringIO(wanted.to_csv(index=False)), dtype=str)
    # Sources are kept, ids are made up, and whole numbers stay whole where some have none.
    ours = found.drop(columns=[name for name in found if name.startswith("data_source")])
    assert list(ours) == list(again)
    for frame in (ours, again):
        frame["element_id"] = ""
        if "page_number" in frame:
            frame["page_number"] = frame["page_number"].str.removesuffix(".0")
    pandas.testing.assert_frame_equal(ours, again)
    assert found["data_source_record_locator"].tolist() == ["{'a': 1}"] * len(items)


def test_a_part_in_base64_can_be_decoded_by_anyone() -> None:
    (_, body) = parts(asked(RAIN, accept="multipart/mixed"))[0]
    assert base64.b64encode(body) in asked(RAIN, accept="multipart/mixed").body
