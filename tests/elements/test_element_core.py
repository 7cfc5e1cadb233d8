"""Elements as the core reads and gives them: texts, offsets, JSON, errors."""

from __future__ import annotations

import base64
import copy
import gc
import json
import math
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import _core
from chunkwright.errors import ModelError, ReadError
from tests.support.element_lists import dicts_of
from tests.support.originals import decoded
from tests.support.texts import WITH_SURROGATES

TYPES = ["Title", "NarrativeText", "CodeSnippet", "PageBreak", "SomethingNew", "Section-header"]


def cutter(
    unit: str | _core.Unit = "chars", hard_max: int = 100, **options: Any
) -> _core.UnstructuredCutter:
    """A cutter with the peer's defaults, but for ``options``."""
    given = {
        "soft_max": hard_max,
        "overlap": 0,
        "overlap_all": False,
        "combine_under": hard_max,
        "isolate_tables": True,
        "skip_tables": False,
        "repeat_headers": True,
    }
    unit = _core.Unit.named(unit) if isinstance(unit, str) else unit
    return _core.UnstructuredCutter(unit, hard_max=hard_max, **(given | options))


def element(text: str, kind: str = "NarrativeText", **metadata: Any) -> dict[str, Any]:
    """An element as JSON has it."""
    return {"type": kind, "element_id": "e", "text": text, "metadata": metadata}


def numbers(column: _core.Column) -> list[int]:
    """A column's values."""
    return list(memoryview(column))


def originals_json(item: dict[str, Any]) -> str:
    """The JSON that a chunk of one element keeps of it."""
    [chunk] = dicts_of(cutter().basic(_core.UnstructuredElements.of_dicts([item])), originals=True)
    return zlib.decompress(base64.b64decode(chunk["metadata"]["orig_elements"])).decode("ascii")


@given(st.lists(st.tuples(WITH_SURROGATES, st.sampled_from(TYPES)), max_size=6))
def test_positions_are_code_points_of_the_text(items: list[tuple[str, str]]) -> None:
    elements = _core.Elements.of_dicts([element(text, kind) for text, kind in items])
    starts, ends = numbers(elements.starts()), numbers(elements.ends())
    for (text, kind), start, end in zip(items, starts, ends, strict=True):
        # Two surrogates that stand for a character are that character.
        said = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        own = said if kind == "CodeSnippet" else " ".join(said.split())
        assert elements.text[start:end] == own


def test_surrogates_need_room_among_private_characters() -> None:
    private = "".join(map(chr, range(0xE000, 0xF900)))
    assert _core.Elements.of_dicts([element(private[1:] + "\ud800")]).text[-1] == "\ud800"
    for kind in (_core.Elements, _core.UnstructuredElements):
        with pytest.raises(ReadError, match="1 lone surrogates"):
            kind.of_dicts([element(private + "\ud800")])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WITH_SURROGATES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(WITH_SURROGATES, inner, max_size=4)
        | st.dictionaries(st.integers(), inner, max_size=2)
    ),
    max_leaves=12,
)


