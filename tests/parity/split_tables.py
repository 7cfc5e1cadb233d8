"""Tables that are hard to split: merged cells of all kinds, headers of several rows, long cells."""

import html as escaping
import random

from hypothesis import strategies as st

WORDS = [
    "a",
    "cd",
    "Total",
    "1,234.5",
    "été",
    "東京",
    "日本語テキスト",
    "don't",
    '"quoted"',
    "x<y",
    "R&D",
    "—",
    "👩‍👩‍👧",
    "longer-word",
    "''''",
    "&amp;",
]
SOLID = ["x", "'", "&", "東"]
MARKUP = [
    "<b>%s</b>",
    "x <i>%s</i> y",
    "%s<br/>more",
    "%s<br>more",
    "<p>%s</p>",
    "<b> </b>%s <p>\xa0</p>",
]
ROWSPANS = ["0", "2", "2", "3", "4", "6", "10", "100", "65534", "1", "-3", "abc", "02"]
COLSPANS = ["2", "2", "3", "10", "1000", "x", "0"]


class Maker:
    """Makes one table by dice, so that a seed is all there is to draw and to shrink."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        pick = self.dice.choice
        self.n_columns = pick([1, 2, 3, 5, 8])
        self.n_words = pick([1, 3, 8])
        self.rowspans, self.colspans = pick([0, 0.1, 0.3, 0.6]), pick([0, 0.1, 0.4])
        self.blanks, self.long = pick([0.05, 0.3, 0.6]), pick([0, 0.02, 0.2])
        self.markup = pick([0, 0, 0.2])

    def chance(self, probability: float) -> bool:
        """Whether something happens."""
        return self.dice.random() < probability

    def words(self, least: int, most: int) -> str:
        """Words, a blank between two."""
        return " ".join(self.dice.choices(WORDS, k=self.dice.randint(least, most)))

    def text(self) -> str:
        """What a cell says."""
        if self.chance(self.blanks):
            return self.dice.choice(["", " ", "\n"])
        if self.chance(self.long):
            return self.dice.choice([self.words(10, 80), self.dice.choice(SOLID) * 150])
        return self.words(1, self.n_words)

    def cell(self, name: str) -> str:
        """A cell, merged with others or not."""
        text = escaping.escape(self.text(), quote=False)
        if text.strip() and self.chance(self.markup):
            text = self.dice.choice(MARKUP) % text
        spans = ""
        if self.chance(self.colspans):
            spans += f' colspan="{self.dice.choice(COLSPANS)}"'
        if self.chance(self.rowspans):
            spans += f' rowspan="{self.dice.choice(ROWSPANS)}"'
        return f"<{name}{spans}>{text}</{name}>"

    def row(self, name: str) -> str:
        """A row, shorter than others at times."""
        n_cells = self.n_columns if self.chance(0.7) else self.dice.randint(0, self.n_columns)
        return f"<tr>{''.join(self.cell(name) for _ in range(n_cells))}</tr>"

    def rows(self, name: str, most: int) -> str:
        """Rows, one at least."""
        return "".join(self.row(name) for _ in range(self.dice.randint(1, most)))

    def table(self) -> str:
        """A table with or without a header, of one section or several."""
        header = self.dice.choice(["", self.rows("th", 3), f"<thead>{self.rows('th', 3)}</thead>"])
        body = self.rows("td", self.dice.choice([3, 8, 25]))
        if self.chance(0.3):
            body = "".join(f"<tbody>{self.rows('td', 6)}</tbody>" for _ in range(4))
        return f"<table>{header}{body}</table>"


tables = st.integers(0, 2**32).map(lambda seed: Maker(seed).table())
