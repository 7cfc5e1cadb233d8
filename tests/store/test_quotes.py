"""Quotations: true ones are found whatever was done to them, altered ones are not."""

import itertools
import random
import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given

import chunkwright as cw
from chunkwright import _core
from chunkwright.store.quotes import (
    MIN_QUOTE_BYTES,
    Match,
    Nearest,
    QuoteTexts,
    compare_quote,
    find_quote,
)
from tests.support.quotations import SCRIPTS
from tests.support.texts import WITH_SURROGATES

N_QUOTES = 1000
RIVER = """It rained for two days. In the valley nobody slept, for the dam had been repaired only
in part.
On the third day the river rose above its banks."""

# What a link points to, and what a comment says, is no part of what is read.
UNSEEN = re.compile(r"\]\([^\s)]*\)|<!--.*?-->", re.DOTALL)
WORD = re.compile(r"[A-Za-z]{2,}")
# The language of code, which may be left out.
LANGUAGE = re.compile(r"(?m)^(\s*(?:```|~~~))[^\n`]*$")


class Quoted(NamedTuple):
    """A quotation, and where it is from."""

    name: str
    start: int
    end: int
    text: str


def quotations(texts: dict[str, str], rng: random.Random) -> list[Quoted]:
    """Cut quotations out of texts: 5 to 40 words, which begin and end with one of letters."""
    words = {name: list(WORD.finditer(text)) for name, text in texts.items()}
    unseen = {name: [m.span() for m in UNSEEN.finditer(text)] for name, text in texts.items()}
    names = [name for name, found in words.items() if len(found) > 100]
    quotes = list[Quoted]()
    while len(quotes) < N_QUOTES:
        name = rng.choice(names)
        first = rng.randrange(len(words[name]) - 40)
        start, end = words[name][first].start(), words[name][first + rng.randint(4, 39)].end()
        text, around = (
            texts[name][start:end],
            texts[name][start - 1 : start] + texts[name][end : end + 1],
        )
        is_seen = not any(a < end and start < b for a, b in unseen[name])
        if len(text) < 2000 and not any(map(str.isalnum, around)) and is_seen:
            quotes.append(Quoted(name, start, end, text))
    return quotes


def said(text: str) -> list[str]:
    """Return the words that a page shows of a text."""
    return WORD.findall(LANGUAGE.sub(r"\1", text).casefold())


def spaced(text: str, rng: random.Random) -> str:
    blanks = [" ", "  ", "\n", "\r\n", "\u00a0", "\t", "\f", "\n\f\n"]
    # A sign at the start of a line would be that of a list or heading there.
    return re.sub(r"\s+(?=[\w.,;])", lambda _: rng.choice(blanks), text)


def cased(text: str, rng: random.Random) -> str:
    change: Callable[[str], str] = rng.choice([str.upper, str.lower, str.swapcase])
    # The case of units and symbols beside numbers says something.
    words = r"(?<![\d°])(?<!\d\s)\b[A-Za-z]{2,}\b(?!\d)"
    return re.sub(words, lambda word: change(word[0]), text)


def hyphenated(text: str, rng: random.Random) -> str:
    dashes = ["-", "\u2010", "\u2011", "\u2013", "\u2014"]
    text = re.sub(r"(?<=[A-Za-z])-(?=[A-Za-z])", lambda _: rng.choice(dashes), text)
    broken = rng.choice(["-\n", "\u00ad", "\u2010\n  ", "\u200b"])
    return re.sub(
        r"(?<=[a-z]{3})(?=[a-z]{4})", lambda _: broken if rng.random() < 0.1 else "", text
    )