@given(JSON)
def test_originals_are_the_json_that_python_writes(value: Any) -> None:
    item = {"type": "Text", "text": "a", "own": value}
    written = originals_json(item)
    expected = json.dumps([item], sort_keys=True)
    assert written == expected or same(json.loads(written), json.loads(expected))


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal, NaN equal to itself."""
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (math.isnan(a) and math.isnan(b))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return bool(a == b)


COORDINATES = st.floats(-1e6, 1e6) | st.integers(-4000, 4000).map(lambda n: n / 16)


@given(st.lists(st.tuples(COORDINATES, COORDINATES), max_size=8), st.booleans())
def test_coordinates_are_rounded_as_python_rounds(
    points: list[tuple[float, float]], in_pixels: bool
) -> None:
    system = "PixelSpace" if in_pixels else "PointSpace"
    digits = 1 if in_pixels else 2
    item = element(
        "a", coordinates={"points": points, "system": system}, detection_class_prob=1 / 3
    )
    [original] = json.loads(originals_json(item))
    rounded = [[round(x, digits), round(y, digits)] for x, y in points]
    assert original["metadata"]["coordinates"] == {"points": rounded, "system": system}
    assert original["metadata"]["detection_class_prob"] == 0.33333


def test_dicts_are_the_same_each_time_and_share_nothing_with_what_was_given() -> None:
    items = [
        element("A title", "Title", languages=["eng"], sent_to=["a"], data_source={"url": "u"}),
        element("word " * 60, link_urls=["v"], data_source={"url": "w"}, table_as_cells={"a": [1]}),
        element(
            "a b", "Table", text_as_html="<table><tr><td>a b</td></tr></table>", own={"x": [1]}
        ),
    ]
    before = copy.deepcopy(items)
    columns = cutter().basic(_core.UnstructuredElements.of_dicts(items))
    dicts = dicts_of(columns, originals=True)
    assert dicts == dicts_of(columns, originals=True)
    assert [chunk["element_id"] for chunk in dicts] == ["0", "1", "2", "3", "4"][: len(dicts)]
    for chunk in dicts:
        json.dumps(chunk, allow_nan=False)
        for value in chunk["metadata"].values():
            if isinstance(value, list | dict):
                value.clear()
    assert items == before
    assert dicts_of(columns, originals=True) != dicts


def test_parts_of_a_table_share_an_id_and_its_original() -> None:
    rows = "".join(f"<tr><td>row {i} of many</td></tr>" for i in range(20))
    text = " ".join(f"row {i} of many" for i in range(20))
    item = element(text, "Table", text_as_html=f"<table>{rows}</table>", parent_id="p")
    columns = cutter().basic(_core.UnstructuredElements.of_dicts([item]))
    dicts = dicts_of(columns, originals=True)
    assert len(dicts) > 1
    assert {chunk["type"] for chunk in dicts} == {"TableChunk"}
    assert {chunk["metadata"]["table_id"] for chunk in dicts} == {dicts[0]["element_id"]}
    assert [chunk["metadata"]["chunk_index"] for chunk in dicts] == list(range(len(dicts)))
    assert len({id(chunk["metadata"]["orig_elements"]) for chunk in dicts}) == 1
    assert decoded(dicts[0]["metadata"]["orig_elements"]) == [item]
    assert all("parent_id" not in chunk["metadata"] for chunk in dicts)
    assert all("<table>" in chunk["metadata"]["text_as_html"] for chunk in dicts)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (5, "elements[1]: an element must be a dict, got 5 (int)"),
        (element(None), "elements[1]: text must be a str, got None"),  # type: ignore[arg-type]
        ({"type": "Title"}, "elements[1]: text must be a str, got None"),
        ({"type": 4, "text": "a"}, "elements[1]: type must be a str, got 4 (int)"),
        ({"text": "a", "metadata": [1]}, "elements[1]: metadata must be a dict, got [1] (list)"),
        (
            element("a", page_number=[1]),
            "elements[1]: page_number must be a number, got [1] (list)",
        ),
        (
            element("a", "Table", text_as_html=7),
            "elements[1]: text_as_html must be a str, got 7 (int)",
        ),
    ],
)
def test_what_is_no_element_is_named(item: Any, message: str) -> None:
    for kind in (_core.Elements, _core.UnstructuredElements):
        with pytest.raises(ReadError) as caught:
            kind.of_dicts([element("a"), item])
        assert str(caught.value) == message


def test_what_is_no_list_is_named() -> None:
    with pytest.raises(ReadError, match=r"must be iterable, got 5 \(int\)"):
        _core.Elements.of_dicts(5)  # type: ignore[arg-type]


def test_what_is_no_json_is_named() -> None:
    circle: list[Any] = []
    circle.append(circle)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value in ({1, 2}, circle, deep, {"a": 1, 2: 3}):
        columns = cutter().basic(
            _core.UnstructuredElements.of_dicts([element("a"), element("b", own=value)])
        )
        with pytest.raises(ReadError, match=r"elements\[1\] is not JSON: "):
            dicts_of(columns, originals=True)


def test_pages_are_compared_as_python_does() -> None:
    pages = [1, 1.0, True, "i", "i", "ii", 10**30, 10**30, 2.5]
    items = [element("a", page_number=page) for page in pages]
    # What is no number is another page, but none that could be told.
    assert _core.Elements.of_dicts(items).pages() == [1, 1, 1, *[None] * 6]
    columns = cutter().by_page(_core.UnstructuredElements.of_dicts(items))
    assert numbers(columns.first()) == [0, 3, 5, 6, 8]


def test_each_element_with_text_gets_a_vector() -> None:
    np = pytest.importorskip("numpy")
    elements = _core.UnstructuredElements.of_dicts(
        [element("a"), element(""), element("b"), element("c")]
    )
    vectors = np.array([[1, 0], [1, 0.1], [0, 1]], np.float32)
    asked = []

    def embed(texts: list[str]) -> Any:
        asked.append(texts)
        return vectors[: len(texts)]

    embedder = _core.Embedder.called(embed)
    assert numbers(cutter().by_similarity(elements, embedder, 0.5).first()) == [0, 3]
    assert asked == [["a", "b", "c"]]
    vectors = vectors[:2]
    with pytest.raises(ModelError, match="the embedder gave 2 vectors for 3 texts"):
        cutter().by_similarity(elements, embedder, 0.5)


def test_an_embedder_is_asked_once_where_sizes_are_counted_in_python() -> None:
    np = pytest.importorskip("numpy")
    elements = _core.UnstructuredElements.of_dicts(
        [element("a"), element("b \ud800"), element("c")]
    )
    asked = []

    def embed(texts: list[str]) -> Any:
        asked.append(texts)
        return np.eye(len(texts), dtype=np.float32)

    unit = _core.Unit.counter(len)
    columns = cutter(unit).by_similarity(elements, _core.Embedder.called(embed), 0.5)
    assert numbers(columns.first()) == [0, 1, 2]
    assert asked == [["a", "b \ufffd", "c"]]


def test_the_collector_is_left_as_it_was() -> None:
    columns = cutter().basic(_core.UnstructuredElements.of_dicts([element("a", own={1, 2})]))
    for is_enabled in (True, False):
        (gc.enable if is_enabled else gc.disable)()
        try:
            dicts_of(columns, originals=False)
            with pytest.raises(ReadError):
                dicts_of(columns, originals=True)
            assert gc.isenabled() == is_enabled
        finally:
            gc.enable()


def test_irregular_html_is_read_by_whoever_is_asked() -> None:
    html = " <table><tr><td>a<td>b</table> "
    item = element("a b", "Table", text_as_html=html)
    asked = []

    def recover(html: str) -> str | None:
        asked.append(html)
        return "<table><tr><td>c</td></tr></table>"

    def result(**options: Any) -> str | None:
        chunks = cutter().basic(_core.UnstructuredElements.of_dicts([item], **options))
        html: str | None = dicts_of(chunks, originals=False)[0]["metadata"].get("text_as_html")
        return html

    assert result() == "<table><tr><td>a</td><td>b</td></tr></table>"
    assert result(recover=recover) == "<table><tr><td>c</td></tr></table>"
    assert result(recover=lambda _html: None) is None
    assert asked == [html.strip()]
    with pytest.raises(KeyError):
        result(recover={}.__getitem__)


class Metadata:
    """Fields are attributes; asking for one that is missing answers None."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> Any:
        return None


