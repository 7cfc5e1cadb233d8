"""`compat.unstructured` where neither Unstructured, lxml nor tiktoken is installed."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from chunkwright.compat.unstructured import elements as own
from chunkwright.compat.unstructured import metadata as own_metadata
from chunkwright.compat.unstructured import staging as own_staging

from .unstructured_inputs import MIXED, Recipe, char_options, made
from .unstructured_pair import LAZY, Seen, elements, listening, ours

OWN = SimpleNamespace(**{**vars(own), **vars(own_metadata)})


@given(MIXED, st.data())
def test_own_classes_are_chunked_alike(document: list[Recipe], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(LAZY)))
    options = data.draw(char_options(by_title=name == "chunk_by_title"))
    outcomes = []
    for module in (elements, OWN):
        source = made(document, module)
        with listening():
            outcomes.append(Seen(source).chunks(getattr(ours, name)(source, **options)))
    assert outcomes[0] == outcomes[1]


@given(MIXED)
def test_own_classes_are_written_and_read_alike(document: list[Recipe]) -> None:
    from unstructured.staging.base import elements_from_dicts

    peers, mine = made(document, elements), made(document, OWN)
    written = [element.to_dict() for element in mine]
    assert Seen(mine).chunks(mine) == Seen(peers).chunks(peers)
    read, expected = own_staging.elements_from_dicts(written), elements_from_dicts(written)
    assert Seen(read).chunks(read) == Seen(expected).chunks(expected)
    assert own_staging.elements_from_json(text=json.dumps(written)) == read == mine
    for one, other in zip(mine, peers, strict=True):
        assert one.id_to_hash(3) == other.id_to_hash(3)
        assert str(one) == str(other)
        assert one.metadata.fields.keys() == other.metadata.fields.keys()
        assert one.metadata.known_fields.keys() == other.metadata.known_fields.keys()


WORK = """
    import json, sys

    items = [
        {"type": "Title", "element_id": "a", "text": "A title"},
        {"type": "NarrativeText", "element_id": "b", "text": "Some words and more. " * 40,
         "metadata": {"filename": "x/y.pdf", "page_number": 1, "languages": ["eng"]}},
        {"type": "Table", "element_id": "c", "text": "one two " * 30, "metadata": {
            "page_number": 2, "text_as_html": "<table><thead><tr><th>h</th></tr></thead>"
            + "<tr><td>one <b>two</b></td></tr>" * 30 + "</table>"}},
        {"type": "CheckBox", "element_id": "d", "text": "", "checked": True},
        {"type": "Unheard-of", "element_id": "e", "text": "dropped"},
        {"type": "CodeSnippet", "element_id": "f", "text": "if x:\\n    y"},
    ]
    tokens = {"max_tokens": 30, "tokenizer": "gpt-4", "overlap": 5}
    runs = [
        chunk_elements(elements_from_dicts(items)),
        chunk_by_title(elements_from_dicts(items), combine_text_under_n_chars=0),
        list(iter_chunk_elements(iter(elements_from_dicts(items)), max_characters=100)),
        list(iter_chunks_by_title(elements_from_json(text=json.dumps(items)), **tokens)),
        chunk_by_page(elements_from_dicts(items), overlap=9),
        chunk(elements_from_dicts(items), "basic", skip_table_chunking=True),
    ]
    runs.append(reconstruct_table_from_chunks(runs[2]))
    runs.append(contextualize(runs[0], lambda chunk: chunk.category))
    runs.append([Title("t"), Table("u", metadata=ElementMetadata(filename="a/b"))])

    def plain(chunk):
        found = chunk.to_dict()
        del found["element_id"]
        for name in ("table_id", "orig_elements"):
            found["metadata"].pop(name, None)
        originals = [e.to_dict() for e in chunk.metadata.orig_elements or []]
        return type(chunk).__name__, found, originals

    heavy = [name for name in ("unstructured", "lxml", "tiktoken") if sys.modules.get(name)]
    print(json.dumps([[plain(chunk) for chunk in run] for run in runs]))
    print(json.dumps(heavy))
"""

BLOCK = """
    import sys
    for name in ("unstructured", "lxml", "tiktoken", "html5lib", "requests"):
        sys.modules[name] = None
"""

OURS = "from chunkwright.compat.unstructured import *\n"

# Its own functions on its own elements; what its package lacks is ours.
THEIRS = """
    from unstructured.chunking.basic import chunk_elements, iter_chunk_elements
    from unstructured.chunking.title import chunk_by_title, iter_chunks_by_title
    from unstructured.chunking.dispatch import chunk, reconstruct_table_from_chunks
"""


def _run(*parts: str) -> Any:
    script = "".join(map(textwrap.dedent, parts))
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_all_is_the_same() -> None:
    found, heavy = _run(BLOCK, OURS, WORK)
    assert heavy == []
    for other in ((OURS, WORK), (OURS, THEIRS, WORK)):
        expected, _ = _run(*other)
        for i, (mine, theirs) in enumerate(zip(found, expected, strict=True)):
            assert (i, mine) == (i, theirs)


def test_nothing_is_imported_before_it_is_needed() -> None:
    script = """
        import json, sys
        import chunkwright.compat.unstructured as compat
        from chunkwright.compat.unstructured.elements import Text
        assert compat.chunk_elements([]) == list(compat.iter_chunks_by_title(iter([]))) == []
        assert [c.text for c in compat.chunk_elements([Text("a")])] == ["a"]
        print(json.dumps([name for name in ("unstructured", "tiktoken") if name in sys.modules]))
    """
    assert _run(script) == [[]]


def test_importing_unstructured_reports_nothing() -> None:
    script = """
        import os
        os.environ.pop("DO_NOT_TRACK", None)
        os.environ.pop("SCARF_NO_ANALYTICS", None)
        import requests
        def report(*args, **kwargs):
            print(0)
        requests.get = report
        import chunkwright.compat.unstructured as compat
        assert compat.Text("a").text == "a"
        assert "DO_NOT_TRACK" not in os.environ
        print(1)
    """
    assert _run(script) == [1]


def test_equality() -> None:
    for module in (elements, OWN):
        text = module.Text("a")
        assert text == module.Text("a", element_id="other")
        assert text != module.Title("a")
        assert text != "a"
        assert module.CheckBox(checked=True) == module.CheckBox(checked=True)
        assert module.CheckBox(checked=True) != module.CheckBox()
        one, other = module.ElementMetadata(filename="a/b"), module.ElementMetadata(filename="b")
        assert one != other
        other.update(one)
        assert one == other
        assert one != 5
