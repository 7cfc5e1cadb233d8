//! Atoms of a table over the limit: its rows, or cells of one, under its headings.

use super::split::Whole;
use super::{Atom, AtomTable, SectionCutter};
use crate::cut::table::by_rows::ByRows;
use crate::error::Result;
use crate::grid::Grid;

impl SectionCutter<'_> {
    /// Adds the parts of a table; false if its cells do not stand in its text one behind the other.
    pub(super) fn split_rows(&mut self, grid: &Grid, whole: &Whole) -> Result<bool> {
        let half = self.limits.hard_max() / 2;
        let table = ByRows {
            grid,
            span: whole.span,
            lead: whole.lead,
            repeat_headers: self.options.repeat_headers,
            omit_header_on_overflow: self.options.omit_header_on_overflow,
            prefixed: self.prefixed(),
            front: &|at, header| self.prefix(whole.path, at, half, header),
        };
        let Some(parts) = table.split()? else { return Ok(false) };
        for (number, part) in parts.into_iter().enumerate() {
            let is_first = number == 0;
            let elements = self.met(whole, part.body);
            self.atoms.push(Atom {
                body: part.body,
                path: whole.path,
                opens: whole.opens.filter(|_| is_first),
                elements,
                part: number,
                most_headings: half,
                table: Some(AtomTable {
                    element: whole.element,
                    part: Some((part.shown, part.n_header_rows)),
                    header: part.header,
                    footer: part.footer,
                }),
            });
        }
        Ok(true)
    }
}
