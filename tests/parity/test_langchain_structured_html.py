"""`compat.langchain`: HTML is split as LangChain splits it."""

from __future__ import annotations

import io
import subprocess
import sys
import textwrap
from html.entities import html5
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bs4
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.documents import Document

from chunkwright.compat import langchain as ours
from chunkwright.errors import ReadError
from tests.support.mostly_slow import mostly_slow

from .langchain_html import HTML, TEXT
from .langchain_pair import documents, outcome, same

pytestmark = [
    # Beautiful Soup's, about texts that look like the name of a file, or like XML.
    pytest.mark.filterwarnings("ignore::bs4.MarkupResemblesLocatorWarning"),
    pytest.mark.filterwarnings("ignore::bs4.XMLParsedAsHTMLWarning"),
    # LangChain's, about a class of its own that may change.
    pytest.mark.filterwarnings("ignore:.*HTMLSemanticPreservingSplitter.*"),
]

HEADER, SECTION = "HTMLHeaderTextSplitter", "HTMLSectionSplitter"
SEMANTIC = "HTMLSemanticPreservingSplitter"
THREE = [("h1", "Header 1"), ("h2", "Header 2"), ("h3", "Header 3")]
HEADERS = st.lists(
    st.tuples(st.sampled_from(["h1", "h2", "h3", "h6", "x1"]), st.sampled_from(["A", "B", "C"])),
    max_size=4,
)
DEEP = 20_000


