"""Documents with known edits: what became of each sentence is known by construction."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from chunkwright.store.duplicates import contradiction

if TYPE_CHECKING:
    from collections.abc import Iterator

SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
]
REPEATED = [
    "The yearly fee of 40 euros is due at once without any further notice.",
    "All well-known terms of 12 months apply to both parties of it.",
    "Each party may re-sign the form within 30 days after the end.",
]
UNIQUE = [
    "{0} shall {1} the re-built house within {2} days of any {3} that is legal then.",
    "For {0} a non-binding {1} of {2} pages was written by {3} and read aloud.",
    "Nobody in {0} saw how {1} brought {2} co-owners to {3} over the river.",
    "With {0} came {1}, who sold {2} hand-made lamps from {3} at low prices.",
    "If {0} is {1}, some {2} half-empty barges leave {3} before noon each day.",
    "Seldom did {0} say {1} about {2} long-term plans which {3} had made.",
]
# Gravest first.
KINDS = ["words", "case", "punctuation", "markup"]


@dataclass(eq=False)
class Word:
    """A word, what was done to it since it was cited, and whether it is a negation."""

    text: str
    edits: set[str] = field(default_factory=set)
    is_new: bool = False


@dataclass
class Sentence:
    """A sentence that stays itself through all edits."""

    number: int
    words: list[Word]

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.words)


@dataclass
class Section:
    """A heading with paragraphs of sentences."""

    number: int
    title: str
    paragraphs: list[list[Sentence]]

    @property
    def sentences(self) -> list[Sentence]:
        return [each for paragraph in self.paragraphs for each in paragraph]


@dataclass
class Cited:
    """Words of a sentence that were cited, by numbers."""

    section: int
    sentence: int
    title: str
    before: list[Word]
    own: list[Word]
    behind: list[Word]

    @property
    def quote(self) -> str:
        return " ".join(each.text for each in self.own)


@dataclass(frozen=True)
class Truth:
    """What must be said of a citation.

    Attributes
    ----------
    stands
        Whether the words stand letter for letter at their place.
    kind
        How they differ, if they are altered; None if they stand, or are gone.
    span
        Where they stand, or their altered form begins; None if they are gone.
    has_other_heading, has_other_sentence, has_other_negation, has_other_number
        What changed around them.
    """

    stands: bool
    kind: str | None
    span: tuple[int, int] | None
    has_other_heading: bool = False
    has_other_sentence: bool = False
    has_other_negation: bool = False
    has_other_number: bool = False


class History:
    """A document under random edits.

    Parameters
    ----------
    seed
        Of all that is random.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._numbers = count()
        self.sections = [self._section() for _ in range(self._random.randint(3, 6))]

    # --------------------------------------------------------------- making

    def _name(self) -> str:
        return "".join(self._random.choice(SYLLABLES) for _ in range(4))

    def _unique(self) -> Sentence:
        one, two, three = (self._name() for _ in range(3))
        number = self._random.randint(100, 999)
        said = self._random.choice(UNIQUE)
        return self._sentence(said.format(one.capitalize(), two, number, three))

    def _sentence(self, said: str) -> Sentence:
        return Sentence(next(self._numbers), [Word(each) for each in said.split()])

    def _section(self) -> Section:
        chance = self._random
        paragraphs = []
        for _ in range(chance.randint(1, 2)):
            own = [self._unique() for _ in range(chance.randint(1, 3))]
            if chance.random() < 0.7:
                own.insert(chance.randint(0, len(own)), self._sentence(chance.choice(REPEATED)))
            paragraphs.append(own)
        return Section(next(self._numbers), self._name().capitalize(), paragraphs)

    # -------------------------------------------------------------- reading

    def _parts(self) -> Iterator[tuple[str, Section | None, Sentence | None]]:
        yield "# Law", None, None
        for section in self.sections:
            yield f"\n\n## {section.title}", None, None
            for paragraph in section.paragraphs:
                between = "\n\n"
                for sentence in paragraph:
                    yield between, None, None
                    yield sentence.text, section, sentence
                    between = " "
        yield "\n", None, None

    @property
    def text(self) -> str:
        return "".join(part for part, _, _ in self._parts())

    def citations(self) -> list[tuple[Cited, int]]:
        """Return some citations, each with where its words begin."""
        found, at = [], 0
        for part, section, sentence in self._parts():
            if section is not None and sentence is not None and self._random.random() < 0.5:
                n_words = len(sentence.words)
                first = self._random.randint(0, 3)
                last = self._random.randint(min(first + 6, n_words), n_words)
                before = " ".join(each.text for each in sentence.words[:first])
                cited = Cited(
                    section.number,
                    sentence.number,
                    section.title,
                    *(
                        copy.deepcopy(sentence.words[a:b])
                        for a, b in ((0, first), (first, last), (last, n_words))
                    ),
                )
                found.append((cited, at + len(before) + bool(first)))
            at += len(part)
        return found

    def truth(self, cited: Cited) -> Truth:
        """Return what is true of a citation today."""
        at = 0
        for part, section, sentence in self._parts():
            if section is not None and sentence is not None and sentence.number == cited.sentence:
                return self._truth(cited, section, sentence, at)
            at += len(part)
        return Truth(stands=False, kind=None, span=None)

    @staticmethod
    def _truth(cited: Cited, section: Section, sentence: Sentence, at: int) -> Truth:
        # Words that came in stand behind those that were cited as they were: they have no number.
        old = [each for each in sentence.words if not each.is_new]
        first, last = len(cited.before), len(cited.before) + len(cited.own)
        begin, stop = sentence.words.index(old[first]), sentence.words.index(old[last - 1]) + 1
        own = sentence.words[begin:stop]
        around = [each.text for each in (*sentence.words[:begin], *sentence.words[stop:])]
        was_around = [each.text for each in (*cited.before, *cited.behind)]
        start = at + len(" ".join(each.text for each in sentence.words[:begin])) + bool(begin)
        now, was = (" ".join(each.text for each in words) for words in (own, cited.own))
        kinds = {kind for each in own for kind in each.edits}
        kinds |= {"words"} if any(each.is_new for each in own) else set()
        kind = min(kinds, key=KINDS.index, default="words") if now != was else None
        nots = [[*map(str.lower, words)].count("not") for words in (around, was_around)]
        own_nots = [each.split().count("not") for each in (now, was)]
        digits = [
            [word.strip("*") for word in words if any(map(str.isdigit, word))]
            for words in (around, was_around)
        ]
        plain = [[word.replace("**", "") for word in words] for words in (around, was_around)]
        # What "un" makes of a word beside the quote: of "legal" a negation, of "days" no unit.
        became = {contradiction(word, f"un{word}") for word in was_around if f"un{word}" in around}
        return Truth(
            stands=now == was,
            kind=kind,
            span=(start, start + len(now)),
            has_other_heading=section.title != cited.title,
            has_other_sentence=plain[0] != plain[1],
            has_other_negation=nots[0] + own_nots[0] != nots[1] + own_nots[1]
            or "negation" in became,
            has_other_number=digits[0] != digits[1]
            or not became.isdisjoint(("number", "date", "unit")),
        )

    # -------------------------------------------------------------- editing

    def edit(self) -> None:
        """Make a few edits."""
        edits = [
            self._change_word,
            self._change_word,
            self._rename,
            self._insert_sentence,
            self._delete_sentence,
            self._insert_section,
            self._move_section,
        ]
        for _ in range(self._random.randint(1, 3)):
            self._random.choice(edits)()

    def _any_section(self) -> Section:
        return self._random.choice(self.sections)

    def _rename(self) -> None:
        self._any_section().title = self._name().capitalize()

    def _insert_sentence(self) -> None:
        paragraph = self._random.choice(self._any_section().paragraphs)
        paragraph.insert(self._random.randint(0, len(paragraph)), self._unique())

    def _delete_sentence(self) -> None:
        paragraph = self._random.choice(self._any_section().paragraphs)
        if len(paragraph) > 1:
            paragraph.pop(self._random.randrange(len(paragraph)))

    def _insert_section(self) -> None:
        self.sections.insert(self._random.randint(0, len(self.sections)), self._section())

    def _move_section(self) -> None:
        section = self.sections.pop(self._random.randrange(len(self.sections)))
        self.sections.insert(self._random.randint(0, len(self.sections)), section)

    def _change_word(self) -> None:
        sentence = self._random.choice(self._any_section().sentences)
        if any(each.edits or each.is_new for each in sentence.words):
            # One change a sentence: of more, what is quoted would soon not be known again.
            return
        kind = self._random.choice(["digit", "negation", "case", "border", "hyphen", "markup"])
        if kind == "negation":
            sentence.words.insert(2, Word("not", is_new=True))
            return
        at = [n for n, each in enumerate(sentence.words) if _is_changed_by(kind, each.text)]
        if not at:
            return
        word = sentence.words[self._random.choice(at)]
        changed = {
            "digit": str(int(word.text) + 7) if word.text.isdigit() else "",
            "case": word.text.upper(),
            "border": f"un{word.text}",
            "hyphen": word.text.replace("-", ""),
            "markup": f"**{word.text}**",
        }
        named = {"case": "case", "hyphen": "punctuation", "markup": "markup"}
        word.text = changed[kind]
        word.edits.add(named.get(kind, "words"))


def _is_changed_by(kind: str, text: str) -> bool:
    if kind == "digit":
        return text.isdigit()
    if kind == "hyphen":
        return "-" in text
    return text.isalpha() and text.islower()
