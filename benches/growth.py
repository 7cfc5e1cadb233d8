"""How run time grows with the size of hostile text: the exponent is 1 where it is linear.

Prints a line for each text case of the shared hostile corpus, with the exponent of every native
way to measure and cut. ``python benches/growth.py [CASE ...]`` runs only the cases named.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from typing import TYPE_CHECKING, Any

from corpus import shared_folder

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 1.15
CERTAIN = 1.5  # no busy machine bends a slope so far
ATTEMPTS = 3  # a busy machine bends one measurement, not three
COLUMN = 17
SCALES = (0.05, 0.1, 0.2, 0.4)
_SIZES = (("tokens", 512, 0), ("tokens", 512, 64), ("tokens", 8, 0), ("chars", 1000, 0))
SLOW_SECONDS = 0.3  # at the least scale; a fifth of the sizes tells as much


def main(names: list[str]) -> int:
    """Print the table and return 1 if an exponent is above the limit."""
    hostile = _generators()
    ways = _ways()
    print(f"{'case':26}", *(f"{way:>{COLUMN}}" for way in ways))
    above = 0
    for case in hostile.cases(kind="text"):
        if names and case.name not in names:
            continue
        exponents = [_exponent(hostile, case, call) for call in ways.values()]
        above += sum(exponent > LIMIT for exponent in exponents)
        print(f"{case.name:26}", *(_shown(exponent) for exponent in exponents), flush=True)
    print(f"{above} above {LIMIT}")
    return 1 if above else 0


def _shown(exponent: float) -> str:
    mark = "!" if exponent > LIMIT else " "
    return f"{exponent:>{COLUMN - 1}.2f}{mark}"


def _exponent(hostile: Any, case: Any, call: Callable[[str], object]) -> float:
    start = time.perf_counter()
    call(case.make(SCALES[0]))
    slow = time.perf_counter() - start > SLOW_SECONDS
    scales = [scale / 5 for scale in SCALES] if slow else SCALES
    lowest = float("inf")
    for _ in range(ATTEMPTS):
        lowest = min(lowest, hostile.growth_exponent(call, case, scales=scales))
        if not LIMIT < lowest < CERTAIN:
            break
    return lowest


def _ways() -> dict[str, Callable[[str], object]]:
    import chunkwright as cw

    ways: dict[str, Callable[[str], object]] = {
        "count": cw.count_tokens,
        "count o200k": lambda text: cw.count_tokens(text, "o200k_base"),
    }
    for unit, size, overlap in _SIZES:
        options: dict[str, Any] = {f"max_{unit}": size, "overlap": overlap}
        name = f"{size}/{overlap} {unit}"
        ways[f"R {name}"] = cw.Recursive(**options)
        ways[f"W {name}"] = cw.Window(**options)
    return ways


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
