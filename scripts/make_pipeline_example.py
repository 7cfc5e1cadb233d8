"""Sample PDF of ``docs/pipeline.md``: three pages about rain, with what makes PDFs hard to read.

``python scripts/make_pipeline_example.py`` writes ``docs/pipeline/rain.pdf``, always the same
bytes. The file has neither an outline nor tags: a reader has only glyphs, boxes and lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

OUT = Path(__file__).parents[1] / "docs" / "pipeline" / "rain.pdf"

WIDTH, HEIGHT = A4
MARGIN, GUTTER = 60.0, 21.0
COLUMN: float = (WIDTH - 2 * MARGIN - GUTTER) / 2
TOP, BOTTOM = HEIGHT - 78, 74.0
TITLE_HEIGHT = 74.0
BODY, BOLD = "Times-Roman", "Times-Bold"
SIZE, LEADING = 11.5, 16.0
SMALL = 8.5
SHY = "\xad"

RAIN = (71, 48, 55, 39, 64, 82, 97, 90, 58, 61, 76, 83)
WETTEST = (94, 60, 83, 21, 77, 118, 96, 124, 70, 88, 79, 102)
RISE = 1.02  # points for a millimetre

Line = tuple[str, bool]  # its text, and whether it is the last of its paragraph

TITLE = "Measuring Rain in a Small Catchment"
SUBTITLE = "A handbook for volunteer observers"
HEAD = "Upper Weir Catchment"

# "#": heading; "^": footnote of the column; "!": chart with its caption; "|": caption of a table
# and its rows, the header first; "_": soft hyphen.
STORY = """
# 1 Why a gauge is not enough

Rain looks even from a window, but it is not. During a summer storm two gardens in one street may
differ by a third, and a single gauge knows nothing of the other garden.

^ ¹ Measured beside a gauge whose rim is level with the turf.

Wind is the larger trouble. It lifts over the rim of a gauge, takes small drops with it, and
leaves the funnel too dry. The wind error is about four per cent for rain at one metre above the
ground,¹ and for snow it may reach half of the total.

For a flood forecast the sum matters less than the hour. A brook that carries a week of drizzle
with ease will leave its bed after forty minutes of cloudburst.

# 2 Instruments

## 2.1 The storage gauge

A storage gauge is a funnel above a bottle. Once a day the observer pours the bottle into a
measuring glass and reads the height of the water. Nothing in it can fail, and it needs no
battery.

The glass is narrower than the funnel, so that one millimetre of rain stands one centimetre high
in the glass. Read it at eye level, at the bottom of the curve that the water makes.

A storage gauge says how much fell, but not when. For the hour of the rain another instrument has
to stand beside it.

## 2.2 The tipping bucket

Below the funnel of a tipping bucket sits a small seesaw with two cups. A cup that holds 0.2
millimetres of rain tips over, empties itself and closes a contact. A logger notes the time of
each tip.

The bucket counts too little in heavy rain, because water that arrives while the seesaw moves is
lost. At 100 millimetres an hour some eight per cent of the rain is missing. Makers give a
correction, which the logger applies to each minute.

! Figure 1: Rain of each month at the mill: mean (bars) and 2002 (line).

# 3 Choosing a place

A good place is open, level and sheltered from strong wind. Before you dig, check these points:

• Trees and walls stand at least twice as far away as they are high.
• The rim of the gauge is one metre above short grass, and it is level.
• No sprinkler, gutter or roof can throw water into the funnel.
• The owner agrees that somebody comes every morning, on Sundays too.

Photograph the place in all four directions, and repeat this each spring. Hedges grow slowly, and
the record of a decade may drift without anybody noticing. A com_pari_son with neigh_bouring
sta_tions will show the drift, but only the photo_graphs ex_plain where it came from.

Whoever moves a gauge begins a new record. For one year, if possible, let the old and the new
place run side by side; the ratio of the two totals joins the records later.

# 4 Daily work

## 4.1 Reading and writing down

Read the gauge at seven o'clock in winter time, whatever the season. The amount belongs to the day
before, since most of the hours lie there. Write a zero on dry days: an empty field says that
nobody looked.

Less than half a tenth of a millimetre is written as a trace. A trace counts as nothing in the
sum, but as a day on which rain fell.

Dew and frost are not rain. If the glass is wet after a clear night, pour it out and write a
remark.

## 4.2 Snow and ice

In winter the funnel is taken off, so that snow falls straight into the can. Bring the can
indoors, let the snow melt with a lid on, and measure the water as usual. Never melt it on a
stove, for what evaporates is missing.

Hail is treated like snow. Add its largest diameter to the remarks, measured with a ruler and not
by comparison with fruit.

## 4.3 When something breaks

A gap is harmless as long as it is known. If the logger stops or a bird builds its nest in the
funnel, do this in turn:

1. Write down the hour at which you found the damage.
2. Pour what is left in the bottle through the funnel, slowly, and note how many times the bucket
  tips.
