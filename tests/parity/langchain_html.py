"""HTML that hypothesis puts together for LangChain's splitters."""

from __future__ import annotations

from hypothesis import strategies as st

STARTS = [
    "<h1>", "<h2>", "<H3 class='a b'>", "<h2 style='font-size: 24px'>", "<p>", "<div>", "<span>",
    "<p style='font-size:21px'>", "<p style='font-size:20px'>", "<b style='font-size:2em'>", "<ul>",
    "<li>", "<table>", "<tr>", "<td>", "<body>", "<html>", "<head>", "<title>", "<pre>",
    "<textarea>", "<a href='u'>", "<a>", "<section>", "<video src='v'>", "<audio src=a>", "<b>",
    "<i>", "<template>", "<ruby><rt>", "<select>", "<option>", "<body class='x'>", "<x-y>",
]  # fmt: skip
VOID = ["<br>", "<br/>", "</br>", "<img src='i.png'>", "<img/>", "<hr>", "<input>", "<p/>", "<h1/>"]
ENDS = ["</h1>", "</h2>", "</h3>", "</p>", "</div>", "</span>", "</ul>", "</li>", "</table>"]
ENDS += ["</a>", "</body>", "</html>", "</b>", "</i>", "</video>", "</section>", "</pre>", "</td>"]
TEXT = [
    "text", " more text ", "\n", "  ", " ", "\t", "One", "Two words.", "a. b", "\xa0", "é", "漢字",
    "&amp;", "&lt", "&nbsp;", "&#65;", "&#x41", "&#128;", "&#0;", "&#xD800;", "&#99999999;", "&#;",
    "&nonsense;", "&notit;", "&eacute", "&", "PRESERVED_0", "PRESERVED_1 ", "PRESERVED_", "12",
    "The Quick, brown fox; and its friends! ", "long word " * 9,
]  # fmt: skip
OTHER = [
    "<!-- a comment -->", "<!---->", "<!DOCTYPE html>", "<![CDATA[data]]>", "<?php echo ?>", "<",
    "<script>if (a < b) { f('<p>') }</script>", "<style>p { color: red }</style>", "</", "<!x>",
    "<!-- open", "<script>never closed", "<p", '<a href="', "<!doctype", "<?",
]  # fmt: skip
PIECES = [*STARTS, *STARTS, *ENDS, *ENDS, *VOID, *TEXT, *TEXT, *OTHER]
LOOSE = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    names = st.sampled_from(["h1", "h2", "h3", "p", "div", "ul", "li", "table", "a", "span", "pre"])
    return st.tuples(names, st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    )


NESTED = st.recursive(st.sampled_from([*TEXT, *VOID, OTHER[0]]), _element, max_leaves=30)
PAGES = st.lists(NESTED, max_size=6).map(
    lambda parts: f"<html><body>{''.join(parts)}</body></html>"
)
HTML = st.one_of(LOOSE, NESTED, PAGES)