class Part:
    """An element as its constructor leaves it."""

    def __init__(self, text: Any, metadata: Any = None) -> None:
        self.text, self.embeddings, self._element_id = text, None, None
        self.metadata = Metadata() if metadata is None else metadata


class Heading(Part):
    """A title."""


class Grid(Part):
    """A table."""


class GridPart(Grid):
    """A part of a table."""


class Computed:
    """An element whose text is no attribute of the instance."""

    def __init__(self) -> None:
        self.metadata = Metadata(filename="a/b.txt")

    @property
    def text(self) -> str:
        return "said when asked"


class Snippet(Part):
    """Code."""


KINDS = _core.ElementKinds(Heading, Grid, Snippet)
CLASSES = _core.ElementClasses(Part, Grid, GridPart, Metadata)


def test_objects_of_any_class_are_read_and_kept() -> None:
    items = [Heading("A title"), Computed(), Part(None), Snippet("x = 1\n")]
    elements = _core.Elements.of_objects((item for item in items), KINDS)
    assert elements.kinds() == ["heading", "paragraph", "paragraph", "code"]
    assert elements.text == "A title\n\nsaid when asked\n\nx = 1\n"
    of_peer = _core.UnstructuredElements.of_objects((item for item in items), KINDS)
    [chunk] = cutter().basic(of_peer).objects(CLASSES, originals=True)
    assert type(chunk) is Part
    assert vars(chunk) | {"metadata": None} == vars(Part(elements.text)) | {"metadata": None}
    assert list(vars(chunk.metadata)) == ["file_directory", "filename", "orig_elements"]
    assert all(a is b for a, b in zip(chunk.metadata.orig_elements, items, strict=True))


