"""Languages that texts are recognised in, by the codes of ISO 639."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from chunkwright.errors import ConfigError

_CODES = {
    "af": "afr",
    "ar": "ara",
    "az": "aze",
    "be": "bel",
    "bg": "bul",
    "bn": "ben",
    "bs": "bos",
    "ca": "cat",
    "cs": "ces",
    "cy": "cym",
    "da": "dan",
    "de": "deu",
    "el": "ell",
    "en": "eng",
    "eo": "epo",
    "es": "spa",
    "et": "est",
    "eu": "eus",
    "fa": "fas",
    "fi": "fin",
    "fr": "fra",
    "ga": "gle",
    "gl": "glg",
    "he": "heb",
    "hi": "hin",
    "hr": "hrv",
    "hu": "hun",
    "id": "ind",
    "is": "isl",
    "it": "ita",
    "ja": "jpn",
    "ka": "kat",
    "ko": "kor",
    "la": "lat",
    "lt": "lit",
    "lv": "lav",
    "mk": "mkd",
    "ms": "msa",
    "mt": "mlt",
    "nl": "nld",
    "no": "nor",
    "pl": "pol",
    "pt": "por",
    "ro": "ron",
    "ru": "rus",
    "sk": "slk",
    "sl": "slv",
    "sq": "sqi",
    "sr": "srp",
    "sv": "swe",
    "sw": "swa",
    "ta": "tam",
    "te": "tel",
    "th": "tha",
    "tl": "tgl",
    "tr": "tur",
    "uk": "ukr",
    "ur": "urd",
    "uz": "uzb",
    "vi": "vie",
    "zh": "chi_sim",
}
_OTHER_SCRIPTS = frozenset(
    {
        *("ara", "aze", "bel", "bul", "ben", "fas", "heb", "hin", "kat", "kor", "mkd", "rus"),
        *("srp", "tam", "tel", "tha", "ukr", "urd"),
    }
)
LATIN_AND_CJK = frozenset({*_CODES.values(), "chi_tra"} - _OTHER_SCRIPTS)
"""Those in Latin or Greek letters, and Chinese and Japanese, by the codes of three letters."""


def checked_languages(languages: object) -> tuple[str, ...]:
    """Return codes of three letters; none for None.

    Raises
    ------
    ConfigError
        If they are no sequence of texts.

    Examples
    --------
    >>> checked_languages(["en", "deu"])
    ('eng', 'deu')
    """
    if languages is None:
        return ()
    given = list(languages) if _is_list(languages) else [None]
    codes = [each for each in given if isinstance(each, str) and each]
    if len(codes) < len(given):
        raise ConfigError.refused("ocr_languages", 'a list of codes, such as ["en"]', languages)
    return tuple(dict.fromkeys(_CODES.get(code.lower(), code) for code in codes))


def _is_list(given: object) -> TypeGuard[Sequence[object]]:
    return isinstance(given, Sequence) and not isinstance(given, str)
