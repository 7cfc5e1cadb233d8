"""Conversations: captions, messages and transcripts as turns with speakers and times."""

from __future__ import annotations

import json
import re

import pytest

import chunkwright as cw

VTT = b"""WEBVTT

00:01.000 --> 00:02.000
<v Ada Lee>It rained.</v>

00:02.000 --> 00:04.000
<v Ada Lee>All day.</v>

00:05.000 --> 00:06.500
<v Bo>No.</v>
"""
CHAT = b"[12:03] <ada> It rained here.\n[12:05] <bo> All day?\n[12:09] <ada> Yes, it did.\n"


def turns(document: cw.Document) -> list[tuple[str | None, str]]:
    assert document.elements is not None
    return [(one.speaker, one.text) for one in document.elements if one.kind == "turn"]


@pytest.mark.parametrize("name", ["talk.vtt", "talk.txt", None])
def test_captions_are_told_by_content(name: str | None) -> None:
    document = cw.read(VTT, name=name)
    assert turns(document) == [("Ada Lee", "Ada Lee: It rained. All day."), ("Bo", "Bo: No.")]
    assert document.elements is not None
    first, last = document.elements
    assert (first.time_start, first.time_end, last.time_start, last.time_end) == (1, 4, 5, 6.5)
    assert [(first.text[cue.at :], cue.start) for cue in first.cues][1] == ("All day.", 2.0)
    # Where they stand in the file.
    start, end = last.place
    assert VTT.decode()[start:end].splitlines()[-1] == "<v Bo>No.</v>"


@pytest.mark.parametrize("form", ["{}\n00:00:0{}.000 --> 00:00:0{}.900\n{}\n\n"])
@pytest.mark.parametrize(("ada", "bo"), [("ADA", "BO"), ("Ada", "Bo"), ("Ada Lee", "bell hooks")])
@pytest.mark.parametrize("name", ["a.vtt", "a.srt"])
def test_each_line_of_a_cue_may_name_a_speaker(form: str, ada: str, bo: str, name: str) -> None:
    cues = [
        f"{ada}: Forty millimetres.\n{bo}: That is a lot.",
        f"{ada}: It is indeed.\n{bo}: And the mill?",
        f"{bo}: It stood still.",
    ]
    source = "WEBVTT\n\n" if name.endswith("vtt") else ""
    source += "".join(form.format(i, i, i, cue) for i, cue in enumerate(cues, 1))
    document = cw.read(source.encode(), name=name)
    assert turns(document) == [
        (ada, f"{ada}: Forty millimetres."),
        (bo, f"{bo}: That is a lot."),
        (ada, f"{ada}: It is indeed."),
        (bo, f"{bo}: And the mill? It stood still."),
    ]


