"""Auto strategy: each document is cut as by the strategy of its kind, alone and in batches."""

import json
import pickle
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.chunking.languages import NAMES
from chunkwright.chunking.strategies.auto import _TOLD
from chunkwright.errors import ConfigError

SIZES: dict[str, Any] = {"max_tokens": 12, "soft_max": 10, "min_size": 3}
CODE = (
    "import os\ndef one():\n    name = os.name\n\n    return name\ndef two():\n    return one()\n"
)
YAML = "shop:\n  open: true\n  items:\n" + "".join(f"    - id: {i}\n      n: 0\n" for i in range(6))
JSON = json.dumps({"shop": {"open": True, "items": [{"id": i, "tags": ["a"]} for i in range(9)]}})
LINES = "\n".join(json.dumps({"id": i, "text": "a b c"}) for i in range(9))
PROSE = "Rain.\n\nIt rained for days. " + "Nobody went out, and nobody came in. " * 4
MARKDOWN = (
    "# Rain\n\nIt rained for days.\n\n## Sun\n\n- It shone.\n- All day.\n\n|a|b|\n|-|-|\n|1|2|\n"
)
PAGE = (
    "<html><h1>Rain</h1><p>It rained for days, and nobody went out.<ul><li>One<li>Two</ul></html>"
)

CASES: dict[str, tuple[Any, Any]] = {
    "prose": (cw.Document(text=PROSE, name="a.txt"), cw.Recursive(**SIZES)),
    "text without a name": (PROSE, cw.Recursive(**SIZES)),
    "python": (cw.Document(text=CODE, name="a.py"), cw.Code(language="python", **SIZES)),
    "typescript": (cw.Document(text=CODE, name="a.tsx"), cw.Code(language="tsx", **SIZES)),
    "json": (cw.Document(text=JSON, name="a.json"), cw.Json(**SIZES)),
    "json without a name": ("\ufeff\n" + JSON, cw.Json(**SIZES)),
    "json lines": (LINES, cw.Json(**SIZES)),
    "yaml": (cw.Document(text=YAML, name="A.YML"), cw.Json(syntax="yaml", **SIZES)),
    "markdown": (cw.read(MARKDOWN.encode(), name="a.md"), cw.Hybrid(**SIZES)),
    "html": (cw.read(PAGE.encode(), name="a.html"), cw.Hybrid(**SIZES)),
    "csv": (cw.read(b"a,b\n1,2\n3,4\n" * 9, name="a.csv"), cw.Hybrid(**SIZES)),
    "elements": (
        [{"type": "Title", "text": "Rain"}, {"type": "Text", "text": PROSE}],
        cw.Hybrid(**SIZES),
    ),
    "no json": (cw.Document(text="// A comment.\n" + JSON, name="a.json"), cw.Recursive(**SIZES)),
    "broken json": (cw.Document(text=JSON[:-3], name="b.json"), cw.Recursive(**SIZES)),
    "a list in prose": ("[1] " + PROSE, cw.Recursive(**SIZES)),
    "nothing": ("", cw.Recursive(**SIZES)),
}
ANY_OF = [source for source, _ in CASES.values()]


def _rows(chunks: cw.Chunks) -> list[Any]:
    return [
        (c.id, c.text, c.start, c.end, c.n_tokens, c.pieces, c.headings, c.kind) for c in chunks
    ]


@pytest.mark.parametrize("case", CASES)
def test_a_document_is_cut_by_the_strategy_of_its_kind(case: str) -> None:
    source, expected = CASES[case]
    assert _rows(cw.Auto(**SIZES)(source)) == _rows(expected(source))


@pytest.mark.parametrize("workers", [1, 3])
def test_batches_and_streams_choose_for_each(workers: int) -> None:
    auto = cw.Auto(**SIZES)
    alone = [_rows(expected(source)) for source, expected in CASES.values()]
    assert [_rows(c) for c in auto.stream(ANY_OF, workers=workers)] == alone
    chunks = auto.batch(ANY_OF, workers=workers)
    assert _rows(chunks) == [row for rows in alone for row in rows]
    assert pickle.loads(pickle.dumps(chunks)).texts() == chunks.texts()


def test_a_name_that_is_given_tells_the_kind_as_that_of_a_document() -> None:
    auto, code = cw.Auto(**SIZES), cw.Code(language="python", **SIZES)
    assert _rows(auto(CODE, name="a.py")) == _rows(code(CODE, name="a.py"))
    named = auto.batch([CODE, CODE], names=["a.py", None])
    plain = cw.Recursive(**SIZES)(CODE)
    assert named.texts() == [*code(CODE).texts(), *plain.texts()]
    assert plain.texts() != code(CODE).texts()


def test_texts_of_a_table_are_told_by_content() -> None:
    pa = pytest.importorskip("pyarrow")
    auto = cw.Auto(**SIZES)
    table = pa.record_batch({"text": [JSON, PROSE, MARKDOWN]})
    found = pa.record_batch(auto.arrow(table))
    expected = [cw.Json(**SIZES)(JSON), cw.Recursive(**SIZES)(PROSE)]
    expected.append(cw.Hybrid(**SIZES)(cw.read_markdown(MARKDOWN)))
    assert found["text"].to_pylist() == [text for chunks in expected for text in chunks.texts()]


def test_a_counter_in_python_and_characters() -> None:
    def words(text: str) -> int:
        return len(text.split())

    cases: list[dict[str, Any]] = [{"max_tokens": 9, "tokenizer": words}, {"max_chars": 40}]
    for limits in cases:
        auto = cw.Auto(**limits)
        assert auto(JSON).texts() == cw.Json(**limits)(JSON).texts()
        assert auto(PROSE).texts() == cw.Recursive(**limits)(PROSE).texts()


def test_an_overlap_is_for_texts_and_not_for_json() -> None:
    auto = cw.Auto(max_tokens=12, overlap=4)
    assert auto(PROSE).texts() == cw.Recursive(max_tokens=12, overlap=4)(PROSE).texts()
    assert auto(JSON).texts() == cw.Json(max_tokens=12)(JSON).texts()


def test_options_of_one_kind_alone_are_refused() -> None:
    with pytest.raises(ConfigError, match="strategy 'auto' has no separators, which is for"):
        cw.chunk("text", "auto", separators="python")  # type: ignore[call-overload]
    with pytest.raises(ConfigError, match="overlap must be less than max_tokens=3"):
        cw.Auto(max_tokens=3, overlap=3)
    with pytest.raises(ConfigError, match="texts must be an iterable"):
        cw.Auto().batch(PROSE)
    with pytest.raises(ConfigError, match="a document must be a str, a Document or a list"):
        cw.Auto()(3)  # type: ignore[arg-type]


def test_every_language_of_files_has_separators() -> None:
    assert {*_TOLD} <= {*NAMES}


def test_equal_and_picklable() -> None:
    auto = cw.Auto(max_tokens=9, overlap=2)
    again = pickle.loads(pickle.dumps(auto))
    assert again == auto
    assert again(PROSE).texts() == auto(PROSE).texts()
