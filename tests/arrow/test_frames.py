"""Chunks as data frames, as Arrow tables and as what JSON can say."""

import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.support.texts import TEXTS

TEXT = "One sentence here. And another one.\n\nÜber größe 漢字 \ud83d\ude80, \ud800 and more text."
ELEMENTS = [
    {"type": "Title", "text": "Rain \ud800"},
    {"type": "Text", "text": "It rained, and it rained."},
    {
        "type": "Table",
        "text": "a b",
        "metadata": {"text_as_html": "<table><tr><td>a\ud800</td><td>b</td></tr></table>"},
    },
]
MADE: dict[str, Any] = {
    "one": lambda: cw.Recursive(max_tokens=6)(TEXT),
    "slice": lambda: cw.Recursive(max_tokens=6)(TEXT)[::-2],
    "none": lambda: cw.Recursive(max_tokens=6)(""),
    "batch": lambda: cw.Recursive(max_chars=9).batch([TEXT, "", "Another."]),
    "semantic": lambda: cw.Kamradt(max_chars=30)(TEXT),
    "no meaning": lambda: cw.Kamradt(max_chars=30)(""),
    "elements": lambda: cw.Basic(max_chars=20)(ELEMENTS),
    "no elements": lambda: cw.Basic(max_chars=20)([]),
    "element batch": lambda: cw.Basic(max_chars=20).batch([ELEMENTS, [], ELEMENTS[:1]]),
}


@pytest.fixture(params=MADE)
def chunks(request: pytest.FixtureRequest) -> Any:
    return MADE[request.param]()


def rows(chunks: Any) -> list[dict[str, Any]]:
    """The rows as pyarrow reads them through the capsules."""
    return pa.table(chunks).to_pylist()  # type: ignore[no-any-return]


def test_frames_have_the_rows_of_arrow(chunks: Any) -> None:
    assert chunks.to_arrow().equals(pa.table(chunks))
    for frame in (chunks.to_polars(), pl.DataFrame(chunks)):
        assert frame.to_dicts() == rows(chunks)
    frame = chunks.to_pandas()
    assert list(frame.columns) == pa.table(chunks).column_names
    assert frame.astype(object).where(frame.notna(), None).to_dict("records") == rows(chunks)
    integers = [field for field in pa.schema(chunks) if field.type == pa.int64()]
    # Elements of Unstructured do not say where they stand in a source.
    numbers = [field.name for field in integers if not field.nullable]
    assert len(numbers) >= 5
    assert all(frame[name].dtype == np.int64 for name in numbers)


def test_a_chunk_is_its_row(chunks: Any) -> None:
    assert [dict(chunk) for chunk in chunks] == rows(chunks)
    for chunk in chunks:
        assert chunk["text"] == rows(chunks)[list(chunks).index(chunk)]["text"]
        with pytest.raises(KeyError, match="name"):
            chunk["name"]
        with pytest.raises(TypeError, match="not iterable"):
            iter(chunk)


@given(text=TEXTS, names=st.lists(st.none() | TEXTS, min_size=2, max_size=2))
def test_dicts_are_what_json_can_say(text: str, names: list[str | None]) -> None:
    splitters: list[Any] = [cw.Recursive(max_chars=9), cw.Kamradt(max_chars=9)]
    for splitter in splitters:
        for chunks in (splitter(text), splitter.batch([text, text], names=names)):
            said = chunks.to_dicts()
            assert json.loads(json.dumps(said, allow_nan=False, ensure_ascii=False)) == said
            json.dumps(said, ensure_ascii=False).encode()
            assert said == rows(chunks)
            kinds = {type(value) for row in said for value in row.values()}
            assert kinds <= {str, int, float, bool, type(None)}


def test_rows_of_elements_say_what_they_are() -> None:
    said = MADE["elements"]().to_dicts()
    of_elements = ["kind", "part", "first_element", "last_element", "html", "pages", "boxes"]
    of_elements += ["confidence", "headings", "headings_above"]
    of_elements += ["speaker", "speakers", "time_start", "time_end"]
    assert [list(row)[-14:] for row in said] == [of_elements] * len(said)
    assert json.loads(json.dumps(said, allow_nan=False)) == said


