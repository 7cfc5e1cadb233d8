//! Reader of HTML pages: their visible text, and the headings, paragraphs, lists, tables and code in it.
//!
//! One pass over the tokens of the lexer, without a tree: a stack of open elements says what a text is
//! part of, and where browsers would close an element that was left open. All work is linear in the source,
//! whatever is nested or left open; the memory is a few times its size.

mod attributes;
mod links;
mod reader;
mod runs;
mod stack;
mod table;
mod tags;
mod text;

use super::lexer::{Dialect, Lexer};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
use crate::read::link::Link;
use crate::source_map::SourceMap;
pub use attributes::Landmark;
pub use reader::Page;
use reader::Reader;

impl Page {
    /// Where the elements stand in `html`, of which the page was read; its characters at the bytes `pairs` count
    /// twice.
    pub fn source_map(&self, html: &str, pairs: &[usize]) -> SourceMap {
        let spans = self.elements.iter().map(|element| element.span);
        SourceMap::of_parts(html, pairs, spans.zip(self.places.iter().copied()))
    }
}

/// Reads a page, of which the parts `dropped` are left out. O(n).
///
/// # Errors
/// What `pulse` says.
pub fn read(html: &str, dropped: &[Landmark], pulse: Pulse<'_>) -> Result<Page> {
    Ok(read_by(Reader::new(html, dropped), pulse)?.finish())
}

/// The links of the page that [`read`] gives, in the order of its text, those in others behind these. O(n).
///
/// The page is read again, so that documents whose links nobody asks for do not pay for them.
///
/// # Errors
/// What `pulse` says.
pub fn links(html: &str, dropped: &[Landmark], pulse: Pulse<'_>) -> Result<Vec<Link>> {
    Ok(read_by(Reader::with_links(html, dropped), pulse)?.finish_with_links().1)
}

fn read_by<'a>(mut reader: Reader<'a>, pulse: Pulse<'_>) -> Result<Reader<'a>> {
    let beat = Beat::of_bytes(pulse);
    let mut lexer = Lexer::new(reader.html, Dialect::Page);
    loop {
        let start = lexer.at();
        let Some(token) = lexer.next_of_page(|| reader.is_foreign()) else { break };
        reader.step(token, start, &mut lexer);
        beat.after(lexer.at() - start)?;
    }
    Ok(reader)
}

#[cfg(test)]
mod tests;
