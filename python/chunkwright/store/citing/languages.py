"""Languages that a text may be in, by its commonest words, for words that negate in some alone.

Only languages in Latin and Cyrillic letters are told apart: a word of another script is known by
that, or means the same in all of its languages.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

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
