"""`compat.langchain`: constructors, documents, start indexes, life without LangChain."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import textwrap
from typing import Any

import langchain_text_splitters as theirs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_pair import documents, same
from test_langchain_splitting import KEEPS, LITERALS, PATTERNS, TEXTS, options, separators

from chunkwright.compat import langchain as ours


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
        {"chunk_size": float("inf"), "chunk_overlap": 0},
        {"nonsense": 1},
        {"separators": []},
        {"separators": ()},
        {"separators": ("\n", "")},
        {"separators": "\n "},
        {"separators": [None]},
        {"separators": [5]},
        {"separators": [b" "]},
        {"separators": 5},
        {"separators": {"\n"}},
        {"separators": ["["], "is_separator_regex": True},
        {"separators": ["\ue000", "["], "is_separator_regex": True},
        {"length_function": None},
        {"length_function": 5},
        {"keep_separator": "nonsense"},
        {"separators": [["a"]]},
    ],
)
def test_arguments(kwargs: dict[str, Any]) -> None:
    text = "one two\nthree\n\n" * 400
    same(lambda m: m.RecursiveCharacterTextSplitter(**kwargs).split_text(text))
    kwargs = dict(kwargs)
    if "separators" in kwargs and isinstance(kwargs["separators"], list):
        kwargs["separator"] = (kwargs.pop("separators") or [""])[0]
        same(lambda m: m.CharacterTextSplitter(**kwargs).split_text(text))


def test_positional_arguments() -> None:
    text = "one, two, three"
    same(lambda m: m.RecursiveCharacterTextSplitter([","], False, True, chunk_size=5))
    same(
        lambda m: m.RecursiveCharacterTextSplitter(
            [","], False, True, chunk_size=5, chunk_overlap=0
        ).split_text(text)
    )
    same(lambda m: m.CharacterTextSplitter(",", True, chunk_size=5, chunk_overlap=0).split_text(text))


def test_separators_given_twice_are_refused() -> None:
    for cls in (ours.PythonCodeTextSplitter, ours.MarkdownTextSplitter, ours.LatexTextSplitter):
        with pytest.raises(TypeError, match="multiple values for keyword argument 'separators'"):
            cls(separators=["a"])


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["a", "b"], ("ab", "c")])
def test_what_is_no_text(text: Any) -> None:
    for kwargs in ({"separators": [""]}, {"separators": ["a", ""]}):
        same(lambda m, kwargs=kwargs: m.RecursiveCharacterTextSplitter(**kwargs).split_text(text))
    same(lambda m: m.CharacterTextSplitter().split_text(text))
    same(lambda m: m.TokenTextSplitter("cl100k_base").split_text(text))


def test_the_base_class_is_abstract() -> None:
    found = same(lambda m: m.TextSplitter())
    assert found[0] is TypeError


def test_options_changed_after_construction_hold() -> None:
    def change(module: Any) -> list[str]:
        splitter = module.RecursiveCharacterTextSplitter(chunk_size=50)
        splitter._chunk_size, splitter._chunk_overlap = 5, 0
        splitter._separators = [","]
        return splitter.split_text("one,two,three")  # type: ignore[no-any-return]

    same(change)


def test_a_subclass_may_split_in_its_own_way() -> None:
    def split(module: Any) -> list[tuple[str, Any]]:
        class Own(module.RecursiveCharacterTextSplitter):  # type: ignore[misc, name-defined]
            def _split_text(self, text: str, separators: list[str]) -> list[str]:
                return [part[::-1] for part in super()._split_text(text, separators[1:])]

        class Words(module.TextSplitter):  # type: ignore[misc, name-defined]
            def split_text(self, text: str) -> Any:
                yield from self._merge_splits(text.split(), "_")

        found = []
        for cls in (Own, Words):
            splitter = cls(chunk_size=9, chunk_overlap=4, add_start_index=True)
            found += documents(splitter.create_documents(["aa bbb aa c aa\naa bb"]))
            found.append((splitter._join_docs(["a", "b"], " "), splitter._join_docs([" "], "")))
        return found

    same(split)


TEXT_LISTS = st.lists(TEXTS, max_size=4)


@given(TEXT_LISTS, options(lengths=[]), st.booleans())
def test_create_documents(texts: list[str], kwargs: dict[str, Any], with_metadata: bool) -> None:
    metadatas = [{"n": i, "tags": ["x"]} for i in range(len(texts))] if with_metadata else None
    same(
        lambda m: documents(
            m.RecursiveCharacterTextSplitter(**kwargs).create_documents(texts, metadatas)
        )
    )


@given(TEXT_LISTS, options(lengths=[]))
def test_split_and_transform_documents(texts: list[str], kwargs: dict[str, Any]) -> None:
    given_documents = [Document(text, metadata={"i": i}) for i, text in enumerate(texts)]
    for method in ("split_documents", "transform_documents"):
        same(
            lambda m, method=method: documents(
                getattr(m.CharacterTextSplitter(**kwargs), method)(given_documents)
            )
        )


@pytest.mark.parametrize(
    "metadatas", [[], [{}], [None, None], [{"a": 1}, 5], [{"x": {1: [2]}}] * 2, ({}, {}), "ab"]
)
def test_metadata_that_does_not_fit(metadatas: Any) -> None:
    for add_start_index in (False, True):
        kwargs = {"chunk_size": 3, "chunk_overlap": 0, "add_start_index": add_start_index}
        same(
            lambda m, kwargs=kwargs: documents(
                m.RecursiveCharacterTextSplitter(**kwargs).create_documents(
                    ["one two", "three"], metadatas
                )
            )
        )


def test_each_document_has_metadata_of_its_own() -> None:
    splitter = ours.RecursiveCharacterTextSplitter(chunk_size=3, chunk_overlap=0)
    for metadata in ({"flat": 1}, {"deep": [1]}):
        before = copy.deepcopy(metadata)
        first, second = splitter.create_documents(["one two"], [metadata])
        first.metadata["new"] = 1
        if "deep" in metadata:
            first.metadata["deep"].append(2)
        assert (metadata, second.metadata) == (before, before)


def test_splitters_are_langchains() -> None:
    splitter = ours.RecursiveCharacterTextSplitter()
    assert isinstance(splitter, theirs.TextSplitter)
    assert isinstance(splitter.create_documents(["text"])[0], Document)
    assert ours.Language is theirs.Language
    assert ours.Tokenizer is theirs.Tokenizer


def test_splitters_pickle() -> None:
    splitter = ours.RecursiveCharacterTextSplitter.from_language("python", chunk_size=9999)
    assert pickle.loads(pickle.dumps(splitter)).split_text("a b") == ["a b"]


# Start indexes


@given(TEXTS, separators(LITERALS), options(lengths=[]))
def test_start_indexes_are_true_where_langchain_has_them_wrong(
    text: str, pool: list[str], kwargs: dict[str, Any]
) -> None:
    kwargs = {**kwargs, "separators": pool, "add_start_index": True}
    expected = theirs.RecursiveCharacterTextSplitter(**kwargs).create_documents([text])
    found = ours.RecursiveCharacterTextSplitter(**kwargs).create_documents([text])
    assert [d.page_content for d in found] == [d.page_content for d in expected]
    for mine, other in zip(found, expected, strict=True):
        chunk, start = mine.page_content, mine.metadata["start_index"]
        if chunk in text and kwargs["keep_separator"]:
            assert text.startswith(chunk, start)
        if start != other.metadata["start_index"]:
            assert other.metadata["start_index"] == -1 or text.count(chunk[:1]) > 1


@given(
    st.lists(st.sampled_from(" \n\t,\x1c"), min_size=1, max_size=40),
    separators(LITERALS),
    options(lengths=[lambda text: len(text.split()), lambda text: len(text) / 4]),
)
def test_start_indexes_where_every_chunk_is_unique(
    marks: list[str], pool: list[str], kwargs: dict[str, Any]
) -> None:
    text = "".join(f"{chr(0x4E00 + i)}{mark}" for i, mark in enumerate(marks))
    kwargs = {**kwargs, "separators": pool, "add_start_index": True}
    for document in ours.RecursiveCharacterTextSplitter(**kwargs).create_documents([text]):
        chunk = document.page_content
        assume(any(c >= "\u4e00" for c in chunk))
        if chunk in text:
            assert document.metadata["start_index"] == text.index(chunk)
        else:
            assert text[document.metadata["start_index"]] in (chunk[0], *marks)


@given(TEXTS, st.sampled_from(PATTERNS), options(lengths=[]))
def test_start_indexes_with_patterns_lie_in_the_text(
    text: str, pattern: str, kwargs: dict[str, Any]
) -> None:
    kwargs = {**kwargs, "separator": pattern, "is_separator_regex": True, "add_start_index": True}

    def chunks(module: Any) -> list[str]:
        found = module.CharacterTextSplitter(**kwargs).create_documents([text])
        if module is ours:
            assert all(-1 <= d.metadata["start_index"] < len(text) for d in found)
        return [d.page_content for d in found]

    same(chunks)


def _starts(module: Any, text: str, *, name: str, **kwargs: Any) -> list[int]:
    cls = getattr(module, name)
    splitter = cls(add_start_index=True, **kwargs)
    return [d.metadata["start_index"] for d in splitter.create_documents([text])]


def test_start_indexes_of_repeated_text() -> None:
    kwargs = {"name": "RecursiveCharacterTextSplitter", "chunk_size": 5, "chunk_overlap": 2}
    text = "ab ab ab ab ab ab"
    assert _starts(theirs, text, **kwargs) == [0, 3, 3, 3, 3]
    assert _starts(ours, text, **kwargs) == [0, 3, 6, 9, 12]


def test_start_indexes_in_tokens() -> None:
    text = "".join(f"Sentence number {n} says nothing new at all. " for n in range(12))
    kwargs = {"name": "TokenTextSplitter", "chunk_size": 10, "chunk_overlap": 5}
    for encoding in ("cl100k_base", "gpt2"):
        assert -1 in _starts(theirs, text, encoding_name=encoding, **kwargs)
        starts = _starts(ours, text, encoding_name=encoding, **kwargs)
        chunks = ours.TokenTextSplitter(encoding, chunk_size=10, chunk_overlap=5).split_text(text)
        assert all(text.startswith(c, at) for c, at in zip(chunks, starts, strict=True))
        assert starts == sorted(set(starts))


def test_start_indexes_of_windows_that_cut_code_points() -> None:
    kwargs = {"name": "TokenTextSplitter", "chunk_size": 1, "chunk_overlap": 0}
    for encoding, starts in [("cl100k_base", [0, 0, 1, 2, 2, 2]), ("gpt2", [0, 0, 1, 2, 2])]:
        found = _starts(ours, "漢字🚀", encoding_name=encoding, **kwargs)
        assert (encoding, found) == (encoding, starts) or encoding == "gpt2"


# Without LangChain

_ALONE = """
    import asyncio, json, sys
    for name in ("langchain_core", "langchain_text_splitters", "tiktoken", "transformers"):
        sys.modules[name] = None
    from chunkwright.compat.langchain import *

    text = "# One\\n\\nSome words here, and more.\\n\\n\\nclass A:\\n    def f(self): pass\\n" * 9
    limits = {"chunk_size": 30, "chunk_overlap": 8}

    def error(work):
        try:
            return work()
        except Exception as raised:
            return [type(raised).__name__, str(raised)]

    by_tokens = RecursiveCharacterTextSplitter.from_tiktoken_encoder("cl100k_base", **limits)
    document = Document("text", metadata={"a": 1})
    print(json.dumps([
        RecursiveCharacterTextSplitter(**limits).split_text(text),
        RecursiveCharacterTextSplitter.from_language(Language.PYTHON, **limits).split_text(text),
        by_tokens.split_text(text),
        TokenTextSplitter(model_name="gpt-4o", **limits).split_text(text),
        CharacterTextSplitter(**limits).split_text(text),
        [[d.page_content, d.metadata] for d in by_tokens.split_documents([document])],
        [[d.page_content, d.metadata]
         for d in asyncio.run(by_tokens.atransform_documents([document]))],
        repr(document), str(document), str(Document("x")), document == Document("text"),
        error(lambda: TokenTextSplitter()),
        error(lambda: TextSplitter()),
        error(lambda: RecursiveCharacterTextSplitter.from_tiktoken_encoder()),
        error(lambda: RecursiveCharacterTextSplitter.from_huggingface_tokenizer(None)),
        error(lambda: RecursiveCharacterTextSplitter.from_language("perl")),
        error(lambda: RecursiveCharacterTextSplitter.from_language(Language.PERL)),
        error(lambda: RecursiveCharacterTextSplitter.from_language("nonsense")),
        error(lambda: by_tokens.split_text("a <|endoftext|>")),
    ]))
