"""How well and how fast sentences are told apart: ours, sentencex, punkt and a regular expression.

    pip download --no-deps --no-binary :all: sentencex==1.0.32 syntok==1.4.2
    python benches/sentences.py --sentencex sentencex-1.0.32.tar.gz --lines syntok-1.4.2.tar.gz

The gold sentences are not ours: the tests of sentencex and syntok (read from their source
archives) and the golden rules of the Pragmatic Segmenter (read from the installed pysbd).  With
``--punkt FOLDER``, punkt is scored as well.  ``FOLDER`` is the
``nltk_cache`` that the wheel of llama-index-core holds.  Peers that are not installed are left out.

Three scores, in percent:

- *boundaries*: F1 over all cases together, of the places between two sentences. A place is the
  number of characters before it, whitespace not counted. The end of a text, which everybody finds,
  does not count.
- *sentences*: the mean over the cases of the F1 of whole sentences, which is how sentencex scores.
- *cases*: how many come out exactly.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lib.corpus import CORPORA, corpus

import chunkwright as cw

Splitter = Callable[[str], list[str]]
Case = tuple[str, list[str]]

LEAST_SECONDS = 0.5


def squeezed(text: str) -> str:
    """Return ``text`` without whitespace."""
    return "".join(text.split())


def boundaries(sentences: Iterable[str]) -> set[int]:
    """Return the places between sentences, whitespace not counted."""
    places, at = [], 0
    for sentence in sentences:
        at += len(squeezed(sentence))
        places.append(at)
    return set(places[:-1]) - {0, at}


def f1(ours: int, theirs: int, common: int) -> float:
    """Return the harmonic mean of precision and recall in percent; 100 if both found nothing."""
    return 200 * common / (ours + theirs) if ours + theirs else 100.0


def boundary_f1(found: list[set[int]], gold: list[set[int]]) -> float:
    """Score boundaries over all cases together."""
    common = sum(len(a & b) for a, b in zip(found, gold, strict=True))
    return f1(sum(map(len, found)), sum(map(len, gold)), common)


def sentence_f1(found: list[str], gold: list[str]) -> float:
    """Score the whole sentences of one case."""
    ours, theirs = (
        Counter(" ".join(s.split()) for s in side if s.strip()) for side in (found, gold)
    )
    return f1(ours.total(), theirs.total(), (ours & theirs).total())


# ---------------------------------------------------------------------- gold


def sentencex_cases(archive: Path, language: str) -> list[Case]:
    """Read the cases of a language from sentencex's source archive."""
    with tarfile.open(archive) as files:
        name = next(name for name in files.getnames() if name.endswith(f"/tests/{language}.txt"))
        content = files.extractfile(name)
        text = content.read().decode() if content else ""
    cases = []
    for block in text.split("==="):
        lines = [line for line in block.splitlines() if not line.lstrip().startswith("#")]
        source, bar, gold = "\n".join(lines).partition("\n---\n")
        if bar and source.strip():
            cases.append((source.strip(), [line for line in gold.splitlines() if line.strip()]))
    return cases


def pragmatic_cases() -> list[Case]:
    """Read the 48 golden rules from the file that pysbd installs beside itself."""
    spec = importlib.util.find_spec("benchmarks.english_golden_rules")
    if spec is None or spec.loader is None:
        return []
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    cases: list[Case] = module.GOLDEN_EN_RULES
    return cases


def lines_case(archive: Path) -> Case:
    """Read the text of syntok or segtok, whose tests hold one sentence a line."""
    with tarfile.open(archive) as files:
        name = next(name for name in files.getnames() if name.endswith("/segmenter_test.py"))
        content = files.extractfile(name)
        source = content.read().decode() if content else ""
    found = re.search(r'^OSPL = """(.*?)"""', source, re.DOTALL | re.MULTILINE)
    gold = found[1].splitlines() if found else []
    return " ".join(gold), gold


# ---------------------------------------------------------------------- contenders


