"""`compat.unstructured`: tables put together from their chunks as Unstructured does."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from .unstructured_inputs import Recipe, made, tables
from .unstructured_pair import Seen, elements, listening, ours, outcome, theirs

LIMITS = st.sampled_from([50, 60, 80, 120, 200])


def _reconstructed(chunks: list[Any]) -> None:
    for chunk in chunks:
        # Its writer makes "&#xFFFD;" of what XML lacks.
        html = chunk.metadata.text_as_html
        chunk.metadata.text_as_html = html and html.replace("\x1c", " ")
    wanted = outcome(lambda: theirs.reconstruct_table_from_chunks(chunks))
    found = outcome(lambda: ours.reconstruct_table_from_chunks(chunks))
    if isinstance(wanted, tuple):
        return
    assert Seen([]).chunks(found) == Seen([]).chunks(wanted)
    assert all(type(table) is elements.Table for table in found)


@given(st.lists(tables(), min_size=1, max_size=3), LIMITS, st.booleans(), st.randoms())
def test_whole_tables(document: list[Recipe], limit: int, repeat: bool, order: Any) -> None:
    options: dict[str, Any] = {"max_characters": limit, "repeat_table_headers": repeat}
    with listening():
        chunks = theirs.chunk_elements(made(document, elements), **options)
        _reconstructed(chunks)
        order.shuffle(chunks)
        _reconstructed(chunks)


FIELDS = st.fixed_dictionaries(
    {
        "table_id": st.sampled_from([None, "a", "b"]),
        "chunk_index": st.sampled_from([None, 0, 1, 2]),
        "num_carried_over_header_rows": st.sampled_from([None, 0, 1, 2, 9]),
    }
)


@given(st.lists(st.tuples(tables("TableChunk"), FIELDS), max_size=4))
def test_any_chunks(parts: list[tuple[Recipe, dict[str, Any]]]) -> None:
    recipes = [
        Recipe(part.kind, part.text, {**part.metadata, **fields}, part.originals)
        for part, fields in parts
    ]
    with listening():
        _reconstructed(made(recipes, elements))


def test_what_is_no_part_of_a_table_is_passed_over() -> None:
    assert ours.reconstruct_table_from_chunks([]) == []
    others = [elements.Text("a"), elements.Table("b"), elements.TableChunk("c")]
    assert ours.reconstruct_table_from_chunks(others) == []
