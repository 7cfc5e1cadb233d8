"""Entry of the command line: `chunkwright` and `python -m chunkwright`."""

import sys

from chunkwright.errors import MissingExtraError

# What the extra of the command line brings.
LIBRARIES = {"rich", "typer"}


def main() -> None:
    """Run the command line, or say what it lacks, and leave with the exit code."""
    try:
        from chunkwright.cli import main as run

        run()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARIES:
            raise
        print(f"Error: {MissingExtraError('the command line', 'cli')}", file=sys.stderr)  # noqa: T201
        sys.exit(MissingExtraError.exit_code)


if __name__ == "__main__":
    main()
