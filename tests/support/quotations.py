"""Quotes of texts: as pages show them, and altered so that they say something else."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

SCRIPTS = {
    "Latin": "The old mill stood beside the river for three hundred years before it burned down.",
    "Cyrillic": "Старая мельница стояла у реки триста лет, прежде чем она сгорела дотла.",
    "Greek": "Ο παλιός μύλος στεκόταν δίπλα στο ποτάμι για τριακόσια χρόνια πριν καεί.",
    "Arabic": "وقفت الطاحونة القديمة بجانب النهر ثلاثمئة عام قبل أن تحترق تماما.",
    "Hebrew": "הטחנה הישנה עמדה ליד הנהר במשך שלוש מאות שנה לפני שנשרפה כליל.",
    "Devanagari": "पुरानी चक्की जलने से पहले तीन सौ साल तक नदी के किनारे खड़ी रही थी।",
    "Thai": "โรงสีเก่าตั้งอยู่ริมแม่น้ำมาสามร้อยปีก่อนที่จะถูกไฟไหม้จนหมดสิ้น",
    "Han": "老磨坊在河边矗立了三百年，后来在一场大火中被彻底烧毁。",
    "Kana": "古い水車小屋は燃えるまで三百年のあいだ川のそばに立っていた。",
    "Hangul": "오래된 방앗간은 불에 타기 전까지 삼백 년 동안 강가에 서 있었다.",
    "Armenian": "Հին ջրաղացը երեք հարյուր տարի կանգնած էր գետի ափին մինչև այրվելը։",
    "Georgian": "ძველი წისქვილი სამასი წელი იდგა მდინარის პირას, სანამ დაიწვებოდა.",
    "Ethiopic": "አሮጌው ወፍጮ ከመቃጠሉ በፊት ለሦስት መቶ ዓመታት በወንዙ አጠገብ ቆሞ ነበር።",
    "Tamil": "பழைய ஆலை எரிவதற்கு முன்பு முந்நூறு ஆண்டுகள் ஆற்றங்கரையில் நின்றது.",
}
"""A sentence in each of fourteen scripts."""

_SPACELESS = {"Thai", "Han", "Kana", "Hangul"}
_WITH_HYPHENS = {"Latin", "Cyrillic", "Greek", "Armenian", "Georgian"}


class Shown(NamedTuple):
    """A source, and what its page shows."""

    source: str
    quote: str


def shown(rng: random.Random) -> Shown:
    """Return a sentence of any script with markup, and the same without."""
    script, sentence = rng.choice(list(SCRIPTS.items()))
    is_spaceless = script in _SPACELESS
    words = list(sentence) if is_spaceless else sentence.split(" ")
    words = [mark + ("" if is_spaceless else " ") for mark in words]
    for _ in range(rng.randint(1, 3)):
        i = rng.randrange(1, len(words) - 1)
        if not words[i].strip().isalpha():
            continue
        words[i] = rng.choice(_MARKS)(words[i], rng)
    source = "".join(words).strip()
    if script in _WITH_HYPHENS and rng.random() < 0.5:
        found = [
            m.start() + 3 for m in re.finditer(r"(?<![\w<&;*`\[(])[^\W\d_]{7,}(?=[ ,.])", source)
        ]
        if found:
            at = rng.choice(found)
            source = (
                source[:at] + rng.choice(["-\n", "\u00ad", "\u00ad\n", "\u2010\n"]) + source[at:]
            )
    return Shown(source, sentence)


def _in(before: str, behind: str) -> Callable[[str, random.Random], str]:
    def put(word: str, _: random.Random) -> str:
        bare = word.rstrip()
        return before + bare + behind + word[len(bare) :]

    return put


def _raised(word: str, _: random.Random) -> str:
    """Put the number of a note behind a word that has no exponent."""
    bare = word.rstrip()
    is_word = bare.isascii() and len(bare) > 3
    return f"{bare}<sup>1</sup>{word[len(bare) :]}" if is_word else word


def _entities(word: str, rng: random.Random) -> str:
    i = rng.randrange(len(word.rstrip()))
    return f"{word[:i]}&#{ord(word[i])};{word[i + 1 :]}"


_MARKS: list[Callable[[str, random.Random], str]] = [
    *(_in("**", "**"), _in("<b>", "</b>"), _in("`", "`"), _in("~~", "~~"), _in("==", "==")),
    *(_in("[", "](a_(b).html)"), _in("[", '](page "a title")'), _in("[", "][ref]")),
    *(_in("", "<!-- a comment -->"), _in("", "[12]"), _in("", "[^1]"), _in("\u200b", "")),
    *(_in("[", "]{.mark}"), _in("**", "**{#a .b}"), _in("", "![river](a.png)"), _raised),
    *(_in("", '<sup><a href="#n">1</a></sup>'), _in("", " [![b](a.png)](https://a.b)")),
    *(_in("", "\\\n"), _in("<span lang='x'>", "</span>"), _in("", "\n"), _entities),
]


def rendered(source: str) -> str:
    """Return what the page of a Markdown text shows, by another reader than ours."""
    page = MarkdownIt().render(source)
    page = re.sub(r"<(code|pre).*?>", "", page)
    return html.unescape(re.sub(r"<[^>]*>", "", page))


SENTENCES = [
    "Delivery takes 5-10 days in all cases, and the fee is 12.50 euros a day.",
    "The grant is 1–2 million euros a year, and it shall not be paid to Mr. Miller.",
    "The area is 10² metres wide, and the dose is 5 mg a day at -5 °C.",
    "The buyer shall [not] re-sign the contract of 1743 with Smith & Sons within 30 days.",
    "It rose by 5% to $3,400 in May 2019, which is legal in all of the 27 states.",
    "The sum is 1½ of the whole, and Mrs. Jones has not seen the 3/4 of it.",
    "The flat has 120 m² of floor, 300 m<sup>3</sup> of air and 8³ doors to 25 km² of wood.",
    "The Maße of kırk boxes is 10 % of x<sup>2</sup>, or 10^6^ of H₂O in all of it.",
]
"""Sentences with numbers, signs, units, names, negations, brackets and letters like others."""


def altered(sentence: str, rng: random.Random) -> str:
    """Return a sentence that says something else by one sign; as it was if nothing fits."""
    pattern, change = rng.choice(_CHANGES)
    found = list(re.finditer(pattern, sentence))
    if not found:
        return sentence
    at = rng.choice(found)
    return sentence[: at.start()] + change(at[0], rng) + sentence[at.end() :]


_CHANGES: list[tuple[str, Callable[[str, random.Random], str]]] = [
    (r"\d", lambda digit, rng: rng.choice([c for c in "0123456789" if c != digit])),
    (r"\d", lambda digit, rng: rng.choice("0123456789") + digit),
    (r"(?<=\w)[-–](?=\w)", lambda _, rng: rng.choice(["", " ", "/", "+"])),
    (r"[-–](?=\d)", lambda *_: ""),
    (r"(?<=\d)[.,/](?=\d)", lambda sign, rng: rng.choice(["", " ", sign + " ", ":"])),
    (r"\bnot ", lambda *_: ""),
    (r"\b(shall|has|is) (?!not|\[)", lambda word, _: word + "not "),
    (
        r"(?<=\d )mg|°C",
        lambda unit, rng: rng.choice(["Mg", "MG", "g", "ml"]) if unit == "mg" else "°F",
    ),
    (r"%|\$|°|½|²|&", lambda *_: ""),
    ("²|½", lambda sign, _: {"²": "2", "½": "1/2"}[sign]),
    ("Miller|Jones|Smith", lambda name, rng: rng.choice(["Müller", "Johnes", "Smyth", name + "s"])),
    ("ß|ı|₂", lambda letter, _: {"ß": "ss", "ı": "i", "₂": "2"}[letter]),
    (r"(?<=x)<sup>2</sup>|\^6\^", lambda script, _: "2" if "2" in script else "6"),
    (
        r"[²³]|<sup>3</sup>",
        lambda script, rng: rng.choice(["", "4", "23", "" if "<" in script else "2"]),
    ),
    (r"\.$", lambda *_: "?"),
    (r" %.*", lambda *_: ""),
    (r"\[not\]", lambda _, rng: rng.choice(["not", "", "(not)"])),
    (r"\blegal", lambda *_: "illegal"),
    (r"\b(euros|days|metres|states)\b", lambda word, rng: rng.choice([word[:-1], word + "es"])),
]
