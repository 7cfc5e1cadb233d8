"""Words for people: text that cannot steer a terminal, and counted nouns."""

from functools import cache

CONTROL_PICTURES = 0x2400
DELETE = 0x7F


@cache
def _visible() -> dict[int, str]:
    shown = {code: chr(CONTROL_PICTURES + code) for code in range(0x20)}
    shown[DELETE] = "\u2421"
    # Codes of the second control block, and lone surrogates, have no picture.
    shown |= dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000)], "\ufffd")
    return shown


@cache
def _visible_in_lines() -> dict[int, str]:
    return {code: text for code, text in _visible().items() if chr(code) not in "\n\t"}


def printable(text: str) -> str:
    """Show control characters as their pictures, for a text on one line."""
    return text.translate(_visible())


def printable_lines(text: str) -> str:
    """Show control characters as their pictures, except line breaks and tabs."""
    return text.replace("\r\n", "\n").translate(_visible_in_lines())


def counted(number: int, noun: str) -> str:
    """Say how many of something there are."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