def test_messages_are_told_by_content() -> None:
    slack = [
        {"type": "message", "user": "U1", "text": "Rain?", "ts": "2.5"},
        {"type": "message", "user": "U2", "text": "No.", "ts": "3.0"},
    ]
    document = cw.read(json.dumps(slack).encode(), name="2024-01-01.json")
    assert turns(document) == [("U1", "U1: Rain?"), ("U2", "U2: No.")]
    # What has the same keys stays what it is.
    elements = [{"type": "Title", "text": "Rain"}]
    assert cw.read(json.dumps(elements).encode()).elements[0].kind == "heading"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c"}, "f({})"),
        ({"type": "function_call_output", "call_id": "c", "output": "42 mm"}, "42 mm"),
        ({"role": "assistant", "content": None, "refusal": "I cannot."}, "I cannot."),
        ({"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}, "No."),
        ({"role": "user", "content": {"answer": "yes"}}, '{"answer":"yes"}'),
        (
            {
                "role": "user",
                "content": [
                    {
                        "type": "document",
                        "title": "River",
                        "source": {"type": "text", "data": "The river rose."},
                    },
                    {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo="}},
                ],
            },
            "River\nThe river rose.",
        ),
    ],
)
def test_all_that_a_message_says_is_read(message: dict[str, object], said: str) -> None:
    asked = {"role": "user", "content": "Did it rain?"}
    document = cw.read(json.dumps([asked, message]).encode())
    (_, first), (speaker, second) = turns(document)
    assert (first, second) == ("user: Did it rain?", f"{speaker}: {said}")


def test_a_message_without_a_time_keeps_its_place() -> None:
    stamps = [None, "2.5", None, "3.5"]
    slack = [
        {"type": "message", "user": "U", "text": f"{i}", "ts": stamp}
        for i, stamp in enumerate(stamps)
    ]
    expected = [("U", f"U: {i}") for i in range(4)]
    assert turns(cw.read(json.dumps(slack).encode())) == expected
    assert turns(cw.read(json.dumps(slack[::-1]).encode())) == expected


def test_a_transcript_is_its_file() -> None:
    document = cw.read(CHAT, name="chat.log")
    assert document.text == CHAT.decode()
    assert turns(document)[1] == ("bo", "[12:05] <bo> All day?")
    times = [element.time_start for element in document.elements or ()]
    assert times == [43_380.0, 43_500.0, 43_740.0]
    assert cw.read(CHAT, name="chat.log", kind="text").elements is None
    assert cw.read(CHAT, name="chat.md").elements[0].kind == "paragraph"


@pytest.mark.parametrize("name", ["Bo (he/him)", "Lee, Bo", "d'Artagnan", "M. le Président"])
def test_words_are_of_those_who_say_them(name: str) -> None:
    text = f"Ada: Who is it?\n{name}: It is me.\nAda: Come in, then.\n{name}: I thank you.\n"
    found = turns(cw.read(text.encode(), name="a.txt"))
    assert [speaker for speaker, _ in found] == ["Ada", name, "Ada", name]


def test_what_may_be_of_another_one_is_a_paragraph() -> None:
    text = b"Ada: Who is it?\nLee, Bo: It is me.\nAda: Come in.\nCy: I do.\nAda: Well.\nCy: Well.\n"
    document = cw.read(text, kind="transcript")
    assert document.elements is not None
    first, second = document.elements[:2]
    assert (first.text, second.kind, second.speaker) == ("Ada: Who is it?", "paragraph", None)


@pytest.mark.parametrize("name", ["ada_lee", "bell hooks", "Audience member", "A woman"])
@pytest.mark.parametrize("form", ["{} (00:01:0{}): {}", "{}  00:01:0{}\n{}\n"])
def test_who_is_not_called_by_a_name_speaks_once(name: str, form: str) -> None:
    said = [("Ada", "Who is it?"), (name, "It is me."), ("Ada", "Come in."), ("Bo", "And I?")]
    text = "\n".join(form.format(who, i, words) for i, (who, words) in enumerate(said))
    found = turns(cw.read(text.encode(), kind="transcript"))
    assert [speaker for speaker, _ in found] == ["Ada", name, "Ada", "Bo"]


def test_chats_of_other_languages_have_their_times() -> None:
    chat = "24/12/23, 9:05 p. m. - María: Hola\n24/12/23, 9:06 p. m. - José: ¿Qué tal?\n"
    document = cw.read(chat.encode(), name="a.txt")
    assert document.elements is not None
    assert [(one.speaker, one.time_start) for one in document.elements] == [
        ("María", 1_703_451_900.0),
        ("José", 1_703_451_960.0),
    ]


def test_a_text_is_read_as_a_transcript_if_it_is_said_to_be_one() -> None:
    text = b"Ada: It rained."
    assert cw.read(text, name="a.txt").elements is None
    assert turns(cw.read(text, kind="transcript")) == [("Ada", "Ada: It rained.")]


def test_captions_without_times_are_refused() -> None:
    with pytest.raises(cw.ReadError, match="no captions: no line has times"):
        cw.read(b"It rained.", name="talk.srt")
    assert cw.read(b"WEBVTT\n", name="talk.vtt").text == ""


@pytest.mark.parametrize(
    "text",
    [
        "name: ada\nage: 36\nname: bo\nage: 7\nname: cy\nage: 1\n",
        "Prep: 10 minutes.\nCook: 20 minutes.\n\nPrep: 5 minutes.\nCook: 7 minutes.\n",
        "12:00:01 INFO: It has started.\n12:00:02 INFO: It runs on.\n12:00:03 WARN: It fell.\n",
        "It rained.\n\nNote: it was wet.\n\nIt rained.\n\nNote: it was cold.\n",
        "Added: tables.\nFixed: a crash.\nAdded: a new option.\nChanged: its name.\nFixed: mail.\n",
        "Jan 1 12:00:01 host app: It runs.\nJan 1 12:00:02 host app: It runs on.\n" * 3,
    ],
)
def test_other_texts_are_no_conversations(text: str) -> None:
    assert cw.read(text.encode(), name="a.txt").elements is None


@pytest.mark.cpu_seconds(20)
@pytest.mark.parametrize(
    "text",
    [
        "WEBVTT\n\n" + "00:00.000 --> 00:01.000\n" * 50_000,
        "1\n00:00:00,000 --> 00:00:01,000\n" + "<v " * 300_000,
        "1\n00:00:00,000 --> 00:00:01,000\n"
        + "a " * 300_000
        + "\n\n2\n00:00:01,000 --> 00:00:02,000\nb",
        "1\n00:00:00,000 --> 00:00:01,000\n" + "ADA: It rained.\nBO: No.\n" * 50_000,
        "Ada: It rained.\nBo: No.\n" * 40_000,
        '[{"role": "user", "content": ' + '{"content": ["a",' * 60 + '"b"' + "]}" * 60 + "}]",
        "[" * 1_000_000,
        "A: " * 300_000,
        "\n" * 1_000_000,
    ],
    ids=["cues", "tags", "words", "lines of a cue", "turns", "parts", "brackets", "names", "lines"],
)
def test_hostile_input_takes_linear_time(text: str) -> None:
    document = cw.read(text.encode(), name="a.txt")
    cw.chunk(document, "hybrid" if document.elements is not None else "recursive", max_chars=1000)


@pytest.mark.parametrize("strategy", ["hybrid", "basic", "structural"])
def test_each_part_of_a_long_turn_stands_at_its_own_cues(strategy: str) -> None:
    cue = "00:00:{0:02d}.000 --> 00:00:{1:02d}.000\n<v Ada>This is sentence {0} of a long turn."
    source = "\n\n".join(["WEBVTT", *(cue.format(i, i + 1) for i in range(30))])
    chunks = cw.strategy(strategy, max_chars=200)(cw.read(source.encode(), name="a.vtt"))
    assert len(chunks) > 5
    for row in chunks.to_dicts():
        said = re.findall(r"sentence (\d+)", row["text"])
        stands = source[row["source_start"] : row["source_end"]]
        assert re.findall(r"sentence (\d+)", stands) == said
        assert row["time_start"] == float(said[0])


@pytest.mark.parametrize("strategy", ["auto", "hybrid", "basic", "by_title", "structural"])
@pytest.mark.parametrize("head", ["Ada: ", "**Ada** (10:03): ", "[10:03] Ada: ", "Ada:\n"])
def test_no_chunk_is_the_name_of_a_speaker_alone(strategy: str, head: str) -> None:
    long = " ".join(f"word{i}" for i in range(60)) + ". " + "It rained again. " * 20
    said = [(head, long), (head.replace("Ada", "Bo"), "No."), (head, "It did, for days.")]
    text = "\n\n".join(name + words for name, words in said)
    document = cw.read(text.encode(), name="a.txt", kind="transcript")
    for text in cw.strategy(strategy, max_chars=160)(document).texts():
        assert text != head.strip()
