"""Errors come out of a pickle, and of a copy, with all that they say."""

import copy
import pickle
import re
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import OptionName

ROOT = Path(cw.__file__).parent
# What has a class of errors is imported, so that the base knows all of them.
for file in ROOT.rglob("*.py"):
    if re.search(r"^class \w+Error\(", file.read_text("utf-8"), re.MULTILINE):
        import_module(".".join(("chunkwright", *file.relative_to(ROOT).with_suffix("").parts)))


def _classes(base: type[cw.ChunkwrightError]) -> list[type[cw.ChunkwrightError]]:
    return [base, *(each for kind in base.__subclasses__() for each in _classes(kind))]


def _made(kind: type[cw.ChunkwrightError]) -> cw.ChunkwrightError:
    arguments: list[Any] = []
    for parameter in list(signature(kind.__init__).parameters.values())[1:]:
        if parameter.kind is Parameter.VAR_POSITIONAL:
            arguments += ["no ", OptionName("overlap", 3), " of that"]
        elif parameter.default is Parameter.empty:
            arguments.append("slate")
    return kind(*arguments)


@pytest.mark.parametrize("kind", sorted(set(_classes(cw.ChunkwrightError)), key=str), ids=str)
def test_errors_are_pickled_and_copied(kind: type[cw.ChunkwrightError]) -> None:
    error = _made(kind)
    for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(copied) is kind
        assert (str(copied), vars(copied)) == (str(error), vars(error))
        assert str(copied.spell(str.upper)) == str(_made(kind).spell(str.upper))
