//! Split by rows of a table whose cells are spans of the text: the header repeated, between cells where one
//! row is too long.

use std::ops::Range;

use super::groups::Groups;
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
    /// What is repeated of the table before it: its header, the first cell of a row that is cut.
    pub header: Vec<Piece>,
    /// Its rows; empty if it has cells of one only.
    pub rows: Range<usize>,
    /// How many rows of the header it repeats.
    pub n_header_rows: usize,
    /// Whether it fits, with what is in front of it or alone.
    pub fits: Fits,
}

/// Where a part is within the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fits {
    /// Behind what stands in front of it.
    Behind,
    /// Without anything in front of it.
    Alone,
    /// Nowhere: it is a cell that is to be cut.
    Nowhere,
}

/// Rows that merged cells keep together, and where they begin.
struct Row {
    rows: Range<usize>,
    start: usize,
    /// Where the texts of its cells begin; the first is `start`.
    cells: Vec<usize>,
}

/// The rows of a table, and what of it is repeated.
struct Body {
    rows: Vec<Row>,
    /// Where its text ends.
    end: usize,
    header: Vec<Piece>,
    n_header_rows: usize,
}

impl Body {
    /// Where row `i` begins, or the last one ends.
    fn start(&self, i: usize) -> usize {
        self.rows.get(i).map_or(self.end, |row| row.start)
    }

    /// What is repeated before row `i`, if it is one of those below the header.
    fn header(&self, i: usize) -> &[Piece] {
        if self.rows[i].rows.start < self.n_header_rows { &[] } else { &self.header }
    }
}

impl ByRows<'_> {
    /// The parts in order, which together are all from the lead to the end; none if the cells do not stand in
    /// the text one behind the other. O(n), but for what is repeated.
    ///
    /// A header is repeated that takes at most half of what is left beside the headings above it.
    ///
    /// # Errors
    /// Those of the measure and its ruler, and what the pulse says.
    pub fn split(&self) -> Result<Option<Vec<RowPart>>> {
        let Some(rows) = rows_of(self.prefixed.chunker.text, self.grid, self.span) else {
            return Ok(None);
        };
        let mut table = Body { rows, end: self.span.end, header: Vec::new(), n_header_rows: 0 };
        self.find_header(&mut table)?;
        if let Some(first) = table.rows.first_mut() {
            (first.start, first.cells[0]) = (self.lead, self.lead);
        }
        let (mut first, mut parts) = (0, Vec::new());
        while first < table.rows.len() {
            let span = |end| self.body(|i| table.start(i), first, end);
            let (header, start) = (table.header(first), table.start(first));
            let is_bare = header.is_empty();
            let prefix = (self.front)(start, header)?;
            let found = match self.prefixed.fill(&prefix, first, table.rows.len(), span)? {
                Some(end) => Some((end, header)),
                None if self.omit_header_on_overflow
                    && !is_bare
                    && self.prefixed.fits(&(self.front)(start, &[])?, span(first + 1))? =>
                {
                    Some((first + 1, &[][..]))
                }
                None => None,
            };
            let Some((end, header)) = found else {
                self.split_row(&table, first, &mut parts)?;
                first += 1;
                continue;
            };
            self.prefixed.chunker.beat.after(span(end).len())?;
            parts.push(RowPart {
                body: span(end),
                header: header.to_vec(),
                rows: table.rows[first].rows.start..table.rows[end - 1].rows.end,
                n_header_rows: if header.is_empty() { 0 } else { table.n_header_rows },
                fits: Fits::Behind,
            });
            first = end;
        }
        Ok(Some(parts))
    }

    /// The texts of rows `first..last`, or of the cells of one.
    fn body(&self, starts: impl Fn(usize) -> usize, first: usize, last: usize) -> Span {
        let start = skip_space(self.prefixed.chunker.text, starts(first));
        Span::new(start, trim_end(self.prefixed.chunker.text, start, starts(last)))
    }

    /// Finds the header, if it is to be repeated and leaves half of what the headings leave.
    fn find_header(&self, table: &mut Body) -> Result<()> {
        let n_rows = self.grid.n_header_rows();
        let below = table.rows.iter().position(|row| row.rows.start >= n_rows);
        let Some(below) = below.filter(|&i| i > 0 && self.repeat_headers) else {
            return Ok(());
        };
        if table.rows[below - 1].rows.end > n_rows {
            return Ok(());
        }
        let span = Span::new(table.rows[0].start, table.rows[below].start);
        let header = vec![Piece { span, role: Role::Header }];
        let above = (self.front)(span.end, &[])?;
        let both = (self.front)(span.end, &header)?;
        let room = self.prefixed.room(&above, self.prefixed.limits.hard_max());
        if both.size.saturating_sub(above.size) <= room / 2 {
            (table.header, table.n_header_rows) = (header, n_rows);
        }
        Ok(())
    }

    /// Adds the parts of row `i`, which does not fit: cut between cells, the first cell repeated.
    fn split_row(&self, table: &Body, i: usize, parts: &mut Vec<RowPart>) -> Result<()> {
        let row = &table.rows[i];
        let start = |cell: usize| row.cells.get(cell).copied().unwrap_or(table.start(i + 1));
        let mut headers = vec![table.header(i).to_vec()];
        if let [first, second, ..] = row.cells[..] {
            let first = if i == 0 { self.span.start.max(first) } else { first };
            let key = Piece { span: Span::new(first, second), role: Role::Header };
            headers.insert(0, [table.header(i), &[key]].concat());
        }
        headers.push(Vec::new());
        let mut cell = 0;
        while cell < row.cells.len() {
            let headers = if cell > 0 { &headers[..] } else { &headers[headers.len() - 2..] };
            let span = |end| self.body(start, cell, end);
            let (header, end, fits) = self.cells_that_fit(headers, cell, row.cells.len(), span)?;
            let has_rows = header.iter().any(|piece| table.header(i).contains(piece));
            self.prefixed.chunker.beat.after(span(end).len())?;
            parts.push(RowPart {
                body: span(end),
                header: header.clone(),
                rows: row.rows.start..row.rows.start,
                n_header_rows: if has_rows { table.n_header_rows } else { 0 },
                fits,
            });
            cell = end;
        }
        Ok(())
    }

    /// The end of the cells from `first` on that fit, and behind which of `headers`, the last of which is
    /// empty; one cell with the first header that leaves room, if it does not fit alone.
    fn cells_that_fit<'h>(
        &self,
        headers: &'h [Vec<Piece>],
        first: usize,
        last: usize,
        span: impl Fn(usize) -> Span,
    ) -> Result<(&'h Vec<Piece>, usize, Fits)> {
        let none = &headers[headers.len() - 1];
        let mut with_room = None;
        for header in headers {
            let prefix = (self.front)(span(first + 1).start, header)?;
            if self.prefixed.has_room(&prefix) {
                with_room = with_room.or(Some(header));
                if let Some(end) = self.prefixed.fill(&prefix, first, last, &span)? {
                    return Ok((header, end, Fits::Behind));
                }
            }
        }
        if self.prefixed.fits(&self.prefixed.prefix(Vec::new())?, span(first + 1))? {
            return Ok((none, first + 1, Fits::Alone));
        }
        Ok((with_room.unwrap_or(none), first + 1, Fits::Nowhere))
    }
}

