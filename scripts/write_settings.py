"""Writer of the tables of settings in docs/cli.md, from the settings themselves.

A test fails while the page is not what this writes.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from chunkwright.cli.syntax.service import variable_of
from chunkwright.server.settings import SETTINGS
from chunkwright.settings import Setting
from chunkwright.store.settings import ADD, SEARCH

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
END = "<!-- end of settings -->"
OF_STORES = {"an import": ADD, "a search": SEARCH}


def text() -> str:
    """Return what the page holds."""
    page = PAGE.read_text("utf-8")
    for name, rows in OF_STORES.items():
        page = _with_table(page, name, ["flag", "default", ""], map(_cells, rows))
    names = ["flag", "default", "", "key", "variable"]
    return _with_table(page, "the service", names, map(_cells_of_service, SETTINGS))


def _with_table(page: str, name: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return the page with the table of some settings in its place."""
    before, begin, rest = page.partition(f"<!-- settings of {name} -->")
    after = rest.partition(END)[2]
    lines = [_line(names), f"|{'---|' * len(names)}", *map(_line, rows)]
    return "\n".join([before + begin, "", *lines, "", END + after])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("  ", " ")


def _cells(one: Setting) -> tuple[str, ...]:
    many = " May be repeated." if one.takes_many and not one.is_secret else ""
    no = one.flag.replace("--", "--no-") if one.default is True else ""
    flags = [one.flag, *([one.short] if one.short else []), *([no] if no else [])]
    return ", ".join(f"`{flag}`" for flag in flags), one.default_shown, f"{one.about}{many}"


def _cells_of_service(one: Setting) -> tuple[str, ...]:
    flag, default, about = _cells(one)
    variable = variable_of(one)
    return (
        "`--key-file`" if one.is_secret else flag,
        default,
        about,
        "" if one.is_secret else f"`{one.name}`",
        f"`{variable}`" if variable else "",
    )


if __name__ == "__main__":
    PAGE.write_text(text(), "utf-8")
