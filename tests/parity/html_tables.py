"""Tables in HTML as documents have them, well-formed and not."""

from hypothesis import strategies as st

WHITESPACE = ["", "", "", " ", "  ", "\n  ", "\t", "\xa0", "\x1c", "\u2003", "\r\n"]
WORDS = [
    *["a", "Mean", "12.5", "é", "漢字", "😀", "R&D", "AT&amp;T", "&lt;b&gt;", "&nbsp;", "&#8217;s"],
    *["&#x41;", "&copy;", "&unknown;", "&copy", "p < 0.05", "x > y", "'quoted'", '"', "a\xa0b"],
    *["\x1c", "\x0b"],
]
ATTRIBUTES = [
    *[' class="c"', " id=x", " nowrap", " CLASS=Y", ' a = "1"', ' style="text-align: right;"'],
    *[" title='a \"b\" &lt; c'", ' data-a="é&amp;\n\t"'],
]
SPANS = [
    *[' colspan="2"', ' rowspan="2"', " colspan=3", " rowspan='0'", ' COLSPAN="2"', " rowspan"],
    *[f' {name}="{value}"' for name in ("colspan", "rowspan") for value in ("x", "", "-1", "+2")],
    *[' colspan=" 1_0 "', ' rowspan="\u0663"', ' colspan="1__0"', ' colspan="99999999999"'],
    ' rowspan="3" colspan="2"',
]
INLINE = ["b", "i", "em", "span", "sup", "a", "p", "div", "ul", "li", "code", "u", "B", "foo"]
VOID = ["<br>", "<br/>", "<BR />", "<img src=x>", "<hr>", "<!-- a  comment -->", "<!---->"]
BREAKS = [
    *["", "\0", "x", "&", "=", '"', "/", "<", ">", "<!--", "<a href=", "<![CDATA[x]]>", "<?x?>"],
    *[
        "<table>",
        "</table>",
        "<tbody>",
        "</tbody>",
        "<tr>",
        "</tr>",
        "<td>",
        "</td>",
        "<p>",
        "<b>",
        "</b>",
    ],
    *["<style>a<b</style>", "<textarea>", "<form>", "<option>"],
]

spaces = st.sampled_from(WHITESPACE)
words = st.sampled_from(WORDS)
attributes = st.lists(st.sampled_from(ATTRIBUTES), max_size=2, unique=True).map("".join)
spans = st.sampled_from(["", "", *SPANS])


def _element(name: str, given: str, content: str) -> str:
    return f"<{name}{given}>{content}</{name}>"


def _joined(parts: st.SearchStrategy[str], max_size: int) -> st.SearchStrategy[str]:
    """Parts with whitespace, or nothing, between them."""
    pairs = st.lists(st.tuples(spaces, parts), max_size=max_size)
    return st.builds(lambda pairs, end: "".join(a + b for a, b in pairs) + end, pairs, spaces)


contents = st.recursive(
    _joined(words, 4),
    lambda inner: _joined(
        st.one_of(
            words,
            st.sampled_from(VOID),
            st.builds(_element, st.sampled_from(INLINE), attributes, inner),
            st.builds(lambda cell: f"<table><tr><td>{cell}</td></tr></table>", inner),
            st.builds(
                lambda cell: f"<table><thead><tr><th>{cell}</th></tr></thead> x</table>", inner
            ),
        ),
        4,
    ),
    max_leaves=6,
)
names = st.sampled_from(["td", "td", "td", "th", "TD"])
cells = st.one_of(
    st.builds(
        lambda name, span, given, content: _element(name, span + given, content),
        names,
        spans,
        attributes,
        contents,
    ),
    st.builds(lambda span: f"<td{span}/>", spans),
    st.builds(lambda name: f"<{name}> </{name}>", names),
)


def rows(cells: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Rows of such cells."""
    return st.builds(
        lambda given, cells: _element("tr", given, cells), attributes, _joined(cells, 4)
    )


def tables(rows: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Tables of such rows, some in sections."""
    sections = st.builds(
        _element,
        st.sampled_from(["thead", "tbody", "tfoot", "tbody", "THEAD"]),
        attributes,
        _joined(rows, 3),
    )
    stray = st.sampled_from(["stray", "<caption>C</caption>", "<colgroup><col></colgroup>"])
    parts = st.one_of(rows, rows, rows, sections, sections, stray)
    return st.builds(
        lambda given, parts: _element("table", given, parts), attributes, _joined(parts, 5)
    )


@st.composite
def _well_formed(draw: st.DrawFn) -> str:
    return draw(tables(rows(cells)))


@st.composite
def _documents(draw: st.DrawFn) -> str:
    frames = ["{}", "{}", " {}\n", "<div>{}</div>", "<div>a{} b </div>", "x{}", "{}<p>y</p>"]
    return draw(st.sampled_from(frames)).replace("{}", draw(well_formed))


# Tables that need no repair, but for a slip now and then; the same with something around them.
well_formed = _well_formed()
documents = _documents()


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A table with something cut out, doubled or put in."""
    html = draw(documents)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(html)))
        end = draw(st.integers(at, min(len(html), at + 12)))
        what = draw(st.sampled_from(BREAKS))
        html = html[:at] + what + html[draw(st.sampled_from([at, end])) :]
    return html
