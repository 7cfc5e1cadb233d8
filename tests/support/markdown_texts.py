"""Markdown to be read: generated, CommonMark's own examples, mutations of real files."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.support.texts import PAIRS

ROOT = Path(__file__).parents[2]
PARTS = [
    *[
        "# ",
        "## ",
        "###### ",
        "\n===\n",
        "\n---\n",
        "- ",
        "* ",
        "1. ",
        "- [ ] ",
        "> ",
        "    ",
        "\t",
    ],
    *["```py\n", "```", "~~~", "| a | b |\n|---|:-:|\n", "| 1 | 2 |\n", "|", "![i](u)", "[^n]: "],
    *["[r]: /u 'title'\n", "[text][r]", "$$x$$", "<div>\n", "</div>", "<!-- ", " -->", "***", "`"],
    *["\n", "\n\n", "\r\n", "\r", "  \n", "\\", "&amp;", "{#id .c}", "\ufeff", "+++\n", "---\n"],
    *["word", "One sentence. ", "漢字", "é", "\u0301", "🚀", "\x00", "\ud800", "1986. "],
]
# Headings and tables over longer text, in which characters are held as two surrogates.
WORD = st.lists(st.one_of(st.sampled_from(["a", "\u00e9"]), PAIRS), min_size=1, max_size=8).map(
    "".join
)
HEADING = st.builds("# {}\n\n".format, WORD)
TEXT = st.lists(WORD, min_size=1, max_size=20).map(" ".join).map("{}\n\n".format)
ROWS = st.lists(st.builds("| {} | {} |\n".format, WORD, WORD), min_size=1, max_size=8).map("".join)
TABLE = st.builds("| {} | b |\n|---|---|\n{}\n".format, WORD, ROWS)
LONG = st.lists(st.one_of(HEADING, TEXT, TABLE), max_size=8).map("".join)
MARKDOWN = st.one_of(st.lists(st.sampled_from(PARTS), max_size=60).map("".join), LONG)


@cache
def specification() -> list[str]:
    """List the examples that pulldown-cmark is tested with, of CommonMark, GitHub and its own.

    They come with the sources of the crate; none where cargo, or the crate, is not at hand.
    """
    cargo = shutil.which("cargo")
    if cargo is None:
        return []
    command = [cargo, "metadata", "--offline", "--locked", "--format-version", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        return []
    packages = json.loads(done.stdout)["packages"]
    manifests = [one["manifest_path"] for one in packages if one["name"] == "pulldown-cmark"]
    examples = []
    for manifest in manifests:
        for file in sorted((Path(manifest).parent / "tests" / "suite").glob("*.rs")):
            source = file.read_text(encoding="utf-8")
            examples += re.findall(r'let original = r##"(.*?)"##;', source, flags=re.DOTALL)
    return examples


@cache
def files() -> list[str]:
    """List the Markdown files of the repository."""
    paths = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benches/*.md")]
    return [path.read_text(encoding="utf-8") for path in sorted(paths)]


def mutations(text: str, n: int, seed: int) -> list[str]:
    """Change a text at random places, each time anew: lines moved, marks put in, ranges cut."""
    rng = random.Random(seed)
    return [_mutated(text, rng) for _ in range(n)]


def _mutated(text: str, rng: random.Random) -> str:
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice([0, 1, 3, 40, 400]))
        to = rng.randrange(len(text) + 1)
        put = rng.choice([*PARTS, text[to : to + 80], rng.choice(PARTS) * 20])
        text = text[:at] + put + text[end:]
    return text
