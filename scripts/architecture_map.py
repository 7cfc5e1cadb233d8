"""Map of the modules: every file and folder of both languages with the first sentence of its doc.

Without an argument it prints the whole source; `rust/text/src/cut` prints that folder.
"""

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TREES = (
    "rust/text/src",
    "rust/read/src",
    "rust/search/src",
    "rust/code/src",
    "rust/parity/src",
    "rust/engine/src",
    "rust/fuzz/src",
    "rust/py/src",
    "python/chunkwright",
)
HEADS = ("lib.rs", "mod.rs", "__init__.py")
SUFFIXES = {".rs", ".py"}


def map_of(folder: Path, depth: int = 0) -> Iterator[str]:
    """Give the lines of a folder: its modules, then its folders with theirs."""
    indent = "  " * depth
    for file in sorted(folder.iterdir()):
        if file.suffix in SUFFIXES and file.name not in HEADS:
            yield f"{indent}- `{file.name}`: {first_sentence(file)}"
    for each in sorted(folder.iterdir()):
        if each.is_dir() and any(file.suffix in SUFFIXES for file in each.rglob("*")):
            yield f"{indent}- `{each.name}/`: {_about(each)}"
            yield from map_of(each, depth + 1)


def _about(folder: Path) -> str:
    heads = [folder / name for name in HEADS]
    return next((first_sentence(head) for head in heads if head.is_file()), "")


def first_sentence(file: Path) -> str:
    """Return the first sentence of a module's doc, without its full stop."""
    text = file.read_text("utf-8")
    if file.suffix == ".py":
        doc = ast.get_docstring(ast.parse(text)) or ""
    else:
        lines = re.match(r"(?://!.*\n)*", text)
        doc = re.sub(r"^//! ?", "", lines[0] if lines else "", flags=re.MULTILINE)
    paragraph = " ".join(doc.strip().split("\n\n")[0].split())
    sentence = re.split(r"(?<=[.!?])\s(?=[A-Z`])", paragraph)[0].rstrip(".")
    # Links of the documentation are none on a terminal.
    sentence = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", sentence)
    return re.sub(r"\[(`[^`]+`)\](?:\([^)]*\))?", r"\1", sentence)


def main() -> None:
    """Print the map of the folders that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", default=TREES, help="folders under the root")
    for folder in parser.parse_args().folders:
        print(f"### `{folder}`: {_about(ROOT / folder)}", "", sep="\n")
        print(*map_of(ROOT / folder), "", sep="\n")


if __name__ == "__main__":
    main()
