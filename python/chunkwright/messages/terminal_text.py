"""Text that is safe to show on a terminal, counted nouns, sizes, times and short values.

This is the one place that decides which characters are shown as they are. Shown in another form are
control characters of both blocks, characters that change the direction of writing or end a line,
and lone surrogates, which no encoding has.
"""

import re
from functools import cache

# Characters of a wrong value that a message shows.
_SHOWN = 80
CONTROL_PICTURES = 0x2400
DELETE = 0x7F
# U+2028 and U+2029 end a line or a paragraph; the others change the direction of writing, so that
# a text could be shown as another one.
STEERING = (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
UNITS = ("bytes", "kB", "MB", "GB", "TB")
SECONDS = {"d": 86_400, "h": 3600, "min": 60, "s": 1}
UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


@cache
def _visible() -> dict[int, str]:
    shown = {code: chr(CONTROL_PICTURES + code) for code in range(0x20)}
    shown[DELETE] = "\u2421"
    # The others have no picture.
    without = (*range(0x80, 0xA0), *STEERING, *range(0xD800, 0xE000))
    return shown | dict.fromkeys(without, "\ufffd")


@cache
def _visible_in_lines() -> dict[int, str]:
    return {code: text for code, text in _visible().items() if chr(code) not in "\n\t"}


def printable(text: str) -> str:
    """Replace characters that are not safe to show, for a text on one line.

    Control characters become their pictures, the others U+FFFD.
    """
    return text.translate(_visible())


def printable_lines(text: str) -> str:
    """Do as `printable`, but keep line breaks and tabs."""
    return text.replace("\r\n", "\n").translate(_visible_in_lines())


def escaped(json: str) -> str:
    r"""Write characters of a JSON text that are not safe to show as its escapes, such as \u009b."""
    return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Say how many of something there are; the plural of most nouns has an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def sized(n_bytes: float) -> str:
    """Say how many bytes there are, in a unit that leaves few digits.

    Examples
    --------
    >>> sized(999), sized(64 * 2**20)
    ('999 bytes', '67.1 MB')
    """
    size, unit = float(n_bytes), 0
    while size >= 1000 and unit < len(UNITS) - 1:  # noqa: PLR2004 - a kilobyte
        size, unit = size / 1000, unit + 1
    return f"{n_bytes:,.0f} {UNITS[0]}" if unit == 0 else f"{size:.1f} {UNITS[unit]}"


def lasting(seconds: float) -> str:
    """Say how long something takes, in its two largest units.

    Examples
    --------
    >>> lasting(0.04), lasting(7.25), lasting(61), lasting(7300), lasting(90_000)
    ('0.04 s', '7.2 s', '1 min 1 s', '2 h 1 min', '1 d 1 h')
    """
    if seconds < 60:  # noqa: PLR2004 - a minute
        return f"{seconds:.2g} s"
    left, parts = round(seconds), list[str]()
    for unit, size in SECONDS.items():
        if left >= size:
            parts.append(f"{left // size} {unit}")
        left %= size
    return " ".join(parts[:2])


def short_repr(value: object) -> str:
    """Return the representation of a value, short enough for a message.

    Examples
    --------
    >>> short_repr("rain")
    "'rain'"
    """
    try:
        whole = repr(value)
    except RecursionError:
        return f"a {type(value).__name__} that is nested too deeply"
    return whole if len(whole) <= _SHOWN else f"{whole[:_SHOWN]}..."
