"""Options are called in messages as they are called on the command line."""

import re
from pathlib import Path

import pytest

from chunkwright.cli.settings.flags import calling, flag_of, told
from chunkwright.cli.settings.table import READING, ROWS, cutting, row_of
from chunkwright.errors import ConfigError, OptionName, ReadError

from .commandline import Run


def _error() -> ConfigError:
    named = OptionName("overlap"), " must be less than ", OptionName("max_tokens")
    return ConfigError(*named, "=5, got 'overlap'")


def test_options_are_flags_and_values_stay() -> None:
    assert told(_error()) == "--overlap must be less than --max-tokens=5, got 'overlap'"


def test_what_was_given_as_a_key_keeps_its_name() -> None:
    with pytest.raises(ConfigError) as caught, calling({"overlap": "overlap"}):
        raise _error()
    assert told(caught.value) == "overlap must be less than --max-tokens=5, got 'overlap'"
    assert (caught.value.option, caught.value.concerns) == ("overlap", ("max_tokens",))


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (OptionName("kind", "text"), "--input-format text"),
        (OptionName("encoding", "utf-16"), "--encoding utf-16"),
        (OptionName("password", ...), "--password"),
        (OptionName("score"), "score"),
    ],
)
def test_advice_is_a_flag_and_its_value(option: OptionName, expected: str) -> None:
    assert told(ReadError("x: give ", option)) == f"x: give {expected}"


@pytest.mark.parametrize("option", [*cutting(), *READING, *ROWS, "workers"])
def test_every_option_has_one_name(option: str) -> None:
    row = row_of(option)
    assert row is not None
    assert flag_of(OptionName(option)) == row.flag
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
    Path(name).write_bytes(b"\xff\x01")
    for command in ("chunk", "count", "view"):
        failure = here(command, name).err
        assert re.match(f"Failed: {name}: not valid utf-8 at byte 0", failure)
        assert "set --encoding, or --errors to 'replace'" in failure
