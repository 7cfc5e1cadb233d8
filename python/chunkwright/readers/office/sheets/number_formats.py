"""Number formats of sheets: how Excel shows a number, a date, a share or an amount."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from chunkwright.readers.office.sheets.date_formats import shown_date

BUILTIN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    41: "#,##0;-#,##0;-",
    42: "$#,##0;$(#,##0);$-",
    43: "#,##0.00;-#,##0.00;-",
    44: "$#,##0.00;$(#,##0.00);$-",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 59)), "yyyy-mm-dd"),
    **dict.fromkeys((32, 34), "h:mm"),
    **dict.fromkeys((33, 35), "h:mm:ss"),
}
"""The formats that files name by their number only; those of dates that Excel shows as the
language of its user has them are written as in ISO 8601."""

# What a format is made of: quoted and escaped texts, brackets, blanks as wide as a sign, and signs.
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|(?P<wide>_.|\*.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<sign>General|E[+-]|AM/PM|A/P|.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_MAX_DIGITS = 30
DIGITS = 15
"""So many digits of a number are right."""
_MOST_WHOLE, _LEAST_SHARE = 1e15, 1e-9


class _Section(NamedTuple):
    """A section of a format: its signs and texts, what it is for, and whether it is of dates."""

    parts: tuple[tuple[str, str], ...]
    condition: tuple[str, float] | None
    is_date: bool


def shown(value: float, code: str, *, from_1904: bool = False) -> str:
    """Return a number as a format shows it.

    Parameters
    ----------
    value
        The number.
    code
        The format.
    from_1904
        Whether days are counted from 1904, as in old files of Macintosh.

    Examples
    --------
    >>> shown(0.125, "0.0%"), shown(-1234.5, '#,##0.00 "€"'), shown(45000, "yyyy-mm-dd")
    ('12.5%', '-1,234.50 €', '2023-03-15')
    """
    sections = _sections(code)
    at = _chosen(sections, value)
    section = sections[at]
    if section.is_date:
        return shown_date(value, section.parts, from_1904=from_1904) or plain(value)
    # A section for negative numbers alone says itself how these are marked.
    is_marked = value < 0 and (at == 0 or section.condition is not None)
    try:
        return _number(abs(value), section.parts, is_negative=is_marked)
    except (InvalidOperation, OverflowError, ValueError):
        return plain(value)


def is_date(code: str) -> bool:
    """Return whether a format shows a date or a time."""
    return _sections(code)[0].is_date


def plain(value: float) -> str:
    """Return a number without a format, of at most 15 digits.

    Examples
    --------
    >>> plain(3.0), plain(0.1 + 0.2), plain(1e20)
    ('3', '0.3', '1E+20')
    """
    if value == int(value) and abs(value) < _MOST_WHOLE:
        return str(int(value))
    return f"{value:.15G}"


def shown_text(text: str, code: str) -> str:
    """Return a text as the section of a format for texts shows it."""
    sections = _sections(code)
    section = next((each for each in sections[3:4]), sections[-1])
    parts = [text if kind == "sign" and part == "@" else part for kind, part in section.parts]
    has_place = any(each == ("sign", "@") for each in section.parts)
    return "".join(parts) if has_place else text


@lru_cache(4096)
def _sections(code: str) -> tuple[_Section, ...]:
    sections: list[list[tuple[str, str]]] = [[]]
    for found in _TOKEN.finditer(code):
        kind = found.lastgroup or "quoted"
        part = found[kind] or ""
        if kind == "sign" and part == ";":
            sections.append([])
        else:
            sections[-1].append((kind, part))
    return tuple(_section(parts) for parts in sections[:4])


def _section(parts: list[tuple[str, str]]) -> _Section:
    kept, condition, is_date = list[tuple[str, str]](), None, False
    for kind, part in parts:
        if kind == "wide":
            kept.append(("text", " " if part[0] == "_" else ""))
        elif kind in {"quoted", "escaped"}:
            kept.append(("text", part))
        elif kind == "bracket":
            found = _CONDITION.fullmatch(part.strip())
            if found:
                condition = (found[1], float(found[2]))
            elif part.startswith("$"):
                kept.append(("text", part[1:].partition("-")[0]))
            elif _ELAPSED.fullmatch(part):
                kept.append(("elapsed", part.lower()))
                is_date = True
        else:
            kept.append(("sign", part))
            is_date |= part.lower() in {"y", "m", "d", "h", "s", "am/pm", "a/p"}
    return _Section(tuple(kept), condition, is_date)


def _chosen(sections: tuple[_Section, ...], value: float) -> int:
    """Return which section shows a number."""
    for at, section in enumerate(sections[:3]):
        if section.condition is not None and _holds(section.condition, value):
            return at
    if any(section.condition is not None for section in sections):
        return next((at for at, each in enumerate(sections[:3]) if each.condition is None), 0)
    n = min(len(sections), 3)
    if value < 0 and n > 1:
        return 1
    return 2 if value == 0 and n == 3 else 0  # noqa: PLR2004 - the third is for zero


def _holds(condition: tuple[str, float], value: float) -> bool:
    sign, bound = condition
    by_sign = {
        "<": value < bound,
        ">": value > bound,
        "=": value == bound,
        "<=": value <= bound,
        ">=": value >= bound,
        "<>": value != bound,
    }
    return by_sign[sign]


class _Pattern(NamedTuple):
    """How a section shows digits: their places, how they are scaled, and what stands around them.

    Attributes
    ----------
    whole, fraction
        The signs of digits in front of the point and behind it.
    scale
        What numbers are multiplied by.
    exponent
        The signs of the exponent; empty if there is none.
    kind
        ``general``, ``none`` (no digits), ``fraction``, ``spread`` (texts between digits) or empty.
    """

    whole: str
    fraction: str
    scale: Decimal
    exponent: str
    kind: str
    signs: str


@lru_cache(4096)
def _pattern(parts: tuple[tuple[str, str], ...]) -> _Pattern:
    signs = "".join(part if kind == "sign" else "\0" for kind, part in parts)
    digits = "".join(sign for sign in signs if sign in "0#?.,E+-%eE")
    exponent = re.search(r"E[+-]([0#?]*)", digits, re.IGNORECASE)
    front = digits[: exponent.start()] if exponent else digits
    whole, _, fraction = front.replace("%", "").partition(".")
    scale = Decimal(100) ** signs.count("%")
    last = fraction or whole
    scale /= Decimal(1000) ** (len(last) - len(last.rstrip(",")))
    whole = re.sub(r"[^0#?,]", "", whole).rstrip(",")
    fraction = re.sub(r"[^0#?]", "", fraction)[:_MAX_DIGITS]
    kind = ""
    if "general" in signs.lower() or "@" in signs:
        kind = "general"
    elif not any(sign in signs for sign in "0#?"):
        kind = "none"
    elif "/" in signs:
        kind = "fraction"
    elif not fraction and "," not in whole and _has_text_within(parts):
        kind = "spread"
    return _Pattern(whole, fraction, scale, exponent[0] if exponent else "", kind, signs)


def _number(value: float, parts: tuple[tuple[str, str], ...], *, is_negative: bool) -> str:
    pattern = _pattern(parts)
    if pattern.kind == "general":
        text = plain(value)
    elif pattern.kind == "none":
        text = ""
    elif pattern.kind == "fraction":
        text = _fraction(value, pattern.signs)
    else:
        scaled = Decimal(repr(float(value))) * pattern.scale
        if pattern.exponent:
            text = _scientific(scaled, pattern.whole, pattern.fraction, pattern.exponent)
        else:
            text = _decimal(scaled, pattern.whole, pattern.fraction)
        if pattern.kind == "spread":
            return ("-" if is_negative else "") + _spread(parts, text)
        is_negative = is_negative and any(digit in text for digit in "123456789")
    return _filled(parts, text, is_negative=is_negative)


def _decimal(value: Decimal, whole: str, fraction: str) -> str:
    rounded = value.quantize(_unit(len(fraction)), ROUND_HALF_UP)
    text = f"{rounded:,f}" if "," in whole else f"{rounded:f}"
    before, _, after = text.partition(".")
    wanted = whole.count("0")
    before = "" if before == "0" and not wanted else before.rjust(wanted, "0")
    if after.endswith("0"):
        least = fraction.rfind("0") + 1
        after = after[:least] + after[least:].rstrip("0")
    if after:
        return f"{before}.{after}"
    # The point is shown also where no digit follows it.
    return f"{before}." if fraction and before else before


@lru_cache(64)
def _unit(n_digits: int) -> Decimal:
    return Decimal(1).scaleb(-n_digits)


def _scientific(value: Decimal, whole: str, fraction: str, sign: str) -> str:
    exponent = value.adjusted() if value else 0
    step = max(1, len(whole))
    exponent -= exponent % step if step > 1 else 0
    text = _decimal(value.scaleb(-exponent), whole or "0", fraction)
    mark = "-" if exponent < 0 else "+" if sign[1] == "+" else ""
    return f"{text}E{mark}{str(abs(exponent)).rjust(sign.count('0'), '0')}"


def _fraction(value: float, signs: str) -> str:
    below = signs.rpartition("/")[2]
    stated = re.match(r"\s*(\d*[1-9]\d*)", below)
    places = min(len(re.findall("[0#?]", below)), 6) or 1
    whole = int(value)
    rest = value - whole
    if stated:
        parts = round(rest * int(stated[1])), int(stated[1])
    else:
        near = Fraction(rest if rest > _LEAST_SHARE else 0).limit_denominator(10**places - 1)
        parts = near.numerator, near.denominator
    if parts[0] == parts[1]:
        return str(whole + 1)
    if not parts[0]:
        return str(whole)
    return f"{whole} {parts[0]}/{parts[1]}" if whole else f"{parts[0]}/{parts[1]}"


def _has_text_within(parts: tuple[tuple[str, str], ...]) -> bool:
    """Return whether a text stands between the digits of a format, as in those of telephones."""
    digits = [i for i, part in enumerate(parts) if part[0] == "sign" and part[1] in "0#?"]
    return bool(digits) and digits[-1] - digits[0] >= len(digits)


def _spread(parts: tuple[tuple[str, str], ...], number: str) -> str:
    """Return the digits of a number in their places, the last one in the last place."""
    text, left = "", list(number)
    places = [i for i, part in enumerate(parts) if part[0] == "sign" and part[1] in "0#?"]
    for i in range(len(parts) - 1, -1, -1):
        if i not in places:
            text = parts[i][1] + text
        elif i == places[0]:
            text = "".join(left) + text
        elif left:
            text = left.pop() + text
    return text.strip()


def _filled(parts: tuple[tuple[str, str], ...], number: str, *, is_negative: bool) -> str:
    """Return the texts of a format with the number where its first digit is."""
    text, is_set = "-" if is_negative else "", False
    for kind, part in parts:
        is_digit = part[:1] in "0#?.,/@" or part.lower() in {"general", "e+", "e-"}
        if kind == "sign" and (is_digit or (is_set and part.isdigit())):
            text += "" if is_set else number
            is_set = True
        else:
            text += part
    return text.strip()
