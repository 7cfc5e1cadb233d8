//! Tables whose rows are lines: Markdown, and lists of cells. Split by rows, the header repeated; here the
//! limit holds for a part as it is, header included.

pub mod fit;
pub mod markdown;
mod row;

use std::borrow::Cow;
use std::ops::Range;

use self::fit::fit;
use crate::error::Result;
use crate::measure::ruler::Ruler;
use crate::pulse::Pulse;
use crate::unicode::space::is_space;

/// How many cells a row that is split, or a header that is repeated, may have for each unit of the limit.
///
/// All parts of a row have all of its cells, the others empty. Those cost nothing in a list of rows: without
/// this bound the parts of a wide table would take quadratic space.
const MOST_CELLS: usize = 16;

/// A table of lines.
pub struct Lines<'t> {
    /// Each row as a line; header rows lead.
    pub rows: Vec<Cow<'t, str>>,
    /// How many rows are the header.
    pub n_header_rows: usize,
    /// What tells header from body.
    pub delimiter: Option<&'t str>,
    /// What stands for a header that is not repeated.
    pub no_header: String,
    /// How lines are made of cells.
    pub form: Form,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One line a row, cells between pipes.
    Markdown,
    /// What the cells say, a blank between two.
    Cells,
}

impl Form {
    /// What stands between two lines.
    const fn separator(self) -> &'static str {
        match self {
            Self::Markdown => "\n",
            Self::Cells => " ",
        }
    }

    /// A row of these cells.
    pub fn line<'c>(self, cells: impl Iterator<Item = &'c str>) -> String {
        match self {
            Self::Markdown => markdown::line(cells),
            Self::Cells => {
                let cells = cells.map(|cell| cell.trim_matches(is_space));
                cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A part of a table of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePart {
    /// The part as it is measured.
    pub text: String,
    /// The rows it shows, of the whole table; header rows that are repeated are not among them.
    pub rows: Range<usize>,
    /// Rows of the header that it repeats.
    pub n_header_rows: usize,
    /// The cells, if it is a part of one row: the others are empty.
    pub cells: Option<Vec<String>>,
    /// Whether it is over the limit, as a row with so many cells or a single character is.
    pub is_oversize: bool,
}

/// Splits a table so that each part has at most `max`; `cells` gives those of a row.
///
/// A header of more than half of `max` is not repeated. A row over the limit is split between its cells and
/// within them, unless it has more than 16 cells for each unit of the limit. O(n log `max`).
///
/// ```
/// use chunkwright_text::cut::table::lines::{markdown, split};
/// use chunkwright_text::measure::ruler::CharRuler;
/// use chunkwright_text::pulse::no_pulse;
///
/// let table = "| stone | kg |\n|---|---|\n| slate | 7 |\n| chalk | 3 |\n";
/// let lines = markdown::read(table).unwrap();
/// let cells = |row: usize| markdown::cells(&lines.rows[row]).map(str::to_owned).collect();
/// let parts = split(&lines, &cells, 48, true, &CharRuler, no_pulse())?;
/// assert_eq!(parts.len(), 2);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the ruler, and what `pulse` says.
pub fn split(
    table: &Lines<'_>,
    cells: &dyn Fn(usize) -> Vec<String>,
    max: usize,
    repeat_headers: bool,
    ruler: &dyn Ruler,
    pulse: Pulse<'_>,
) -> Result<Vec<LinePart>> {
    let mut splitter = LineSplitter::new(table, max, ruler)?;
    let header = splitter.start(table.n_header_rows);
    let size = ruler.size(&header.text)?;
    // A header that fits no part is split as any row.
    let mut next = if size <= max { table.n_header_rows } else { 0 };
    let n_cells = (0..table.n_header_rows).map(|row| cells(row).len()).sum();
    let repeats = repeat_headers && size <= max / 2 && !splitter.is_wide(n_cells);
    let later = if repeats { header.clone() } else { splitter.start(0) };
    let mut start = if next > 0 { Start { n_rows: 0, ..header } } else { splitter.start(0) };
    let mut first = 0;
    while first < table.rows.len() {
        pulse()?;
        let end = splitter.rows_that_fit(&start, next)?;
        if end > first {
            let text = splitter.text(&start, &table.rows[next..end]);
            splitter.push(text, first..end, start.n_rows, None)?;
            next = end;
        } else {
            splitter.split_row(&start, next, &cells(next))?;
            next += 1;
        }
        (first, start) = (next, later.clone());
    }
    Ok(splitter.parts)
}

/// What a part begins with.
#[derive(Clone, Debug, Default)]
struct Start {
    text: String,
    /// Rows of the header that are repeated in it.
    n_rows: usize,
}

/// A table that is being split.
struct LineSplitter<'a, 't> {
    table: &'a Lines<'t>,
    max: usize,
    ruler: &'a dyn Ruler,
    /// Sizes of all rows up to each, what stands between them included.
    ends: Vec<usize>,
    parts: Vec<LinePart>,
}

impl<'a, 't> LineSplitter<'a, 't> {
    fn new(table: &'a Lines<'t>, max: usize, ruler: &'a dyn Ruler) -> Result<Self> {
        let mut ends = vec![0];
        let mut end: usize = 0;
        for row in &table.rows {
            end = end.saturating_add(ruler.size(row)?).saturating_add(1);
            ends.push(end);
        }
        Ok(Self { table, max, ruler, ends, parts: Vec::new() })
    }

    /// Whether so many cells are too many to be in many parts.
    const fn is_wide(&self, n_cells: usize) -> bool {
        n_cells > MOST_CELLS.saturating_mul(self.max)
    }

    /// A beginning with so many header rows, all of them or none.
    fn start(&self, n_rows: usize) -> Start {
        let mut lines: Vec<&str> = self.table.rows[..n_rows].iter().map(AsRef::as_ref).collect();
        match self.table.delimiter {
            Some(delimiter) if n_rows > 0 => lines.push(delimiter),
            _ if n_rows == 0 => lines.push(&self.table.no_header),
            _ => {}
        }
        Start { text: self.joined(lines.into_iter()), n_rows }
    }

    fn joined<'l>(&self, lines: impl Iterator<Item = &'l str>) -> String {
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        lines.join(self.table.form.separator())
    }

    fn text<S: AsRef<str>>(&self, start: &Start, rows: &[S]) -> String {
        self.joined([&*start.text].into_iter().chain(rows.iter().map(AsRef::as_ref)))
    }

    fn size(&self, start: &Start, line: &str) -> Result<usize> {
        self.ruler.size(&self.text(start, &[line]))
    }

    /// The end of the rows from `first` on that fit behind `start`.
    fn rows_that_fit(&self, start: &Start, first: usize) -> Result<usize> {
        let room = self.max.saturating_sub(self.ruler.size(&start.text)?);
        let upto = self.ends[first].saturating_add(room);
        let guess = self.ends.partition_point(|&end| end <= upto).saturating_sub(1);
        fit(first, guess, self.table.rows.len(), |end| {
            let text = self.text(start, &self.table.rows[first..end]);
            Ok(self.ruler.size(&text)? <= self.max)
        })
    }

    fn push(
        &mut self,
        text: String,
        rows: Range<usize>,
        n_header_rows: usize,
        cells: Option<Vec<String>>,
    ) -> Result<()> {
        let is_oversize = self.ruler.size(&text)? > self.max;
        self.parts.push(LinePart { text, rows, n_header_rows, cells, is_oversize });
        Ok(())
    }
}
