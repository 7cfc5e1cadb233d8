"""`compat.unstructured`: the lazy forms give the same chunks and read no more than they need."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import n_examples

from .unstructured_inputs import (
    MIXED,
    Recipe,
    char_options,
    made,
    tables,
    text_elements,
)
from .unstructured_pair import LAZY, Seen, elements, listening, ours, theirs

LONG = st.lists(st.one_of(text_elements(), text_elements(), tables()), max_size=40)
NAMES = st.sampled_from(sorted(LAZY))


@settings(max_examples=n_examples(2))
@given(st.one_of(MIXED, LONG), st.data())
def test_chunks_are_the_same(document: list[Recipe], data: st.DataObject) -> None:
    name = data.draw(NAMES)
    options = data.draw(char_options(by_title=name == "chunk_by_title"))
    source = made(document, elements)
    with listening():
        whole = Seen(source).chunks(getattr(ours, name)(source, **options))
        lazily = getattr(ours, LAZY[name])
        assert Seen(source).chunks(list(lazily(source, **options))) == whole
        assert Seen(source).chunks(list(lazily(iter(source), **options))) == whole


class Reader:
    """Counts what was read of an endless document."""

    def __init__(self, page_of: Any = lambda _: None) -> None:
        self.n_read = 0
        self._page_of = page_of

    def __iter__(self) -> Iterator[Any]:
        for i in count():
            self.n_read += 1
            metadata = elements.ElementMetadata(page_number=self._page_of(i))
            cls = elements.Title if i % 7 == 0 else elements.Text
            yield cls(f"Element {i} says a few words.", metadata=metadata)


@pytest.mark.parametrize("name", sorted(LAZY))
@pytest.mark.parametrize(
    "page_of", [lambda _: None, lambda i: i // 50 + 1, lambda _: 3], ids=["none", "many", "one"]
)
@pytest.mark.parametrize("overlap_all", [False, True])
def test_endless_documents(name: str, page_of: Any, overlap_all: bool) -> None:
    options: dict[str, Any] = {"overlap": 10, "overlap_all": overlap_all}
    if name == "chunk_by_title":
        options["multipage_sections"] = False
    source = Reader(page_of)
    chunks = getattr(ours, LAZY[name])(source, **options)
    assert source.n_read == 0
    first = next(chunks)
    assert source.n_read < 20
    texts = [first.text, *(chunk.text for chunk in islice(chunks, 199))]
    expected = islice(getattr(theirs, LAZY[name])(Reader(page_of), **options), 200)
    assert texts == [chunk.text for chunk in expected]
    # What is read ahead is one element, unless each chunk depends on all before it.
    n_needed = 200 * 18
    assert source.n_read < (2 * n_needed if overlap_all else n_needed)


@pytest.mark.parametrize("name", sorted(LAZY))
@pytest.mark.parametrize("options", [{}, {"new_after_n_chars": 0}, {"new_after_n_chars": 100}])
def test_no_more_is_read_than_unstructured_reads(name: str, options: dict[str, Any]) -> None:
    if name == "chunk_by_title":
        options = {**options, "combine_text_under_n_chars": 0}

    def read(module: Any) -> list[int]:
        source = Reader()
        chunks = getattr(module, LAZY[name])(source, max_characters=200, **options)
        return [source.n_read for _ in islice(chunks, 50)]

    for mine, other in zip(read(ours), read(theirs), strict=True):
        # A title ends a chunk however little it holds, which is seen once more is read.
        assert mine <= other + (4 if name == "chunk_by_title" else 0)


def n_alive(references: list[Any]) -> int:
    return sum(reference() is not None for reference in references)


@pytest.mark.parametrize("name", sorted(LAZY))
def test_what_was_cut_is_let_go(name: str) -> None:
    given: list[Any] = []
    most = 0

    def source() -> Iterator[Any]:
        nonlocal most
        for i in range(100):
            element = elements.Text(f"Element {i} says a few words.")
            given.append(weakref.ref(element))
            yield element
            most = max(most, n_alive(given))

    chunks = getattr(ours, LAZY[name])(source(), max_characters=130, include_orig_elements=False)
    assert sum(1 for _ in chunks) == 25
    assert most == 4


@pytest.mark.parametrize("name", [*LAZY, *LAZY.values()])
def test_pictures_that_no_chunk_holds_are_let_go(name: str) -> None:
    given: list[Any] = []

    def source() -> Iterator[Any]:
        for i in range(20):
            held = elements.ElementMetadata(image_base64="QUJD", page_number=2, url=f"u{i}")
            image = elements.Image(" ", metadata=held)
            given.append(weakref.ref(image))
            assert n_alive(given) <= 2
            yield image
        yield elements.Table("", metadata=elements.ElementMetadata(image_base64="QUJD"))
        yield elements.Text("words")

    chunks = list(getattr(ours, name)(source(), include_orig_elements=False))
    assert [(c.text, c.metadata.to_dict()) for c in chunks] == [("words", {})]
    assert n_alive(given) == 0
    image = elements.Image("", metadata=elements.ElementMetadata(image_base64="QUJD", url="u"))
    for originals in (True, False):
        source_of_two = iter([image, elements.Text("words")])
        (chunk,) = getattr(ours, name)(source_of_two, include_orig_elements=originals)
        assert chunk.metadata.url == "u"
        assert image.metadata.image_base64 == "QUJD"
        assert not originals or chunk.metadata.orig_elements[0] is image


def test_an_error_of_the_source_comes_after_the_chunks_before_it() -> None:
    def failing() -> Iterator[Any]:
        yield from islice(Reader(), 100)
        raise LookupError("no more")

    def texts(module: Any) -> tuple[list[str], str]:
        found: list[str] = []
        try:
            found.extend(chunk.text for chunk in module.iter_chunk_elements(failing()))
        except LookupError as error:
            return found, str(error)
        return found, ""

    assert texts(ours) == (
        [c.text for c in ours.chunk_elements(islice(Reader(), 100))][:-1],
        "no more",
    )


def test_what_is_no_iterable() -> None:
    for name in LAZY.values():
        chunks = getattr(ours, name)(5)
        with pytest.raises(TypeError, match="'int' object is not iterable"):
            next(chunks)
