"""Languages of OCR as clients of Docling say them: tags, codes and names, as codes of ours."""

from __future__ import annotations

from collections.abc import Iterable

_NAMES = {
    "arabic": "ar",
    "bulgarian": "bg",
    "ch": "zh",
    "ch_sim": "zh",
    "ch_tra": "chi_tra",
    "chi": "chi_sim",
    "chinese": "zh",
    "chinese_cht": "chi_tra",
    "croatian": "hr",
    "cyrillic": "ru",
    "czech": "cs",
    "danish": "da",
    "dutch": "nl",
    "english": "en",
    "finnish": "fi",
    "fre": "fr",
    "french": "fr",
    "ger": "de",
    "german": "de",
    "greek": "el",
    "hebrew": "he",
    "hindi": "hi",
    "hungarian": "hu",
    "italian": "it",
    "japan": "ja",
    "japanese": "ja",
    "korean": "ko",
    "norwegian": "no",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "slovak": "sk",
    "spanish": "es",
    "swedish": "sv",
    "turkish": "tr",
    "ukrainian": "uk",
    "zh-hans": "zh",
    "zh-hant": "chi_tra",
    "zh-tw": "chi_tra",
}
# What an engine reads if nothing else is said.
_ANY = frozenset({"", "auto", "latin", "mul"})


def languages_of(said: Iterable[str]) -> list[str] | None:
    """Return codes of languages as readers take them; None if none is named.

    Parameters
    ----------
    said
        Tags of BCP 47, codes of two or three letters, or names; several of them in one text, too.

    Examples
    --------
    >>> languages_of(["en", "de-DE"]), languages_of(["english,fra"]), languages_of(["auto"])
    (['en', 'de'], ['en', 'fra'], None)
    """
    parts = (part for each in said for part in each.replace("+", ",").replace(";", ",").split(","))
    codes = [_code(part.strip().lower()) for part in parts]
    return list(dict.fromkeys(code for code in codes if code)) or None


def _code(said: str) -> str | None:
    if said in _ANY:
        return None
    return _NAMES.get(said) or _NAMES.get(said.partition("-")[0]) or said.partition("-")[0]
