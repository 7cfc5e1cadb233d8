"""Settings of a service: each value is checked before it begins, and named by its flag."""

from pathlib import Path
from typing import Any

import pytest

from chunkwright.cli import run
from chunkwright.cli.syntax.service import variable_of
from chunkwright.errors import ConfigError
from chunkwright.server import Settings, create_app
from chunkwright.server.settings import SETTINGS, fault_of_key, key_id
from chunkwright.settings import Setting, bytes_of, size_text

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
        ({"host": "0.0.0.0"}, "so that requests need a key"),  # noqa: S104
        ({"host": "example.org"}, "so that requests need a key"),
        ({"host": "::"}, "so that requests need a key"),
        ({"no_key": True, "keys": (KEY,)}, "no_key makes no sense with keys"),
        ({"private_hosts": ("minio",)}, "private_hosts 'minio' is a host that no request may name"),
        ({"private_hosts": ("a",), "url_hosts": ("b:80",)}, "private_hosts 'a'"),
    ],
)
def test_a_value_that_makes_no_sense_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Settings(**options)


def test_a_folder_that_is_not_there_ends_the_start(tmp_path: Path) -> None:
    roots = (str(tmp_path / "nowhere"),)
    with pytest.raises(ConfigError, match=r"roots must be folders, got .*nowhere") as caught:
        create_app(Settings(roots=roots))
    assert caught.value.option == "roots"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_this_machine_needs_no_key(host: str) -> None:
    assert Settings(host=host).is_local


def test_keys_are_not_shown() -> None:
    settings = Settings(host="0.0.0.0", keys=(KEY,))  # noqa: S104
    assert KEY not in repr(settings)
    with pytest.raises(ConfigError) as caught:
        Settings(keys=("secret",))
    assert "secret" not in str(caught.value)
    with pytest.raises(ConfigError) as caught:
        Settings(keys="secret")  # type: ignore[arg-type]
    assert "secret" not in str(caught.value)


def test_a_private_network_needs_no_key_if_that_is_said() -> None:
    settings = Settings(host="0.0.0.0", no_key=True)  # noqa: S104
    assert not settings.is_local
    assert not settings.keys


def test_a_new_key_is_one_that_the_service_takes(capsys: pytest.CaptureFixture[str]) -> None:
    made = set()
    for _ in range(3):
        assert run(["serve", "--new-key"]) == 0
        out, err = capsys.readouterr()
        key = out.removesuffix("\n")
        made.add(key)
        assert (len(key), fault_of_key(key)) == (22, None)
        assert err == f"The log calls it {key_id(key)}.\n"
        assert key_id(key) not in key
    assert len(made) == 3


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--host", "0.0.0.0"], "so that requests need a key"),  # noqa: S104
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


def test_a_key_of_a_file_is_named_by_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "keys"
    file.write_text(f"{KEY}\n\nsecret\n")
    assert run(["serve", "--key-file", str(file)]) == 2
    shown = capsys.readouterr().err
    assert f"--key-file: {file}, line 3: a key has at least 16" in shown
    assert "CHUNKWRIGHT_KEYS" not in shown
    assert "secret" not in shown


def test_a_file_of_keys_has_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "keys"
    file.write_text("\n \n")
    assert run(["serve", "--key-file", str(file)]) == 2
    assert "has no key" in capsys.readouterr().err


# A value of each kind, as a command line and as a file say it, and as it is read.
VALUES: dict[type, tuple[str, str, Any]] = {
    int: ("7", "7", 7),
    float: ("2.5", "2.5", 2.5),
    str: ("localhost", '"localhost"', "localhost"),
    tuple: ("a", '["a"]', ("a",)),
    dict: ("a=b", '{ a = "b" }', {"a": "b"}),
}
# Flags without which a setting makes no sense.
NEEDED = {"private_hosts": ["--allow-url", "a:9000"]}
OPEN = [one for one in SETTINGS if not one.is_secret]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Settings]:
    """What a service would be started with, in a folder of its own."""
    begun: list[Settings] = []
    monkeypatch.setattr("chunkwright.server.run.serve", begun.append)
    monkeypatch.chdir(tmp_path)
    return begun


