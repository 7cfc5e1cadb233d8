//! Split of a Markdown table by columns, where its rows do not fit below its header, as Docling does it.

use super::line::{LineChunks, LineOptions, chunk_lines};
use super::scale::Scale;
use chunkwright_text::error::Result;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::unicode::space::is_space;

/// A Markdown table as text.
#[derive(Clone, Copy, Debug)]
pub struct MarkdownTable<'t> {
    /// What stands before the header, such as a caption.
    pub preamble: &'t str,
    /// The header and the separator below it, with their newlines.
    pub header: &'t [&'t str],
    /// The rows, with their newlines.
    pub body: &'t [&'t str],
}

/// Splits a table into tables of fewer columns of at most `max` units, and of fewer rows where one column
/// is too long. The preamble stands before the first one only.
///
/// O(columns × rows) beside the texts that come out, for a unit that is counted natively.
///
/// # Errors
/// Those of the unit, and of lines that cannot be cut.
pub fn split_columns(
    ruler: &dyn Ruler,
    table: MarkdownTable<'_>,
    max: usize,
    omit_header_on_overflow: bool,
) -> Result<LineChunks> {
    let cells = |lines: &[&str], keep: fn(&str) -> bool| -> Vec<Vec<String>> {
        lines.iter().filter(|line| keep(line)).map(|line| cells_of(line)).collect()
    };
    let header = cells(table.header, |line| !is_separator_row(line));
    let body = cells(table.body, |line| !line.chars().all(is_space));
    let n_columns = header.iter().chain(&body).map(Vec::len).min().unwrap_or(0);
    if n_columns == 0 {
        return Ok(LineChunks { texts: vec![table.body.concat()], ..LineChunks::default() });
    }
    let splitter = ColumnSplitter {
        scale: Scale::new(ruler),
        preamble: table.preamble,
        header,
        body,
        n_columns,
        max,
        omit_header_on_overflow,
    };
    splitter.split()
}

/// A table of cells that is split.
struct ColumnSplitter<'a> {
    scale: Scale<'a>,
    preamble: &'a str,
    header: Vec<Vec<String>>,
    body: Vec<Vec<String>>,
    n_columns: usize,
    max: usize,
    omit_header_on_overflow: bool,
}

