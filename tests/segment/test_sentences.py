"""Sentences from Python: the shared cases, tiling, languages and errors."""

import pickle
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import _core

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "sentences.toml").read_text("utf-8")
)["case"]

PIECES = [
    "He",
    "it",
    "Dr",
    "U.S",
    "5",
    ".",
    ". ",
    "? ",
    "...",
    '"',
    "(",
    ")",
    "\n",
    "\n\n",
    "- ",
    "漢。",
    "é",
    " ' ",
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_cases(case: dict[str, Any]) -> None:
    found = cw.split_sentences(case["text"], language=case.get("language", "en"))
    assert [sentence.strip() for sentence in found] == case["sentences"]
    assert "".join(found) == case["text"]


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.sampled_from(["en", "de", "ja", "el"]))
def test_sentences_tile_the_text(text: str, language: str) -> None:
    sentences = cw.split_sentences(text, language=language)
    assert "".join(sentences) == text
    assert all(sentences)


@given(st.text())
def test_any_text_is_tiled(text: str) -> None:
    assert "".join(cw.split_sentences(text)) == text


def test_empty_and_blank_texts() -> None:
    assert cw.split_sentences("") == []
    assert cw.split_sentences(" \n\n ") == [" \n\n "]


MARKS = ["\n\n", "\r\r", "\r\n\r\n", "\n \n", "\x0c", "\x85", "\u2029", "\r\u2028", "\x0b\x0b"]


@pytest.mark.parametrize("mark", MARKS)
def test_marks_of_paragraphs_end_sentences(mark: str) -> None:
    text = f"one{mark}two and{mark} three"
    assert cw.split_sentences(text) == [f"one{mark}", f"two and{mark} ", "three"]


@pytest.mark.parametrize("blank", ["\n", "\r", "\r\n", "\u2028", "\x0b", " ", "\xa0"])
def test_a_line_break_ends_no_sentence(blank: str) -> None:
    assert len(cw.split_sentences(f"one{blank}two")) == 1


@given(
    st.lists(st.sampled_from(["Ab", "cd", ". ", "! ", " ", "- ", "\r", "\n", *MARKS]), max_size=12)
)
def test_the_strategy_of_sentences_knows_the_same_paragraphs(parts: list[str]) -> None:
    text = "".join(parts)
    sentences = [said for each in cw.split_sentences(text) if (said := each.strip())]
    chunks = cw.chunk(text, "sentence", max_chars=100, sentences=1).texts()
    assert chunks == sentences


def test_surrogates_keep_their_offsets() -> None:
    text = "Up \ud83d\ude80. Down \udc80. Out."
    sentences = cw.split_sentences(text)
    assert sentences == ["Up \ud83d\ude80. ", "Down \udc80. ", "Out."]


def test_ends_are_code_points() -> None:
    assert _core.sentence_ends("Früh. Spät.", "de") == [6, 11]


@pytest.mark.parametrize("language", ["de", "DE", "de-AT", "de_CH"])
def test_regions_are_ignored(language: str) -> None:
    assert len(cw.split_sentences("Am 3. Mai. Gut.", language=language)) == 2


@pytest.mark.parametrize("language", ["xx", "", "english"])
def test_unknown_languages_are_named(language: str) -> None:
    with pytest.raises(cw.ConfigError, match=f"^unknown language {language!r}: known are 'af'"):
        cw.split_sentences("One. Two.", language=language)


def test_every_language_is_known() -> None:
    languages = _core.sentence_languages()
    assert len(languages) == len(set(languages))
    for language in languages:
        assert "".join(cw.split_sentences("A b. C d! 漢。", language=language)) == "A b. C d! 漢。"


def test_options_are_keyword_only() -> None:
    with pytest.raises(TypeError):
        cw.split_sentences("One.", "en")  # type: ignore[call-arg]


def test_the_function_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(cw.split_sentences)) is cw.split_sentences


def test_a_burmese_genitive_ends_nothing() -> None:
    text = "မြို့၏ လမ်း။ မိုးရွာသည်။"
    assert cw.split_sentences(text, language="my") == ["မြို့၏ လမ်း။ ", "မိုးရွာသည်။"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Nach § 5 Abs. 2 BGB gilt Art. 12 Abs. 1 GG."),
        ("tr", "Prof. Dr. Ali Kaya geldi."),
        ("cs", "Přišel prof. Novák a Ing. Dvořák."),
        ("hi", "डॉ. सिंह आए।"),
        ("ru", "См. рис. 5 и табл. 1."),
        ("en", "Chapter 1. The Beginning."),
        ("fr", "Section 3.1. Étendue des travaux."),
    ],
)
def test_one_sentence_stays_whole(language: str, text: str) -> None:
    assert cw.split_sentences(text, language=language) == [text]


def test_a_sentence_behind_an_abbreviation_begins() -> None:
    text = "Nach § 5 Abs. 2 BGB gilt es. Vgl. Rn. 7."
    assert cw.split_sentences(text, language="de") == [
        "Nach § 5 Abs. 2 BGB gilt es. ",
        "Vgl. Rn. 7.",
    ]
