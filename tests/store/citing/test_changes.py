"""Changes around cited words that stand: each is said by its name, and nothing else is."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import chunkwright as cw
from tests.support.mostly_slow import mostly_slow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chunkwright.store import Resolution


@pytest.fixture
def store(tmp_path: Path) -> Iterator[cw.Store]:
    """Return an empty store."""
    with cw.Store.open(tmp_path / "kb.db") as opened:
        yield opened


LEADS = ("{}:", "**{}**", "{}", "{}.", "Dogs bark. {}.", "Dogs bark.\n{}", "> {}:")
LED = ("- dogs\n- {}", "1. dogs\n2. {}", "| who | what |\n|---|---|\n| Ada | {} |")
SAID = ("These are {} here", "All of this is {}")
SENTENCES: dict[str, list[tuple[str, ...]]] = {
    "heading": [("## Allowed\n\n{}.", "## Forbidden\n\n{}.")],
    "lead": [
        *(
            tuple(f"{lead.format(said.format(word))}\n\n{led}" for word in ("allowed", "forbidden"))
            for lead in LEADS
            for said in SAID
            for led in LED
        ),
        ("| may | who |\n|---|---|\n| {} | Ada |", "| may not | who |\n|---|---|\n| {} | Ada |"),
    ],
    "negation": [
        ("It is allowed: {}.", "It is never allowed: {}."),
        ("Il est permis de {}.", "Il n'est nullement permis de {}."),
        ("Es gilt als erlaubt: {}.", "Es gilt keinesfalls als erlaubt: {}."),
        ("\u4f60\u53ef\u4ee5 {}\u3002", "\u4f60\u4e0d\u53ef\u4ee5 {}\u3002"),
    ],
    "number": [
        ("Of 3 hours {}.", "Of 9 hours {}."),
        ("Of three hours {}.", "Of nine hours {}."),
        ("In drei Stunden {}.", "In neun Stunden {}."),
        ("They may: {} for 5 minutes.", "They may: {} for 5 hours."),
    ],
    "sentence": [
        ("He likes {}.", "He hates {}."),
        ("Das gilt nach Abs. 3 voll, {}.", "Das gilt zum Teil nach Abs. 3 voll, {}."),
        (
            "Er gilt voll, bzw. seit Jahr und Tag, bei Wind und Wetter, jeden Tag gilt {}.",
            "Er gilt kaum, bzw. seit Jahr und Tag, bei Wind und Wetter, jeden Tag gilt {}.",
        ),
        ("\u041f\u043e \u0441\u0442. 3 {}.", "\u0412\u0441\u0451 \u043f\u043e \u0441\u0442. 3 {}."),
        ("He likes {}.", "~~He likes {}.~~"),
        ("He likes {}.", "He ~~likes {}~~."),
        ("He likes {}.", "<del>So it is. He likes {}.</del>"),
        ("~~He likes {}~~.", "He ~~likes~~ {}."),
    ],
}
CHANGES = [(name, each[0], each[1]) for name, pairs in SENTENCES.items() for each in pairs]


@pytest.mark.parametrize(("name", "before", "after"), CHANGES)
def test_changes_around_words_are_said(name: str, before: str, after: str, store: cw.Store) -> None:
    quote = "smoking in the yard"
    before, after = (f"# Rules\n\n{each.format(quote)}\n" for each in (before, after))
    store.add(cw.read(before.encode(), name="doc.md"))
    (block,) = [each for each in store.blocks("doc.md") if quote in each.text]
    citation = store.cite(block.id, quote)
    assert store.resolve(citation).changes == ()
    (report,) = store.add(cw.read(after.encode(), name="doc.md"))
    found = store.resolve(citation)
    assert found.resolves
    assert name in found.changes
    assert report.citation_changes == dict.fromkeys(found.changes, 1)


SIGNS_BEFORE = [*"$+<>~#\u00a3\u00a7\u00b1\u00d7\u20ac\u2116\u2212\u221a\u2248\u2264", "- ", "3 x "]
SIGNS_BEHIND = [
    *"%+<>/!\u00a2\u00b1\u00d7\u00f7\u2030\u20ac\u2212",
    "- 3",
    "x 3",
    "\u00b0C",
    "&percnt;",
]
MARKS_BEFORE = ["(", "[", "\u201c", "\u2014 ", "**"]
MARKS_BEHIND = [",", ";", ")", "\u201d", " \u2014", "**"]
PUNCTUATION = [*(f"{mark}{{}}" for mark in MARKS_BEFORE), *(f"{{}}{mark}" for mark in MARKS_BEHIND)]


def resolved(store: cw.Store, name: str, versions: list[str], quote: str) -> Resolution:
    """Cite words of a paragraph, and say what became of them when it has changed."""
    before, after = (cw.read(f"# Fees\n\n{each}\n".encode(), name=name) for each in versions)
    store.add(before)
    (block,) = [each for each in store.blocks(name) if quote in each.text]
    citation = store.cite(block.id, quote)
    store.add(after)
    return store.resolve(citation)


@pytest.mark.parametrize("seed", mostly_slow(range(20), quick=2))
def test_signs_beside_numbers_are_said(seed: int, store: cw.Store) -> None:
    chance = random.Random(seed)
    number = str(chance.randint(10, 99))
    before, behind = f"{number} is paid", f"they pay {number}"
    blank = chance.choice([" ", "\u00a0", "\u202f", "  "])
    cases = [
        *((before, "So {} then.", f"So {sign}{blank}{{}} then.") for sign in SIGNS_BEFORE),
        *((behind, "So {} then.", f"So {{}}{blank}{sign} then.") for sign in SIGNS_BEHIND),
    ]
    for n, (quote, was, now) in enumerate(cases):
        texts = [each.format(quote) for each in (was, now)]
        chance.shuffle(texts)
        found = resolved(store, f"{n}.md", texts, quote)
        assert not found.resolves or "number" in found.changes, texts
        stands = now.format(quote)
        same = resolved(store, f"{n} same.md", [stands, f"{stands} Nobody came."], quote)
        assert (same.resolves, same.changes) == (True, ()), stands


NUMBERED = ["No. {}", "no. {}", "**No.** {}", "No.&nbsp;{}", "\u2116 {}", "N. {}", "n.\u00ba {}"]
NUMBERED += [
    "n\u00ba {}",
    "n\u00b0 {}",
    "Nr. {}",
    "nos. {}",
    "Ni. {}",
    "Sem. {}",
    "Bez. {}",
    "UN Res. {}",
]
NUMBERED += ["the No {}", "(see No {})"]
NEGATED = ["no {}-year-old", "No {} people", "There are no {} left", "n'{}", "not {}", "No {}"]


@pytest.mark.parametrize("seed", mostly_slow(range(5), quick=2))
def test_abbreviations_of_numbers_are_no_negations(seed: int, store: cw.Store) -> None:
    chance = random.Random(seed)
    quote = chance.choice(["dogs may stay here", "he pays 7 for it"])
    frames = ["{}, {}, it is.", "So it is: {}, {}.", "{1}, {0}, it is."]
    for n, form in enumerate([*NUMBERED, *NEGATED]):
        # Where it begins a sentence, `No 10` may negate.
        frame = frames[0] if form.startswith("No ") else chance.choice(frames)
        number = chance.randint(2, 99)
        texts = [frame.format(form.format(number), quote), frame.format("so", quote)]
        chance.shuffle(texts)
        found = resolved(store, f"{n}.md", texts, quote)
        assert found.resolves
        assert ("negation" in found.changes) == (form in NEGATED), texts


@pytest.mark.parametrize("number", [10, 1743])
def test_a_number_is_another_without_what_names_it(number: int, store: cw.Store) -> None:
    for n, form in enumerate(NUMBERED[:-2]):
        texts = [f"He pays {number} for it.", f"He pays {form.format(number)} for it."]
        for before, after in (texts, texts[::-1]):
            found = resolved(store, f"{n} {before}.md", [before, after], f"{number} for it")
            assert found.resolves
            assert "negation" not in found.changes, (before, after)


@pytest.mark.parametrize("mark", PUNCTUATION)
def test_punctuation_beside_numbers_is_no_sign(mark: str, store: cw.Store) -> None:
    for n, quote in enumerate(("10 is paid to 20", "they pay to 20", "20")):
        texts = [f"So {each.format(quote)} it is." for each in ("{}", mark)]
        found = resolved(store, f"{n}.md", texts, quote)
        assert found.resolves
        assert "number" not in found.changes, texts


MARKERS = ["- ", "* ", "1. ", "2. ", "3) ", "10. ", "17) "]
ITEMS = ["10 units of it are here", "number 5 is here, with 3 more", "a wheel of oak is here"]


@pytest.mark.parametrize("seed", mostly_slow(range(10), quick=3))
def test_numbers_of_items_change_nothing(seed: int, store: cw.Store) -> None:
    chance = random.Random(seed)
    for n, item in enumerate(ITEMS):
        words = item.split()
        quote = " ".join(words[chance.choice([0, 1]) : -2]).rstrip(",")
        one, other = chance.sample(MARKERS, 2)
        lead = chance.choice(["", "It says.\n\n", "- an item is before it\n\n"])
        texts = [f"{lead}{each}{item}\n" for each in (one, other)]
        found = resolved(store, f"{n}.md", texts, quote)
        assert (found.resolves, found.changes) == (True, ()), texts
        # What an item says is no number of it.
        first = chance.randint(2, 9)
        said = [f"{lead}{one}{each} {item}\n" for each in (first, first + 1)]
        assert "number" in resolved(store, f"{n} said.md", said, quote).changes, said


def test_a_number_in_a_wrapped_line_is_none_of_an_item(store: cw.Store) -> None:
    texts = [f"It was built in\n{year}. units of it are here" for year in (1990, 1991)]
    assert "number" in resolved(store, "a.md", texts, "units of it").changes


GREEK = "\u03a0\u03bb\u03b7\u03c1\u03ce\u03bd\u03b5\u03b9 10 \u03b5\u03c5\u03c1\u03ce"
DOG = "\u039f \u03c3\u03ba\u03cd\u03bb\u03bf\u03c2 \u03ba\u03bf\u03b9\u03bc\u03ac\u03c4\u03b1\u03b9"
DAY = "\u03c4\u03b7 \u03bc\u03ad\u03c1\u03b1"


@pytest.mark.parametrize("sign", [";", "\u037e", "\u00bb;", "**;"])
def test_greek_questions_end_sentences(sign: str, store: cw.Store) -> None:
    opening = {"\u00bb;": "\u00ab", "**;": "**"}.get(sign, "")
    texts = [
        f"{GREEK} {opening}{DAY}{sign} {DOG}{more}." for more in ("", " 5 \u03ce\u03c1\u03b5\u03c2")
    ]
    assert resolved(store, "a.md", texts, GREEK).changes == ()
    inner = [f"{GREEK} {more}{DAY}{sign} {DOG}." for more in ("", "5 ")]
    assert "number" in resolved(store, "b.md", inner, GREEK).changes


def test_a_semicolon_of_other_languages_ends_none(store: cw.Store) -> None:
    texts = [f"It is paid to them; the dog sleeps{more}." for more in ("", " 5 hours")]
    assert "number" in resolved(store, "a.md", texts, "paid to them").changes


# A sentence with a blank, a word that negates in its language, and one that does in others alone.
LANGUAGES = {
    "fr": ("Le chien de la maison est {} dans la cour avec les enfants", "jamais", "en"),
    "es": ("El perro de la casa est\u00e1 {} en el patio con los ni\u00f1os", "nunca", "en"),
    "de": ("Der Hund ist {} in dem Hof und auf der Stra\u00dfe", "nie", "noch"),
    "en": ("The dog is {} in the yard of the house and on the road", "never", "sense"),
    "ro": ("C\u00e2inele este {} \u00een curte cu un om din cas\u0103", "nu", "mai"),
    "sv": ("Hunden \u00e4r {} p\u00e5 en g\u00e5rd och i ett hus med barn", "aldrig", "en"),
    "fi": ("Koira on {} pihalla ja se on my\u00f6s talossa kun sataa", "en", "noch"),
    "pl": ("Pies jest {} w domu i na drodze do lasu", "nie", "tak"),
    "pt": ("O cachorro da casa est\u00e1 {} no p\u00e1tio com uma crian\u00e7a", "nunca", "no"),
    "hu": ("A kutya {} van az udvaron \u00e9s egy h\u00e1zban is", "nem", "nulla"),
    "is": ("Hundurinn er {} \u00ed gar\u00f0inum og \u00e1 veginum til b\u00e6jar", "ekki", "sem"),
    "et": ("Koer on {} aias ja see on ka majas kui sajab", "pole", "et"),
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_negations_are_those_of_the_language(code: str, store: cw.Store) -> None:
    sentence, negation, ordinary = LANGUAGES[code]
    (first, _, last) = sentence.partition("{}")
    for n, quote in enumerate((first.strip(), last.strip())):
        for word, is_negated in ((negation, True), (ordinary, False)):
            texts = [" ".join(sentence.format(each).split()) + "." for each in ("", word)]
            for turn in (texts, texts[::-1]):
                found = resolved(store, f"{n} {word} {turn[0]}.md", turn, quote)
                assert found.resolves
                assert ("negation" in found.changes) == is_negated, turn


def test_negations_count_where_the_language_is_not_known(store: cw.Store) -> None:
    for n, word in enumerate(("nie", "pas", "non", "not", "ei", "no")):
        texts = ["Hund bellt laut.", f"Hund bellt {word} laut."]
        assert "negation" in resolved(store, f"{n}.md", texts, "Hund bellt").changes, word
