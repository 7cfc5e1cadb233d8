"""Quotes verified in stores: true ones are found as pages show them, altered ones never."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright import _core
from chunkwright.store.quotes import QuoteTexts
from tests.support.quotations import SCRIPTS, SENTENCES, altered, rendered, shown

N = [pytest.param(300), pytest.param(2000, marks=pytest.mark.slow)]


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Iterator[cw.Store]:
    with cw.Store.open(tmp_path / "kb.db") as store:
        yield store


def add(store: cw.Store, name: str, text: str) -> None:
    store.add(cw.read(text.encode(), name=name))


@pytest.mark.parametrize("n", N)
def test_altered_quotes_are_never_found(n: int) -> None:
    rng = random.Random(3)
    texts = QuoteTexts(["\n\n".join(SENTENCES)])
    accepted = []
    for _ in range(n):
        sentence = rng.choice(SENTENCES)
        quote = altered(sentence, rng)
        if quote != sentence and texts.compare(quote).verdict in {"found", "abridged"}:
            accepted.append(quote)
    assert accepted == []


@pytest.mark.parametrize("n", N)
def test_true_quotes_are_found_where_they_are(n: int) -> None:
    rng = random.Random(4)
    missed = []
    for _ in range(n):
        before, (source, quote), behind = SCRIPTS["Latin"], shown(rng), SCRIPTS["Greek"]
        text = f"{before[:30]}\n\n{source}\n\n{behind[:30]}"
        places = QuoteTexts([text]).find(quote)
        if not any(32 <= place.start <= place.end <= 32 + len(source) for place in places):
            missed.append((quote, source))
    assert missed == []


ENDS_IN_WORDS = re.compile(r"[^\W\d_]+ (.* )?[^\W\d_]+[.,]?")


def abridged(sentence: str, rng: random.Random) -> tuple[str, list[str]]:
    """Leave words of a sentence out, with an ellipsis for them; at the most none."""
    words = sentence.split()
    first = rng.randint(0, len(words) - 4)
    stop = rng.randint(first + 2, len(words) - 2)
    start = rng.randint(stop, len(words) - 2)
    end = rng.randint(start + 2, len(words))
    parts = [" ".join(words[first:stop]), " ".join(words[start:end])]
    return rng.choice([" ... ", " [...] ", " \u2026 "]).join(parts), parts


@pytest.mark.parametrize("n", N)
def test_abridged_quotes_are_told_and_altered_ones_are_not(n: int) -> None:
    rng = random.Random(6)
    texts = QuoteTexts(["\n\n".join(SENTENCES)])
    whole = " ".join(SENTENCES)
    refused, accepted = [], []
    for _ in range(n):
        quote, parts = abridged(rng.choice(SENTENCES), rng)
        if not all(map(ENDS_IN_WORDS.fullmatch, parts)):
            # What numbers and signs at the ends say is another matter.
            continue
        if texts.compare(quote).verdict not in {"found", "abridged"}:
            refused.append(quote)
        number = rng.randrange(2)
        tries = (altered(parts[number], rng) for _ in range(20))
        changed = next((each for each in tries if each != parts[number]), parts[number])
        bare = re.escape(changed.strip(" ."))
        if re.search(rf"(?<!\S){bare}(?![^\s.,])", whole):
            continue
        other = quote.replace(parts[number], changed)
        if texts.compare(other).verdict in {"found", "abridged"}:
            accepted.append((quote, other))
    assert (refused, accepted) == ([], [])


def test_what_another_reader_shows_is_found() -> None:
    source = (
        "## The *old* mill\n\n1. Built in **1743** by [Smith &amp; Sons](a_(b).html).\n2. It has"
        " `wheel`'s of oak\\\nand <https://a.b/c> says so.\n\n> Not\\_seen &mdash; ~~5~~ 6 days.\n"
    )
    assert QuoteTexts([source]).find(rendered(source)) != []


def n_signs(text: str) -> int:
    return len(re.sub(r"[\s\[\]–-]", "", text).encode())


def verdicts_of(store: cw.Store, quotes: list[str]) -> list[tuple[str, bool, int]]:
    found = [store.verify(quote) for quote in quotes]
    return [
        (each.verdict, each.is_current, 0 if each.nearest is None else n_signs(each.nearest.text))
        for each in found
    ]


def test_filters_change_no_verdict(store: cw.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    words = [word for sentence in SENTENCES for word in sentence.split()]
    for number in range(12):
        for _ in range(2):
            text = " ".join(rng.choices(words, k=120))
            add(store, f"{number}.txt", text)
    texts = [store.document(f"{number}.txt", 1 + number % 2).text.split() for number in range(12)]
    quotes = []
    for _ in range(60):
        parts = []
        for _ in range(rng.randint(1, 2)):
            of, at = rng.choice(texts), rng.randrange(100)
            parts.append(" ".join(of[at : at + rng.randint(4, 9)]))
        quotes.append(rng.choice([" ", " ... "]).join(parts) + rng.choice(["", " river"]))
    fast = verdicts_of(store, quotes)
    compare: Callable[..., object] = _core.compare_quote

    def without_filters(slots: list[tuple[object, object]], *rest: object) -> object:
        return compare([(None, texts) for _, texts in slots], *rest)

    monkeypatch.setattr(_core, "compare_quote", without_filters)
    assert verdicts_of(store, quotes) == fast
    assert {verdict for verdict, *_ in fast} >= {"found", "stitched", "missing"}


def test_the_nearest_place_is_always_there(store: cw.Store) -> None:
    add(
        store,
        "mill.md",
        "# M\n\nIt has two wheels of oak.\n\n公司于二零二三年三月成立，总部设在北京。",
    )
    wheels = store.verify("It has four wheels of oak.")
    assert (wheels.verdict, wheels.quoted, wheels.stands) == ("missing", "four", "two")
    founded = store.verify("公司于二零二三年四月成立，总部设在北京")
    assert (founded.verdict, founded.nearest is not None) == ("missing", True)
    assert store.verify("two ships").nearest is not None
    assert store.verify("总部设在北京").verdict == "found"


def test_words_of_old_versions_are_not_current(store: cw.Store) -> None:
    add(store, "mill.md", "# M\n\nIt has two wheels of oak.")
    add(store, "mill.md", "# M\n\nIt has three wheels of oak.")
    add(store, "boat.md", "# B\n\nThe boat has one sail of linen.")
    store.remove("boat.md")
    for quote in ("two wheels of oak", "one sail of linen"):
        found = store.verify(quote)
        assert (found.verdict, found.is_current) == ("found", False)
    assert store.verify("three wheels of oak").is_current


def test_page_headers_are_found_and_named(store: cw.Store) -> None:
    elements = [
        {"type": "Header", "text": "Annual report of the mill", "metadata": {"page_number": 1}},
        {"type": "NarrativeText", "text": "It has two wheels.", "metadata": {"page_number": 1}},
    ]
    document = cw.read(elements, name="report.json")
    store.add(document)
    found = store.verify("Annual report of the mill")
    assert (found.verdict, found.places[0].kind) == ("found", "page header")
    assert store.verify("It has two wheels").places[0].kind == "paragraph"


def test_nothing_left_out_is_no_seam() -> None:
    text = "It rained for two days. The river rose above its banks."
    quote = "It rained for two days. [...] The river rose above its banks."
    assert QuoteTexts([text]).compare(quote).verdict in {"found", "abridged"}
