"""Fields of a form: how they are spelled, what they default to, and how wrong ones are refused."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.server.dialects.unstructured.fields import Fields, fields_of
from chunkwright.server.problems import Problem

from .asking import asked, elements, outcome

PAGE = b"# Rain\n\nIt rained all day.\n\n# Snow\n\nIt snowed all night."
NAMES = sorted(Fields.model_fields)


def refusal(**form: list[str]) -> Problem:
    """What is wrong with a form."""
    with pytest.raises(Problem) as raised:
        fields_of(form)
    assert raised.value.status == 422
    return raised.value


def test_a_form_without_fields_has_the_defaults_of_the_unstructured_api() -> None:
    fields = fields_of({})
    assert fields.chunking_strategy is None
    assert (fields.strategy, fields.output_format) == ("auto", "application/json")
    assert (fields.max_characters, fields.overlap, fields.multipage_sections) == (500, 0, True)
    assert fields.include_orig_elements
    assert not fields.coordinates


@pytest.mark.parametrize("name", NAMES)
def test_every_field_can_be_spelled_as_an_array(name: str) -> None:
    value = _some_value(name)
    assert fields_of({f"{name}[]": [value]}) == fields_of({name: [value]})


def _some_value(name: str) -> str:
    annotation = Fields.model_fields[name].annotation
    words = [each for each in get_args(annotation) if isinstance(each, str)]
    special = {"content_type": "text/html", "gz_uncompressed_content_type": "text/html"}
    special |= {"encoding": "latin-1", "similarity_threshold": "0.5"}
    return special.get(name) or (words[0] if words else _plain_value(name))


def _plain_value(name: str) -> str:
    for value in ("1", "basic", "v1"):
        try:
            fields_of({name: [value]})
        except Problem:
            continue
        return value
    raise AssertionError(name)


@pytest.mark.parametrize(
    "values", [["eng", "deu"], ['["eng", "deu"]'], ["eng,deu"], ["eng+deu"], [" eng , deu "]]
)
def test_a_list_can_be_several_values_or_one(values: list[str]) -> None:
    assert fields_of({"languages": values}).languages == ("eng", "deu")


def test_an_empty_value_is_none() -> None:
    assert fields_of({"chunking_strategy": [""], "max_characters": ["", ""]}) == fields_of({})


@pytest.mark.parametrize("written", ["fast", "'fast'", '"FAST"', " fast "])
def test_a_strategy_may_stand_in_quotes(written: str) -> None:
    assert fields_of({"strategy": [written]}).strategy == "fast"


@pytest.mark.parametrize("written", ["true", "True", "1", "yes"])
def test_a_flag_can_be_written_in_many_ways(written: str) -> None:
    assert fields_of({"overlap_all": [written]}).overlap_all


def test_names_of_strategies_can_be_in_capitals() -> None:
    fields = fields_of({"chunking_strategy": ["BASIC"], "strategy": ["Fast"]})
    assert (fields.chunking_strategy, fields.strategy) == ("basic", "fast")


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("chunking_strategy", "by_titel", "did you mean 'by_title'?"),
        ("strategy", "hires", "did you mean 'hi_res'?"),
        ("output_format", "application/csv", "'text/csv'"),
        ("max_characters", "0", "greater than 0"),
        ("max_characters", "many", "valid integer"),
        ("overlap", "-1", "greater than or equal to 0"),
        ("similarity_threshold", "1", "less than 1"),
        ("similarity_threshold", "nan", "less than 1"),
        ("coordinates", "perhaps", "valid boolean"),
        ("starting_page_number", "0", "greater than or equal to 1"),
        ("encoding", "utf-9", "unknown encoding 'utf-9'"),
        ("encoding", "base64", "unknown encoding of text"),
    ],
)
def test_a_wrong_value_is_refused_by_its_field(name: str, value: str, hint: str) -> None:
    problem = refusal(**{name: [value]})
    assert problem.field == name
    assert hint in problem.message
    assert repr(value) in problem.message


def test_of_a_field_of_one_value_the_last_is_taken() -> None:
    assert fields_of({"overlap": ["1"], "overlap[]": ["2"]}).overlap == 2
    assert fields_of({"overlap": ["1", "1"]}).overlap == 1


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"overlap": "500"}, "overlap"),
        ({"max_characters": "40", "overlap": "40"}, "overlap"),
        ({"combine_under_n_chars": "501"}, "combine_under_n_chars"),
    ],
)
def test_options_that_contradict_each_other_are_refused(form: dict[str, str], field: str) -> None:
    given = {name: [value] for name, value in form.items()}
    assert refusal(chunking_strategy=["by_title"], **given).field == field
    # They concern nothing where nothing is cut.
    assert fields_of(given).chunking_strategy is None


def test_an_unknown_embedder_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Problem, match="no embedder 'lexial': did you mean 'lexical'") as raised:
        elements("rain.md", PAGE, chunking_strategy="by_similarity", embedder="lexial")
    assert raised.value.field == "embedder"


FORMS = st.dictionaries(
    st.sampled_from(NAMES) | st.text(max_size=8),
    st.lists(
        st.sampled_from(["", "0", "1", "7", "-3", "true", "basic", "by_page", "text/html", "[]"])
        | st.text(max_size=6),
        max_size=2,
    ),
    max_size=4,
)


@given(FORMS)
def test_any_form_is_answered_or_refused_by_one_of_its_fields(form: dict[str, list[str]]) -> None:
    fields: dict[str, Any] = dict(form)
    found, problem = outcome(lambda: asked(("rain.md", PAGE), **fields))
    if problem is not None:
        assert problem.status == 422
        assert problem.field in {name.removesuffix("[]") for name in form}
    else:
        assert _words(found.body.decode()) >= {"rained", "snowed"}


def _words(body: str) -> set[str]:
    if body.startswith("type,"):
        return set(body.split())
    said: list[dict[str, Any]] = json.loads(body)
    return {word for each in said for word in each["text"].split()}
