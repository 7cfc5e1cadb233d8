"""Documentation of options: what each is for, read from the docstring of its strategy."""

from __future__ import annotations

import re
from functools import cache

from chunkwright.messages.docstrings import docstring

# A heading of a section stands over a line of dashes.
_PARAMETERS = re.compile(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+$|\Z)", re.DOTALL | re.MULTILINE)
_ROLE = re.compile(r":\w+:`~?(?:[\w.]*\.)?(\w+)`")


@cache
def option_docs(kind: type) -> dict[str, str]:
    """Return the first sentence about each option of a strategy, names of code between backticks.

    A class says of the options that it has from its bases at most where to look: what these say
    counts, unless it says more.

    Examples
    --------
    >>> from chunkwright import Window
    >>> option_docs(Window)["soft_max"]
    'The size at which a chunk is full; the limit itself by default.'
    """
    docs: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        section = _PARAMETERS.search(docstring(base))
        for part in re.split(r"\n(?=\S)", section[1] if section else ""):
            names, _, about = part.partition("\n")
            if about and not about.strip().startswith("See "):
                docs |= dict.fromkeys(re.split(r",\s*", names), _first_sentence(about))
    return docs


def _first_sentence(about: str) -> str:
    one_line = _ROLE.sub(r"``\1``", " ".join(about.split()))
    return re.split(r"(?<=\.) ", one_line, maxsplit=1)[0]
