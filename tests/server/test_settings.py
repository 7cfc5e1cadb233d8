"""Settings of a service: each value is checked before it begins, and named by its flag."""

import inspect
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from chunkwright.cli import run
from chunkwright.cli.serve import SIZES, serve
from chunkwright.cli.settings.values import bytes_of
from chunkwright.errors import ConfigError
from chunkwright.server import Settings

KEY = "k" * 16


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"port": 70_000}, "port must be"),
        ({"workers": 0}, "workers must be at least 1, got 0"),
        ({"timeout": -1}, "timeout must be"),
        ({"max_body": "1"}, "max_body must be"),
        ({"roots": "/srv"}, "roots must be a tuple"),
        ({"tokenizers": ["a"]}, "tokenizers must be paths by names"),
        ({"keys": ("short",)}, "at least 16"),
        ({"host": "0.0.0.0"}, "without a key"),  # noqa: S104
        ({"host": "example.org"}, "without a key"),
        ({"host": "::"}, "without a key"),
    ],
)
def test_a_value_that_makes_no_sense_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Settings(**options)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_this_machine_needs_no_key(host: str) -> None:
    assert Settings(host=host).is_local


def test_keys_are_not_shown() -> None:
    settings = Settings(host="0.0.0.0", keys=(KEY,))  # noqa: S104
    assert KEY not in repr(settings)
    with pytest.raises(ConfigError) as caught:
        Settings(keys=("secret",))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--host", "0.0.0.0"], "without a key"),  # noqa: S104
        (["--max-body", "much"], "--max-body: 'much' is no number of bytes"),
        (["--workers", "0"], "--workers must be at least 1, got 0"),
        (["--tokenizer", "words"], "--tokenizer: 'words' is not of the form NAME=PATH"),
        (["--tokenizer", "words=/nowhere.json"], "/nowhere.json"),
        (["--key-file", "/nowhere"], "--key-file: /nowhere"),
    ],
)
def test_the_command_names_flags(
    capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    assert run(["serve", "--port", "0", *flags]) == 2
    assert message in capsys.readouterr().err


def test_a_file_of_keys_has_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "keys"
    file.write_text("\n \n")
    assert run(["serve", "--key-file", str(file)]) == 2
    assert "has no key" in capsys.readouterr().err


def test_the_command_has_the_defaults_of_the_settings() -> None:
    for name, parameter in inspect.signature(serve).parameters.items():
        default = parameter.default
        if name in SIZES:
            default = bytes_of(default)
        own = {field.name: field for field in fields(Settings)}.get(name)
        if own is not None and default is not None and own.default is not MISSING:
            assert default == own.default, name
