"""Plans of versions: ids that return, edits that stand or are stale, and what took whose place."""

from __future__ import annotations

from chunkwright import _core
from chunkwright.store.drafts import Draft, Row, input_hash
from chunkwright.store.importing.planning import plan_of
from chunkwright.store.model import Edited, Known, Placed


def draft(text: str) -> Draft:
    (content_hash,) = _core.content_hashes([text])
    row = Row([[0, 0, len(text)]], len(text))
    return Draft(text, content_hash, text, input_hash(text), row, None, {"n_tokens": 1})


def block(text: str, occurrence: int = 0) -> Known:
    own = draft(text)
    return Known(_core.chunk_id("a", own.content_hash, occurrence), own.content_hash, occurrence)


def placed(ordinal: int, known: Known, text: str) -> Placed:
    own = draft(text)
    return Placed(
        ordinal, known.id, known.id, known.content_hash, text, own.row, own.input_hash, None
    )


def test_all_blocks_of_a_new_document_are_new() -> None:
    plan = plan_of("a", [draft("one"), draft("one"), draft("two")])
    known = [block("one"), block("one", 1), block("two")]
    assert [each.block for each in plan.stands] == [each.id for each in known]
    assert plan.new == [(each, number) for number, each in enumerate(known)]
    assert (plan.gone, plan.moved, plan.superseded, plan.stale) == ([], [], {}, [])


def test_a_block_of_an_earlier_version_returns() -> None:
    one, two, two_again = block("one"), block("two"), block("two", 1)
    plan = plan_of(
        "a",
        [draft("two"), draft("one"), draft("two")],
        old=[placed(0, one, "one")],
        known=[one, two_again, two],
    )
    assert [each.block for each in plan.stands] == [two.id, one.id, two_again.id]
    assert plan.new == []
    assert set(plan.kept) == {one.id, two.id, two_again.id}


def test_a_third_equal_text_takes_the_number_that_is_free() -> None:
    first, third = block("one"), block("one", 2)
    plan = plan_of(
        "a",
        [draft("one")] * 3,
        old=[placed(0, first, "one"), placed(1, third, "one")],
        known=[first, third],
    )
    assert [each.block for each in plan.stands] == [first.id, third.id, block("one", 1).id]


def test_an_edit_stands_where_its_source_does_and_is_stale_where_it_is_gone() -> None:
    one, two = block("one two three"), block("four")
    old = [placed(0, one, "one two three"), placed(1, two, "four")]
    edited = {one.id: Edited("manual", "by hand")}
    plan = plan_of("a", [draft("one two three")], old=old, known=[one, two], edited=edited)
    assert [(each.base, each.block, each.searched) for each in plan.stands] == [
        (one.id, "manual", "by hand")
    ]
    assert plan.stands[0].input_hash == input_hash("by hand")
    assert (plan.gone, plan.stale) == ([two.id], [])
    plan = plan_of("a", [draft("one two five")], old=old, known=[one, two], edited=edited)
    assert plan.stale == ["manual"]
    assert plan.superseded == {one.id: block("one two five").id}


def test_blocks_that_are_known_to_be_kept_are_not_matched_by_their_texts() -> None:
    first, second = block("one"), block("one", 1)
    old = [placed(0, first, "one"), placed(1, second, "one")]
    plan = plan_of("a", [draft("one")], old=old, known=[first, second], kept={0: 1})
    assert [each.block for each in plan.stands] == [second.id]
    assert plan.gone == [first.id]
