"""Equations of Word (Office Math) in the notation of LaTeX."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from chunkwright.readers.docx.parts.names import Node, child, is_on, name_of
from chunkwright.readers.docx.parts.names import attribute as of_node

# Signs, each with its command.
_SIGNS = """
±pm ∓mp ×times ÷div ·cdot ⋅cdot ∗ast ≤leq ≥geq ≠neq ≈approx ≡equiv ∼sim ≅cong ∞infty ∂partial
∇nabla ∝propto ∘circ ℏhbar ∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint →rightarrow ←leftarrow
↔leftrightarrow ⇒Rightarrow ⇐Leftarrow ⇔Leftrightarrow ↦mapsto ↑uparrow ↓downarrow ∈in ∉notin ∋ni
⊂subset ⊆subseteq ⊃supset ⊇supseteq ∪cup ∩cap ∅emptyset ∀forall ∃exists ∧wedge ∨vee ¬neg ⊕oplus
⊗otimes ⊥perp ∥parallel ∠angle …ldots ⋯cdots ⋮vdots ⋱ddots ′prime √surd ℓell ⟨langle ⟩rangle ‖|
⌊lfloor ⌋rfloor ⌈lceil ⌉rceil ⋃bigcup ⋂bigcap ϵepsilon εvarepsilon ϕphi φvarphi ϑvartheta
"""
_COMMANDS = {each[0]: each[1:] for each in _SIGNS.split()}
_LINE = r" \\ "
_ESCAPED = frozenset("{}%&#$_")
_ACCENTS = {
    "\u0300": "grave",
    "\u0301": "acute",
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u0304": "bar",
    "\u0305": "overline",
    "\u0306": "breve",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u030c": "check",
    "\u20d6": "overleftarrow",
    "\u20d7": "vec",
}
_NAMES = """
sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln exp lim max min sup inf det
dim gcd deg ker arg Pr
"""
_FUNCTIONS = frozenset(_NAMES.split())


def latex(node: Node) -> str:
    r"""Return what an element of Office Math says, such as ``\frac{a}{b}``. O(n)."""
    name = name_of(node)
    write = _WRITERS.get(name)
    if write is not None:
        return write(node)
    return "" if name.endswith("Pr") or name in {"w:del", "w:moveFrom"} else _all(node)


def _all(node: Node | None) -> str:
    return "" if node is None else "".join(latex(each) for each in node)


def _part(node: Node, name: str) -> str:
    return _all(child(node, name)).strip()


def _property(node: Node, name: str, default: str) -> str:
    """Return a property of an element, which its first child holds; of an empty one nothing."""
    properties = node[0] if len(node) and name_of(node[0]).endswith("Pr") else None
    found = None if properties is None else child(properties, name)
    return default if found is None else of_node(found, "m:val") or ""


def _text(node: Node) -> str:
    return "".join(_sign(sign) for sign in unicodedata.normalize("NFKC", node.text or ""))


def _sign(sign: str) -> str:
    if sign in _COMMANDS:
        return f"\\{_COMMANDS[sign]} "
    if sign in _ESCAPED:
        return f"\\{sign}"
    if "\u0391" <= sign <= "\u03c9":
        words = unicodedata.name(sign, "").split()
        if words[:1] == ["GREEK"] and words[2:3] == ["LETTER"] and len(words) == 4:  # noqa: PLR2004
            letter = words[3].lower()
            return f"\\{letter if words[1] == 'SMALL' else letter.title()} "
    return sign


def _grouped(text: str) -> str:
    """Return a base of an index, in braces if it is more than one sign."""
    is_one = len(text) == 1 or (text.startswith("\\") and text[1:].isalpha())
    return text if is_one else f"{{{text}}}"


def _fraction(node: Node) -> str:
    above, below = _part(node, "m:num"), _part(node, "m:den")
    form = _property(node, "m:type", "bar")
    if form in {"lin", "skw"}:
        return f"{_grouped(above)}/{_grouped(below)}"
    return f"\\binom{{{above}}}{{{below}}}" if form == "noBar" else f"\\frac{{{above}}}{{{below}}}"


def _root(node: Node) -> str:
    degree = _part(node, "m:deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_part(node, 'm:e')}}}"


def _indexed(node: Node) -> str:
    below, above = _part(node, "m:sub"), _part(node, "m:sup")
    index = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    base = _grouped(_part(node, "m:e"))
    return f"{{{index}}}{base}" if name_of(node) == "m:sPre" else base + index


def _n_ary(node: Node) -> str:
    sign = _sign(_property(node, "m:chr", "∫")).strip()
    below, above = _part(node, "m:sub"), _part(node, "m:sup")
    index = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    return f"{sign}{index} {_part(node, 'm:e')}"


def _delimited(node: Node) -> str:
    begin, end = _property(node, "m:begChr", "("), _property(node, "m:endChr", ")")
    between = _sign(_property(node, "m:sepChr", "|")).strip()
    parts = [_all(each).strip() for each in node if name_of(each) == "m:e"]
    left, right = (_sign(sign).strip() if sign else "." for sign in (begin, end))
    return f"\\left{left}{f' {between} '.join(parts)}\\right{right}"


def _function(node: Node) -> str:
    name, of = _part(node, "m:fName"), _part(node, "m:e")
    return f"\\{name} {of}" if name in _FUNCTIONS else f"{name} {of}"


def _limit(node: Node) -> str:
    base, limit = _part(node, "m:e"), _part(node, "m:lim")
    base = f"\\{base}" if base in _FUNCTIONS else _grouped(base)
    return f"{base}{'_' if name_of(node) == 'm:limLow' else '^'}{{{limit}}}"


def _accented(node: Node) -> str:
    accent = _ACCENTS.get(_property(node, "m:chr", "\u0302"), "hat")
    return f"\\{accent}{{{_part(node, 'm:e')}}}"


def _barred(node: Node) -> str:
    side = "overline" if _property(node, "m:pos", "bot") == "top" else "underline"
    return f"\\{side}{{{_part(node, 'm:e')}}}"


def _braced(node: Node) -> str:
    side = "overbrace" if _property(node, "m:pos", "bot") == "top" else "underbrace"
    is_brace = _property(node, "m:chr", "⏟") in {"⏞", "⏟"}
    return f"\\{side}{{{_part(node, 'm:e')}}}" if is_brace else _part(node, "m:e")


def _matrix(node: Node) -> str:
    rows = [each for each in node if name_of(each) == "m:mr"]
    written = _LINE.join(" & ".join(_all(cell).strip() for cell in row) for row in rows)
    return f"\\begin{{matrix}}{written}\\end{{matrix}}"


def _array(node: Node) -> str:
    rows = _LINE.join(_all(each).strip() for each in node if name_of(each) == "m:e")
    return f"\\begin{{aligned}}{rows}\\end{{aligned}}"


def _phantom(node: Node) -> str:
    shown = next((each for each in node if name_of(each) == "m:phantPr"), None)
    return _part(node, "m:e") if shown is None or is_on(shown, "m:show") else ""


_WRITERS: dict[str, Callable[[Node], str]] = {
    "m:t": _text,
    "m:f": _fraction,
    "m:rad": _root,
    "m:sSup": _indexed,
    "m:sSub": _indexed,
    "m:sSubSup": _indexed,
    "m:sPre": _indexed,
    "m:nary": _n_ary,
    "m:d": _delimited,
    "m:func": _function,
    "m:limLow": _limit,
    "m:limUpp": _limit,
    "m:acc": _accented,
    "m:bar": _barred,
    "m:groupChr": _braced,
    "m:m": _matrix,
    "m:eqArr": _array,
    "m:phant": _phantom,
}