@pytest.mark.parametrize("one", OPEN, ids=[one.name for one in OPEN])
def test_a_setting_has_a_flag_a_variable_and_a_key(
    one: Setting, served: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, in_file, value = VALUES.get(one.kind, ("", "", None))
    flags = [one.flag, text]
    if one.kind is bool:
        value = not one.default
        text = in_file = str(value).lower()
        flags = [one.flag if value else f"--no-{one.flag.removeprefix('--')}"]
    needed = NEEDED.get(one.name, [])
    assert run(["serve", *flags, *needed]) == 0
    Path("own.toml").write_text(f"[serve]\n{one.name} = {in_file}\n")
    assert run(["serve", "--config", "own.toml", *needed]) == 0
    if (variable := variable_of(one)) is not None:
        monkeypatch.setenv(variable, text)
        assert run(["serve", *needed]) == 0
    assert [getattr(settings, one.name) for settings in served] == [value] * len(served)
    assert getattr(Settings(), one.name) != value


def test_flag_over_variable_over_file_over_default(
    served: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["serve"]) == 0
    Path("own.toml").write_text('[serve]\nmax_body = "8MB"\nroots = ["a"]\nmax_held = 9\n')
    monkeypatch.setenv("CHUNKWRIGHT_CONFIG", "own.toml")
    assert run(["serve"]) == 0
    monkeypatch.setenv("CHUNKWRIGHT_SERVE_MAX_BODY", "7kB")
    assert run(["serve"]) == 0
    assert run(["serve", "--max-body", "6KiB", "--root", "b", "--root", "c"]) == 0
    assert [one.max_body for one in served] == [64_000_000, 8_000_000, 7000, 6144]
    assert [one.roots for one in served] == [(), ("a",), ("a",), ("b", "c")]
    assert [one.max_held for one in served] == [10**9, 9, 9, 9]


def test_the_defaults_are_those_of_python(served: list[Settings]) -> None:
    assert run(["serve"]) == 0
    assert served == [Settings()]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("max_bdy = 1", "own.toml: table 'serve': unknown key 'max_bdy'; did you mean 'max_body'?"),
        ("port = 'x'", "own.toml: table 'serve': port must be an integer, got 'x'"),
        ("keys = ['k']", "own.toml: table 'serve': unknown key 'keys'"),
        ("max_body = 'much'", "[serve] max_body: 'much' is no number of bytes"),
        ("workers = 0", "--workers must be at least 1, got 0"),
    ],
)
def test_a_wrong_table_is_wrong_usage(
    served: list[Settings], capsys: pytest.CaptureFixture[str], table: str, message: str
) -> None:
    Path("own.toml").write_text(f"[serve]\n{table}\n")
    assert run(["serve", "--config", "own.toml"]) == 2
    assert message in capsys.readouterr().err
    assert served == []


def test_a_file_of_the_folder_says_nothing_of_a_service(
    served: list[Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("chunkwright.toml").write_text('[serve]\nroots = ["/"]\n')
    assert run(["serve"]) == 2
    assert "chunkwright.toml: [serve] is used only if --config names" in capsys.readouterr().err
    assert run(["serve", "--config", "chunkwright.toml"]) == 0
    assert [one.roots for one in served] == [("/",)]
    # The other commands do without, but say what is wrong with it.
    Path("a.txt").write_text("One. Two.")
    assert run(["count", "a.txt", "--quiet"]) == 0
    Path("chunkwright.toml").write_text("[serve]\nroot = []\n")
    assert run(["count", "a.txt"]) == 2
    assert "table 'serve': unknown key 'root'" in capsys.readouterr().err


def test_a_misspelt_variable_is_named(
    served: list[Settings], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKWRIGHT_SERVE_MAX_BODDY", "1")
    monkeypatch.setenv("CHUNKWRIGHT_SERVE_WORKERS", "two")
    assert run(["serve"]) == 2
    shown = capsys.readouterr().err
    assert "CHUNKWRIGHT_SERVE_MAX_BODDY is no setting: did you mean CHUNKWRIGHT_SERVE_MAX_" in shown
    assert "CHUNKWRIGHT_SERVE_WORKERS: 'two' is not an integer" in shown
    assert served == []


def test_the_class_says_what_its_settings_are() -> None:
    told = Settings.__doc__ or ""
    assert all(f"\n{one.name}\n    {one.about}\n" in told for one in SETTINGS)


def test_sizes_are_read_as_they_are_shown() -> None:
    for size in (1, 999, 1000, 1024, 64 * 2**20, 64 * 10**6, 10**9, 3 * 2**30, 1001):
        assert bytes_of(size_text(size)) == size
