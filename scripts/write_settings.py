"""Writer of the commands, options and settings in docs/cli.md and docs/cli/, from the command line.

Marks in a page say what stands where, up to ``<!-- end -->``: ``<!-- command chunk -->`` what the
command does, an example and its options, ``<!-- summary chunk -->`` the first two of these,
``<!-- options: Reading -->`` options that several commands share, ``<!-- settings -->`` and
``<!-- settings of the service -->`` settings. A test fails while a page is not what this writes.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from typer.core import TyperArgument

from chunkwright.cli.settings.flags import variable
from chunkwright.cli.settings.table import FIELDS, OF_TABLES, row_of
from chunkwright.cli.syntax.commands import COMMANDS, Group, Row, command_of
from chunkwright.cli.syntax.service import variable_of
from chunkwright.server.settings import SETTINGS
from chunkwright.settings import Setting

WIDTH = 120
DOCS = Path(__file__).parent.parent / "docs"
SHARED = {"Cutting": "chunk", "Reading": "chunk", "Rows of tables": "chunk"}
"""Options that stand once, on the page of options, and a command that has all of them."""
LANGUAGE_MODEL = "Language model"
_PLACE = re.compile(r"(<!-- (.+?) -->\n)(?:(?!<!-- ).)*?(<!-- end -->)", re.DOTALL)
# What is code wherever a help text has it: flags, variables, and literals with an underscore.
_CODE = re.compile(
    r"(?<![\w`/-])(--?[a-zA-Z][\w-]*|CHUNKWRIGHT_\w+|[a-z]+(?:_[a-z0-9]+)+(?:\.[a-z]+)?)"
)


def pages() -> Iterator[tuple[Path, str]]:
    """Give the pages, and what each holds."""
    for page in [DOCS / "cli.md", *sorted((DOCS / "cli").glob("*.md"))]:
        yield page, _PLACE.sub(_filled, page.read_text("utf-8"))


def rows_by_name(rows: Mapping[str, Any] = COMMANDS, before: str = "") -> Iterator[tuple[str, Row]]:
    """Give all commands by their whole names, such as ``store list``."""
    for name, row in rows.items():
        if isinstance(row, Group):
            yield from rows_by_name(row.rows, f"{name} ")
        else:
            yield before + name, row


def _filled(place: re.Match[str]) -> str:
    kind, _, name = place[2].partition(" ")
    if kind == "command":
        said = [*_summary(name), *_of_command(name)]
    elif kind == "summary":
        said = [*_summary(name)]
    elif kind == "options:":
        command = SHARED.get(name, "contextualize")
        said = [_table(["option", ""], _options(command)[name])]
    elif name == "of the service":
        rows = map(_cells_of_service, SETTINGS)
        said = [_table(["flag", "default", "", "key", "variable"], rows)]
    else:
        said = [_table(["key", "flag", ""], _settings())]
    return "\n\n".join([place[1].rstrip(), *said, place[3]])


def _summary(name: str) -> Iterator[str]:
    """Give what a command does, and an example."""
    row = dict(rows_by_name())[name]
    yield _marked(row.about)
    yield f"```console\n$ chunkwright {row.example}\n```"


def _of_command(name: str) -> Iterator[str]:
    """Give the rest of a command's help, and its options."""
    more = dict(rows_by_name())[name].more
    for paragraph in filter(None, more.split("\n\n")):
        yield textwrap.fill(_marked(paragraph), WIDTH, break_on_hyphens=False)
    options = _options(name)
    own = [*options.pop("Arguments", []), *options.pop("Options", [])]
    if name == "serve":
        return
    shared = []
    for group, lines in options.items():
        if group == LANGUAGE_MODEL:
            shared.append("[language model](language-models.md)")
        # Some commands have a strategy of their own.
        elif group in SHARED and len(lines) >= len(_options(SHARED[group])[group]) - 1:
            anchor = group.lower().replace(" ", "-")
            shared.append(f"[{group.lower()}](options.md#{anchor})")
        else:
            own += lines
    yield _table(["option", ""], own)
    if shared:
        yield f"More options: {', '.join(shared)}."


def _options(name: str) -> dict[str, list[tuple[str, str]]]:
    """Return the arguments and options of a command by the headings of its help, as cells."""
    command, context = command_of(name)
    groups: dict[str, list[tuple[str, str]]] = {}
    for param in command.get_params(context):
        record = param.get_help_record(context)
        if record is None or "--help" in param.opts:
            continue
        default = "Arguments" if isinstance(param, TyperArgument) else "Options"
        group = getattr(param, "rich_help_panel", None) or default
        groups.setdefault(group, []).append((f"`{record[0]}`", _marked(record[1])))
    return groups


def _settings() -> Iterator[tuple[str, str, str]]:
    """Give the settings that are no options of strategies: key, flag, what it means."""
    for name, one in FIELDS.items():
        row = row_of(name)
        flags = ", ".join(f"`{flag}`" for flag in row.flags) if row else ""
        is_list = one.takes_many or name in OF_TABLES
        has_variable = "" if is_list else f"<br>`{variable(name)}`"
        yield f"`{name}`{has_variable}", flags, _marked(one.about)


def _marked(text: str) -> str:
    """Return a help text as Markdown, its flags and literals as code."""
    plain = re.sub(r"([\\*<|])", r"\\\1", " ".join(text.split()))
    return _CODE.sub(r"`\1`", plain)


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([_line(names), f"|{'---|' * len(names)}", *map(_line, rows)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("  ", " ")


def _cells_of_service(one: Setting) -> tuple[str, ...]:
    many = " May be repeated." if one.takes_many and not one.is_secret else ""
    no = one.flag.replace("--", "--no-") if one.default is True else ""
    flags = [one.flag, *([one.short] if one.short else []), *([no] if no else [])]
    name = variable_of(one)
    return (
        "`--key-file`" if one.is_secret else ", ".join(f"`{flag}`" for flag in flags),
        one.default_shown,
        _marked(f"{one.about}{many}"),
        "" if one.is_secret else f"`{one.name}`",
        f"`{name}`" if name else "",
    )


if __name__ == "__main__":
    for path, text in pages():
        path.write_text(text, "utf-8")
