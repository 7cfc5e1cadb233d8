//! Split of a table under headings: between rows, the header repeated; between cells where one row is too long.

use std::ops::Range;

use super::split::Whole;
use super::{Atom, Cutter, Prefix, Table};
use crate::cut::table::groups::Groups;
use crate::error::Result;
use crate::grid::Grid;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::trim_end;

/// Rows that merged cells keep together, and where they begin.
struct Row {
    rows: Range<usize>,
    start: usize,
    /// Where the texts of its cells begin; the first is `start`.
    cells: Vec<usize>,
}

/// The rows of a table, and what of it is repeated.
struct Body {
    rows: Vec<Row>,
    /// Where its text ends.
    end: usize,
    header: Vec<Piece>,
    n_header_rows: usize,
}

impl Body {
    /// The texts of rows `first..last`, or of the cells of one.
    fn span(text: &str, starts: impl Fn(usize) -> usize, first: usize, last: usize) -> Span {
        let start = starts(first);
        Span::new(start, trim_end(text, start, starts(last)))
    }

    /// Where row `i` begins, or the last one ends.
    fn start(&self, i: usize) -> usize {
        self.rows.get(i).map_or(self.end, |row| row.start)
    }

    /// What is repeated before row `i`, if it is one of those below the header.
    fn header(&self, i: usize) -> &[Piece] {
        if self.rows[i].rows.start < self.n_header_rows { &[] } else { &self.header }
    }
}

impl Cutter<'_> {
    /// Adds the parts of a table; false if its cells do not stand in its text one behind the other.
    pub(super) fn split_rows(&mut self, grid: &Grid, whole: &Whole<'_>) -> Result<bool> {
        let Some(rows) = rows_of(self.text(), grid, whole.span) else { return Ok(false) };
        let mut table = Body { rows, end: whole.span.end, header: Vec::new(), n_header_rows: 0 };
        self.find_header(&mut table, grid, whole)?;
        if let Some(first) = table.rows.first_mut() {
            (first.start, first.cells[0]) = (whole.lead, whole.lead);
        }
        let (text, half) = (self.text(), self.limits.hard_max() / 2);
        let (mut first, mut part) = (0, 0);
        while first < table.rows.len() {
            let span = |end| Body::span(text, |i| table.start(i), first, end);
            let prefix = self.prefix(whole.path, table.start(first), half, table.header(first))?;
            let bare = self.prefix(whole.path, table.start(first), half, &[])?;
            let may_omit = self.options.omit_header_on_overflow;
            let found = match self.fill(&prefix, first, table.rows.len(), span)? {
                Some(end) => Some((end, true)),
                None if may_omit && self.fits(&bare, span(first + 1))? => Some((first + 1, false)),
                None => None,
            };
            if let Some((end, has_header)) = found {
                let header = if has_header { table.header(first) } else { &[] };
                let rows = table.rows[first].rows.start..table.rows[end - 1].rows.end;
                let n_header_rows = if header.is_empty() { 0 } else { table.n_header_rows };
                let kept = Some((rows, n_header_rows));
                self.add_part(whole, span(end), part, kept, header, half);
                (first, part) = (end, part + 1);
            } else {
                part += self.split_row(whole, &table, first, part)?;
                first += 1;
            }
        }
        Ok(true)
    }

    /// Finds the header, if it is to be repeated and leaves half of what the headings leave.
    fn find_header(&self, table: &mut Body, grid: &Grid, whole: &Whole<'_>) -> Result<()> {
        let n_rows = grid.n_header_rows();
        let below = table.rows.iter().position(|row| row.rows.start >= n_rows);
        let Some(below) = below.filter(|&i| i > 0 && self.options.repeat_headers) else {
            return Ok(());
        };
        if table.rows[below - 1].rows.end > n_rows {
            return Ok(());
        }
        let span = Span::new(table.rows[0].start, table.rows[below].start);
        let header = vec![Piece { span, role: Role::Header }];
        let most = self.limits.hard_max();
        let above = self.prefix(whole.path, span.end, most / 2, &[])?;
        let both = self.prefix(whole.path, span.end, most / 2, &header)?;
        if both.size.saturating_sub(above.size) <= self.room(&above, most) / 2 {
            (table.header, table.n_header_rows) = (header, n_rows);
        }
        Ok(())
    }

    /// Adds the parts of row `i`, which does not fit: cut between cells, the first cell repeated; a cell
    /// that is too long as a text. Returns how many.
    fn split_row(
        &mut self,
        whole: &Whole<'_>,
        table: &Body,
        i: usize,
        part: usize,
    ) -> Result<usize> {
        let (text, half, row) = (self.text(), self.limits.hard_max() / 2, &table.rows[i]);
        let start = |cell: usize| row.cells.get(cell).copied().unwrap_or(table.start(i + 1));
        let mut headers = vec![table.header(i).to_vec()];
        if let [first, second, ..] = row.cells[..] {
            let first = if i == 0 { whole.span.start.max(first) } else { first };
            let key = Piece { span: Span::new(first, second), role: Role::Header };
            headers.insert(0, [table.header(i), &[key]].concat());
        }
        let (mut cell, mut n_parts) = (0, 0);
        while cell < row.cells.len() {
            let header = self.header_with_room(
                whole,
                start(cell),
                if cell > 0 { &headers } else { &headers[headers.len() - 1..] },
            )?;
            let prefix = self.prefix(whole.path, start(cell), half, &header)?;
            let span = |end| Body::span(text, start, cell, end);
            let has_rows = header.iter().any(|piece| table.header(i).contains(piece));
            let kept =
                (row.rows.start..row.rows.start, if has_rows { table.n_header_rows } else { 0 });
            if let Some(end) = self.fill(&prefix, cell, row.cells.len(), span)? {
                self.add_part(whole, span(end), part + n_parts, Some(kept), &header, half);
                (cell, n_parts) = (end, n_parts + 1);
                continue;
            }
            let is_first = part + n_parts == 0;
            let own = span(cell + 1);
            let elements =
                if is_first { whole.elements.clone() } else { whole.element..whole.elements.end };
            n_parts += self.split_text(&Whole {
                lead: own.start,
                span: Span::new(
                    own.start.max(if is_first { whole.span.start } else { 0 }),
                    own.end,
                ),
                opens: whole.opens.filter(|_| is_first),
                elements,
                part: part + n_parts,
                header: &header,
                rows: Some(kept),
                ..*whole
            })?;
            cell += 1;
        }
        Ok(n_parts)
    }

    /// The first of `headers` that leaves room behind the headings, if there is one.
    fn header_with_room(
        &self,
        whole: &Whole<'_>,
        at: usize,
        headers: &[Vec<Piece>],
    ) -> Result<Vec<Piece>> {
        for header in headers {
            let prefix = self.prefix(whole.path, at, self.limits.hard_max() / 2, header)?;
            if self.has_room(&prefix) {
                return Ok(header.clone());
            }
        }
        Ok(Vec::new())
    }

    /// Adds a part of a table.
    fn add_part(
        &mut self,
        whole: &Whole<'_>,
        body: Span,
        part: usize,
        rows: Option<(Range<usize>, usize)>,
        header: &[Piece],
        most_headings: usize,
    ) {
        let elements =
            if part == 0 { whole.elements.clone() } else { whole.element..whole.elements.end };
        self.atoms.push(Atom {
            body,
            path: whole.path,
            opens: whole.opens.filter(|_| part == 0),
            elements,
            part,
            most_headings,
            table: Some(Table { element: whole.element, part: rows, header: header.to_vec() }),
        });
    }

    /// The greatest end up to `last` for which `span` fits behind `prefix`; over the soft limit nothing is
    /// added. None if not even the first one fits.
    pub(super) fn fill(
        &self,
        prefix: &Prefix,
        first: usize,
        last: usize,
        span: impl Fn(usize) -> Span,
    ) -> Result<Option<usize>> {
        if !self.fits(prefix, span(first + 1))? {
            return Ok(None);
        }
        let (start, limits) = (span(first + 1).start, self.limits);
        let hard = self.measure.longest(start, self.room(prefix, limits.hard_max()))?;
        let soft = match self.room(prefix, limits.soft_max()) {
            _ if limits.soft_max() == limits.hard_max() => hard,
            room => self.measure.longest(start, room)?,
        };
        let mut end = first + 1;
        while end < last && span(end).end <= soft && span(end + 1).end <= hard {
            end += 1;
        }
        for end in (first + 2..=end).rev().take(MAX_TRIES) {
            if self.fits(prefix, span(end))? {
                return Ok(Some(end));
            }
        }
        Ok(Some(first + 1))
    }
}

