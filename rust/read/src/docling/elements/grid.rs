//! Table as an element, with all that its cells say.

use super::write::Said;
use super::{Around, Walk};
use crate::blocks::table_text::{TableCell, TableText};
use crate::blocks::writer::on_one_line;
use crate::docling::node::{Node, NodeId};
use crate::docling::table::{self, TableData};
use chunkwright_text::elements::Kind;

impl<'d> Walk<'d> {
    /// Writes a table, and returns the number of its element.
    pub(super) fn table(&mut self, id: NodeId, node: &'d Node, around: Around) -> Option<usize> {
        let table = node.table.as_deref()?;
        let text = |cell: &'d table::Cell| match cell.content {
            Some(content) => self.cell(content, &cell.text),
            None => on_one_line(&cell.text),
        };
        let texts = table.cells.iter().map(text).collect();
        Some(self.rows(id, table, texts, around))
    }

    /// Writes the rows of a table whose cells say `texts`; rows that say nothing are left out.
    pub(super) fn rows(
        &mut self,
        id: NodeId,
        table: &TableData,
        texts: Vec<String>,
        around: Around,
    ) -> usize {
        let cells = table.cells.iter().zip(texts).map(|(cell, text)| TableCell {
            rows: cell.rows.clone(),
            cols: cell.cols.clone(),
            text,
            ..TableCell::default()
        });
        let shape = [table.n_rows, table.n_cols];
        let mut said = Said { nodes: vec![id], ..Said::default() };
        let rows = TableText::new(cells.collect(), shape, table.n_leading_rows());
        let grid = rows.write(&mut said.text);
        let element = self.push(Kind::Table, 0, Around { list: None, ..around }, said, 0);
        if !grid.rows.is_empty() {
            self.writer.set_grid(grid);
        }
        element
    }
}
