"""Write what the engine says of the strategies into the package: classes, types, help.

The engine (``rust/engine/src/strategies``) has the strategies with their options: name, type,
range, default, help. From there this writes

* the fields of the classes in ``chunkwright/chunking/strategies``, and the sections *Parameters* of
  their docstrings, and those of the classes that several share; a strategy that has no class yet
  gets one;
* ``chunkwright/_strategies.py``: which module has which class;
* ``docs/options.md``;
* ``chunkwright/chunking/option_types.py`` and both ``__init__.pyi``. A type checker finds a
  misspelt option of ``cw.chunk("text", "kamradt", ...)`` only if the options of each name are
  written down with their types: PEP 692 wants a TypedDict and an overload for each strategy.

Run it after a change of a strategy's options: ``python scripts/generate_option_types.py``.
"""

import ast
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import chunkwright
from chunkwright import _core, chunking
from chunkwright.chunking.option_table import Option

FOLDER = Path(chunking.__file__).parent
FRONT = "../__init__.pyi"
TABLE = "../_strategies.py"
PAGE = "../../../docs/options.md"
MADE = "Made by scripts/generate_option_types.py."
WIDTH = 92
LONGEST = 100
# Classes that share options, by module, each with the class that it adds them to.
LIMITED = ("max_tokens", "max_chars", "tokenizer")
FAMILIES = {
    "Sizes": "bases/options.py",
    "OverPieces": "bases/own_boundaries.py",
    "Semantic": "strategies/semantic.py",
    "SmallPieces": "strategies/semantic.py",
    "ElementStrategy": "strategies/elements.py",
    "SectionStrategy": "strategies/sections.py",
}
# Headings of the page for options that several strategies share.
TITLES = {
    "OverPieces": "Strategies over pieces",
    "Semantic": "Semantic strategies",
    "SmallPieces": "Strategies over small pieces",
    "ElementStrategy": "Strategies over elements",
    "SectionStrategy": "Strategies over sections",
}
# Where a docstring says of options only where they are documented; others are documented in full.
SHOWN = {
    "Sizes": "chunkwright.chunking.bases.options.Sizes",
    "ElementStrategy": "chunkwright.chunking.ElementStrategy",
    "SectionStrategy": "chunkwright.chunking.SectionStrategy",
}
# The module of a class that is new, by the most special family that it is of.
HOMES = {"Sizes": "text", "OverPieces": "semantic", "Semantic": "semantic"}
# What stands in help between backticks and is documented elsewhere.
ROLES = {
    **dict.fromkeys(["Separator", "Tokenizer", "Lexical", "Onnx"], "class:`chunkwright"),
    **dict.fromkeys(["OpenAIChat", "Runner", "Prompt"], "class:`chunkwright.llm"),
    **dict.fromkeys(["Chunk.oversize", "Chunk.headings"], "attr:`chunkwright"),
    "split_sentences": "func:`chunkwright",
    "NAMES": "data:`chunkwright.chunking.languages",
}
# The types of kinds of options, and where those are from that are not built in.
TYPES = {
    "size": "Size",
    "int": "int",
    "number": "float",
    "flag": "bool",
    "language": "str",
    "separators": "str | Sequence[str | Separator]",
    "marks": "str | Separator | Sequence[str | Separator]",
    "tokenizer": "TokenizerLike",
    "embedder": "EmbedderLike",
    "llm": "RunnerLike",
    "prompt": "PromptLike",
}
# No line of code is longer.
LINE = 100
# What the package gives beside the strategies, by module.
OTHERS = [
    ("strategies.elements", "ElementStrategy"),
    ("strategies.sections", "SectionStrategy"),
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

# How the help of an option begins that a strategy does not take, though its family does.
LACKING = "Not for this strategy: "
# The languages of source code, which the docs list once.
LANGUAGES = next(
    row["names"] for row in _core.strategy_options("code") if row["name"] == "language"
)

# What values kinds of options take, in the docs.
TAKES = {
    "flag": "`True`, `False`",
    "language": "code of a language",
    "separators": "list, name of a language",
    "marks": "text or `Separator`, list of them",
    "tokenizer": "name, path or object",
    "embedder": "name, path, object or callable",
    "llm": "adapter, runner or function",
    "prompt": "prompt, path",
}
MODULES = '''\
"""Table of the strategies: the module and the class of each by its name.

It is for the registry and the front door; the modules are in ``chunking/strategies``.
{made}
"""

_MODULES = {{
{rows}}}
CLASSES = {{name: kind for kinds in _MODULES.values() for name, kind in kinds.items()}}
MODULES = {{name: f"strategies.{{module}}" for module, kinds in _MODULES.items() for name in kinds}}
'''
TYPES_OF_OPTIONS = '''\
"""Types of the strategies' names and options, for type checkers.

{made}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from chunkwright.chunking.separators import Separator
from chunkwright.embed import EmbedderLike
from chunkwright.llm.prompt import PromptLike
from chunkwright.llm.run.runner import RunnerLike
from chunkwright.tokens.tokenizer import TokenizerLike

Size = int
"""A size in the unit of the limit, which has no meaning under a limit in another one."""

{values}
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
PAGE_OF_OPTIONS = """\
# Options of the strategies: limits, overlap, tokenizer and others

<!-- {made} -->

Which options a strategy takes, with their ranges and defaults. All strategies take the options of
the first table. The next tables list the options that some strategies share; then each strategy
has a table of its own options, and of shared ones that mean something else there. Sizes are in
the unit of the limit: tokens or characters. An option without a default here takes it from others.

```python
import chunkwright as cw

text = "It rained for days. The river rose. Nobody slept."
chunks = cw.chunk(text, "sentence", max_tokens=10, overlap=5, tokenizer="gpt-4o")
assert max(chunks.n_tokens) <= 10
```

{sections}
"""

NEW = '''

@dataclass(frozen=True, kw_only=True)
class {kind}({base}):
    """{about}

    Raises
    ------
    ConfigError
        If an option makes no sense.
    """

    name = "{name}"
'''


class Strategy(NamedTuple):
    """A strategy, as the engine has it."""

    name: str
    kind: str
    about: str
    families: list[str]
    own: list[str]

    @property
    def options(self) -> dict[str, Option]:
        """All its options."""
        return {row["name"]: Option(**row) for row in _core.strategy_options(self.name)}


ALL = [Strategy(*row) for row in _core.strategies()]
NAMED = [row for row in ALL if row.kind != "OwnBoundaries"]


def main() -> None:
    """Write the files."""
    for name, text in generated().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def generated() -> dict[str, str]:
    """Return the files' texts, by their names."""
    return {
        **_modules(),
        TABLE: _table(),
        "option_types.py": _types(),
        "__init__.pyi": _stub(),
        FRONT: _front(),
        PAGE: _page(),
    }


def _homes() -> dict[str, str]:
    """Return the files that have, or are to have, the classes of the strategies."""
    homes = {"OwnBoundaries": "bases/own_boundaries.py"}
    for path in sorted((FOLDER / "strategies").glob("*.py")):
        kinds = re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE)
        homes |= dict.fromkeys(kinds, f"strategies/{path.name}")
    for row in ALL:
        family = row.families[-1]
        new = f"strategies/{HOMES[family]}.py" if family in HOMES else FAMILIES.get(family)
        homes.setdefault(row.kind, str(new))
    return homes


def _modules() -> dict[str, str]:
    """Return the modules of the classes, with the fields and the help that the engine says."""
    homes = FAMILIES | {row.kind: _homes()[row.kind] for row in ALL}
    texts = {home: (FOLDER / home).read_text("utf-8") for home in homes.values()}
    for family, home in FAMILIES.items():
        own = _family(family)
        fields = [option for option in own.values() if not _stands_before(family, option.name)]
        texts[home] = _filled(texts[home], family, own, {}, fields)
    for row in ALL:
        text, options = texts[homes[row.kind]], row.options
        if f"class {row.kind}(" not in text:
            base = "Strategy" if row.families == ["Sizes"] else row.families[-1]
            text += NEW.format(kind=row.kind, base=base, about=row.about, name=row.name)
        seen, inherited = _inherited(row)
        own = {name: options[name] for name in [*row.own, *seen]}
        texts[homes[row.kind]] = _filled(text, row.kind, own, inherited, _fields(row))
    return {home: _imported(text) for home, text in texts.items()}


def _imported(text: str) -> str:
    """Return a module that imports the types of its fields, if it imports any."""
    begin = "    from chunkwright.chunking.option_types import "
    old = re.search(rf"{begin}(\([^)]*\)|.*)", text)
    if old is None:
        return text
    known = {"Size", *(_alias(name) for name in _names())}
    used = {name for name in known if re.search(rf"^    \w+: {name}\b", text, re.MULTILINE)}
    names = sorted(used | {*re.findall(r"\w+", old[1])} - (known - used))
    line = begin + ", ".join(names)
    if len(line) > LONGEST:
        line = "".join([f"{begin}(\n", *(f"        {name},\n" for name in names), "    )"])
    return text.replace(old[0], line)


def _names() -> dict[str, list[str]]:
    """Return the options that take a few names, with these."""
    options = [option for row in ALL for option in row.options.values()]
    return {option.name: option.names for option in options if option.kind == "name"}


def _family(kind: str) -> dict[str, Option]:
    return {row["name"]: Option(**row) for row in _core.family_options(kind)}


def _stands_before(family: str, name: str) -> bool:
    """Return whether a more general family has a field of that name."""
    return name in LIMITED if family == "Sizes" else name in _family("Sizes")


def _fields(row: Strategy) -> list[Option]:
    """Return the options that are fields of a strategy's own class: new ones, and new defaults."""
    known: dict[str, Option] = {}
    for family in row.families:
        known |= _family(family)
    own = [option for name, option in row.options.items() if name in row.own]
    return [
        option
        for option in own
        if option.name not in known or option.default != known[option.name].default
    ]


def _inherited(row: Strategy) -> tuple[list[str], dict[str, list[str]]]:
    """Return the other options that are documented in full, and those of the classes to see."""
    in_full: list[str] = []
    elsewhere: dict[str, list[str]] = {}
    for name in row.options.keys() - {*row.own}:
        family = next(family for family in reversed(row.families) if name in _family(family))
        (elsewhere.setdefault(family, []) if family in SHOWN else in_full).append(name)
    order = [*row.options]
    return sorted(in_full, key=order.index), {
        family: sorted(elsewhere[family], key=order.index)
        for family in reversed(row.families)
        if family in elsewhere
    }


def _filled(
    text: str,
    kind: str,
    own: Mapping[str, Option],
    inherited: Mapping[str, Sequence[str]],
    fields: Iterable[Option],
) -> str:
    """Return a module with the parameters and the fields of one of its classes."""
    lines = text.splitlines()
    node = next(
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and node.name == kind
    )
    # From the end on, so that what stands before keeps its place.
    old = [each for each in node.body if _is_field(each)]
    new = [f"    {_field(option)}" for option in fields]
    if old:
        lines[old[0].lineno - 1 : old[-1].end_lineno] = new
    elif new:
        last = [each for each in node.body if isinstance(each, ast.Assign | ast.AnnAssign)]
        end = (last[-1] if last else node.body[0]).end_lineno or 0
        lines[end:end] = ["", *new]
    doc = node.body[0]
    first, end = doc.lineno - 1, doc.end_lineno or 0
    lines[first:end] = _documented(lines[first:end], _parameters(own, inherited))
    return "\n".join(lines) + "\n"


def _is_field(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and not node.target.id.startswith("_")
        and not ast.unparse(node.annotation).startswith("ClassVar")
    )


def _field(option: Option) -> str:
    default = option.default
    value = f'"{default}"' if isinstance(default, str) else repr(default)
    return f"{option.name}: {_type(option)} = {value}"


def _type(option: Option) -> str:
    kind = _alias(option.name) if option.kind == "name" else TYPES[option.kind]
    return f"{kind} | None" if option.takes_none else kind


def _alias(name: str) -> str:
    return name.title().replace("_", "")


def _documented(doc: list[str], parameters: list[str]) -> list[str]:
    """Return the lines of a docstring with new parameters."""
    head = "    Parameters"
    ends = [place for place, line in enumerate(doc) if re.fullmatch(r"    -{3,}", line)]
    if head in doc:
        first = doc.index(head)
        after = [end - 1 for end in ends if end > first + 1]
        return [*doc[:first], *parameters, *doc[after[0] if after else len(doc) - 1 :]]
    first = ends[0] - 1 if ends else len(doc) - 1
    return [*doc[:first], *parameters, *doc[first:]]


def _parameters(own: Mapping[str, Option], inherited: Mapping[str, Sequence[str]]) -> list[str]:
    lines = ["    Parameters", "    ----------"]
    for option in own.values():
        text = re.sub("`([^`]+)`", _marked, f"{option.about} {option.more}".strip())
        filled = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
        lines += [f"    {option.name}", *(f"        {line}" for line in filled)]
    for family, names in inherited.items():
        for line in textwrap.wrap(", ".join(names), WIDTH + 4, break_long_words=False):
            lines += [f"    {line.rstrip(',')}", f"        See :class:`{SHOWN[family]}`."]
    return [*lines, ""]


def _marked(match: re.Match[str]) -> str:
    code = match[1]
    return f":{ROLES[code]}.{code}`" if code in ROLES else f"``{code}``"


def _table() -> str:
    homes = _homes()
    modules: dict[str, list[Strategy]] = {}
    for row in NAMED:
        modules.setdefault(Path(homes[row.kind]).stem, []).append(row)
    rows = [
        f'    "{module}": {{\n'
        + "".join(f'        "{row.name}": "{row.kind}",\n' for row in kinds)
        + "    },\n"
        for module, kinds in modules.items()
    ]
    return MODULES.format(made=MADE, rows="".join(rows))


def _types() -> str:
    names = {
        "TextStrategyName": [row.name for row in NAMED if "text" in _takes(row)],
        "ElementStrategyName": [row.name for row in NAMED if "elements" in _takes(row)],
    }
    return TYPES_OF_OPTIONS.format(
        made=MADE,
        values="\n".join(_values(name, known) for name, known in _names().items()),
        names="\n".join(_literal(name, known) for name, known in names.items()),
        classes="\n\n\n".join(map(_typed_dict, [None, *NAMED])),
    )


def _takes(row: Strategy) -> Sequence[str]:
    """Return what a strategy takes; one that has no class yet takes what its family does."""
    family = row.families[-1]
    home = FAMILIES[family].removesuffix(".py").replace("/", ".")
    base = getattr(import_module(f"chunkwright.chunking.{home}"), family)
    takes: Sequence[str] = getattr(chunkwright, row.kind, base).takes
    return takes


def _values(name: str, values: Sequence[str]) -> str:
    quoted = ", ".join(f'"{value}"' for value in values)
    line = f"{_alias(name)} = Literal[{quoted}]"
    return line if len(line) <= LINE else _literal(_alias(name), values)


def _literal(name: str, strategies: Iterable[str]) -> str:
    rows = "".join(f'    "{strategy}",\n' for strategy in strategies)
    return f"{name} = Literal[\n{rows}]"


def _typed_dict(row: Strategy | None) -> str:
    """Return the types of a strategy's options; without one of those that all have."""
    shared = _family("Sizes")
    if row is None:
        kind, base, options = "chunkwright.chunking.bases.options.Sizes", "TypedDict", shared
    else:
        kind, base = f"chunkwright.{row.kind}", "SizesOptions"
        options = {name: option for name, option in row.options.items() if name not in shared}
    rows = [f"    {name}: {_type(option)}" for name, option in options.items()]
    return "\n".join(
        [
            f"class {kind.rpartition('.')[2]}Options({base}, total=False):",
            f'    """Those of :class:`{kind}`."""',
            *(["", *rows] if rows else []),
        ]
    )


def _stub() -> str:
    homes = _homes()
    classes = [(f"strategies.{Path(homes[row.kind]).stem}", row.kind) for row in NAMED]
    return STUB.format(
        made=MADE,
        imports="\n".join(
            f"from chunkwright.chunking.{module} import {name} as {name}"
            for module, _, name in sorted(
                (module, not name.isupper(), name) for module, name in [*classes, *OTHERS]
            )
        ),
        overloads="\n".join([*map(_overload, NAMED), MADE_BEFORE]),
    )


def _front() -> str:
    """Return the stub of the package itself, with the strategies that there are."""
    stub = (FOLDER / FRONT).read_text(encoding="utf-8")
    begin = "from chunkwright.chunking import (\n"
    before, _, rest = stub.partition(begin)
    kinds = [row.kind for row in NAMED]
    names = sorted([*kinds, "Separator", "TablePart", "chunk", "split_table"])
    rows = "".join(f"    {name} as {name},\n" for name in names)
    return f"{before}{begin}{rows}){rest.partition(')')[2]}"


def _overload(row: Strategy) -> str:
    takes = _takes(row)
    return OVERLOAD.format(
        takes="str | Document" if "text" in takes and "elements" not in takes else "Source",
        name=row.name,
        default=" = ..." if row.name == "recursive" else "",
        kind=row.kind,
    )


def _page() -> str:
    known = _family("Sizes")
    sections = [_section("All strategies", "", known.values())]
    for family, title in TITLES.items():
        own = {name: each for name, each in _family(family).items() if each != known.get(name)}
        names = [f"[`{row.name}`](#{row.name})" for row in NAMED if family in row.families]
        sections.append(_section(title, f"Options of {', '.join(names)}.", own.values()))
    sections += filter(None, map(_own_section, NAMED))
    return PAGE_OF_OPTIONS.format(made=MADE, sections="\n\n".join(sections))


def _own_section(row: Strategy) -> str:
    """Return what a strategy has beside the options that it shares; empty if it has none."""
    titles = [title for family, title in TITLES.items() if family in row.families]
    shared = dict(_family("Sizes"))
    for family in filter(row.families.__contains__, TITLES):
        shared |= _family(family)
    own = {name: each for name, each in row.options.items() if each != shared.get(name)}
    links = [f"[{title}](#{title.lower().replace(' ', '-')})" for title in titles]
    about = f"Also the options of {', '.join(links)}." if links else ""
    return _section(f"`{row.name}`", about, own.values()) if own or links else ""


def _section(title: str, about: str, options: Iterable[Option]) -> str:
    rows: list[str] = []
    lacking: dict[str, list[str]] = {}
    for option in options:
        if option.about.startswith(LACKING):
            lacking.setdefault(option.about.removeprefix(LACKING), []).append(f"`{option.name}`")
        else:
            takes, default = _values_taken(option), _shown(option.default)
            rows.append(f"| `{option.name}` | {takes} | {default} | {option.about} |")
    table = ["", "| option | takes | default | |", "|---|---|---|---|", *rows] if rows else []
    notes = [f"Without {' and '.join(names)}: {why}" for why, names in lacking.items()]
    said = [line for each in (about, *notes) if each for line in ("", each)]
    return "\n".join([f"## {title}", *said, *table])


def _values_taken(option: Option) -> str:
    if option.kind == "name":
        has_more = {*LANGUAGES} < {*option.names}
        own = [name for name in option.names if not (has_more and name in LANGUAGES)]
        listed = [f'`"{name}"`' for name in own]
        return ", ".join([*listed, *(["a language of [`code`](#code)"] if has_more else [])])
    if option.kind in TAKES:
        return TAKES[option.kind]
    what = "size" if option.kind == "size" else option.unit or "number"
    most = "the limit" if option.is_within_limit else option.most
    if option.least is None:
        return what
    ends = ", both excluded" if option.excludes_ends else ""
    return f"{what}, from {option.least:g}" + (f" to {most}{ends}" if most is not None else "")


def _shown(default: object) -> str:
    if default is None:
        return ""
    return f'`"{default}"`' if isinstance(default, str) else f"`{default}`"


if __name__ == "__main__":
    main()
