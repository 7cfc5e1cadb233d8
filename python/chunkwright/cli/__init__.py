"""Command line: the commands, each imported when it is called, and how a run ends."""

import os
import signal
import sys
import warnings
from contextlib import suppress
from typing import Annotated, Any, NoReturn

import typer

from chunkwright.cli import streams
from chunkwright.cli.syntax.commands import Commands
from chunkwright.errors import ChunkwrightError, ConfigError, CorpusError, MissingExtraError
from chunkwright.messages.terminal_text import printable

FAILED, USAGE, INTERRUPTED = 1, 2, 130
# What shells add to the number of the signal that ended a process.
KILLED = 128
# Typer exports one of the errors it raises for wrong usage; they share this base.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]
# What it raises for a command without arguments, to show the help.
NO_ARGUMENTS = getattr(sys.modules[UsageError.__module__], "NoArgsIsHelpError", ())

app: typer.Typer = typer.Typer(
    cls=Commands,
    help="Cuts documents into chunks for retrieval.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Rich would be imported for the help alone, which takes longer than all else.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from chunkwright import __version__

        typer.echo(f"chunkwright {__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
]


@app.callback()
def _options(*, version: Version = False) -> None:
    del version


def run(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments
        What follows the command's name; None for the process's own.

    Returns
    -------
    int
        0 done, 1 some inputs failed, 2 wrong usage, 3 an extra is missing, 4 a budget is spent, 130
        interrupted.
    """
    try:
        code = app(arguments, prog_name="chunkwright", standalone_mode=False)
    except typer.Abort:
        # Instead of an answer to a question.
        code = INTERRUPTED
    except UsageError as error:
        # It repeats what was typed, or what a glob of the shell has matched.
        if not isinstance(error, NO_ARGUMENTS):
            error.message = _worded(error)  # type: ignore[attr-defined]
        error.show()  # type: ignore[attr-defined]
        return USAGE
    except BrokenPipeError:
        streams.discard()
        return 0
    except OSError as error:
        streams.finish()
        return _failed(error, FAILED)
    except ChunkwrightError as error:
        codes = {MissingExtraError: MissingExtraError.exit_code, CorpusError: FAILED}
        return _failed(error, codes.get(type(error), USAGE))
    if code == INTERRUPTED:
        typer.echo("Interrupted.", err=True)
    return code or 0


def main() -> NoReturn:
    """Run the command line, and leave with its exit code."""
    _clean_up_on_signals()
    warnings.showwarning = _warn  # type: ignore[assignment]
    streams.prepare()
    code = run()
    if (error := streams.finish()) is not None and code == 0:
        code = _failed(error, FAILED)
    if code == INTERRUPTED:
        _leave_at_once(code)
    sys.exit(code)


def _clean_up_on_signals() -> None:
    """Let a run that is told to end remove its temporary file."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Who has it ignored, as nohup does, wants the run to go on.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)


def _leave(number: int, _: object) -> NoReturn:
    sys.exit(KILLED + number)


def _leave_at_once(code: int) -> NoReturn:
    # Where the interrupt fell into an import, Python's own way out ends with a signal, not a code.
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _worded(error: Any) -> str:
    """Return what is wrong with the usage, with our name of another library's option."""
    flag = getattr(error, "option_name", None)
    if flag is None or error.ctx is None:
        return printable(error.message)
    from chunkwright.chunking.peer_terms import peers_option
    from chunkwright.cli.settings.flags import told

    known = [param.name for param in error.ctx.command.params]
    hint = peers_option(flag.lstrip("-").replace("-", "_"), known)
    if not hint:
        return printable(error.message)
    error.possibilities = None
    return printable(told(ConfigError(f"{error.message}: ", *hint)))


def _warn(message: Warning | str, *_: object) -> None:
    typer.echo(f"Warning: {printable(str(message))}", err=True)


def _failed(error: Exception, code: int) -> int:
    from chunkwright.cli.settings.flags import told

    reason = error.strerror if isinstance(error, OSError) and not error.filename else None
    typer.echo(f"Error: {printable(reason or told(error))}", err=True)
    return code
