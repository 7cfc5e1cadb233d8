"""Contract of the splitters of all frameworks: chunks are the strategy's, and nothing is lost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES
from tests import laws

from .splitters import FRAMEWORKS, OVER_TEXTS, Framework, Made

TEXTS = [
    "# Rain\n\nIt rained. It rained. It rained for days, and all stayed in.\n\n# Sun\n\nIt shone.",
    "",
    "Größe, naïveté and 日本語 👩‍👩‍👧‍👦. Größe, naïveté and 日本語 👩‍👩‍👧‍👦.\n\nThe end.",
    " \n\t\n",
    "# Boats\n\nBoats float. They float on water. They float. They float.",
]
NAMES = sorted({*ALL_STRATEGIES} - {"json"})


def name_of(framework: Framework) -> str:
    return type(framework).__name__


@pytest.fixture(params=FRAMEWORKS, ids=name_of)
def framework(request: pytest.FixtureRequest) -> Framework:
    """Each framework that is installed."""
    found: Framework = request.param
    pytest.importorskip(found.library, reason=f"{found.library} is not installed")
    return found


@pytest.fixture
def documents(framework: Framework) -> list[Any]:
    """The texts as documents of a framework."""
    return [framework.document(text, n) for n, text in enumerate(TEXTS)]


def lengths(texts: list[str]) -> list[list[float]]:
    """Embed texts by their lengths."""
    return [[1.0, float(len(text) % 7)] for text in texts]


def options_of(strategy: str) -> dict[str, Any]:
    models = {"embedder": lengths} if strategy == "by_similarity" else {}
    return {"max_chars": 40, **laws.needed(strategy), **models}


def expected(
    framework: Framework, strategy: cw.chunking.Strategy, documents: list[Any]
) -> list[tuple[int, cw.chunk_view.Chunk]]:
    """Return what the strategy itself makes, each with the number of its document."""
    natives = [framework.native(document, strategy) for document in documents]
    return [(n, chunk) for n, native in enumerate(natives) for chunk in strategy(native)]


def agree(made: list[Made], native: list[tuple[int, cw.chunk_view.Chunk]]) -> None:
    assert [(one.metadata["n"], one.text) for one in made] == [(n, c.text) for n, c in native]
    assert len(made) > 0


@pytest.mark.parametrize("name", NAMES)
def test_chunks_are_those_of_the_strategy(
    framework: Framework, documents: list[Any], name: str
) -> None:
    strategy: Any = cw.strategy(name, **options_of(name))
    made = framework.split(framework.splitter(strategy), documents)
    agree(made, expected(framework, strategy, documents))
    by_name = framework.splitter(name, **options_of(name))
    assert framework.split(by_name, documents) == made


@pytest.mark.parametrize("name", ["recursive", "sentence", "window", "hybrid", "structural"])
@pytest.mark.parametrize("framework", OVER_TEXTS, indirect=True, ids=name_of)
def test_places_are_those_in_the_text(
    framework: Framework, documents: list[Any], name: str
) -> None:
    strategy: Any = cw.strategy(name, max_chars=30, overlap=0)
    native = expected(framework, strategy, documents)
    made = framework.split(framework.splitter(strategy), documents)
    for one, (n, chunk) in zip(made, native, strict=True):
        assert (one.start, one.end) in [(chunk.start, chunk.end), (chunk.start, None)]
        if all(piece.role == "body" for piece in chunk.pieces):
            assert TEXTS[n].startswith(one.text, one.start)


@given(st.lists(st.lists(st.sampled_from(["So.", "So it is.", "é", "\n\n", "x" * 9]), max_size=9)))
def test_places_of_texts_that_repeat_hold(parts: list[list[str]]) -> None:
    texts = [" ".join(part) for part in parts]
    for framework in OVER_TEXTS:
        pytest.importorskip(framework.library, reason=f"{framework.library} is not installed")
        documents = [framework.document(text, n) for n, text in enumerate(texts)]
        made = framework.split(framework.splitter("recursive", max_chars=8, overlap=3), documents)
        for one in made:
            assert one.start is not None
            assert texts[one.metadata["n"]].startswith(one.text, one.start)
            assert one.end in {None, one.start + len(one.text)}
        numbers = [one.metadata["n"] for one in made]
        assert numbers == sorted(numbers)


def test_metadata_are_kept(framework: Framework, documents: list[Any]) -> None:
    made = framework.split(framework.splitter("sentence", max_chars=30), documents)
    assert {one.metadata["n"] for one in made} == {0, 2, 4}
    assert all(one.metadata["tags"] == ["x"] for one in made)
    if framework.copies_metadata:
        made[0].metadata["tags"].append("y")
        assert made[1].metadata["tags"] == ["x"]


def test_empty_documents_have_no_chunks(framework: Framework, documents: list[Any]) -> None:
    splitter = framework.splitter("recursive", max_chars=30)
    assert framework.split(splitter, []) == []
    assert framework.split(splitter, [documents[1], documents[3]]) == []


def test_the_same_documents_have_the_same_chunks(
    framework: Framework, documents: list[Any]
) -> None:
    splitter = framework.splitter("balanced", max_chars=40)
    made = framework.split(splitter, documents)
    assert framework.split(splitter, documents) == made
    alone = [one for document in documents for one in framework.split(splitter, [document])]
    assert [one.text for one in alone] == [one.text for one in made]


def test_copies_split_alike(framework: Framework, documents: list[Any]) -> None:
    splitter = framework.splitter("recursive", max_chars=30, separators=["\n\n", ". "], overlap=5)
    made = framework.split(splitter, documents)
    copies = [*framework.copies(splitter)]
    assert copies
    for copy in copies:
        assert framework.split(copy, documents) == made


@pytest.mark.parametrize(
    ("strategy", "options", "message"),
    [
        ("recursiv", {}, "unknown strategy 'recursiv': did you mean 'recursive'"),
        ("recursive", {"chunk_size": 9}, "unknown option 'chunk_size' of 'recursive'"),
        ("recursive", {"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        (cw.Window(max_chars=9), {"overlap": 3}, "pass options to Window"),
    ],
)
def test_wrong_options_are_named(
    framework: Framework, documents: list[Any], strategy: Any, options: Any, message: str
) -> None:
    with pytest.raises(cw.ConfigError, match=message):
        framework.split(framework.splitter(strategy, **options), documents)


def test_models_that_fail_say_so(framework: Framework, documents: list[Any]) -> None:
    def fails(texts: list[str]) -> Any:
        return [[1.0]] * (len(texts) + 1)

    with pytest.raises(cw.ModelError):
        framework.split(framework.splitter("cluster", embedder=fails, max_chars=30), documents)


@pytest.mark.parametrize("framework", OVER_TEXTS, indirect=True, ids=name_of)
def test_async_calls_give_the_same(framework: Framework, documents: list[Any]) -> None:
    splitter = framework.splitter("hybrid", max_chars=40)
    made = framework.split(splitter, documents)
    assert asyncio.run(framework.asplit(splitter, documents)) == made
