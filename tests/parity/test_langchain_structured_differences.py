"""Where `compat.langchain`'s structured splitters differ on purpose, and faults that they share."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import langchain_text_splitters as theirs
import pytest

from chunkwright.compat import langchain as ours

from .langchain_pair import documents, same

H1 = [("h1", "H")]


STRUCTURED = [
    "ExperimentalMarkdownSyntaxTextSplitter",
    "HTMLHeaderTextSplitter",
    "HTMLSectionSplitter",
    "HTMLSemanticPreservingSplitter",
    "JSFrameworkTextSplitter",
    "KonlpyTextSplitter",
    "MarkdownHeaderTextSplitter",
    "NLTKTextSplitter",
    "RecursiveJsonSplitter",
    "SentenceTransformersTokenTextSplitter",
    "SpacyTextSplitter",
]


@pytest.mark.parametrize("name", STRUCTURED)
def test_arguments_and_defaults_are_the_same(name: str) -> None:
    mine, other = getattr(ours, name), getattr(theirs, name)
    methods = [
        key for key in dir(other) if not key.startswith("_") and callable(getattr(other, key))
    ]
    assert methods
    for method in ["__init__", *methods]:
        assert _parameters(getattr(mine, method)) == _parameters(getattr(other, method)), method


def _parameters(function: Any) -> list[tuple[str, Any, Any]]:
    found = inspect.signature(function).parameters.values()
    return [(parameter.name, parameter.kind, parameter.default) for parameter in found]


@pytest.mark.parametrize("name", ["ElementType", "HeaderType", "LineType"])
def test_types_have_the_same_keys(name: str) -> None:
    mine, other = getattr(ours, name), getattr(theirs, name)
    assert list(mine.__annotations__) == list(other.__annotations__)


def test_results_are_lists_of_their_own() -> None:
    def split(module: Any) -> Any:
        splitter = module.ExperimentalMarkdownSyntaxTextSplitter()
        first = splitter.split_text("# One\ntext")
        second = splitter.split_text("# Two\nmore")
        return documents(first), documents(second)

    one, two = [("text", {"Header 1": "One"})], [("more", {"Header 1": "Two"})]
    assert split(ours) == (one, two)
    assert split(theirs) == (two, two)


def test_lines_that_are_joined_stay_as_they_were() -> None:
    def join(module: Any) -> Any:
        lines = [{"content": "one", "metadata": {}}, {"content": "two", "metadata": {}}]
        [document] = module.MarkdownHeaderTextSplitter([]).aggregate_lines_to_chunks(lines)
        return document.page_content, lines[0]["content"]

    assert join(ours) == ("one  \ntwo", "one")
    assert join(theirs) == ("one  \ntwo", "one  \ntwo")


def test_no_notes_about_langchains_plans() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.HTMLSemanticPreservingSplitter(H1)
        with pytest.raises(Exception, match=r"127\.0\.0\.1|SSRF|private"):
            ours.HTMLHeaderTextSplitter(H1).split_text_from_url("http://127.0.0.1:9/")


@pytest.mark.filterwarnings("ignore:.*HTMLSemanticPreservingSplitter.*")
@pytest.mark.parametrize(
    ("name", "arguments", "text", "expected"),
    [
        (
            "MarkdownHeaderTextSplitter",
            ([],),
            "```\n  x\n\n    y\n```",
            [("```\nx\n\ny\n```", {})],
        ),
        ("ExperimentalMarkdownSyntaxTextSplitter", (), "a\n```\ncode", [("a\n", {})]),
        ("HTMLSectionSplitter", ([("h2", "H")],), "<p>a</p>", (KeyError, "'h1'")),
        ("HTMLSemanticPreservingSplitter", (H1,), "lost <p>kept</p>", [("kept", {})]),
        (
            "HTMLSemanticPreservingSplitter",
            (H1,),
            "<div>one <b>two</b> three<!-- four --></div>",
            [("two one three four", {})],
        ),
    ],
)
def test_faults_are_reproduced(name: str, arguments: Any, text: str, expected: Any) -> None:
    found = same(lambda m: documents(getattr(m, name)(*arguments).split_text(text)))
    assert found == expected


def test_empty_and_long_parts_are_reproduced() -> None:
    data = {"a": {"b": {"c": "x" * 50}}}
    found = same(lambda m: m.RecursiveJsonSplitter(20, 0).split_json(data))
    assert found == [{}, {}, {}, data]
