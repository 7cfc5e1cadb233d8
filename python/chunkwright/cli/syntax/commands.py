"""Groups of commands, each imported when it is called or its own help is shown."""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup


class Row(NamedTuple):
    """A command: the first sentence of its help, its function, the rest of its help.

    The function stands in the module of the command's name, or another one that is named, in a
    folder of its own if that is named.
    """

    about: str
    function: str
    more: str = ""
    has_settings: bool = False
    folder: str = ""
    module: str = ""


class Group(NamedTuple):
    """Commands under one name: the first sentence of their help, and their rows."""

    about: str
    rows: "Mapping[str, Row | Group]"


STORING = "storing."
_upkeep = partial(Row, folder=STORING, module="upkeep")
STORE = Group(
    "List, remove and erase what is in a store, and copy it.",
    {
        "list": _upkeep(
            "List the documents of a store, in the order in which they were first imported.",
            "list_documents",
        ),
        "versions": _upkeep(
            "List the versions of a document, the oldest first, those of a removed one too.",
            "list_versions",
        ),
        "remove": _upkeep(
            "Remove documents: they are found no more, and their versions can still be read.",
            "remove",
            "All of them are removed, or none if one is not there.",
        ),
        "erase": _upkeep(
            "Erase documents for good: all versions, words, vectors and citations.",
            "erase",
            "All of them are erased, or none if one is not there. A file is written anew, so that "
            "nothing of them stands in it; backups and file systems keep what they have.",
        ),
        "uncite": _upkeep(
            "Delete citations; the exit code is 1 if one was not there.",
            "uncite",
        ),
        "prune": _upkeep(
            "Remove old versions that nobody cites, and what only they needed.",
            "prune",
            "Of documents that were removed, and that nobody cites, nothing is left.",
        ),
        "backup": _upkeep(
            "Copy a store into a file, while others read and write it.",
            "backup",
        ),
    },
)
COMMANDS: "Mapping[str, Row | Group]" = {
    "chunk": Row(
        "Cut documents into chunks, one row a chunk.",
        "chunk",
        has_settings=True,
    ),
    "corpus": Row(
        "Cut documents that outgrow memory into Parquet files; resume where a run has ended.",
        "corpus",
        "After Ctrl-C, the same command resumes: each file of the output is a checkpoint. What is "
        "done is skipped, what has changed is made again; with other settings all of it, if you "
        "say --force.",
        has_settings=True,
    ),
    "contextualize": Row(
        "Cut documents, and let a model say in front of each chunk where it stands.",
        "contextualize",
        "All options of chunk about cutting and reading are understood, too.",
        has_settings=True,
    ),
    "read": Row(
        "Show what is read of a document: its elements, where they stand, and on which pages.",
        "read",
        "Markdown is that of the body, without the headers and footers of pages. On a terminal a "
        "pager shows it: $PAGER, else less.",
        has_settings=True,
    ),
    "count": Row(
        "Count tokens, characters (code points), bytes and lines.",
        "count",
        "A table on a terminal, else tab-separated values under a line of names. With more than "
        "one input, the last row is the total.",
        has_settings=True,
    ),
    "view": Row(
        "Show a document's chunks in alternating colours, with their sizes.",
        "view",
        "What a chunk repeats of the one before is dimmed, in the colour of that one. On a "
        "terminal a pager shows it: $PAGER, else less. With --html, a page shows more: why each "
        "chunk ends where it does, scores, sizes, the outline, what answers a question.",
        has_settings=True,
    ),
    "compare": Row(
        "Compare two settings on one document: sizes, and side by side where they cut, and why.",
        "compare",
        "Flags, environment and configuration file hold for both, except for what A and B say "
        "themselves. On a terminal a pager shows it: $PAGER, else less.",
        has_settings=True,
    ),
    "eval": Row(
        "Evaluate ways to cut and to find on questions whose answers are known.",
        "evaluate",
        "A run that is done is kept, and taken from there the next time. A table on a terminal, "
        "else tab-separated values. A file that names no questions has its chunks measured alone: "
        "sizes, what is cut apart, how much of the text they have.",
    ),
    "questions": Row(
        "Have a model ask questions about documents, with the passages that answer them.",
        "questions",
        "eval reads them. Each is in the file before the next is asked for: after Ctrl-C, the "
        "same command goes on.",
    ),
    "index": Row(
        "Import documents into a store: what is unchanged stays, with its ids and vectors.",
        "index",
        "Each document is there whole, or as it was: after Ctrl-C, the same command goes on.",
        has_settings=True,
        folder=STORING,
    ),
    "search": Row(
        "Search a store for what answers a question.",
        "search",
        "On a terminal hits for a reader, with --verbose the scores that made each of them; else "
        "JSON lines. Where nothing is found, the exit code is 1.",
        folder=STORING,
    ),
    "diff": Row(
        "Show what an import would change in a store, or what it changed in a document.",
        "diff",
        "Of paths, a line for each document that index with the same settings would change. With "
        "--from, a line for each block of one document: + new, - gone, ~ moved, = kept. A table "
        "on a terminal, else tab-separated values.",
        has_settings=True,
        folder=STORING,
    ),
    "cite": Row(
        "Cite blocks of a store; list citations, and find what became of them.",
        "cite",
        "The id of a new citation is written, by which --resolve finds it again after later "
        "imports: at the same place, moved, altered, superseded by another block, gone, or "
        "erased, and what changed around it. The exit code is 0 if the words stand letter for "
        "letter, else 1.",
        folder=STORING,
    ),
    "verify": Row(
        "Look whether a quote stands in the documents of a store.",
        "verify",
        "Letter for letter: white space, the case of words, ligatures, quotation marks and markup "
        "do not count. The verdict is found, elsewhere (in another document only), abridged (it "
        "says so by an ellipsis), stitched (of several places) or missing, with the places; the "
        "exit code is 0 for found and abridged in current versions, else 1.",
        folder=STORING,
    ),
    "calibrate": Row(
        "Set the two thresholds of a store's search by questions with known answers.",
        "calibrate",
        "Searches by the same embedder take them from the store: what is below the floor is no "
        "hit, and of hits below the gate the shadows are searched as well.",
        folder=STORING,
    ),
    "store": STORE,
    "serve": Row(
        "Serve chunks over HTTP: our own routes, those of docling-serve and of unstructured-api.",
        "serve",
        "It listens on this machine alone, unless there are keys. SIGTERM and Ctrl-C let requests "
        "that have begun end.\n\n"
        "Instead of --max-body, the environment may say CHUNKWRIGHT_SERVE_MAX_BODY, and the file "
        "that --config names max_body in a table [serve]; so for all settings, those that may be "
        "repeated in the file alone.",
    ),
    "mcp": Row(
        "Serve a store and files to agents, over MCP.",
        "mcp",
        "It speaks on standard input and output to the client that has started it, or over HTTP: "
        "there it listens on this machine alone, unless there are keys. Nothing is written to the "
        "store without --write, and no file is read but those below --root.",
    ),
    "doctor": Row(
        "Show versions, extras, tokenizers, the configuration file and the caches.",
        "doctor",
        "Strategies that other packages add are imported, to see whether they work. Of keys it "
        "says whether they are there. What is missing is no failure. A table on a terminal, else "
        "tab-separated values.",
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

    function = getattr(
        import_module(f"chunkwright.cli.{row.folder}{row.module or name}"), row.function
    )
    options = import_module("chunkwright.cli.syntax.options") if row.has_settings else None
    epilog = options.EPILOG if options else None
    only = typer.Typer(add_completion=False, rich_markup_mode=None)
    shown = f"{row.about}\n\n{row.more}" if row.more else row.about
    only.command(name, cls=Command, help=shown, epilog=epilog)(function)
    return typer.main.get_command(only)
