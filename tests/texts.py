"""Generated texts: ordinary ones, and those at which splitters and tokenizers break."""

from hypothesis import strategies as st

# Each alphabet sits on a boundary rule of a tokenizer's pattern, of a grapheme or of whitespace.
ALPHABETS = [
    "abc XYZ\n",
    "aA1 '.\t\r\n",
    "0123456789 ,٣",
    " \u00a0\u3000\u2028\n\r\x0b\x0c\x85\x1c",
    "don't's'S'llVe ſ",
    "漢字かな한국 .",
    "éÄß\u0301 ABǅʰ",
    "/!?()[]\n\r ",
    "👩\u200d🇩🇪🚀 a\u0301",
]
SHORT = st.sampled_from(ALPHABETS).flatmap(lambda letters: st.text(letters, max_size=60))
MIXED = st.text("".join(ALPHABETS), max_size=120)
RUN = st.builds(
    str.__mul__, st.sampled_from([*"aA漢!\n \u0301🚀1", "ab", "\r\n", "!/"]), st.integers(1, 400)
)
PROSE = st.lists(
    st.sampled_from(["word", "a", "sentence.", "Über", "\n", "\n\n", "漢字", "e\u0301", " ", "  "]),
    max_size=60,
).map(" ".join)
TEXTS = st.one_of(
    PROSE, SHORT, MIXED, st.lists(st.one_of(SHORT, RUN), max_size=4).map("".join), st.text()
)
WITH_SURROGATES = st.one_of(TEXTS, st.text(st.characters(exclude_categories=[]), max_size=60))
