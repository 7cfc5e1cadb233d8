//! Split of a line over the limit: parts with some of its cells, or with a part of one.

use std::ops::Range;

use super::fit::fit;
use super::markdown::ends_escaped;
use super::{LineSplitter, Start};
use crate::cut::chunker::Chunker;
use crate::cut::levels::Natural;
use crate::cut::pack::best_end;
use crate::error::Result;
use crate::measure::Measure;
use crate::offsets::skip_chars;
use crate::options::{Limits, OverlapAt};
use crate::pulse::no_pulse;
use crate::segment::grapheme;
use crate::unicode::space::{skip_space, trim_end};

impl LineSplitter<'_, '_> {
    /// Splits the row `number`, which has these cells.
    pub(super) fn split_row(
        &mut self,
        start: &Start,
        number: usize,
        cells: &[String],
    ) -> Result<()> {
        let none = self.start(0);
        let empty = self.row(cells, 0..0).1;
        let start = if self.size(start, &empty)? <= self.max / 4 * 3 { start } else { &none };
        if self.is_wide(cells.len()) || self.size(start, &empty)? >= self.max {
            let text = self.text(&none, &[&self.table.rows[number]]);
            return self.push(text, number..number + 1, 0, None);
        }
        let mut ends = vec![0];
        for cell in cells {
            ends.push(ends[ends.len() - 1] + self.ruler.size(cell)?.saturating_add(1));
        }
        let mut next = 0;
        while next < cells.len() {
            let room = self.max.saturating_sub(self.size(start, &empty)?);
            let guess = ends.partition_point(|&end| end <= ends[next].saturating_add(room));
            let end = fit(next, guess.saturating_sub(1), cells.len(), |end| {
                Ok(self.size(start, &self.row(cells, next..end).1)? <= self.max)
            })?;
            if end > next {
                let (shown, line) = self.row(cells, next..end);
                self.push_cells(start, number, shown, &line)?;
                next = end;
            } else {
                self.split_cell(start, number, cells, next)?;
                next += 1;
            }
        }
        Ok(())
    }

    /// Parts with one of the cells, which is too long.
    fn split_cell(
        &mut self,
        start: &Start,
        number: usize,
        cells: &[String],
        cell: usize,
    ) -> Result<()> {
        let none = self.start(0);
        let mut shown = vec![String::new(); cells.len()];
        let text = &*cells[cell];
        let measure = self.ruler.measure(text)?;
        let mut rest = text;
        while !rest.is_empty() {
            let (mut low, mut high) = (1, self.max);
            let (mut end, at) = (least(rest), text.len() - rest.len());
            while low <= high {
                let window = usize::midpoint(low, high);
                let fragment = whole(rest, words_within(text, &*measure, at, window)? - at);
                rest[..fragment].clone_into(&mut shown[cell]);
                let line = self.table.form.line(shown.iter().map(AsRef::as_ref));
                if self.size(start, &line)? <= self.max {
                    end = end.max(fragment);
                    low = window + 1;
                } else {
                    high = window - 1;
                }
            }
            rest[..end].clone_into(&mut shown[cell]);
            let line = self.table.form.line(shown.iter().map(AsRef::as_ref));
            // What cannot be smaller fits without a header, if at all.
            let start = if self.size(start, &line)? <= self.max { start } else { &none };
            self.push_cells(start, number, shown.clone(), &line)?;
            rest = &rest[skip_space(rest, end)..];
        }
        Ok(())
    }

    /// The row with some of its cells, the others empty.
    fn row(&self, cells: &[String], shown: Range<usize>) -> (Vec<String>, String) {
        let mut row = vec![String::new(); cells.len()];
        row[shown.clone()].clone_from_slice(&cells[shown]);
        let line = self.table.form.line(row.iter().map(AsRef::as_ref));
        (row, line)
    }

    fn push_cells(
        &mut self,
        start: &Start,
        number: usize,
        cells: Vec<String>,
        line: &str,
    ) -> Result<()> {
        let text = self.text(start, &[line]);
        self.push(text, number..number + 1, start.n_rows, Some(cells))
    }
}

/// Where the words of `text` from `at` on end that have at most `window` units; a part of one, if it is longer.
fn words_within(text: &str, measure: &dyn Measure, at: usize, window: usize) -> Result<usize> {
    let limits = Limits::new(window, None, 0)?;
    let chunker = Chunker::new(text, measure, limits, OverlapAt::Any, no_pulse());
    let boundary = best_end(&chunker, &mut [Natural::Words(text)], at, at, text.len(), 0)?;
    Ok(boundary.map_or(at, |boundary| trim_end(text, at, boundary.cut)))
}

/// The end of a part of `text` that cuts neither a grapheme nor an escaped character, and is not empty.
fn whole(text: &str, end: usize) -> usize {
    let mut cut = grapheme::floor(text, 0, end);
    if starts_with_mark(&text[cut..]) && ends_escaped(&text[..cut]) {
        cut -= 1;
    }
    cut.max(least(text))
}

/// The end of the shortest part of `text`: a grapheme, or an escaped character.
fn least(text: &str) -> usize {
    match text.strip_prefix('\\') {
        Some(rest) if starts_with_mark(rest) => 2,
        _ => grapheme::end(text, 0).unwrap_or_else(|| skip_chars(text, 0, 1)),
    }
}

/// Whether what `text` begins with could be escaped.
fn starts_with_mark(text: &str) -> bool {
    text.bytes().next().is_some_and(|byte| byte.is_ascii_punctuation())
}
