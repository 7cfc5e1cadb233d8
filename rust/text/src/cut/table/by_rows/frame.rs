//! Frame of a table that is split: what opens and what closes it, repeated around its parts.

use super::marks::{has_words, simple_border};
use super::{Body, ByRows, RowPart};
use crate::cut::prefix::Prefixed;
use crate::error::Result;
use crate::options::Limits;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::is_space;

impl ByRows<'_> {
    /// Where what opens a table ends, a tag or the line that is drawn above it, if it has neither words nor HTML of its
    /// own.
    pub(super) fn opening(&self) -> Option<usize> {
        let text = &self.text()[self.span.range()];
        let end = match text.as_bytes().first()? {
            _ if !self.grid.html.is_empty() => None,
            b'<' => text.find("<tr").or_else(|| text.find("<TR")),
            b'+' | b'=' => text.find('\n').map(|feed| feed + 1),
            _ => None,
        };
        end.filter(|&end| end > 0 && !has_words(&text[..end])).map(|end| self.span.start + end)
    }

    /// Finds what opens a table without a header that could be repeated: its tag, or the line that is drawn above it.
    pub(super) fn find_opening(&self, table: &mut Body) -> Result<()> {
        let Some(end) = self.opening().filter(|_| self.repeat_headers) else { return Ok(()) };
        let span = Span::new(self.span.start, end);
        let header = vec![Piece { span, role: Role::Header }];
        if self.leaves_half(&header)? {
            table.header = header;
        }
        Ok(())
    }

    /// What a part ends with that begins with the table or its header, unless it is the last one.
    pub(super) fn footer_of(&self, table: &Body, part: &RowPart) -> Vec<Piece> {
        let begins = |span: Span| span.start <= self.span.start && self.span.start < span.end;
        let is_begun = begins(part.body) || part.header.iter().any(|piece| begins(piece.span));
        let is_last = table.footer.first().is_none_or(|piece| piece.span.start < part.body.end);
        if is_begun && !is_last { table.footer.clone() } else { Vec::new() }
    }

    /// What closes a table behind its last row: the tags of one in HTML that has them in its text, and the border of
    /// a simple table of reStructuredText.
    pub(super) fn footer(&self) -> Vec<Piece> {
        let text = &self.text()[self.span.range()];
        if let Some(border) = simple_border(text) {
            let span = Span::new(self.span.start + border, self.span.end);
            return vec![Piece { span, role: Role::Header }];
        }
        let is_html = self.grid.html.is_empty() && text.starts_with('<') && text.ends_with('>');
        let end = if is_html { text.rfind("</tr>").or_else(|| text.rfind("</TR>")) } else { None };
        let behind = end.map_or("", |end| text[end + "</tr>".len()..].trim_start_matches(is_space));
        let span = Span::new(self.span.end - behind.len(), self.span.end);
        let is_tags = !behind.is_empty() && !has_words(behind);
        if is_tags { vec![Piece { span, role: Role::Header }] } else { Vec::new() }
    }

    /// The limits that leave room for what closes a part; none if there is nothing, or it takes a quarter of the limit.
    pub(super) fn limits_beside(&self, footer: &[Piece]) -> Result<Option<Limits>> {
        let Prefixed { bare, limits, .. } = self.prefixed;
        if footer.is_empty() {
            return Ok(None);
        }
        let size = self.prefixed.prefix(footer.to_vec())?.size.saturating_sub(bare) + 1;
        let hard = limits.hard_max().saturating_sub(size);
        if size > limits.hard_max() / 4 {
            return Ok(None);
        }
        let soft = limits.given_soft_max().map(|soft| soft.saturating_sub(size).clamp(1, hard));
        Limits::new(hard, soft, 0).map(Some)
    }
}
