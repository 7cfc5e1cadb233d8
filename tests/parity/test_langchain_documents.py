"""`compat.langchain`: arguments, documents, subclasses."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import langchain_text_splitters as theirs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from chunkwright.compat import langchain as ours
from chunkwright.compat.langchain.peer_documents import made

from .langchain_inputs import TEXTS, options
from .langchain_pair import documents, same, same_chunks

RECURSIVE = "RecursiveCharacterTextSplitter"
TEXT = "one two\nthree\n\n" * 400


@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"chunk_size": 0},
        {"chunk_size": -5},
        {"chunk_overlap": -1},
        {"chunk_size": 5, "chunk_overlap": 6},
        {"chunk_size": 5, "chunk_overlap": 5},
        {"chunk_size": "5"},
        {"chunk_size": None},
        {"chunk_size": 5, "chunk_overlap": None},
        {"chunk_size": 1.5, "chunk_overlap": 0.5},
        {"nonsense": 1},
        {"length_function": None},
        {"length_function": 5},
        {"keep_separator": "nonsense"},
    ],
)
def test_arguments(kwargs: dict[str, Any]) -> None:
    same_chunks(RECURSIVE, TEXT, **kwargs)
    same_chunks("CharacterTextSplitter", TEXT, **kwargs)


@pytest.mark.parametrize(
    "separators",
    [[], (), ("\n", ""), "\n ", [None], [5], [b" "], ["\n", None], 5, {"\n"}, [["a"]], [b"", "a"]],
)
def test_separators_of_any_kind(separators: Any) -> None:
    for is_regex in (False, True):
        same_chunks(RECURSIVE, TEXT, separators=separators, is_separator_regex=is_regex)


@pytest.mark.parametrize("separator", [None, 5, b"x", ["a"], "", "["])
def test_a_separator_of_any_kind(separator: Any) -> None:
    for is_regex in (False, True):
        kwargs = {"separator": separator, "is_separator_regex": is_regex}
        same_chunks("CharacterTextSplitter", TEXT, **kwargs)


def test_a_pattern_that_is_none_fails_when_it_is_reached() -> None:
    for found in ("\ue000", "one"):
        same_chunks(RECURSIVE, TEXT, separators=[found, "["], is_separator_regex=True)


def test_positional_arguments() -> None:
    keep, is_regex = False, True
    same_chunks(RECURSIVE, "one, two", [","], keep, is_regex, chunk_size=5)
    same_chunks(RECURSIVE, "one, two", [","], keep, is_regex, chunk_size=5, chunk_overlap=0)
    same_chunks("CharacterTextSplitter", "a, b", ",", is_regex, chunk_size=5, chunk_overlap=0)


@pytest.mark.parametrize("name", ["PythonCode", "Markdown", "Latex"])
def test_separators_given_twice_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match="multiple values for keyword argument 'separators'"):
        getattr(ours, f"{name}TextSplitter")(separators=["a"])


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["a", "b"], ("ab", "c")])
def test_what_is_no_text(text: Any) -> None:
    same_chunks(RECURSIVE, text, separators=[""])
    same_chunks(RECURSIVE, text, separators=["a", ""])
    same_chunks("CharacterTextSplitter", text)
    with pytest.raises(TypeError):
        ours.TokenTextSplitter("cl100k_base").split_text(text)


def test_the_base_class_is_abstract() -> None:
    found = same(lambda m: m.TextSplitter())
    assert found[0] is TypeError


def test_options_changed_after_construction_hold() -> None:
    def change(module: Any) -> Any:
        splitter = module.RecursiveCharacterTextSplitter(chunk_size=50, chunk_overlap=0)
        before = splitter.split_text("one,two,three")
        splitter._chunk_size, splitter._separators = 5, [","]
        return before, splitter.split_text("one,two,three")

    same(change)


def test_a_subclass_may_split_in_its_own_way() -> None:
    def split(module: Any) -> Any:
        class Words(module.TextSplitter):  # type: ignore[misc]
            def split_text(self, text: str) -> Any:
                yield from self._merge_splits(text.split(), "_")

        class Backwards(module.RecursiveCharacterTextSplitter):  # type: ignore[misc]
            def split_text(self, text: str) -> Any:
                return super().split_text(text)[::-1]

        class Upper(module.RecursiveCharacterTextSplitter):  # type: ignore[misc]
            def _merge_splits(self, splits: Any, separator: str) -> Any:
                return [text.upper() for text in super()._merge_splits(splits, separator)]

        kwargs = {"chunk_size": 9, "chunk_overlap": 4, "add_start_index": True}
        splitters = Words(**kwargs), Backwards(**kwargs), Upper(**kwargs)
        found = [documents(s.create_documents(["aa bbb aa c aa\naa bb"])) for s in splitters]
        joined = [splitters[0]._join_docs(docs, "_") for docs in (["a ", " b "], [" "], [])]
        return found, joined

    same(split)


TEXT_LISTS = st.lists(TEXTS, max_size=4)


@given(TEXT_LISTS, options(lengths=[]), st.booleans())
def test_create_documents(texts: list[str], kwargs: dict[str, Any], with_metadata: bool) -> None:
    metadatas = [{"n": i, "tags": ["x"]} for i in range(len(texts))] if with_metadata else None

    def create(module: Any) -> Any:
        splitter = module.RecursiveCharacterTextSplitter(**kwargs)
        return documents(splitter.create_documents(texts, metadatas))

    same(create)


@given(TEXT_LISTS, options(lengths=[]))
def test_split_and_transform_documents(texts: list[str], kwargs: dict[str, Any]) -> None:
    inputs = [Document(text, metadata={"i": i}) for i, text in enumerate(texts)]

    def split(module: Any) -> Any:
        splitter = module.CharacterTextSplitter(**kwargs)
        transformed = splitter.transform_documents(inputs, ignored=True)
        return documents(splitter.split_documents(iter(inputs))), documents(transformed)

    same(split)


@pytest.mark.parametrize("add_start_index", [False, True])
@pytest.mark.parametrize(
    "metadatas", [[], [{}], [None, None], [{"a": 1}, 5], [{"x": {1: [2]}}] * 2, ({}, {}), "ab"]
)
def test_metadata_of_any_kind(metadatas: Any, add_start_index: bool) -> None:
    kwargs = {"chunk_size": 3, "chunk_overlap": 0, "add_start_index": add_start_index}

    def create(module: Any) -> Any:
        splitter = module.RecursiveCharacterTextSplitter(**kwargs)
        return documents(splitter.create_documents(["one two", "three"], metadatas))

    same(create)


@pytest.mark.parametrize("metadata", [{"flat": 1}, {"deep": [1]}])
def test_each_document_has_metadata_of_its_own(metadata: dict[str, Any]) -> None:
    splitter = ours.RecursiveCharacterTextSplitter(chunk_size=5, chunk_overlap=0)
    before = copy.deepcopy(metadata)
    first, second = splitter.create_documents(["one two"], [metadata])
    first.metadata["new"] = 1
    first.metadata.get("deep", []).append(2)
    assert (metadata, second.metadata) == (before, before)


def test_splitters_are_langchains() -> None:
    splitter = ours.RecursiveCharacterTextSplitter()
    assert isinstance(splitter, theirs.TextSplitter)
    assert isinstance(splitter.create_documents(["text"])[0], Document)
    assert ours.Language is theirs.Language
    assert ours.Tokenizer is theirs.Tokenizer


def test_splitters_pickle() -> None:
    splitter = ours.RecursiveCharacterTextSplitter.from_language(ours.Language.PYTHON)
    assert pickle.loads(pickle.dumps(splitter)).split_text("a b") == ["a b"]


def test_documents_are_those_that_the_constructor_makes() -> None:
    metadata = {"source": "a.md", "page": 3, "tags": ["x"]}
    expected = Document(page_content="Rain. é", metadata=metadata)
    document = made("Rain. é", dict(metadata))
    assert document == expected
    assert (repr(document), document.model_dump()) == (repr(expected), expected.model_dump())
    assert document.model_fields_set == expected.model_fields_set
    assert list(vars(document)) == list(vars(expected))
    for copied in (
        pickle.loads(pickle.dumps(document)),
        copy.deepcopy(document),
        document.model_copy(),
    ):
        assert copied == expected
    # What is changed in one is changed in no other.
    document.id = "1"
    other = made("Rain.", {})
    assert other.id is None
    assert "id" not in other.model_fields_set
    with pytest.raises(ValueError, match="page_content"):
        made(3, {})  # type: ignore[arg-type]
