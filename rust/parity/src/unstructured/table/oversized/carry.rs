//! Decision whether a part repeats the texts that reach into its first row.

use super::ledger::Label;
use super::out::Out;
use super::{Columns, OversizedGroup, Own, own_cell};
use chunkwright_text::error::Result;
use chunkwright_text::span::Span;

/// What became of the texts from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// The fragment begins with them.
    Done,
    /// They do not fit.
    TooLong,
    /// They would fit, but would be repeated too often for what they say.
    TooDear,
}

/// From so many texts on, from so many code points on, repeating is checked at all.
const MANY_TEXTS: usize = 16;
const MANY_CHARS: usize = 256;

impl OversizedGroup<'_, '_> {
    /// Begins a fragment with the row, of that size, and what reaches into it, if that is worth it.
    pub(super) fn carry(&mut self, own: Own, size: usize) -> Result<Carry> {
        if size > self.max || self.ledger.has_oversized() {
            return Ok(Carry::TooLong);
        }
        let n_labels = self.ledger.n_labels();
        if self.table.counts_chars {
            let n_texts = n_labels + own.n_texts;
            if (self.ledger.n_chars() + own.n_chars + n_texts).saturating_sub(1) > self.max {
                return Ok(Carry::TooLong);
            }
        }
        if n_labels > 0 && self.is_too_dear(own, size) {
            return Ok(Carry::TooDear);
        }
        self.begin_with_labels(own)
    }

    /// Whether the texts would be repeated too often, or cost more than there is left.
    fn is_too_dear(&mut self, own: Own, size: usize) -> bool {
        let (n_chars, n_labels) = (self.ledger.n_chars(), self.ledger.n_labels());
        let counts_chars = self.table.counts_chars;
        // In tokens the number of texts is the least that they can be.
        let (step, least, repeated, allowed) = if counts_chars {
            let least = n_chars + n_labels - 1;
            (own.n_chars + own.n_texts, least, least, 16)
        } else {
            (size, n_labels, n_chars, 4)
        };
        let rows = (self.max.saturating_sub(least) / step.max(1)).max(1);
        let is_much = n_labels >= MANY_TEXTS
            || repeated >= MANY_CHARS
            || least.saturating_mul(4) >= self.max.saturating_mul(3);
        if repeated > rows.saturating_mul(allowed) && is_much {
            return true;
        }
        if !counts_chars && n_chars >= (self.max / 2).max(MANY_CHARS) {
            return true;
        }
        let cost = n_chars + n_labels;
        if cost > self.budget {
            return true;
        }
        self.budget -= cost;
        false
    }

    fn begin_with_labels(&mut self, own: Own) -> Result<Carry> {
        let has_labels = self.ledger.n_labels() > 0;
        let uniform = self.ledger.uniform();
        let is_mixed = uniform.is_none() && !self.ledger.is_empty();
        let (cells, texts) = match uniform {
            Some(last) => self.beside_cover(own.row, last),
            None if is_mixed => self.between_labels(own.row),
            None => (self.blanked(own.row), Vec::new()),
        };
        if has_labels {
            let table = self.table;
            let words: Vec<&str> = texts.iter().map(|&text| table.str(text)).collect();
            let head = words.join(" ");
            if !self.table.counts_chars && self.table.ruler.size(&head)? > self.max {
                return Ok(Carry::TooLong);
            }
            self.fragment.push_head(cells, texts, head);
        } else {
            self.fragment.push(self.table, cells, own.text);
        }
        self.fragment.cost = self.ledger.n_chars() + self.ledger.n_labels();
        if is_mixed {
            self.fragment.is_blank = true;
            if has_labels {
                self.fragment.start_cover(self.table);
            }
        }
        Ok(Carry::Done)
    }

    /// The row beside live cells that cover the first columns and all end with the row `last`.
    fn beside_cover(&self, row: usize, last: usize) -> (Vec<Out>, Vec<Span>) {
        let mut columns = Columns::default();
        let mut texts = Vec::new();
        let n_rows = last - row + 1;
        for (column, label) in self.ledger.labels() {
            columns.fill_rows(column, n_rows);
            columns.put(column, label.end, label_cell(column, label, row));
            texts.push(label.text);
        }
        columns.fill_rows(self.ledger.width(), n_rows);
        for placed in &self.placed {
            columns.put(placed.column, placed.end, own_cell(placed, row));
            texts.extend(self.text_of(placed.cell));
        }
        (columns.outs, texts)
    }

    /// The row with the texts that reach into it, and empty cells for all else that is covered.
    fn between_labels(&self, row: usize) -> (Vec<Out>, Vec<Span>) {
        let mut columns = Columns::default();
        let mut texts = Vec::new();
        let mut labels = self.ledger.labels().peekable();
        for placed in &self.placed {
            while let Some((column, label)) = labels.next_if(|&(column, _)| column < placed.column)
            {
                columns.put(column, label.end, label_cell(column, label, row));
                texts.push(label.text);
            }
            let text = self.text_of(placed.cell);
            let colspan = self.table.grid.cells[placed.cell].colspan;
            let own = text.map_or(Out::Blank(colspan, 1), |_| own_cell(placed, row));
            columns.put(placed.column, placed.end, own);
            texts.extend(text);
        }
        for (column, label) in labels {
            columns.put(column, label.end, label_cell(column, label, row));
            texts.push(label.text);
        }
        columns.fill(self.ledger.width());
        (columns.outs, texts)
    }

    fn text_of(&self, cell: usize) -> Option<Span> {
        let text = self.table.grid.cells[cell].text;
        (!text.is_empty()).then_some(text)
    }
}

fn label_cell(column: usize, label: &Label, row: usize) -> Out {
    Out::Label(label.text, label.end - column, label.last - row + 1)
}
