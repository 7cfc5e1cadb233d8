"""`compat.langchain`: Markdown and JSX are split as LangChain splits them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.compat import langchain as ours
from tests.support.markdown import ROOT

from .langchain_pair import documents, same, same_chunks

LINES = [
    "# One", "## Two", "###Three", "### Three", "#### Four ", "#", "##", "# ", " # In", "\t## Tab",
    "#\tTab", "#\u200b One", "\u200b# One", "**Bold**", "***More***", "** **", "****", "** * **",
    "**Bold** text", "**a**b**", "*Thin*", "!! Mark !!", "text", "more text  ", "  - item", "", "",
    "   ", "\x0b", "```", "```py", "``` code ```", "~~~", "~~~ sh", "````", "---", "----", "***",
    "___", "- - -", "x = 1  # no heading", "# a ``` b", "\u2028", "a\u2028b", "é\x00", "\ud800",
    "# Same", "# Same", "\ufeff# One", "####### Seven", "## ## Two", "\\# no", "> # quoted",
]  # fmt: skip
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\n\n"]
MARKDOWN = st.lists(
    st.tuples(st.sampled_from(LINES), st.sampled_from(ENDS)).map("".join), max_size=30
).map("".join)

KEYS = ["Header 1", "Header 2", "h", "", None]
MARKS = ["#", "##", "###", "**", "***", "*", "!!", "", "```", "> #"]
HEADERS = st.lists(st.tuples(st.sampled_from(MARKS), st.sampled_from(KEYS)), max_size=5)
LEVELS = st.none() | st.dictionaries(st.sampled_from(MARKS), st.integers(-1, 4), max_size=4)

HEADER = "MarkdownHeaderTextSplitter"
SYNTAX = "ExperimentalMarkdownSyntaxTextSplitter"
SIX = [("#" * level, f"H{level}") for level in range(1, 7)]


def same_documents(name: str, text: str, /, *args: Any, **kwargs: Any) -> Any:
    """Asserts that both splitters of that name make the same documents of ``text``."""
    return same(lambda m: documents(getattr(m, name)(*args, **kwargs).split_text(text)))


FLAGS = st.fixed_dictionaries({"return_each_line": st.booleans(), "strip_headers": st.booleans()})
KEPT = {"strip_headers": False}
TWO = [("**", "a"), ("***", "b")]


@given(MARKDOWN, HEADERS, LEVELS, FLAGS)
@example("# A\n\n```\n# code\n\n```\n## B\ntext\n# C", SIX, None, {})
@example("# A\n\n## B\n\ntext", SIX, None, KEPT)
@example("**A**\n\ntext\n\n***B***\nmore", TWO, {"**": 1, "***": 2}, KEPT)
@example("```\ncode that never ends\n\n# A\n", SIX, None, KEPT)
@example("text\n\n# A", [("#", "a"), ("", "b")], None, KEPT)
def test_headings_become_metadata(
    text: str, headers: list[Any], levels: Any, options: dict[str, bool]
) -> None:
    same_documents(HEADER, text, headers, custom_header_patterns=levels, **options)


@given(MARKDOWN, st.none() | HEADERS, FLAGS)
@example("# A\n```py\nx\n```\n---\ntext\n***\n", None, {})
@example("# A\ntext\n```py\nnever closed", None, {})
@example("# A\r\ntext\r\n---\r\n", None, {"return_each_line": True})
def test_syntax_is_split(text: str, headers: Any, options: dict[str, bool]) -> None:
    same_documents(SYNTAX, text, headers, **options)


@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    same_documents(HEADER, text, SIX)
    same_documents(SYNTAX, text)


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/*.md")), ids=lambda path: path.name)
def test_real_pages(page: Any) -> None:
    text = page.read_text("utf-8")
    for strip in (False, True):
        same_documents(HEADER, text, SIX[:3], strip_headers=strip)
        same_documents(SYNTAX, text, SIX[:3], strip_headers=strip)


METADATA = st.dictionaries(st.sampled_from("ab"), st.sampled_from("xy"))
CONTENT = st.sampled_from(["# A", "text", "one\n# B", "", "a\n"])


@given(st.lists(st.tuples(CONTENT, METADATA), max_size=6), st.booleans())
def test_lines_are_joined(pairs: list[Any], strip: bool) -> None:
    def join(module: Any) -> Any:
        lines = [{"content": content, "metadata": dict(metadata)} for content, metadata in pairs]
        splitter = module.MarkdownHeaderTextSplitter(SIX, strip_headers=strip)
        return documents(splitter.aggregate_lines_to_chunks(lines))

    same(join)


def test_options_changed_after_construction_hold() -> None:
    def change(module: Any) -> Any:
        splitter = module.MarkdownHeaderTextSplitter([("##", "b"), ("#", "a")])
        before = documents(splitter.split_text("# A\n\ntext\n\n## B\nmore"))
        splitter.strip_headers, splitter.return_each_line = False, True
        after = documents(splitter.split_text("# A\n\ntext\n\n## B\nmore"))
        return before, after, splitter.headers_to_split_on, splitter.custom_header_patterns

    same(change)


@pytest.mark.parametrize("name", [HEADER, SYNTAX])
@pytest.mark.parametrize("text", [None, 5, b"# A\n"])
def test_what_is_no_text(name: str, text: Any) -> None:
    error = AttributeError if text is None or text == 5 else TypeError
    with pytest.raises(error):
        getattr(ours, name)(SIX).split_text(text)


def test_documents_have_metadata_of_their_own() -> None:
    for name in (HEADER, SYNTAX):
        first, second = getattr(ours, name)(SIX, return_each_line=True).split_text("# A\na\n\nb")
        first.metadata["seen"] = True
        assert second.metadata == {"H1": "A"}


@pytest.mark.slow
def test_a_long_file_takes_linear_time() -> None:
    text = "word\n" * 300_000
    assert len(ours.MarkdownHeaderTextSplitter(SIX).split_text(text)) == 1
    assert len(ours.MarkdownHeaderTextSplitter(SIX).split_text(text.replace("\n", "\n\n"))) == 1
    assert len(ours.ExperimentalMarkdownSyntaxTextSplitter().split_text(text)) == 1


TAGS = ["<div>", "</div>", "< App a='b'>", "<Br/>", "<>", "</>", "<", ">", "<1x>", "<a", "\n\n"]
WORDS = ["\nexport ", " if ", "\nconst x = 1;", "\nfunction f() {", " class A ", "&&\n", "||\n"]
CODE = st.lists(st.sampled_from([*TAGS, *WORDS, "text ", "{x}"]), max_size=40).map("".join)


@given(CODE, st.none() | st.just(["{x}", "text"]), st.integers(0, 9), st.integers(1, 40))
def test_components_are_split(text: str, separators: Any, overlap: int, size: int) -> None:
    options: dict[str, Any] = {"chunk_size": size, "chunk_overlap": overlap}
    options["keep_separator"] = overlap % 2 == 0
    same_chunks("JSFrameworkTextSplitter", text, separators, **options)


def test_components_are_split_into_documents() -> None:
    text = "<App>\n<Row>one</Row>\n<Row>two</Row>\n</App>\nexport default App"

    def create(module: Any) -> Any:
        splitter = module.JSFrameworkTextSplitter(chunk_size=20, add_start_index=True)
        return documents(splitter.create_documents([text], [{"a": 1}])), splitter._separators

    same(create)


def test_tags_that_never_end_take_linear_time() -> None:
    assert "".join(ours.JSFrameworkTextSplitter().split_text("<a" * 200_000)) == "<a" * 200_000