def test_pandas_is_told_what_to_call() -> None:
    for make in (pd.DataFrame, pd.Series, np.asarray):
        with pytest.raises(TypeError, match=r"call to_pandas\(\), to_polars\(\)"):
            make(MADE["one"]())
    array = np.asarray(MADE["one"](), dtype=object)
    assert array.tolist() == list(MADE["one"]())


@pytest.mark.parametrize(
    ("module", "method", "extra"),
    [
        ("polars", "to_polars", "polars"),
        ("pandas", "to_pandas", "pandas"),
        ("pyarrow", "to_arrow", "arrow"),
    ],
)
def test_what_is_not_installed(
    module: str, method: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    message = rf'pip install "chunkwright\[{extra}\]"'
    for made in ("one", "elements"):
        with pytest.raises(cw.MissingExtraError, match=message):
            getattr(MADE[made](), method)()


def test_chunks_have_the_methods_of_a_sequence() -> None:
    chunks = MADE["one"]()
    items = list(chunks)
    assert len(items) > 4
    assert list(reversed(chunks)) == items[::-1]
    assert items[2] in chunks
    assert cw.chunk("Elsewhere.", max_chars=99)[0] not in chunks
    assert chunks.index(items[2]) == 2
    assert chunks.index(items[2], 1, 5) == 2
    with pytest.raises(ValueError):  # noqa: PT011 - that of `Sequence`, without a message
        chunks.index(items[2], 3)
    assert chunks.count(items[0]) == 1
    # Polars would take it for a list of objects.
    assert not isinstance(chunks, Sequence)


def test_a_chunk_knows_its_number() -> None:
    chunks = MADE["batch"]()
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.index for chunk in chunks[2:5]] == [2, 3, 4]
    assert all(chunks[chunk.index] == chunk for chunk in chunks[::-1])


def test_fastapi_writes_chunks() -> None:
    fastapi = pytest.importorskip("fastapi")
    testclient = pytest.importorskip("fastapi.testclient")
    from fastapi.encoders import jsonable_encoder

    chunks, elements = MADE["one"](), MADE["elements"]()
    app = fastapi.FastAPI()

    def anything() -> Any:
        return {"first": chunks[0], "all": chunks}

    def dicts() -> list[dict[str, Any]]:
        return chunks.to_dicts()  # type: ignore[no-any-return]

    def chunk() -> cw.Chunk:
        return chunks[0]  # type: ignore[no-any-return]

    def several() -> list[cw.Chunk]:
        return list(chunks)

    def whole() -> cw.Chunks:
        return chunks  # type: ignore[no-any-return]

    def none() -> cw.Chunks:
        return chunks[:0]  # type: ignore[no-any-return]

    def of_elements() -> cw.Chunks:
        return elements  # type: ignore[no-any-return]

    for handler in (anything, dicts, chunk, several, whole, none, of_elements):
        app.add_api_route(f"/{handler.__name__}", handler)
    app.add_api_route("/untyped", lambda: chunks[0])

    client = testclient.TestClient(app)
    expected = {
        "/untyped": rows(chunks)[0],
        "/anything": {"first": rows(chunks)[0], "all": rows(chunks)},
        "/dicts": rows(chunks),
        "/chunk": rows(chunks)[0],
        "/several": rows(chunks),
        "/whole": rows(chunks),
        "/none": [],
        "/of_elements": rows(elements),
    }
    for path, said in expected.items():
        answer = client.get(path)
        assert (answer.status_code, answer.json()) == (200, said)
    assert set(expected) <= set(client.get("/openapi.json").json()["paths"])
    assert jsonable_encoder(elements[0]) == rows(elements)[0]


def test_html_of_a_name_with_a_lone_surrogate() -> None:
    shown = cw.chunk("One.", name="\ud800.md", max_chars=9)._repr_html_()
    assert "\ufffd.md" in shown
    shown.encode()