/// Where the rows of a table that stands at `span` begin, those that merged cells bind together as one; none
/// if its cells do not stand there in order. O(n).
pub fn row_starts(text: &str, grid: &Grid, span: Span) -> Option<Vec<usize>> {
    Some(rows_of(text, grid, span)?.into_iter().map(|row| row.start).collect())
}

/// The rows of a table that stands at `span`; none if their cells do not stand there in order. O(n).
fn rows_of(text: &str, grid: &Grid, span: Span) -> Option<Vec<Row>> {
    let (mut rows, mut at) = (Vec::new(), span.start);
    for group in Groups::new(grid) {
        let cells =
            grid.rows[group.rows.clone()].iter().flat_map(|row| &grid.cells[row.cells.range()]);
        let mut row = Row { rows: group.rows, start: 0, cells: Vec::new() };
        for cell in cells.map(|cell| cell.text).filter(|cell| !cell.is_empty()) {
            if cell.start < at || cell.end > span.end {
                return None;
            }
            if row.cells.is_empty() {
                row.start = line_start(text, at, cell.start, rows.is_empty());
            }
            row.cells.push(if row.cells.is_empty() { row.start } else { cell.start });
            at = cell.end;
        }
        if !row.cells.is_empty() {
            rows.push(row);
        }
    }
    (!rows.is_empty()).then_some(rows)
}

