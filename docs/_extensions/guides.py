"""Groups of guides in the site's contents: those of README.md, so that there is one list."""  # noqa: INP001

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_GROUP = re.compile(r"^## (.+)\n+((?:- .+\n|  .+\n)+)", re.MULTILINE)
_PAGE = re.compile(r"^- \[[^\]]+\]\(([^)#:]+)\.md\)", re.MULTILINE)
_REFERENCE = "\nThe [API reference](reference/index.rst) has every class, function and option.\n"


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the contents put behind the first page."""
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Add the groups of README.md and the API reference to the first page, as its contents."""
    if page == app.config.root_doc:
        guides = Path(app.srcdir, "README.md").read_text("utf-8")
        source[0] += _REFERENCE + "".join(contents(guides, page))


def contents(guides: str, root: str) -> Iterator[str]:
    """Give a table of contents for each group of a list of guides."""
    for heading, items in _GROUP.findall(guides):
        yield _toctree(heading, [name for name in _PAGE.findall(items) if name != root])
    yield _toctree("Look up", ["README", "reference/index"])


def _toctree(caption: str, pages: list[str]) -> str:
    names = "\n".join(pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{names}\n```\n"
