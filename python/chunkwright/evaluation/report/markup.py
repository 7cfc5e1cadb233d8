"""Words and numbers as they may stand in HTML and SVG, whatever a text holds."""

from __future__ import annotations

import re
from html import escape

from chunkwright.terminal_text import printable_lines

# What no text of HTML or XML may hold, beside what `printable_lines` shows as a picture.
NONCHARACTERS = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")


def escaped(text: str) -> str:
    r"""Escape a text, for elements and for attributes in quotes.

    Control characters are shown as their pictures, so that nothing is hidden; what has no UTF-8
    becomes U+FFFD.

    Examples
    --------
    >>> from chunkwright.evaluation.report.markup import escaped
    >>> escaped('</script> & "\x1b"')
    '&lt;/script&gt; &amp; &quot;␛&quot;'
    """
    return escape(NONCHARACTERS.sub("\ufffd", printable_lines(text)))


def element(name: str, *content: str, **attributes: object) -> str:
    """Return an element around content that is markup already.

    A name of an attribute may end in ``_``, where Python has the word itself, and has ``-`` for
    each other ``_``; one that is None is left out.
    """
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    written = "".join(
        f' {key}="{escaped(str(value))}"' for key, value in given.items() if value is not None
    )
    return f"<{name}{written}>{''.join(content)}</{name}>"


def named(name: str) -> str:
    """Return a name that is kept apart from the direction in which the text around it runs."""
    return element("bdi", escaped(name))


def clipped(text: str, most: int) -> str:
    """Return a text of at most so many code points, the last of them a sign of what is missing."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def percent(share: float) -> str:
    """Show a share as percent, with one decimal."""
    return f"{100 * share:.1f}"


def points(difference: float) -> str:
    """Show a difference of shares in points of percent, with its sign."""
    shown = f"{100 * difference:+.1f}"
    # Nothing is neither more nor less; a minus is as wide as a plus.
    return shown.replace("-", "−") if float(shown) else "0.0"
