"""HTML pages from templates, in which all that is shown is escaped."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chunkwright.errors import MissingExtraError
from chunkwright.messages.terminal_text import printable_lines

if TYPE_CHECKING:
    from jinja2 import Environment

# What no text of HTML or XML may hold, beside what `printable_lines` shows as a picture.
_NONCHARACTERS = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")


def page(template: str, **content: Any) -> str:
    """Return what a template makes of some content.

    Parameters
    ----------
    template
        The name of a file in ``templates``.
    content
        What the template shows. Texts are escaped, and made `visible`; what has ``__html__``, as
        ``markupsafe.Markup``, is markup already.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.
    """
    check_pages()
    return _environment().get_template(template).render(content)


def check_pages() -> None:
    """Check that pages can be written.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.
    """
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("a page of HTML", "report") from error


def visible(text: str) -> str:
    r"""Return a text without what HTML and XML cannot hold, and what would hide or steer the rest.

    Control characters become their pictures, the others U+FFFD.

    Examples
    --------
    >>> from chunkwright.render import visible
    >>> visible("a\x1b[31m\x00")
    'a␛[31m␀'
    """
    return _NONCHARACTERS.sub("\ufffd", printable_lines(text))


def clipped(text: str, most: int) -> str:
    """Return a text of at most so many code points, the last of them a sign of what is missing."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("chunkwright.render"),
        autoescape=True,
        finalize=_finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clipped"] = clipped
    return environment


def _finalized(value: object) -> object:
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
