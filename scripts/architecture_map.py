"""Map of the modules in docs/architecture.md, written from the first sentence of each module's doc.

A folder more than `DEPTH` folders below its source tree is one line, that of its `mod.rs` or
`__init__.py`. `--check` writes nothing, and fails if the page is not current.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- map: scripts/architecture_map.py writes it -->", "<!-- end of the map -->"
TREES = ("rust/core/src", "rust/parity/src", "rust/engine/src", "rust/py/src", "python/chunkwright")
HEADS = ("lib.rs", "mod.rs", "__init__.py")
SUFFIXES = {".rs", ".py"}
DEPTH = 1


def map_of(tree: str) -> Iterator[str]:
    """Give the lines of a source tree: a heading, its modules, then folder by folder."""
    root = ROOT / tree
    if root.is_dir():
        yield f"### `{tree}`"
        yield ""
        yield from _folder(root, root)
        yield ""


def _folder(folder: Path, root: Path) -> Iterator[str]:
    depth = len(folder.relative_to(root).parts)
    indent = "  " * max(depth - 1, 0)
    if depth:
        yield f"{indent}- `{folder.name}/`: {_about_folder(folder)}"
    if depth <= DEPTH:
        inner = "  " * depth
        for file in sorted(folder.iterdir()):
            if file.suffix in SUFFIXES and file.name not in HEADS:
                yield f"{inner}- `{file.name}`: {first_sentence(file)}"
        for each in sorted(folder.iterdir()):
            if each.is_dir() and any(file.suffix in SUFFIXES for file in each.rglob("*")):
                yield from _folder(each, root)


def _about_folder(folder: Path) -> str:
    heads = [folder / name for name in HEADS] + [folder.with_suffix(".rs")]
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
    # Links of the documentation are none on the page.
    sentence = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", sentence)
    return re.sub(r"\[(`[^`]+`)\](?:\([^)]*\))?", r"\1", sentence)


def updated(page: str) -> str:
    """Return the page with the map between its markers made anew."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    lines = [line for tree in TREES for line in map_of(tree)]
    return f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n{END}{after}"


def main() -> None:
    """Write the page, or say that it is not current."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if not current")
    page = PAGE.read_text("utf-8")
    current = updated(page)
    if parser.parse_args().check:
        if page != current:
            sys.exit("docs/architecture.md is not current: run scripts/architecture_map.py")
    else:
        PAGE.write_text(current, "utf-8")


if __name__ == "__main__":
    main()
