"""Hidden text of Word: every combination of what hides it, against the rules of the standard."""

from __future__ import annotations

from itertools import product

import pytest

from tests.readers.word import p, read, style

SWITCHES = (None, True, False)


def vanish(is_hidden: bool | None) -> str:
    """Return the property that hides a text, that shows it, or nothing."""
    if is_hidden is None:
        return ""
    return "<w:vanish/>" if is_hidden else '<w:vanish w:val="0"/>'


def of_chain(own: bool | None, base: bool | None) -> bool:
    """Return what a style that is based on another one says."""
    return bool(base if own is None else own)


def styles_of(kind: str) -> tuple[str, dict[str, bool]]:
    """Return styles with each combination of own and base property, and what each says."""
    written, said = "", {}
    for base, own in product(range(3), range(3)):
        name = f"{kind}{base}{own}"
        properties = [f"<w:rPr>{vanish(SWITCHES[at])}</w:rPr>" for at in (base, own)]
        written += style(f"B{name}", f"b{name}", type_=kind, inner=properties[0])
        based = f'<w:basedOn w:val="B{name}"/>{properties[1]}'
        written += style(name, name, type_=kind, inner=based)
        said[name] = of_chain(SWITCHES[own], SWITCHES[base])
    return written, said


@pytest.mark.parametrize("by_default", [None, True, False])
@pytest.mark.parametrize("place", ["body", "cell", "control"])
def test_hidden_text_is_told_as_the_standard_tells_it(place: str, by_default: bool | None) -> None:
    """Direct formatting counts; else the defaults; else styles toggle."""
    of_paragraphs, by_paragraph = styles_of("paragraph")
    of_runs, by_run = styles_of("character")
    default = f"<w:rPrDefault><w:rPr>{vanish(by_default)}</w:rPr></w:rPrDefault>"
    defaults = f"<w:docDefaults>{default}</w:docDefaults>"
    runs = {"": False, **by_run}
    body, expected = p("First"), [] if by_default else ["First"]
    combinations = product(by_paragraph, runs, SWITCHES, SWITCHES)
    for number, (paragraph, run, own, mark) in enumerate(combinations):
        named = f'<w:rStyle w:val="{run}"/>' if run else ""
        word = f"w{number}x"
        inner = f"<w:r><w:rPr>{named}{vanish(own)}</w:rPr><w:t>{word}</w:t></w:r>"
        properties = f'<w:pStyle w:val="{paragraph}"/><w:rPr>{vanish(mark)}</w:rPr>'
        body += p(inner, properties)
        by_styles = bool(by_default) or by_paragraph[paragraph] != runs[run]
        if not (by_styles if own is None else own):
            expected.append(word)
    if place == "cell":
        body = f"<w:tbl><w:tr><w:tc>{body}</w:tc><w:tc>{p('Second')}</w:tc></w:tr></w:tbl>"
        expected += [] if by_default else ["Second"]
    elif place == "control":
        body = f"<w:sdt><w:sdtContent>{body}</w:sdtContent></w:sdt>"
    text = read(body, styles=defaults + of_paragraphs + of_runs).text
    found = [word for word in text.replace("|", " ").split() if set(word) != {"-"}]
    assert found == expected


def test_what_its_run_shows_is_shown_in_a_hidden_style() -> None:
    hidden = style("Quiet", "quiet", inner="<w:rPr><w:vanish/></w:rPr>")
    shown = '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>Shown</w:t></w:r>'
    body = p(shown, '<w:pStyle w:val="Quiet"/>') + p("Hidden", '<w:pStyle w:val="Quiet"/>')
    assert read(body + p("Other"), styles=hidden).text == "Shown\n\nOther"


def test_equations_and_boxes_are_hidden_as_text_is() -> None:
    hidden = style("Quiet", "quiet", inner="<w:rPr><w:vanish/></w:rPr>")
    equation = "<m:oMath><m:r>{}<m:t>x</m:t></m:r></m:oMath>"
    shown = '<w:rPr><w:vanish w:val="0"/></w:rPr>'
    box = (
        "<w:sdt><w:sdtPr><w14:checkbox/></w:sdtPr><w:sdtContent>"
        "<w:r>{}<w:t>o</w:t></w:r></w:sdtContent></w:sdt>"
    )
    quiet = '<w:pStyle w:val="Quiet"/>'
    for inner, text in [(equation, "$$x$$"), (box, "☐")]:
        assert read(p("a") + p(inner.format(shown), quiet), styles=hidden).text == f"a\n\n{text}"
        assert read(p("a") + p(inner.format(""), quiet), styles=hidden).text == "a"
