"""Chunks of elements written without objects, against those written by way of them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkwright.compat.unstructured.elements import TYPES
from chunkwright.errors import ChunkwrightError
from chunkwright.server.answers import json_bytes
from chunkwright.server.bodies.uploads import Upload
from chunkwright.server.dialects.unstructured.fields import Fields, fields_of
from chunkwright.server.dialects.unstructured.partition import partition, written_chunks
from chunkwright.server.dialects.unstructured.sources import Source, sources_of
from tests.support.examples import n_examples

from .asking import MODELS, asked, originals_of, outcome

MOST = 10_000_000
UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
HTML = "<table><tr><td>one</td><td>two & three</td></tr><tr><td>four</td><td>é</td></tr></table>"

TEXTS = st.text('aé漢\U0001f600\u2028\x7f"\\\n\t\x00\u1680 /.', max_size=30) | st.sampled_from(
    [
        "",
        "One two three. Four five six.",
        HTML,
        "<p>no table",
        "a/b.txt",
        "  padded\u00a0",
        "\ud800",
    ]
)
NUMBERS = (
    st.integers(-3, 3)
    | st.integers(2**63 - 2, 2**64 + 2)
    | st.just(-(2**63))
    | st.integers(10**15, 10**30)
    | st.floats()
    | st.floats(-1000, 1000)
    | st.sampled_from([-0.0, 1e-4, 9.999e-5, 1e16, 9999999999999998.0, 0.1 + 0.2, 2.675, 5e-324])
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "é", ""]), inner)
    ),
    max_leaves=5,
)
CORNERS = st.lists(st.lists(NUMBERS, min_size=2, max_size=2), max_size=4)
COORDINATES = st.fixed_dictionaries(
    {
        "points": CORNERS,
        "system": st.sampled_from(["PixelSpace", "PointSpace", "RelativeCoordinateSystem", "?"]),
    },
    optional={"layout_width": NUMBERS, "layout_height": NUMBERS, "more": VALUES},
)
# Fields with values of the type that they have.
PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "page_number": st.integers(1, 3),
    "filename": st.sampled_from(["a.pdf", "b.pdf", ""]),
    "file_directory": st.sampled_from(["in", ""]),
    "attached_to_filename": st.just("mail.eml"),
    "languages": st.lists(st.sampled_from(["eng", "deu", "fra"]), max_size=3),
    "link_urls": st.lists(TEXTS, max_size=2),
    "emphasized_text_contents": st.lists(TEXTS, max_size=2),
    "text_as_html": st.just(HTML) | TEXTS,
    "coordinates": COORDINATES,
    "detection_class_prob": NUMBERS,
    "parent_id": st.just("e0"),
    "last_modified": st.just("2026-01-01"),
    "image_base64": TEXTS,
    "is_continuation": st.booleans(),
    "_private": VALUES,
    "odd": VALUES,
    "subject": TEXTS,
}
# Fields with any values.
NAMES = [*PLAIN, "data_source", "key_value_pairs", "orig_elements", "enrichment_origins", "url"]
METADATA = st.fixed_dictionaries({}, optional=PLAIN) | st.dictionaries(
    st.sampled_from(NAMES), VALUES, max_size=3
)
ELEMENTS = st.fixed_dictionaries(
    {"type": st.sampled_from([*TYPES, "Table", "Title", "CheckBox"]), "text": TEXTS},
    optional={
        "metadata": METADATA | st.none(),
        "element_id": st.sampled_from(["e0", "e1"]) | st.none(),
        "checked": st.booleans(),
        "embeddings": VALUES,
    },
)
OPTIONS = st.fixed_dictionaries(
    {
        "chunking_strategy": st.sampled_from(["basic", "by_title", "by_page"]),
        "max_characters": st.sampled_from([8, 20, 60, 500]),
    },
    optional={
        "overlap": st.integers(0, 7),
        "overlap_all": st.booleans(),
        "multipage_sections": st.booleans(),
        "include_orig_elements": st.booleans(),
        "coordinates": st.booleans(),
        "unique_element_ids": st.booleans(),
    },
)


def read(file: bytes, name: str, options: dict[str, Any]) -> tuple[Source, Fields]:
    """A file of a request and its fields, as they are before it is cut."""
    fields = fields_of({key: [str(value).lower()] for key, value in options.items()})
    (source,) = sources_of([Upload("files", name, "", file)], fields, MOST)
    return source, fields


def without_random_ids(answer: bytes) -> Any:
    """An answer as it is each time: originals unpacked, random ids numbered as they come."""
    chunks = json.loads(answer)
    for chunk in chunks:
        if chunk["metadata"].get("orig_elements"):
            chunk["metadata"]["orig_elements"] = originals_of(chunk)
    seen: dict[bytes, bytes] = {}
    named = json.dumps(chunks).encode()
    return UUID.sub(lambda found: seen.setdefault(found[0], b"id %d" % len(seen)), named)


def same_as_by_way_of_objects(file: bytes, options: dict[str, Any], name: str = "a.json") -> bool:
    """Check that what is written is what objects say, and return whether something is."""
    source, fields = read(file, name, options)
    written = written_chunks(source, fields)
    if written is None:
        return False
    made, _ = partition(source, fields, embedder=MODELS.embedder, most=MOST)
    wanted = json_bytes(made)
    assert written.n_chunks == len(made)
    assert without_random_ids(written.json) == without_random_ids(wanted)
    if not UUID.search(wanted) and not fields.include_orig_elements:
        assert written.json == wanted
    return True


@settings(max_examples=n_examples(20))
@given(st.lists(ELEMENTS, max_size=8), OPTIONS, st.booleans())
def test_what_is_written_is_what_objects_say(
    elements: list[dict[str, Any]], options: dict[str, Any], ascii_only: bool
) -> None:
    file = json.dumps(elements, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    same_as_by_way_of_objects(file, options)


@settings(max_examples=n_examples(20))
@given(
    st.lists(st.fixed_dictionaries({"type": st.just("Text"), "text": TEXTS, "metadata": METADATA})),
    OPTIONS,
)
def test_lines_are_written_as_objects_say_them(
    elements: list[dict[str, Any]], options: dict[str, Any]
) -> None:
    file = "\n \n".join(map(json.dumps, elements)).encode()
    same_as_by_way_of_objects(file, options, "a.ndjson")


COMMON = {
    "type": "NarrativeText",
    "element_id": "e1",
    "text": "Rain fell é.",
    "metadata": {
        "page_number": 1,
        "filename": "b.pdf",
        "languages": ["eng"],
        "coordinates": {
            "points": [[1.25, 2.0], [1, 2.349]],
            "system": "PixelSpace",
            "layout_width": 10,
            "layout_height": 20,
        },
        "detection_class_prob": 0.123456789,
    },
}
TABLE = {
    "type": "Table",
    "text": "one two four",
    "metadata": {"text_as_html": HTML, "page_number": 2},
}


@pytest.mark.parametrize("strategy", ["basic", "by_title", "by_page"])
def test_common_elements_are_written(strategy: str) -> None:
    box = {"type": "CheckBox", "checked": True}
    file = json.dumps([COMMON, TABLE, box, COMMON]).encode()
    for most in (8, 500):
        options = {"chunking_strategy": strategy, "max_characters": most}
        assert same_as_by_way_of_objects(file, options)
        assert same_as_by_way_of_objects(b"\xef\xbb\xbf" + file, options)
    lines = "\n".join(map(json.dumps, [COMMON, TABLE])).encode()
    assert same_as_by_way_of_objects(lines, options, "a.jsonl")


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"[]",
        b"{}",
        b"[1]",
        b'[{"type": "Text"}]',
        b'[{"type": "Title", "text": "a", "metadata": {"odd": NaN}}]',
        b'[{"type": "Title", "text": "a", "metadata": {"odd": 1e999}}]',
        b'[{"type": "Title", "text": "\\ud800"}]',
        b'[{"type": "Title", "text": "a", "text": "b"}]',
        b'[{"type": "Title", "text": "a", "odd": ' + b"1" * 5000 + b"}]",
        b'[{"type": "Title", "text": "a", "odd": ' + b"[" * 5000 + b"]" * 5000 + b"}]",
        b'[{"type": "Title", "text": "a", "metadata": {"orig_elements": "eJw="}}]',
        b'[{"type": "Title", "text": "a", "metadata": {"languages": "eng"}}]',
        b'[{"type": "Title", "text": "a\tb"}]',
        b'[{"type": "Title", "text": "\xff"}]',
        b'[{"type": "Title", "text": "a"},]',
    ],
)
def test_what_is_odd_is_left_to_objects(file: bytes) -> None:
    source, fields = read(file, "a.json", {"chunking_strategy": "basic"})
    assert written_chunks(source, fields) is None


def test_errors_are_those_of_objects() -> None:
    file = b'[{"type": "Title", "text": "a", "metadata": {"page_number": [1]}}]'
    found, problem = outcome(lambda: asked(("a.json", file), chunking_strategy="basic"))
    source, fields = read(file, "a.json", {"chunking_strategy": "basic"})
    with pytest.raises(ChunkwrightError) as wanted:
        partition(source, fields, embedder=MODELS.embedder, most=MOST)
    assert found is None
    assert problem is not None
    assert str(wanted.value) in problem.message


def test_other_strategies_and_encodings_are_left_to_objects() -> None:
    file = json.dumps([COMMON]).encode()
    for options in (
        {},
        {"chunking_strategy": "by_similarity"},
        {"chunking_strategy": "basic", "encoding": "latin-1"},
    ):
        assert not same_as_by_way_of_objects(file, options)
