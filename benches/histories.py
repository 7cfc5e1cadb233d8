"""Real histories replayed: ids, vectors and citations over the versions of files in git.

    python benches/histories.py REPOSITORY "docs/*.md" [--files 20] [--versions 8]

Each file is imported in some of its versions, from old to new, into a store by several strategies
and into the peers' indexes. Words are cited in every version but the last, and each citation is
resolved in every version behind it. What became of it is compared with the truth: whether its words
stand in what is read of that version as they were, white space aside, between borders of words.
Prints Markdown; a peer that is not installed is left out.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, get_args

from lib.corpus import SEED
from lib.importers import (
    LANGCHAIN,
    LLAMA_INDEX,
    Importer,
    LangChainIndex,
    LlamaIndexPipeline,
    OurStore,
)
from lib.table import Table, duration, named_version, say, versions

import chunkwright as cw
from chunkwright.store.citing.resolution import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chunkwright.store import Citation, Resolution

STRATEGIES = ("structural", "recursive", "sentence", "hybrid")
STATUSES: tuple[str, ...] = get_args(Status)
# Of words that stand as they were, and of those that do not.
STANDING = {"same", "moved"}
WORDS = range(5, 15)  # of a quote
WORD = re.compile(r"\w\S*")
PEERS: dict[str, tuple[str, Callable[[], Importer]]] = {
    f"`index()` of {named_version(LANGCHAIN)}": ("langchain_core", LangChainIndex),
    f"the same, 1,500 characters of {named_version(LANGCHAIN)}": (
        "langchain_core",
        partial(LangChainIndex, 1500, 0),
    ),
    f"pipeline of {named_version(LLAMA_INDEX)}": ("llama_index", LlamaIndexPipeline),
}


@dataclass(frozen=True)
class Replay:
    """What became of chunks while versions were imported.

    Parameters
    ----------
    n_first
        Chunks of the first versions.
    n_kept
        Those of them that still stand in the last versions, by their ids.
    n_embedded
        Texts embedded by all imports but the first.
    seconds
        CPU time of all imports.
    """

    n_first: int
    n_kept: int
    n_embedded: int
    seconds: float


@dataclass
class Citing:
    """Citations and what became of them.

    Parameters
    ----------
    quotes
        Citations, each with its words.
    counts
        How often a status was given to words that stand and to words that do not.
    wrong
        Resolutions that the truth contradicts.
    """

    quotes: list[tuple[Citation, str]] = field(default_factory=list)
    counts: Counter[tuple[str, bool]] = field(default_factory=Counter)
    wrong: list[tuple[str, Resolution]] = field(default_factory=list)


def main() -> None:
    """Print a table of imports, and one of citations."""
    options = _parser().parse_args()
    histories = list(_histories(options))
    if not histories:
        raise SystemExit(f"no file of {options.repository} matches {options.glob!r} twice over")
    steps = [dict(step) for step in zip(*histories, strict=True)]
    n_chars = sum(map(len, steps[0].values()))
    say(
        f"{versions()}. {len(histories)} files of `{options.repository.name}` "
        f"({n_chars:,} characters at first) in {len(steps)} versions each."
    )
    say("What stays, and what has to be embedded again:")
    columns = "chunks at first", "ids of them at last", "embedded again", "× the first", "CPU time"
    table = Table("into", *columns)
    cited: dict[str, Citing] = {}
    with TemporaryDirectory() as folder:
        for strategy in options.strategies:
            ours = OurStore(str(Path(folder) / f"{strategy}.db"), cw.strategy(strategy))
            citing = cited[strategy] = Citing()
            replay = _replayed(ours, steps, partial(_cite, ours.store, citing, options.quotes))
            table.row(f"a store, `{strategy}`", *_cells(replay))
            ours.store.close()
    for name, (module, made) in PEERS.items():
        if find_spec(module) is not None:
            table.row(name, *_cells(_replayed(made(), steps)))
    _print_citations(cited, n_shown=options.show)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repository", type=Path, help="a clone with its history")
    parser.add_argument("glob", help="which of its files; * stands for slashes, too")
    parser.add_argument("--files", type=int, default=20, help="at most so many (default: 20)")
    parser.add_argument("--versions", type=int, default=8, help="of each file (default: 8)")
    parser.add_argument("--quotes", type=int, default=2, help="cited in each version (default: 2)")
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES, metavar="STRATEGY")
    parser.add_argument("--show", type=int, default=0, help="print so many false resolutions")
    return parser


def _git(repository: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def _histories(options: argparse.Namespace) -> Iterator[list[tuple[str, str]]]:
    """Yield files with enough versions: pairs of the name and the text, from old to new."""
    git = partial(_git, options.repository)
    paths = git("ls-tree", "-r", "-z", "--name-only", "HEAD").decode().split("\0")
    names = sorted(filter(partial(fnmatch, pat=options.glob), filter(None, paths)))
    random.Random(SEED).shuffle(names)  # noqa: S311 - nothing secret
    n_files = 0
    for name in names:
        commits = git("log", "--format=%H", "--diff-filter=AM", "--", name).decode().split()[::-1]
        if n_files < options.files and len(commits) >= options.versions:
            spread = range(options.versions)
            last = len(commits) - 1
            picked = [commits[i * last // (options.versions - 1)] for i in spread]
            texts = [git("show", f"{commit}:{name}").decode(errors="replace") for commit in picked]
            n_files += 1
            yield [(name, text) for text in texts]


def _replayed(
    importer: Importer,
    steps: Sequence[dict[str, str]],
    after: Callable[[dict[str, str]], None] | None = None,
) -> Replay:
    """Import all versions, and call ``after`` with the texts of each."""
    seconds, first, n_first = 0.0, set[str](), 0
    for step in steps:
        began = time.process_time()
        importer.run(step)
        seconds += time.process_time() - began
        if step is steps[0]:
            first, n_first = importer.ids(), importer.counting.n
        if after is not None:
            after(step)
    n_kept = len(first & importer.ids())
    return Replay(len(first), n_kept, importer.counting.n - n_first, seconds)


def _cells(replay: Replay) -> tuple[str, ...]:
    return (
        f"{replay.n_first:,}",
        f"{replay.n_kept:,} ({replay.n_kept / max(1, replay.n_first):.0%})",
        f"{replay.n_embedded:,}",
        f"{replay.n_embedded / max(1, replay.n_first):.1f}",
        duration(replay.seconds),
    )


def _cite(store: cw.Store, citing: Citing, n_quotes: int, texts: dict[str, str]) -> None:
    """Resolve what was cited before, and cite words of the versions that are current now."""
    # What is cited is the text that a reader makes: of HTML not the source.
    read = {name: cw.read(text.encode(), name=name).text for name, text in texts.items()}
    for citation, quote in citing.quotes:
        resolution = store.resolve(citation)
        stands = _stands(quote, read[citation.document])
        citing.counts[resolution.status, stands] += 1
        if stands != (resolution.status in STANDING):
            citing.wrong.append((quote, resolution))
    rng = random.Random(SEED + len(citing.quotes))  # noqa: S311 - nothing secret
    for name in texts:
        blocks = store.blocks(name)
        for block in rng.sample(blocks, min(n_quotes, len(blocks))):
            words = _some_words(block.text, rng)
            if words is not None:
                citing.quotes.append((store.cite(block.id, words), words))


def _some_words(text: str, rng: random.Random) -> str | None:
    """Return some words of a text as they stand there; None if it has too few."""
    words = list(WORD.finditer(text))
    n = rng.choice(WORDS)
    if len(words) < n:
        return None
    first = rng.randrange(len(words) - n + 1)
    return text[words[first].start() : words[first + n - 1].end()].rstrip()


def _stands(quote: str, text: str) -> bool:
    """Return whether words stand in a text: letter for letter, but for white space."""
    words = r"\s+".join(map(re.escape, quote.split()))
    before = r"(?<!\w)" if re.match(r"\w", quote) else ""
    behind = r"(?!\w)" if re.search(r"\w\Z", quote) else ""
    return re.search(before + words + behind, text) is not None


def _print_citations(cited: dict[str, Citing], *, n_shown: int) -> None:
    say(
        "What became of citations, of words that stand as they were / of words that do not; a "
        "resolution is false if it says of words that stand that they do not, or the contrary:"
    )
    table = Table("strategy", "citations", "resolutions", *STATUSES, "false")
    for name, citing in cited.items():
        counts = citing.counts
        cells = [f"{counts[status, True]:,} / {counts[status, False]:,}" for status in STATUSES]
        total, wrong = sum(counts.values()), len(citing.wrong)
        table.row(f"`{name}`", f"{len(citing.quotes):,}", f"{total:,}", *cells, f"{wrong:,}")
    for name, citing in cited.items():
        for quote, resolution in citing.wrong[:n_shown]:
            now = None if resolution.place is None else resolution.place.text
            say(f"`{name}`, {resolution.status}: {quote!r} → {now!r}")


if __name__ == "__main__":
    main()
