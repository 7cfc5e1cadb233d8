//! What a table is split into, the header repeated.

use super::Part;
use super::headers::Header;
use crate::segment::space::is_space;

/// The parts so far.
pub struct Parts<'t> {
    header: Option<Header<'t>>,
    /// Whether parts that say nothing are left out.
    only_said: bool,
    made: Vec<Part>,
}

impl<'t> Parts<'t> {
    /// None yet; each but the first is to begin with `header`. Those whose own rows say nothing are left
    /// out, if `only_said`.
    pub const fn new(header: Option<Header<'t>>, only_said: bool) -> Self {
        Self { header, only_said, made: Vec::new() }
    }

    /// Adds a part that says `texts`, a blank between two, with the rows that `write` adds to its HTML.
    pub fn push(&mut self, texts: [&str; 2], n_bytes: usize, write: impl FnOnce(&mut String)) {
        if self.only_said && texts.iter().all(|text| text.chars().all(is_space)) {
            return;
        }
        let header = self.header.as_ref().filter(|_| !self.made.is_empty());
        let (said, rows) = header.map_or(("", ""), |header| (header.text, &*header.html));
        let text = join([said, texts[0], texts[1]]);
        let mut html = String::with_capacity(rows.len() + n_bytes + "<table></table>".len());
        html.push_str("<table>");
        html.push_str(rows);
        write(&mut html);
        html.push_str("</table>");
        self.made.push(Part { text, html: Some(html) });
    }

    /// Adds a part that is one row: `cells`.
    pub fn push_row(&mut self, text: &str, cells: &str) {
        self.push([text, ""], cells.len() + "<tr></tr>".len(), |html| {
            html.push_str("<tr>");
            html.push_str(cells);
            html.push_str("</tr>");
        });
    }

    /// All of them.
    pub fn finish(self) -> Vec<Part> {
        self.made
    }
}

/// What is said, a blank between two texts.
fn join(texts: [&str; 3]) -> String {
    let length: usize = texts.iter().map(|text| text.len() + 1).sum();
    let mut joined = String::with_capacity(length.saturating_sub(1));
    for text in texts.into_iter().filter(|text| !text.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(text);
    }
    joined
}
