"""Scripted models that know the answers' places raise what is found: the plumbing, no quality."""

from __future__ import annotations

from itertools import product

import pytest

import chunkwright as cw
from chunkwright.evaluation import (
    Dataset,
    Evaluation,
    Excerpt,
    Plan,
    Question,
    Run,
    compare,
    compare_failures,
    evaluate,
    evaluate_all,
    with_twins,
)
from chunkwright.llm import Runner
from tests.support.long_texts import NO_SHARED_DATA, shared_data
from tests.support.oracle import BoundaryOracle, ContextOracle, sections_of

MARKDOWN = r"^(?P<marks>#+) (?P<title>.+)$"
WIKI = r"^ (?P<marks>=(?: =)*) (?P<title>[^=].*?) =(?: =)* *$"


def asked(question: str, corpus: str, text: str, answer: str) -> Question:
    start = text.index(answer)
    return Question(question, corpus, (Excerpt(answer, start, start + len(answer)),))


# Neighbours would say a little of the name in the title, which is enough where nothing else does.
ALONE = cw.Retriever(embedder="lexical", neighbour_smoothing=False)


# ---------------------------------------------------------- contexts, of reports that say no names

BEGINNINGS = ("Ald", "Bro", "Cor", "Den", "Elm")
ENDS = ("ane", "ick", "or", "um", "wyn", "ost", "ley", "art")
NAMES = [beginning + end for beginning, end in product(BEGINNINGS, ENDS)]
FILLER = "Nothing of note has happened in this matter, and no more will be said of it here. "
ANSWERS = {
    "revenue": "Sales rose by {} percent against the year before, most of all abroad.",
    "staff": "At the end of the year {} people worked here, more than ever.",
}


def report(name: str, number: int) -> str:
    """Return a report that names its company in its title alone."""
    parts = [f"# {name} 2023", FILLER * 25]
    for title, answer in ANSWERS.items():
        parts += [f"## {title.title()}", answer.format(number), FILLER * 25]
    return "\n\n".join(parts)


def reports() -> Dataset:
    texts = {f"report-{i}": report(name, i + 100) for i, name in enumerate(NAMES)}
    questions = [
        asked(question.format(name), corpus, text, ANSWERS[title].format(number))
        for (corpus, text), (number, name) in zip(texts.items(), enumerate(NAMES, 100), strict=True)
        for title, question in {
            "revenue": "By how many percent did sales rise at {} in 2023?",
            "staff": "How many people worked at {} at the end of 2023?",
        }.items()
    ]
    return Dataset(texts, tuple(questions), "reports")


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 8])
def test_contexts_lower_failures_by_words_by_vectors_and_by_both(concurrency: int) -> None:
    data = reports()
    oracle = ContextOracle(data.corpora.values(), MARKDOWN)
    runner = Runner(oracle, name="oracle", concurrency=concurrency)
    contextual = cw.Contextual(cw.Recursive(max_tokens=40), llm=runner)
    run = Run(name="a", chunker=contextual, retriever=ALONE)
    plan = with_twins(Plan(dataset=data, runs=(run,), cutoffs=(20,)))
    found = {each.name: each for each in evaluate_all(plan.runs, data, cutoffs=20)}
    for way in ("", ", by words", ", by vectors"):
        pair = compare_failures(found["a" + way], found["a, plain" + way])
        assert pair.of_twin > 0.3
        assert pair.share < 0.1
        assert pair.interval.high < 0
        assert pair.reduction is not None
        assert pair.reduction > 0.7
    # The sources are the same, and the scripted model was asked about each chunk once.
    assert found["a"].chunks.texts == found["a, plain"].chunks.texts
    assert runner.ledger.outcomes == {"answered": found["a"].n_chunks}


