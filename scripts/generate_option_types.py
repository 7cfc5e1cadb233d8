"""Write what type checkers know of the strategies, from the registry and the dataclasses' fields.

A type checker finds a misspelt option of ``cw.chunk("text", "kamradt", ...)`` only if the options
of each name are written down with their types: PEP 692 wants a TypedDict and an overload for each
strategy. Nobody has to keep those equal to the dataclasses by hand: this writes
``chunkwright/chunking/option_types.py`` (the TypedDicts), ``chunkwright/chunking/__init__.pyi``
(the overloads, and the classes that the package imports lazily) and the part of
``chunkwright/__init__.pyi`` that names the strategies.

Run it after a change of a strategy's options: ``python scripts/generate_option_types.py``.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from chunkwright import chunking
from chunkwright._strategies import CLASSES
from chunkwright.chunking.registry import ALL_STRATEGIES, ELEMENT_STRATEGIES, STRATEGIES

FOLDER = Path(chunking.__file__).parent
FRONT = FOLDER.parent / "__init__.pyi"
MADE = "Made by scripts/generate_option_types.py."
# What the package gives beside the strategies, by module.
OTHERS = [
    ("bases.elementwise", "ElementStrategy"),
    ("bases.sectionwise", "SectionStrategy"),
    ("bases.chunker", "Chunker"),
    ("bases.chunker", "Source"),
    *(("registry", f"{which}STRATEGIES") for which in ("", "ALL_", "ELEMENT_")),
    ("registry", "AnyStrategy"),
    ("registry", "make_strategy"),
    ("separators", "Separator"),
    ("bases.strategy", "Strategy"),
    ("table_splitter", "TablePart"),
    ("table_splitter", "split_table"),
]

TYPES = '''\
"""Types of the strategies' names and options, for type checkers.

{made}
"""

from __future__ import annotations

{imports}

{names}
StrategyName = Literal[TextStrategyName, "json", ElementStrategyName]
"""The names of all strategies."""


{classes}
'''
STUB = """\
# What type checkers know of this package. {made}
from typing import Literal, Unpack, overload

from chunkwright.chunking import option_types as types
{imports}
from chunkwright.chunks import Chunks
from chunkwright.document import Document

{overloads}
"""
OVERLOAD = """\
@overload
def chunk(
    text: {takes},
    strategy: Literal["{name}"]{default},
    *,
    name: str | None = ...,
    **options: Unpack[types.{kind}Options],
) -> Chunks: ..."""

MADE_BEFORE = """\
@overload
def chunk(text: Source, strategy: AnyStrategy, *, name: str | None = ...) -> Chunks: ..."""


def main() -> None:
    """Write the files."""
    for name, text in generated().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def generated() -> dict[str, str]:
    """Return the files' texts, by their names."""
    return {"option_types.py": _types(), "__init__.pyi": _stub(), "../__init__.pyi": _front()}


def _types() -> str:
    kinds: list[type] = []
    for kind in ALL_STRATEGIES.values():
        kinds += [base for base in reversed(_storeys(kind)) if base not in kinds]
    names = {"TextStrategyName": [*STRATEGIES], "ElementStrategyName": [*ELEMENT_STRATEGIES]}
    return TYPES.format(
        made=MADE,
        imports=_imports(kinds),
        names="\n".join(_literal(name, known) for name, known in names.items()),
        classes="\n\n\n".join(map(_typed_dict, kinds)),
    )


def _storeys(kind: type) -> list[type]:
    """Return a class and its bases, as far as they add options or are in the registry."""
    known = set(ALL_STRATEGIES.values())
    return [base for base in kind.__mro__ if base in known or _own(base)]


def _own(kind: type) -> dict[str, str]:
    """Return the types of the options that a class adds to those of its bases."""
    if "__dataclass_fields__" not in vars(kind):
        return {}
    own = vars(kind).get("__annotations__", {})
    old = {name for base in kind.__mro__[1:] for name in getattr(base, "__annotations__", ())}
    return {
        field.name: str(field.type)
        for field in fields(kind)
        if field.init and field.name in own and field.name not in old
    }


def _imports(kinds: Iterable[type]) -> str:
    imports = {"typing": {"Literal", "TypedDict"}}
    for module, name in (found for kind in kinds for found in _sources(kind)):
        imports.setdefault(module, set()).add(name)
    lines = [f"from {module} import {', '.join(sorted(imports[module]))}" for module in imports]
    own = sorted(line for line in lines if line.startswith("from chunkwright."))
    return "\n".join([*sorted({*lines} - {*own}), "", *own])


def _sources(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the names in the annotations of a class, each with the module that it is from."""
    imported = {
        alias.name: node.module or ""
        for node in ast.walk(ast.parse(inspect.getsource(sys.modules[kind.__module__])))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for said in _own(kind).values():
        for name in re.findall(r"[A-Z]\w+", said.replace("None", "")):
            yield imported.get(name, kind.__module__), name


def _literal(name: str, strategies: Iterable[str]) -> str:
    rows = "".join(f'    "{strategy}",\n' for strategy in strategies)
    return f"{name} = Literal[\n{rows}]"


def _typed_dict(kind: type) -> str:
    bases = _storeys(kind)[1:]
    parent = f"{bases[0].__name__}Options" if bases else "TypedDict"
    package = "chunkwright" if kind.__name__ in CLASSES.values() else kind.__module__
    rows = [f"    {name}: {said}" for name, said in _own(kind).items()]
    return "\n".join(
        [
            f"class {kind.__name__}Options({parent}, total=False):",
            f'    """Those of :class:`{package}.{kind.__name__}`."""',
            *(["", *rows] if rows else []),
        ]
    )


def _stub() -> str:
    classes = [(f"strategies.{module}", name) for module, name in CLASSES.items()]
    return STUB.format(
        made=MADE,
        imports="\n".join(
            f"from chunkwright.chunking.{module} import {name} as {name}"
            for module, _, name in sorted(
                (module, not name.isupper(), name) for module, name in [*classes, *OTHERS]
            )
        ),
        overloads="\n".join([*map(_overload, ALL_STRATEGIES), MADE_BEFORE]),
    )


def _front() -> str:
    """Return the stub of the package itself, with the strategies that there are."""
    stub = FRONT.read_text(encoding="utf-8")
    begin = "from chunkwright.chunking import (\n"
    before, _, rest = stub.partition(begin)
    names = sorted([*CLASSES.values(), "Separator", "TablePart", "chunk", "split_table"])
    rows = "".join(f"    {name} as {name},\n" for name in names)
    return f"{before}{begin}{rows}){rest.partition(')')[2]}"


def _overload(name: str) -> str:
    over_text = name in STRATEGIES
    return OVERLOAD.format(
        takes="str | Document" if over_text and name not in ELEMENT_STRATEGIES else "Source",
        name=name,
        default=" = ..." if name == "recursive" else "",
        kind=CLASSES[name],
    )


if __name__ == "__main__":
    main()
