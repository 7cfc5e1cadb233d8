//! Rows as Markdown with padded columns, as the Python package `tabulate` writes them for GitHub.

use crate::docling::render::lines::split_lines;
use crate::docling::render::numbers::is_number_column;
use chunkwright_text::unicode::space::is_space;

/// Blanks by which a column is wider than its header at least.
const MIN_PADDING: usize = 2;

/// A header and rows below it, as wide as the header each.
pub fn tabulate(header: &[String], rows: &[Vec<String>]) -> String {
    let cells = || header.iter().chain(rows.iter().flatten());
    let has_lines = cells().any(|cell| cell.contains('\r'));
    let columns: Vec<Column> = (0..header.len())
        .map(|col| {
            let cells = || rows.iter().map(move |row| row[col].as_str());
            let widest = cells().map(|cell| width(strip(cell))).max().unwrap_or(0);
            Column {
                width: widest.max(width(&header[col]) + MIN_PADDING),
                is_right: is_number_column(cells()),
            }
        })
        .collect();
    let mut out = AlignedTable { text: String::new(), columns, has_lines };
    // A header without text has a line nevertheless; a row has none.
    out.push_row(header.iter().map(String::as_str), |cell| cell.split('\r').collect());
    out.push_ruler();
    for row in rows {
        out.push_row(row.iter().map(|cell| strip(cell)), |cell| split_lines(cell).collect());
    }
    out.text
}

fn strip(cell: &str) -> &str {
    cell.trim_matches(is_space)
}

/// Code points of the longest line.
fn width(cell: &str) -> usize {
    if cell.is_ascii() && !cell.contains('\r') {
        return cell.len();
    }
    cell.split(['\r', '\n']).map(|line| line.chars().count()).max().unwrap_or(0)
}

struct Column {
    width: usize,
    is_right: bool,
}

struct AlignedTable {
    text: String,
    columns: Vec<Column>,
    /// Whether a cell has line ends, so that rows may have several lines.
    has_lines: bool,
}

impl AlignedTable {
    fn push_row<'c>(
        &mut self,
        cells: impl Iterator<Item = &'c str>,
        lines_of: fn(&'c str) -> Vec<&'c str>,
    ) {
        if !self.has_lines {
            let cells: Vec<Option<&str>> = cells.map(Some).collect();
            return self.push_line(&cells);
        }
        let lines: Vec<Vec<&str>> = cells.map(lines_of).collect();
        for i in 0..lines.iter().map(Vec::len).max().unwrap_or(0) {
            let line: Vec<Option<&str>> = lines.iter().map(|cell| cell.get(i).copied()).collect();
            self.push_line(&line);
        }
    }

    fn push_line(&mut self, cells: &[Option<&str>]) {
        self.end_line();
        self.text.push('|');
        for (cell, column) in cells.iter().zip(&self.columns) {
            let cell = cell.unwrap_or_default();
            let n_blanks = column.width.saturating_sub(cell.chars().count());
            let (before, behind) = if column.is_right { (n_blanks, 0) } else { (0, n_blanks) };
            self.text.extend(std::iter::repeat_n(' ', before + 1));
            self.text.push_str(cell);
            self.text.extend(std::iter::repeat_n(' ', behind + 1));
            self.text.push('|');
        }
    }

    fn push_ruler(&mut self) {
        self.end_line();
        self.text.push('|');
        for column in &self.columns {
            self.text.extend(std::iter::repeat_n('-', column.width + 2));
            self.text.push('|');
        }
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

/// The same rows without padding.
pub fn compact(table: &str) -> String {
    let line = |(i, line): (usize, &str)| {
        let cells: Vec<&str> = line.split('|').collect();
        let cells = cells.get(1..cells.len() - 1).unwrap_or_default();
        let cell = |cell: &&str| match strip(cell) {
            cell if i != 1 => cell.to_owned(),
            ruler => {
                let colon = |has: bool| if has { ":" } else { "" };
                let end = colon(ruler.ends_with(':'));
                format!("{}-{end}", colon(ruler.starts_with(':')))
            }
        };
        format!("| {} |", cells.iter().map(cell).collect::<Vec<_>>().join(" | "))
    };
    let lines = table.split('\n').enumerate().filter(|(_, line)| !line.is_empty());
    lines.map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: &[&str], rows: &[&[&str]]) -> String {
        let owned = |row: &[&str]| row.iter().map(|cell| String::from(*cell)).collect::<Vec<_>>();
        tabulate(&owned(header), &rows.iter().map(|row| owned(row)).collect::<Vec<_>>())
    }

    #[test]
    fn columns_are_padded() {
        let text = table(&["x", "y"], &[&["a", "1"], &["bbb", "22"]]);
        assert_eq!(text, "| x   |   y |\n|-----|-----|\n| a   |   1 |\n| bbb |  22 |");
        assert_eq!(compact(&text), "| x | y |\n| - | - |\n| a | 1 |\n| bbb | 22 |");
        assert_eq!(table(&["", ""], &[]), "|    |    |\n|----|----|");
    }

    #[test]
    fn a_cell_with_lines_makes_a_row_of_lines() {
        assert_eq!(table(&[""], &[&["a\rb"], &[""]]), "|    |\n|----|\n| a  |\n| b  |");
        let text = table(&[" é ", ""], &[&["a\rb", "c"]]);
        assert_eq!(text, "|  é    |    |\n|-------|----|\n| a     | c  |\n| b     |    |");
    }
}
