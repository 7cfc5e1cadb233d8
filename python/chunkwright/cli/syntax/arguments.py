"""Arguments and flags that several commands take."""

from typing import Annotated

import typer

PATHS_HELP = (
    "Files, folders (the files in them that can be read, also in folders inside), globs, or - for "
    "standard input."
)
Paths = Annotated[list[str], typer.Argument(help=PATHS_HELP, metavar="PATH", show_default=False)]
File = Annotated[
    str, typer.Argument(help="A file, or - for standard input.", metavar="PATH", show_default=False)
]
Force = Annotated[bool, typer.Option("--force", "-f", help="Replace a file that is there.")]
