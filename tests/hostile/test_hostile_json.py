"""Hostile JSON wherever users give JSON: it is read, or refused by a typed error."""

from __future__ import annotations

import base64
import csv
import io
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.adapters import texts
from chunkwright.compat.chroma.questions import COLUMNS, read_frame, read_rows
from chunkwright.compat.docling.native import of_file
from chunkwright.compat.unstructured.staging import elements_from_json
from chunkwright.corpus import Corpus
from chunkwright.embed.files import read_object
from chunkwright.evaluation import read_questions
from chunkwright.server.dialects.docling.exports import exported
from chunkwright.server.dialects.docling.options import ConvertOptions
from chunkwright.server.dialects.unstructured.elements_json import elements_of_json, json_of

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("pandas", reason="frames of questions are of pandas")

DEPTHS = (150, 400, 990, 100_000)
_DEEP = [*("[" * n + "]" * n for n in DEPTHS), *('{"a":' * n + "1" + "}" * n for n in DEPTHS)]
VALUES = st.sampled_from(
    [
        *(*_DEEP, "[" * 100_000, "9" * 5000, "-" + "9" * 400, "1e999", "NaN", "-Infinity"),
        *(r'"a\ud800b"', r'"\udc00"', r'{"\ud800": 1}', '"\x01"', "null", "{}", "[]", '"a"', "-1"),
    ]
)
PLACE = "@@"

ELEMENTS: Any = [
    {"type": "Title", "text": "A mill", "element_id": "1", "metadata": {"page_number": 1}}
]
ROW = {"question": "When?", "excerpts": ["1743"], "references": [{"content": "1743"}]}
CELL = [{"content": "1743", "start_index": 0, "end_index": 4}]
DOCLING = {
    "schema_name": "DoclingDocument",
    "version": "1.10.0",
    "name": "made",
    "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}], "label": "unspecified"},
    "texts": [
        {"self_ref": "#/texts/0", "label": "text", "text": "A mill.", "orig": "", "prov": []}
    ],
}
REST = {"names": ["a", "b"], "rest": {"b": {}}, "dates": {"a": "date"}}
TOKENIZER = {"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"}}


def places(value: Any) -> Iterator[Any]:
    """Yield a value with one part of it changed to the place, or added."""
    yield PLACE
    if isinstance(value, dict):
        yield {**value, "more": PLACE}
        for key, inner in value.items():
            yield from ({**value, key: each} for each in places(inner))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from ([*value[:at], each, *value[at + 1 :]] for each in places(inner))


@st.composite
def hostile(draw: st.DrawFn, value: Any) -> str:
    """Write JSON that has something hostile at some place, or an end too soon."""
    at = draw(st.sampled_from(list(places(value))))
    text = json.dumps(at).replace(f'"{PLACE}"', draw(VALUES))
    if draw(st.integers(0, 4)):
        return text
    return text[: draw(st.integers(0, len(text)))]


def lines(text: str, file: Path) -> None:
    file.with_suffix(".jsonl").write_text(text)
    Corpus(file.with_suffix(".jsonl"), cw.Window(max_chars=9)).write(file.with_name("out"))


def questions(suffix: str) -> Callable[[str, Path], object]:
    def read(text: str, file: Path) -> object:
        file.with_suffix(suffix).write_text(text)
        return read_questions(file.with_suffix(suffix), {"mill": "It was built in 1743."})

    return read


def cell(read: Callable[[Path], object]) -> Callable[[str, Path], object]:
    def in_a_cell(text: str, file: Path) -> object:
        table = io.StringIO()
        csv.writer(table).writerows([COLUMNS, ("When?", text, "mill")])
        file.with_suffix(".csv").write_text(table.getvalue())
        return read(file.with_suffix(".csv"))

    return in_a_cell


def in_file(read: Callable[[Path], object]) -> Callable[[str, Path], object]:
    def of_file(text: str, file: Path) -> object:
        file.with_suffix(".json").write_text(text)
        return read(file.with_suffix(".json"))

    return of_file


def payload(text: str, _: Path) -> object:
    packed = base64.b64encode(zlib.compress(text.encode())).decode()
    return cw.read_elements(
        [{"type": "CompositeElement", "text": "A", "metadata": {"orig_elements": packed}}]
    )


ENTRIES: dict[str, tuple[Any, Callable[[str, Path], object]]] = {
    "lines of JSON": ({"text": "A mill.", "name": "a"}, lines),
    "questions in lines": (ROW, questions(".jsonl")),
    "questions in a list": ([ROW], questions(".json")),
    "references of questions": (CELL, cell(lambda file: read_questions(file, {"mill": "1743"}))),
    "rows of Chroma": (CELL, cell(read_rows)),
    "a frame of Chroma": (CELL, cell(read_frame)),
    "elements": (ELEMENTS, lambda text, _: cw.read_elements(text)),
    "packed elements": (ELEMENTS, payload),
    "elements of unstructured": (ELEMENTS, lambda text, _: elements_from_json(text=text)),
    "elements of a service": (
        ELEMENTS,
        lambda text, _: elements_of_json(json_of(text, "a.json"), "a.json", 1 << 20),
    ),
    "a document of Docling": (DOCLING, lambda text, _: cw.read_docling(text)),
    "an export of Docling": (
        DOCLING,
        lambda text, _: exported(text.encode(), "json", ConvertOptions(), "placeholder"),
    ),
    "a value": (ROW, lambda text, _: cw.Json(max_chars=20)(text)),
    "metadata of a text": (
        REST,
        lambda text, _: texts.given({texts.REST: text, "a": "2000-01-01"}),
    ),
    "settings of a model": (ROW, in_file(read_object)),
    "a tokenizer": (TOKENIZER, in_file(cw.Tokenizer)),
    "the tokens of a tokenizer": (TOKENIZER, in_file(of_file)),
}
# The drop-in raises what its peer does of JSON that holds no elements.
REFUSED = {"elements of unstructured": (ValueError, TypeError, AttributeError, KeyError)}


@pytest.mark.parametrize("name", ENTRIES)
@given(data=st.data())
def test_hostile_json_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    value, read = ENTRIES[name]
    text = data.draw(hostile(value))
    try:
        read(text, tmp_path_factory.mktemp("json") / "a")
    except REFUSED.get(name, cw.ChunkwrightError) as error:
        assert str(error)  # noqa: PT017 - it may also be no error


@pytest.mark.parametrize("depth", DEPTHS)
def test_metadata_that_are_nested_too_deeply_are_refused(depth: int) -> None:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    try:
        assert texts.given(texts.stored({"deep": value})) == {"deep": value}
    except (cw.ConfigError, cw.StoreError) as error:
        assert "deep" in str(error)  # noqa: PT017 - it may also be no error
