"""Where passages stand: as the report's search finds them, in a time that texts do not decide."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import MissingExtraError
from chunkwright.evaluation.locating import Searched, locate
from chunkwright.evaluation.loose_match import Place, Squeezed, fold

# Few letters, so that much is found; letters whose cases are odd; spaces of all kinds.
WORDS = st.text("abAB. \n\t\u00a0\u3000\x1fſsSKkıiIİßẞσςΣ", max_size=30)


def found_by_pattern(document: str, target: str) -> Place | None:
    """Return what the report's regular expression finds."""
    words = target.split()
    match = re.search(r"\s*".join(map(re.escape, words)), document, re.IGNORECASE)
    return (match.start(), match.end()) if match and words else None


@given(WORDS, WORDS)
def test_words_are_found_as_by_a_regular_expression(document: str, target: str) -> None:
    assert Squeezed(document).find(target) == found_by_pattern(document, target)


@given(WORDS, st.data())
def test_slices_are_found_as_by_a_regular_expression(document: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(document)))
    target = document[start : data.draw(st.integers(start, len(document)))]
    spaced = data.draw(st.sampled_from([target, target.swapcase(), " ".join(target.split())]))
    assert Squeezed(document).find(spaced) == found_by_pattern(document, spaced)


def test_letters_are_alike_as_for_a_regular_expression() -> None:
    codes = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    cased = [c for c in codes if c.lower() != c or c.upper() != c or c.casefold() != c]
    alike: dict[str, set[str]] = {}
    for letter in cased:
        alike.setdefault(fold(letter), set()).add(letter)
    every = "".join(cased)
    for letter in cased:
        assert set(re.findall(re.escape(letter), every, re.IGNORECASE)) == alike[fold(letter)]


def test_a_last_full_stop_is_dropped() -> None:
    assert locate("No. Yes. No.", "Yes.") == (4, 7)
    assert locate("No. Yes. No.", "Yes..") == (4, 8)
    assert locate("No. Yes. No.", ".") == (0, 0)


def test_exact_goes_before_spaced_and_the_first_place_counts() -> None:
    assert locate("one\ntwo, one two, one two", "one two") == (9, 16)
    assert locate("one\ntwo, one two", "ONE two") == (0, 7)


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("down it burnt", (22, 35)),
        ("IT burnt, (down)!", (22, 35)),
        ("It burnt down twice", None),
        ("burnt", (25, 30)),
        ("", (0, 0)),
        ("  ", None),
        ("?!", None),
    ],
)
def test_single_sentences_are_found_by_their_words(target: str, place: Place | None) -> None:
    assert locate("It was built in 1743. It burnt down! Twice?", target) == place


def test_letters_beyond_ascii_count() -> None:
    document = "Le café noir. Et puis rien."
    assert locate(document, "noir le café") == (0, 12)
    assert locate(document, "noir le cafè") is None
    long = "e " * 5_001
    assert locate(f"{long}noir. Rien.", f"noir {long}") is None


def test_the_first_of_equally_good_sentences_is_taken() -> None:
    good, better = "a" * 300 + "b" * 8, "a" * 300 + "c" * 4
    # The shares, 98.5 % and 99.2 %, are the same once they are rounded.
    assert locate(f"x! {good}. {better}.", "a" * 300 + "d") == (3, 3 + len(good))
    assert locate(f"x! {good}bbbb. {better}.", "a" * 300 + "d") == (317, 317 + len(better))


def test_sentences_need_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    assert locate("It burnt down.", "it  BURNT") == (0, 8)
    with pytest.raises(MissingExtraError, match=r"chunkwright\[evaluation\]"):
        locate("It burnt down.", "down it burnt")


@given(st.lists(WORDS, max_size=6), st.sampled_from(["", " ", "\n\n"]))
def test_passages_in_order_are_where_they_are(passages: list[str], between: str) -> None:
    document = between.join(passages)
    for passage, place in zip(passages, Searched(document).in_order(passages), strict=True):
        if passage.split():
            assert place is not None
            start, end = place
            assert fold("".join(document[start:end].split())) == fold("".join(passage.split()))


def test_repeated_passages_advance_even_if_their_spaces_are_lost() -> None:
    document = "Yes\nit is. No. Yes\nit is. Yes it is."
    places = Searched(document).in_order(["Yes it is.", "No.", "Yes it is.", "Yes it is."])
    assert places == [(0, 10), (11, 14), (15, 25), (26, 36)]


def test_whitespace_within_a_word_is_refused_and_the_next_place_found() -> None:
    assert Squeezed("ab c, a bc").find("a bc") == (6, 10)
    assert Searched("ab c, a bc").in_order(["a bc", "x"]) == [(6, 10), None]


def test_hostile_texts_cost_no_more_than_their_length() -> None:
    n = 200_000
    assert Squeezed("a " * n).find("a" * (n - 1) + "b") is None
    assert Squeezed(" " * n).find("a") is None
    # Each of the many places has whitespace within a word.
    assert Searched("aa " * n).in_order(["aaa aaa"] * 20) == [None] * 20
    # One sentence as long as the text is not compared with a target as long as that.
    assert locate("a b " * n, "b a " * n + "c") is None
    searched = Searched("a" * n)
    assert searched.locate_all(["a" * i + "b" for i in range(500)]) == [None] * 500
