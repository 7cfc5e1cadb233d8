"""Markdown as markdown-it-py reads it: the same blocks on the same lines, links, and words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import bs4
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll

import chunkwright as cw
from tests.support.markdown_texts import PARTS, files, mutations, specification

if TYPE_CHECKING:
    from markdown_it.token import Token

pytestmark = pytest.mark.differential

# What the peer has no rule for, or reads another way on purpose: footnotes, formulas, attributes
# of headings, front matter; characters that are no text of Markdown.
OTHER = re.compile(
    r"\[\^|\$|\{|\A\ufeff?(---|\+\+\+)|[\x00\r\ud800-\udfff\ufeff\t\f\v\x1c-\x1f\x85]"
)
PLAIN = [part for part in PARTS if not OTHER.search(part)]
MARKDOWN = st.lists(st.sampled_from(PLAIN), max_size=30).map("".join)
CONTAINERS = {"blockquote_open": 1, "list_item_open": 1, "blockquote_close": -1}
CONTAINERS["list_item_close"] = -1


def _peer() -> MarkdownIt:
    peer = MarkdownIt("commonmark").enable("table")
    # Targets stay as they are stated.
    peer.normalizeLink = lambda url: url  # type: ignore[method-assign]
    peer.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
    return peer


PEER = _peer()


def blocks_of_peer(text: str) -> list[tuple[Any, ...]]:
    """List the headings outside containers, and all code, by their first lines."""
    found: list[tuple[Any, ...]] = []
    depth = 0
    for token in PEER.parse(text):
        depth += CONTAINERS.get(token.type, 0)
        if token.map is None:
            continue
        line = token.map[0] + 1
        if token.type == "heading_open" and depth == 0:
            found.append(("heading", int(token.tag[1]), line))
        elif token.type == "fence":
            words = unescapeAll(token.info).replace(",", " ").split()
            found.append(("code", words[0] if words else None, line))
        elif token.type == "code_block":
            found.append(("code", None, line))
    return found


def blocks_of_ours(document: cw.Document) -> list[tuple[Any, ...]]:
    elements = document.elements or ()
    found: list[tuple[Any, ...]] = []
    for element in elements:
        if element.kind == "heading":
            found.append(("heading", element.level, element.lines[0]))
        elif element.kind == "code":
            found.append(("code", element.language, element.lines[0]))
    return found


def links_of_peer(text: str) -> list[tuple[str, bool]]:
    def walk(tokens: Sequence[Token]) -> Iterator[tuple[str, bool]]:
        for token in tokens:
            if token.type == "link_open":
                yield str(token.attrs["href"]), False
            elif token.type == "image":
                yield str(token.attrs["src"]), True
            yield from walk(token.children or ())

    return list(walk(PEER.parse(text)))


def links_of_ours(document: cw.Document) -> list[tuple[str, bool]]:
    links = document.elements.links if document.elements else ()
    return [(link.target, link.is_image) for link in links]


def letters(text: str) -> str:
    return "".join(re.findall(r"[^\W_]", text))


def words_are_there(text: str, chunks: cw.Chunks) -> None:
    """Assert that what the peer shows of a text stands in its chunks, in order."""
    shown = letters(bs4.BeautifulSoup(PEER.render(text), "html5lib").get_text())
    said = iter(letters("".join(chunks.texts())))
    assert all(letter in said for letter in shown)


@pytest.fixture(scope="module")
def examples() -> list[str]:
    """Return the examples of the specification that both read by the same rules."""
    found = specification()
    if not found:
        pytest.skip("the sources of pulldown-cmark are not at hand")
    common = [example for example in found if not OTHER.search(example)]
    assert len(common) > 900
    return common


def test_the_specification_has_the_same_blocks(examples: list[str]) -> None:
    # The parsers differ on what is indented right behind a definition that begins a text.
    # Here a table in HTML is a table to its end, though blank lines stand in it.
    differing = {
        example
        for example in examples
        if blocks_of_ours(cw.read_markdown(example)) != blocks_of_peer(example)
    }
    assert all(re.match(r"\[linkme(-3)?\]:|<table>\n\n", example) for example in differing)
    assert len(differing) == 4


def test_the_specification_has_the_same_links(examples: list[str]) -> None:
    n_links = 0
    for example in examples:
        links = links_of_ours(cw.read_markdown(example))
        assert links == links_of_peer(example)
        n_links += len(links)
    assert n_links > 200


@pytest.mark.slow
def test_words_that_are_shown_are_in_the_chunks(examples: list[str]) -> None:
    # Names of characters say a letter, and are none.
    for example in [one for one in examples if "&" not in one] + files():
        document = cw.read_markdown(example)
        for strategy in ("basic", "by_title"):
            words_are_there(example, cw.chunk(document, strategy, max_tokens=40))


def test_files_have_the_same_blocks_and_links() -> None:
    for text in files():
        if not OTHER.search(text):
            document = cw.read_markdown(text)
            assert blocks_of_ours(document) == blocks_of_peer(text)
            assert links_of_ours(document) == links_of_peer(text)
            assert not re.search(r"^#", text, re.MULTILINE) or blocks_of_ours(document)


@pytest.mark.parametrize("seed", range(3))
def test_changed_files_have_the_same_links(seed: int) -> None:
    for text in files():
        for changed in mutations(text[:10_000], 2, seed):
            if not OTHER.search(changed):
                assert links_of_ours(cw.read_markdown(changed)) == links_of_peer(changed)


@given(text=MARKDOWN)
def test_any_markdown_has_the_same_links(text: str) -> None:
    # What is indented right behind a definition is code to the peer: see the specification's above.
    assume(not re.search(r"^ {0,3}\[[^\]\n]+\]:.*\n( {4}|\t)", text, re.MULTILINE))
    assert links_of_ours(cw.read_markdown(text)) == links_of_peer(text)
