"""How many texts come out exactly as sentences, in 39 languages: ours, sentencex and pysbd.

    git clone https://github.com/speedyk-005/yasbd-lib && git -C yasbd-lib checkout 463ae3c
    pip install sentencex==1.0.32 pysbd==0.3.4
    python benches/sentence_languages.py yasbd-lib

The gold sentences are the tests of yasbd, whose modules of data are run.  A case counts if all its
boundaries are found and no other, whitespace left out.  Peers that are not installed are left out;
a language that a peer does not have is split as English.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sentences import Case, boundaries

import chunkwright as cw

Splitter = Callable[[str, str], list[str]]


def languages(folder: Path) -> Iterator[tuple[str, list[Case]]]:
    """Yield the code of each language and its cases, in which ``|`` marks a boundary."""
    for path in sorted(folder.glob("tests/test_data/[a-z]*.py")):
        constants = runpy.run_path(str(path))
        marked = constants["TEST_DATA"]
        cases = [(text.replace("|", ""), text.split("|")) for text in marked]
        yield constants["ISO_CODE"], cases


def golden(folder: Path) -> list[Case]:
    """Return the golden rules of English."""
    constants = runpy.run_path(str(folder / "benchmarks" / "EN_GOLDEN_DATA.py"))
    return next(
        value for name, value in constants.items() if name.isupper() and isinstance(value, list)
    )


def contenders() -> dict[str, Splitter]:
    """Return the splitters that are installed, by name; each takes a text and a language."""
    splitters: dict[str, Splitter] = {
        "chunkwright": lambda text, language: cw.split_sentences(text, language=language)
    }
    if importlib.util.find_spec("sentencex"):
        sentencex: Any = importlib.import_module("sentencex")
        splitters["sentencex"] = lambda text, language: list(sentencex.segment(language, text))
    if importlib.util.find_spec("pysbd"):
        splitters["pysbd"] = split_by_pysbd
    return splitters


def split_by_pysbd(text: str, language: str) -> list[str]:
    """Split by pysbd, as English where it lacks the language."""
    pysbd: Any = importlib.import_module("pysbd")
    known = importlib.import_module("pysbd.languages").LANGUAGE_CODES
    segmenter = pysbd.Segmenter(language=language if language in known else "en", clean=False)
    return list(segmenter.segment(text))


def exact(split: Splitter, language: str, cases: list[Case]) -> int:
    """Count the cases whose boundaries are all found, and no others."""
    return sum(boundaries(split(text, language)) == boundaries(gold) for text, gold in cases)


def main() -> None:
    """Print the counts, by contender and language."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a checkout of yasbd-lib")
    folder = parser.parse_args().folder
    rules, cases = golden(folder), dict(languages(folder))
    for name, split in contenders().items():
        counts = {language: exact(split, language, each) for language, each in cases.items()}
        n_cases = sum(map(len, cases.values()))
        print(f"{name}: {exact(split, 'en', rules)} of {len(rules)} golden rules of English,")
        print(f"  {sum(counts.values())} of {n_cases} cases in {len(cases)} languages")
        print("  " + " ".join(f"{key} {n}/{len(cases[key])}" for key, n in counts.items()))


if __name__ == "__main__":
    main()
