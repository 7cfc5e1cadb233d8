//! Split by rows of a table whose cells are spans of the text: the header repeated, between cells where one
//! row is too long, within a cell where that is.
//!
//! Rows that merged cells bind are in one part if they fit. Else they are parted as others are, and what
//! reaches into the first row of a part from above is repeated in front of it. Sizes are those of texts: the
//! HTML of a part counts for nothing.

mod frame;
mod header;
mod marks;

use self::marks::{simple_border, whole_end};
use super::html::{Shown, is_light};
use super::reaching::{Reach, Reaching};
use super::row::{TextRow, rows_of};
use crate::cut::levels::Natural;
use crate::cut::prefix::{Prefix, Prefixed};
use crate::error::Result;
use crate::grid::Grid;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::{skip_space, trim_end};

/// A table over the limit, and how it is split.
pub struct ByRows<'a> {
    /// Its rows and cells.
    pub grid: &'a Grid,
    /// Where it stands.
    pub span: Span,
    /// Where what is not to be cut from it begins: headings, a caption.
    pub lead: usize,
    /// Whether the parts repeat its header.
    pub repeat_headers: bool,
    /// Whether a row that fits without the header only is kept whole without it; else it is cut between
    /// its cells.
    pub omit_header_on_overflow: bool,
    /// Measures the parts.
    pub prefixed: Prefixed<'a, 'a>,
    /// What stands in front of a part that begins there, such a header included.
    pub front: &'a dyn Fn(usize, &[Piece]) -> Result<Prefix>,
}

/// A part of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPart {
    /// Its own text.
    pub body: Span,
    /// What is repeated of the table before it: its header, cells that reach into its first row, the first
    /// cell of a row that is cut.
    pub header: Vec<Piece>,
    /// What of the table it shows.
    pub shown: Shown,
    /// What is repeated behind it: the tags that close the table.
    pub footer: Vec<Piece>,
    /// How many rows of the header it repeats.
    pub n_header_rows: usize,
}

/// The rows of a table, and what of it is repeated.
struct Body {
    rows: Vec<TextRow>,
    /// Where its text ends.
    end: usize,
    header: Vec<Piece>,
    n_header_rows: usize,
    /// What closes a part that begins with the table or its header.
    footer: Vec<Piece>,
}

impl Body {
    /// Where row `i` begins, or the last one ends.
    fn start(&self, i: usize) -> usize {
        self.rows.get(i).map_or(self.end, TextRow::start)
    }

    /// What is repeated before row `i`: nothing, unless it is one of those below the header.
    fn header(&self, i: usize) -> &[Piece] {
        let rows = &self.rows[i].rows;
        let is_own = i == 0 || rows.start < self.n_header_rows;
        if is_own || rows.is_empty() { &[] } else { &self.header }
    }

    /// How many rows of the header `pieces` before row `i` repeat.
    fn n_repeated(&self, i: usize, pieces: &[Piece]) -> usize {
        let header = self.header(i);
        if !header.is_empty() && pieces.starts_with(header) { self.n_header_rows } else { 0 }
    }
}

/// What may stand in front of a row: with each less of the table, down to nothing.
type Tries = Vec<Vec<Piece>>;

