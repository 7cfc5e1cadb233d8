//! Conversion of a table's rows to parts: groups that fit as they are, others split.

use std::ops::Range;

use super::cells::{self, Part, Splitting};
use super::measured::Measured;
use super::oversized;
use super::packing::{Packed, Windows, pack};
use super::parts::Parts;
use super::source;
use chunkwright_text::cut::table::groups::{RowGroup, RowGroups};
use chunkwright_text::cut::table::html;
use chunkwright_text::error::Result;

/// Splits all rows of a table. O(n).
///
/// # Errors
/// Those of the ruler, and what the pulse says.
pub fn split(table: &Measured<'_>, windows: Windows, parts: &mut Parts) -> Result<()> {
    pack(table, RowGroups::new(table.grid), windows, &mut RowSplitter { table, windows, parts })
}

struct RowSplitter<'a, 't> {
    table: &'a Measured<'t>,
    windows: Windows,
    parts: &'a mut Parts,
}

impl Packed for RowSplitter<'_, '_> {
    fn held(&mut self, groups: &[RowGroup]) -> Result<()> {
        let (first, last) = (&groups[0], &groups[groups.len() - 1]);
        let text = self.table.texts(first.rows.start..last.rows.end);
        let grid = self.table.grid;
        let n_bytes =
            grid.rows[last.rows.end - 1].html.end - grid.rows[first.rows.start].html.start;
        self.parts.push([text], n_bytes, |html| {
            for group in groups {
                push_group(html, self.table, group);
            }
        });
        self.table.beat.after(n_bytes)
    }

    fn oversized(&mut self, group: &RowGroup) -> Result<()> {
        if group.rows.len() > 1 {
            return oversized::split(
                self.table,
                group.rows.clone(),
                self.windows.later,
                self.parts,
            );
        }
        let pieces = self.table.grid.rows[group.rows.start].cells.range().map(Part::Own);
        let how = Splitting { max: self.windows.later, write: source::push_cell };
        cells::split(self.table, pieces, how, &mut |text, html| {
            self.parts.push_row(text, html);
            Ok(())
        })
    }
}

/// Adds the rows of a group, none of whose cells reaches over its end.
fn push_group(html: &mut String, table: &Measured<'_>, group: &RowGroup) {
    let Range { start, end } = group.rows;
    for row in start..end {
        if group.is_clipped {
            html::push_row(html, table.grid, row, end - row);
        } else {
            html.push_str(table.grid.row_html(row));
        }
    }
}
