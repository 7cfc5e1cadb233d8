"""Speed of cutting source code, beside the parse alone and a peer that parses.

``python benches/code.py [FOLDER ...]`` cuts the source files of some folders, by default those of
this repository and of Python's standard library, and prints a Markdown table in MB/s: processor
time of one thread, the best of several rounds; batches by the clock. The parse alone is what
tree-sitter takes to make a tree, in the same run.
"""

from __future__ import annotations

import argparse
import sysconfig
import time
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.table import NOTHING, Table, say, three_digits, versions

import chunkwright as cw
from chunkwright.chunking.grammars import PACKAGES
from chunkwright.readers.kinds import language_of

if TYPE_CHECKING:
    from collections.abc import Callable

REPOSITORY = Path(__file__).parent.parent
MAX_CHARS = 2000
MOST_BYTES = 10_000_000
PEER = "semantic-text-splitter"
LANGUAGES = ("c", "cpp", "go", "java", "js", "php", "python", "ruby", "rust", "ts")


def main() -> None:
    """Print a row for each language."""
    options = _options()
    say(f"{versions('tree-sitter', PEER)}. Chunks of {MAX_CHARS} characters, MB/s.")
    table = Table(
        "language",
        "files",
        "MB",
        "parse alone",
        "`Code`",
        "`Code`, a batch, by the clock",
        "`Code` by indentation",
        "`Recursive` at its separators",
        f"{PEER}, `CodeSplitter`",
    )
    for language, texts in sorted(_texts(options.folders).items()):
        n_bytes = sum(len(text.encode()) for text in texts)
        ways = _ways(language, texts)
        best = _best(ways, options.rounds)
        speeds = [
            three_digits(n_bytes / best[way] / 1e6) if way in best else NOTHING for way in WAYS
        ]
        table.row(language, len(texts), f"{n_bytes / 1e6:.1f}", *speeds)


WAYS = ("parse", "code", "batch", "indentation", "recursive", "peer")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    library = Path(sysconfig.get_path("stdlib"))
    parser.add_argument("folders", nargs="*", type=Path, default=[REPOSITORY, library])
    parser.add_argument("--rounds", type=int, default=3, help="turns of each way")
    return parser.parse_args()


def _texts(folders: list[Path]) -> dict[str, list[str]]:
    """Return the texts of source files by their languages, of each up to 10 MB."""
    texts: dict[str, list[str]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    for file in (file for folder in folders for file in sorted(folder.rglob("*.*"))):
        is_other = {"target", "site-packages", ".venv"} & {*file.parts}
        language = None if is_other else language_of(file.name)
        if language not in LANGUAGES or sizes[language] >= MOST_BYTES or not file.is_file():
            continue
        text = file.read_bytes().decode("utf-8", "replace")
        texts[language].append(text)
        sizes[language] += len(text)
    return texts


def _ways(language: str, texts: list[str]) -> dict[str, Callable[[], object]]:
    """Return what is measured, without what is not installed."""
    strategy: Any = cw.Code
    code, plain = (strategy(language=name, max_chars=MAX_CHARS) for name in (language, None))
    separators: Any = cw.Recursive.for_language(language, max_chars=MAX_CHARS)

    def each(cut: Callable[[str], object]) -> Callable[[], object]:
        return lambda: [cut(text) for text in texts]

    ways: dict[str, Callable[[], object]] = {
        "code": each(code),
        "batch": lambda: code.batch(texts),
        "indentation": each(plain),
        "recursive": each(separators),
    }
    try:
        package = PACKAGES[language]
        grammar = getattr(import_module(package.module), package.function)()
        from tree_sitter import Language, Parser

        parser = Parser(Language(grammar))
        ways["parse"] = each(lambda text: parser.parse(text.encode()))
        from semantic_text_splitter import CodeSplitter

        ways["peer"] = each(CodeSplitter(grammar, MAX_CHARS).chunks)
    except ImportError:
        pass
    return ways


def _best(ways: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the fewest seconds of each way; the first turn of all counts as the others do."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        for way, work in ways.items():
            clock = time.perf_counter if way == "batch" else time.process_time
            began = clock()
            work()
            best[way] = min(best.get(way, float("inf")), clock() - began)
    return best


if __name__ == "__main__":
    main()
