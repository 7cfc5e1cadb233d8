"""Places of quotes letter for letter, and how altered ones differ."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.citing.alignment import aligned, quoted_in
from chunkwright.store.citing.quotes import Cut, cut_at, places_of
from chunkwright.store.citing.tokens import tokens_of
from chunkwright.store.negations import negations_in
from tests.support.mostly_slow import mostly_slow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NO_CHANGE = ("", "", "")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[cw.Store]:
    """Return an empty store."""
    with cw.Store.open(tmp_path / "kb.db") as opened:
        yield opened


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("he", "The heir and he", [13]),
        ("fee of 10", "a fee of 100, a fee of 10.5 and a fee of 10, due", [34]),
        ("legal", "illegal, legal", [9]),
        ("10", "5-10, 10-30, 10% and 10 km", [21]),
        ("can", "can't can", [6]),
        ("5 degrees", "-5 degrees, 5 degrees", [12]),
        ("漢", "漢字", [0]),
        ("12", "漢12字 123", [1]),
        ("e", "e\u0301 e", [3]),
        ("two words", "two\n\twords", [0]),
        ("a a", "a a a", [0]),
        ("10", "10 000, 10\u202f000, 1 10, 10 0000, 2010 100 and 10\n000", [18, 22, 44]),
        ("000", "10 000 or 000", [10]),
        ("5", "10^5, 5^2, #5, .5, \u22655, 5<sup>2</sup>, x = 5, <b>5</b>", [42, 48]),
        ("C", "C++, C#, C", [9]),
        ("A", "A-, A+, A\u2212, A - b", [12]),
        ("## T", "### T", []),
        ("so.", "so... so.", [6]),
        ("", "a", []),
    ],
)
def test_places_are_at_borders_of_words(quote: str, text: str, found: list[int]) -> None:
    assert [start for start, _ in places_of(quote, text)] == found


BEFORE_NUMBERS = [*"-+#.^<>~$\u2212\u00b1\u2260\u2264\u2265\u2248\u00d7\u00a3\u20ac", "1,", "7 "]
BEHIND_NUMBERS = [
    *"%+^\u00b0\u2030\u00b2\u00bd\u2032\u2033\u20ac",
    ".5",
    ",5",
    "/5",
    "_5",
    " 000",
    "<sup>2",
]


@pytest.mark.parametrize("seed", range(50))
def test_numbers_are_not_found_in_others(seed: int) -> None:
    chance = random.Random(seed)
    number = str(chance.randint(100, 999))
    said, behind = f"{number} is paid", f"they pay {number}"
    for sign in BEFORE_NUMBERS:
        assert places_of(said, f"In all {sign}{said}, {said}.") == [
            (len(f"In all {sign}{said}, "), len(f"In all {sign}{said}, {said}"))
        ]
    for sign in BEHIND_NUMBERS:
        assert places_of(behind, f"{behind}{sign} now, {behind}.") == [
            (len(f"{behind}{sign} now, "), len(f"{behind}{sign} now, {behind}"))
        ]


@pytest.mark.parametrize("seed", range(200))
def test_places_are_those_of_a_plain_search(seed: int) -> None:
    chance = random.Random(seed)
    words = [
        "rain",
        "train",
        "1",
        "11",
        "1.1",
        "-1",
        "漢字",
        "字",
        "it's",
        "re-sign",
        "sign",
        "*b*",
    ]
    text = "".join(chance.choice([*words, " ", "\n", " "]) for _ in range(60))
    quote = " ".join(chance.choice(words) for _ in range(chance.randint(1, 2)))
    plain, at = [], 0
    while at < len(text):
        for end in range(at + 1, len(text) + 1):
            is_said = text[at:end].split() == quote.split() and text[at] not in " \n"
            if is_said and cut_at(text, at) is cut_at(text, end) is Cut.BORDER:
                plain.append((at, end))
                at = end - 1
                break
        at += 1
    assert places_of(quote, text) == plain


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("pays a fee of 10", "The tenant pays a fee of 100.", ("words", "10", "100")),
        ("must re-sign it", "He must resign it.", ("punctuation", "re-sign", "resign")),
        ("in 5-10 days", "done in 510 days", ("words", "5-10", "510")),
        ("is 10² metres", "is 102 metres", ("words", "10²", "102")),
        ("of your account", "of your Account", ("case", "account", "Account")),
        ("may, if asked, go", "may if asked, go", ("punctuation", ",", "")),
        ("the *main* rule", "the main rule", ("markup", "*", "")),
        ("see [a rule](x.md) now", "see [a rule](y.md) now", ("markup", "](x.md)", "](y.md)")),
        ("### A title here", "## A title here", ("markup", "###", "##")),
        ("- [ ] do this", "- [x] do this", ("markup", "[ ]", "[x]")),
        ("fish &amp; chips here", "fish & chips here", ("markup", "&amp;", "&")),
        ("may keep all dogs", "may not keep all dogs", ("words", "", "not")),
        ("you can not do it", "you cannot do it", ("words", "can not", "cannot")),
        ("## An old rule holds", "# An old Rule hold", ("words", "holds", "hold")),
        ("his one and only rule", "his one and only rule", NO_CHANGE),
    ],
)
def test_differences_have_kinds(quote: str, text: str, expected: tuple[str, str, str]) -> None:
    found = aligned(quoted_in(quote, 0, len(quote)), text, 0, len(text))
    assert found is not None
    differs = found.difference
    said = NO_CHANGE if differs is None else (differs.kind, differs.quoted, differs.stands)
    assert said == expected


def test_other_texts_are_no_forms_of_a_quote() -> None:
    quoted = quoted_in("It rained for two days.", 0, 23)
    for text in ("", "Nobody knew.", "...", "*"):
        found = aligned(quoted, text, 0, len(text))
        assert found is None or found.share < 0.5


@pytest.mark.cpu_seconds(5)
@pytest.mark.parametrize(
    "unit",
    mostly_slow(["a ", "[", "](", "`", "1.", "<!--", "漢", "[x](y ", "|-", "*_", "re-"], quick=3),
)
def test_time_is_bounded(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    tokens_of(text)
    quoted = quoted_in(text, 0, len(text))
    aligned(quoted, text + "b", 0, len(text) + 1)
    places_of(text[:2000], text)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("dogs are kept", []),
        ("dogs are no longer kept", ["no"]),
        ("er darf keinen hund halten", ["keinen"]),
        ("il ne fume pas", ["ne", "pas"]),
        ("не надо", ["не"]),
        ("这里不可以", ["不"]),
        ("we don't", ["don't"]),
        ("il n'est tenu", ["n'est"]),
        ("\uc694\uae08\uc744 \uc548 \ub0b8\ub2e4", ["\uc548"]),
    ],
)
def test_negations_are_known(sentence: str, found: list[str]) -> None:
    assert negations_in(sentence.split(), sentence) == found


TWO = "# Mill\n\nIt was built in 1743.\n\nIt has two wheels of oak.\n\nThe Millers own it.\n"


def test_words_over_borders_of_blocks_are_cited(store: cw.Store) -> None:
    cuts = cw.Sentence(max_tokens=12)
    store.add(cw.read(TWO.encode(), name="doc.md"), strategy=cuts)
    block = next(each for each in store.blocks("doc.md") if "1743" in each.text)
    quote = "built in 1743. It has two wheels"
    citation = store.cite(block.id, quote)
    assert (citation.block, citation.quote.split()) == (block.id, quote.split())
    assert citation.end > len(block.text)
    assert store.resolve(citation).status == "same"
    moved = TWO.replace("# Mill", "# Mill\n\nA road leads to it.")
    store.add(cw.read(moved.encode(), name="doc.md"), strategy=cuts)
    found = store.resolve(citation)
    assert (found.resolves, found.changes) == (True, ())
    assert found.place is not None
    assert found.place.text.split() == quote.split()
    assert (found.place.line_start, found.place.line_end) == (5, 7)
    store.add(cw.read(moved.replace("two", "three").encode(), name="doc.md"), strategy=cuts)
    found = store.resolve(citation)
    assert (found.status, found.resolves) == ("altered", False)
    assert found.difference is not None
    assert (found.difference.quoted, found.difference.stands) == ("two", "three")
    assert found.place is not None
    assert found.place.text.split() == ["built", "in", "1743.", "It", "has", "three", "wheels"]


@pytest.mark.parametrize("quote", ["he", "wheel", "174", "built in 1743. It owns", "owns"])
def test_words_that_do_not_begin_in_a_block_are_refused(quote: str, store: cw.Store) -> None:
    store.add(cw.read(TWO.encode(), name="doc.md"))
    with pytest.raises(ConfigError, match="has no words"):
        store.cite(store.blocks("doc.md")[0].id, quote)


def test_blocks_of_removed_documents_are_not_cited(store: cw.Store) -> None:
    store.add(cw.read(TWO.encode(), name="doc.md"))
    block = store.blocks("doc.md")[0].id
    store.remove("doc.md")
    with pytest.raises(ConfigError, match=r"'doc\.md', which was removed") as caught:
        store.cite(block)
    assert caught.value.option == "block"
