"""Imports go one way, and files stay small enough to be read."""

import ast
from collections.abc import Iterator
from pathlib import Path

import chunkwright

PACKAGE = Path(chunkwright.__file__).parent

# Each package may import those in the rows above its own; modules of the root belong to the first.
LAYERS = [
    {"", "read", "render", "embed", "llm"},
    {"chunking", "retrieval"},
    {"corpus", "index", "evaluation"},
    {"compat", "cli"},
]


def _layer(module: str) -> int:
    package = module.split(".")[1] if module.count(".") else ""
    is_package = (PACKAGE / package).is_dir()
    return next(i for i, row in enumerate(LAYERS) if (package if is_package else "") in row)


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_imports_go_one_way() -> None:
    # The package's front door and its command line's entry stand above everything.
    doors = {PACKAGE / "__init__.py", PACKAGE / "__main__.py"}
    for file in set(PACKAGE.rglob("*.py")) - doors:
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        module = ".".join(["chunkwright", *(part for part in parts if part != "__init__")])
        for imported in _imported(ast.parse(file.read_text("utf-8"))):
            if imported.startswith("chunkwright."):
                assert _layer(imported) <= _layer(module), f"{module} imports {imported}"


def test_files_stay_small() -> None:
    root = PACKAGE.parent.parent
    sources = [*PACKAGE.rglob("*.py"), *(root / "rust").rglob("src/**/*.rs")]
    long = {file.name: n for file in sources if (n := file.read_text("utf-8").count("\n")) > 500}
    assert not long
