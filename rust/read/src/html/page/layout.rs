//! Tables that lay out a page: told from tables of data before they are read, in one pass over the tags.
//!
//! A table of data says what it is by a header, a caption or a role, or has cells of words. What lays out a page has
//! blocks in its cells: headings, sections, code, other tables; or lists and several paragraphs, if there is nothing
//! beside or below their cells, or if most cells have them. One cell alone is a frame.

use super::attributes;
use super::tags::Tag;
use chunkwright_text::syntax::html::lexer::{Attribute, Dialect, Lexer, Token};

/// Where the tags of the tables begin that lay out the page, ascending. O(n).
pub fn layouts(html: &str) -> Vec<usize> {
    let (mut lexer, mut tables) = (Lexer::new(html, Dialect::Page), Tables::default());
    loop {
        let start = lexer.at();
        let Some(token) = lexer.next_of_page(|| false) else { break };
        match token {
            Token::Text(text) => tables.say(&text),
            Token::Open { name, .. } => match Tag::named(&name) {
                Tag::Raw | Tag::Title | Tag::TextArea => drop(lexer.take_raw(&name)),
                tag => tables.open(tag, &name, start, lexer.attributes()),
            },
            Token::Close(name) => tables.close(Tag::named(&name)),
            Token::Comment(_) => {}
        }
    }
    tables.finish()
}

/// The tables that are open, the outermost first, and those that lay out the page.
#[derive(Debug, Default)]
struct Tables {
    open: Vec<Table>,
    found: Vec<usize>,
}

/// A table, as far as it was seen.
#[derive(Debug, Default)]
struct Table {
    start: usize,
    /// Whether it says that it holds data.
    is_data: bool,
    /// Whether a cell has what stands in no table of data.
    has_parts: bool,
    n_cells: usize,
    n_filled: usize,
    n_blocks: usize,
    n_rows: usize,
    n_in_row: usize,
    max_in_row: usize,
    cell: Option<Cell>,
}

#[derive(Debug, Default)]
struct Cell {
    is_filled: bool,
    has_list: bool,
    n_paragraphs: usize,
    begins_paragraph: bool,
    n_breaks: usize,
}

impl Tables {
    fn say(&mut self, text: &str) {
        let is_said = |c: char| !c.is_whitespace();
        if let Some(cell) = self.cell()
            && text.contains(is_said)
        {
            cell.is_filled = true;
            cell.n_paragraphs += usize::from(std::mem::take(&mut cell.begins_paragraph));
            cell.n_breaks = 0;
        }
    }

    fn open(&mut self, tag: Tag, name: &str, start: usize, attributes: &[Attribute<'_>]) {
        match tag {
            Tag::Table => self.open_table(start, attributes),
            Tag::Row | Tag::Rows | Tag::Cell | Tag::TableCaption => {
                if let Some(table) = self.open.last_mut() {
                    table.is_data |= matches!(name, "th" | "thead" | "caption");
                    table.part(tag);
                }
            }
            Tag::Heading
            | Tag::Pre
            | Tag::Article
            | Tag::Section
            | Tag::Main
            | Tag::Nav
            | Tag::Aside => {
                if let Some(table) = self.open.last_mut() {
                    table.has_parts |= table.cell.is_some();
                }
            }
            _ => {
                let Some(cell) = self.cell() else { return };
                match tag {
                    Tag::List => cell.has_list = true,
                    Tag::Paragraph => cell.begins_paragraph = true,
                    Tag::LineBreak => {
                        cell.n_breaks += 1;
                        // An empty line parts what was said from a paragraph that may come.
                        if cell.n_breaks == 2 && cell.is_filled {
                            cell.n_paragraphs = cell.n_paragraphs.max(1);
                            cell.begins_paragraph = true;
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn open_table(&mut self, start: usize, attributes: &[Attribute<'_>]) {
        // A table right in a table ends it; one in a cell is a part of that.
        if let Some(table) = self.open.last_mut() {
            if table.cell.is_some() {
                table.has_parts = true;
            } else {
                self.end_table();
            }
        }
        let is_data = attributes::is_grid(attributes);
        self.open.push(Table { start, is_data, ..Table::default() });
    }

    fn close(&mut self, tag: Tag) {
        match tag {
            Tag::Table => self.end_table(),
            Tag::Row | Tag::Rows | Tag::Cell => {
                if let Some(table) = self.open.last_mut() {
                    table.end_cell();
                }
            }
            _ => {}
        }
    }

    fn end_table(&mut self) {
        if let Some(mut table) = self.open.pop()
            && table.is_layout()
        {
            self.found.push(table.start);
        }
    }

    fn cell(&mut self) -> Option<&mut Cell> {
        self.open.last_mut()?.cell.as_mut()
    }

    fn finish(mut self) -> Vec<usize> {
        while !self.open.is_empty() {
            self.end_table();
        }
        self.found.sort_unstable();
        self.found
    }
}

impl Table {
    fn part(&mut self, tag: Tag) {
        self.end_cell();
        match tag {
            Tag::Cell => self.cell = Some(Cell::default()),
            Tag::Row => self.end_row(),
            _ => {}
        }
    }

    fn end_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        self.n_cells += 1;
        self.n_filled += usize::from(cell.is_filled);
        self.n_in_row += usize::from(cell.is_filled);
        self.n_blocks += usize::from(cell.is_filled && (cell.has_list || cell.n_paragraphs > 1));
    }

    fn end_row(&mut self) {
        self.n_rows += usize::from(self.n_in_row > 0);
        self.max_in_row = self.max_in_row.max(std::mem::take(&mut self.n_in_row));
    }

    fn is_layout(&mut self) -> bool {
        self.end_cell();
        self.end_row();
        let is_line = self.n_rows == 1 || self.max_in_row == 1;
        let has_blocks = self.n_blocks > 0 && (is_line || 2 * self.n_blocks > self.n_filled);
        !self.is_data && (self.has_parts || has_blocks || self.n_cells == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_blocks_in_its_cells_lays_out() {
        for cells in [
            "<tr><td><h2>a</h2>b<td>c",
            "<tr><td>a<td><pre>b",
            "<tr><td><p>a<p>b<td>c",
            "<tr><td>a<br> <br>b<tr><td>c",
            "<tr><td><ul><li>a</ul><td>c",
            "<tr><td><table><tr><td>a</table><td>b",
            "<td><ol><li>a</ol><td>b<tr><td>c<td><p>d<p>e<tr><td><dl><dt>f</dl><td> ",
        ] {
            for end in ["", "</table>x"] {
                assert!(layouts(&format!("<table>{cells}{end}")).contains(&0), "{cells}");
            }
        }
    }

    #[test]
    fn what_says_so_or_has_words_in_its_cells_is_data() {
        for table in [
            "<table><tr><td>a<td>b<tr><td>c<td>d",
            "<table><tr><td><p>a</p><p> </p><td><div>b</div>",
            "<table><tr><th>a<td><h2>b</h2>",
            "<table><caption>x</caption><tr><td><h2>b</h2>",
            "<table><thead><tr><td><h2>b</h2>",
            "<table role=grid><tr><td><h2>b</h2>",
            "<table><tr><td>a<td>b<tr><td>c<td><ul><li>d</ul>",
            "<table><tr><td>a<script><h2></script><!-- <h2> --><td>b</table><h2>c</h2>",
            "<table><tr><td>a<br>b<td>c<br><br></table>",
        ] {
            assert_eq!(layouts(table), [0; 0], "{table}");
        }
    }
}
