"""Write the table of abbreviations and sentence openers that the sentence splitter reads in place.

Run it again only when the source changes::

    pip download --no-deps --no-binary :all: sentencex==1.0.32
    python scripts/generate_abbreviations.py sentencex-1.0.32.tar.gz

The lists are data of sentencex (MIT), verified here by SHA-256. What is added below is our own
judgement: which abbreviations never end a sentence, which of them are words as well, and the
openers of languages for which the source has none.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tarfile
from pathlib import Path, PurePosixPath

DATA = Path(__file__).resolve().parent.parent / "rust" / "text" / "data"
SHA256 = "322b2501ceada10fc44d356216955047714e2a46d7c253d5281a9b6a834fe86c"
LISTS = "src/languages/abbrev/"
OPENERS = "src/languages/starters/en.txt"
# Longer keys are compounds whose last part is listed as well; segment/sentence/words.rs knows this.
MAX_KEY_BYTES = 24

# Kinds of abbreviations; segment/sentence/abbreviations.rs names the same ones.
TITLE = "t"  # a name follows: never ends a sentence
NUMBERED = "n"  # an abbreviation only before a number
TRAILING = "e"  # follows its noun or number: ends a sentence before a capital
TIME = "m"  # the same, and also before a number
CAPITAL = "c"  # an abbreviation only with a capital; otherwise a word

# Marks for English, by kind; a word that the source lacks is added.
ENGLISH = {
    TITLE: """dr drs mr mrs ms mx prof rev hon st mt messrs mssrs mlle mme msgr capt cmdr comdr col
        gen gov lt maj sgt sfc cpl pfc pvt brig adm insp supt surg pres rep reps sen sens ens fr br
        e.g eg i.e ie cf c.f vs v viz ca approx esp incl ph ste mgr asst assoc atty a.k.a resp""",
    NUMBERED: """no nos nº n° no̱ p pp pg p.g fig figs sec secs ch chap vol vols eq eqs eqn ref refs
        art arts para ex app op ver item tab §""",
    TRAILING: """a.d b.c b.c.e c.e ph.d phd m.d md d.d.s dds m.a ma b.a ba m.s b.s bs m.sc msc b.sc
        bsc m.b.a mba j.d jd ll.b llb ll.d lld ll.m llm d.phil gal ft lb lbs mi mph oz pt qt yd sq
        fl km cm mm kg hr hrs in""",
    TIME: "a.m p.m",
    CAPITAL: """ala ark cal con conn del ga id ida ill ind kan kans la may me mex min miss mo mont
        neb ok ore pa penn tex va wis mon tue wed thu fri mar jan dec""",
}
# In the source, but words far more often than abbreviations.
ENGLISH_WORDS = {
    *(
        "arc",
        "bart",
        "com",
        "dc",
        "do",
        "exp",
        "fed",
        "ll",
        "man",
        "mass",
        "que",
        "re",
        "res",
        "wash",
    ),
}
ENGLISH_MORE = "u.k e.u u.n u.s.a llc plc dist ext tel max est govt mts hwy n.b q.v r.s.v.p"

# Openers of the source that follow an abbreviation inside a sentence just as well.
NOT_OPENERS = {
    *(
        "New",
        "Great",
        "Right",
        "Last",
        "Second",
        "First",
        "Third",
        "People",
        "Recent",
        "Back",
        "Dear",
    ),
    "Two",
}
OWN_OPENERS = {
    "en": "Don Didn Doesn Isn Wasn Weren Won Wouldn Couldn Shouldn Can",
    "de": """Der Die Das Den Dem Des Ein Eine Einen Einem Einer Er Sie Es Wir Ihr Ich Man Dies Diese
        Dieser Dieses Aber Auch Als Am An Auf Aus Bei Beim Da Dabei Daher Damit Dann Danach Dort
        Durch Für Hier Im In Ist Jetzt Jedoch Mit Nach Nachdem Nicht Noch Nun Nur Ob Oder Seit Seine
        So Sowohl Trotz Und Unter Vom Von Vor Warum Was Weil Wenn Wer Wie Wo Während Zu Zum Zur""",
    "fr": """Le La Les Un Une Des Ce Cet Cette Ces Il Elle Ils Elles On Nous Vous Je Tu Mais Et Ou
        Or Donc Car Dans En Au Aux À Avec Pour Par Sur Sous Sans Selon Si Son Sa Ses Leur Leurs Mon
        Ma Mes Notre Nos Puis Ensuite Ainsi Alors Après Avant Depuis Lorsque Quand Que Qui Comme
        Cependant Toutefois Pourtant Enfin Tout Tous""",
    "es": """El La Los Las Un Una Unos Unas Este Esta Estos Estas Ese Esa Eso Esto Ella Ellos Ellas
        Él Yo Tú Nosotros Usted Ustedes Pero Y O En Con Por Para Sin Sobre Según Si Su Sus Mi Mis
        Nuestro Nuestra Al Del Como Cuando Donde Quien Que Qué Aunque Además Después Antes Luego
        Entonces También No Se Es Hay Fue Era""",
    "it": """Il Lo La I Gli Le Un Uno Una Questo Questa Questi Queste Quello Quella Egli Ella Lui
        Lei Loro Noi Voi Io Tu Ma E O In Nel Nella Con Per Da Dal Di Su Sul Sulla Tra Fra Se Suo Sua
        Mio Mia Come Quando Dove Chi Che Perché Anche Poi Dopo Prima Inoltre Tuttavia Non Si È Al
        Alla Grazie""",
    "pt": """O A Os As Um Uma Uns Umas Este Esta Estes Estas Esse Essa Isso Isto Ele Ela Eles Elas
        Eu Nós Você Vocês Mas E Ou Em No Na Nos Nas Com Por Para Sem Sobre Segundo Se Seu Sua Meu
        Minha Ao Do Da Como Quando Onde Quem Que Embora Além Depois Antes Então Também Não É Há""",
    "nl": """De Het Een Dit Dat Deze Die Hij Zij Ze Wij We Jij Je Ik U Men Maar En Of In Op Met Voor
        Van Bij Door Na Naar Om Over Uit Te Als Toen Wanneer Waar Wie Wat Waarom Hoe Ook Er Daar
        Daarna Daarom Dus Hier Nu Niet Zijn Haar Hun Mijn Onze Volgens Tijdens""",
    "pl": """On Ona Ono Oni One My Wy Ja Ty Ten Ta To Te Ci Ale I A W We Na Z Ze Do Od Po Przy Przez
        Dla Jak Gdy Kiedy Gdzie Kto Co Czy Dlaczego Jego Jej Ich Mój Nasz Potem Następnie Jednak
        Także Również Nie Jest Był Była Było""",
    "ru": """Он Она Оно Они Мы Вы Я Ты Это Этот Эта Эти Но И А В Во На С Со К От По При Для Из Как
        Когда Где Кто Что Если Почему Его Её Их Мой Наш Потом Затем Однако Также Не Был
        Была Было""",
    "uk": """Він Вона Воно Вони Ми Ви Я Ти Це Цей Ця Ці Але І Й А В У На З Зі До Від По При Для Із
        Як Коли Де Хто Що Якщо Чому Його Її Їх Мій Наш Потім Однак Також Не Був Була Було""",
    "da": """Han Hun Det De Den Vi I Jeg Du Man Men Og Eller Efter Da Når Hvis Hvor Hvem Hvad
        Hvorfor Hvordan På Med Til Fra For Der Her Denne Dette Disse Også Ikke""",
}


def read_source(path: Path) -> dict[str, str]:
    """Read the lists from the hash-verified archive: text by path inside it."""
    if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{path}: SHA-256 is not {SHA256}")
    texts = {}
    with tarfile.open(path) as archive:
        for member in archive:
            name = "/".join(PurePosixPath(member.name).parts[1:])
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None and (name.startswith(LISTS) or name == OPENERS):
                texts[name] = content.read().decode()
    return texts


def entries(text: str) -> list[str]:
    """Return the entries of a list, without comments and the dots behind them."""
    lines = (line.split("//")[0].strip().removesuffix(".") for line in text.splitlines())
    return [line.replace(". ", ".") for line in lines if line]


def keys(text: str) -> set[str]:
    """Return the abbreviations of a list as they are looked up: one word, in lower case."""
    lowered = (entry.lower() for entry in entries(text))
    return {
        key
        for key in lowered
        if " " not in key and '"' not in key and len(key.encode()) <= MAX_KEY_BYTES
    }


def english_kinds() -> dict[str, str]:
    """Return our marks for English."""
    return {word: kind for kind, words in ENGLISH.items() for word in words.split()}


def abbreviations(language: str, text: str) -> list[str]:
    """Return the sorted lines of a language: a key, and its kind unless that is the plain one."""
    found = keys(text)
    kinds: dict[str, str] = {}
    if language == "en":
        kinds = english_kinds()
        found = (found | set(kinds) | set(ENGLISH_MORE.split())) - ENGLISH_WORDS
    # Single letters are initials, which need no list.
    found = {key for key in found if len(key) > 1 or key in kinds}
    ordered = sorted(found, key=str.encode)
    return [f"{key} {kinds[key]}" if key in kinds else key for key in ordered]


def openers(language: str, texts: dict[str, str]) -> list[str]:
    """Return the words that open sentences, sorted."""
    words = set(OWN_OPENERS.get(language, "").split())
    if language == "en":
        words |= {word for word in entries(texts[OPENERS]) if word.isalpha()} - NOT_OPENERS
    return sorted(words, key=str.encode)


def main() -> None:
    """Write the table: English first, because most texts ask for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="sentencex-1.0.32.tar.gz")
    texts = read_source(parser.parse_args().source)
    listed = {PurePosixPath(name).stem for name in texts if name.startswith(LISTS)}
    sections = []
    for language in ["en", *sorted(listed - {"en"})]:
        lines = abbreviations(language, texts[f"{LISTS}{language}.txt"])
        sections.append("\n".join([f"={language}", *lines]))
        words = openers(language, texts)
        if words:
            sections.append("\n".join([f"={language} openers", *words]))
    (DATA / "abbreviations.txt").write_text("\n".join([*sections, "="]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
