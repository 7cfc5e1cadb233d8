"""Groups of commands, each imported when it is called or its own help is shown."""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup


class Row(NamedTuple):
    """A command: the first sentence of its help, its function, an example, the rest of its help.

    The function stands in the module of the command's name, or another one that is named, in a
    folder of its own if that is named. The example is what follows ``chunkwright``.
    """

    about: str
    function: str
    example: str
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
    "List, remove, erase and back up what is in a store.",
    {
        "list": _upkeep(
            "List the documents of a store, in the order in which they were first imported.",
            "list_documents",
            "store list --in kb.db",
        ),
        "versions": _upkeep(
            "List the versions of a document, the oldest first, also of a removed one.",
            "list_versions",
            "store versions docs/guide.md --in kb.db",
        ),
        "remove": _upkeep(
            "Remove documents from search; their versions can still be read.",
            "remove",
            "store remove docs/guide.md --in kb.db",
            "If one of the documents is not there, none is removed.",
        ),
        "erase": _upkeep(
            "Erase documents for good: all versions, words, vectors and citations.",
            "erase",
            "store erase docs/guide.md --in kb.db",
            "If one of the documents is not there, none is erased. A file is rewritten, so that "
            "nothing of them stays in it; backups and file systems keep their own copies.",
        ),
        "uncite": _upkeep(
            "Delete citations; the exit code is 1 if one was not there.",
            "uncite",
            "store uncite 3ccb060bde5a489597beb77f7dff4ecc --in kb.db",
        ),
        "prune": _upkeep(
            "Remove old versions that nobody cites, and what only they needed.",
            "prune",
            "store prune --in kb.db",
            "Removed documents that nobody cites are deleted entirely.",
        ),
        "backup": _upkeep(
            "Copy a store into a file, while others read and write it.",
            "backup",
            "store backup kb-monday.db --in kb.db",
        ),
    },
)
COMMANDS: "Mapping[str, Row | Group]" = {
    "chunk": Row(
        "Cut documents into chunks, one row a chunk.",
        "chunk",
        "chunk docs --max-tokens 400 --overlap 40 --out chunks.jsonl",
        has_settings=True,
    ),
    "corpus": Row(
        "Cut a corpus that outgrows memory into Parquet files, in a run that can be resumed.",
        "corpus",
        "corpus docs --out chunks --max-tokens 400",
        "After Ctrl-C, the same command resumes the run: each file of the output is a checkpoint. "
        "Finished files are skipped, changed inputs are cut again. Other settings need --force, "
        "and make the whole output again.",
        has_settings=True,
    ),
    "contextualize": Row(
        "Cut documents, and put a snippet in front of each chunk that says where it stands.",
        "contextualize",
        "contextualize docs --context structure --out rows.jsonl",
        "It takes all options of chunk about cutting and reading, too.",
        has_settings=True,
    ),
    "read": Row(
        "Show what is read of a document: its elements, their places and their pages.",
        "read",
        "read docs/guide.md --format markdown",
        "The format markdown has the body alone, without page headers and footers. On a terminal, "
        "a pager shows the output: $PAGER, else less.",
        has_settings=True,
    ),
    "count": Row(
        "Count tokens, characters (code points), bytes and lines.",
        "count",
        "count docs",
        "It prints a table on a terminal, else tab-separated values below a line of names. With "
        "more than one input, the last row is the total.",
        has_settings=True,
    ),
    "view": Row(
        "Show a document's chunks in alternating colours, with their sizes.",
        "view",
        "view docs/guide.md --max-tokens 100",
        "Text that a chunk repeats from the one before is dimmed, in the colour of that one. On a "
        "terminal, a pager shows the output: $PAGER, else less. --html writes a page that shows "
        "more: why each chunk ends where it does, scores, sizes, the outline, what answers a "
        "question.",
        has_settings=True,
    ),
    "compare": Row(
        "Compare two settings on one document: sizes, and where and why they cut differently.",
        "compare",
        "compare docs/guide.md max_tokens=100 window:max_tokens=100",
        "Flags, environment and configuration file apply to both; what A and B say themselves "
        "overrides them. On a terminal, a pager shows the output: $PAGER, else less.",
        has_settings=True,
    ),
    "eval": Row(
        "Evaluate strategies and search settings on questions with known answers.",
        "evaluate",
        "eval config.toml --out report",
        "Finished runs are kept and reused the next time. It prints a table on a terminal, else "
        "tab-separated values. Without questions, the chunks alone are measured: sizes, sentences "
        "and tables that are cut apart, the share of the text that they cover.",
    ),
    "questions": Row(
        "Generate questions about documents by a language model, with the answering passages.",
        "questions",
        "questions docs --model llama3.2 --rounds 4 --out q.csv --dry-run",
        "The command eval reads them. Each question is written before the next one is asked for: "
        "after Ctrl-C, the same command resumes.",
    ),
    "index": Row(
        "Import documents into a store; unchanged ones keep their ids and vectors.",
        "index",
        "index docs --to kb.db",
        "Each document is imported whole or stays as it was: after Ctrl-C, the same command "
        "resumes.",
        has_settings=True,
        folder=STORING,
    ),
    "search": Row(
        "Search a store for the blocks that answer a question.",
        "search",
        'search "When was the mill built?" --in kb.db',
        "It prints the hits on a terminal, with --verbose also the scores behind each of them, "
        "else JSON lines. The exit code is 1 if nothing is found.",
        folder=STORING,
    ),
    "diff": Row(
        "Show what an import would change in a store, or what has changed in one document.",
        "diff",
        "diff docs --in kb.db",
        "For paths, it prints a line for each document that index with the same settings would "
        "change. With --from, it prints a line for each block of one document: + new, - gone, "
        "~ moved, = kept. A table on a terminal, else tab-separated values.",
        has_settings=True,
        folder=STORING,
    ),
    "cite": Row(
        "Cite blocks of a store, list citations, and resolve them after later imports.",
        "cite",
        "cite 3c5c67335d3107700d64d37e63e00f8a --in kb.db",
        "It prints the id of the new citation. After later imports, --resolve ID says where the "
        "words are: at the same place, moved, altered, superseded by another block, gone, or "
        "erased, and what changed around them. The exit code is 0 if the words stand letter for "
        "letter, else 1.",
        folder=STORING,
    ),
    "verify": Row(
        "Check whether a quote stands in the documents of a store.",
        "verify",
        'verify "It was built in 1743" --in kb.db',
        "The words are compared letter for letter, except for white space, case, ligatures, "
        "quotation marks and markup. The verdict is found, elsewhere (only in another document), "
        "abridged (with an ellipsis), stitched (from several places) or missing, with the places. "
        "The exit code is 0 for found and abridged in current versions, else 1.",
        folder=STORING,
    ),
    "calibrate": Row(
        "Set the two thresholds of a store's search, from questions with known answers.",
        "calibrate",
        "calibrate questions.jsonl --in kb.db",
        "Searches with the same embedder take them from the store. A score below the floor is no "
        "hit. For hits below the gate, the shadows are searched as well.",
        folder=STORING,
    ),
    "store": STORE,
    "serve": Row(
        "Serve chunks over HTTP: our own routes, those of docling-serve and of unstructured-api.",
        "serve",
        "serve --port 8000 --workers 2 --store kb.db",
        "Without keys, it listens on this machine only. SIGTERM and Ctrl-C let running requests "
        "finish.\n\n"
        "Each option has a variable and a key: --max-body is CHUNKWRIGHT_SERVE_MAX_BODY in the "
        "environment, and max_body in a table [serve] of the file that --config names. Options "
        "that may be repeated have a key only.",
    ),
    "mcp": Row(
        "Serve a store and files to agents, over MCP.",
        "mcp",
        "mcp kb.db --root docs",
        "It speaks to the client that started it over standard input and output, or to clients "
        "over HTTP: without keys, it listens on this machine only. It writes to the store only "
        "with --write, and reads only files below --root.",
    ),
    "doctor": Row(
        "Show versions, extras, tokenizers, the configuration file and the caches.",
        "doctor",
        "doctor",
        "Strategies of other packages are imported to check that they work. Keys are never shown, "
        "only whether they are set. Missing extras are not a failure. It prints a table on a "
        "terminal, else tab-separated values.",
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
    # \b keeps the lines of a paragraph as they are.
    example = f"\b\nExample:\n  chunkwright {row.example}"
    shown = "\n\n".join(filter(None, [row.about, example, row.more]))
    only.command(name, cls=Command, help=shown, epilog=epilog)(function)
    return typer.main.get_command(only)


def command_of(name: str) -> tuple[Any, Any]:
    """Return a command by its whole name, such as ``store list``, and the context of its help."""
    group: Any = Commands()
    for part in name.split(" "):
        group = group.get_command(None, part)
    return group, group.context_class(group, info_name=name)
