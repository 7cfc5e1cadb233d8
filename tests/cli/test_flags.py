"""Options are called in messages as they are called on the command line."""

import re
from pathlib import Path

import pytest

from chunkwright.cli.settings.flags import in_flags, named_options, read_error
from chunkwright.cli.settings.table import row_of
from chunkwright.errors import ReadError

from .commandline import Run


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("max_tokens must be more than 2, got 1", "--max-tokens must be more than 2, got 1"),
        ("got max_tokens=5 and max_chars=5", "got --max-tokens=5 and --max-chars=5"),
        ("unknown mean 'x': did you mean 'local'?", "unknown --mean 'x': did you mean 'local'?"),
        ("separators must be a list", "--separators must be a list"),
        ("unknown errors 'errors'", "unknown --errors 'errors'"),
        ('unknown errors "it\'s errors"', 'unknown --errors "it\'s errors"'),
        (r"unknown errors 'a\'s errors'", r"unknown --errors 'a\'s errors'"),
        ("the path of a tokenizer.json", "the path of a tokenizer.json"),
        ("window/errors.txt and errors/", "window/errors.txt and errors/"),
        ("--errors and my-window and windows", "--errors and my-window and windows"),
    ],
)
def test_names_are_flags_and_values_stay(message: str, expected: str) -> None:
    assert in_flags(message) == expected


def test_what_was_given_as_a_key_keeps_its_name() -> None:
    message = "overlap must be less than max_tokens=5, got 5"
    assert in_flags(message, {"overlap"}) == "overlap must be less than --max-tokens=5, got 5"


def test_a_place_is_no_option() -> None:
    error = ReadError("errors: set encoding, or errors")
    error.__cause__ = UnicodeError()
    assert str(read_error(error, "errors")) == "errors: set --encoding, or --errors"


def test_what_others_say_is_no_option() -> None:
    error = ReadError("x: encoding of 'id_column' has errors: name it with id_column")
    expected = "x: encoding of 'id_column' has errors: name it with --id-column"
    assert str(read_error(error, "x")) == expected


@pytest.mark.parametrize("option", named_options())
def test_every_option_has_one_name(option: str) -> None:
    row = row_of(option)
    assert row is not None
    assert in_flags(f"unknown {option} 'x'") == f"unknown {row.flag} 'x'"
    # A flag that is given once for each value is named in the singular.
    singular = option.removesuffix("s") if row.kinds == (list[str],) else option
    assert row.flag == f"--{singular.replace('_', '-')}"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chunk", "x", "--encoding", "x"], "unknown --encoding 'x'"),
        (["count", "x", "--errors", "x"], "unknown --errors 'x'"),
        (["count", "x", "--tokenizer", "y"], "unknown --tokenizer 'y'"),
        (["view", "x", "--overlap-at", "x"], "unknown --overlap-at 'x'"),
        (["view", "x", "--soft-max", "0"], "--soft-max must be"),
        (["chunk", "x", "--workers", "0"], "--workers must be"),
        (["chunk", "x", "--input-format", "x"], "unknown --input-format 'x'"),
        (["compare", "x", "window", "window:overlap=-1"], "overlap must be"),
        (["compare", "x", "window", "window", "--overlap", "512"], "--overlap must be less than"),
    ],
)
def test_messages_of_commands(here: Run, arguments: list[str], message: str) -> None:
    Path("x").write_text("text")
    result = here(*arguments)
    assert result.code == 2
    assert result.err.startswith(f"Error: {message}")


@pytest.mark.parametrize("name", ["errors", "encoding.txt", "window"])
def test_a_file_that_is_called_like_an_option_keeps_its_name(here: Run, name: str) -> None:
    Path(name).write_bytes(b"\xff")
    for command in ("chunk", "count", "view"):
        failure = here(command, name).err
        assert re.match(f"Failed: {name}: not valid utf-8 at byte 0", failure)
        assert "set --encoding, or --errors to 'replace'" in failure
