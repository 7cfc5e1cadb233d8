//! Rows bound together by merged cells that fit no part: split between rows all the same, what reaches
//! over a cut repeated behind it, as text where that is worth its room and as empty cells elsewhere.

mod ahead;
mod carry;
mod cover;
mod fragment;
mod gaps;
mod ledger;
mod narrow;
mod out;

use std::ops::Range;

use self::carry::Carry;
use self::fragment::Fragment;
use self::ledger::{Ledger, Placed};
use self::out::Out;
use super::measured::Measured;
use super::parts::Parts;
use chunkwright_text::cut::table::groups::{SectionEnds, cells};
use chunkwright_text::error::Result;
use chunkwright_text::span::Span;

/// The least budget for repeated texts, in code points and cells.
const LEAST_BUDGET: usize = 256;

/// Splits `rows` so that each part has at most `max`. O(n log n): what is repeated is paid for by what
/// is not.
///
/// # Errors
/// Those of the ruler, and what the pulse says.
pub fn split(
    table: &Measured<'_>,
    rows: Range<usize>,
    max: usize,
    parts: &mut Parts,
) -> Result<()> {
    let most = max.max(LEAST_BUDGET).saturating_mul(2);
    let mut group = OversizedGroup {
        table,
        max,
        last: rows.end - 1,
        ledger: Ledger::default(),
        sections: SectionEnds::default(),
        fragment: Fragment::default(),
        budget: most,
        most,
        labels_size: (usize::MAX, 0),
        placed: Vec::new(),
        parts,
    };
    let first = rows.start;
    for row in rows {
        let own = group.row(row);
        if row > first {
            group.refill(own);
        }
        group.add(own)?;
        table.beat.after(table.grid.rows[row].html.len())?;
    }
    group.flush()
}

/// What a row says itself.
#[derive(Clone, Copy)]
struct Own {
    row: usize,
    text: Span,
    /// Code points and number of its texts, without what stands between.
    n_chars: usize,
    n_texts: usize,
}

/// A group that is being split, and the row that is looked at.
struct OversizedGroup<'a, 't> {
    table: &'a Measured<'t>,
    max: usize,
    last: usize,
    ledger: Ledger,
    sections: SectionEnds,
    fragment: Fragment,
    /// What may be spent on texts from above.
    budget: usize,
    most: usize,
    /// The version of the ledger that was measured last, and the size of its texts.
    labels_size: (usize, usize),
    placed: Vec<Placed>,
    parts: &'a mut Parts,
}

impl OversizedGroup<'_, '_> {
    /// Places the cells of a row between those that reach into it.
    fn row(&mut self, row: usize) -> Own {
        self.ledger.expire(row);
        self.placed.clear();
        let grid = self.table.grid;
        let (mut from, mut n_chars, mut n_texts) = (0, 0, 0);
        for (cell, number) in cells(grid, row).iter().zip(grid.rows[row].cells.range()) {
            let column = self.ledger.place(from, cell.colspan);
            from = column.saturating_add(cell.colspan);
            let last = match cell.rowspan {
                Some(rowspan) => self.last.min(row.saturating_add(rowspan - 1)),
                None => self.sections.last(&grid.rows, row),
            };
            self.placed.push(Placed { column, end: from, cell: number, last });
            n_chars += self.table.n_chars(cell.text);
            n_texts += usize::from(!cell.text.is_empty());
        }
        Own { row, text: self.table.texts(row..row + 1), n_chars, n_texts }
    }

    /// What a row says itself may be spent on what is repeated.
    fn refill(&mut self, own: Own) {
        let earned = own.n_chars + self.placed.len();
        self.budget = self.most.min(self.budget.saturating_add(earned));
    }

    /// Adds the row to the fragment, or begins one with it.
    fn add(&mut self, own: Own) -> Result<()> {
        if self.fragment.is_open() && self.fits(own)? {
            self.append(own);
        } else {
            self.flush()?;
            self.begin(own)?;
        }
        self.register(own.row)
    }

    fn fits(&mut self, own: Own) -> Result<bool> {
        if own.n_texts == 0 {
            return Ok(true);
        }
        if !self.table.counts_chars && self.fragment.cost > 0 {
            if self.fragment.cost > self.budget {
                return Ok(false);
            }
            self.budget -= self.fragment.cost;
        }
        Ok(self.fragment.size_with(self.table, own.row, own.text)? <= self.max)
    }