def contenders(language: str, punkt: Path | None) -> dict[str, Splitter]:
    """Return the splitters that are installed, by name."""
    splitters: dict[str, Splitter] = {
        "chunkwright": lambda text: cw.split_sentences(text, language=language)
    }
    if importlib.util.find_spec("sentencex"):
        sentencex: Any = importlib.import_module("sentencex")
        splitters["sentencex"] = lambda text: list(sentencex.segment(language, text))
    if punkt is not None:
        splitters["punkt"] = punkt_splitter(punkt)
    splitters["[.!?]\\s+"] = lambda text: re.split(r"(?<=[.!?])\s+", text)
    return splitters


def punkt_splitter(folder: Path) -> Splitter:
    """Return nltk's punkt for English."""
    nltk: Any = importlib.import_module("nltk")
    nltk.data.path.insert(0, str(folder))
    tokenizer = nltk.tokenize.PunktTokenizer("english")
    return lambda text: list(tokenizer.tokenize(text))


def score(split: Splitter, cases: list[Case]) -> tuple[float, float, int]:
    """Return the three scores."""
    found = [split(text) for text, _ in cases]
    gold = [sentences for _, sentences in cases]
    pairs = list(zip(found, gold, strict=True))
    exact = sum(boundaries(a) == boundaries(b) for a, b in pairs)
    whole = sum(sentence_f1(a, b) for a, b in pairs) / len(cases)
    return boundary_f1([*map(boundaries, found)], [*map(boundaries, gold)]), whole, exact


def megabytes_a_second(split: Splitter, text: str) -> float:
    """Return the best CPU speed of a few runs."""
    best, spent = 0.0, 0.0
    while spent < LEAST_SECONDS:
        start = time.process_time()
        split(text)
        seconds = time.process_time() - start
        spent += seconds
        best = max(best, len(text.encode()) / max(seconds, 1e-9) / 1e6)
    return best


def print_misses(split: Splitter, cases: list[Case]) -> None:
    """Print the cases that come out otherwise."""
    for text, gold in cases:
        found = split(text)
        if boundaries(found) != boundaries(gold):
            print("  gold ", [" ".join(sentence.split()) for sentence in gold])
            print("  found", [" ".join(sentence.split()) for sentence in found], end="\n\n")


def main() -> None:
    """Print the scores, the agreement on the corpora, and the speed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentencex", type=Path, help="source archive of sentencex")
    parser.add_argument("--lines", type=Path, help="source archive of syntok or segtok")
    parser.add_argument("--punkt", type=Path, help="nltk's data")
    parser.add_argument("--language", default="en")
    parser.add_argument("--misses", action="store_true", help="print where ours differs from gold")
    parser.add_argument("--no-corpora", action="store_true", help="score the gold cases only")
    arguments = parser.parse_args()
    splitters = contenders(arguments.language, arguments.punkt)
    sets: dict[str, list[Case]] = {}
    if arguments.sentencex:
        sets["sentencex"] = sentencex_cases(arguments.sentencex, arguments.language)
    if arguments.language == "en":
        sets["pragmatic"] = pragmatic_cases()
    if arguments.lines:
        sets[arguments.lines.name] = [lines_case(arguments.lines)]
    for name, cases in sets.items():
        print(f"\n{name}, {len(cases)} cases: boundaries, sentences, exact cases")
        for contender, split in splitters.items() if cases else ():
            bounds, whole, exact = score(split, cases)
            print(f"  {contender:<12} {bounds:6.1f} {whole:6.1f} {exact:5}")
        if arguments.misses:
            print_misses(splitters["chunkwright"], cases)
    if not arguments.no_corpora:
        print_corpora(splitters)


def print_corpora(splitters: dict[str, Splitter]) -> None:
    """Print how far the contenders agree with ours, and how fast they are."""
    texts = {name: corpus(name) for name in CORPORA}
    print("\nagreement of boundaries with ours, and MB/s of CPU time on all five")
    for contender, split in splitters.items():
        shares = []
        for name, text in texts.items():
            ours = boundaries(splitters["chunkwright"](text))
            shares.append(f"{name} {boundary_f1([boundaries(split(text))], [ours]):.1f}")
        speed = megabytes_a_second(split, "\n\n".join(texts.values()))
        print(f"  {contender:<12} {speed:8.1f} MB/s  {', '.join(shares)}")


if __name__ == "__main__":
    main()
