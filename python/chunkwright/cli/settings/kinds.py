"""The kinds of values that settings have: in a configuration file, and as text."""

from typing import Any

NAMES: dict[type, str] = {
    int: "an integer",
    float: "a number",
    str: "a string",
    bool: "true or false",
    list: "a list of strings",
}
METAVARS: dict[type, str | None] = {
    int: "INTEGER",
    float: "NUMBER",
    str: "TEXT",
    list: "TEXT",
    bool: None,
}
BOOLEANS = {"true": True, "false": False}


def is_of(kind: type, value: object) -> bool:
    """Whether a value of TOML is of that kind."""
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind is float:
        return type(value) in {int, float}
    # In Python, but not in TOML, true is an integer.
    return type(value) is kind


def parsed(kind: type, text: str) -> Any:
    """Read a text as a value of that kind, but a list.

    Raises
    ------
    ValueError
        If it is none.
    """
    if kind is bool:
        if text not in BOOLEANS:
            raise ValueError(text)
        return BOOLEANS[text]
    return kind(text)