/// Where the row begins whose first cell is at `cell`, behind what ends at `before`: with its line, so that
/// marks such as bars go with their row.
fn line_start(text: &str, before: usize, cell: usize, is_first: bool) -> usize {
    let gap = &text[before..cell];
    match gap.rfind('\n') {
        Some(at) => before + at + 1,
        None if is_first && !gap.contains(char::is_alphanumeric) => before,
        None => cell,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cut::chunker::Chunker;
    use crate::elements::Kind;
    use crate::measure::ruler::{CharRuler, Ruler};
    use crate::measure::testing::TokenRuler;
    use crate::options::{Limits, OverlapAt};
    use crate::pulse::no_pulse;
    use crate::read::markdown;

    fn parts(text: &str, hard_max: usize, ruler: &dyn Ruler) -> Vec<RowPart> {
        let elements = markdown::read(text).elements;
        let measure = ruler.measure(text).unwrap();
        let limits = Limits::new(hard_max, None, 0).unwrap();
        let chunker = Chunker::new(text, &*measure, limits, OverlapAt::Word, no_pulse());
        let prefixed = Prefixed { chunker: &chunker, ruler, bare: 0, limits };
        let element = elements.iter().find(|element| element.grid.is_some()).unwrap();
        let table = ByRows {
            grid: element.grid.as_deref().unwrap(),
            span: element.span,
            lead: element.span.start,
            repeat_headers: true,
            omit_header_on_overflow: true,
            prefixed,
            front: &|_, header| prefixed.prefix(header.to_vec()),
        };
        table.split().unwrap().unwrap()
    }

    fn texts(text: &str, parts: &[RowPart]) -> Vec<String> {
        let said = |part: &RowPart| {
            let header = part.header.iter().map(|piece| &text[piece.span.range()]);
            header.chain([&text[part.body.range()]]).collect()
        };
        parts.iter().map(said).collect()
    }

    #[test]
    fn parts_are_tables_with_the_header() {
        let header = "> | a | b |\n> |---|---|\n";
        let text = format!("{header}> | 1 | 2 |\n> | 3 | 4 |\n> | 5 | 6 |\n");
        let parts = parts(&text, 48, &CharRuler);
        let expected = ["> | 1 | 2 |\n> | 3 | 4 |", "> | 5 | 6 |"];
        assert_eq!(texts(&text, &parts), expected.map(|rows| format!("{header}{rows}")));
        assert_eq!(parts[1].n_header_rows, 1);
    }

    #[test]
    fn a_row_that_the_header_leaves_no_room_for_goes_without_it() {
        let row = "| long long long long |";
        let text = format!("| a |\n|---|\n{row}\n| b |\n| c |\n");
        let parts = parts(&text, 25, &CharRuler);
        assert_eq!(texts(&text, &parts), ["| a |\n|---|", row, "| a |\n|---|\n| b |\n| c |"]);
    }

    #[test]
    fn a_row_over_the_limit_is_cut_between_its_cells() {
        let text = "|a|b|c|\n|-|-|-|\n|k|one two three four|five six seven eight|\n|m|5|6|\n";
        let parts = parts(text, 40, &CharRuler);
        let header = "|a|b|c|\n|-|-|-|\n";
        let expected = ["|k|one two three four|", "|k|five six seven eight|", "|m|5|6|"];
        let expected = expected.map(|row| format!("{header}{row}"));
        let own = texts(text, &parts[1..]);
        assert_eq!(own, expected);
        assert!(parts.iter().all(|part| part.fits == Fits::Behind));
    }

    proptest! {
        #[test]
        fn every_row_is_in_one_part_below_the_header(
            rows in prop::collection::vec(prop::collection::vec("[ab é漢]{0,6}", 2), 1..12),
            mark in prop::sample::select(vec!["", "> ", "  "]),
            hard_max in 1..90_usize,
            counts_chars in any::<bool>(),
        ) {
            let line = |row: &Vec<String>| format!("{mark}| {} |\n", row.join(" | "));
            let header = format!("{mark}| Xx | Y |\n{mark}|---|---|\n");
            let text = header.clone() + &rows.iter().map(line).collect::<String>();
            let tokens = TokenRuler::new("cl100k_base");
            let ruler: &dyn Ruler = if counts_chars { &CharRuler } else { &tokens };
            let parts = parts(&text, hard_max, ruler);
            let (mut at, mut next) = (0, 0);
            for (i, (part, said)) in parts.iter().zip(texts(&text, &parts)).enumerate() {
                prop_assert!(text[at..part.body.start].trim().is_empty() && !part.body.is_empty());
                at = part.body.end;
                prop_assert!(next <= part.rows.start);
                next = part.rows.end;
                prop_assert_eq!(part.fits == Fits::Nowhere, ruler.size(&text[part.body.range()]).unwrap() > hard_max);
                prop_assert!(part.fits == Fits::Nowhere || ruler.size(&said).unwrap() <= hard_max);
                if part.n_header_rows > 0 || i == 0 && !part.rows.is_empty() {
                    let read = markdown::read(&said).elements;
                    prop_assert!(read[0].kind == Kind::Table || i == 0 && part.rows.end == 1);
                }
            }
            prop_assert!(text[at..].trim().is_empty());
        }
    }
}
