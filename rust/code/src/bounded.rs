//! Parsing that is bounded by the length of a text, whatever the text is.
//!
//! The recovery of tree-sitter from what does not parse may try many ways, and the scanner of a grammar may read far
//! ahead again and again. So both are counted, steps and pieces that are read: not time, so that the answer is the
//! same on each machine. What a step costs is not bounded so: where a grammar is ambiguous again and again, as that of
//! C# is in `a<a<a<…`, a step of tree-sitter may take time that grows with the text. The pulse still stops it.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use tree_sitter::{Language, ParseOptions, Parser, Point, Tree};

/// The longest text that is parsed, in bytes: trees have fifty bytes a byte and more.
pub const MAX_BYTES: usize = 8 << 20;
/// Bytes that the parser is given at once.
const PIECE: usize = 1 << 12;
/// Work of the parser between two questions whether to go on, in bytes of text that take as long.
const STEP_BYTES: usize = 1 << 9;
/// Questions that any text has.
const MIN_STEPS: usize = 2_000;
/// Bytes of text for which there is one question more. Of 700 files in 31 languages most have one for a hundred bytes,
/// and the worst has one for 35.
const BYTES_PER_STEP: usize = 8;
/// How often the whole text may be read: what parses is read once.
const MAX_READS: usize = 64;

/// The tree of `text`; none if it is too long, or takes too many steps.
///
/// # Errors
/// What the pulse says.
pub fn parse(language: &Language, text: &str, pulse: Pulse<'_>) -> Result<Option<Tree>> {
    let mut parser = Parser::new();
    if text.len() > MAX_BYTES || parser.set_language(language).is_err() {
        return Ok(None);
    }
    let bytes = text.as_bytes();
    let beat = Beat::of_bytes(pulse);
    beat.after(STEP_BYTES)?;
    let told = RefCell::new(Ok(()));
    let steps = Cell::new(MIN_STEPS + bytes.len() / BYTES_PER_STEP);
    let reads = Cell::new(MAX_READS * (bytes.len() / PIECE + 1) + MIN_STEPS);
    let spend = |from: &Cell<usize>| {
        from.set(from.get().saturating_sub(1));
        from.get() > 0
    };
    let mut read = |at: usize, _: Point| -> &[u8] {
        if !spend(&reads) {
            steps.set(0);
            return &[];
        }
        let rest = bytes.get(at..).unwrap_or_default();
        &rest[..rest.len().min(PIECE)]
    };
    let mut ask = |_: &tree_sitter::ParseState| {
        let answer = beat.after(STEP_BYTES);
        let ends = answer.is_err() || !spend(&steps);
        if answer.is_err() {
            *told.borrow_mut() = answer;
        }
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut ask);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    told.into_inner()?;
    // What it read as the end of the text may have been the end of what it was allowed to read.
    Ok(tree.filter(|_| steps.get() > 0))
}
