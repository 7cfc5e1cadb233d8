"""HTML pages as documents: texts, elements, places, encodings, and hostile pages."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ELEMENT_STRATEGIES, STRATEGIES
from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.html import read_html
from tests import laws
from tests.chunking.test_laws import OVER_SECTIONS, SECTIONS, make
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA

BLOCKS = ["p", "div", "section", "h1", "h3", "ul", "li", "ol", "blockquote", "dl", "dt", "dd"]
FLOW = ["b", "i", "span", "a", "code", "x-own"]
UNSEEN = ["script", "style", "template", "noscript"]
HIDDEN = ["hidden", "aria-hidden='true'", "style='color: red; display:none'"]
WORDS = st.text("abcé漢\U0001f680", min_size=1, max_size=4)
SPACES = st.sampled_from([" ", "\n", "\t ", "&nbsp;", ""])


def elements_of(page: str, **options: Any) -> list[tuple[str, int | None, str]]:
    """Return kinds, levels and texts, lists left out."""
    elements = read_html(page, **options).elements
    assert elements is not None
    return [(one.kind, one.level, one.text) for one in elements if one.kind != "list"]


def texts_of(page: str, **options: Any) -> list[str]:
    return [text for _, _, text in elements_of(page, **options)]


# ---------------------------------------------------------------------- what a page says


def test_blocks_are_elements() -> None:
    page = """<!DOCTYPE html><html><head><title> The
        log &amp; more</title><style>p {}</style></head><body>
        <h1>Rain <small>in   May</small></h1>first<p>It <b>rai</b>ned.<br>Twice.
        <blockquote><p>A quote</p></blockquote>
        <figure><img src=x alt="A cloud"><figcaption>Fig. 1</figcaption></figure>
        <math><mi>x</mi><mo>=</mo><mn>2</mn></math><hr>
        <p>Inline <img alt="icon">, <math><mi>y</mi></math> too</p></body>"""
    assert elements_of(page) == [
        ("heading", 1, "Rain in May"),
        ("paragraph", None, "first"),
        ("paragraph", None, "It rained.\nTwice."),
        ("quote", 1, "A quote"),
        ("figure", None, "A cloud"),
        ("caption", None, "Fig. 1"),
        ("formula", None, "x=2"),
        ("paragraph", None, "Inline icon , y too"),
    ]
    document = read_html(page)
    assert document.text == "\n\n".join(texts_of(page))
    assert document.name == "The log & more"
    assert read_html(page, name="log.html").name == "log.html"
    assert document.elements is not None
    caption = document.elements[5]
    assert caption.parent is not None
    assert caption.parent.text == "A cloud"
    assert caption.headings == ("Rain in May",)


def test_lists_nest() -> None:
    page = "<ul><li>a<ol><li>b<p>c</p><pre>d</pre></li></ol><li><p>e</p></ul><dl><dt>f<dd>g</dl>"
    elements = read_html(page).elements
    assert elements is not None
    found = [(e.kind, e.level, e.text, e.parent and e.parent.index) for e in elements]
    assert found == [
        ("list", 1, "", None),
        ("list item", 1, "a", 0),
        ("list", 2, "", 1),
        ("list item", 2, "b", 2),
        ("paragraph", None, "c", 3),
        ("code", None, "d", 3),
        ("list item", 1, "e", 0),
        ("list", 1, "", None),
        ("list item", 1, "f", 7),
        ("list item", 1, "g", 7),
    ]


def test_headings_in_items_stand_above_what_follows() -> None:
    page = "<h1>A</h1><ul><li><h2>B</h2>b</li><li><h2>C</h2>c</li></ul>"
    elements = read_html(page).elements
    assert elements is not None
    paths = {one.text: one.headings for one in elements if one.kind == "list item"}
    assert paths == {"b": ("A", "B"), "c": ("A", "C")}


def test_code_keeps_its_whitespace() -> None:
    page = "<p> a  b</p><pre>\n\n  if x:\n\tgo<br>  <b>on</b> &lt;\n</pre><pre> \n </pre>c"
    assert elements_of(page) == [
        ("paragraph", None, "a b"),
        ("code", None, "\n  if x:\n\tgo\n  on <"),
        ("paragraph", None, "c"),
    ]


def test_code_has_the_language_that_is_stated() -> None:
    page = """<pre><code class="hljs language-python">a</code></pre><pre class="lang-c++">b</pre>
        <div class="highlight highlight-source-shell"><pre>c</pre></div><pre>d</pre>
        <ul><li><pre class="brush: js; toolbar: false">e</pre></ul><p><code class=lang-x>f</code>"""
    elements = read_html(page).elements
    assert elements is not None
    assert [(one.text, one.language) for one in elements if one.text] == [
        ("a", "python"),
        ("b", "c++"),
        ("c", "shell"),
        ("d", None),
        ("e", "js"),
        ("f", None),
    ]


def test_character_data_are_text_in_drawings_alone() -> None:
    assert texts_of("<svg><text><![CDATA[a <b> &lt;]]></text></svg><p><![CDATA[no]]>c") == [
        "a <b> &lt;",
        "c",
    ]


def test_line_breaks_are_at_most_a_blank_line() -> None:
    assert texts_of("a<br>b <br> c<br><br><br>d<br>") == ["a\nb\nc\n\nd"]
    assert texts_of("<br><p><br>a</br>b") == ["a\nb"]


def test_what_is_not_shown_is_left_out() -> None:
    unseen = "".join(f"<{tag}>no</{tag}>" for tag in UNSEEN)
    hidden = "".join(f"<span {how}>no<span>no</span>no</span>" for how in HIDDEN)
    blocks = "".join(f"<div {how}>no<p>no</div>" for how in HIDDEN)
    said = "a" * 20
    assert texts_of(f"{said}{unseen}b{hidden}c{blocks}d<!-- no -->e") == [f"{said}bc", "de"]
    assert texts_of("a<p hidden>no<p>b<li hidden>no<li>c") == ["a", "b", "c"]
    assert texts_of("<p hidden=until-found>a<p aria-hidden=false>b") == ["a", "b"]
    assert texts_of("<img alt=no hidden><svg aria-hidden=true><text>no</text></svg>a") == ["a"]
    assert texts_of("<svg><title>no</title><style/><text>a</text></svg>b<title>no</title>") == [
        "ab"
    ]
    assert texts_of("<SCRIPT>no</p></scripts ></Script >a<script>no") == ["a"]


def test_parts_of_a_page_can_be_dropped() -> None:
    page = """<header>a</header><nav>b</nav><div role=navigation>c</div><main>
        <header>d</header><p>e</p><aside>f<footer>g</footer></aside></main><footer>h</footer>"""
    assert texts_of(page) == list("abcdefgh")
    assert texts_of(page, drop=["nav"]) == list("adefgh")
    assert texts_of(page, drop=["header", "footer"]) == list("bcdefg")
    assert texts_of(page, drop=("aside", "nav", "header", "footer")) == list("de")
    with pytest.raises(ConfigError, match=r"unknown part 'navs' to drop; did you mean 'nav'\?"):
        read_html(page, drop=["navs"])
    with pytest.raises(ConfigError, match="drop must be a sequence"):
        read_html(page, drop="nav")


def test_tables_have_cells() -> None:
    page = """a<table class=x><caption>Cap</caption><thead><tr><th>N<th>M</thead>
        <tr><td>1 <td colspan=2><p>x</p><table><tr><td>y<td>z</table> &lt;<br>w</tr>stray
        <tr hidden><td>no</table>b"""
    document = read_html(page)
    assert elements_of(page) == [
        ("paragraph", None, "a"),
        ("caption", None, "Cap"),
        ("table", None, "N M\n1 x y z < w\nstray"),
        ("paragraph", None, "b"),
    ]
    assert document.elements is not None
    html = document.elements[2].html
    assert html == page[1:-1]
    assert document.elements[0].html is None
    (chunk,) = cw.chunk(document, "basic", max_chars=200, isolate_tables=True)[1:2]
    assert chunk.html == (
        "<table><tr><td>N</td><td>M</td></tr>"
        '<tr><td>1</td><td colspan="2">x y z &lt; w</td></tr><tr><td>stray</td></tr></table>'
    )


def test_tables_are_split_by_rows() -> None:
    rows = "".join(f"<tr><td>{i}<td>value of {i}" for i in range(60))
    document = read_html(f"<table><tr><th>N<th>Value{rows}</table>")
    chunks = cw.chunk(document, "basic", max_chars=200)
    assert len(chunks) > 3
    for chunk in chunks[1:]:
        assert [piece.role for piece in chunk.pieces] == ["header", "body"]
        assert chunk.text.startswith("N Value\n")
        # Only whole rows.
        assert all(line.count("value of") == 1 for line in chunk.text.split("\n")[1:])
        assert chunk.html is not None
    laws.hold(document.text, chunks, {"max_chars": 200, "overlap": 0})


def test_layouts_are_no_tables() -> None:
    page = "<table role=presentation><tr><td><h1>a</h1><td>b<table><tr><td>c<td>d</table></table>e"
    kinds = [kind for kind, _, _ in elements_of(page)]
    assert (kinds, texts_of(page)) == (
        ["heading", "paragraph", "table", "paragraph"],
        ["a", "b", "c d", "e"],
    )


def test_what_is_left_open_is_closed() -> None:
    assert texts_of("<p>a<p>b<div>c<h1>d<h2>e<p>f<ul><li>g<li>h</div>i") == list("abcdefghi")
    assert texts_of("<h1>a<div>b</div>c</h1>d") == ["a b c", "d"]
    assert texts_of("a</div>b</p>c</h1>d") == ["ab", "cd"]
    assert texts_of("<table><tr><td><ul><li>a</table>b</ul>c") == ["a", "bc"]
    assert texts_of("<div><table><td>a</div>b</table>c") == ["ab", "c"]


def test_characters() -> None:
    page = "&eacute;&#x1F680;&notit;&amp;lt;&#0;&#xD800;&#150; a\u00a0b a < b \x00c&"
    assert texts_of(page) == ["é\U0001f680\u00acit;&lt;\ufffd\ufffd\u2013 a b a < b c&"]
    surrogates = "<p>\ud83d\ude80\ud800</p><p>x</p>"
    document = read_html(surrogates)
    assert document.text == "\U0001f680\ufffd\n\nx"
    assert document.elements is not None
    assert surrogates[slice(*document.elements[1].place)] == "<p>x</p>"


# ---------------------------------------------------------------------- bytes


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<p>é漢".encode(), "é漢"),
        ("<p>é漢".encode("utf-8-sig"), "é漢"),
        ("<p>é漢".encode("utf-16"), "é漢"),
        (b"\xfe\xff" + "<p>é漢".encode("utf-16-be"), "é漢"),
        ("<meta charset=windows-1252><p>é€".encode("cp1252"), "é€"),
        ("<meta charset=ISO-8859-1><p>é€".encode("cp1252"), "é€"),
        ("<meta http-equiv=x content='text/html; charset=shift_jis'>漢".encode("cp932"), "漢"),
        ("<!-- <meta charset=koi8-r> --><meta charset='utf-8'>é".encode(), "é"),
        ("<meta charset=utf-16>é".encode(), "é"),
        ("<meta charset=none-such>é".encode(), "é"),
        ("<meta charset=rot13>é".encode(), "é"),
    ],
)
def test_bytes_say_their_encoding(data: bytes, text: str) -> None:
    assert read_html(data).text == text


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(ReadError, match=r"bad\.html: not valid utf-8 at byte 3 \(0xff"):
        read_html(b"<p>\xff", name="bad.html", encoding="utf-8", errors="strict")
    assert read_html(b"<p>\xff", encoding="utf-8").text == "\ufffd"
    assert read_html(b"<p>\xff", encoding="latin-1").text == "ÿ"
    with pytest.raises(ConfigError, match="unknown encoding"):
        read_html(b"", encoding="utf-99")
    with pytest.raises(ConfigError, match="source must be a str, bytes or the path of a file"):
        read_html(1)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="name must be"):
        read_html("", name=1)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- any page


@st.composite
def content(draw: st.DrawFn, depth: int = 3) -> str:
    """Make HTML in which each element is closed."""
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        what = draw(st.sampled_from(["word", "word", "block", "flow", "unseen", "hidden", "break"]))
        inner = draw(content(depth=depth - 1)) if depth else draw(WORDS)
        match what:
            case "word":
                parts.append(draw(SPACES) + draw(WORDS) + draw(SPACES))
            case "block":
                tag = draw(st.sampled_from([*BLOCKS, "table"]))
                cells = f"<tr><td>{inner}</td><th>x</th></tr>"
                parts.append(f"<{tag}>{cells if tag == 'table' else inner}</{tag}>")
            case "flow":
                tag = draw(st.sampled_from(FLOW))
                parts.append(f"<{tag}>{draw(WORDS)}</{tag}>")
            case "unseen":
                tag = draw(st.sampled_from(UNSEEN))
                parts.append(f"<{tag}>{draw(WORDS)}</{tag}>")
            case "hidden":
                how = draw(st.sampled_from(HIDDEN))
                parts.append(f"<div {how}>{draw(WORDS)}<p>{draw(WORDS)}</p></div>")
            case _:
                parts.append(draw(st.sampled_from(["<br>", "<hr>", "<!-- c -->", "<!---->"])))
    return "".join(parts)


SOUP = st.lists(
    st.one_of(
        WORDS,
        st.sampled_from(BLOCKS + FLOW).map(lambda tag: f"<{tag}>"),
        st.sampled_from(BLOCKS + FLOW).map(lambda tag: f"</{tag}>"),
        st.sampled_from([" ", "<br>", "</p>", "< ", "<!-- <p> -->", "<!x>", "</ >", "<p a='>'/>"]),
        st.sampled_from(["<p", "<a =b c", "<pre>", "</pre>", "&lt", "<hr/>", "<?x?>"]),
    ),
    max_size=14,
).map("".join)
TABLE_TAGS = ["table", "tr", "td", "th", "thead", "caption", "p", "ul", "li", "div", "h1"]
TABLES = st.lists(
    st.one_of(
        st.sampled_from(TABLE_TAGS).map(lambda tag: f"<{tag}>"),
        st.sampled_from(TABLE_TAGS).map(lambda tag: f"</{tag}>"),
        st.sampled_from(["a", "b", " ", "<table role=none>", "<tr hidden>", "<pre>", "</pre>"]),
    ),
    max_size=16,
).map("".join)


def shown(page: str) -> str:
    """Return the letters that a browser shows, by the tree that html5lib makes."""
    bs4 = pytest.importorskip("bs4")
    pytest.importorskip("html5lib")
    tree = bs4.BeautifulSoup(page, "html5lib")
    for image in tree.find_all("img"):
        image.replace_with(image.get("alt", ""))
    found = tree.find_all([*UNSEEN, "title"]) + tree.find_all(hidden=True)
    found += [
        one for one in tree.find_all(style=True) if "display:none" in one["style"].replace(" ", "")
    ]
    veiled = tree.find_all(attrs={"aria-hidden": "true"})
    of_body = [one for one in veiled if one.parent is tree.body]
    for one in [*found, *(one for one in veiled if one.parent is not tree.body)]:
        one.extract()
    whole, hidden = letters(tree), sum(len(letters(one)) for one in of_body)
    if hidden * 2 <= len(whole):
        for one in of_body:
            one.extract()
    return letters(tree)


def letters(tree: Any) -> str:
    """Return the text of a tree without whitespace."""
    bs4 = pytest.importorskip("bs4")
    types = (bs4.NavigableString, bs4.CData)
    return "".join("".join(tree._all_strings(types=types)).split())


@given(page=content())
@example(page="<p>a</p>\n<div hidden>b</div><table><tr><td>c</td><th>x</th></tr></table>")
def test_every_word_is_read_once_and_in_order(page: str) -> None:
    page = f"<!DOCTYPE html><html><head></head><body>{page}</body></html>"
    assert "".join(read_html(page).text.split()) == shown(page)


@given(page=SOUP)
@example(page="<p a='>'/>b")
@example(page="<h1>a<p>b</h1>c</p>d")
def test_every_word_of_soup_is_read_once_and_in_order(page: str) -> None:
    page = f"<!DOCTYPE html><body>{page}"
    assert "".join(read_html(page).text.split()) == shown(page)


@given(page=st.one_of(content(), SOUP, TABLES))
@example(page="<ul><li><table><tr><td>a</table><pre>b</pre>c")
def test_elements_stand_in_the_text_and_in_the_source(page: str) -> None:
    document = read_html(page)
    elements = document.elements
    assert elements is not None
    at = 0
    for one in elements:
        assert at <= one.start <= one.end
        between = document.text[at : one.start]
        assert between in ("\n\n", "")
        assert one.text == one.text.strip() or one.kind == "code"
        at = max(at, one.end)
        assert one.parent is None or one.parent.index < one.index
        start, end = one.place
        assert 0 <= start <= end <= len(page)
    assert at == len(document.text)
    assert document == pickle.loads(pickle.dumps(document)) == read_html(page)
    # One without tags of its own begins where the one before ends.
    starts = [one.place for one in elements if one.kind not in ("list", "table", "caption")]
    assert starts == sorted(starts)


@given(page=content())
@example(page="<div><p>a</p>b<!-- c -->d</div><li>e<ul><li>f</li></ul></li>")
def test_a_place_is_the_source_of_its_element(page: str) -> None:
    elements = read_html(page).elements
    assert elements is not None
    for one in elements:
        if one.kind != "list":
            alone = read_html(page[slice(*one.place)])
            assert alone.text.split() == one.text.split()


@pytest.mark.parametrize("strategy", sorted({*STRATEGIES, *ELEMENT_STRATEGIES} - {*OVER_SECTIONS}))
@given(page=st.one_of(content(), SOUP, TABLES), options=laws.element_options())
def test_laws_hold_for_pages(strategy: str, page: str, options: dict[str, Any]) -> None:
    document = read_html(page, name="page.html")
    chunks = make(strategy, options)(document)
    laws.hold(document.text, chunks, options)
    if strategy == "auto":
        laws.hold_for_sections(chunks, SECTIONS)
    elif strategy in ELEMENT_STRATEGIES:
        laws.hold_for_elements(chunks)


@pytest.mark.parametrize("strategy", OVER_SECTIONS)
@given(page=st.one_of(content(), SOUP, TABLES), options=laws.section_options())
def test_laws_hold_for_sections_of_pages(strategy: str, page: str, options: dict[str, Any]) -> None:
    document = read_html(page, name="page.html")
    chunks = make(strategy, options)(document)
    laws.hold(document.text, chunks, options)
    laws.hold_for_sections(chunks, options)


# ---------------------------------------------------------------------- hostile pages

N = 200_000
# Each with how often it says "x".
HOSTILE: dict[str, Callable[[], tuple[str, int]]] = {
    "open": lambda: ("<div>" * 5 * N + "x", 1),
    "open within lines": lambda: ("<b>" * 5 * N + "x", 1),
    "lists": lambda: ("<ul><li>x" * N, N),
    "closed lists": lambda: ("<ul><li>x" * N + "</li></ul>y" * N, N),
    "quotes in quotes": lambda: ("<blockquote>x" * N, N),
    "unmatched": lambda: ("<div>" * N + "</span></section></p>" * N + "x", 1),
    "headings": lambda: ("".join(f"<h{1 + i % 6}>x" for i in range(N)), N),
    "cells": lambda: ("<table>" + "<td>x" * N, N),
    "rows": lambda: ("<table>" + "<tr><td>x" * N, N),
    "wide cells": lambda: ("<table>" + "<tr><td colspan=1000 rowspan=65534>x" * 5000, 5000),
    "tables": lambda: ("<table><tr><td>x" * N, N),
    "comments": lambda: ("<!--x--!>" * N + "x", 1),
    "hidden": lambda: ("<b hidden>" * N + "</b>" * N + "x", 1),
    "attributes": lambda: ("<p" + " a=b c" * N + ">x", 1),
    "quotes": lambda: ("x" + "<a x='" * N, 1),
    "references": lambda: ("&" * N + "&#" * N + "&n" * N + "x", 1),
    "pre": lambda: ("<pre>x" * N, N),
    "languages": lambda: ("<div class=language-a>" * N + "<pre>x", 1),
    "raw": lambda: ("x" + "<script>" * N, 1),
    "drawings": lambda: ("<svg>" * N + "<![CDATA[x]]>" * N, N),
    "character data": lambda: ("<svg>x" + "<![CDATA[" * N, 1),
    "odd characters": lambda: ("<p>\0x\ud800\r\n" * N, N),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.cpu_seconds(60)
def test_hostile_pages_are_read_whole(name: str) -> None:
    page, n_words = HOSTILE[name]()
    document = read_html(page)
    assert document.text.count("x") == n_words
    chunks = cw.chunk(document, "by_title", max_tokens=128, repeat_headers=False)
    # What is repeated of a row that is cut between its cells is no text of its own.
    own = (document.text[chunk.start : chunk.end] for chunk in chunks)
    assert sum(text.count("x") for text in own) == n_words


def test_nested_headings_by_the_megabyte() -> None:
    page = "".join(f"<section><h{1 + i % 6}>Heading {i}</h{1 + i % 6}>" for i in range(450_000))
    assert len(page) > 14_000_000
    document = read_html(page)
    assert document.elements is not None
    assert set(document.elements.kinds) == {"heading"}
    assert document.text.split()[1::2] == [str(i) for i in range(450_000)]


hostile = load()
CASES = [] if hostile is None else list(hostile.cases(kind="html"))


@pytest.mark.shared
@pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA)
@pytest.mark.cpu_seconds(120)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_hostile_cases(case: Any) -> None:
    document = read_html(case.make(1.0 if "table" not in case.tags else 0.2))
    assert "var x" not in document.text
    assert "root:" not in document.text
    for strategy in ("by_title", "recursive"):
        chunks = cw.chunk(document, strategy, max_tokens=128)
        laws.bodies_cover_the_text(document.text, chunks)
        laws.limits_hold(chunks, {"max_tokens": 128, "tokenizer": "cl100k_base"})


def test_signs_beside_headings_are_none_of_them() -> None:
    document = read_html(
        '<h1>Rain<a class="headerlink" href="#rain">\u00b6</a></h1><p>It rained.</p>'
        '<h2>Log<span class="mw-editsection">[<a href="?edit">edit</a>]</span></h2><p>Wet.</p>'
    )
    assert document.elements[-1].headings == ("Rain", "Log")


def test_lists_of_tasks_say_what_is_done() -> None:
    page = "<ul><li><input type=checkbox checked> dig<li><input type=checkbox> plant</ul>"
    assert texts_of(page) == ["\u2612 dig", "\u2610 plant"]


def test_headings_in_a_layout_are_above_what_follows() -> None:
    page = (
        "<!doctype html><table><tr><td><h2>Rain</h2><p>It rained.</p><ul><li>a<li>b</ul></td>"
        "<td><h2>Sun</h2><pre>x  y</pre></td></tr></table>"
    )
    assert elements_of(page) == [
        ("heading", 2, "Rain"),
        ("paragraph", None, "It rained."),
        ("list item", 1, "a"),
        ("list item", 1, "b"),
        ("heading", 2, "Sun"),
        ("code", None, "x  y"),
    ]
    document = read_html(page)
    assert document.elements[-1].headings == ("Sun",)
    start, end = document.elements[-1].place
    assert page[start:end] == "<pre>x  y</pre>"
