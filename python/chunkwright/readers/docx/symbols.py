"""Symbols of Word's own fonts, whose signs have no code points of their own."""

from __future__ import annotations

_GREEK = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
)
# Signs, each with its place in hexadecimal.
_OF_SYMBOL = """
≤A3 ≥B3 ±B1 ×B4 ÷B8 ≠B9 ≈BB ∞A5 °B0 ″B2 ′A2 •B7 →AE ←AC ⇒DE ⇔DB ∂B6 ∇D1 ∑E5 ∫F2 √D6 ∈CE ∩C7 ∪C8
"""
_OF_WINGDINGS = """
✓FC ✗FB ☑FE ☒FD ☐A8 ☐6F ☐71 ☒78 →E0 ←DF →E8 ⇒F0 ●6C ■6E ▪A7 ➢D8 ☺4A ☎28 ✉2A
"""
_OF_WINGDINGS_2 = "✓50 ✗4F ☑52 ☒53 ☐A3 ☒54"


def _places(signs: str) -> dict[int, str]:
    return {int(each[1:], 16): each[0] for each in signs.split()}


_SYMBOL = {ord(of): sign for of, sign in _GREEK.items()} | _places(_OF_SYMBOL)
_WINGDINGS, _WINGDINGS_2 = _places(_OF_WINGDINGS), _places(_OF_WINGDINGS_2)
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}


def symbol(font: str | None, code: str | None) -> str:
    """Return the sign of ``w:sym``, whose code is hexadecimal; nothing for one that has none.

    Examples
    --------
    >>> symbol("Wingdings", "F0FC"), symbol("Arial", "00A7"), symbol("Symbol", "F0B1")
    ('✓', '§', '±')
    """
    try:
        at = int(code or "", 16)
    except ValueError:
        return ""
    # The fonts' own places are moved to where no code points are.
    own = at - 0xF000 if 0xF000 <= at <= 0xF0FF else at  # noqa: PLR2004
    signs = _FONTS.get((font or "").lower())
    if signs is not None:
        return signs.get(own, "")
    is_sign = 0x20 <= at < 0xD800 or 0xF900 <= at < 0x1_0000  # noqa: PLR2004
    return chr(at) if is_sign else ""
