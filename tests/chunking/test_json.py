"""JSON strategy: what parses, what is kept, what is cut, and what is refused."""

import itertools
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests import laws
from tests.support import json_values

LIMITS = st.fixed_dictionaries({"max_chars": st.integers(40, 200)}) | st.fixed_dictionaries(
    {
        "max_tokens": st.integers(32, 120),
        "tokenizer": st.sampled_from(["cl100k_base", "o200k_base", "bytes"]),
    }
)
TINY = st.fixed_dictionaries(
    {
        "max_tokens": st.integers(1, 30),
        "tokenizer": st.sampled_from([*laws.TOKENIZERS]),
    }
) | st.fixed_dictionaries({"max_chars": st.integers(1, 30)})


def _hold(text: str, chunks: cw.Chunks, options: dict[str, Any]) -> None:
    """Assert the laws: places, limits, order, and nothing but brackets and commas left out."""
    texts = chunks.texts()
    bodies = []
    for i, chunk in enumerate(chunks):
        assert chunk.text == texts[i] == "".join(text[p.start : p.end] for p in chunk.pieces)
        roles = [piece.role for piece in chunk.pieces]
        assert roles == sorted(roles, key=["heading", "body", "header"].index)
        assert roles.count("body") == 1
        (body,) = (piece for piece in chunk.pieces if piece.role == "body")
        assert (chunk.start, chunk.end) == (body.start, body.end)
        bodies.append(body)
        limit = options.get("max_chars") or options["max_tokens"]
        tokenizer = options.get("tokenizer", "cl100k_base")
        is_chars = "max_chars" in options
        size = len(chunk.text) if is_chars else cw.count_tokens(chunk.text, tokenizer)
        assert (size > limit) == chunk.oversize
        assert not chunk.oversize or len(chunk.text) <= laws.MAX_CLUSTER
    assert all(a.end <= b.start for a, b in itertools.pairwise(bodies))
    gaps = zip([0, *(b.end for b in bodies)], [*(b.start for b in bodies), len(text)], strict=True)
    left_out = "".join(text[start:end] for start, end in gaps)
    assert not left_out.strip("\ufeff \t\r\n,:[]{}")
    assert len(set(chunks.ids)) == len(chunks)


@given(text=json_values.texts(), options=LIMITS)
def test_parts_parse_and_make_the_whole(text: str, options: dict[str, Any]) -> None:
    splitter = cw.Json(**options)
    chunks = splitter(text)
    _hold(text, chunks, options)
    parts = [json_values.parsed(each) for each in chunks.texts()]
    assert parts
    if json_values.is_whole(chunks):
        assert json_values.joined(chunks) == json_values.parsed(text)
    assert pickle.loads(pickle.dumps(splitter)) == splitter
    assert splitter.batch([text, text], workers=2).texts() == 2 * chunks.texts()


@given(text=json_values.texts(), options=TINY)
def test_laws_of_tiny_limits(text: str, options: dict[str, Any]) -> None:
    _hold(text, cw.Json(**options)(text), options)


@given(text=json_values.texts(), soft=st.integers(1, 100), least=st.integers(0, 100))
def test_soft_limits_and_least_sizes(text: str, soft: int, least: int) -> None:
    options: dict[str, Any] = {"max_chars": 100, "soft_max": soft, "min_size": least}
    chunks = cw.Json(**options)(text)
    _hold(text, chunks, options)
    if json_values.is_whole(chunks):
        assert json_values.joined(chunks) == json_values.parsed(text)


@given(
    rows=st.lists(st.dictionaries(st.sampled_from("abc"), json_values.SCALARS, max_size=3)),
    limit=st.integers(40, 200),
)
def test_what_fits_is_never_cut(rows: list[dict[str, Any]], limit: int) -> None:
    text = json.dumps({"rows": rows}, ensure_ascii=False)
    chunks = cw.Json(max_chars=limit)(text)
    values = map(json.loads, chunks.texts())
    # Under a path that has no room there is the list alone, or a row without it.
    lists = (value.get("rows", [value]) if isinstance(value, dict) else value for value in values)
    parts = [part for each in lists if isinstance(each, list) for part in each]
    for row in rows:
        if len(json.dumps({"rows": [row]}, ensure_ascii=False)) <= limit:
            assert row in parts
    if len(text) <= limit:
        assert chunks.texts() == [text]


def test_values_go_together_over_the_ends_of_arrays() -> None:
    text = '{"a": {"b": [1, 2, 3, 4]}, "c": 5}'
    texts = cw.Json(max_chars=30)(text).texts()
    assert texts == ['{"a": {"b": [1, 2, 3, 4]}}', '{"c": 5}']
    text = '{"a": {"b": ["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"]}, "c": 5}'
    chunks = cw.Json(max_chars=48)(text)
    assert chunks.texts() == [
        '{"a": {"b": ["aaaaaaaaaa", "bbbbbbbbbb"]}}',
        '{"a": {"b": ["cccccccccc"]}, "c": 5}',
    ]
    assert cw.Json.pointers(chunks) == ["", "/a/b/2"]


