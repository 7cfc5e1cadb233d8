//! Lookahead: sizes of a repeated text with the rows that follow it, several rows at once.

use crate::unstructured::table::measured::Measured;
use chunkwright_text::error::Result;
use chunkwright_text::span::Span;

/// Bytes that are looked at first.
const FIRST: usize = 256;

/// Sizes of a text in front of the table's texts, up to the end of each row.
#[derive(Debug, Default)]
pub struct Ahead {
    first_row: usize,
    sizes: Vec<usize>,
    n_bytes: usize,
}

impl Ahead {
    /// Forgets the text.
    pub fn clear(&mut self) {
        self.sizes.clear();
        self.n_bytes = 0;
    }

    /// The size of `head`, a blank, and `tail`, which ends with `row`. Rows are asked for in order, with
    /// the same start. O(n) over all rows.
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn size(
        &mut self,
        table: &Measured<'_>,
        head: &str,
        tail: Span,
        row: usize,
    ) -> Result<usize> {
        if row < self.first_row || row - self.first_row >= self.sizes.len() {
            self.look(table, head, tail, row)?;
        }
        Ok(self.sizes[row - self.first_row])
    }

    /// Looks twice as far as before, and as far as the end of `tail` at least.
    fn look(&mut self, table: &Measured<'_>, head: &str, tail: Span, row: usize) -> Result<()> {
        self.n_bytes = (2 * self.n_bytes).max(FIRST).max(tail.len());
        let texts = table.text();
        let upto = texts.floor_char_boundary(tail.start + self.n_bytes).max(tail.end);
        let text = [head, &texts[tail.start..upto]].join(" ");
        let measure = table.ruler.measure(&text)?;
        self.first_row = row;
        self.sizes.clear();
        let ends = (row..table.grid.rows.len()).map(|row| table.end(row));
        for end in ends.take_while(|&end| end <= upto) {
            let end = end.max(tail.start) - tail.start;
            self.sizes.push(measure.size(Span::new(0, head.len() + 1 + end))?);
        }
        Ok(())
    }
}
