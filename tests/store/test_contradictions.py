"""Near-duplicates that contradict each other: none is hidden, and others still are."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.duplicates import contradiction, signatures, similarity
from tests.support.texts import WITH_SURROGATES

if TYPE_CHECKING:
    from pathlib import Path

SENTENCES = [
    (
        "Administrators can export every entry of the audit log as a CSV file for the last {} days,"
        " and the file is kept in the archive of the company until somebody deletes it by hand."
    ),
    (
        "The tenant {} keep dogs in the flat, in the yard and in the cellar of the house, as long"
        " as the neighbours have nothing against it and the landlord has been told in writing."
    ),
    (
        "The contract begins on {} and is renewed for the same time unless one of the parties gives"
        " notice in writing to the address that stands on the first page of this contract."
    ),
    (
        "A patient takes {} of the substance with a glass of water in the morning, on an empty"
        " stomach, and waits for the time that the doctor has told before breakfast is eaten."
    ),
    (
        "Die Kündigung ist {} zulässig, wenn der Mieter mit der Zahlung der Miete in Verzug ist und"
        " der Vermieter ihn zuvor schriftlich gemahnt und ihm eine Frist gesetzt hat."
    ),
    (
        "The goods are {} to the warehouse of the company that is named in the annex to this"
        " agreement, together with all of the papers which the carrier has to show at the border."
    ),
]
# What may stand in each sentence: no two say the same.
FILLED = [
    ["90", "30", "9", "1,000", "ninety-one", "5-10", "510"],
    ["may", "may not", "must", "cannot", "never may", "need not"],
    ["3 March 2024", "3 April 2024", "4 March 2024", "3 March 2025", "Monday", "Tuesday"],
    ["5 mg", "5 g", "50 mg", "5 ml", "0.5 mg", "five drops", "$5"],
    ["", "nicht", "nur", "niemals", "un"],
    ["sent before 9", "sent after 9", "accepted", "rejected", "taken by Smith", "taken by Jones"],
]
FILLERS = ["also", "really", "simply", "please", "quite", "indeed", "generally", "actually"]


def pairs() -> list[tuple[str, str]]:
    found = []
    for sentence, words in zip(SENTENCES, FILLED, strict=True):
        texts = [sentence.replace("{} ", f"{word} " if word else "") for word in words]
        texts = [text.replace("un zulässig", "unzulässig") for text in texts]
        found += [(a, b) for i, a in enumerate(texts) for b in texts[:i]]
    return found


def reworded(rng: random.Random, text: str) -> str:
    """The same with other whitespace and punctuation, and a filler at most."""
    words = text.split(" ")
    if rng.random() < 0.7:
        words.insert(rng.randrange(8, len(words)), rng.choice(FILLERS))
    at = rng.randrange(len(words))
    words[at] += rng.choice(["\n", "  ", " – ", ""])
    return " ".join(words).replace(", ", rng.choice([", ", "; ", " "])).rstrip(".")


@pytest.mark.parametrize(("one", "other"), pairs())
def test_what_differs_in_a_fact_contradicts(one: str, other: str) -> None:
    assert contradiction(one, other) is not None
    assert contradiction(other, one) is not None
    assert contradiction(one, one) is None


@pytest.mark.parametrize("seed", range(40))
def test_what_is_reworded_does_not(seed: int) -> None:
    rng = random.Random(seed)
    for sentence, words in zip(SENTENCES, FILLED, strict=True):
        text = sentence.replace("{} ", f"{rng.choice(words[:4])} ")
        other = reworded(rng, text)
        assert contradiction(text, other) is None, other
        assert signatures([text], keep_apart=True) != signatures([text])


@given(WITH_SURROGATES, WITH_SURROGATES)
def test_any_texts_may_be_compared(one: str, other: str) -> None:
    assert contradiction(one, one) is None
    found = contradiction(one, other)
    assert (found is None) == (contradiction(other, one) is None)
    # Behind a sign that limits, the number makes another limit of it.
    assert contradiction(one, f"{one} 7") in {"number", "limit"}


@given(st.lists(st.sampled_from(["90", "30", "not", "rain"]), min_size=4, max_size=9))
def test_signatures_are_apart_where_numbers_and_negations_differ(words: list[str]) -> None:
    texts = [" ".join(words), " ".join([*words, "never"])]
    own, other = signatures(texts, keep_apart=True)
    agree = [own[at : at + 4] == other[at : at + 4] for at in range(0, 512, 4)]
    assert sum(agree) < 16
    assert similarity(*texts) > 0.3


def test_one_text_is_no_two() -> None:
    with pytest.raises(ConfigError, match="texts must be several str"):
        contradiction("a", 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [0.3, 0.8])
def test_no_contradiction_is_hidden(tmp_path: Path, threshold: float) -> None:
    rng = random.Random(5)
    with cw.Store.open(tmp_path / "kb.db") as store:
        for number, (sentence, words) in enumerate(zip(SENTENCES, FILLED, strict=True)):
            texts = [sentence.replace("{} ", f"{word} " if word else "") for word in words[:4]]
            again = [reworded(rng, text) for text in texts]
            names = [f"s{number}-{i}-{kind}" for kind in "ab" for i in range(len(texts))]
            store.add(
                [
                    cw.Document(text=text, name=name)
                    for name, text in zip(names, texts + again, strict=True)
                ]
            )
            assert store.link_duplicates(threshold) >= (threshold < 0.8)
            found = store.search(sentence, 50, where={"documents": f"s{number}-*"})
            shown = {hit.document.split("-")[1] for hit in found}
            assert shown == {"0", "1", "2", "3"}
            for hit in found:
                like = {store.block(each).document.split("-")[1] for each in hit.duplicates}
                assert like <= {hit.document.split("-")[1]}
            everything = store.search(
                sentence, 50, where={"documents": f"s{number}-*"}, skip_duplicates=False
            )
            assert len(everything) == 8
            assert len(found) < 8 or threshold > 0.5


def test_a_chain_of_links_hides_no_contradiction(tmp_path: Path) -> None:
    middle = " and all of the others who came to see the river signed the paper in the evening"
    texts = {
        "smith": f"Then Smith{middle}",
        "nobody": f"Then{middle}",
        "jones": f"Then Jones{middle}",
    }
    with cw.Store.open(tmp_path / "kb.db") as store:
        store.add([cw.Document(text=text, name=name) for name, text in texts.items()])
        assert store.link_duplicates(0.5) == 2
        for question in ("who signed the paper by the river", "evening"):
            assert {hit.document for hit in store.search(question, 9)} >= {"smith", "jones"}
        for hit in store.search("Smith Jones paper", 9, skip_duplicates=False):
            like = {store.block(each).document for each in hit.duplicates}
            assert like == ({"nobody"} if hit.document != "nobody" else {"smith", "jones"})
