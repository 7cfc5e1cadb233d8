//! Links in the cells of tables: where the words that link stand in the texts of their cells.

use chunkwright_text::span::Span;

use super::FoundTable;
use crate::blocks::table_text::TableCell;
use crate::pdf::links::add_link;
use crate::pdf::page::Area;
use crate::pdf::words::Words;

/// Gives the cells of a table the links of its words, which are in the order of their texts. O(words · rows + slots).
pub fn set(table: &mut FoundTable, words: &Words, numbers: &[usize], targets: &[Box<str>]) {
    if words.links.is_empty() {
        return;
    }
    let slots = Slots::new(table);
    let mut read = vec![0; table.table.cells.len()];
    for &i in numbers {
        let word = &words.words[i];
        let Some(cell) = slots.cell_at(table, word.area) else { continue };
        let said = words.text_of(word);
        let TableCell { text, links, .. } = &mut table.table.cells[cell];
        let Some(at) = text.get(read[cell]..).and_then(|rest| rest.find(said)) else { continue };
        let start = read[cell] + at;
        read[cell] = start + said.len();
        let from = words.links.partition_point(|(span, _)| span.end <= word.text.start);
        let of_word = words.links[from..].iter().take_while(|(span, _)| span.start < word.text.end);
        for &(span, target) in of_word {
            let place =
                |of: usize| start + of.clamp(word.text.start, word.text.end) - word.text.start;
            let Some(target) = targets.get(target as usize) else { continue };
            let span = Span::new(place(span.start), place(span.end));
            add_link(links, text, span, target);
        }
    }
}

/// The number of the cell that each slot of a table belongs to, row by row.
struct Slots {
    n_cols: usize,
    cells: Vec<Option<usize>>,
}

impl Slots {
    fn new(table: &FoundTable) -> Self {
        let (n_rows, n_cols) = (table.rows.len(), table.xs.len().saturating_sub(1));
        let mut cells = vec![None; n_rows * n_cols];
        for (number, cell) in table.table.cells.iter().enumerate() {
            for row in cell.rows.start..cell.rows.end.min(n_rows) {
                for col in cell.cols.start..cell.cols.end.min(n_cols) {
                    cells[row * n_cols + col].get_or_insert(number);
                }
            }
        }
        Self { n_cols, cells }
    }

    /// The number of the cell in which an area stands.
    fn cell_at(&self, table: &FoundTable, area: Area) -> Option<usize> {
        let [x, y] = area.middle();
        let off = |row: &Area| (row.top - y).max(y - row.bottom).max(0.0);
        let row = (0..table.rows.len())
            .min_by(|a, b| off(&table.rows[*a]).total_cmp(&off(&table.rows[*b])))?;
        let col = table.xs.partition_point(|edge| *edge <= x).checked_sub(1)?;
        if col < self.n_cols { self.cells[row * self.n_cols + col] } else { None }
    }
}
