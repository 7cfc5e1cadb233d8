//! Parts of a table, the header repeated.

use super::Part;
use super::headers::Header;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::is_space;

/// Takes what the rows of a table are split into.
pub struct Parts<'t> {
    /// The text in which those of the cells stand.
    source: &'t str,
    header: Option<Header>,
    /// Whether parts without text are left out.
    only_said: bool,
    made: Vec<Part>,
}

impl<'t> Parts<'t> {
    /// There is none yet; each one but the first begins with `header`.
    pub const fn new(source: &'t str, header: Option<Header>, only_said: bool) -> Self {
        Self { source, header, only_said, made: Vec::new() }
    }

    /// Adds a part: the texts of its rows, and their HTML, of about so many bytes, as `write` writes it.
    pub fn push(
        &mut self,
        texts: impl IntoIterator<Item = Piece>,
        n_bytes: usize,
        write: impl FnOnce(&mut String),
    ) {
        let texts: Vec<_> = texts.into_iter().filter(|piece| !piece.span.is_empty()).collect();
        let is_blank = |piece: &Piece| self.source[piece.span.range()].chars().all(is_space);
        if self.only_said && texts.iter().all(is_blank) {
            return;
        }
        let header = self.header.as_ref().filter(|_| !self.made.is_empty());
        let (said, rows) =
            header.map_or((Span::default(), ""), |header| (header.text, &*header.html));
        let repeated = (!said.is_empty()).then_some(Piece { span: said, role: Role::Header });
        let mut html = String::with_capacity(rows.len() + n_bytes + "<table></table>".len());
        html.push_str("<table>");
        html.push_str(rows);
        write(&mut html);
        html.push_str("</table>");
        self.made.push(Part { pieces: repeated.into_iter().chain(texts).collect(), html });
    }

    /// Adds a part that is one row of `cells`.
    pub fn push_row(&mut self, text: Span, cells: &str) {
        self.push([Piece::body(text)], cells.len() + "<tr></tr>".len(), |html| {
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
