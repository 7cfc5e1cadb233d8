"""Negations: words that turn what a sentence says into the contrary.

For the languages whose sentences are known, see :func:`chunkwright.split_sentences`; for some of
them the commonest words alone. Affixes such as the Turkish ``-ma`` are not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chunkwright import _core

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

WORDS: Final[dict[str, str]] = {
    "en": "not no never none neither nor nobody nothing nowhere cannot without unless except hardly"
    " barely",
    "ar": "لا ليس ليست لم لن غير بدون",
    "bg": "не нито никога никой нищо без",
    "bn": "না নয় নেই নি",
    "bo": "མ མི མེད མིན",
    "ca": "no mai cap ningú res sense ni",
    "cs": "ne není nejsou nikdy nikdo nic žádný bez ani nesmí",
    "da": "ikke ej aldrig ingen intet uden hverken",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts nirgends weder"
    " ohne außer kaum keinesfalls keineswegs mitnichten",
    "el": "δεν δε μη μην όχι ποτέ κανείς τίποτα ούτε χωρίς",
    "es": "no nunca jamás nadie nada ningún ninguno ninguna ni sin tampoco",
    "et": "ei ära mitte pole kunagi keegi ilma",
    "fa": "نه نیست نیستند هیچ هرگز بدون نباید",
    "fi": "ei en et emme ette eivät älä älkää ilman koskaan",
    "fr": "ne n pas jamais rien personne aucun aucune ni sans non guère nul nulle"
    " nullement aucunement",
    "gu": "નહીં નથી ના ન",
    "he": "לא אין אל בלי ללא מעולם",
    "hi": "नहीं न मत ना बिना",
    "hr": "ne nije nisu nikad nikada nitko ništa bez ni niti",
    "hu": "nem ne nincs nincsenek sem soha senki semmi nélkül",
    "hy": "ոչ չի չէ չեն առանց երբեք",
    "id": "tidak bukan jangan belum tanpa tak tiada",
    "is": "ekki ei aldrei enginn engin ekkert án",
    "it": "non mai nessuno nessuna nessun niente nulla né senza neppure neanche",
    "ko": "안 못",
    "kk": "емес жоқ ешқашан ешкім",
    "kn": "ಅಲ್ಲ ಇಲ್ಲ ಬೇಡ",
    "lv": "ne nav nekad neviens nekas bez",
    "ml": "അല്ല ഇല്ല",
    "mr": "नाही नाहीत नको न",
    "nb": "ikke aldri ingen intet uten verken",
    "ne": "होइन छैन न",
    "nl": "niet geen nooit niemand niets nergens noch zonder nimmer geenszins",
    "nn": "ikkje aldri ingen inkje utan",
    "or": "ନୁହେଁ ନାହିଁ ନା",
    "pa": "ਨਹੀਂ ਨਾ ਨਾਂ",
    "pl": "nie nigdy nikt nic żaden żadna żadne bez ani",
    "pt": "não nunca jamais ninguém nada nenhum nenhuma nem sem",
    "ro": "nu nici niciodată nimeni nimic niciun nicio fără",
    "ru": "не ни нет никогда никто ничего ничто без нельзя",
    "sk": "nie nikdy nikto nič žiadny bez ani nesmie",
    "sl": "ne ni niso nikoli nihče nič brez niti",
    "sr": "не није нису никад никада нико ништа без ни нити",
    "sv": "inte ej icke aldrig ingen inget inga utan varken",
    "ta": "இல்லை அல்ல வேண்டாம்",
    "te": "కాదు లేదు వద్దు",
    "tr": "değil yok hiç asla hayır",
    "uk": "не ні немає ніколи ніхто нічого без",
    "ur": "نہیں نہ مت بغیر",
    "vi": "không chẳng chưa đừng chớ",
}
"""Words by languages, in lower case."""

_PARTS: Final = (
    *("不", "没", "沒", "無", "无", "非", "未", "勿", "莫", "別", "别"),
    *("ない", "ません", "なかっ", "なし", "ぬ", "ず"),
    *("않", "없", "못", "아니", "말아", "마십"),
    *("ไม่", "มิ", "ห้าม", "ບໍ່", "ມິ", "មិន", "ឥត", "គ្មាន", "မ"),
    *("አይ", "አል", "የለ"),
)
_ENDINGS: Final = ("n't", "n\u2019t")
_BEGINNINGS: Final = ("n'", "n\u2019")
_LANGUAGES: Final = {
    word: frozenset(code for code, others in WORDS.items() if word in others.split())
    for words in WORDS.values()
    for word in words.split()
}
# Those that other languages have as ordinary words: by their count in translated messages of
# programs in forty languages, and by dictionaries.
_ORDINARY_WORDS: Final = (
    "cap ei ej en et ette inga mai mitte n nada ne ni no noch non none not nu nul nulla nulle né"
    " pas pole res sans sem sense sin tak utan ни"
)
_ORDINARY: Final = frozenset(_ORDINARY_WORDS.split())


def may_negate(word: str, languages: Collection[str]) -> bool:
    """Return whether a word may be a negation, or is none of any language.

    Parameters
    ----------
    word
        The word, in lower case.
    languages
        What the text may be in; none if that is not known.

    Examples
    --------
    >>> may_negate("et", ("fi",)), may_negate("et", ("fr",)), may_negate("et", ())
    (True, False, True)
    """
    own = _LANGUAGES.get(word)
    return own is None or not own.isdisjoint(languages or own) or word not in _ORDINARY


def negations_in(words: Iterable[str], text: str) -> list[str]:
    """Return the negations of a sentence, of any language.

    Parameters
    ----------
    words
        Its words, in lower case.
    text
        The sentence: languages without blanks are looked for in it, and abbreviations of numbers
        that are spelt as negations.

    Examples
    --------
    >>> negations_in("dogs don't bark and are no longer kept".split(), "")
    ["don't", 'no']
    >>> negations_in("rule no 10".split(), "rule no. 10")
    []
    """
    found = [
        word
        for word in words
        if word in _LANGUAGES or word.endswith(_ENDINGS) or word.startswith(_BEGINNINGS)
    ]
    for word in _core.numberings(text):
        if word in found:
            found.remove(word)
    if text.isascii():
        return found
    return found + [part for part in _PARTS for _ in range(text.count(part))]
