"""Writer of the table of the service's settings in docs/cli.md, from the settings themselves.

A test fails while the page is not what this writes.
"""

from pathlib import Path

from chunkwright.cli.syntax.service import variable_of
from chunkwright.server.settings import SETTINGS
from chunkwright.settings import Setting

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
BEGIN, END = "<!-- settings of the service -->", "<!-- end of settings -->"


def text() -> str:
    """Return what the page holds."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    rows = ["| flag | default | | key | variable |", "|---|---|---|---|---|", *map(_row, SETTINGS)]
    return "\n".join([before + BEGIN, "", *rows, "", END + after])


def _row(one: Setting) -> str:
    name = "" if one.is_secret else f"`{one.name}`"
    flag = "`--key-file`" if one.is_secret else f"`{one.flag}`"
    variable = variable_of(one)
    many = " May be repeated." if one.takes_many and not one.is_secret else ""
    cells = (
        flag,
        one.default_shown,
        f"{one.about}{many}",
        name,
        f"`{variable}`" if variable else "",
    )
    return "| " + " | ".join(cells).replace("  ", " ") + " |"


if __name__ == "__main__":
    PAGE.write_text(text(), "utf-8")
