"""Text that is safe to show on a terminal, and counted nouns.

This is the one place that decides which characters are shown as they are. Shown in another form are
control characters of both blocks, characters that change the direction of writing or end a line,
and lone surrogates, which no encoding has.
"""

import re
from functools import cache

CONTROL_PICTURES = 0x2400
DELETE = 0x7F
# U+2028 and U+2029 end a line or a paragraph; the others change the direction of writing, so that
# a text could be shown as another one.
STEERING = (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
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


def counted(number: int, noun: str) -> str:
    """Say how many of something there are."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