/// Ends that do not fit although they lie within reach are few, as sizes are nearly monotone.
const MAX_TRIES: usize = 16;

/// The rows of a table that stands at `span`; none if their cells do not stand there in order. O(n).
fn rows_of(text: &str, grid: &Grid, span: Span) -> Option<Vec<Row>> {
    let (mut rows, mut at) = (Vec::new(), span.start);
    for group in Groups::new(grid) {
        let cells =
            grid.rows[group.rows.clone()].iter().flat_map(|row| &grid.cells[row.cells.range()]);
        let mut row = Row { rows: group.rows, start: 0, cells: Vec::new() };
        for cell in cells.map(|cell| cell.text).filter(|cell| !cell.is_empty()) {
            if cell.start < at || cell.end > span.end {
                return None;
            }
            if row.cells.is_empty() {
                row.start = line_start(text, at, cell.start, rows.is_empty());
            }
            row.cells.push(if row.cells.is_empty() { row.start } else { cell.start });
            at = cell.end;
        }
        if !row.cells.is_empty() {
            rows.push(row);
        }
    }
    (!rows.is_empty()).then_some(rows)
}

/// Where the row begins whose first cell is at `cell`, behind what ends at `before`: with its line, so that
/// marks such as bars go with their row.
fn line_start(text: &str, before: usize, cell: usize, is_first: bool) -> usize {
    let gap = &text[before..cell];
    match gap.rfind('\n') {
        Some(at) => before + at + 1,
        None if is_first && !gap.contains(char::is_alphanumeric) => before,
        None => cell,
    }
}
