"""Checks of options: what each returns, and the one form of its message."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwright.checks import (
    checked_callable,
    checked_flag,
    checked_int,
    checked_language,
    checked_name,
    checked_number,
    checked_path,
    checked_text,
)
from chunkwright.errors import ConfigError

Check = Callable[[str, Any], object]
CHECKS: dict[str, Check] = {
    "int": partial(checked_int, least=0),
    "percentage": partial(checked_int, least=0, most=100),
    "number": checked_number,
    "share": partial(checked_number, least=0, most=1),
    "weight": partial(checked_number, least=0),
    "name": partial(checked_name, known=("sum", "rank")),
    "flag": checked_flag,
    "callable": checked_callable,
    "text": checked_text,
    "path": checked_path,
}


@pytest.mark.parametrize(
    ("check", "value", "expected"),
    [
        ("int", np.int64(3), 3),
        ("int", 2**62, 2**62),
        ("percentage", 100, 100),
        ("number", Fraction(1, 2), 0.5),
        ("number", np.float32(0.5), 0.5),
        ("number", -7, -7.0),
        ("share", 1, 1.0),
        ("name", "rank", "rank"),
        ("flag", False, False),
        ("callable", len, len),
        ("text", " x ", " x "),
        ("path", "a/b", Path("a/b")),
        ("path", Path("a"), Path("a")),
    ],
)
def test_what_is_right_comes_back(check: str, value: Any, expected: object) -> None:
    found = CHECKS[check]("x", value)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        ("int", True, "x must be an int, got True"),
        ("int", "3", "x must be an int, got '3'"),
        ("int", 3.0, "x must be an int, got 3.0"),
        ("int", -1, "x must be at least 0, got -1"),
        ("int", 2**62 + 1, f"x must be between 0 and {2**62}, got {2**62 + 1}"),
        ("percentage", -1, "x must be between 0 and 100, got -1"),
        ("percentage", 101, "x must be between 0 and 100, got 101"),
        ("number", False, "x must be a number, got False"),
        ("number", "1", "x must be a number, got '1'"),
        ("number", 1j, "x must be a number, got 1j"),
        ("number", math.nan, "x must be finite, got nan"),
        ("number", -math.inf, "x must be finite, got -inf"),
        ("number", 10**400, f"x must be finite, got {10**400}"),
        ("share", 1.5, "x must be between 0 and 1, got 1.5"),
        ("weight", -0.5, "x must be at least 0, got -0.5"),
        ("name", "rang", "unknown x 'rang': did you mean 'rank'?"),
        ("name", 3, "unknown x 3: known are 'sum', 'rank'"),
        ("name", ["sum"], "unknown x ['sum']: did you mean 'sum'?"),
        ("flag", 1, "x must be True or False, got 1"),
        ("flag", np.array([True])[0], "x must be True or False, got "),
        ("callable", 5, "x must be callable, got 5"),
        ("text", "", "x must be a str that is not empty, got ''"),
        ("text", "\n", "x must be a str that is not empty, got '\\n'"),
        ("text", b"x", "x must be a str that is not empty, got b'x'"),
        ("text", "\ud800", "x must have no surrogates, got '\\ud800'"),
        ("path", "", "x must be the path of a folder, got ''"),
        ("path", "a\0b", "x must be the path of a folder, got 'a\\x00b'"),
        ("path", b"a", "x must be the path of a folder, got b'a'"),
    ],
)
def test_what_is_wrong_is_named(check: str, value: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}"):
        CHECKS[check]("x", value)


def test_a_secret_is_not_shown() -> None:
    for secret in ("", "sesame\ud800", 7):
        with pytest.raises(ConfigError) as caught:
            checked_text("key", secret, is_secret=True)
        assert "sesame" not in str(caught.value)
        assert "7" not in str(caught.value)


def test_a_language_is_a_code() -> None:
    assert checked_language("de") == "de"
    with pytest.raises(ConfigError, match="language must be a code such as 'en', got 5"):
        checked_language(5)
