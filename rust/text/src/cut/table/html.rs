//! HTML of parts of a table, each a table by itself.

use std::fmt::Write;
use std::ops::Range;

use super::groups::{cells, max_rowspan};
use super::reaching::Reach;
use crate::grid::{Cell, Grid};
use crate::span::Span;
use crate::syntax::html::{self, write};

/// Rows and cells that a part of a table shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Rows, and the cells above that reach into the first of them.
    Rows(Range<usize>, Vec<Reach>),
    /// Cells of one row by number, with those that are repeated.
    Cells(Vec<usize>),
    /// A part of a cell.
    Text(Span),
}

impl Shown {
    /// Nothing of the table: words that stand beside its cells.
    pub const fn nothing() -> Self {
        Self::Rows(0..0, Vec::new())
    }

    /// The HTML of it as a table by itself, so many header rows repeated in front; none if the table has no
    /// HTML, or this no cell. `text` is the one in which the cells stand.
    pub fn html(&self, text: &str, grid: &Grid, n_header_rows: usize) -> Option<String> {
        if grid.html.is_empty() || matches!(self, Self::Rows(rows, _) if rows.is_empty()) {
            return None;
        }
        let mut html = String::from("<table>");
        if n_header_rows > 0 {
            html.push_str(&thead(grid, n_header_rows));
        }
        match self {
            Self::Rows(rows, reaching) => {
                push_row_below(&mut html, grid, rows.clone(), reaching);
                for row in rows.clone().skip(1) {
                    push_row(&mut html, grid, row, rows.end - row);
                }
            }
            Self::Cells(numbers) => {
                html.push_str("<tr>");
                for &cell in numbers {
                    push_cell(&mut html, grid, &grid.cells[cell], 1);
                }
                html.push_str("</tr>");
            }
            Self::Text(span) => {
                html.push_str("<tr><td>");
                write::push_text(&mut html, &text[span.range()]);
                html.push_str("</td></tr>");
            }
        }
        html.push_str("</table>");
        Some(html)
    }
}

/// Whether `html` may be repeated with so many bytes of text: what is mostly markup, such as a thousand empty
/// cells, would make the parts of a table much larger than it.
pub const fn is_light(html: &str, n_bytes: usize) -> bool {
    html.len() <= 256 + 16 * n_bytes
}

/// The header as each part but the first begins.
pub fn thead(grid: &Grid, n_rows: usize) -> String {
    let mut html = String::from("<thead>");
    for row in 0..n_rows {
        // Where text stands behind a row, its source is none that could be read by itself.
        match html::header_row(grid.row_source(row), n_rows - row) {
            Some(header) => html.push_str(&header),
            None => push_row(&mut html, grid, row, n_rows - row),
        }
    }
    html.push_str("</thead>");
    html
}

/// Adds a row of which no cell is to span more than `n_rows`. O(its HTML).
pub fn push_row(html: &mut String, grid: &Grid, row: usize, n_rows: usize) {
    let span = grid.rows[row].html;
    if max_rowspan(cells(grid, row)).is_some_and(|rowspan| rowspan <= n_rows) {
        return html.push_str(&grid.html[span.range()]);
    }
    let mut done = span.start;
    for cell in cells(grid, row) {
        html.push_str(&grid.html[done..cell.html.start]);
        push_cell(html, grid, cell, n_rows);
        done = cell.html.end;
    }
    html.push_str(&grid.html[done..span.end]);
}

/// Adds the first of `rows`, with the cells that reach into it from above, each in its column.
fn push_row_below(html: &mut String, grid: &Grid, rows: Range<usize>, reaching: &[Reach]) {
    if reaching.is_empty() {
        return push_row(html, grid, rows.start, rows.len());
    }
    let (mut column, mut above) = (0, reaching.iter().peekable());
    html.push_str("<tr>");
    for cell in cells(grid, rows.start) {
        while let Some(reach) = above.next_if(|reach| reach.columns[0] <= column) {
            push_reach(html, grid, reach, &rows);
            column = column.max(reach.columns[1]);
        }
        push_cell(html, grid, cell, rows.len());
        column = column.saturating_add(cell.colspan);
    }
    above.for_each(|reach| push_reach(html, grid, reach, &rows));
    html.push_str("</tr>");
}

/// Adds a cell that reaches into `rows`, with its text only if that is repeated.
fn push_reach(html: &mut String, grid: &Grid, reach: &Reach, rows: &Range<usize>) {
    let (cell, n_rows) = (&grid.cells[reach.cell], reach.last.min(rows.end - 1) + 1 - rows.start);
    if reach.is_said {
        let element = &grid.html[cell.html.range()];
        return push_respanned(html, element, n_rows);
    }
    html.push_str("<td");
    for (name, span) in [("colspan", cell.colspan), ("rowspan", n_rows)] {
        if span > 1 {
            push_span(html, name, span);
        }
    }
    html.push_str("/>");
}

/// Adds a cell that is not to span more than `n_rows`, as it stands in the table.
pub fn push_cell(html: &mut String, grid: &Grid, cell: &Cell, n_rows: usize) {
    let element = &grid.html[cell.html.range()];
    if cell.rowspan.is_some_and(|rowspan| rowspan <= n_rows) {
        html.push_str(element);
    } else {
        push_respanned(html, element, n_rows);
    }
}

/// Adds ` name="span"`.
pub fn push_span(html: &mut String, name: &str, span: usize) {
    let _ = write!(html, " {name}=\"{span}\"");
}

const ROWSPAN: &str = " rowspan=\"";

/// Adds an element with another `rowspan` (none if it is 1), whatever else it is.
pub fn push_respanned(html: &mut String, element: &str, rowspan: usize) {
    let tag = element.find('>').unwrap_or(element.len());
    let (before, after) = match element[..tag].find(ROWSPAN) {
        Some(at) => {
            let value = at + ROWSPAN.len();
            let end = element[value..tag].find('"').map_or(tag, |quote| value + quote + 1);
            (at, end)
        }
        None => return html.push_str(element),
    };
    html.push_str(&element[..before]);
    if rowspan > 1 {
        push_span(html, "rowspan", rowspan);
    }
    html.push_str(&element[after..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_rowspan_of_the_element_itself_is_rewritten() {
        let rewritten = |element, rowspan| {
            let mut html = String::new();
            push_respanned(&mut html, element, rowspan);
            html
        };
        let cell = "<td colspan=\"2\" rowspan=\"9\"><b rowspan=\"9\">x</b></td>tail";
        let other = "<td colspan=\"2\" rowspan=\"3\"><b rowspan=\"9\">x</b></td>tail";
        assert_eq!(rewritten(cell, 3), other);
        assert_eq!(rewritten("<td rowspan=\"0\"/>", 1), "<td/>");
    }
}
