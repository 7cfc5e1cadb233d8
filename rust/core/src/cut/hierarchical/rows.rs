//! Atoms of a table over the limit: its rows, or cells of one, under its headings.

use super::split::Whole;
use super::{Atom, Cutter, Table};
use crate::cut::table::by_rows::{ByRows, Fits};
use crate::error::Result;
use crate::grid::Grid;
use crate::span::Span;

impl Cutter<'_> {
    /// Adds the parts of a table; false if its cells do not stand in its text one behind the other.
    pub(super) fn split_rows(&mut self, grid: &Grid, whole: &Whole<'_>) -> Result<bool> {
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
        let mut n_parts = 0;
        for part in parts {
            let (is_first, kept) = (n_parts == 0, Some((part.rows, part.n_header_rows)));
            let elements =
                if is_first { whole.elements.clone() } else { whole.element..whole.elements.end };
            let opens = whole.opens.filter(|_| is_first);
            if part.fits == Fits::Nowhere {
                let start = part.body.start.max(if is_first { whole.span.start } else { 0 });
                n_parts += self.split_text(&Whole {
                    lead: part.body.start,
                    span: Span::new(start, part.body.end),
                    opens,
                    elements,
                    part: n_parts,
                    header: &part.header,
                    rows: kept,
                    ..*whole
                })?;
                continue;
            }
            self.atoms.push(Atom {
                body: part.body,
                path: whole.path,
                opens,
                elements,
                part: n_parts,
                most_headings: if part.fits == Fits::Behind { half } else { 0 },
                table: Some(Table { element: whole.element, part: kept, header: part.header }),
            });
            n_parts += 1;
        }
        Ok(true)
    }
}
