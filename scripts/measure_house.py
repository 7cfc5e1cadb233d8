"""Sizes of the house: lines and files of each room, walls, and private doors between rooms.

    python scripts/measure_house.py             # the whole
    python scripts/measure_house.py --rooms     # and each package of Python, each crate of Rust

Lines are those that hold code: without docstrings, comments and blank lines; Rust without the
tests at the end of its files. `measure_trips.py` counts which of the files a call enters.
"""

import argparse
import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PYTHON, RUST = ROOT / "python" / "chunkwright", ROOT / "rust"
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
FRAGMENT = 40
PRIVATE_DOOR = re.compile(r"# noqa: [A-Z0-9, ]*SLF001")
RUST_TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """A file of Python or Rust.

    Attributes
    ----------
    room
        Its package, or its crate.
    n_lines
        How many lines hold code.
    n_imports
        How many of them import; of Python alone.
    n_functions
        How many functions it has; of Python alone.
    n_doors
        How many lines take what another room has private.
    is_front
        Whether it is what a package shows, an ``__init__.py``.
    """

    room: str
    n_lines: int
    n_imports: int = 0
    n_functions: int = 0
    n_doors: int = 0
    is_front: bool = False


def python_sources() -> Iterator[Source]:
    """Read the files of the package."""
    for path in sorted(PYTHON.rglob("*.py")):
        text, place = path.read_text("utf-8"), path.relative_to(PYTHON)
        tree, code = ast.parse(text), code_lines(path)
        nodes = list(ast.walk(tree))
        code -= {line for node in nodes for line in docstring_lines(node)}
        imports = {line for node in nodes if is_import(node) for line in lines_of(node)}
        yield Source(
            room=place.parts[0] if len(place.parts) > 1 else "(root)",
            n_lines=len(code),
            n_imports=len(imports & code),
            n_functions=sum(
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes
            ),
            n_doors=len(PRIVATE_DOOR.findall(text)),
            is_front=path.name == "__init__.py",
        )


def code_lines(path: Path) -> set[int]:
    """Return the numbers of the lines that hold a token of code, docstrings included."""
    lines: set[int] = set()
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type not in NO_CODE:
                lines.update(range(token.start[0], token.end[0] + 1))
    return lines


def docstring_lines(node: ast.AST) -> range:
    """Return the lines of the docstring of a module, class or function; none of anything else."""
    body = getattr(node, "body", None)
    is_scope = isinstance(node, ast.Module | ast.ClassDef | FUNCTIONS)
    if not is_scope or not body or ast.get_docstring(node, clean=False) is None:  # type: ignore[arg-type]
        return range(0)
    return lines_of(body[0])


def is_import(node: ast.AST) -> bool:
    """Return whether a node imports."""
    return isinstance(node, ast.Import | ast.ImportFrom)


def lines_of(node: ast.AST) -> range:
    """Return the lines of a statement."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)  # type: ignore[attr-defined]


def rust_sources() -> Iterator[Source]:
    """Read the files of the crates."""
    for path in sorted(RUST.glob("*/src/**/*.rs")):
        if path.name.endswith("tests.rs"):
            continue
        text = RUST_TESTS.split(path.read_text("utf-8"), maxsplit=1)[0]
        lines = [line.strip() for line in text.splitlines()]
        n_lines = sum(bool(line) and not line.startswith("//") for line in lines)
        yield Source(room=path.relative_to(RUST).parts[0], n_lines=n_lines)


def house(python: list[Source], rust: list[Source]) -> Iterator[tuple[str, str, str]]:
    """Return what is measured, its figure, and what is wanted."""
    n_lines = sum(source.n_lines for source in python)
    rooms = [source for source in python if not source.is_front]
    fragments = sum(source.n_lines < FRAGMENT for source in rooms)
    imports = sum(source.n_imports for source in python) / n_lines
    functions = sum(source.n_functions for source in python) / n_lines * 1000
    needed = [Requirement(each) for each in requires("chunkwright") or ()]
    always = sorted(each.name for each in needed if each.marker is None)
    yield "Python: lines of code", f"{n_lines:,}", "45,000"
    yield "Python: files", f"{len(python)}", "540"
    yield "Python: lines a file, in the mean", f"{n_lines / len(python):.0f}", ""
    yield f"Python: files below {FRAGMENT} lines", f"{fragments / len(rooms):.0%}", ""
    yield "Python: lines that import", f"{imports:.0%}", ""
    yield "Python: functions per 1,000 lines", f"{functions:.0f}", ""
    yield "private doors between rooms", f"{sum(source.n_doors for source in python)}", "8"
    yield "Rust: lines of code", f"{sum(source.n_lines for source in rust):,}", ""
    yield "Rust: files", f"{len(rust)}", ""
    yield "installed with the package", ", ".join(always), "numpy"


def rooms_of(sources: list[Source]) -> Iterator[tuple[str, str, str]]:
    """Return each room with its files and its lines, the largest first."""
    rooms: dict[str, list[Source]] = {}
    for source in sources:
        rooms.setdefault(source.room, []).append(source)
    sizes = [(sum(source.n_lines for source in of), len(of), room) for room, of in rooms.items()]
    for n_lines, n_files, room in sorted(sizes, reverse=True):
        yield room, f"{n_files}", f"{n_lines:,}"


def print_table(head: tuple[str, str, str], rows: Iterator[tuple[str, str, str]]) -> None:
    """Print rows as a table of Markdown."""
    for row in (head, ("---", "---:", "---:"), *rows):
        print(f"| {' | '.join(row)} |")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rooms", action="store_true", help="each package and crate, too")
    options = parser.parse_args()
    python, rust = list(python_sources()), list(rust_sources())
    print_table(("what", "now", "at most"), house(python, rust))
    if options.rooms:
        for name, sources in (("package", python), ("crate", rust)):
            print()
            print_table((name, "files", "lines of code"), rooms_of(sources))


if __name__ == "__main__":
    main()