3. Call the office, which lends a spare.

# 5 Checking the record

Each month the office compares every station with its three nearest neighbours. A day that differs
by more than both a factor of two and ten millimetres is marked, and the observer gets a call.

Most marked days turn out to be true. Thunderstorms are small, and a mark is a question rather
than a verdict. What has been corrected keeps its first value in a second column, so that a later
reader can judge the correction.

Every January the office prints the totals of the year on one sheet for each observer. Compare
them with your notebook, and tell the office about sums that you cannot explain. Notebooks are
kept for good: twice in sixty years they have saved a record whose files were lost.

# 6 Stations

The network has eleven stations. Their heights are taken from the survey of 2019, their totals
from complete years only. A station that moved by more than two hundred metres begins a new line.
The mill is the oldest: its first notebook opens on the second of May 1961, with a trace.

| Table 1: Stations, with height in metres and yearly total in millimetres.
| Station | Height | Since | Total
| Mill | 212 | 1961 | 824
| School | 230 | 1974 | 811
| Weir bridge | 205 | 1988 | 796
| Quarry | 341 | 1990 | 902
| Chapel hill | 418 | 1992 | 967
| Forester | 466 | 1969 | 1,015
| Reservoir | 389 | 2003 | 941
| Sheepfold | 512 | 2008 | 1,083
| Pass road | 604 | 2011 | 1,176
| Upper hut | 731 | 2014 | 1,240
| Summit | 858 | 2016 | 1,195

