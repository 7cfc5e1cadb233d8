//! Header rows of a table, repeated by each part unless that leaves too little room.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::measured::Measured;
use super::packing::{Packed, Windows, pack};
use super::standing::Standing;
use super::td;
use chunkwright_text::cut::table::groups::{RowGroup, RowGroups, cells};
use chunkwright_text::cut::table::html::thead;
use chunkwright_text::error::Result;
use chunkwright_text::span::Span;

/// What each part but the first begins with.
#[derive(Debug)]
pub struct Header {
    /// Its rows.
    pub n_rows: usize,
    /// What they say.
    pub text: Span,
    /// The rows, `th` instead of `td`, in a `thead`.
    pub html: String,
    /// The size of the text.
    pub size: usize,
}

/// Room that a repeated header of this size leaves.
fn room(hard_max: usize, size: usize) -> usize {
    hard_max.saturating_sub(size.saturating_add(1)).max(1)
}

impl Header {
    /// The leading header rows, if they may be repeated. O(n).
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn of(table: &Measured<'_>, hard_max: usize) -> Result<Option<Self>> {
        let n_rows = table.grid.n_header_rows();
        if n_rows == 0 {
            return Ok(None);
        }
        for row in 0..n_rows {
            if table.size(table.texts(row..row + 1))? > hard_max.div_ceil(2) {
                return Ok(None);
            }
        }
        let text = table.texts(0..n_rows);
        let size = table.size(text)?;
        if size > hard_max.saturating_mul(3) / 4 {
            return Ok(None);
        }
        let html = thead(table.grid, n_rows);
        if table.ruler.size(&html)? > hard_max.saturating_mul(4) {
            return Ok(None);
        }
        let windows = Windows { first: hard_max, later: room(hard_max, size) };
        let starves = Starving { table, windows }.starves(n_rows, size)?;
        Ok((!starves).then_some(Self { n_rows, text, html, size }))
    }

    /// What may be held in a part behind it.
    pub fn windows(&self, hard_max: usize) -> Windows {
        Windows { first: hard_max, later: room(hard_max, self.size) }
    }
}

/// Whether repeating a header would leave too little room for what stands below it.
struct Starving<'a, 't> {
    table: &'a Measured<'t>,
    windows: Windows,
}

impl Starving<'_, '_> {
    fn starves(&self, n_rows: usize, size: usize) -> Result<bool> {
        let split = self.split_headers(n_rows)?;
        if !split.is_empty() && size > self.windows.later {
            return Ok(true);
        }
        for rows in &split {
            if self.splits_a_row_that_fits(rows.clone(), n_rows)? {
                return Ok(true);
            }
        }
        let headers = split.into_iter().flat_map(|rows| rows.start..rows.end.min(n_rows));
        self.crumbles_a_cell(headers.chain(n_rows..self.table.grid.rows.len()))
    }

    /// The groups with header rows that fit nowhere.
    fn split_headers(&self, n_rows: usize) -> Result<Vec<Range<usize>>> {
        let mut split = Oversized(Vec::new());
        let groups = RowGroups::new(self.table.grid).take_while(|group| group.rows.start < n_rows);
        pack(self.table, groups, self.windows, &mut split)?;
        Ok(split.0)
    }

    /// Whether a header row of an oversized group, with what reaches into it from above, would fit but
    /// for the repeated header.
    fn splits_a_row_that_fits(&self, group: Range<usize>, n_rows: usize) -> Result<bool> {
        let mut standing = Standing::default();
        let ends = section_ends(self.table, &group);
        for row in group.start..group.end.min(n_rows) {
            let size = standing.size(self.table, row)?;
            if size > self.windows.later && size <= self.windows.first {
                return Ok(true);
            }
            for cell in cells(self.table.grid, row).iter().filter(|cell| !cell.text.is_empty()) {
                let last = match cell.rowspan {
                    Some(rowspan) => row.saturating_add(rowspan - 1),
                    None => ends.get(&self.table.grid.rows[row].section).map_or(row, |&end| end),
                };
                standing.add(self.table, cell.text, row, last);
            }
        }
        Ok(false)
    }

    /// Whether a cell of `rows` would be split into single characters.
    fn crumbles_a_cell(&self, rows: impl Iterator<Item = usize>) -> Result<bool> {
        let room = self.windows.later;
        let mut known = HashSet::new();
        for row in rows {
            for cell in cells(self.table.grid, row) {
                let is_small = self.table.counts_chars && cell.text.len() <= room;
                if is_small || self.table.size(cell.text)? <= room {
                    continue;
                }
                let text = self.table.str(cell.text);
                let crumbles = if self.table.counts_chars {
                    room < two_chars(text, cell.colspan)
                } else {
                    room <= 11 || self.has_large_char(text, room - 10, &mut known)?
                };
                if crumbles {
                    return Ok(true);
                }
            }
            self.table.beat.after(self.table.grid.rows[row].html.len())?;
        }
        Ok(false)
    }

    /// Whether a character of `text` is larger than `max`; `known` are those that are not.
    fn has_large_char(&self, text: &str, max: usize, known: &mut HashSet<char>) -> Result<bool> {
        for c in text.chars() {
            if known.insert(c) && self.table.ruler.size(c.encode_utf8(&mut [0; 4]))? > max {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Code points of a row with the two characters that take most room when they are escaped, and a blank
/// between them if `text` has one.
fn two_chars(text: &str, colspan: usize) -> usize {
    td::wrapped_len(2 * td::escaped_len('\'') + usize::from(text.contains(' ')), colspan)
}

/// Takes down what fits nowhere.
struct Oversized(Vec<Range<usize>>);

impl Packed for Oversized {
    fn held(&mut self, _: &[RowGroup]) -> Result<()> {
        Ok(())
    }

    fn oversized(&mut self, group: &RowGroup) -> Result<()> {
        self.0.push(group.rows.clone());
        Ok(())
    }
}

/// The last row of each section in a group.
fn section_ends(table: &Measured<'_>, group: &Range<usize>) -> HashMap<usize, usize> {
    group.clone().map(|row| (table.grid.rows[row].section, row)).collect()
}
