"""Separators for programming and markup languages."""

from __future__ import annotations

from chunkwright.chunking.separators import Separator
from chunkwright.errors import ConfigError, nearest

LANGUAGES: dict[str, tuple[str, ...]] = {
    "python": ("\nclass ", "\ndef ", "\n\tdef ", "\n\n", "\n", " ", ""),
}


def separators_for_language(language: str) -> tuple[Separator, ...]:
    """Return the separators of ``language``.

    Raises
    ------
    ConfigError
        If the language is unknown.
    """
    patterns = LANGUAGES.get(language)
    if patterns is None:
        raise ConfigError(f"unknown language {language!r}: {nearest(language, list(LANGUAGES))}")
    return tuple(Separator(pattern, regex=bool(pattern)) for pattern in patterns)
