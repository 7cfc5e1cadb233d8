"""Write ``tests/data/token_ids.json``: texts with the ids that tiktoken gives them.

Run it again only when texts are added::

    python scripts/freeze_token_ids.py

tiktoken reads its own vocabularies: from the folder that ``TIKTOKEN_CACHE_DIR`` names, or from its
owner's server.  No vocabulary of chunkwright is looked at, so that the file verifies it.
"""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import tiktoken

FILE = Path(__file__).resolve().parent.parent / "tests" / "data" / "token_ids.json"
NAMES = ("cl100k_base", "o200k_base", "gpt2")
SEED = 14
N_MIXED = 140

LANGUAGES = [
    "The ferry leaves at seven, and the last one back at ten past nine.",
    "Die Fähre fährt um sieben; Rückfahrkarten gibt's nur am Schalter.",
    "Le bac part à sept heures, et l'on dîne à bord s'il fait beau.",
    "El ferri sale a las siete. ¿Quién tiene los billetes?",
    "Il traghetto parte alle sette: c'è ancora posto, però non molto.",
    "A balsa sai às sete; amanhã não há nenhuma ligação.",
    "De veerboot vertrekt om zeven uur 's ochtends.",
    "Färjan går klockan sju, och sista turen åter klockan nio.",
    "Prom odpływa o siódmej, więc zdążymy jeszcze zjeść śniadanie.",
    "Trajekt odjíždí v sedm hodin a příští až za čtyřicet minut.",
    "A komp hétkor indul, és öt perc alatt ér át a túlsó partra.",
    "Lautta lähtee seitsemältä, eikä myöhästyneitä odoteta.",
    "Vapur saat yedide kalkıyor; İstanbul'a ığıl ığıl gidilir.",
    "Phà rời bến lúc bảy giờ, và chuyến cuối cùng về lúc chín giờ.",
    "Паром отходит в семь, а последний возвращается в десятом часу.",
    "Пором відходить о сьомій, і ґави краще не ловити.",
    "Το φέρι φεύγει στις επτά· ποιος έχει τα εισιτήρια;",
    "המעבורת יוצאת בשבע, והאחרונה חוזרת בתשע ועשרה.",
    "تغادر العبّارة في السابعة، وآخر رحلة للعودة في التاسعة.",
    "فری ساعت هفت حرکت می‌کند و بلیت‌ها تمام شده است.",
    "नाव सात बजे निकलती है, और आख़िरी नौ बजे लौटती है।",
    "ফেরি সাতটায় ছাড়ে, শেষটা ফেরে নটায়।",
    "படகு ஏழு மணிக்குப் புறப்படுகிறது.",
    "ఫెర్రీ ఏడు గంటలకు బయలుదేరుతుంది.",
    "เรือข้ามฟากออกเวลาเจ็ดโมงและเที่ยวสุดท้ายกลับตอนสามทุ่ม",
    "ကူးတို့သည် ခုနစ်နာရီတွင် ထွက်သည်။",
    "ჟაფიტი შვიდ საათზე გადის.",
    "Լաստանավը մեկնում է ժամը յոթին։",
    "ጀልባው በሰባት ሰዓት ይነሳል።",
    "渡轮七点开，末班船九点十分返回。",
    "渡輪七點開，末班船九點十分返回。",
    "フェリーは七時に出て、最終便は九時十分に戻ります。",
    "페리는 일곱 시에 떠나고 막배는 아홉 시 십 분에 돌아옵니다.",
]
CODE = [
    "def area(r: float) -> float:\n    return 3.14159 * r ** 2  # not exact\n",
    "for (int i = 0; i < n; ++i) {\n\tsum += a[i] * b[i];\n}\n",
    "fn main() { let xs: Vec<_> = (0..10).map(|x| x * x).collect(); }",
    "SELECT name, COUNT(*) FROM harbours WHERE depth >= 4.5 GROUP BY 1;",
    '<a href="/ferries?day=mon&amp;page=2" class="btn btn--big">Next »</a>',
    '{"id": 17, "tags": ["a", "b"], "ok": true, "none": null, "x": -1.5e-10}',
    "$ grep -rn 'TODO' src/ | awk -F: '{print $1}' | sort -u > todo.txt 2>&1",
    "https://example.org/a/b%20c?q=1&r=two#frag",
    "camelCaseName snake_case_name SCREAMING_CASE kebab-case-name HTTPServer2Go",
    "a=b;a=b;[];\n()->{};\n//////\n/* --- */\n#!#!#!",
    r"\begin{align} \int_0^1 x^2\,dx &= \tfrac{1}{3} \\ \end{align}",
    "| a | b |\n|---|--:|\n| 1 | 22 |\n\n# Title\n\n* one\n    * two\n```py\nx\n```\n",
]
CONTRACTIONS = [
    "don't DON'T Don'T dont' 'tis y'all'd've I'll I'LL we've WE'VE he's HE'S I'm I'M",
    "it\u2019s can\u2019t 'S 'D 'M 'T 'LL 'VE 'RE 'll 've 're",
    "I'\u017fx I'\u017fX '\u017f \u017f\u017f K\u212a \u0130 i\u0307 \u01c5 \u01c4 \u02b0a",
]
BLANKS = [
    " ",
    "  ",
    "   a",
    "a   ",
    "a  b   c    d",
    "\t",
    "\t\ta\tb",
    "\n",
    "\n\n\n",
    "a\n\n\nb",
    "\r",
    "\r\n",
    "\r\n\r\n",
    "a\r\n  b\r\n",
    " \n \n ",
    "\n \n a",
    "x \n",
    "x\n ",
    "\u00a0a\u00a0\u00a0b",
    "\u3000a\u3000",
    "\u2028a\u2029b",
    "a\u0085b",
    "\x0b\x0c\x1c\x1d\x1e\x1f",
    "\u1680\u2000\u2001\u2002\u2003\u200a\u202f\u205f",
    "\u180ea\u200bb\u2060c\ufeffd",
    "    indented\n        more\n\tand a tab\n",
    "end.   \n\n\n   next",
]
DIGITS = [
    "1",
    "12",
    "123",
    "1234",
    "12345",
    "1234567890123",
    "3.14159",
    "1,234,567.89",
    "0x1F",
    "1e-9",
    "2024-02-29T23:59:59Z",
    "a1b22c333d4444",
    "٣٤٥٦",
    "१२३४",
    "一二三",
    "½¾²³ⅷ",
    "𝟙𝟚𝟛𝟜",
    "1٣2४",
]
MARKS = [
    "e\u0301e\u0301", "\u0301", "a\u0301\u0302\u0303b", "\u0e19\u0e49\u0e33", "क्षत्रिय",
    "o\u0308o", "Z\u0351\u036b\u0343A\u0321\u034aL\u0321G\u0322O\u0321",
    "\u1100\u1161\u11a8", "\u05e9\u05b8\u05dc",
]  # fmt: skip
PICTURES = [
    "🚀", "👩\u200d👩\u200d👧\u200d👦", "👍🏽👍🏿", "🇩🇪🇫🇷🇯🇵", "☺\ufe0f☺\ufe0e",
    "🏴\U000e0067\U000e0062\U000e007f",
    "a🚀b 🚀 c", "✓✗→←⇒∀∃∈≤≥≠", "😀" * 40, "𠀀𠮷𡈽", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝓣𝓮𝔁𝓽", "ﬁﬂﬀ ﷺ ㎏ ㋿",
]  # fmt: skip
SPECIAL = [
    "<|endoftext|>", "a<|endofprompt|>b", "<|fim_prefix|><|fim_middle|><|fim_suffix|>",
    "<|im_start|>user\nhi<|im_end|>", "<|", "|>", "<s>[INST]</s>",
]  # fmt: skip
ODD = [
    "", "\x00", "a\x00b", "\x7f\x80\x9f", "\ufffd", "\ufffe\uffff", "\ue000\uf8ff", "\u0378\u0379",
    "\U0010ffff\U000e0001", "\u202eabc\u202c \u2066x\u2069", "\u00ad-\u2010\u2011\u2013\u2014",
    "''''\"\"\"\"````", "...!!!???", ".,;:!?" * 20, "/\\" * 30, "=" * 77, "-" * 130, "_" * 9 + "a",
    "( [ { < > } ] )", "«»„“”‚‘’", "¿¡ §¶ ©®™ €£¥₿",
]  # fmt: skip
RUNS = [
    unit * (n // len(unit))
    for unit, n in itertools.product(
        [
            "a",
            "A",
            " ",
            "\n",
            "0",
            "ab",
            "aB",
            "漢",
            "\u0301",
            "é",
            "^",
            "/",
            " a",
            "a ",
            "\r\n",
            "가",
        ],
        [31, 257],
    )
]

# What stands at one side of a place where a pre-token may end, to be put beside any other.
PIECES = [
    *("a", "the", "Word", "WORD", "İi", "ǅ", "ʰ", "é", "e\u0301", "ß", "ſ", "Привет", "漢字"),
    *("カ", "한", "ไทย", "שלום", "مرحبا", "न्", "1", "22", "4567", "٣", "½", " ", "  ", "\t", "\n"),
    *("\r\n", "\n\n", "\u00a0", "\u3000", "\u200b", "'", "’", "'s", "'LL", "'ve", ".", ",", "!"),
    *("?!", "...", "/", "//", "-", "--", "_", "(", ")", "[]", "{}", "<|", "|>", "=", "==", ";"),
    *(";\n", '"', "#", "$", "%", "🚀", "👩\u200d🚀", "🇩🇪", "\ufe0f", "\u0301", "\u0000", "\u001c"),
    *("\u2028", "\ufffd", "𝟙", "𝔘"),
]  # fmt: skip


def mixed() -> list[str]:
    """Return texts of pieces in a random order, always the same."""
    choose = random.Random(SEED)  # noqa: S311 - the same again
    return ["".join(choose.choices(PIECES, k=choose.randint(2, 24))) for _ in range(N_MIXED)]


def main() -> None:
    """Write the file, a case to a line."""
    given = [
        *(LANGUAGES + CODE + CONTRACTIONS + BLANKS + DIGITS + MARKS + PICTURES),
        *(SPECIAL + ODD + RUNS + mixed()),
    ]
    encodings = {name: tiktoken.get_encoding(name) for name in NAMES}
    lines = [
        json.dumps({"text": text} | {name: encodings[name].encode_ordinary(text) for name in NAMES})
        for text in dict.fromkeys(given)
    ]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", "ascii")
    print(f"{FILE}: {len(lines)} texts, by tiktoken {tiktoken.__version__}")


if __name__ == "__main__":
    main()
