//! Parsing that is bounded by the length of a text, whatever the text is.
//!
//! The recovery of tree-sitter from what does not parse may try many ways, and the scanner of a grammar may read far
//! ahead again and again. So both are counted, steps and pieces that are read: not time, so that the answer is the
//! same on each machine. What a step costs grows with how deep brackets nest, and where a grammar is ambiguous again and
//! again, as that of C# is in `a<a<a<…`, with that squared. And scanners keep what they are in, in 1,024 bytes: that of
//! YAML ends the process where its levels need more, and that of HTML goes through all open elements at each tag. So a text that nests deeper than any that people write is not parsed.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use tree_sitter::{Language, ParseOptions, Parser, Point, Tree};

/// The longest text that is parsed, in bytes: trees have fifty bytes a byte and more.
pub const MAX_BYTES: usize = 8 << 20;
/// So deep a text may nest: brackets, those of types included, and columns of indentation, of which each may be a level.
/// The scanner of YAML has room for 250 levels.
const MAX_DEPTH: usize = 240;
/// So many elements of a page may be open at once, where the scanner keeps them.
const MAX_OPEN: usize = 1_000;
/// Elements without an end, and those that the next of their kind ends.
const UNCOUNTED: [&[u8]; 19] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta",
    b"source", b"wbr", b"li", b"dt", b"dd", b"p", b"tr", b"td", b"th",
];
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
    let keeps_open = language.id_for_node_kind("start_tag", true) != 0;
    let is_bounded = text.len() <= MAX_BYTES
        && depth(text) <= MAX_DEPTH
        && !(keeps_open && n_open(text) > MAX_OPEN);
    if !is_bounded || parser.set_language(language).is_err() {
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

/// How deep a text nests at most, whatever is a string or a comment: brackets, and columns in front of what a line says,
/// with the marks of items, keys and values of YAML there. A `<` that nothing closes ends with its statement or block.
fn depth(text: &str) -> usize {
    let (mut round, mut pointed, mut deepest) = (0_usize, 0_usize, 0);
    let (mut columns, mut begins_line) = (0_usize, true);
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let is_mark = || {
            matches!(byte, b'-' | b'?' | b':')
                && bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace)
        };
        if byte == b'\n' {
            (columns, begins_line) = (0, true);
        } else if begins_line {
            begins_line = matches!(byte, b' ' | b'\t') || is_mark();
            columns += usize::from(begins_line);
        }
        match byte {
            b'(' | b'[' | b'{' => round += 1,
            b')' | b']' | b'}' => round = round.saturating_sub(1),
            b'<' => pointed += 1,
            b'>' => pointed = pointed.saturating_sub(1),
            _ => {}
        }
        if matches!(byte, b';' | b'{' | b'}') {
            pointed = 0;
        }
        deepest = deepest.max(round + pointed + columns);
    }
    deepest
}

/// How many elements of a page are open at most, but for those without an end and those that the next of their kind
/// ends.
fn n_open(text: &str) -> usize {
    let (bytes, mut open, mut most, mut is_start) = (text.as_bytes(), 0_usize, 0, false);
    for at in (0..bytes.len()).filter(|&at| matches!(bytes[at], b'<' | b'>')) {
        if bytes[at] == b'>' {
            let ends_itself = is_start && at > 0 && bytes[at - 1] == b'/';
            open -= usize::from(ends_itself && open > 0);
            is_start = false;
            continue;
        }
        let tag = &bytes[at + 1..];
        let (is_end, tag) = tag.strip_prefix(b"/").map_or((false, tag), |tag| (true, tag));
        let name = &tag[..tag.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        is_start = false;
        if name.is_empty() || UNCOUNTED.iter().any(|one| name.eq_ignore_ascii_case(one)) {
            continue;
        }
        if is_end {
            open = open.saturating_sub(1);
        } else {
            (open, is_start) = (open + 1, true);
            most = most.max(open);
        }
    }
    most
}
