"""How run time grows with the size of hostile text: the exponent is 1 where it is linear.

Prints a line for each case of the shared hostile corpus: of texts with the exponent of every native
way to measure and cut, of Markdown and HTML, and cases of our own, with that of reading them and of
cutting what was read. ``python benches/growth.py [CASE ...]`` runs only the cases named. What is
printed is Markdown; an exponent above the limit has a ``!``, and the exit status is 3.
"""

from __future__ import annotations

import importlib.util
import math
import random
import string
import sys
import time
from functools import cache
from statistics import linear_regression
from typing import TYPE_CHECKING, Any, NamedTuple

from lib.corpus import SEED, minilm_json, shared_folder
from lib.table import MISSED, NOTHING, Table, say, versions

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright import Tokenizer

LIMIT = 1.15
CERTAIN = 1.5  # no busy machine bends a slope so far
ATTEMPTS = 3  # a busy machine bends one measurement, not three
RUNS = 2
SCALES = (0.05, 0.1, 0.2, 0.4)
_SIZES = (
    ("tokens", 512, 0),
    ("tokens", 512, 64),
    ("tokens", 8, 0),
    ("chars", 1000, 0),
    ("pieces", 512, 64),
)
SLOW_SECONDS = 0.3  # at the least scale; a fifth of the sizes tells as much
SHORT_SECONDS = 0.002  # at the greatest scale; the processor's caches bend what takes less
OTHER_WORDS = 200_000  # more than an encoder remembers


class Way(NamedTuple):
    """A way to measure or cut, and the tokenizer whose memory it uses."""

    call: Callable[[str], object]
    tokenizer: Tokenizer | None


class Case(NamedTuple):
    """A case of our own: a text that is a part many times."""

    name: str
    make_n: Callable[[int], str]

    def make(self, scale: float) -> str:
        """Return the text for a scale."""
        return self.make_n(int(scale * PARTS))


def _all(part: str) -> Callable[[int], str]:
    """Return a function that makes a text of numbered parts."""
    return lambda n: "".join(part.replace("#", str(i)) for i in range(n))


PARTS = 1_000_000
MADE = {
    "text": [],
    "markdown": [
        Case("definitions, uses", lambda n: _all("[a#]: b#\n")(n) + "\n" + _all("[a#]\n")(n)),
        Case("one definition", lambda n: f"[a]: {'b' * n}\n\n" + "[a] " * n),
        Case("footnotes", _all("[^a#]: b[^a#]\n\n")),
        Case("quotes", lambda n: "> " * n + "a\n" + "a\n" * n),
        Case("items", lambda n: "- " * n + "a\n" + "a\n" * n),
        Case("columns", lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "a\n" * n),
        Case("brackets", lambda n: "[" * n + "a" + "](b)" * n),
        Case("emphasis", _all("*a **b _c ")),
        Case("odd characters", _all("# a\x00\n\n- b\r\n\r")),
    ],
    "html": [
        Case("nested headings", _all("<section><h1>Heading #</h1>")),
        Case("open tags", _all("<div><b>x")),
        Case("tables", _all("<table><tr><td>x")),
        Case("lists", _all("<ul><li>x")),
        Case("quotes", _all("<blockquote>x")),
        Case("links", _all("<a href=u#>x")),
        Case("languages", _all("<div class=language-a><pre>x")),
        Case("attributes", lambda n: f"<p{' a=b c' * n}>x"),
    ],
}


def main(names: list[str]) -> int:
    """Print the tables and return `MISSED` if an exponent is above the limit."""
    import chunkwright as cw

    say(
        f"{versions()}. Exponents of the time of hostile texts of four sizes, up to "
        f"{SCALES[-1]:g} MB or so; 1 is linear, {LIMIT} the limit, and `-` what takes less than "
        f"{SHORT_SECONDS * 1e3:g} ms. `R` is `Recursive`, `S` `Sentence`, `B` `Balanced` and `W` "
        "`Window`, with size and overlap."
    )
    above = _table("text", _ways(), names)
    above += _table("markdown", _readings(cw.read_markdown), names)
    above += _table("html", _readings(cw.read_html), names)
    say(f"{above} exponents are above {LIMIT}.")
    return MISSED if above else 0