def test_originals_of_originals_are_left_out_and_nobody_loses_them() -> None:
    part, grid = Part("a", Metadata(own=1)), Grid("b", Metadata(own=2))
    for item in (part, grid):
        vars(item.metadata)["orig_elements"] = [item]
    chunks = cutter().basic(_core.UnstructuredElements.of_objects([part, grid], KINDS))
    for chunk, item in zip(chunks.objects(CLASSES, originals=True), (part, grid), strict=True):
        [original] = chunk.metadata.orig_elements
        assert original is not item
        assert type(original) is type(item)
        assert vars(original.metadata) == {"own": item.metadata.own}
        assert vars(item.metadata)["orig_elements"] == [item]


def test_what_a_copy_does_to_its_dict_is_nobodys_problem() -> None:
    fields: dict[str, Any] = {}

    class Meddler:
        def __deepcopy__(self, memo: object) -> int:
            fields[f"new {len(fields)}"] = 1
            return 1

    fields.update({f"own {i}": Meddler() for i in range(3)})
    metadata = Metadata()
    metadata.__dict__ = fields
    columns = cutter().basic(_core.UnstructuredElements.of_objects([Grid("b", metadata)], KINDS))
    [chunk] = columns.objects(CLASSES, originals=False)
    assert vars(chunk.metadata) == {f"own {i}": 1 for i in range(3)}


def test_what_is_no_object_of_an_element_is_named() -> None:
    for item in (5, {"text": "a"}, Part("a", {"own": 1})):
        with pytest.raises(
            ReadError, match=r"elements\[0\]: an element needs text, and metadata"
        ) as e:
            _core.Elements.of_objects([item], KINDS)
        assert isinstance(e.value.__cause__, AttributeError)
    with pytest.raises(ReadError, match=r"elements\[0\]: text must be a str, got 5 \(int\)"):
        _core.Elements.of_objects([Part(5)], KINDS)


def test_a_source_that_says_nothing_is_kept() -> None:
    empty: dict[str, object] = {"data_source": {}, "languages": []}
    item = {"type": "Table", "element_id": "t", "text": "a", "metadata": empty}
    [table] = dicts_of(cutter().basic(_core.UnstructuredElements.of_dicts([item])), originals=False)
    assert table["metadata"] == {"data_source": {}}
