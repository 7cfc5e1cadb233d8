//! Reader of HTML pages: their visible text, and the headings, paragraphs, lists, tables and code in it.
//!
//! One pass over the tokens of the lexer, without a tree: a stack of open elements says what a text is
//! part of, and where browsers would close an element that was left open. All work is linear in the source,
//! whatever is nested or left open; the memory is a few times its size.

mod attributes;
mod reader;
mod runs;
mod stack;
mod table;
mod tags;
mod text;

use super::lexer::{Dialect, Lexer};
use crate::error::Result;
use crate::pulse::{Beat, Pulse};
pub use attributes::Landmark;
pub use reader::Page;
use reader::Reader;

/// Reads a page, of which the parts `dropped` are left out. O(n).
///
/// # Errors
/// What `pulse` says.
pub fn read(html: &str, dropped: &[Landmark], pulse: Pulse<'_>) -> Result<Page> {
    let beat = Beat::of_bytes(pulse);
    let mut lexer = Lexer::new(html, Dialect::Page);
    let mut reader = Reader::new(html, dropped);
    loop {
        let start = lexer.at();
        let Some(token) = lexer.next_of_page() else { break };
        reader.step(token, start, &mut lexer);
        beat.after(lexer.at() - start)?;
    }
    Ok(reader.finish())
}

#[cfg(test)]
mod tests;
