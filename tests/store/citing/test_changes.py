"""Changes around cited words that stand: each is said by its name, and nothing else is."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import chunkwright as cw

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


@pytest.mark.parametrize("seed", range(20))
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


@pytest.mark.parametrize("seed", range(5))
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
