"""Groups of commands, each imported when it is called or its own help is shown."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup


class Row(NamedTuple):
    """A command: the first sentence of its help, its function, and whether it takes settings.

    The function stands in the module of the command's name, or another one that is named, in a
    folder of its own if that is named.
    """

    about: str
    function: str
    has_settings: bool = False
    folder: str = ""
    module: str = ""


class Group(NamedTuple):
    """Commands under one name: the first sentence of their help, and their rows."""

    about: str
    rows: "Mapping[str, Row | Group]"


STORING = "storing."
STORE = Group(
    "List, remove and erase what is in a store, and copy it.",
    {
        name: Row(about, function, folder=STORING, module="upkeep")
        for name, function, about in (
            (
                "list",
                "list_documents",
                "List the documents of a store, in the order in which they were first imported.",
            ),
            (
                "versions",
                "list_versions",
                "List the versions of a document, the oldest first, those of a removed one too.",
            ),
            (
                "remove",
                "remove",
                "Remove documents: they are found no more, and their versions can still be read.",
            ),
            (
                "erase",
                "erase",
                "Erase documents for good: all versions, words, vectors and citations.",
            ),
            ("uncite", "uncite", "Delete citations; the exit code is 1 if one was not there."),
            (
                "prune",
                "prune",
                "Remove old versions that nobody cites, and what only they needed.",
            ),
            ("backup", "backup", "Copy a store into a file, while others read and write it."),
        )
    },
)
COMMANDS: "Mapping[str, Row | Group]" = {
    "chunk": Row("Cut documents into chunks, one row a chunk.", "chunk", has_settings=True),
    "corpus": Row(
        "Cut documents that outgrow memory into Parquet files; resume where a run has ended.",
        "corpus",
        has_settings=True,
    ),
    "contextualize": Row(
        "Cut documents, and let a model say in front of each chunk where it stands.",
        "contextualize",
        has_settings=True,
    ),
    "read": Row(
        "Show what is read of a document: its elements, where they stand, and on which pages.",
        "read",
        has_settings=True,
    ),
    "count": Row(
        "Count tokens, characters (code points), bytes and lines.", "count", has_settings=True
    ),
    "view": Row(
        "Show a document's chunks in alternating colours, with their sizes.",
        "view",
        has_settings=True,
    ),
    "compare": Row(
        "Compare two settings on one document: sizes, and side by side where they cut, and why.",
        "compare",
        has_settings=True,
    ),
    "eval": Row(
        "Evaluate ways to cut and to find on questions whose answers are known.", "evaluate"
    ),
    "questions": Row(
        "Have a model ask questions about documents, with the passages that answer them.",
        "questions",
    ),
    "index": Row(
        "Import documents into a store: what is unchanged stays, with its ids and vectors.",
        "index",
        has_settings=True,
        folder=STORING,
    ),
    "search": Row("Search a store for what answers a question.", "search", folder=STORING),
    "diff": Row(
        "Show what an import would change in a store, or what it changed in a document.",
        "diff",
        has_settings=True,
        folder=STORING,
    ),
    "cite": Row(
        "Cite blocks of a store; list citations, and find what became of them.",
        "cite",
        folder=STORING,
    ),
    "verify": Row(
        "Look whether a quote stands in the documents of a store.", "verify", folder=STORING
    ),
    "calibrate": Row(
        "Set the two thresholds of a store's search by questions with known answers.",
        "calibrate",
        folder=STORING,
    ),
    "store": STORE,
    "serve": Row(
        "Serve chunks over HTTP: our own routes, those of docling-serve and of unstructured-api.",
        "serve",
    ),
    "mcp": Row("Serve a store and files to agents, over MCP.", "mcp"),
    "doctor": Row(
        "Show versions, extras, tokenizers, the configuration file and the caches.", "doctor"
    ),
}
"""The commands by name."""


class Commands(TyperGroup):
    """The commands of a table; none is imported to list them."""

    def __init__(self, *, rows: "Mapping[str, Row | Group]" = COMMANDS, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._rows = rows
        # The names are what is listed, and what an unknown one is compared with.
        self.commands: dict[str, Any | None] = dict.fromkeys(rows)  # type: ignore[assignment]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name; None if there is none."""
        del ctx
        row = self._rows.get(cmd_name)
        if isinstance(row, Group):
            attributes = {"name": cmd_name, "help": row.about, "no_args_is_help": True}
            return Commands(rows=row.rows, rich_markup_mode=None, **attributes)
        return None if row is None else _imported(cmd_name, row)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names of the commands, and what each does."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.about) for name, row in self._rows.items()])


def _imported(name: str, row: Row) -> Any:
    from chunkwright.cli.syntax.help import Command
    from chunkwright.messages.docstrings import docstring

    function = getattr(
        import_module(f"chunkwright.cli.{row.folder}{row.module or name}"), row.function
    )
    options = import_module("chunkwright.cli.syntax.options") if row.has_settings else None
    epilog = options.EPILOG if options else None
    only = typer.Typer(add_completion=False, rich_markup_mode=None)
    only.command(name, cls=Command, help=docstring(function), epilog=epilog)(function)
    return typer.main.get_command(only)