def test_indentation_is_kept() -> None:
    text = json.dumps({"rows": [{"id": i} for i in range(4)]}, indent=2)
    half = json.dumps({"rows": [{"id": 0}, {"id": 1}]}, indent=2)
    first, second = cw.Json(max_chars=len(half))(text).texts()
    assert first == half == json.dumps({"rows": [{"id": 0}, {"id": 1}]}, indent=2)
    assert second == json.dumps({"rows": [{"id": 2}, {"id": 3}]}, indent=2)


def test_long_strings_are_cut_between_words_and_never_in_an_escape() -> None:
    said = 'Lorem ipsum "dolor"\n\U0001f600 sit amet. ' * 20
    text = json.dumps({"id": 1, "said": said, "z": [1, 2]})
    chunks = cw.Json(max_chars=80)(text)
    parts = [json.loads(each) for each in chunks.texts()]
    assert "".join(part.get("said", "") for part in parts) == said
    assert parts[0]["id"] == 1
    assert parts[-1]["z"] == [1, 2]
    assert all(part["said"].endswith(" ") for part in parts[:-1])


def test_numbers_and_duplicate_keys_are_kept() -> None:
    text = '{"a": 1.000, "a": 12345678901234567890123, "a": NaN}'
    texts = cw.Json(max_chars=32)(text).texts()
    assert texts == ['{"a": 1.000}', '{"a": 12345678901234567890123}', '{"a": NaN}']


def test_json_lines_stay_lines() -> None:
    text = "\ufeff" + "".join(f'{{"id": {i}}}\n' for i in range(10))
    chunks = cw.Json(max_chars=30)(text)
    assert [[json.loads(line)["id"] for line in each.splitlines()] for each in chunks.texts()] == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [9],
    ]
    assert cw.Json.pointers(chunks) == ["/0", "/3", "/6", "/9"]


def test_objects_are_written_as_json() -> None:
    assert cw.Json(max_chars=9)({"é": 1}).texts() == ['{"é": 1}']
    assert cw.Json().batch([{"a": 1}, [1, "x"], "3"]).texts() == ['{"a": 1}', '[1, "x"]', "3"]
    with pytest.raises(cw.ReadError, match=r"dict has no JSON: .*object"):
        cw.Json()({"a": object()})
    with pytest.raises(cw.ConfigError, match="texts must be"):
        cw.Json().batch({"a": 1})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hello", 'invalid JSON at line 1, column 1: expected a value, got "Hello"'),
        ('{"é": 1,\n "b" 2}', "invalid JSON at line 2, column 6: expected ':', got \"2}\""),
        ('{"a": 1} x', 'invalid JSON at line 1, column 10: expected a value, got "x"'),
        ("[1,]", 'column 4: expected a value, got "]"'),
        ("[1, 2", "column 6: expected ',' or ']', got the end of the text"),
        ('["\n"]', "column 3: a control character in a string must be escaped"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(cw.ReadError) as error:
        cw.Json()(text)
    assert message in str(error.value)
    assert cw.Json().batch([text, "[1]"], errors="collect").texts() == ["[1]"]


def test_an_overlap_is_refused() -> None:
    with pytest.raises(cw.ConfigError, match="'json' has no overlap, got overlap=3"):
        cw.Json(max_chars=9, overlap=3)


@pytest.mark.cpu_seconds(60)
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[" + ",".join(["[]"] * 1_000_000) + "]",
        "[" + " " * 1_000_000 + "1" + " " * 1_000_000 + "]",
        json.dumps({"k" * 100_000: "v" * 100_000}),
        json.dumps(["\\" * 500_000, "\ud83d" * 50_000, " " * 500_000]),
        "[" + "9" * 500_000 + "]",
        json.dumps({"text": "x9" * 2_000_000}),
        json.dumps({"text": "words " * 500_000}),
    ],
    ids=[
        "arrays", "objects", "empty", "spaces", "keys", "escapes", "digits", "letters", "words",
    ],
)  # fmt: skip
def test_hostile_texts(text: str) -> None:
    limits: list[dict[str, Any]] = [{"max_chars": 500}, {"max_tokens": 512}]
    for options in limits:
        chunks = cw.Json(**options)(text)
        _hold(text, chunks, options)
        if "999" not in text:
            for each in chunks.texts():
                json.loads(each)
    with pytest.raises(cw.ReadError):
        cw.Json()(text[:-1])