impl ColumnSplitter<'_> {
    fn split(&self) -> Result<LineChunks> {
        let mut all = LineChunks::default();
        let mut start = 0;
        while start < self.n_columns {
            if let Some(end) = self.widest(start, |end| self.all_fits(start, end))? {
                all.texts.push(self.part(start, end));
                start = end;
                continue;
            }
            let end = self.widest(start, |end| self.rows_fit(start, end))?.unwrap_or(start + 1);
            let chunks = self.by_rows(start, end)?;
            all.texts.extend(chunks.texts);
            all.warnings.extend(chunks.warnings);
            start = end;
        }
        Ok(all)
    }

    /// The greatest end of columns from `start` on for which `fits` holds, as bisection finds it.
    fn widest(&self, start: usize, fits: impl Fn(usize) -> Result<bool>) -> Result<Option<usize>> {
        let (mut low, mut above) = (start + 1, self.n_columns + 1);
        let mut best = None;
        while low < above {
            let middle = (low + above - 1) / 2;
            if fits(middle)? {
                (best, low) = (Some(middle), middle + 1);
            } else {
                above = middle;
            }
        }
        Ok(best)
    }

    /// Whether all rows of the columns fit below their header.
    fn all_fits(&self, start: usize, end: usize) -> Result<bool> {
        let rows = self.body.iter().flat_map(|row| row_parts(&row[start..end]));
        self.scale.fits(self.header_parts(start, end).chain(rows), self.max)
    }

    /// Whether each row of the columns fits below their header by itself.
    fn rows_fit(&self, start: usize, end: usize) -> Result<bool> {
        if !self.scale.fits(self.header_parts(start, end), self.max.saturating_sub(1))? {
            return Ok(false);
        }
        let header: String = self.header_parts(start, end).collect();
        let size = self.scale.size(&header)?;
        for row in &self.body {
            if self.scale.size_behind(&header, size, &row_text(&row[start..end]))? > self.max {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The columns with all their rows.
    fn part(&self, start: usize, end: usize) -> String {
        let rows = self.body.iter().flat_map(|row| row_parts(&row[start..end]));
        self.header_parts(start, end).chain(rows).collect()
    }

    /// The columns, their rows in as many chunks as it takes.
    fn by_rows(&self, start: usize, end: usize) -> Result<LineChunks> {
        let prefix: String = self.header_parts(start, end).collect();
        let rows: Vec<String> = self.body.iter().map(|row| row_text(&row[start..end])).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let options = LineOptions {
            max: self.max,
            prefix: &prefix,
            omit_prefix_on_overflow: self.omit_header_on_overflow,
        };
        let mut chunks = chunk_lines(self.scale.ruler(), &rows, &options)?;
        if start == 0 {
            strip_preamble(&mut chunks.texts, self.preamble, &prefix);
        }
        Ok(chunks)
    }

    /// The header of the columns, behind the preamble if they are the first ones.
    fn header_parts(&self, start: usize, end: usize) -> impl Iterator<Item = &str> {
        let preamble = if start == 0 { self.preamble } else { "" };
        let rows = self.header.iter().flat_map(move |row| row_parts(&row[start..end]));
        let dashes = (start..end).flat_map(|_| ["| ", "-", " "]);
        std::iter::once(preamble).chain(rows).chain(dashes).chain(["|\n"])
    }
}

/// Takes the preamble off all chunks but the first that begin with it and the header, `prefix`.
pub fn strip_preamble(texts: &mut [String], preamble: &str, prefix: &str) {
    if !preamble.is_empty() {
        for text in texts.iter_mut().skip(1).filter(|text| text.starts_with(prefix)) {
            text.drain(..preamble.len());
        }
    }
}

fn row_text(cells: &[String]) -> String {
    row_parts(cells).collect()
}

/// A row of Markdown, in parts.
fn row_parts(cells: &[String]) -> impl Iterator<Item = &str> {
    cells.iter().flat_map(|cell| ["| ", cell, " "]).chain(["|\n"])
}

/// Whether a line separates a header from rows: pipes with dashes between them.
pub fn is_separator_row(line: &str) -> bool {
    let line = line.trim_end_matches(is_space);
    let Some(inner) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) else {
        return false;
    };
    inner.split('|').all(|cell| {
        let cell = cell.trim_matches(is_space);
        let cell = cell.strip_prefix(':').unwrap_or(cell);
        let cell = cell.strip_suffix(':').unwrap_or(cell);
        !cell.is_empty() && cell.bytes().all(|byte| byte == b'-')
    })
}

/// The cells of a row of Markdown, stripped; a pipe behind an odd number of backslashes is text.
fn cells_of(row: &str) -> Vec<String> {
    let mut row = row.trim_matches(is_space);
    if row.is_empty() {
        return Vec::new();
    }
    row = row.strip_prefix('|').unwrap_or(row);
    if let Some(inner) = row.strip_suffix('|')
        && n_backslashes(inner).is_multiple_of(2)
    {
        row = inner;
    }
    let mut cells = Vec::new();
    let mut start = 0;
    for (at, _) in row.match_indices('|') {
        if n_backslashes(&row[..at]).is_multiple_of(2) {
            cells.push(row[start..at].trim_matches(is_space).to_owned());
            start = at + 1;
        }
    }
    cells.push(row[start..].trim_matches(is_space).to_owned());
    cells
}

/// Backslashes at the end of `text`.
fn n_backslashes(text: &str) -> usize {
    text.len() - text.trim_end_matches('\\').len()
}