    fn append(&mut self, own: Own) {
        if self.fragment.cover.is_some() {
            self.append_covered(own);
        } else if self.fragment.is_blank {
            let cells = self.blanked(own.row);
            self.fragment.push(self.table, cells, own.text);
        } else {
            let cells = self.placed.iter().map(|placed| own_cell(placed, own.row));
            self.fragment.push(self.table, cells, own.text);
        }
    }

    fn append_covered(&mut self, own: Own) {
        let row = self.fragment.n_rows();
        let Some(cover) = &mut self.fragment.cover else { return };
        let mut made = Vec::new();
        let own_end = self.placed.last().map_or(0, |placed| placed.end);
        cover.begin_row(row, own_end.max(self.ledger.width()), &mut made);
        for placed in &self.placed {
            if !self.table.grid.cells[placed.cell].text.is_empty() {
                let end_row = row + placed.last - own.row + 1;
                let columns = (placed.column, placed.end);
                cover.put(own_cell(placed, own.row), columns, (row, end_row), &mut made);
            }
        }
        self.fragment.push_covered(self.table, made, own.text);
    }

    /// The row with empty cells in place of what reaches into it.
    fn blanked(&self, row: usize) -> Vec<Out> {
        let mut cells = Columns::default();
        for placed in &self.placed {
            cells.put(placed.column, placed.end, own_cell(placed, row));
        }
        cells.fill(self.ledger.width());
        cells.outs
    }

    /// Begins a fragment with the row.
    fn begin(&mut self, own: Own) -> Result<()> {
        let size = self.table.size(own.text)?;
        let carry = self.carry(own, size)?;
        if carry == Carry::Done {
            return Ok(());
        }
        if size > self.max {
            return self.split_row(own.row);
        }
        let cells = self.blanked(own.row);
        self.fragment.push(self.table, cells, own.text);
        self.fragment.is_blank = true;
        if carry == Carry::TooDear {
            self.fragment.start_cover(self.table);
        } else if !self.ledger.has_oversized() && self.labels_size()? <= self.max {
            // A smaller row may have room for what reaches into it.
            self.flush()?;
        }
        Ok(())
    }

    /// The size of all texts that are live.
    fn labels_size(&mut self) -> Result<usize> {
        if self.table.counts_chars {
            return Ok((self.ledger.n_chars() + self.ledger.n_labels()).saturating_sub(1));
        }
        if self.labels_size.0 != self.ledger.version() {
            let texts: Vec<&str> =
                self.ledger.labels().map(|(_, label)| self.table.str(label.text)).collect();
            self.labels_size = (self.ledger.version(), self.table.ruler.size(&texts.join(" "))?);
        }
        Ok(self.labels_size.1)
    }

    /// Registers the cells of the row that reach further.
    fn register(&mut self, row: usize) -> Result<()> {
        let mut is_any = false;
        for placed in self.placed.iter().filter(|placed| placed.last > row) {
            let text = self.table.grid.cells[placed.cell].text;
            let n_chars = self.table.n_chars(text);
            let is_oversized = !text.is_empty() && self.table.size(text)? > self.max;
            self.ledger.add(placed, text, n_chars, is_oversized);
            if self.fragment.is_open() && !self.table.counts_chars && !text.is_empty() {
                self.fragment.cost += n_chars + 1;
            }
            is_any = true;
        }
        if is_any && self.fragment.is_blank && self.fragment.cover.is_none() {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.fragment.flush(self.table, self.parts)
    }
}

/// A cell of the row as it is.
const fn own_cell(placed: &Placed, row: usize) -> Out {
    Out::Own(placed.cell, placed.last - row + 1)
}

/// Cells from left to right, empty ones between them.
#[derive(Default)]
struct Columns {
    outs: Vec<Out>,
    column: usize,
}

impl Columns {
    fn put(&mut self, column: usize, end: usize, out: Out) {
        self.fill(column);
        self.outs.push(out);
        self.column = end;
    }

    fn fill(&mut self, column: usize) {
        self.fill_rows(column, 1);
    }

    /// An empty cell up to `column`, over so many rows.
    fn fill_rows(&mut self, column: usize, n_rows: usize) {
        if self.column < column {
            self.outs.push(Out::Blank(column - self.column, n_rows));
            self.column = column;
        }
    }
}
