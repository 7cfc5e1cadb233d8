"""Negations in the text around a quote, and the languages that it may be in.

For the languages whose sentences are known, see :func:`chunkwright.split_sentences`; for some of
them the commonest words alone. Affixes such as the Turkish ``-ma`` are not known.

Some words negate in some languages alone, so a text's languages are told by its commonest words.
Only languages in Latin and Cyrillic letters are told apart: a word of another script is known by
that, or means the same in all of its languages.
"""

from __future__ import annotations

import re
from collections import Counter
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
_NEGATED_IN: Final = {
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
    own = _NEGATED_IN.get(word)
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
        if word in _NEGATED_IN or word.endswith(_ENDINGS) or word.startswith(_BEGINNINGS)
    ]
    for word in _core.numberings(text):
        if word in found:
            found.remove(word)
    if text.isascii():
        return found
    return found + [part for part in _PARTS for _ in range(text.count(part))]


_WORDS: Final[dict[str, str]] = {
    "bg": "и на в се да е за от с по ще че са или",
    "ca": "el la els les de que i en un una és per amb del al dels es",
    "cs": "a v se na je že s z do o pro to jako k by jsou nebo",
    "da": "og i det at en er den til på af for med de som har kan et",
    "de": "der die das und ist ein eine von zu den mit dem für auf sich des es als im wird werden",
    "en": "the of and to in is that it for on with as are this be by or from which a was you",
    "es": "el la los las de que y en un una es por con para se del al su como",
    "et": "ja on ei et see oli kui ka või mis selle",
    "fi": "ja on ei että se oli ovat myös tai joka kun sen ole jos",
    "fr": "le la les de des et est un une du en dans que qui pour sur au avec par il ce cette vous",
    "hr": "i u je se na da za su od s o koji kao ili",
    "hu": "a az és hogy egy van is ez meg vagy volt",
    "id": "yang dan di untuk dengan ini dari dalam pada adalah atau itu",
    "is": "og í að er á sem til um það við en af með fyrir",
    "it": "il la di che e è un una per del della in con sono i le si dei alla nel",
    "kk": "және бұл үшін мен бір",
    "lv": "un ir ar no uz par kas lai tas vai",
    "nb": "og i det er på til som en av for å med den har kan et",
    "nl": "de het een van en is in op dat te voor met zijn die aan er om",
    "nn": "og i det er på til som ein av for å med den har kan eit",
    "pl": "i w na z się do że jest to o jak za od przez dla po lub",
    "pt": "o a os as de que e do da em um uma para com é por dos das ao se",
    "ro": "și şi de în a la cu o pe este care un din pentru se sau",
    "ru": "и в на с по что как это для от к из или его",
    "sk": "a v sa na je že s z do o pre to ako k by sú alebo",
    "sl": "in v je se na da za so z o pri ki ali",
    "sr": "и у је се на да за су од о који као или",
    "sv": "och i att det en är som på av för den med till om ett har kan",
    "tr": "ve bir bu için ile de da olarak olan en",
    "uk": "і в на з до що як та це для від або й",
    "vi": "và của là có cho các một trong được với này những",
}
"""Some of the commonest words of languages, in lower case."""

_LANGUAGES: Final[dict[str, list[str]]] = {}
for _code, _words in _WORDS.items():
    for _word in _words.split():
        _LANGUAGES.setdefault(_word, []).append(_code)

_WORD = re.compile(r"[^\W\d_]+")
# A letter alone may be an initial or a variable: other words count for so much more.
_WEIGHT = 2
# A language is told by three of its words; others may be meant with such a share of them.
_LEAST, _SHARE = 3 * _WEIGHT, 0.6

# So many words have a common one among them.
_N_TELLING = 7


def languages_of(text: str) -> frozenset[str]:
    """Return the languages that a text may be in; empty if its words tell none.

    Parameters
    ----------
    text
        The text; its case does not matter.

    Examples
    --------
    >>> sorted(languages_of("Der Hund ist im Haus, und die Katze schläft auf dem Dach."))
    ['de']
    >>> languages_of("Hunde bellen nie.")
    frozenset()
    """
    return _commonest(_WORD.findall(text.lower()))


def languages_within(sentence: str, text: str) -> frozenset[str]:
    """Return the languages that a sentence may be in; those of a text around it if it tells none.

    A sentence of some length without any common word of that text's languages is in another one,
    and its languages are not known.
    """
    found = languages_of(sentence)
    if found:
        return found
    around, words = languages_of(text), _WORD.findall(sentence.lower())
    is_of_text = len(words) < _N_TELLING or any(
        not around.isdisjoint(_LANGUAGES.get(word, ())) for word in words
    )
    return around if is_of_text else frozenset()


def _commonest(words: Iterable[str]) -> frozenset[str]:
    counts = Counter[str]()
    for word in words:
        for code in _LANGUAGES.get(word, ()):
            counts[code] += _WEIGHT if len(word) > 1 else 1
    most = max(counts.values(), default=0)
    if most < _LEAST:
        return frozenset()
    return frozenset(code for code, count in counts.items() if count >= _SHARE * most)
