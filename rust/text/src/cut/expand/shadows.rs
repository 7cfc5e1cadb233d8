//! Shadows of chunks: the end of the sibling before each, and the start of the one behind.
//!
//! A query whose answer stands where two chunks meet finds neither of them for sure. An overlap would repeat text in
//! what is embedded; a shadow stands beside the chunk, for a second look at hits that are neither good nor bad.

use std::ops::Range;

use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::heading_paths::HeadingPaths;
use crate::measure::Measure;
use crate::overlap::{Begins, reach_back};
use crate::pulse::{Beat, CHUNK_BYTES, Pulse};
use crate::segment::{grapheme, word};
use crate::span::Span;
use crate::unicode::space::{skip_space, trim_end};

/// After so many ends of words that do not fit, characters are taken.
const MAX_TRIES: usize = 64;

/// For each of the `rows` of `chunks`, which are of `document`, its shadows before and behind: the last `most` units of
/// the sibling's own text, and the first `most` of the other one's; empty where there is no sibling.
///
/// Siblings are neighbours. In a document with elements they are of one section, too: the one in which the first
/// ends goes on where the second begins. A shadow begins and ends with a word, unless a single one is longer; a
/// sibling that fits is whole. O(n) in the chunks and elements.
///
/// ```
/// use chunkwright_text::cut::expand::shadows::shadows;
/// use chunkwright_text::cut::window::window;
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
///
/// let text = "one two three four five six";
/// let document = Document::new(text);
/// let chars = Chars::new(document);
/// let chunks = window(document, &chars, Limits::new(9, None, 0)?, OverlapAt::Any, no_pulse())?;
/// let shadows = shadows(document, &chars, &chunks, 0..3, 5, no_pulse())?;
/// let said = shadows.iter().map(|both| both.map(|span| &text[span.range()])).collect::<Vec<_>>();
/// assert_eq!(chunks.text(1, text), "hree four");
/// assert_eq!(said, [["", "hree"], ["two t", "five"], ["four", ""]]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure, and what `pulse` says.
pub fn shadows(
    document: Document<'_>,
    measure: &dyn Measure,
    chunks: &Chunks,
    rows: Range<usize>,
    most: usize,
    pulse: Pulse<'_>,
) -> Result<Vec<[Span; 2]>> {
    let (text, beat) = (document.text(), Beat::of_bytes(pulse));
    let sections = document.elements().map(HeadingPaths::of);
    let mut shadows = vec![[Span::default(); 2]; rows.len()];
    for (i, row) in rows.enumerate().skip(1) {
        beat.after(CHUNK_BYTES)?;
        if sections.as_ref().is_none_or(|paths| are_siblings(paths, chunks, row)) {
            let [before, own] = [row - 1, row].map(|row| trimmed(text, chunks.body(row)));
            shadows[i][0] = end_of(text, measure, most, before)?;
            shadows[i - 1][1] = start_of(text, measure, most, own)?;
        }
    }
    Ok(shadows)
}

/// Whether the chunk before `row` ends in the section in which `row` begins.
fn are_siblings(paths: &HeadingPaths, chunks: &Chunks, row: usize) -> bool {
    let elements = |row: usize| chunks.origins().get(row).map(|origin| origin.first..origin.end);
    let (Some(before), Some(own)) = (elements(row - 1), elements(row)) else { return false };
    let begins = own.start..own.end.min(own.start + 1);
    let ends = before.start.max(before.end.saturating_sub(1))..before.end;
    !paths.is_heading(own.start) && paths.section(ends) == paths.section(begins)
}

/// A span from its first to its last character that is no whitespace.
fn trimmed(text: &str, span: Span) -> Span {
    let end = trim_end(text, span.start, span.end);
    Span::new(skip_space(&text[..end], span.start), end)
}

/// The end of `span` that has at most `most` units.
fn end_of(text: &str, measure: &dyn Measure, most: usize, span: Span) -> Result<Span> {
    if measure.size(span)? <= most {
        return Ok(span);
    }
    for begins in [Begins::Word, Begins::Any] {
        let start = reach_back(text, measure, most, begins, span)?;
        if start < span.end {
            return Ok(Span::new(start, span.end));
        }
    }
    Ok(Span::default())
}

/// The start of `span` that has at most `most` units.
fn start_of(text: &str, measure: &dyn Measure, most: usize, span: Span) -> Result<Span> {
    if measure.size(span)? <= most {
        return Ok(span);
    }
    let Span { start, end } = span;
    let reach = text.floor_char_boundary(measure.longest(start, most)?.min(end));
    let by_grapheme = |at: usize| trim_end(text, start, grapheme::floor(text, start, at));
    let ends: [&dyn Fn(usize) -> Option<usize>; 2] =
        [&|at| word::last_end(text, start, at), &|at| Some(by_grapheme(at))];
    for end in ends {
        // A shorter text may have more units than a longer one, but seldom: each step is one place.
        let mut found = end(reach).filter(|&at| at > start);
        for _ in 0..MAX_TRIES {
            let Some(at) = found else { break };
            if measure.size(Span::new(start, at))? <= most {
                return Ok(Span::new(start, at));
            }
            found = end(text.floor_char_boundary(at - 1)).filter(|&at| at > start);
        }
    }
    Ok(Span::default())
}