def same_documents(name: str, text: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Asserts that both splitters of that name make the same documents of ``text``."""
    return same(lambda m: documents(getattr(m, name)(*args, **kwargs).split_text(text)))


@given(HTML, HEADERS)
@example("text <h1>A</h1> <p>one</br>two</p> <br>a</br>b", THREE)
@example("<body><div><h1>A</h1></div><p>b</p></body>after<p>c</p>", THREE)
@example("<pre>  a\n\n<pre> </pre> </pre>", [])
@example("<h1>a</h1><x1>b</x1>c<h1>d</h1>e", [("h1", "A"), ("x1", "B")])
def test_headings_become_metadata(text: str, headers: list[Any]) -> None:
    for each in (False, True):
        same_documents(HEADER, text, headers, each)


@given(st.integers(0, 0x110010) | st.integers(0x78, 0xA8), st.sampled_from([";", "", "z", "g"]))
@example(10**12, ";")
def test_numeric_references(number: int, end: str) -> None:
    for reference in (f"&#{number}{end}", f"&#x{number:x}{end}", f"&#X{number:X}{end}"):
        same_documents(HEADER, f"<p>{reference} a", THREE)


def test_named_references() -> None:
    names = "".join(f"<p>&{name} &{name};" for name in html5)
    same_documents(HEADER, names, THREE, return_each_element=True)


@pytest.mark.parametrize("headers", [[("title", "a")], [("h", "a")], None, [("h1",)], "h1"])
def test_headers_of_any_kind(headers: Any) -> None:
    found = outcome(lambda: ours.HTMLHeaderTextSplitter(headers))
    assert isinstance(found[0], tuple)
    same(lambda m: m.HTMLHeaderTextSplitter(headers))


def test_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<h1>É</h1><p>text</p>", "utf-8")

    def read(module: Any) -> Any:
        splitter = module.HTMLHeaderTextSplitter(THREE)
        sources = str(file), io.StringIO("<h2>A</h2>b")
        return [documents(splitter.split_text_from_file(source)) for source in sources]

    same(read)
    with file.open("rb") as stream, pytest.raises(TypeError, match="reading text, it gave bytes"):
        ours.HTMLHeaderTextSplitter(THREE).split_text_from_file(stream)  # type: ignore[arg-type]


def test_private_addresses_are_not_fetched() -> None:
    url = "http://127.0.0.1:9/"
    with pytest.warns(DeprecationWarning, match="split_text_from_url"):
        same(lambda m: m.HTMLHeaderTextSplitter(THREE).split_text_from_url(url, timeout=1))


def test_what_the_parser_refuses() -> None:
    found = same_documents(HEADER, "<p>a</p><![bad[x]]>", THREE)
    assert found[0] is bs4.exceptions.ParserRejectedMarkup


@pytest.mark.slow
def test_deep_pages_need_no_stack() -> None:
    page = "<div>" * DEEP + "<h1>A</h1>text"
    found = documents(ours.HTMLHeaderTextSplitter(THREE).split_text(page))
    assert found == [("text", {}), ("A", {"Header 1": "A"})]
    kept = ours.HTMLSemanticPreservingSplitter(THREE, elements_to_preserve=["b"])
    assert documents(kept.split_text("<div>" * DEEP + "<b>" + "<i>" * DEEP + "x")) == [("x", {})]


def test_void_elements_by_the_thousand_take_linear_time() -> None:
    page = "<br>" * 50_000 + "<p>a</p>" * 50_000
    assert (
        len(ours.HTMLHeaderTextSplitter(THREE, return_each_element=True).split_text(page)) == 50_000
    )


@pytest.mark.parametrize(
    "opened", mostly_slow(["<a ", '<a href="', "<!--", "</a ", "<?", "<![CDATA["], quick=2)
)
def test_tags_that_are_never_closed_take_linear_time(opened: str) -> None:
    # The parser of the standard library alone would take minutes.
    page = "<p>" + opened * 100_000
    [header] = ours.HTMLHeaderTextSplitter(THREE).split_text(page)
    assert header.page_content == (opened * 100_000).strip()
    semantic = ours.HTMLSemanticPreservingSplitter(THREE, max_chunk_size=10**7).split_text(page)
    assert len(semantic) == 1
    for name in (HEADER, SEMANTIC):
        same_documents(name, "<p>" + opened * 40, THREE)


@given(HTML, HEADERS)
@example("<p>before</p><h1>A</h1><p>text", [("h2", "B")])
@example("<p style='font-size:30px'>A <b>b</b></p>c<h2>d<h3>e</h3></h2>", THREE)
@example("", THREE)
def test_sections(text: str, headers: list[Any]) -> None:
    same_documents(SECTION, text, headers)
    same(lambda m: getattr(m, SECTION)(headers).convert_possible_tags_to_header(text))
    same(lambda m: getattr(m, SECTION)(headers).split_html_by_headers(text))


@given(st.lists(HTML, max_size=3), st.booleans(), st.integers(5, 30))
def test_sections_of_documents(texts: list[str], with_title: bool, size: int) -> None:
    metadata = {"tags": ["x"], **({"Title": "T"} if with_title else {})}
    sources = [Document(text, metadata=metadata) for text in texts]

    def split(module: Any) -> Any:
        splitter = module.HTMLSectionSplitter(THREE, chunk_size=size, chunk_overlap=2)
        created = splitter.create_documents(texts, [metadata] * len(texts))
        return documents(created), documents(splitter.split_documents(iter(sources)))

    same(split)


FLAGS = ("links", "images", "videos", "audio", "parent_metadata")
TAGS = ["p", "ul", "table", "li", "span", "div", "h1", "h2", "html", "body", "a", "b", "img"]
SOME_TAGS = st.none() | st.lists(st.sampled_from(TAGS), max_size=5)


def shout(tag: Any) -> str:
    return f" {tag.name}! {tag.get('href')} {tag.get_text()} "


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        **{f"preserve_{name}": st.booleans() for name in FLAGS},
        "max_chunk_size": st.integers(1, 60),
        "separators": st.sampled_from([None, [], [". ", " "], ["\n", ""]]),
        "elements_to_preserve": SOME_TAGS,
        "allowlist_tags": SOME_TAGS,
        "denylist_tags": SOME_TAGS,
        "custom_handlers": st.sampled_from([None, {"span": shout, "a": shout, "li": shout}]),
        "normalize_text": st.booleans(),
        "external_metadata": st.sampled_from([None, {"source": "s", "A": "ext"}]),
        "keep_separator": st.sampled_from([True, False, "start", "end"]),
    },
)


@given(HTML, HEADERS, OPTIONS)
@example("<p>a<b>c</b>d</p>lost<h1>A</h1>", THREE, {})
@example(
    "<ul><li>one</li></ul>PRESERVED_0 <p>PRESERVED_0</p>", [], {"elements_to_preserve": ["ul"]}
)
@example(
    "<p>PRESERVED_1<ul>PRESERVED_0</ul></p><ul>b</ul>", [], {"elements_to_preserve": ["ul", "p"]}
)
@example("<ul>b</ul><ul>PRESERVED_0</ul>", [], {"elements_to_preserve": ["ul"]})
@example("<table>" + "a b " * 9 + "</table><p>" + "word " * 30, [], {"max_chunk_size": 9})
@example("<div><img src='i'><a href='u'>t <b>x</b></a></div>", [], {"preserve_links": True})
def test_semantic_structure_is_kept(text: str, headers: list[Any], options: Any) -> None:
    same_documents(SEMANTIC, text, headers, **options)


@given(st.lists(HTML, max_size=2), st.booleans())
def test_semantic_documents(texts: list[str], hand_on: bool) -> None:
    sources = [Document(text, metadata={"n": i}) for i, text in enumerate(texts)]

    def transform(module: Any) -> Any:
        splitter = module.HTMLSemanticPreservingSplitter(THREE, preserve_parent_metadata=hand_on)
        return documents(splitter.transform_documents(sources))

    same(transform)


@given(st.lists(st.sampled_from([*TEXT, "<b>", "</b>", "<p>"]), max_size=20).map("".join))
def test_stop_words_are_removed(text: str) -> None:
    nltk = pytest.importorskip("nltk")
    stop_words = SimpleNamespace(words=lambda language: [language, "and", "its", "text"])
    asked: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk, "download", asked.append)
        patch.setattr(nltk, "corpus", SimpleNamespace(stopwords=stop_words))
        for options in ({}, {"normalize_text": True, "stopword_lang": "more"}):
            same_documents(SEMANTIC, f"<p>{text}", [], stopword_removal=True, **options)
    assert asked == ["stopwords"] * 4


@pytest.mark.parametrize(
    "options", [{"max_chunk_size": 0}, {"chunk_overlap": 2000}, {"nonsense": 1}, {"separators": 5}]
)
def test_arguments(options: dict[str, Any]) -> None:
    same_documents(SEMANTIC, "<p>" + "word " * 400, THREE, **options)


def test_text_outside_of_elements_is_lost_as_in_the_peer() -> None:
    assert same_documents(SEMANTIC, "lost <p>kept</p> lost", []) == [("kept", {})]


ALONE = """
    import sys
    for name in ("bs4", "lxml", "nltk", "langchain_core", "langchain_text_splitters"):
        sys.modules[name] = None
    from chunkwright.compat.langchain import *
    from chunkwright.errors import ReadError

    headers = [("h1", "A")]
    splitter = HTMLHeaderTextSplitter(headers)
    [heading, text] = splitter.split_text("<h1>One</h1><p>text")
    assert (text.page_content, text.metadata) == ("text", {"A": "One"})

    def message(work):
        try:
            work()
        except (ImportError, ReadError) as error:
            print(f"{type(error).__name__}: {error}")

    message(lambda: splitter.split_text("<![bad[x]]>"))
    message(lambda: splitter.split_text_from_url("http://127.0.0.1"))
    message(lambda: HTMLSectionSplitter(headers).split_text("<p>a"))
    message(lambda: HTMLSectionSplitter(headers).split_html_by_headers("<p>a"))
    message(lambda: HTMLSemanticPreservingSplitter(headers))
"""


def test_what_is_missing_is_named() -> None:
    command = [sys.executable, "-c", textwrap.dedent(ALONE)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    refused, fetched, section, parsed, semantic = done.stdout.splitlines()
    assert refused.startswith(f"{ReadError.__name__}: the HTML cannot be parsed: ")
    assert "pip install langchain-core" in fetched
    assert section == "ImportError: Unable to import lxml, please install with `pip install lxml`."
    assert parsed.endswith("please install with `pip install bs4`.")
    assert semantic.endswith("Please install it with 'pip install bs4'.")


def test_without_stop_words_nltk_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    ours.HTMLSemanticPreservingSplitter(THREE)
    same(lambda m: m.HTMLSemanticPreservingSplitter(THREE, stopword_removal=True))


@pytest.mark.slow
def test_real_pages() -> None:
    markdown = pytest.importorskip("markdown_it")
    pages = sorted(Path(__file__).parents[2].glob("docs/*.md"))
    assert pages
    for page in pages:
        html = markdown.MarkdownIt().enable("table").render(page.read_text("utf-8"))
        same_documents(HEADER, html, THREE)
        same_documents(SECTION, html, THREE)
        same_documents(SEMANTIC, html, THREE, elements_to_preserve=["table"], preserve_links=True)