def test_the_same_answers_at_any_concurrency() -> None:
    data = reports()
    oracle = ContextOracle(data.corpora.values(), MARKDOWN)
    found = [
        evaluate(
            cw.Contextual(cw.Recursive(max_tokens=40), llm=Runner(oracle, concurrency=n)),
            data,
            cutoffs=20,
        )
        for n in (1, 7)
    ]
    assert found[0].chunks.indexed == found[1].chunks.indexed
    assert found[0].hits == found[1].hits


# ------------------------------------------------ boundaries, of a text in which nothing shows them

SUBJECTS = ("mill", "lake", "bridge", "forge", "school", "tower", "harbour", "orchard", "quarry")
FACTS = (
    "Few people remember how it began.",
    "It was larger once than it is now.",
    "Much was written about it in letters.",
    "In winter nobody goes there.",
    "It has changed hands many times.",
    "A plate beside the road tells its story.",
    "Every spring it needs repairs.",
)


def sections() -> list[str]:
    """Return sections of three to nine sentences, of which the first says what they are about."""
    return [
        " ".join([f"The {subject} is known to all.", *(FACTS * 2)[i % 5 : i % 5 + 2 + i * 5 % 7]])
        for i, subject in enumerate(SUBJECTS)
    ]


def test_boundaries_raise_recall() -> None:
    parts = sections()
    text = " ".join(parts)
    questions = [
        asked(f"What is the {subject} known for?", "village", text, part)
        for subject, part in zip(SUBJECTS, parts, strict=True)
    ]
    data = Dataset({"village": text}, tuple(questions))
    oracle = BoundaryOracle([f"The {subject} is known" for subject in SUBJECTS])
    options = {"cutoffs": 1, "retriever": cw.Retriever(neighbour_smoothing=False)}

    def found(chunker: object) -> Evaluation:
        return evaluate(chunker, data, **options)  # type: ignore[arg-type]

    known = found(cw.LLM(max_tokens=90, piece_max=8, llm=oracle))
    assert known.chunks.texts == tuple(parts)
    assert known.mean("recall@1") == known.mean("iou@1") == 1.0
    silent = cw.LLM(max_tokens=90, piece_max=8, llm=lambda _: {"starts": []})
    for twin in (silent, cw.Recursive(max_tokens=90), cw.Balanced(max_tokens=90)):
        assert compare(known, found(twin), "recall@1").low > 0
        assert compare(known, found(twin), "iou@1").low > 0


# -------------------------------------------------------------------------- articles of Wikipedia


def test_sections_have_the_paths_of_their_headings() -> None:
    text = " = Mills = \n\nOld. \n\n = = Fires = = \n\nTwo. \n\n = Lakes = \n\nDeep. \n"
    found = sections_of(text, WIKI)
    assert [each.path for each in found] == ["Mills", "Mills: Fires", "Lakes"]
    assert text[found[1].start : found[1].end] == " = = Fires = = \n\nTwo. \n\n"


@pytest.mark.shared
@pytest.mark.skipif(shared_data() is None, reason=NO_SHARED_DATA)
def test_contexts_of_articles() -> None:
    folder = shared_data()
    assert folder is not None
    whole = Dataset.chroma_report(folder / "data" / "chroma-report")
    text = whole.corpora["wikitexts"]
    questions = tuple(each for each in whole.questions if each.corpus == "wikitexts")
    data = Dataset({"wikitexts": text}, questions, "wikitexts")
    chunker = cw.Contextual(
        cw.Recursive(max_tokens=60), llm=Runner(ContextOracle([text], WIKI), name="oracle")
    )
    run = Run(name="a", chunker=chunker, retriever=cw.Retriever(neighbour_smoothing=False))
    plan = with_twins(Plan(dataset=data, runs=(run,), cutoffs=(5, 20)))
    contextual, plain = evaluate_all(plan.runs, data, cutoffs=plan.cutoffs)
    pair = compare_failures(contextual, plain)
    assert pair.interval.high < 0
    assert pair.reduction is not None
    assert pair.reduction > 0.3
    assert compare(contextual, plain, "recall@5").low > 0
