"""Numerals of Word's numberings: a number as letters, Roman numerals or other signs."""

from __future__ import annotations

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
_HAN = "〇一二三四五六七八九"
# Beyond, letters and Roman numerals would grow as long as the number is large.
_MAX_LETTERS, _MAX_ROMAN = 780, 4_999


def numeral(n: int, form: str) -> str:
    """Return a number as Word writes it in a form of ``w:numFmt``; in an unknown one as digits.

    Examples
    --------
    >>> [numeral(28, form) for form in ("decimalZero", "lowerLetter", "upperRoman", "ordinal")]
    ['28', 'bb', 'XXVIII', '28th']
    """
    if form == "none":
        return ""
    if form == "decimalZero":
        return f"{n:02}"
    if form in {"lowerLetter", "upperLetter"}:
        return _cased(_letters(n, _LATIN), form)
    if form in {"russianLower", "russianUpper"}:
        return _cased(_letters(n, _RUSSIAN), form)
    if form in {"lowerRoman", "upperRoman"}:
        return _cased(_roman(n), form)
    return _other(n, form)


def _other(n: int, form: str) -> str:
    if form == "ordinal":
        return f"{n}{_ending(n)}"
    if form == "decimalEnclosedCircle" and 1 <= n <= 20:  # noqa: PLR2004 - those that there are
        return chr(0x2460 + n - 1)
    if form == "ideographDigital":
        return "".join(_HAN[int(digit)] for digit in str(abs(n)))
    if form in _COUNTED and 1 <= n <= 99:  # noqa: PLR2004 - as far as all of these forms agree
        return _counted(n)
    return str(n)


_COUNTED = {
    *("chineseCounting", "chineseCountingThousand", "japaneseCounting", "koreanCounting"),
    *("taiwaneseCounting", "taiwaneseCountingThousand"),
}


def _cased(text: str, form: str) -> str:
    return text.upper() if form.startswith("upper") or form.endswith("Upper") else text


def _letters(n: int, letters: str) -> str:
    """Return a, b, …, z, aa, bb, …."""
    if not 1 <= n <= _MAX_LETTERS:
        return str(n)
    times, at = divmod(n - 1, len(letters))
    return letters[at] * (times + 1)


def _roman(n: int) -> str:
    if not 1 <= n <= _MAX_ROMAN:
        return str(n)
    found = []
    for worth, sign in _ROMAN:
        times, n = divmod(n, worth)
        found.append(sign * times)
    return "".join(found)


def _ending(n: int) -> str:
    is_teen = n % 100 in {11, 12, 13}
    return "th" if is_teen else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


def _counted(n: int) -> str:
    tens, ones = divmod(n, 10)
    front = "" if tens == 0 else "十" if tens == 1 else f"{_HAN[tens]}十"
    return front + (_HAN[ones] if ones else "")
