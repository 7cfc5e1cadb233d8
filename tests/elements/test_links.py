"""Links of Markdown and HTML: their places, targets, and the elements that they stand in."""

from __future__ import annotations

import pickle
from itertools import pairwise

import bs4
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw

Found = list[tuple[str, str, bool]]


def links_of(document: cw.Document) -> Found:
    """Return what each link says, its target, and whether it is an image."""
    assert document.elements is not None
    links = document.elements.links
    return [(document.text[one.start : one.end], one.target, one.is_image) for one in links]


def by_element(document: cw.Document) -> dict[str, list[str]]:
    elements = document.elements or ()
    return {one.text: [link.target for link in one.links] for one in elements if one.links}


def test_links_of_markdown() -> None:
    text = (
        "# [Rain](r.html 'T')\n\n- é\U0001f680 [a *b*][c] and [c]\n  - <m@n.o> `[no](no)`\n\n"
        "> [![map](m.png)](m.html)\n\n| [x](y) |\n|---|\n| <http://u.v> |\n\n[c]: <c d>\n"
    )
    document = cw.read_markdown(text)
    assert links_of(document) == [
        ("[Rain](r.html 'T')", "r.html", False),
        ("[a *b*][c]", "c d", False),
        ("[c]", "c d", False),
        ("<m@n.o>", "mailto:m@n.o", False),
        ("[![map](m.png)](m.html)", "m.html", False),
        ("![map](m.png)", "m.png", True),
        ("[x](y)", "y", False),
        ("<http://u.v>", "http://u.v", False),
    ]
    assert list(by_element(document).values()) == [
        ["r.html"],
        ["c d", "c d"],
        ["mailto:m@n.o"],
        ["m.html", "m.png"],
        ["y", "http://u.v"],
    ]
    assert document.elements is not None
    again = pickle.loads(pickle.dumps(document.elements))
    assert list(again.links) == list(document.elements.links)


def test_links_of_pages() -> None:
    page = (
        "<h1>é\U0001f680 <a href='r.html'>Rain</a></h1><ul><li><a href='a?b&amp;c'> in <b>May</b> "
        "</a>, <a name=x>no</a> <a href=d><a href=e>e</a></ul><a href=f><p>g<p>h</a><p>i"
        "<img alt='A map' src=m.png><table><td><a href=j>k</a></table><span hidden><a href=l>no</a>"
        "</span><a href=o hidden>no</a>p<pre>\n <a href=q>r\n</a></pre><a href=s>t"
    )
    document = cw.read_html(page)
    assert links_of(document) == [
        ("Rain", "r.html", False),
        ("in May", "a?b&c", False),
        ("e", "e", False),
        ("g\n\nh", "f", False),
        ("A map", "m.png", True),
        ("k", "j", False),
        ("r", "q", False),
        ("t", "s", False),
    ]
    assert by_element(document) == {
        "é\U0001f680 Rain": ["r.html"],
        "in May , no e": ["a?b&c", "e"],
        "g": ["f"],
        "h": ["f"],
        "i A map": ["m.png"],
        "k": ["j"],
        " r": ["q"],
        "t": ["s"],
    }
    assert document.elements is not None
    again = pickle.loads(pickle.dumps(document.elements))
    assert list(again.links) == list(document.elements.links)


def test_what_is_dropped_has_no_links() -> None:
    page = "<nav><a href=a>a</a></nav><a href=b>b</a>"
    assert links_of(cw.read_html(page, drop=["nav"])) == [("b", "b", False)]
    assert len(links_of(cw.read_html(page))) == 2


def test_other_documents_have_none() -> None:
    table = cw.read_csv("a,b\n<http://u.v>,[x](y)\n")
    assert table.elements is not None
    assert (list(table.elements.links), table.elements[0].links) == ([], ())
    elements = cw.read_elements([{"type": "Text", "text": "[x](y)"}]).elements
    assert elements is not None
    assert elements[0].links == ()
    placed = cw.elements_at("[x](y)", [{"kind": "paragraph", "start": 0, "end": 6}])
    assert placed[0].links == ()


def test_surrogates_do_not_move_links() -> None:
    document = cw.read_markdown("\ud83d\ude00 \ud800 [a](b)")
    assert links_of(document) == [("[a](b)", "b", False)]
    document = cw.read_html("\ud83d\ude00 \ud800 <a href=b>a</a>")
    assert links_of(document) == [("a", "b", False)]


TAGS = "<a href=u> </a> <p> </p> <li> <td> <table> </table> <a> <pre> <b\thidden> </b> <br>"
PIECES = st.sampled_from(
    [*TAGS.split(" "), "<img src=s alt='i j'>", "a", "é ", "\U0001f680", "\n", " "]
)


@given(page=st.lists(PIECES, max_size=16).map("".join))
def test_links_stand_in_their_elements(page: str) -> None:
    document = cw.read_html(page)
    elements = document.elements
    assert elements is not None
    assert all(one.start <= after.start for one, after in pairwise(elements.links))
    for said, _, _ in links_of(document):
        assert said
        assert said == said.strip()
    for element in elements:
        assert list(element.links) == [
            link for link in elements.links if link.start < element.end and element.start < link.end
        ]


@given(words=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["p", "li", "h2", "i"]))))
def test_links_are_those_of_an_independent_parser(words: list[tuple[str, str]]) -> None:
    page = "".join(
        f"<{tag}>x <a href='/{word}?i={i}&amp;j'>{word} <b>{i}</b></a> y</{tag}>"
        for i, (word, tag) in enumerate(words)
    )
    anchors = bs4.BeautifulSoup(page, "html5lib").find_all("a")
    expected = [(" ".join(one.get_text().split()), one["href"], False) for one in anchors]
    assert links_of(cw.read_html(page)) == expected


N = 100_000


@pytest.mark.parametrize(
    "page",
    [
        "<a href=u>" * N + "x",
        "<a href=u>x" * N,
        "<a href=u>" + "<p>x" * N,
        "<pre>" + " " * N + "<a href=u> </a>" * N + "x",
        "<a href=u>" + "<img src=s alt=i><p>" * N,
    ],
    ids=["open", "many", "one", "blank", "images"],
)
@pytest.mark.cpu_seconds(30)
def test_hostile_pages_have_links(page: str) -> None:
    elements = cw.read_html(page).elements
    assert elements is not None
    n_of_elements = sum(len(element.links) for element in elements)
    assert len(elements.links) <= n_of_elements <= len(elements) + len(elements.links)
    assert all(elements.text[link.start : link.end].strip() for link in elements.links)


@pytest.mark.parametrize(
    "text",
    [
        "[" * N + "a](b)",
        "[a](b)" * N,
        "![" * N + "a" + "](b)" * N,
        "[a]: b\n" * N + "\n" + "[a] " * N,
        "".join(f"[a{i}]: b{i}\n" for i in range(N))
        + "\n"
        + "".join(f"[a{i}]\n" for i in range(N)),
        f"[a]: {'u' * N}\n\n" + "[a] " * N,
        "<http://a>" * N,
    ],
    ids=["brackets", "links", "nested", "one name", "names", "long target", "addresses"],
)
@pytest.mark.cpu_seconds(30)
def test_hostile_markdown_has_links(text: str) -> None:
    elements = cw.read_markdown(text).elements
    assert elements is not None
    assert sum(len(element.links) for element in elements) == len(elements.links)
    assert sum(len(link.target) for link in elements.links) < 2 * len(text)