The totals rise with height, by roughly seventy millimetres for each hundred metres. Only the
summit falls out of line, because wind carries the drops past its gauge. A shield of slats around
the funnel is to show whether that is so.
"""


def main() -> None:
    """Write the file."""
    canvas = Canvas(str(OUT), pagesize=A4, invariant=1)
    canvas.setTitle(TITLE)
    Setter(canvas).story()
    canvas.save()
    print(f"{OUT.name}: {OUT.stat().st_size:,} bytes")


class Setter:
    """Sets blocks into columns, one below the other."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.page, self.column = 0, 1
        self.y = self.floor = 0.0
        self.note = ""

    def story(self) -> None:
        """Set all blocks."""
        self.turn()
        for block in STORY.replace("_", SHY).strip().split("\n\n"):
            sign, _, rest = block.partition(" ")
            match sign:
                case "#" | "##":
                    self.heading(rest, len(sign))
                case "^":
                    self.note, self.floor = rest, BOTTOM + 22
                case "!":
                    self.figure(rest)
                case "|":
                    self.table(block)
                case "\u2022" | "1.":
                    self.items(block)
                case _:
                    self.paragraph(block.replace("\n", " "))
        self.foot()
        self.canvas.showPage()

    @property
    def left(self) -> float:
        """Where the column begins."""
        return MARGIN + self.column * (COLUMN + GUTTER)

    def turn(self) -> None:
        """Go to the next column, or to the next page."""
        self.foot()
        if self.column == 1:
            if self.page:
                self.canvas.showPage()
            self.page += 1
            self.furniture()
        self.column = 1 - self.column
        self.y = TOP - (TITLE_HEIGHT if self.page == 1 else 0)
        self.floor = BOTTOM

    def furniture(self) -> None:
        """Set the running head and the number of the page; on the first page the title, too."""
        canvas = self.canvas
        canvas.setFont(BODY, 8.5)
        canvas.drawString(MARGIN, HEIGHT - 46, HEAD)
        canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 46, "Observers' handbook")
        canvas.drawCentredString(WIDTH / 2, 40, str(self.page))
        if self.page == 1:
            canvas.setFont(BOLD, 22)
            canvas.drawCentredString(WIDTH / 2, TOP - 22, TITLE)
            canvas.setFont("Times-Italic", 12)
            canvas.drawCentredString(WIDTH / 2, TOP - 44, SUBTITLE)

    def reserve(self, lines: int) -> None:
        """Turn, if there is no place for so many lines."""
        if self.y - lines * LEADING < self.floor:
            self.turn()

    def heading(self, text: str, level: int) -> None:
        """Set a heading, with two lines at least below it."""
        self.reserve(5)
        size = 14.0 if level == 1 else 12.0
        self.y -= 10 if level == 1 else 5
        self.y -= size
        self.canvas.setFont(BOLD, size)
        self.canvas.drawString(self.left, self.y, text)
        self.y -= 5

    def foot(self) -> None:
        """Set the footnote of the column at its foot."""
        if not self.note:
            return
        canvas = self.canvas
        canvas.setLineWidth(0.5)
        canvas.line(self.left, BOTTOM + 14, self.left + 60, BOTTOM + 14)
        canvas.setFont(BODY, SMALL)
        canvas.drawString(self.left, BOTTOM + 3, self.note)
        self.note = ""

    def paragraph(self, text: str, *, font: str = BODY, indent: float = 0) -> None:
        """Set a text, justified."""
        for line, is_last in broken(text, COLUMN - indent, font, SIZE):
            self.reserve(1)
            self.y -= LEADING
            self.line(line, indent, font, is_justified=not is_last)
        self.y -= 5

    def line(self, text: str, indent: float, font: str, *, is_justified: bool) -> None:
        """Set a line, as wide as the column if it is justified."""
        run = self.canvas.beginText(self.left + indent, self.y)
        run.setFont(font, SIZE)
        blanks = text.count(" ")
        if is_justified and blanks:
            run.setWordSpace((COLUMN - indent - stringWidth(text, font, SIZE)) / blanks)
        run.textOut(text)
        run.setWordSpace(0)  # it would hold for all that follows
        self.canvas.drawText(run)

    def items(self, block: str) -> None:
        """Set a list."""
        for item in re.split(r"\n(?! )", block):
            marker, *words = item.split()
            for number, (line, is_last) in enumerate(
                broken(" ".join(words), COLUMN - 16, BODY, SIZE)
            ):
                self.reserve(1)
                self.y -= LEADING
                if number == 0:
                    self.canvas.setFont(BODY, SIZE)
                    self.canvas.drawString(self.left + 3, self.y, marker)
                self.line(line, 16, BODY, is_justified=not is_last)
            self.y -= 2
        self.y -= 3

    def figure(self, caption: str) -> None:
        """Draw a chart of bars and a line, with the months in it and the caption below."""
        height, canvas = 132.0, self.canvas
        if self.y - height - 50 < self.floor:
            self.turn()
        self.y -= height + 12
        step = (COLUMN - 12) / len(RAIN)
        canvas.setLineWidth(0.6)
        canvas.rect(self.left, self.y - 14, COLUMN, height + 14)
        canvas.line(self.left + 6, self.y, self.left + COLUMN - 6, self.y)
        canvas.setFillGray(0.55)
        for month, amount in enumerate(RAIN):
            x = self.left + step * month + 9
            canvas.rect(x, self.y, step - 6, amount * RISE, stroke=0, fill=1)
        canvas.setFillGray(0)
        path = canvas.beginPath()
        for month, amount in enumerate(WETTEST):
            place = self.left + step * (month + 0.5) + 6, self.y + amount * RISE
            (path.lineTo if month else path.moveTo)(*place)
        canvas.drawPath(path)
        canvas.setFont("Helvetica", 7)
        for month, name in enumerate("JFMAMJJASOND"):
            x = self.left + step * (month + 0.5) + 6
            canvas.drawCentredString(x, self.y - 9, name)
        self.y -= 18
        self.caption(caption)
        self.y -= 4

    def caption(self, text: str) -> None:
        """Set a caption, in italics."""
        self.paragraph(text, font="Times-Italic")

    def table(self, block: str) -> None:
        """Draw a table; a row that does not fit begins the next column, below the header again."""
        self.reserve(6)
        (caption,), header, *rows = (line[2:].split(" | ") for line in block.split("\n"))
        self.caption(caption)
        row = LEADING + 4
        self.row(header, font=BOLD, is_first=True)
        for cells in rows:
            if self.y - row < self.floor:
                self.turn()
                self.row(header, font=BOLD, is_first=True)
            self.row(cells)
        self.y -= 10

    def row(self, cells: Sequence[str], *, font: str = BODY, is_first: bool = False) -> None:
        """Draw a row with the lines around its cells."""
        edges = [self.left + COLUMN * share for share in (0, 0.4, 0.6, 0.8, 1)]
        top, canvas = self.y, self.canvas
        self.y -= LEADING + 4
        canvas.setLineWidth(0.5)
        if is_first:
            canvas.line(edges[0], top, edges[-1], top)
        canvas.line(edges[0], self.y, edges[-1], self.y)
        for edge in edges:
            canvas.line(edge, top, edge, self.y)
        canvas.setFont(font, SIZE - 0.5)
        canvas.drawString(edges[0] + 4, self.y + 5, cells[0])
        for edge, cell in zip(edges[2:], cells[1:], strict=True):
            canvas.drawRightString(edge - 4, self.y + 5, cell)


def broken(text: str, width: float, font: str, size: float) -> Iterator[Line]:
    """Break a text into lines, at blanks and at soft hyphens."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if stringWidth(longer.replace(SHY, ""), font, size) <= width:
            line = longer
            continue
        parts = word.split(SHY)
        for cut in range(len(parts) - 1, 0, -1):
            begun = f"{line} {''.join(parts[:cut])}-"
            if stringWidth(begun.replace(SHY, ""), font, size) <= width:
                line, word = begun, SHY.join(parts[cut:])  # noqa: PLW2901 - the rest of it
                break
        yield line.replace(SHY, ""), False
        line = word
    yield line.replace(SHY, ""), True


if __name__ == "__main__":
    main()