impl ByRows<'_> {
    /// The parts in order, which together are all from the lead to the end; none if the cells do not stand in
    /// the text one behind the other. O(n), but for what is repeated.
    ///
    /// A header is repeated that takes at most half of the limit, unless its HTML is mostly markup; the headings
    /// above it are left out for it where they do not fit together. So are cells that reach into a part, beside
    /// both.
    ///
    /// # Errors
    /// Those of the measure and its ruler, and what the pulse says.
    pub fn split(&self) -> Result<Option<Vec<RowPart>>> {
        let Some(rows) = rows_of(self.text(), self.grid, self.span) else { return Ok(None) };
        let (header, footer) = (Vec::new(), self.footer());
        let mut table = Body { rows, end: self.span.end, header, n_header_rows: 0, footer };
        self.find_header(&mut table)?;
        if table.header.is_empty() {
            self.find_opening(&mut table)?;
        }
        let is_opened =
            table.header.first().is_some_and(|piece| piece.span.start <= self.span.start);
        if !is_opened && simple_border(&self.text()[self.span.range()]).is_some() {
            // Parts that no border opens need none that closes them.
            table.footer = Vec::new();
        }
        let Some(limits) = self.limits_beside(&table.footer)? else {
            table.footer = Vec::new();
            return self.split_within(table).map(Some);
        };
        let prefixed = Prefixed { limits, ..self.prefixed };
        Self { prefixed, ..*self }.split_within(table).map(Some)
    }

    /// The parts of a table whose header is known.
    fn split_within(&self, table: Body) -> Result<Vec<RowPart>> {
        let mut table = table;
        if let Some(cell) = table.rows.first_mut().and_then(|row| row.cells.first_mut()) {
            cell.1 = self.lead;
        }
        self.unite(&mut table)?;
        let (mut first, mut parts, mut reaching) = (0, Vec::new(), Reaching::new(self.grid));
        while first < table.rows.len() {
            let above = reaching.from_above(table.rows[first].rows.start);
            let tries = self.tries(&table, first, above)?;
            if let Some((end, header)) = self.rows_that_fit(&table, first, &tries)? {
                let is_said = |reach: &Reach| self.repeats(header, reach.cell);
                let said = |reach: &Reach| Reach { is_said: is_said(reach), ..*reach };
                let rows = table.rows[first].rows.start..table.rows[end - 1].rows.end;
                let part = RowPart {
                    body: self.body(table.start(first), table.start(end)),
                    header: header.to_vec(),
                    footer: Vec::new(),
                    shown: Shown::Rows(rows, above.iter().map(said).collect()),
                    n_header_rows: table.n_repeated(first, header),
                };
                self.push(&mut parts, part)?;
                first = end;
            } else {
                self.split_row(&table, first, above, &tries[0], &mut parts)?;
                first += 1;
            }
        }
        self.join_header(&table, &mut parts)?;
        for part in &mut parts {
            part.footer = self.footer_of(&table, part);
        }
        Ok(parts)
    }

    /// The text in which it stands.
    const fn text(&self) -> &str {
        self.prefixed.chunker.text
    }

    /// What stands from `start` to `end`, without whitespace around it but the indentation of a row.
    fn body(&self, start: usize, end: usize) -> Span {
        let start = self.indentation(skip_space(self.text(), start));
        Span::new(start, trim_end(self.text(), start, end))
    }

    /// Makes one of the rows that merged cells bind, if they fit.
    fn unite(&self, table: &mut Body) -> Result<()> {
        let (mut first, mut lengths) = (0, Vec::with_capacity(table.rows.len()));
        while first < table.rows.len() {
            let length = 1 + table.rows[first..].iter().take_while(|row| row.is_bound).count();
            let (start, end) = (table.start(first), table.start(first + length));
            let prefix = (self.front)(start, table.header(first))?;
            if length == 1 || self.prefixed.fits(&prefix, self.body(start, end))? {
                lengths.push(length);
            } else {
                lengths.extend(std::iter::repeat_n(1, length));
            }
            first += length;
        }
        let mut rows = std::mem::take(&mut table.rows).into_iter();
        let united = |length| {
            rows.by_ref().take(length).reduce(|mut above, below| {
                above.rows.end = below.rows.end;
                above.cells.extend(below.cells);
                above
            })
        };
        table.rows = lengths.into_iter().filter_map(united).collect();
        Ok(())
    }

    /// What may stand in front of row `i`, into which `above` reach.
    fn tries(&self, table: &Body, i: usize, above: &[Reach]) -> Result<Tries> {
        let header = table.header(i);
        let reaching = self.reaching(table.start(i), header, above)?;
        // The names of the columns say more of a row than a cell that reaches into it.
        let all = [[header, &reaching].concat(), header.to_vec(), reaching, Vec::new()];
        let mut tries = Tries::new();
        for pieces in all {
            let may_be = self.omit_header_on_overflow || pieces.starts_with(header);
            if may_be && !tries.contains(&pieces) {
                tries.push(pieces);
            }
        }
        Ok(tries)
    }

    /// The texts of the cells that reach into a row that begins at `start`, as many as take half of what is
    /// left behind the header.
    fn reaching(&self, start: usize, header: &[Piece], above: &[Reach]) -> Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        if above.is_empty() {
            return Ok(pieces);
        }
        let Prefixed { chunker, bare, limits, .. } = self.prefixed;
        let mut left = self.prefixed.room(&(self.front)(start, header)?, limits.hard_max()) / 2;
        for reach in above {
            let said = self.grid.cells[reach.cell].text;
            let span = Span::new(said.start, skip_space(self.text(), said.end).min(start));
            let size = chunker.size(span)?.saturating_sub(bare);
            if !said.is_empty() && size <= left {
                left -= size;
                pieces.push(Piece { span, role: Role::Header });
            }
        }
        Ok(pieces)
    }

    /// Whether `pieces` repeat a cell whose HTML may be repeated, too.
    fn repeats(&self, pieces: &[Piece], cell: usize) -> bool {
        let said = self.grid.cells[cell].text;
        let is_said = pieces.iter().any(|piece| piece.span.start == said.start);
        !said.is_empty() && is_said && self.is_light(cell)
    }

    fn is_light(&self, cell: usize) -> bool {
        let Some(cell) = self.grid.cells.get(cell) else { return true };
        is_light(&self.grid.html[cell.html.range()], cell.text.len())
    }

    /// One past the last of the rows from `first` on that fit into one part, and what is repeated in front of
    /// them; less of that in front of one row by itself.
    fn rows_that_fit<'h>(
        &self,
        table: &Body,
        first: usize,
        tries: &'h Tries,
    ) -> Result<Option<(usize, &'h [Piece])>> {
        let start = table.start(first);
        let span = |end| self.body(start, table.start(end));
        for (n, pieces) in tries.iter().enumerate() {
            let prefix = (self.front)(start, pieces)?;
            let end = if n == 0 {
                self.prefixed.fill(&prefix, first, table.rows.len(), span)?
            } else {
                self.prefixed.fits(&prefix, span(first + 1))?.then_some(first + 1)
            };
            if let Some(end) = end {
                return Ok(Some((end, pieces)));
            }
            // Headings are left out before what of the table is repeated.
            let alone = self.prefixed.prefix(pieces.clone())?;
            if alone.size < prefix.size && self.prefixed.fits(&alone, span(first + 1))? {
                return Ok(Some((first + 1, pieces)));
            }
        }
        Ok(None)
    }

    fn push(&self, parts: &mut Vec<RowPart>, part: RowPart) -> Result<()> {
        self.prefixed.chunker.beat.after(part.body.len())?;
        parts.push(part);
        Ok(())
    }

    /// Adds the parts of row `i`, which does not fit: cut between cells, the first cell repeated.
    fn split_row(
        &self,
        table: &Body,
        i: usize,
        above: &[Reach],
        most: &[Piece],
        parts: &mut Vec<RowPart>,
    ) -> Result<()> {
        let row = &table.rows[i];
        let [plain, keyed] = self.tries_of_cells(table, i, most);
        let mut cell = 0;
        while cell < row.cells.len() {
            let tries = if cell > 0 { &keyed } else { &plain };
            let start = |cell: usize| row.cells.get(cell).map_or(table.start(i + 1), |cell| cell.1);
            let span = |end| self.body(start(cell), start(end));
            let found = self.cells_that_fit(tries, cell, row.cells.len(), span)?;
            let Some((pieces, end)) = found else {
                self.split_cell(table, i, span(cell + 1), tries, parts)?;
                cell += 1;
                continue;
            };
            let repeated =
                above.iter().map(|reach| reach.cell).filter(|&cell| self.repeats(pieces, cell));
            let has_key = cell > 0 && pieces.len() > most.len();
            let key = row.cells[..usize::from(has_key)].iter().filter(|key| self.is_light(key.0));
            let own = key.chain(&row.cells[cell..end]).map(|&(cell, _)| cell);
            let shown = Shown::Cells(repeated.chain(own).collect());
            let n_header_rows = table.n_repeated(i, pieces);
            let shown = if row.rows.is_empty() { Shown::nothing() } else { shown };
            let header = pieces.clone();
            let footer = Vec::new();
            self.push(parts, RowPart { body: span(end), header, footer, shown, n_header_rows })?;
            cell = end;
        }
        Ok(())
    }

    /// What may stand in front of the first cells of row `i`, and of those behind them, which have its first cell
    /// there.
    fn tries_of_cells(&self, table: &Body, i: usize, most: &[Piece]) -> [Tries; 2] {
        let mut plain = vec![most.to_vec(), table.header(i).to_vec(), Vec::new()];
        plain.dedup();
        let mut keyed = plain.clone();
        if let [(_, first), (_, second), ..] = table.rows[i].cells[..] {
            let first = if i == 0 { self.span.start.max(first) } else { first };
            let key = Piece { span: Span::new(first, second), role: Role::Header };
            keyed.insert(0, [most, &[key]].concat());
        }
        [plain, keyed]
    }

    /// The end of the cells from `first` on that fit, and behind which of `tries`, the last of which is empty;
    /// none if not even one does.
    fn cells_that_fit<'h>(
        &self,
        tries: &'h Tries,
        first: usize,
        last: usize,
        span: impl Fn(usize) -> Span,
    ) -> Result<Option<(&'h Vec<Piece>, usize)>> {
        for pieces in tries {
            let all = (self.front)(span(first + 1).start, pieces)?;
            for prefix in [all, self.prefixed.prefix(pieces.clone())?] {
                if self.prefixed.has_room(&prefix)
                    && let Some(end) = self.prefixed.fill(&prefix, first, last, &span)?
                {
                    return Ok(Some((pieces, end)));
                }
            }
        }
        let fits = self.prefixed.fits(&self.prefixed.prefix(Vec::new())?, span(first + 1))?;
        Ok(tries.last().filter(|_| fits).map(|none| (none, first + 1)))
    }

    /// Adds the parts of a cell of row `i` that fits nowhere, cut at the best boundaries of its text.
    fn split_cell(
        &self,
        table: &Body,
        i: usize,
        cell: Span,
        tries: &Tries,
        parts: &mut Vec<RowPart>,
    ) -> Result<()> {
        let text = self.text();
        let mut levels = Natural::all(text, self.prefixed.chunker.language);
        let mut start = skip_space(text, cell.start);
        while start < cell.end {
            let (end, pieces) =
                self.text_that_fits(Span::new(start, cell.end), tries, &mut levels)?;
            let end = whole_end(text, Span::new(start, cell.end), end);
            let body = Span::new(start, trim_end(text, start, end));
            let own = Span::new(body.start.max(self.span.start), body.end);
            let is_cell = !table.rows[i].rows.is_empty() && own.start < own.end;
            let shown = if is_cell { Shown::Text(own) } else { Shown::nothing() };
            let (n_header_rows, header) = (table.n_repeated(i, pieces), pieces.to_vec());
            let footer = Vec::new();
            self.push(parts, RowPart { body, header, shown, footer, n_header_rows })?;
            start = skip_space(text, end);
        }
        Ok(())
    }

    /// Where the first part of `rest` ends, and what of `tries` stands in front of it.
    fn text_that_fits<'h>(
        &self,
        rest: Span,
        tries: &'h Tries,
        levels: &mut [Natural<'_>],
    ) -> Result<(usize, &'h [Piece])> {
        for pieces in tries {
            let all = (self.front)(rest.start, pieces)?;
            for prefix in [all, self.prefixed.prefix(pieces.clone())?] {
                if self.prefixed.has_room(&prefix)
                    && let Some(end) =
                        self.prefixed.best_end(&prefix, levels, rest, self.span.start, 0)?
                {
                    return Ok((end, pieces));
                }
            }
        }
        let end = self.prefixed.chunker.indivisible(rest.start)?.min(rest.end);
        Ok((end, &[]))
    }
}

#[cfg(test)]
mod tests;
