//! Tables: drawn with signs, of comma-separated values, and of lists of lists, all as grids of cells.

use chunkwright_text::grid::{Grid, PlacedCell, Slot};
use chunkwright_text::span::Span;
use chunkwright_text::syntax::grid_table::{self, GridCell};

use super::directive::Directive;
use super::drawn::Drawn;
use super::lines::{least, lines, to_blank};
use super::walk::Walk;
use super::{csv_table, list_table, simple_table};

impl Walk<'_> {
    /// Takes the drawn table that begins in line `i`, if one does; returns the line behind it.
    pub fn table(&mut self, i: usize, end: usize) -> Option<usize> {
        let said = self.lines[i].said(self.text);
        if said.starts_with("+-") {
            return self.grid_table(i, end);
        }
        if !simple_table::is_top(said) {
            return None;
        }
        let last = i + simple_table::n_lines(self.text, &self.lines[i..end])?;
        let drawn = simple_table::read(self.text, &self.lines[i..last])?;
        let span = Span::new(self.lines[i].at, self.lines[last - 1].end);
        self.push_table(span, &drawn);
        Some(last)
    }

    /// Takes the grid table that begins in line `i`, if one does.
    fn grid_table(&mut self, i: usize, end: usize) -> Option<usize> {
        let last = to_blank(&self.lines, i, end);
        let within = Span::new(self.lines[i].at, self.lines[last - 1].end);
        let found = grid_table::read(self.text, grid_table::lines(self.text, within))?;
        let n_lines = found.lines.len();
        let span = found.span();
        let n_header_rows = found.n_header_rows;
        let drawn = Drawn { n_header_rows, rows: found.sources(), cells: found.cells };
        self.push_table(span, &drawn);
        Some(i + n_lines)
    }

    /// Takes a directive with a title above a drawn table.
    pub fn titled_table(&mut self, of: &Directive<'_>) {
        let start = self.lines[of.first].at;
        if of.argument.is_empty() {
            self.made.mark(start);
        } else {
            self.made.said(of.argument);
            self.made.caption(Span::new(start, of.head_end(&self.lines)), None);
        }
        let n = self.made.len();
        let (first, end) = of.content;
        if let Some(margin) = least(&self.lines[first..end]) {
            self.blocks(first, end, margin, false);
        }
        self.drop_caption_without_table(n);
    }

    /// Takes a directive of comma-separated values.
    pub fn csv_table(&mut self, of: &Directive<'_>) {
        let drawn = csv_table::read(self.text, &self.lines, of);
        self.listed_table(of, drawn.as_ref());
    }

    /// Takes a directive with a list of lists.
    pub fn list_table(&mut self, of: &Directive<'_>) {
        let drawn = list_table::read(self.text, &self.lines, of);
        self.listed_table(of, drawn.as_ref());
    }

    fn listed_table(&mut self, of: &Directive<'_>, drawn: Option<&Drawn>) {
        let (start, end) = (self.lines[of.first].at, self.lines[of.end - 1].end);
        let Some(drawn) = drawn else {
            self.made.paragraph(Span::new(start, end));
            return;
        };
        let title = of.argument;
        let mut first = start;
        if !title.is_empty() && of.word(self.text).is_some() && end > title.end {
            self.made.said(title);
            self.made.caption(Span::new(start, title.end), None);
            first = title.end;
        }
        let first = first + self.text[first..end].len() - self.text[first..end].trim_start().len();
        self.push_table(Span::new(first, end), drawn);
    }

    fn push_table(&mut self, span: Span, drawn: &Drawn) {
        for line in drawn.cells.iter().flat_map(|cell| &cell.lines) {
            self.made.said(*line);
        }
        let grid = grid(self.text, span, drawn);
        self.made.table(span, grid);
    }

    /// Makes a paragraph of a title behind which element `n` is no table.
    fn drop_caption_without_table(&mut self, n: usize) {
        use chunkwright_text::elements::Kind;
        let read = &mut self.made.read;
        let is_table = read.elements.get(n).is_some_and(|element| element.kind == Kind::Table);
        if !is_table && read.captions.last().is_some_and(|(_, of)| *of == n) {
            read.captions.pop();
            read.elements[n - 1].kind = Kind::Paragraph;
        }
    }
}

/// What each cell of the drawn table at `within` says, in the order of its grid; none if its cells stand in one piece
/// each. O(n).
pub fn words(text: &str, within: Span) -> Option<Vec<String>> {
    let start = text[..within.start].rfind(['\n', '\r']).map_or(0, |feed| feed + 1);
    let mut all = lines(&text[..within.end], start);
    let first = all.first_mut()?;
    // The mark of an item may stand in front of it.
    first.at = within.start.min(first.end);
    let said = first.said(text);
    let cells = if said.starts_with("+-") {
        grid_table::read(text, grid_table::lines(text, within))?.cells
    } else if simple_table::is_top(said) {
        simple_table::read(text, &all)?.cells
    } else {
        return None;
    };
    Some(cells.iter().map(|cell| cell.words(text)).collect())
}

/// The grid of a table that stands at `span`.
fn grid(text: &str, span: Span, drawn: &Drawn) -> Grid {
    let firsts: Vec<usize> = drawn.cells.iter().map(|cell| place(cell).start).collect();
    let mut at = span.start;
    let cells: Vec<PlacedCell> = drawn
        .cells
        .iter()
        .enumerate()
        .map(|(i, cell)| {
            let own = place(cell);
            let next = firsts.get(i + 1).copied().unwrap_or(span.end);
            let first = cell.lines.iter().find(|line| !line.is_empty()).copied().unwrap_or(own);
            let said = if own.end <= next { own } else { first };
            let said = if said.is_empty() {
                Span::new(said.start.max(at), said.start.max(at))
            } else {
                said
            };
            at = said.end.max(at);
            let slot =
                Slot { row: cell.row, column: cell.column, rows: cell.rows, columns: cell.columns };
            PlacedCell { slot, text: said, is_header: cell.row < drawn.n_header_rows }
        })
        .collect();
    let mut grid = Grid::of_cells(text, span, &cells);
    let firsts = drawn.cells.chunk_by(|a, b| a.row == b.row).map(|cells| cells[0].row);
    for (row, number) in grid.rows.iter_mut().zip(firsts) {
        row.source = drawn.rows.get(number).copied().unwrap_or(row.source);
    }
    grid
}

/// Where a cell stands, from its first line with text to its last.
fn place(cell: &GridCell) -> Span {
    let mut said = cell.lines.iter().filter(|line| !line.is_empty());
    let Some(first) = said.next() else {
        return cell
            .lines
            .first()
            .map_or_else(Span::default, |line| Span::new(line.start, line.start));
    };
    Span::new(first.start, said.next_back().unwrap_or(first).end)
}
