//! Parts of a table, the header repeated.

use super::Part;
use super::headers::Header;
use chunkwright_text::span::Span;

/// Takes what the rows of a table are split into.
pub struct Parts {
    header: Option<Header>,
    made: Vec<Part>,
}

impl Parts {
    /// There is none yet; each one but the first begins with `header`.
    pub const fn new(header: Option<Header>) -> Self {
        Self { header, made: Vec::new() }
    }

    /// Adds a part: the texts of its rows, and their HTML, of about so many bytes, as `write` writes it.
    pub fn push(
        &mut self,
        texts: impl IntoIterator<Item = Span>,
        n_bytes: usize,
        write: impl FnOnce(&mut String),
    ) {
        let texts: Vec<_> = texts.into_iter().filter(|span| !span.is_empty()).collect();
        let header = self.header.as_ref().filter(|_| !self.made.is_empty());
        let (said, rows) =
            header.map_or((Span::default(), ""), |header| (header.text, &*header.html));
        let repeated = (!said.is_empty()).then_some(said);
        let mut html = String::with_capacity(rows.len() + n_bytes + "<table></table>".len());
        html.push_str("<table>");
        html.push_str(rows);
        write(&mut html);
        html.push_str("</table>");
        self.made.push(Part { texts: repeated.into_iter().chain(texts).collect(), html });
    }

    /// Adds a part that is one row of `cells`.
    pub fn push_row(&mut self, text: Span, cells: &str) {
        self.push([text], cells.len() + "<tr></tr>".len(), |html| {
            html.push_str("<tr>");
            html.push_str(cells);
            html.push_str("</tr>");
        });
    }

    /// What has been added.
    pub fn finish(self) -> Vec<Part> {
        self.made
    }
}
