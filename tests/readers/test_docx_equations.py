"""Equations of Word in the notation of LaTeX."""

import pytest

from tests.readers.word import kinds, p, read, t


def r(text: str) -> str:
    """Write a run of an equation."""
    return f"<m:r><m:t>{text}</m:t></m:r>"


def e(inner: str, name: str = "e") -> str:
    """Write a part of an equation, of runs or of a text."""
    return f"<m:{name}>{inner if inner.startswith('<') else r(inner)}</m:{name}>"


def math(inner: str) -> str:
    """Write an equation."""
    return f"<m:oMath>{inner}</m:oMath>"


def chosen(name: str, **values: str) -> str:
    """Write the properties of a part."""
    inner = "".join(f'<m:{key} m:val="{value}"/>' for key, value in values.items())
    return f"<m:{name}Pr>{inner}</m:{name}Pr>"


FRACTION = f"<m:f>{e('a', 'num')}{e('b', 'den')}</m:f>"
SUM = f"<m:nary>{chosen('nary', chr='∑')}{e('i=1', 'sub')}{e('n', 'sup')}{e('i')}</m:nary>"
CASES = {
    "a+b": (r("a") + r("+b"), "a+b"),
    "signs": (r("π≤∞ 50%"), r"\pi \leq \infty  50\%"),
    "letters": (r("𝑥=Ωβ"), r"x=\Omega \beta"),
    "letters of LaTeX": (r("λ+Λ+ο+Α+ω"), r"\lambda +\Lambda +ο+Α+\omega"),
    "fraction": (FRACTION, r"\frac{a}{b}"),
    "slash": (f"<m:f>{chosen('f', type='lin')}{e('a', 'num')}{e('bc', 'den')}</m:f>", "a/{bc}"),
    "binomial": (
        f"<m:f>{chosen('f', type='noBar')}{e('n', 'num')}{e('k', 'den')}</m:f>",
        r"\binom{n}{k}",
    ),
    "power": (f"<m:sSup>{e('x')}{e('2', 'sup')}</m:sSup>", "x^{2}"),
    "power of a fraction": (
        f"<m:sSup>{e(FRACTION)}{e('2', 'sup')}</m:sSup>",
        r"{\frac{a}{b}}^{2}",
    ),
    "both": (f"<m:sSubSup>{e('x')}{e('i', 'sub')}{e('2', 'sup')}</m:sSubSup>", "x_{i}^{2}"),
    "before": (f"<m:sPre>{e('6', 'sub')}{e('14', 'sup')}{e('C')}</m:sPre>", "{_{6}^{14}}C"),
    "root": (f"<m:rad>{e('', 'deg')}{e('x')}</m:rad>", r"\sqrt{x}"),
    "cube root": (f"<m:rad>{e('3', 'deg')}{e('x')}</m:rad>", r"\sqrt[3]{x}"),
    "sum": (SUM, r"\sum_{i=1}^{n} i"),
    "integral": (f"<m:nary>{e('', 'sub')}{e('', 'sup')}{e('x')}</m:nary>", r"\int x"),
    "brackets": (f"<m:d>{e('a')}{e('b')}</m:d>", r"\left(a | b\right)"),
    "cases": (f"<m:d>{chosen('d', begChr='{', endChr='')}{e('a')}</m:d>", r"\left\{a\right."),
    "function": (f"<m:func>{e('sin', 'fName')}{e('x')}</m:func>", r"\sin x"),
    "limit": (f"<m:limLow>{e('lim')}{e('n', 'lim')}</m:limLow>", r"\lim_{n}"),
    "accent": (f"<m:acc>{chosen('acc', chr='&#x20d7;')}{e('v')}</m:acc>", r"\vec{v}"),
    "bar": (f"<m:bar>{chosen('bar', pos='top')}{e('x')}</m:bar>", r"\overline{x}"),
    "brace": (f"<m:groupChr>{e('x')}</m:groupChr>", r"\underbrace{x}"),
    "matrix": (
        f"<m:m><m:mr>{e('a')}{e('b')}</m:mr><m:mr>{e('c')}{e('d')}</m:mr></m:m>",
        r"\begin{matrix}a & b \\ c & d\end{matrix}",
    ),
    "lines": (f"<m:eqArr>{e('a')}{e('b')}</m:eqArr>", r"\begin{aligned}a \\ b\end{aligned}"),
    "unknown": (f"<m:borderBox>{e('x')}</m:borderBox>", "x"),
}


@pytest.mark.parametrize("case", CASES)
def test_each_form(case: str) -> None:
    inner, latex = CASES[case]
    assert kinds(read(p(math(inner)))) == [("formula", f"$${latex}$$")]


def test_equations_in_a_line_are_text() -> None:
    document = read(p(t("It is ") + math(FRACTION) + t(" of it.")))
    assert kinds(document) == [("paragraph", r"It is $\frac{a}{b}$ of it.")]


def test_equations_alone_are_formulas_each() -> None:
    body = p(math(r("a")) + math(r("b"))) + p(f"<m:oMathPara>{math(r('c'))}</m:oMathPara>")
    assert [text for _, text in kinds(read(body))] == ["$$a$$", "$$b$$", "$$c$$"]
