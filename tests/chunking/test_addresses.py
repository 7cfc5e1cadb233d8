"""Postal addresses of ten countries in runs: no line of one is cut where all of it fits."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw

# Called with options that the test has as data.
CHUNK: Any = cw.chunk

NAMES = ["Ada Lee", "Bo van der Berg", "J. P. Ames", "Dr. Eva Krüger", "O'Neil & Sons Ltd."]


def _form(form: str) -> st.SearchStrategy[str]:
    """Return addresses of a form, whose names and numbers are drawn."""
    return st.builds(
        form.format,
        name=st.sampled_from(NAMES),
        n=st.integers(1, 980),
        code=st.integers(10_000, 99_999),
    )


# Each with the language that it is in.
BY_COUNTRY = {
    "us": ("en", _form("{name}\n{n} N. Main St., Apt. 4B\nSt. Paul, MN {code}\nUSA")),
    "gb": ("en", _form("{name}\nFlat 2, {n} St. Mary's Rd.\nLONDON\nSW1A 2AA")),
    "in": ("en", _form("{name}\nNo. {n}, 2nd Cross Rd.\nOpp. City Hosp., Bengaluru - 560 001")),
    "de": ("de", _form("{name}\nHauptstr. {n} a\n{code} Köln")),
    "fr": ("fr", _form("M. {name}\n{n} bis, av. de l'Opéra\n{code} PARIS CEDEX 01")),
    "nl": ("nl", _form("{name}\nPrins Hendrikstr. {n}-II\n1011 AB  Amsterdam")),
    "jp": ("ja", _form("〒100-0001\n東京都千代田区千代田{n}番1号\n山田 太郎 様")),
    "cn": ("zh", _form("100080\n北京市海淀区中关村大街{n}号\n王小明 收")),
    "br": ("pt", _form("{name}\nRua Sto. Antônio, {n} - apto. 12\nSão Paulo - SP\n01314-000")),
    "ru": ("ru", _form("ул. Ленина, д. {n}, кв. 5\nг. Тверь\n170100\nИванову И. И.")),
}
RUNS = st.lists(st.one_of([form for _, form in BY_COUNTRY.values()]), min_size=1, max_size=9)
LIMITS = st.integers(16, 200)
BY_SENTENCES = ["sentence", "balanced", "cluster", "kamradt", "kamradt_modified", "discontinuity"]
APARTMENT = "Ada Lee\n1 N. Main St., Apt. 4B\nSt. Paul, MN 55101\nUSA"


def _parted(text: str, units: list[str], chunks: cw.Chunks) -> list[int]:
    """Return the numbers of the units, which are in the order of the text, that a cut lies in."""
    at, parted = 0, []
    cuts = [(one.end, other.start) for one, other in pairwise(chunks)]
    for number, unit in enumerate(units):
        start = text.index(unit, at)
        at = start + len(unit)
        if any(start < end < at or start < begin < at for end, begin in cuts):
            parted.append(number)
    return parted


def _parted_lines(addresses: list[str], limit: int, strategy: str, **options: str) -> list[str]:
    """Return the lines of addresses within the limit that a strategy cuts."""
    text = "\n\n".join(addresses)
    chunks = CHUNK(text, strategy, max_chars=limit, **options)
    assert all(chunk.oversize or len(chunk.text) <= limit for chunk in chunks)
    lines = [(line, len(each) <= limit) for each in addresses for line in each.split("\n")]
    parted = _parted(text, [line for line, _ in lines], chunks)
    return [lines[number][0] for number in parted if lines[number][1]]


@given(addresses=RUNS, limit=LIMITS)
@example(addresses=[APARTMENT] * 3, limit=60)
def test_no_address_that_fits_is_cut(addresses: list[str], limit: int) -> None:
    text = "\n\n".join(addresses)
    parted = _parted(text, addresses, CHUNK(text, "recursive", max_chars=limit))
    assert [addresses[number] for number in parted if len(addresses[number]) <= limit] == []


@pytest.mark.parametrize("strategy", ["recursive", "line_based"])
@given(addresses=RUNS, limit=LIMITS)
def test_no_line_of_an_address_that_fits_is_cut(
    strategy: str, addresses: list[str], limit: int
) -> None:
    assert _parted_lines(addresses, limit, strategy) == []


@pytest.mark.parametrize("country", BY_COUNTRY)
@pytest.mark.parametrize("strategy", BY_SENTENCES)
@given(data=st.data(), limit=LIMITS)
def test_sentences_of_a_language_end_in_no_line_of_its_addresses(
    strategy: str, country: str, data: st.DataObject, limit: int
) -> None:
    language, form = BY_COUNTRY[country]
    addresses = data.draw(st.lists(form, min_size=1, max_size=9))
    assert _parted_lines(addresses, limit, strategy, language=language) == []
