"""However a cache of replies is damaged or forged, replies are those of the model."""

from __future__ import annotations

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkwright.llm import Message, Prices, Reply, Request, Runner, Usage
from chunkwright.llm.request import plain_text
from tests.support.damage import DAMAGES, Damage
from tests.support.examples import n_examples
from tests.support.forged_cache import forge

REQUESTS = [
    Request((Message("user", f"text {i}"),), plain_text, schema={"type": "object"})
    for i in range(5)
]
USAGE = Usage(9, 2, 3, 1)


class Model:
    """Answers in capitals, and counts how often."""

    fingerprint = "capitals"

    def __init__(self) -> None:
        self.n_asked = 0

    async def complete(self, messages: Any, **_options: Any) -> Reply:
        self.n_asked += 1
        return Reply(messages[-1].content.upper(), usage=USAGE)


def check(folder: Path) -> int:
    """See that all requests are answered; return how many the model was asked."""
    model = Model()
    runner = Runner(model, cache=folder, prices=Prices(input=1, output=2))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answers = list(runner.ask(REQUESTS))
    assert {warning.category for warning in caught} <= {RuntimeWarning}
    assert [answer.value for answer in answers] == [f"TEXT {i}" for i in range(5)]
    assert runner.ledger.usage == sum([USAGE] * model.n_asked, Usage())
    assert runner.ledger.cost is not None
    return model.n_asked


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A cache of the replies to all requests, as its file."""
    folder = tmp_path_factory.mktemp("whole")
    assert check(folder) == len(REQUESTS)
    assert check(folder) == 0
    (file,) = folder.glob("*.sqlite")
    return file.read_bytes()


def file_in(folder: str, data: bytes) -> Path:
    """Write the file of a cache under the name that it must have, and return its path."""
    list(Runner(Model(), cache=folder).ask(REQUESTS[:1]))
    (file,) = Path(folder).glob("*.sqlite")
    file.write_bytes(data)
    return file


@settings(max_examples=n_examples(0.3))
@given(damage=DAMAGES)
def test_any_damage(whole: bytes, damage: Damage) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file_in(folder, damage(whole))
        check(Path(folder))
        assert check(Path(folder)) == 0


NUMBERS = st.one_of(
    st.integers(max_value=-1),
    st.integers(min_value=1 << 53),
    st.floats(),
    st.sampled_from([True, 10**400, 2.0, "1", None, [1]]),
)
OTHERS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)


@st.composite
def forged(draw: st.DrawFn) -> bytes:
    """Make an entry with a value that no reply has, or of another shape."""
    entry: list[Any] = ["FORGED", 9, 2, 3, 1, False]
    at = draw(st.integers(0, len(entry) - 1))
    kind = draw(st.sampled_from(["value", "shorter", "longer", "other", "cut off", "bytes"]))
    if kind == "value":
        wrong = {0: OTHERS.filter(lambda value: not isinstance(value, str)), 5: NUMBERS}
        entry[at] = draw(wrong.get(at, NUMBERS).filter(lambda value: at != 5 or value is not True))
    elif kind == "shorter":
        del entry[at]
    elif kind == "longer":
        entry.insert(at, draw(OTHERS))
    elif kind == "other":
        return json.dumps(draw(OTHERS)).encode()
    written = json.dumps(entry).encode()
    if kind == "cut off":
        return written[: draw(st.integers(0, len(written) - 1))]
    return draw(st.binary(max_size=60)) if kind == "bytes" else written


@settings(max_examples=n_examples(0.5))
@given(entries=st.lists(forged(), min_size=5, max_size=5))
@example(entries=[b'["FORGED",1e400,1,1,1,true]'] * 5)
@example(entries=[b"[" * 200_000] * 5)
@example(entries=[b'["FORGED",-5,1,1,1,true]'] * 5)
@example(entries=[b'["FORGED",' + b"9" * 5000 + b",1,1,1,true]"] * 5)
@example(entries=[b'["FORGED",NaN,1,1,1,true]'] * 5)
def test_entries_with_right_checksums_that_are_no_replies(
    whole: bytes, entries: list[bytes]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        forge(file_in(folder, whole), entries)
        assert check(Path(folder)) == len(REQUESTS)
        assert check(Path(folder)) == 0
