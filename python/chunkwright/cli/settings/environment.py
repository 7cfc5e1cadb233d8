"""Variables of the environment that give settings, and those that look as if they did."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from chunkwright.chunking.peer_terms import peers_option

PREFIX = "CHUNKWRIGHT_"
# Read by other parts of the package, by its tests, or by its benchmarks.
_OTHERS = {
    "BENCH_FILES",
    "CACHE",
    "CHROMA_DATA",
    "CONFIG",
    "DOCLING_GRID",
    "DOCLING_RS",
    "EXAMPLES",
    "SEMCHUNK",
    "SHARED",
    "STORE",
}
# Variables of other programs may begin so, too: few letters are alike by chance.
_ALIKE = 0.8


def variable(name: str) -> str:
    """Return the variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def misspelt(environment: Iterable[str], settings: Iterable[str]) -> Iterator[str]:
    """Yield for each variable that is nearly that of a setting what it should be called.

    Parameters
    ----------
    environment
        The names of the variables that are set.
    settings
        The names of all settings.
    """
    known = [*settings]
    for called in sorted(environment):
        if not called.startswith(PREFIX):
            continue
        name = called.removeprefix(PREFIX)
        if name in _OTHERS or name.lower() in known:
            continue
        if hint := peers_option(name.lower(), known):
            yield f"{called} is no setting: {''.join(hint)}"
        elif close := get_close_matches(name.lower(), known, n=1, cutoff=_ALIKE):
            yield f"{called} is no setting: did you mean {variable(close[0])}?"
