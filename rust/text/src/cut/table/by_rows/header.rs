//! Header of a table that is split: the rows that its parts repeat, as they stand in the text.

use super::marks::has_words;
use super::{Body, ByRows, RowPart};
use crate::cut::prefix::Prefixed;
use crate::cut::table::html::{Shown, is_light, thead};
use crate::error::Result;
use crate::span::{Piece, Role, Span};

impl ByRows<'_> {
    /// Finds the header, if it is to be repeated and leaves half of the limit.
    pub(super) fn find_header(&self, table: &mut Body) -> Result<()> {
        let n_rows = self.grid.n_header_rows();
        let own = n_rows..self.grid.rows.len();
        let below = table.rows.iter().position(|row| own.contains(&row.rows.start));
        let Some(below) = below.filter(|&i| i > 0 && self.repeat_headers) else {
            return Ok(());
        };
        let last = &table.rows[below - 1];
        if last.is_bound || last.rows.end > n_rows {
            return Ok(());
        }
        let span = Span::new(self.indentation(table.start(0)), self.header_end(table, below));
        if !self.grid.html.is_empty() && !is_light(&thead(self.grid, n_rows), span.len()) {
            return Ok(());
        }
        // Where what is drawn above it leaves too little room, the names of the columns do without.
        let bare = self.opening().filter(|&line| span.start < line && line < span.end);
        let is_drawn = !self.text()[self.span.range()].starts_with('<');
        for start in [Some(span.start), bare.filter(|_| is_drawn)].into_iter().flatten() {
            let header = vec![Piece { span: Span::new(start, span.end), role: Role::Header }];
            if self.leaves_half(&header)? {
                (table.header, table.n_header_rows) = (header, n_rows);
                break;
            }
        }
        Ok(())
    }

    /// Joins a first part that is all header with the second, which repeats it and is cut inside a row, if both fit: no
    /// part is left without a row.
    pub(super) fn join_header(&self, table: &Body, parts: &mut Vec<RowPart>) -> Result<()> {
        let [first, second, ..] = &parts[..] else { return Ok(()) };
        let is_header =
            matches!(&first.shown, Shown::Rows(rows, _) if rows.end <= table.n_header_rows);
        let is_cut = matches!(second.shown, Shown::Cells(_) | Shown::Text(_));
        if !is_header || !is_cut || second.header != table.header || !self.grid.html.is_empty() {
            return Ok(());
        }
        let body = Span::new(first.body.start, second.body.end);
        if self.prefixed.fits(&(self.front)(body.start, &[])?, body)? {
            let second = parts.remove(1);
            parts[0] = RowPart { body, header: Vec::new(), n_header_rows: 0, ..second };
        }
        Ok(())
    }

    /// Where the header above row `below` ends: there, unless words stand between, such as options of a directive.
    fn header_end(&self, table: &Body, below: usize) -> usize {
        let (text, next) = (self.text(), table.start(below));
        let last = self.grid.rows[..self.grid.n_header_rows()].last().map(|row| row.source.end);
        let Some(end) = last.filter(|&end| self.is_lines() && end <= next) else { return next };
        let feed = text[end..next].find('\n').map(|feed| end + feed + 1);
        feed.filter(|_| has_words(&text[end..next])).unwrap_or(next)
    }

    /// Whether a header leaves half of the limit.
    pub(super) fn leaves_half(&self, header: &[Piece]) -> Result<bool> {
        let Prefixed { bare, limits, .. } = self.prefixed;
        let size = self.prefixed.prefix(header.to_vec())?.size.saturating_sub(bare);
        Ok(size <= limits.hard_max() / 2)
    }

    /// Where the row that stands at `at` begins with its indentation, which the lines below it have, too.
    pub(super) fn indentation(&self, at: usize) -> usize {
        let text = self.text();
        let start = text[..at].trim_end_matches([' ', '\t']).len();
        let is_line = text[..start].is_empty() || text[..start].ends_with(['\n', '\r']);
        if is_line && self.is_lines() { start } else { at }
    }

    /// Whether the rows are lines of the text, in no tags.
    fn is_lines(&self) -> bool {
        let first = self.grid.rows.first().map(|row| row.source);
        let is_said =
            |source: Span| !source.is_empty() && !self.text()[source.start..].starts_with('<');
        self.grid.html.is_empty() && first.is_some_and(is_said)
    }
}
