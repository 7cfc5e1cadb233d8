"""`compat.unstructured`: signatures, errors and dispatch are Unstructured's."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import unstructured.chunking

from .unstructured_pair import elements, ours, outcome, same, theirs

NAMES = [
    "chunk_elements",
    "iter_chunk_elements",
    "chunk_by_title",
    "iter_chunks_by_title",
    "chunk",
    "register_chunking_strategy",
    "reconstruct_table_from_chunks",
    "add_chunking_strategy",
]


def _parameters(function: Any) -> list[tuple[str, Any, Any]]:
    found = inspect.signature(function).parameters.values()
    return [(p.name, p.kind, p.default) for p in found]


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name: str) -> None:
    assert _parameters(getattr(ours, name)) == _parameters(getattr(theirs, name))


def test_the_lazy_forms_take_the_same() -> None:
    for eager, lazy in (("page", "page"), ("similarity", "similarity")):
        one, other = getattr(ours, f"chunk_by_{eager}"), getattr(ours, f"iter_chunks_by_{lazy}")
        assert _parameters(one) == _parameters(other)


@pytest.mark.parametrize("name", NAMES[:4])
def test_an_option_that_is_unknown(name: str) -> None:
    messages = []
    for module in (ours, theirs):
        with pytest.raises(TypeError) as error:
            getattr(module, name)([], max_charcters=9)
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_constants() -> None:
    for name in ("CHUNK_MAX_CHARS_DEFAULT", "CHUNK_MULTI_PAGE_DEFAULT"):
        assert getattr(ours, name) == getattr(unstructured.chunking, name)


BAD: list[dict[str, Any]] = [
    {"max_characters": 100, "max_tokens": 10},
    {"max_characters": -1, "max_tokens": -1},
    {"max_tokens": 10},
    {"max_tokens": 10, "tokenizer": ""},
    {"max_tokens": 0},
    {"max_tokens": 0, "tokenizer": "cl100k_base"},
    {"max_tokens": -3, "tokenizer": "nonsense"},
    {"new_after_n_tokens": 5},
    {"new_after_n_tokens": -5},
    {"max_tokens": 5, "tokenizer": "gpt-4", "new_after_n_tokens": -5},
    {"max_characters": 0},
    {"max_characters": -7, "overlap": -1},
    {"new_after_n_chars": -1},
    {"new_after_n_chars": -1, "max_tokens": 9, "tokenizer": "nonsense"},
    {"skip_table_chunking": True, "isolate_table": False},
    {"skip_table_chunking": True, "isolate_table": False, "overlap": -1},
    {"overlap": -1},
    {"overlap": 500},
    {"overlap": 10, "max_characters": 10},
    {"overlap": 10, "max_tokens": 10, "tokenizer": "nonsense"},
    {"max_tokens": 10, "tokenizer": "nonsense"},
    {"max_tokens": 10, "tokenizer": 5},
    {"max_tokens": 10, "tokenizer": ["gpt-4"]},
    {"tokenizer": "nonsense"},
    {"combine_text_under_n_chars": -1},
    {"combine_text_under_n_chars": 501},
    {"combine_text_under_n_chars": 11, "max_characters": 10, "overlap": 10},
    {"combine_text_under_n_chars": 11, "max_tokens": 10, "tokenizer": "nonsense"},
    {"combine_text_under_n_chars": 11, "max_tokens": 10, "tokenizer": "gpt-4"},
    {"max_characters": "10"},
    {"overlap": "1"},
    {"new_after_n_chars": "1"},
    {"nonsense": 1},
    {"max_characters": 10, "new_after_n_chars": 100, "overlap": 0},
    {"max_characters": True},
    {"max_characters": 10**30},
]


@pytest.mark.parametrize("options", BAD)
@pytest.mark.parametrize("name", NAMES[:4])
def test_errors(name: str, options: dict[str, Any]) -> None:
    """Options are checked when a function is called, in the lazy forms too."""

    def work(module: Any) -> str:
        getattr(module, name)([], **options)
        return "no error"

    same(work)


@pytest.mark.parametrize("name", NAMES[:4])
def test_positional_options_are_refused(name: str) -> None:
    same(lambda module: getattr(module, name)([], 100))


def test_similarity_threshold() -> None:
    for threshold in (0, 1, -0.5, 1.5, float("nan")):
        for name in ("chunk_by_similarity", "iter_chunks_by_similarity"):
            with pytest.raises(ValueError, match=f"similarity_threshold.*got {threshold}"):
                getattr(ours, name)([], embedder=None, similarity_threshold=threshold)


@pytest.mark.parametrize("name", ["nonsense", None, "", 5, []])
def test_unknown_strategies(name: Any) -> None:
    same(lambda module: module.chunk([], name))


def test_dispatch_drops_what_a_chunker_does_not_take() -> None:
    options = {
        "max_characters": 20,
        "nonsense": 1,
        "combine_text_under_n_chars": 0,
        "filename": "x",
    }

    def work(module: Any) -> Any:
        made = [elements.Title("One"), elements.Text("two words"), elements.Title("Three")]
        kinds = ("basic", "by_title")
        return [[c.text for c in module.chunk(made, kind, **options)] for kind in kinds]

    assert same(work) == [["One\n\ntwo words", "Three"], ["One\n\ntwo words", "Three"]]


def test_own_chunkers() -> None:
    def work(module: Any) -> Any:
        def reverse(elements: Any, *, shout: bool = False) -> Any:
            return [e.text.upper() if shout else e.text for e in elements][::-1]

        module.register_chunking_strategy("reverse", reverse)
        made = [elements.Text("a"), elements.Text("b")]
        return module.chunk(made, "reverse", shout=True, other=1)

    assert same(work) == ["B", "A"]


def test_partitioners() -> None:
    def work(module: Any) -> Any:
        @module.add_chunking_strategy  # type: ignore[untyped-decorator]
        def partition(text: str, chunking_strategy: Any = None, **kwargs: Any) -> Any:
            """Cut a text."""
            del kwargs, chunking_strategy
            return [elements.Title(line) for line in text.splitlines()]

        def texts(*args: Any, **kwargs: Any) -> list[str]:
            return [element.text for element in partition(*args, **kwargs)]

        @module.add_chunking_strategy  # type: ignore[untyped-decorator]
        def bare(text: str) -> Any:
            return [elements.Text(text)]

        return [
            texts("a\nb"),
            texts("a\nb", "basic"),
            texts("a\nb", chunking_strategy="by_title", combine_text_under_n_chars=0, other=1),
            outcome(lambda: texts("a", "nonsense")),
            partition.__name__,
            "chunking_strategy" in partition.__doc__,
            bare("x")[0].text,
            bare.__doc__,
        ]

    assert same(work)[:3] == [["a", "b"], ["a\n\nb"], ["a", "b"]]


@pytest.mark.parametrize("text", ["one two three four five", "one"])
@pytest.mark.parametrize(
    "options",
    [
        {"new_after_n_chars": 0.8 * 20},
        {"new_after_n_chars": 6.5},
        {"new_after_n_chars": 7.0},
        {"new_after_n_chars": float("inf")},
        {"max_characters": float("inf")},
        {"max_characters": float("inf"), "new_after_n_chars": 10.0, "overlap": 3},
        {"combine_text_under_n_chars": 12.0},
        {"combine_text_under_n_chars": 12.5},
        {"combine_text_under_n_chars": 13.0},
    ],
)
def test_fractions(text: str, options: dict[str, Any]) -> None:
    """They are compared with sizes, as shares of a limit are."""
    options = {"max_characters": 25, **options}

    def work(module: Any) -> list[str]:
        texts = [text, "Some", "more", text, "of it", text]
        source = [elements.Title(part) for part in texts]
        return [chunk.text for chunk in module.chunk_by_title(source, **options)]

    assert len(same(work)) >= 1
