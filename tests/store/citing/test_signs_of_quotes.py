"""Signs that a page shows otherwise than its source writes them: true quotes, and altered ones."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from chunkwright.store.quotes import QuoteTexts

WORDS = "mill river wheel stone barge harbour ledger winter copper oak miller lantern".split()  # noqa: SIM905
UNITS = {
    "Latin": ["m", "km", "cm", "mm"],
    "Cyrillic": ["\u043c", "\u043a\u043c", "\u0441\u043c", "\u043c\u043c"],
    "Greek": ["\u03c7\u03bb\u03bc"],
    "Armenian": ["\u056f\u0574", "\u0574"],
    "Georgian": ["\u10d9\u10db", "\u10db"],
    "Arabic": ["\u0643\u0645", "\u0645"],
    "Hebrew": ["\u05de"],
}
COUNTED = ["people", "points", "sacks", "ann\u00e9es", "euros"]
RATES = ["s", "m", "kg", "mol", "K", "L", "h", "min", "\u0441", "\u043a\u0433"]


class Case(NamedTuple):
    """A part of a source, what a page shows for it, and what says something else."""

    source: str
    shown: list[str]
    altered: list[str]


def escaped(rng: random.Random) -> Case:
    """Return a name with a run of signs, of which some stand behind backslashes."""
    sign, n = rng.choice("+#-*_"), rng.randint(1, 3)
    name = rng.choice(["C", "notepad", "grade B", "g"])
    forms = [f"\\{sign}"] if sign in "*_" else [sign, f"\\{sign}"]
    source = "".join(rng.choice(forms) for _ in range(n))
    altered = [f"{name}{sign * (n + 1)}", name + sign * (n - 1), name]
    return Case(f"{name}{source}", [f"{name}{sign * n}"], altered)


def noted(rng: random.Random) -> Case:
    """Return a number and a word, or a year, with the mark of a note."""
    label = rng.choice(["1", "4", "7", "12"])
    mark = rng.choice(["<sup>{}</sup>", "[{}]", "[^{}]", "^{}^", "<sup>[{}]</sup>"]).format(label)
    if rng.random() < 0.5:
        n = rng.randint(2, 900)
        said = f"{n} {rng.choice(COUNTED)}"
        altered = [said.replace(str(n), str(n + 1)), f"{said[:-1]}", said + label * 2]
    else:
        year = rng.randint(1500, 2047)
        said = f"in {year}"
        altered = [f"in {year}{label}", f"in {year + 1}", f"in {year}{label}{label}"]
    return Case(said + mark, [said], altered)


def power(rng: random.Random) -> Case:
    """Return a number with an exponent, which is no note."""
    base = str(rng.choice([10, 2, 100, 1000, 1024, 7, "x", "2.5", 2000]))
    exponent = rng.choice(["2", "3"] if base == "2000" else ["2", "3", "6", "-3", "12"])
    mark = rng.choice(["<sup>{}</sup>", "^{}^", "^{}"]).format(exponent)
    raised = exponent.translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    altered = [base, f"{base}{exponent}", f"{base}{raised}0", f"{base}{raised[:-1]}⁹"]
    return Case(f"{base}{mark}", [f"{base}{raised}", f"{base}^{exponent}"], altered)


def area(rng: random.Random) -> Case:
    """Return a measure of an area or a volume in letters of any script."""
    unit, n, power = (
        rng.choice(UNITS[rng.choice(list(UNITS))]),
        rng.randint(2, 99),
        rng.choice("23"),
    )
    mark = rng.choice(["<sup>{}</sup>", "^{}^"]).format(power)
    raised = {"2": "\u00b2", "3": "\u00b3"}[power]
    said = f"{n} {unit}"
    other = "3" if power == "2" else "2"
    altered = [
        said,
        said + other,
        f"{said}{power}2",
        f"{n + 1} {unit}{power}",
        f"{n} q{unit}{power}",
    ]
    return Case(said + mark, [said + power, said + raised], altered)


def rate(rng: random.Random) -> Case:
    """Return a measure for each of a unit, with a negative exponent."""
    first, unit = rng.choice(["m", "kg", "mol", "W"]), rng.choice(RATES)
    n, power = f"{rng.randint(2, 99)}.{rng.randint(1, 9)}", rng.choice("123")
    said = f"{n} {first} {unit}" if rng.random() < 0.6 else f"{n} {unit}"
    minus = rng.choice(["-", "\u2212"])
    raised = "\u207b" + {"1": "\u00b9", "2": "\u00b2", "3": "\u00b3"}[power]
    shown = [f"{said}-{power}", f"{said}\u2212{power}", f"{said}^-{power}", said + raised]
    altered = [
        said,
        said + power,
        f"{said}-{int(power) + 1}",
        f"{said}-{power}0",
        f"{said}/{power}",
    ]
    return Case(f"{said}<sup>{minus}{power}</sup>", shown, altered)


def tagged(rng: random.Random) -> Case:
    """Return words in a tag that HTML does not have."""
    word, name = rng.choice(WORDS), rng.choice(["my-tag", "x-note", "app-icon.small", "o:p"])
    form = rng.choice(["<{0}>{1}</{0}>", '<{0} id="a">{1}</{0}>', "<{0}/>{1}", "<{0} />{1}"])
    other = f"<other-tag>{word}</other-tag>"
    return Case(form.format(name, word), [word, form.format(name, word)], [other, f"{word}s"])


def continued(rng: random.Random) -> Case:
    """Return a command that goes on in the next line."""
    one, two = rng.sample(WORDS, 2)
    source = f"run {one} \\\n  --all {two}"
    shown = [f"run {one} \\ --all {two}", f"run {one} \\\n  --all {two}"]
    return Case(source, shown, [f"run {one} / --all {two}", f"run {one} \\ -all {two}"])


MAKERS = [escaped, noted, power, area, rate, tagged, continued]
N = [pytest.param(60), pytest.param(1500, marks=pytest.mark.slow)]


@pytest.mark.parametrize("n", N)
@pytest.mark.parametrize("make", MAKERS, ids=[each.__name__ for each in MAKERS])
def test_signs_are_as_a_page_shows_them(make: object, n: int) -> None:
    assert callable(make)
    rng = random.Random(7)
    refused, accepted = [], []
    for _ in range(n):
        case: Case = make(rng)
        words = rng.sample(WORDS, 4)
        frame = f"{words[0]} {words[1]} {{}} {words[2]} {words[3]}"
        text = frame.format(case.source)
        if make is continued:
            text = f"```sh\n{text}\n```"
        texts = QuoteTexts([f"So it is.\n\n{text}\n\nAnd so it was."])
        for shown in case.shown:
            for quote in (frame.format(shown), f"{words[1]} {shown}"):
                place = texts.find(quote)
                if not place or place[0].start < len("So it is."):
                    refused.append((quote, case.source))
        accepted += [
            (altered, case.source)
            for altered in case.altered
            if texts.compare(frame.format(altered)).verdict in {"found", "abridged"}
        ]
    assert (refused, accepted) == ([], [])


@pytest.mark.parametrize("seed", range(20))
def test_targets_of_links_are_not_shown(seed: int) -> None:
    rng = random.Random(seed)
    blank = rng.choice([" ", "\n", "\n  "])
    target = rng.choice(["https://a.b/c", "<a b.html>", "page.md#there"])
    title = rng.choice(["", '"A title"', "'A title'", "(A title)", '"A\nlong title"'])
    source = (
        f"See [the mill][1].\n\n[1]:{rng.choice([' ', blank])}{target}{blank}{title}\n\nIt turns."
    )
    texts = QuoteTexts([source])
    assert texts.find("See the mill. It turns.")
    assert not texts.find("See the mill. A title It turns.") or "title" in title
    said = source.replace("\n\nIt", "\nmore\n\nIt") if title else source.replace("]:", "]")
    assert QuoteTexts([said]).compare("See the mill. It turns.").verdict != "found"


def test_a_square_of_a_year_is_no_note_but_in_its_turn() -> None:
    assert not QuoteTexts(["The sum of 2019<sup>2</sup> and more."]).find("sum of 2019 and more")
    assert not QuoteTexts(["The sum = 2019<sup>4</sup> and more."]).find("sum = 2019 and more")
    turn = "It stood<sup>1</sup> there from 2019<sup>2</sup> on and on."
    assert QuoteTexts([turn]).find("there from 2019 on and on")