def composed(text: str, rng: random.Random) -> str:
    if rng.random() < 0.5:
        wide = {code: code + 0xFEE0 for code in range(ord("a"), ord("z") + 1)}
        return text.translate(wide)
    for letters, ligature in [("ffi", "ﬃ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("st", "ﬆ")]:
        text = text.replace(letters, ligature)
    return text


def quoted(text: str, rng: random.Random) -> str:
    marks = str.maketrans({'"': rng.choice("“”„»"), "'": rng.choice("’‘´")})
    before, behind = tuple(rng.choice(["“”", "«»", '""', "**", "__", "()"]))
    return before + text.translate(marks).replace("...", "…") + behind


def is_place_of(quote: Quoted, place: tuple[int, int], whole: str) -> bool:
    """Whether a place shows a quotation where it is from, in signs that may be the quote's own.

    Of places that overlap, as where it ends with the words that it begins with, the first is found.
    """
    before, words, behind = whole[slice(*place)].partition(quote.text)
    overlaps = place[0] < quote.end and quote.start < place[1]
    return overlaps and bool(words) and not any(map(str.isalnum, before + behind))


# In this order: words that are hyphenated are not broken once more.
MUTATIONS = [cased, spaced, hyphenated, composed, quoted]


@pytest.fixture(scope="module", name="indexes")
def _indexes(long_texts: dict[str, str]) -> dict[str, _core.QuoteIndex]:
    return {name: _core.QuoteIndex(text) for name, text in long_texts.items()}


def test_true_quotations_are_found_where_they_are(
    long_texts: dict[str, str], indexes: dict[str, _core.QuoteIndex]
) -> None:
    rng = random.Random(1)
    missed = []
    for quote in quotations(long_texts, rng):
        changed = quote.text
        for mutation in sorted(
            rng.sample(MUTATIONS, rng.randint(1, len(MUTATIONS))), key=MUTATIONS.index
        ):
            changed = mutation(changed, rng)
        places = indexes[quote.name].find(changed, 10_000)
        if not any(is_place_of(quote, place, long_texts[quote.name]) for place in places):
            missed.append((quote, changed, places[:3]))
    assert len(missed) <= N_QUOTES * 0.002, missed


def test_altered_quotations_are_not_found(
    long_texts: dict[str, str], indexes: dict[str, _core.QuoteIndex]
) -> None:
    rng = random.Random(2)
    all_words = WORD.findall("".join(long_texts.values()))
    n_told, found = 0, []
    for name, *_, text in quotations(long_texts, rng):
        changed = altered(text, rng.choice(all_words), rng)
        places = indexes[name].find(changed, 1)
        stands = long_texts[name][slice(*places[0])] if places else ""
        # Without a word it may be what the text says elsewhere.
        if places and said(stands) != said(changed):
            found.append((text, changed, stands))
        _, verdict, _, nearest = _core.compare_quote([(None, [indexes[name]])], changed, 1, 1)
        assert places or verdict != "found"
        n_told += nearest is not None
    assert found == []
    assert n_told > N_QUOTES / 2


def altered(text: str, new: str, rng: random.Random) -> str:
    """Replace, drop or add a word between others, or swap two."""
    words = list(WORD.finditer(text))
    i = rng.randrange(1, len(words) - 2)
    word, next_word = words[i], words[i + 1]
    new = new if new.casefold() not in {word[0].casefold(), words[i - 1][0].casefold()} else "quux"
    before, behind = text[: word.start()], text[word.end() :]
    match rng.choice(["replace", "drop", "add", "swap"]):
        case "replace":
            return before + new + behind
        case "drop" if word[0].casefold() != next_word[0].casefold():
            return before.rstrip("\"'*_") + behind.lstrip("\"'*_ ")
        case "swap" if word[0].casefold() != next_word[0].casefold():
            between = text[word.end() : next_word.start()]
            return before + next_word[0] + between + word[0] + text[next_word.end() :]
    return before + word[0] + " " + new + " " + word[0] + behind


@given(WITH_SURROGATES, WITH_SURROGATES)
def test_places_are_those_of_the_texts_code_points(text: str, before: str) -> None:
    quote = "\ud83d\ude80 it rained for two days"
    # A mark that combines would belong to the last letter, over whitespace and punctuation.
    whole = f"{before}\n{quote}\nand {text}"
    places = find_quote("it rained for two days", [whole])
    assert [whole[m.start : m.end] for m in places].count("it rained for two days") >= 1


def test_verdicts() -> None:
    pages = [RIVER, "The minister said that nothing of this was to be foreseen."]
    texts = QuoteTexts(pages)
    assert len(texts) == 2

    def verdict(quote: str, expected: list[int] | None = None) -> str:
        return texts.compare(quote, expected=expected).verdict

    assert verdict("the dam had been repaired only in part") == "found"
    assert verdict("the dam had been repaired only in part", [0]) == "found"
    assert verdict("the dam had been repaired only in part", [1]) == "elsewhere"
    assert verdict("It rained for two days ... the river rose above its banks") == "abridged"
    assert verdict("It rained for two days, the river rose above its banks") == "stitched"
    assert verdict("It rained for two days. the river rose above its banks") == "stitched"
    assert verdict("It rained for two days. Nothing of this was to be foreseen") == "stitched"
    assert verdict("It was foreseen by nobody at all") == "missing"


def test_the_nearest_place_says_which_word_differs() -> None:
    pages = ["no such words", "On the third day the river rose above its banks."]
    found = compare_quote("the third day the river fell above its banks", pages)
    assert found.nearest == Nearest(Match(1, 3, 26), "fell", "rose", (27, 31))


def test_a_quotation_in_many_places_is_limited() -> None:
    text = "it rained for two days; " * 50
    assert len(find_quote("it rained for two days", [text, text])) == 100
    assert len(find_quote("it rained for two days", [text, text], limit=60)) == 60
    comparison = compare_quote("it rained for two days", [text, text], expected=[1], limit=3)
    assert {match.text_index for match in comparison.matches} == {1}


@pytest.mark.parametrize("quote", ["", "short", "“short!”", "-- -- -- -- -- -- --", None, 3])
def test_what_is_no_quotation_is_refused(quote: str) -> None:
    texts = QuoteTexts(["too short to be found, a quote is"])
    with pytest.raises(cw.ConfigError) as caught:
        texts.find(quote)
    assert caught.value.option == "quote"
    with pytest.raises(cw.ConfigError) as caught:
        texts.compare(quote)
    assert caught.value.option == "quote"
    assert MIN_QUOTE_BYTES == 12


@pytest.mark.parametrize("script", SCRIPTS)
def test_quotes_are_measured_alike_in_all_scripts(script: str) -> None:
    words = re.findall(r"[^\s.,,、。।։]+", SCRIPTS[script])
    texts = QuoteTexts([SCRIPTS[script]])
    for word in words:
        for quote in {word[:n] for n in range(1, len(word) + 1)}:
            # In one form, as the two parts of a vowel of Thai.
            is_long = len(unicodedata.normalize("NFKC", quote).encode()) >= MIN_QUOTE_BYTES
            if is_long:
                texts.find(quote)
                continue
            with pytest.raises(cw.ConfigError, match="at least 12 bytes") as caught:
                texts.find(quote)
            assert f'"{quote}"' in str(caught.value)
    for one, other in itertools.pairwise(words):
        texts.find(f"{one[0]} {other[0]}")


def test_arguments_are_checked() -> None:
    with pytest.raises(cw.ConfigError, match="texts must be several str"):
        QuoteTexts("a single one")
    with pytest.raises(cw.ConfigError, match="limit must be at least 1"):
        find_quote("it rained for two days", ["a"], limit=0)