def _table(kind: str, ways: dict[str, Way], names: list[str]) -> int:
    """Print the table of a kind, and return how many exponents are above the limit."""
    cases = [*_generators().cases(kind=kind), *MADE[kind]]
    cases = [case for case in cases if not names or case.name in names]
    if not cases:
        return 0
    table = Table(f"{kind} case", *ways)
    above = 0
    for case in cases:
        exponents = [_exponent(case, way) for way in ways.values()]
        above += sum(exponent > LIMIT for exponent in exponents)
        table.row(f"`{case.name}`", *map(_shown, exponents))
    return above


def _shown(exponent: float) -> str:
    return f"{exponent:.2f}{'!' if exponent > LIMIT else ''}" if exponent else NOTHING


def _exponent(case: Any, way: Way) -> float:
    """Fit the slope of log(time) over log(size), and 0 where all is over in no time."""
    slow = _seconds(way, case.make(SCALES[0])) > SLOW_SECONDS
    scales = [scale / 5 for scale in SCALES] if slow else SCALES
    texts = [case.make(scale) for scale in scales]
    lowest = float("inf")
    for _ in range(ATTEMPTS):
        times = [min(_seconds(way, text) for _ in range(RUNS)) for text in texts]
        if times[-1] < SHORT_SECONDS:
            return 0.0
        slope = linear_regression([math.log(s) for s in scales], [math.log(t) for t in times]).slope
        lowest = min(lowest, slope)
        if not LIMIT < lowest < CERTAIN:
            break
    return lowest


def _seconds(way: Way, text: str) -> float:
    """Time a call of encoders that have met so many other words that they know none of these."""
    if way.tokenizer:
        way.tokenizer.count(_other_words())
    start = time.perf_counter()
    way.call(text)
    return time.perf_counter() - start


@cache
def _other_words() -> str:
    letters = random.Random(SEED).choices(string.ascii_lowercase, k=10 * OTHER_WORDS)  # noqa: S311
    return " ".join("".join(letters[i : i + 10]) for i in range(0, len(letters), 10))


def _ways() -> dict[str, Way]:
    import chunkwright as cw

    cl100k, o200k = cw.Tokenizer("cl100k_base"), cw.Tokenizer("o200k_base")
    minilm = cw.Tokenizer(str(minilm_json()))
    ways = {
        "count": Way(cl100k.count, cl100k),
        "count o200k": Way(o200k.count, o200k),
        "count pieces": Way(minilm.count, minilm),
    }
    for unit, size, overlap in _SIZES:
        tokenizer = {"tokens": cl100k, "pieces": minilm, "chars": None}[unit]
        limit = {"max_tokens": size, "tokenizer": tokenizer} if tokenizer else {"max_chars": size}
        options: dict[str, Any] = {**limit, "overlap": overlap}
        name = f"{size}/{overlap} {unit}"
        ways[f"R {name}"] = Way(cw.Recursive(**options), tokenizer)
        ways[f"S {name}"] = Way(cw.Sentence(**options), tokenizer)
        ways[f"B {name}"] = Way(cw.Balanced(**options), tokenizer)
        ways[f"W {name}"] = Way(cw.Window(**options), tokenizer)
    return ways


def _readings(read: Callable[[str], Any]) -> dict[str, Way]:
    """Return the ways to read a document and to cut it."""
    import chunkwright as cw

    by_title, hybrid = cw.ByTitle(max_chars=1000), cw.Hybrid(max_chars=1000)
    calls: dict[str, Callable[[str], object]] = {
        "read": read,
        "links": lambda text: read(text).elements.links[:1],
        "by_title": lambda text: by_title(read(text)),
        "hybrid": lambda text: hybrid(read(text)),
    }
    return {name: Way(call, None) for name, call in calls.items()}


@cache
def _generators() -> Any:
    path = shared_folder() / "hostile" / "hostile.py"
    spec = importlib.util.spec_from_file_location("hostile", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules["hostile"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
