"""Date formats of sheets: days since 1900 as a format shows them."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from itertools import groupby

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_FIRST_1900, _FIRST_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - no zone
# Excel has a 29 February 1900, as Lotus had.
_LEAP_1900 = 60
_MAX_DAYS = 2_958_466
_LETTERS = "ymdhse"
# So many letters stand for the name of a month or a day; fewer of a year for its end.
_NAMED, _NOON = 3, 12


@lru_cache(4096)
def shown_date(
    value: float, parts: tuple[tuple[str, str], ...], *, from_1904: bool = False
) -> str | None:
    """Return a number of days as the parts of a format show it; None if there is no such date.

    Parameters
    ----------
    value
        Days, and the part of one that is the time.
    parts
        Signs, texts and ``elapsed`` hours, minutes or seconds.
    from_1904
        Whether days are counted from 1904.
    """
    if not 0 <= value < _MAX_DAYS:
        return None
    fields = _fields(parts)
    n_decimals = max((len(text) - 1 for kind, text in fields if kind == "decimals"), default=0)
    at = _moment(value, n_decimals, from_1904=from_1904)
    has_half = any(kind == "half" for kind, _ in fields)
    seconds = round(value * 86400, n_decimals)
    return "".join(
        _elapsed(text, seconds) if kind == "elapsed" else _field(kind, text, at, has_half=has_half)
        for kind, text in fields
    ).strip()


def _moment(value: float, n_decimals: int, *, from_1904: bool) -> datetime:
    days = value if from_1904 or value >= _LEAP_1900 else value + 1
    first = _FIRST_1904 if from_1904 else _FIRST_1900
    return first + timedelta(seconds=round(days * 86400, n_decimals))


@lru_cache(1024)
def _fields(parts: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """Return runs of one letter as fields, where ``m`` beside hours or seconds is minutes."""
    fields: list[tuple[str, str]] = []
    for (kind, letter), run in groupby(parts, lambda part: (part[0], part[1].lower())):
        if kind in {"elapsed", "text"}:
            fields += list(run)
        elif letter in {"am/pm", "a/p"}:
            fields.append(("half", letter))
        elif letter == "0" and fields and fields[-1] == ("text", "."):
            fields[-1] = ("decimals", "." + "0" * len(list(run)))
        elif letter in _LETTERS:
            fields.append((letter, letter * len(list(run))))
        else:
            fields += [("text", part[1]) for part in run]
    told = [i for i, (kind, _) in enumerate(fields) if kind in {*_LETTERS, "elapsed"}]
    for place, i in enumerate(told):
        before = fields[told[place - 1]] if place else ("", "")
        behind = fields[told[place + 1]] if place + 1 < len(told) else ("", "")
        is_time = before[0] == "h" or before[1][:1] == "h" or behind[1][:1] == "s"
        if fields[i][0] == "m" and len(fields[i][1]) < _NAMED and is_time:
            fields[i] = ("minute", fields[i][1])
    return fields


def _field(kind: str, text: str, at: datetime, *, has_half: bool) -> str:
    n = len(text)
    if kind in {"y", "e"}:
        return f"{at.year % 100:02}" if kind == "y" and n < _NAMED else f"{at.year:04}"
    if kind in {"m", "d"}:
        name = _MONTHS[at.month - 1] if kind == "m" else _DAYS[at.weekday()]
        names = {3: name[:3], 4: name, 5: name[0]}
        return names.get(n, str(at.month if kind == "m" else at.day).rjust(min(n, 2), "0"))
    if kind == "half":
        half = ("AM", "PM")[at.hour >= _NOON]
        return half if text == "am/pm" else half[0]
    if kind == "decimals":
        return f"{at.microsecond / 1_000_000:.{n - 1}f}"[1:]
    hour = (at.hour + 11) % 12 + 1 if has_half else at.hour
    number = {"h": hour, "minute": at.minute, "s": at.second}.get(kind)
    return text if number is None else str(number).rjust(min(n, 2), "0")


def _elapsed(text: str, seconds: float) -> str:
    unit = {"h": 3600, "m": 60, "s": 1}[text[0]]
    return str(int(seconds // unit)).rjust(len(text), "0")