"""

_WITH_LANGCHAIN = """
    import asyncio, json, sys
    from langchain_core.documents import Document
    from langchain_text_splitters import *
"""


def _run(script: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, check=True, text=True
    )
    return json.loads(done.stdout)


def test_without_langchain_all_is_the_same() -> None:
    head, body = _ALONE.split("from chunkwright.compat.langchain import *", 1)
    del head
    block = 'sys.modules["tiktoken"] = sys.modules["transformers"] = None'
    alone = _run(_ALONE)
    # LangChain cannot count tokens without tiktoken: it has it for all but the missing imports.
    with_all = _run(_WITH_LANGCHAIN + body)
    without = _run(
        _WITH_LANGCHAIN
        + body.replace("by_tokens =", "by_tokens = None #")
        .replace("by_tokens.split_text(text)", "0")
        .replace('TokenTextSplitter(model_name="gpt-4o", **limits).split_text(text)', "0")
        .replace("by_tokens.split_documents([document])", "[]")
        .replace("asyncio.run(by_tokens.atransform_documents([document]))", "[]")
        .replace("    text =", f"    {block}\n    text =", 1)
    )
    for i, (found, expected) in enumerate(zip(alone, with_all, strict=True)):
        missing_import = isinstance(found, list) and "Could not import" in str(found)
        assert found == (without[i] if missing_import else expected)
    assert sum("Could not import" in str(found) for found in alone) == 3
