"""Names of streamed texts: taken in step with the texts, the same as those of a batch."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import batch as many
from tests.support.scripted_models import silent

SPLITTER = cw.Window(max_chars=5)
# One of each kind of chunker, and what it is given.
CHUNKERS: dict[str, Any] = {
    "texts": (SPLITTER, "One two."),
    "elements": (cw.ByTitle(max_chars=30), [{"type": "Title", "text": "A"}]),
    "headings": (cw.Hybrid(max_chars=30), cw.read_markdown("# A\n\nb")),
    "vectors": (cw.Kamradt(max_chars=30, embedder="lexical"), "One two. Three."),
    "model": (cw.LLM(max_chars=30, llm=silent), "One two. Three."),
    "contexts": (cw.Contextual(SPLITTER, context="structure"), "One two."),
}

DOCUMENTS = st.lists(
    st.tuples(
        st.text("ab ", min_size=1, max_size=12) | st.just(cw.Document(text="own", name="own.md")),
        st.none() | st.sampled_from(["a.md", "", "\ud800"]),
    ),
    max_size=40,
)


@given(documents=DOCUMENTS, workers=st.none() | st.integers(1, 4))
def test_names_are_those_of_a_batch(
    documents: list[tuple[Any, str | None]], workers: int | None
) -> None:
    texts, names = [text for text, _ in documents], [name for _, name in documents]
    batch = SPLITTER.batch(texts, names=names)
    streamed = list(SPLITTER.stream(iter(texts), names=iter(names), workers=workers))
    assert [chunks.name for chunks in streamed] == batch.names
    assert [id_ for chunks in streamed for id_ in chunks.ids] == batch.ids


@pytest.mark.parametrize("kind", CHUNKERS)
def test_every_chunker_takes_names(kind: str) -> None:
    chunker, source = CHUNKERS[kind]
    names = ["a.md", "b.md"]
    streamed = list(chunker.stream([source] * 2, names=names))
    assert [chunks.name for chunks in streamed] == names
    assert [chunks.ids for chunks in streamed] == [chunker(source, name=n).ids for n in names]
    assert streamed[0].ids != streamed[1].ids


def test_names_are_taken_in_step_with_texts() -> None:
    taken = {"texts": 0, "names": 0}

    def counted(what: str) -> Iterator[str]:
        for i in itertools.count():
            taken[what] += 1
            yield f"{what} {i}"

    stream = SPLITTER.stream(counted("texts"), names=counted("names"), workers=2)
    assert taken == {"texts": 0, "names": 0}
    assert next(stream).name == "names 0"
    assert taken == {"texts": 2, "names": 2}
    for i in range(1, 3 * many.WINDOW_TEXTS):
        assert next(stream).name == f"names {i}"
    assert taken["texts"] == taken["names"]


def test_a_text_that_fails_has_its_name_all_the_same() -> None:
    texts: list[Any] = ["one", None, "two"]
    streamed = list(SPLITTER.stream(texts, names=["a", "b", "c"], errors="collect"))
    assert [(chunks.name, list(chunks.errors)) for chunks in streamed] == [
        ("a", []),
        ("b", [0]),
        ("c", []),
    ]


@pytest.mark.parametrize("errors", ["raise", "collect"])
@pytest.mark.parametrize(
    ("names", "n_cut", "message"),
    [
        (["a", "b"], 2, r"texts\[2\] has no name: names ended before texts did"),
        (["a", "b", "c", None], 3, r"names\[3\] has no text: texts ended before names did"),
        (["a", "b", 3], 2, r"names\[2\] must be a str or None, got 3"),
    ],
)
def test_names_that_do_not_fit_are_an_error_behind_the_texts_that_do(
    names: Iterable[Any], n_cut: int, message: str, errors: Any
) -> None:
    texts = ["one", "two", "three"]
    stream = SPLITTER.stream(texts, names=names, errors=errors)
    found: list[str | None] = []
    with pytest.raises(cw.ConfigError, match=message):
        found.extend(chunks.name for chunks in stream)
    assert found == ["a", "b", "c"][:n_cut]


@pytest.mark.parametrize("names", ["abc", 3, b"abc"])
def test_names_that_are_no_iterable_of_str(names: Any) -> None:
    for cut in (SPLITTER.stream, SPLITTER.batch):
        message = "names must be an iterable of str, got"
        if isinstance(names, bytes):
            message = r"names\[0\] must be a str or None, got 97"
        with pytest.raises(cw.ConfigError, match=message):
            list(cut(["a", "b", "c"], names=names))
