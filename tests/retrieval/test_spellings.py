"""Spellings of words: what is written otherwise is found, and the exact spelling first."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

import pytest

import chunkwright as cw
from chunkwright.retrieval import Retriever

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
# Words by scripts: nothing here is a word of the tests of the core.
WORDS = {
    "latin": "façade naïveté Übergrößen Łódź smørrebrød crème brûlée ﬁnance",
    "vietnamese": "Việt Nguyễn đường phố",
    "greek": "Άνθρωπος υπολογιστής μαΐου",
    "cyrillic": "ёлка Йошкар пакетов съёмка",
    "arabic": "كِتَاب مُدَرِّسَة مكتبة",
    "hebrew": "שָׁלוֹם סְפָרִים תוכנה",
    "devanagari": "क़लम विद्यार्थियों हिन्दी",
    "tamil": "தமிழ் கொண்டு",
    "bengali": "বাংলা ড়ম",
    "georgian": "ქართული",
    "armenian": "Հայաստան",
    "thai": "ภาษาไทย น้ำใจ",
    "korean": "한국어 문서를 각하",
    "japanese": "ガイドブック パソコン データ",
    "chinese": "神经网络 機器學習",
    "digits": "٢٠٢٤ २०२४ １２３４ ๒๕๖๗",
}
FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
# In order of the alphabet of Unicode: the marks of Latin, Hebrew and Arabic.
MARKS = [range(0x300, 0x370), range(0x591, 0x5C8), range(0x610, 0x61B), range(0x64B, 0x660)]


def without_marks(word: str) -> str:
    """Return a word without marks that a keyboard may not have."""
    letters = unicodedata.normalize("NFD", word)
    kept = [c for c in letters if not any(ord(c) in marks for marks in MARKS)]
    return unicodedata.normalize("NFC", "".join(kept))


def wide(word: str) -> str:
    """Return a word with letters and digits of full width."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in word)


def hyphenated(word: str) -> str:
    """Return a word with what is not seen between its characters."""
    return "\u00ad".join(word) if word.isascii() else f"{word[:1]}\u200b{word[1:]}"


def ascii_digits(word: str) -> str:
    """Return a word with digits of ASCII."""
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in word)


def decomposed_capitals(word: str) -> str:
    """Return a word in capitals with decomposed letters."""
    return unicodedata.normalize("NFD", word.upper())


SAME: list[Callable[[str], str]] = [
    *(partial(unicodedata.normalize, form) for form in FORMS),
    *(wide, hyphenated, ascii_digits, str.upper, decomposed_capitals),
]


def pairs() -> list[tuple[str, str, bool]]:
    """Return words in two spellings, and whether these are the same to Unicode."""
    found = []
    for words in WORDS.values():
        for word in words.split():
            found += [(word, change(word), True) for change in SAME]
            bare = without_marks(word)
            found += [(word, bare, bare == unicodedata.normalize("NFC", word))]
    return [(one, other, same) for one, other, same in found if one != other]


PAIRS = pairs()
OTHERS = ["A text of its own.", "Ein anderer Text.", "もう一つ。"]


@pytest.mark.parametrize("subwords", ["prefix", "4-grams", None])
def test_a_spelling_finds_the_others_and_itself_first(subwords: str | None) -> None:
    retriever = Retriever(subwords=subwords, neighbour_smoothing=False)  # type: ignore[arg-type]
    missing = []
    for one, other, same in PAIRS:
        for asked, there in ((one, other), (other, one)):
            texts = [*OTHERS, f"see {there} here", "see nothing here"]
            (hits,) = retriever.index(texts).search(asked, k=1)
            if not (hits and hits[0].index == 3):
                missing.append((asked, there, "alone"))
            both = [*OTHERS, f"see {there} here", f"see {asked} here"]
            (hits,) = retriever.index(both).search(asked, k=2)
            rows = [hit.index for hit in hits]
            scores = [hit.score for hit in hits]
            is_right = scores[0] == scores[1] if same else rows[0] == 4
            if len(rows) < 2 or not is_right:
                missing.append((asked, there, "beside itself"))
    assert not missing


def test_the_store_finds_other_spellings(tmp_path: Path) -> None:
    chosen = random.Random(7).sample(PAIRS, 40)
    store = cw.Store.open(tmp_path / "kb.db")
    for number, (one, _, _) in enumerate(chosen):
        store.add([cw.Document(text=f"Word {number}: {one}.", id=f"{number}")])
    wrong = [
        (one, other)
        for number, (one, other, _) in enumerate(chosen)
        if f"{number}" not in {hit.document for hit in store.search(other, k=len(chosen))}
    ]
    assert not wrong


@pytest.mark.parametrize("form", FORMS)
def test_addresses_are_found_in_either_form(tmp_path: Path, form: Form) -> None:
    store = cw.Store.open(tmp_path / "kb.db")
    names = ["résumé.md", "한국어/문서.md", "plain.md"]
    for name in names:
        store.add([cw.Document(text="It rains here.", id=unicodedata.normalize(form, name))])
    for name in names:
        for asked in (unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)):
            for pattern in (asked, f"{asked[:-1]}*"):
                (hit,) = store.search("rains", k=9, where={"documents": pattern})
                assert unicodedata.normalize("NFC", hit.document) == name
            assert store.document(asked).text == "It rains here."
            assert len(store.versions(asked)) == 1
            (block,) = store.blocks(asked)
            assert len(store.chunks(asked)) == len(list(store.rows(asked))) == 1
            assert store.verify("It rains", asked).verdict == "found"
            assert store.cite(block.id) in store.citations(asked)
    for name in names:
        assert store.remove(unicodedata.normalize("NFC", name)).outcome == "removed"
        assert store.erase(unicodedata.normalize("NFD", name)).n_documents == 1


@pytest.mark.parametrize(
    ("text", "other", "question"),
    [
        ("这种药每天吃一次。", "这种菜每天吃一次。", "药"),
        ("这种药每天吃一次。", "这种菜每天吃一次。", "药怎么吃"),
        ("猫が魚を食べる", "犬が肉を食べる", "猫は何を食べますか"),
        ("昨日は雨だった。", "昨日は晴れだった。", "雨"),
        ("오늘은 비가 온다", "오늘은 눈이 온다", "비"),
        ("请记住这一点", "请忘掉这一点", "记"),
        ("매일 약을 먹는다", "매일 밥을 먹는다", "약은 언제 먹나"),
    ],
)
def test_words_of_one_character_are_found(text: str, other: str, question: str) -> None:
    for texts, wanted in (([text, other], 0), ([other, text], 1)):
        (hits,) = Retriever().index(texts, doc_ids=[0, 1]).search(question, k=2)
        assert hits[0].index == wanted
        assert len(hits) == 1 or hits[0].score > hits[1].score


def test_pairs_decide_over_characters() -> None:
    texts = ["人工智能的研究", "工人和智者能力", "能工巧匠人智"]
    (hits,) = Retriever(neighbour_smoothing=False).index(texts).search("人工智能", k=3)
    assert hits[0].index == 0
    assert hits[0].score > 2 * hits[1].score
